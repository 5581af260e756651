package views

import (
	"slices"
	"strings"
	"unicode"

	"stockroom/store"
)

// Entity types whose counts DescribeCounts combines in one phrase.
const (
	countedOrder = "order"
	countedLine  = "orderItem"
)

// recordWords contains the singular and plural nouns for records that are called
// differently from their entity type.
var recordWords = map[string][2]string{
	countedLine:              {"order line", "order lines"},
	"warehouseItem":          {"stock item", "stock items"},
	"stockMove":              {"ledger entry", "ledger entries"},
	"storeMetadata":          {"store", "stores"},
	"storeInventoryItem":     {"kayak", "kayaks"},
	"storeActiveRental":      {"active rental", "active rentals"},
	"personMetadata":         {"person", "people"},
	"samePerson":             {"shared identity", "shared identities"},
	"employmentRelationship": {"employment", "employments"},
	"rentalRelationship":     {"rental", "rentals"},
	"bookingDay":             {"booking day", "booking days"},
	"unknown":                {"unknown row", "unknown rows"},
}

// wordsOfRecord returns the singular and plural nouns for records. The argument entity is
// an entity type or the name of an import file, such as invoice-payments.
func wordsOfRecord(entity string) (one, many string) {
	if words, found := recordWords[entity]; found {
		return words[0], words[1]
	}
	if strings.Contains(entity, "-") {
		many = strings.ReplaceAll(entity, "-", " ")
		return strings.TrimSuffix(many, "s"), many
	}
	var b strings.Builder
	for _, r := range entity {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	one = b.String()
	if stem, found := strings.CutSuffix(one, "y"); found {
		return one, stem + "ies"
	}
	return one, one + "s"
}

// describedKinds is the maximum number of kinds of records that a sentence names.
const describedKinds = 3

// DescribeCounts describes counts of records, as in "120 orders with 340 lines, 2
// products". It returns "" if all are 0. Its second argument is a function that selects
// the count to describe, such as the number of added records.
func DescribeCounts(all []store.ImportCounts, of func(*store.ImportCounts) int) string {
	sums := map[string]int{}
	var kinds []string
	for i := range all {
		c := &all[i]
		if sums[c.Entity] == 0 && of(c) > 0 {
			kinds = append(kinds, c.Entity)
		}
		sums[c.Entity] += of(c)
	}
	lines := 0
	if sums[countedOrder] > 0 {
		lines = sums[countedLine]
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == countedLine })
	}
	var parts []string
	others := 0
	for i, kind := range kinds {
		if i >= describedKinds {
			others += sums[kind]
			continue
		}
		one, many := wordsOfRecord(kind)
		text := count(sums[kind], one, many)
		if kind == countedOrder && lines > 0 {
			text += " with " + count(lines, "line", "lines")
		}
		parts = append(parts, text)
	}
	if others > 0 {
		parts = append(parts, count(others, "other record", "other records"))
	}
	return strings.Join(parts, ", ")
}

// importOutcome is an outcome, such as Added, with the records that had it, such as "120
// orders, 2 products".
type importOutcome struct{ label, counts string }

// outcomeLabel returns the label of an outcome, such as Added, or To be added for a dry
// run.
func outcomeLabel(label string, dryRun bool) string {
	if dryRun {
		return "To be " + strings.ToLower(label)
	}
	return label
}

// outcomesOf returns the outcomes that occurred, or that a dry run predicts.
func outcomesOf(counts []store.ImportCounts, dryRun bool) (outcomes []importOutcome) {
	for _, o := range []struct {
		label string
		of    func(*store.ImportCounts) int
	}{
		{outcomeLabel("Added", dryRun), func(c *store.ImportCounts) int { return c.Added }},
		{outcomeLabel("Updated", dryRun), func(c *store.ImportCounts) int { return c.Updated }},
		{outcomeLabel("Merged", dryRun), func(c *store.ImportCounts) int { return c.Merged }},
		{"Unchanged", func(c *store.ImportCounts) int { return c.Unchanged }},
		{"Rejected", func(c *store.ImportCounts) int { return c.Rejected }},
	} {
		if text := DescribeCounts(counts, o.of); text != "" {
			outcomes = append(outcomes, importOutcome{o.label, text})
		}
	}
	return outcomes
}

// importChanges describes what an import added and updated.
func importChanges(r *store.ImportRun) string {
	var parts []string
	for _, o := range outcomesOf(r.Counts, false) {
		if o.label == "Added" || o.label == "Updated" {
			parts = append(parts, o.counts+" "+strings.ToLower(o.label))
		}
	}
	return nameOr(strings.Join(parts, "; "), "–")
}

package exchange

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"stockroom/store"
	"stockroom/store/key"
)

// Suggest writes a suggested mapping for CSV files, from the names and first values
// of their columns. Comments mark suggestions that need a review.
func Suggest(files []File, to io.Writer) error {
	var samples []*sample
	for _, f := range files {
		if format, _ := formatOf(f.Name); format != "csv" {
			return &FileError{File: f.Name, Reason: "only CSV files need a mapping"}
		}
		s, err := readSample(f)
		if err != nil {
			return err
		}
		s.chooseEntity()
		samples = append(samples, s)
	}
	addLines(samples)
	for _, s := range tablesOfAll(samples) {
		s.chooseReferences(samples)
	}
	return writeMapping(to, samples)
}

// clearlyBetter is how much better the headings must fit another entity than the entity in
// the file name. It is a difference of values of fitting.headings.
const clearlyBetter = 0.4

// fitting says how well a file fits an entity.
type fitting struct {
	sheet    *sheet
	list     *list
	fits     []*column
	scores   []float64
	headings float64 // how well the headings fit; 1 if all fit
	score    float64 // headings, plus how similar the file name is to the name of the entity
}

// chooseEntity chooses the entity that the file most likely contains, and its columns. It
// chooses the entity in the file name, unless the headings fit another entity clearly
// better.
func (s *sample) chooseEntity() {
	var best, named fitting
	try := func(f fitting, file string, columns []column) {
		entity := wordsOf(file)
		f.fits, f.scores = s.fit(columns, entity)
		attributes := 0
		for i, c := range f.fits {
			if f.headings += f.scores[i] / float64(len(s.columns)); c != nil && c.keyName == "" {
				attributes++
			}
		}
		if id := wordsOf(columns[0].name); slices.ContainsFunc(s.columns, func(c sampledColumn) bool { return slices.Equal(wordsOf(c.name), id) }) {
			f.headings += 0.1 // a heading names the ID of the entity, such as "Product ID"
		}
		f.score = similarity(s.words, entity) + f.headings
		switch {
		case slices.Equal(s.words, entity):
			named = f
		case attributes > 0 && f.score >= 0.9 && f.score > best.score && hasRequired(columns, f.fits):
			best = f
		}
	}
	for i := range sheets {
		sh := &sheets[i]
		try(fitting{sheet: sh}, sh.file, sh.columns)
		for j := range sh.lists {
			try(fitting{sheet: sh, list: &sh.lists[j]}, sh.lists[j].file, sh.lists[j].columns)
		}
	}
	if named.sheet != nil && best.headings < named.headings+clearlyBetter {
		best = named
	}
	s.sheet, s.list, s.fits, s.score = best.sheet, best.list, best.fits, best.scores
}

// hasRequired reports whether the file has all required columns of an entity. Columns that
// other files can provide may be missing, and also Status, for which the mapping can have a
// constant.
func hasRequired(columns []column, fits []*column) bool {
	for i := range columns {
		c := &columns[i]
		if c.required && !slices.Contains(fits, c) && c.name != "Status" && c.from == "" {
			return false
		}
	}
	return true
}

// fit chooses the best column of an entity for each column of the file. It chooses none for
// a barcode that is similar to SKU, but returns the score.
func (s *sample) fit(columns []column, entity []string) (fits []*column, scores []float64) {
	type pair struct {
		file, column int
		score        float64
	}
	var pairs []pair
	for i := range s.columns {
		for j := range columns {
			score := columnSimilarity(s.columns[i].name, &columns[j], entity) * s.columns[i].plausible(&columns[j])
			if columns[j].name == "Email" && s.columns[i].mostly(isEmail) {
				score = max(score, 0.8)
			}
			if score >= likely {
				pairs = append(pairs, pair{i, j, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.score, a.score) })
	fits, scores = make([]*column, len(s.columns)), make([]float64, len(s.columns))
	for _, p := range pairs {
		c := &columns[p.column]
		if fits[p.file] != nil || slices.Contains(fits, c) {
			continue
		}
		scores[p.file] = max(scores[p.file], p.score)
		if c.name != "SKU" || !isBarcode(s.columns[p.file].name) {
			fits[p.file] = c
		}
	}
	return fits, scores
}

// plausible returns a factor for the score of a column. It is 1 if the values suit the
// attribute, and smaller otherwise.
func (c *sampledColumn) plausible(to *column) float64 {
	switch to.kind {
	case store.Money, store.Whole:
		if len(c.values) > 0 && !c.mostly(isNumber) {
			return 0.2
		}
	case store.Instant, store.Seconds, store.Day:
		if len(c.values) > 0 && len(c.datesOf()) == 0 {
			return 0.2
		}
	}
	if to.name == "Email" && len(c.values) > 0 && !slices.ContainsFunc(c.values, isEmail) {
		return 0.2
	}
	return 1
}

// chooseReferences finds columns whose values are IDs in another file. It chooses
// attributes for them that refer to the entity of that file.
func (s *sample) chooseReferences(samples []*sample) {
	for i := range s.columns {
		if s.sheet == nil || s.list != nil || s.fits[i] != nil {
			continue
		}
		for _, other := range samples {
			id := other.idColumn()
			if id == nil || id == &s.columns[i] || len(s.columns[i].values) < 2 || !s.columns[i].isWithin(id) {
				continue
			}
			for _, name := range referencesTo[other.sheet.entityType] {
				if n := indexNamed(s.sheet.columns, name); n >= 0 && !slices.Contains(s.fits, &s.sheet.columns[n]) {
					s.fits[i], s.score[i] = &s.sheet.columns[n], likely
				}
			}
		}
	}
}

// referencesTo lists, by entity, the columns that contain IDs of the entity.
var referencesTo = map[string][]string{
	kindEmployee: {"AccountRepID", "ManagerID"}, kindCustomer: {"CustomerID"}, kindProduct: {"ProductID"}, kindOrder: {"OrderID"}, kindWarehouse: {"WarehouseID"},
}

// idColumn returns the column with the ID of the file's entity, or nil.
func (s *sample) idColumn() *sampledColumn {
	if s.sheet == nil || s.list != nil {
		return nil
	}
	for i, c := range s.fits {
		if c != nil && c == &s.sheet.columns[0] {
			return &s.columns[i]
		}
	}
	return nil
}

// needsPrefix reports whether a customer and an employee in the samples have the same
// ID. Either the IDs of customers or the IDs of employees then need a prefix.
func needsPrefix(samples []*sample) bool {
	var customers, employees *sampledColumn
	for _, s := range samples {
		switch id := s.idColumn(); {
		case id == nil:
		case s.sheet.entityType == kindCustomer:
			customers = id
		case s.sheet.entityType == kindEmployee:
			employees = id
		}
	}
	return customers != nil && employees != nil && slices.ContainsFunc(customers.values, func(id string) bool { return slices.Contains(employees.values, id) })
}

// missing returns the required attributes for which the files have no column.
func (s *sample) missing(samples []*sample) (names []string) {
	t := mappedTable{sheet: s.sheet, list: s.list}
	columns := t.columns()
	for i := range columns {
		c := &columns[i]
		if !c.required || slices.Contains(s.fits, c) {
			continue
		}
		replaced := slices.ContainsFunc(tablesOfAll(samples), func(other *sample) bool { return other.sheet != nil && other.sheet.entityType == c.from })
		if !replaced {
			names = append(names, c.name)
		}
	}
	return names
}

// lacksStatus reports whether the rows are orders without a column for the status. An import
// computes the status, but few programs export the payments and shipments that this needs.
func (s *sample) lacksStatus() bool {
	return s.sheet.entityType == kindOrder && !slices.ContainsFunc(s.fits, func(c *column) bool { return c != nil && c.name == "Status" })
}

// joins returns the columns whose values the mapping joins, by attribute: first and last
// names, and several phone numbers.
func (s *sample) joins() map[string][]int {
	t := mappedTable{sheet: s.sheet, list: s.list}
	joins := map[string][]int{}
	isPerson := indexNamed(t.columns(), "Phones") >= 0
	if isPerson {
		first, last := s.withWords("first"), s.withWords("last", "surname", "family")
		if last < 0 { // headings such as Nom and Prénom
			last = slices.IndexFunc(s.columns, func(c sampledColumn) bool { return slices.Equal(wordsOf(c.name), []string{"name"}) })
		}
		if first >= 0 && last >= 0 {
			joins["Name"] = []int{first, last}
		}
	}
	if isPerson {
		var phones []int
		for i := range s.columns {
			if slices.Contains(wordsOf(s.columns[i].name), "phone") && (s.fits[i] == nil || s.fits[i].name == "Phones") {
				phones = append(phones, i)
			}
		}
		if len(phones) > 1 {
			joins["Phones"] = phones
		}
	}
	return joins
}

// discount returns the index of the column with the discount on prices of order
// lines, or -1.
func (s *sample) discount() int {
	price := func(c *column) bool { return c != nil && c.name == "Price" }
	if s.sheet.entityType != kindOrderItem || !slices.ContainsFunc(s.fits, price) {
		return -1
	}
	format := cellFormat{}
	return slices.IndexFunc(s.columns, func(c sampledColumn) bool {
		return slices.Contains(wordsOf(c.name), "discount") && c.mostly(func(v string) bool { _, ok := format.rate(v); return ok })
	})
}

func (s *sample) withWords(words ...string) int {
	return slices.IndexFunc(s.columns, func(c sampledColumn) bool {
		has := wordsOf(c.name)
		return slices.Contains(has, "name") && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(has, w) })
	})
}

// statuses returns the values that a status attribute accepts, or nil if the attribute is
// no status.
func statuses(entity, name string) []string {
	switch entity + " " + name {
	case kindOrder + " Status":
		return statusTexts(store.OrderStatuses)
	case kindInvoice + " Status", kindOrder + " PaymentState":
		return statusTexts(store.InvoiceStatuses)
	case kindShipment + " Status":
		return statusTexts(store.ShipmentStatuses)
	case kindSubscription + " Status":
		return statusTexts(store.SubscriptionStatuses)
	}
	return nil
}

func statusTexts[S ~string](all []S) []string {
	var texts []string
	for _, s := range all {
		texts = append(texts, string(s))
	}
	return texts
}

// meaning returns the status that a word in another program's file most likely means,
// or "" if no valid status is similar.
func meaning(value string, valid []string) string {
	for _, status := range valid {
		if strings.EqualFold(value, status) || similarity(wordsOf(value), wordsOf(strings.ToLower(status))) > 0 {
			return status
		}
	}
	for _, word := range strings.FieldsFunc(key.Fold(value), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if status := statusWords[word]; slices.Contains(valid, status) {
			return status
		}
	}
	return ""
}

// inComment puts a space in place of each character that could end a YAML comment.
func inComment(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Cf) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}

// example returns the first values of a column as text, for a comment. Card numbers are
// masked.
func (c *sampledColumn) example() string {
	var values []string
	for _, v := range c.values[:min(2, len(c.values))] {
		runes := []rune(inComment(store.MaskLikelyCards(v)))
		if len(runes) > 24 {
			runes = append(runes[:24], '…')
		}
		values = append(values, string(runes))
	}
	if len(values) == 0 {
		return "no values"
	}
	return fmt.Sprintf("such as %s", strings.Join(values, ", "))
}

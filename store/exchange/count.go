package exchange

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"stockroom/store"
)

// Counts counts the rows of one entity in one file by outcome. The field Read is the sum of
// the others.
type Counts struct {
	Read      int `json:"read"`
	Added     int `json:"added"`
	Unchanged int `json:"unchanged"` // equal to an item in the table or to an earlier row
	Updated   int `json:"updated"`
	Merged    int `json:"merged"` // order lines whose quantity was added to that of an earlier line
	Rejected  int `json:"refused"`
}

func (c *Counts) add(other Counts) {
	c.Read += other.Read
	c.Added += other.Added
	c.Unchanged += other.Unchanged
	c.Updated += other.Updated
	c.Merged += other.Merged
	c.Rejected += other.Rejected
}

// Counted is the key of a count: an entity type in a file.
type Counted struct {
	File   int    // index of the file in the arguments of Open
	Entity string // entity type, file name of a list, or unknownEntity
}

// unknownEntity is the entity of a row that names no entity.
const unknownEntity = "unknown"

// ImportResult contains the result of importing one or more sources.
type ImportResult struct {
	Counts      map[Counted]*Counts
	Made        int // orders that were created from their lines or invoices, because the files do not contain them
	NotCompared int // totals and quotas that a dry run could not compare; see store.OutcomeNotCompared
	Renewed     int // expired receipts that were stored with a new TTL

	Changed CellChanges // values that updates changed
	Removed CellChanges // values that updates removed, because their cells are empty

	Warned   int // rows that only a lenient import accepts
	Warnings []Warning

	Corrected   int // rows that were stored under other keys than in the file
	Corrections []Correction

	categories newCategories
}

// Warning describes a row that only a lenient import accepts, for example because it
// refers to an unknown entity.
type Warning struct {
	File   int // index of the file in the arguments of Open
	Number int // row number
	Reason string
}

// maxWarnings is the maximum number of warnings in an ImportResult.
const maxWarnings = 100

func (i *importer) warn(file, row int, reason string) {
	if i.result.Warned++; i.result.Warned <= maxWarnings {
		if hint := strings.LastIndex(reason, ". "); hint >= 0 && strings.HasSuffix(reason, orLenient) {
			reason = reason[:hint+1]
		}
		i.result.Warnings = append(i.result.Warnings, Warning{file, row, reason})
	}
}

// Add adds the result of another part of the same import.
func (r *ImportResult) Add(other ImportResult) {
	for of, counts := range other.Counts {
		r.counts(of).add(*counts)
	}
	for _, c := range other.categories {
		r.categories.add(c)
	}
	r.Made += other.Made
	r.NotCompared += other.NotCompared
	r.Renewed += other.Renewed
	r.Changed.add(other.Changed)
	r.Removed.add(other.Removed)
	r.Warned += other.Warned
	r.Warnings = append(r.Warnings, other.Warnings[:min(len(other.Warnings), maxWarnings-len(r.Warnings))]...)
	r.Corrected += other.Corrected
	r.Corrections = append(r.Corrections, other.Corrections[:min(len(other.Corrections), maxCorrections-len(r.Corrections))]...)
}

// Sum returns the sums of the counts of all files and entities.
func (r *ImportResult) Sum() (sum Counts) {
	for _, counts := range r.Counts {
		sum.add(*counts)
	}
	return sum
}

// OfFile returns the counts of the file with this index in the arguments of Open.
func (r *ImportResult) OfFile(file int) map[Counted]*Counts {
	counts := maps.Clone(r.Counts)
	maps.DeleteFunc(counts, func(of Counted, _ *Counts) bool { return of.File != file })
	return counts
}

// RowsOf returns how many rows of an entity were read.
func (r *ImportResult) RowsOf(entityType string) (read int) {
	for of, counts := range r.Counts {
		if of.Entity == entityType {
			read += counts.Read
		}
	}
	return read
}

// Sequence returns the keys of Counts, by file and entity.
func (r *ImportResult) Sequence() []Counted {
	var all []Counted
	for of := range r.Counts {
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b Counted) int { return cmp.Or(a.File-b.File, cmp.Compare(a.Entity, b.Entity)) })
	return all
}

func (r *ImportResult) counts(of Counted) *Counts {
	if r.Counts == nil {
		r.Counts = map[Counted]*Counts{}
	}
	if r.Counts[of] == nil {
		r.Counts[of] = &Counts{}
	}
	return r.Counts[of]
}

// part is a row without an item of its own, because it became part of another row's item.
type part struct {
	row  Row
	kind partKind
}

type partKind uint8

const (
	partOfItem   partKind = iota // part of that item, such as a payment of an invoice
	partRepeated                 // equal to the other row, so it adds nothing
	partMerged                   // merged into the other row, such as an order line with the same product
)

// count adds a row and its parts to the result.
func (i *importer) count(row *Row, outcome store.Outcome) {
	i.countRow(row, outcome)
	for n := range row.parts {
		p := &row.parts[n]
		switch {
		case outcome == store.OutcomeRejected || p.kind == partOfItem:
			i.countRow(&p.row, outcome)
		case p.kind == partRepeated:
			i.countRow(&p.row, store.OutcomeRepeated)
		default:
			counts := i.countsOf(&p.row)
			counts.Read++
			counts.Merged++
		}
	}
}

func (i *importer) countRow(row *Row, outcome store.Outcome) {
	if row.made {
		if outcome == store.OutcomeAdded {
			i.result.Made++
		}
		return
	}
	counts := i.countsOf(row)
	counts.Read++
	switch outcome {
	case store.OutcomeAdded:
		counts.Added++
	case store.OutcomeUpdated:
		counts.Updated++
	case store.OutcomeRejected:
		counts.Rejected++
	case store.OutcomeNotCompared:
		i.result.NotCompared++
		counts.Unchanged++
	default:
		counts.Unchanged++
	}
}

func (i *importer) countsOf(row *Row) *Counts {
	of := Counted{i.fileOf(row), row.Entity}
	if of.Entity == "" {
		of.Entity = kindOfRow(row)
	}
	return i.result.counts(of)
}

func (i *importer) fileOf(row *Row) int {
	if row.file > 0 {
		return row.file - 1
	}
	return i.file
}

// kindOfRow returns the entity type of a row, or unknownEntity.
func kindOfRow(row *Row) string {
	item := row.Item
	if item == nil {
		item, _ = parseItem(row.raw)
	}
	if kind, known := findKind(item); known {
		return kind.name
	}
	return unknownEntity
}

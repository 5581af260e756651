package views

import (
	"net/url"
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// ComparePath is the address of the page that compares two states of a record.
const ComparePath = "/compare"

// Comparison is the page that lists what changed in a record between two moments.
type Comparison struct {
	Page
	From, To PastRecord
	ToNow    bool // the second state is the current one
	Changes  []Change
	Same     int           // number of values that did not change
	Events   []store.Event // newest first
	Log      PastTable     // stock changes between the two moments; the title is "" if the record has no stock ledger

	missing []string // notes about values that are not compared
}

// NewComparison compares two states of a record.
func NewComparison(p *Page, from, to PastRecord, toNow bool) Comparison {
	c := Comparison{From: from, To: to, ToNow: toNow, Changes: []Change{}, Events: from.Past.Later.Until(to.Past.At)}
	c.compare()
	c.Log = logBetween(p, &c.From, &c.To)
	p.Title = "Changes of " + to.Heading
	c.Page = *p
	return c
}

// CompareMoments is the form for the two moments of a comparison. It is shown if the
// address contains no valid moments.
type CompareMoments struct {
	Page
	Path     string // path of the record's current page
	From, To ui.Input
}

// Change is a value of a record that differs between two moments, as shown on pages.
type Change struct {
	List   string     `json:",omitempty"` // list that contains the value, such as Items; "" for a value of the record itself
	ID     string     `json:",omitempty"` // identifies the row in the list
	Row    string     `json:",omitempty"` // the name of the row
	Path   string     `json:"-"`          // path of the page of the row; may be empty
	Kind   ChangeKind `json:",omitempty"` // "" for a value that differs
	Field  string     `json:",omitempty"` // "" if the whole row was added or removed
	Before string
	After  string
}

// ChangeKind says whether a row was added to a list or removed from it.
type ChangeKind string

// The kinds of changes of rows.
const (
	RowAdded   ChangeKind = "added"
	RowRemoved ChangeKind = "removed"
)

// what returns the name of the changed value, or "Added" or "Removed" for a whole row.
func (c *Change) what() string {
	switch c.Kind {
	case RowAdded:
		return "Added"
	case RowRemoved:
		return "Removed"
	}
	return c.Field
}

// compareNow returns the address that compares an earlier state of a record with the
// current one.
func compareNow(p *Page, path string, from time.Time) string {
	return ComparePath + "?" + url.Values{"of": {path}, "from": {Moment(p, from)}}.Encode()
}

// address returns the address that compares a record at the two moments of this page.
// The extension, such as .json, selects a file; "" selects the page.
func (p *Comparison) address(path, extension string) string {
	values := url.Values{"of": {path}, "from": {Moment(&p.Page, p.From.Past.At)}}
	if !p.ToNow {
		values.Set("to", Moment(&p.Page, p.To.Past.At))
	}
	return ComparePath + extension + "?" + values.Encode()
}

func (p *CompareMoments) fields() (from, to ui.Field) {
	return compareFields(p.From, p.To)
}

func compareFields(from, to ui.Input) (ui.Field, ui.Field) {
	end := momentField("to", "Later date", to)
	end.Hint = "Leave empty for the current state."
	return momentField("from", "Earlier date", from), end
}

// moments returns the fields for the two moments, filled with the moments of the page.
func (p *Comparison) moments() (from, to ui.Field) {
	end := ui.Input{}
	if !p.ToNow {
		end.Value = Moment(&p.Page, p.To.Past.At)
	}
	return compareFields(ui.Input{Value: Moment(&p.Page, p.From.Past.At)}, end)
}

// notes lists what is not known about the two states.
func (p *Comparison) notes() []string {
	from, to := pastNote(&p.Page, &p.From), pastNote(&p.Page, &p.To)
	if p.ToNow && p.To.Past.Gap == store.PastBegins {
		to = "" // the current state is known
	}
	var notes []string
	if from != "" && from == to {
		notes, from, to = append(notes, "Both dates: "+from), "", ""
	}
	if from != "" {
		notes = append(notes, p.time(p.From.Past.At)+": "+from)
	}
	if to != "" {
		notes = append(notes, p.time(p.To.Past.At)+": "+to)
	}
	if !p.known() {
		notes = append(notes, "Only values that are known for both dates are compared.")
	}
	return append(notes, p.missing...)
}

// known reports whether the state of the record is known at both moments. If the record was
// added later than a moment, its state at that moment counts as known.
func (p *Comparison) known() bool { return p.From.isDefinite() && p.To.isDefinite() }

func (r *PastRecord) isDefinite() bool { return r.Past.HasState() || r.Past.Gap == store.PastNotAdded }

// none explains why the page lists no changes.
func (p *Comparison) none() string {
	switch {
	case p.To.Past.Gap == store.PastNotAdded:
		return "This " + p.To.Noun + " did not exist on these dates."
	case p.Same == 0 && !p.known():
		return "No value is known for both dates."
	}
	return "No values changed."
}

func (p *Comparison) same() string {
	return count(p.Same, "other value is", "other values are") + " the same."
}

// compare lists the values that differ. It omits tables that list changes (see
// PastTable.IsLog), and values that are unknown at one of the moments.
func (p *Comparison) compare() {
	from, to := &p.From, &p.To
	factsBefore, tablesBefore := from.shown()
	factsAfter, tablesAfter := to.shown()
	for _, label := range union(factLabels(factsBefore), factLabels(factsAfter)) {
		before, after := factOf(factsBefore, label), factOf(factsAfter, label)
		switch certain := before.Certain || after.Certain; {
		case !certain && !p.known():
		case before.Value == after.Value:
			p.Same++
		default:
			p.Changes = append(p.Changes, Change{Field: label, Before: before.Value, After: after.Value})
		}
	}
	for _, title := range union(tableTitles(tablesBefore), tableTitles(tablesAfter)) {
		before, after := tableOf(tablesBefore, title), tableOf(tablesAfter, title)
		switch certain := before.Certain || after.Certain; {
		case !certain && !p.known(), before.IsLog, after.IsLog:
		case before.Unknown:
			p.missing = append(p.missing, title+": "+before.Empty)
		case after.FromLedger && from.Moves != nil:
			p.Changes = append(p.Changes, compareQuantities(title, from.Moves(to.Past.At))...)
		case after.Unknown:
			p.missing = append(p.missing, title+": "+after.Empty)
		default:
			p.Changes = append(p.Changes, compareTables(&before, &after)...)
		}
	}
}

// compareQuantities compares the quantities in a warehouse before and after these stock
// changes, which must be sorted, oldest first.
func compareQuantities(title string, moves []store.StockMove) []Change {
	first, last := map[string]*store.StockMove{}, map[string]*store.StockMove{}
	var products []string
	for i := range moves {
		m := &moves[i]
		if first[m.ProductID] == nil {
			first[m.ProductID], products = m, append(products, m.ProductID)
		}
		last[m.ProductID] = m
	}
	slices.Sort(products)
	var changes []Change
	for _, id := range products {
		before, after := first[id].From, last[id].To
		if before != after {
			changes = append(changes, Change{
				List: title, ID: id, Row: nameOr(last[id].Name, id), Path: StockPath(id, last[id].WarehouseID),
				Field: "Quantity", Before: number(before), After: number(after),
			})
		}
	}
	return changes
}

// compareTables compares the rows of a list at two moments.
func compareTables(before, after *PastTable) []Change {
	var changes []Change
	whole := before.Note == "" && after.Note == ""
	for _, row := range after.Rows {
		change := Change{List: after.Title, ID: row.ID, Row: row.Cells[0], Path: row.Path}
		old := before.row(row.ID)
		if old == nil {
			if change.Kind, change.After = RowAdded, after.describe(row, "\n"); whole {
				changes = append(changes, change)
			}
			continue
		}
		for i, column := range after.Columns {
			j := slices.Index(before.Columns, column)
			if j < 0 || old.Cells[j] == row.Cells[i] {
				continue
			}
			change.Field, change.Before, change.After = column, old.Cells[j], row.Cells[i]
			changes = append(changes, change)
		}
	}
	for _, row := range before.Rows {
		if after.row(row.ID) == nil && whole {
			changes = append(changes, Change{List: before.Title, ID: row.ID, Row: row.Cells[0], Path: row.Path, Kind: RowRemoved, Before: before.describe(row, "\n")})
		}
	}
	return changes
}

func (t *PastTable) row(id string) *PastRow {
	i := slices.IndexFunc(t.Rows, func(r PastRow) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return &t.Rows[i]
}

// logBetween returns the entries of the stock ledger between two states. For a warehouse,
// from.Moves returns them. For other records, they are the entries of the later state
// that are newer than all entries of the earlier state. The IDs of entries sort by time.
func logBetween(p *Page, from, to *PastRecord) PastTable {
	if from.Moves != nil {
		return movesBetween(p, from.Moves(to.Past.At))
	}
	_, tables := to.shown()
	i := slices.IndexFunc(tables, func(t PastTable) bool { return t.IsLog })
	if i < 0 {
		return PastTable{}
	}
	log := tables[i]
	log.Empty = noMoves
	for _, t := range from.Tables {
		if t.IsLog && len(t.Rows) > 0 {
			log.Rows = slices.DeleteFunc(slices.Clone(log.Rows), func(r PastRow) bool { return r.ID <= t.Rows[0].ID })
		}
	}
	if len(log.Rows) < len(tables[i].Rows) {
		log.Note = ""
	}
	return log
}

const noMoves = "No stock changes between these dates."

// movesBetween returns the stock changes of a warehouse, newest first.
func movesBetween(p *Page, moves []store.StockMove) PastTable {
	log := PastTable{Title: "Stock ledger", Columns: []string{"When", "Product", "Change", "Quantity", "Reason", "Who"}, Empty: noMoves, IsLog: true}
	for i := range slices.Backward(moves) {
		row := pastMove(p, &moves[i])
		row.Cells = slices.Insert(row.Cells, 1, nameOr(moves[i].Name, moves[i].ProductID))
		log.Rows = append(log.Rows, row)
	}
	return log
}

func factLabels(facts []PastFact) []string {
	labels := make([]string, len(facts))
	for i := range facts {
		labels[i] = facts[i].Label
	}
	return labels
}

func tableTitles(tables []PastTable) []string {
	titles := make([]string, len(tables))
	for i := range tables {
		titles[i] = tables[i].Title
	}
	return titles
}

// factOf returns the fact with a label, or a fact without a value.
func factOf(facts []PastFact, label string) PastFact {
	i := slices.IndexFunc(facts, func(f PastFact) bool { return f.Label == label })
	if i < 0 {
		return PastFact{Label: label}
	}
	return facts[i]
}

// tableOf returns the table with a title, or a table without rows.
func tableOf(tables []PastTable, title string) PastTable {
	i := slices.IndexFunc(tables, func(t PastTable) bool { return t.Title == title })
	if i < 0 {
		return PastTable{Title: title}
	}
	return tables[i]
}

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// eventsNote explains why the list of events is incomplete, or returns "".
func (p *Comparison) eventsNote() string {
	switch {
	case p.From.Past.Later.Hidden:
		return "Only these roles see the history here: " + store.RolesWith(store.ReadHistory) + "."
	case p.From.Past.Later.Part:
		return "Earlier entries are not listed, because this " + p.From.Noun + " has more than " + number(store.MaxPastEvents) + " entries."
	}
	return ""
}

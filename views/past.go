package views

import (
	"net/url"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// PastState is the page of a record at an earlier moment. It has no forms that change
// anything.
type PastState struct {
	Page
	Record PastRecord
}

// PastMoment is the page that asks for a moment again.
type PastMoment struct {
	Page
	Path string // of the present page
	At   ui.Input
}

func (p *PastMoment) field() ui.Field { return momentField("at", "Show as it was on", p.At) }

// momentField is the field for a date with or without a time.
func momentField(name, label string, input ui.Input) ui.Field {
	return ui.Field{Name: name, Label: label, Hint: "For example, 2026-11-03T10:00. A day without a time means the end of the day.", Input: input}
}

// PastRecord is a record at an earlier moment, as pages show and compare it.
type PastRecord struct {
	Past           store.Past
	Noun           string // such as product
	Path           string // of the present page
	Heading        string
	ID             string
	List, ListPath string // the breadcrumb
	HasLedger      bool   // quantities come from the stock ledger
	Facts          []PastFact
	Tables         []PastTable

	Moves func(until time.Time) []store.StockMove // stock changes after the moment, oldest first; nil if they are not known
}

// PastFact is a value of a record.
type PastFact struct {
	Label, Value string
	Path         string // of a record that the value names; "" for none
	Certain      bool   // known even if the state of the record is not
}

// PastTable is a list of a record, such as the stock by warehouse.
type PastTable struct {
	Title   string
	Columns []string
	Rows    []PastRow
	Note    string // about rows that are not shown; "" if the table has all
	Empty   string // text for a table without rows
	Certain bool   // known even if the state of the record is not
	IsLog   bool   // a list of changes, which a comparison omits
	Unknown bool   // the rows are not known; Empty says why

	FromLedger bool // a comparison reads PastRecord.Moves instead
}

// PastRow is a row of a table. Its first cell links to Path, if that is set.
type PastRow struct {
	ID    string // identifies the row in comparisons
	Path  string
	Cells []string
}

// folds reports whether narrow pages show the values of a row below its first one, because
// the columns would not fit.
func (t *PastTable) folds() bool { return len(t.Columns) > 3 }

// class returns the class of the cells in a column.
func (t *PastTable) class(column int) string {
	switch {
	case column == 0 && t.IsLog:
		return "" // a time, on one line if that fits
	case column == 0:
		return "wrap"
	case t.folds():
		return "p2 wrap"
	}
	return "wrap"
}

// describe returns the values of a row after the first one in one text.
func (t *PastTable) describe(row PastRow, separator string) string {
	var parts []string
	for i := 1; i < len(t.Columns); i++ {
		if row.Cells[i] != "" {
			parts = append(parts, t.Columns[i]+": "+row.Cells[i])
		}
	}
	return strings.Join(parts, separator)
}

// PathIDs compares the parts of an escaped path with those of a route. It returns the
// unescaped parts where the route has a parameter.
func PathIDs(route, parts []string) (ids []string, ok bool) {
	if len(route) != len(parts) {
		return nil, false
	}
	for i, part := range parts {
		text, err := url.PathUnescape(part)
		switch {
		case err != nil || text == "":
			if i > 0 {
				return nil, false
			}
		case strings.HasPrefix(route[i], ":"):
			ids = append(ids, text)
		case route[i] != part:
			return nil, false
		}
	}
	return ids, true
}

// Moment formats a moment for the parameter at. It omits the seconds at the end of a minute
// only, because that is what a time without seconds means.
func (p *Page) Moment(at time.Time) string {
	layout := "2006-01-02T15:04:05"
	if at.Add(time.Nanosecond).Truncate(time.Minute).After(at) {
		layout = "2006-01-02T15:04"
	}
	text := at.In(p.zone()).Format(layout)
	if back, err := time.ParseInLocation(layout, text, p.zone()); err != nil || at.Sub(back) < 0 || at.Sub(back) >= time.Minute {
		return at.UTC().Format(time.RFC3339) // in the hour that a clock change repeats
	}
	return text
}

// atMoment returns the address of a page at an earlier moment.
func (p *Page) atMoment(path string, at time.Time) string {
	return ui.Local(path) + "?" + url.Values{"at": {p.Moment(at)}}.Encode()
}

// link returns the address to which a value links: records that have earlier states keep
// the moment.
func (p *PastState) link(path string) string { return p.atMoment(path, p.Record.Past.At) }

// listPath returns the address of the breadcrumb: a list, or a record at the moment.
func (p *PastState) listPath() string {
	if path := p.Record.ListPath; strings.Count(path, "/") < 2 {
		return ui.Local(path)
	}
	return p.link(p.Record.ListPath)
}

// known returns the earliest moment after Since that can be shown, or the zero time if it
// is in the future.
func (p *PastState) known() time.Time {
	since := p.Record.Past.Since
	if next := since.Truncate(time.Second); next.Before(since) {
		since = next.Add(time.Second)
	}
	if p.Record.Past.Gap == store.PastComplete || since.IsZero() || since.After(p.Now) {
		return time.Time{}
	}
	return since
}

// pastNote says what is not known about an earlier state, or returns "".
func (p *Page) pastNote(r *PastRecord) string {
	since := p.time(r.Past.Since)
	switch r.Past.Gap {
	case store.PastBegins:
		return p.beginsNote(r)
	case store.PastNotAdded:
		return "This " + r.Noun + " was added later, on " + since + "."
	case store.PastNoValues:
		return "The history doesn't contain the values before the change “" + r.Past.What + "” on " + since + ". The state before it is not shown."
	case store.PastErased:
		return "Personal data in the change on " + since + " was erased. The state before it is not shown."
	case store.PastTooMany:
		return "This " + r.Noun + " has more than " + number(store.MaxPastEvents) + " later history entries. The state before " + since + " is not shown."
	}
	return ""
}

// beginsNote says that the history begins after the moment.
func (p *Page) beginsNote(r *PastRecord) string {
	note := "There is no record of this " + r.Noun + " from then. "
	if r.Past.Added.IsZero() && r.Past.Since.IsZero() {
		note += "Its history doesn't say when it was added. "
	}
	if r.Past.Since.IsZero() {
		note += "The history has no changes of this " + r.Noun + ". These are its current values."
	} else {
		note += "The history of this " + r.Noun + " begins on " + p.time(r.Past.Since) + ". These are the earliest known values, from before this first entry."
	}
	if r.HasLedger {
		note += " Quantities come from the stock ledger."
	}
	return note
}

// title is the heading of the values.
func (r *PastRecord) title() string {
	switch {
	case r.Past.Gap == store.PastBegins && r.Past.Since.IsZero():
		return "Current values"
	case r.Past.Gap == store.PastBegins:
		return "Earliest known values"
	}
	return "Values"
}

// banner says which state the page shows, before the moment.
func (r *PastRecord) banner() string {
	if r.Past.Gap == store.PastBegins || r.Past.Gap == store.PastNotAdded {
		return "No record from"
	}
	return "As it was on"
}

// shown returns the facts and tables that are known.
func (r *PastRecord) shown() (facts []PastFact, tables []PastTable) {
	if r.Past.Gap == store.PastNotAdded {
		return nil, nil
	}
	for _, f := range r.Facts {
		if r.Past.HasState() || f.Certain {
			facts = append(facts, f)
		}
	}
	for _, t := range r.Tables {
		if r.Past.HasState() || t.Certain {
			tables = append(tables, t)
		}
	}
	return facts, tables
}

func archivedWord(archived bool) string {
	if archived {
		return "Archived"
	}
	return "Active"
}

package views

import (
	"net/url"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// PastState is the page of a record at an earlier moment. It is read-only.
type PastState struct {
	Page
	Record PastRecord
}

// PastMoment is the form for the moment of a past state. It is shown if the address
// contains no valid moment.
type PastMoment struct {
	Page
	Path string // path of the record's current page
	At   ui.Input
}

func (p *PastMoment) field() ui.Field { return momentField("at", "Show as it was on", p.At) }

// momentField returns the field for a date with or without a time.
func momentField(name, label string, input ui.Input) ui.Field {
	return ui.Field{Name: name, Label: label, Hint: "For example, 2026-11-03T10:00. A day without a time means the end of the day.", Input: input}
}

// PastRecord is a record at an earlier moment, as pages show and compare it.
type PastRecord struct {
	Past           store.Past
	Noun           string // noun for the record in sentences, such as product
	Path           string // path of the record's current page
	Heading        string
	ID             string
	List, ListPath string // name and path of the list in the breadcrumb
	HasLedger      bool   // the quantities come from the stock ledger
	IsRecorded     bool   // the stock ledger has entries up to the moment, so the certain facts are those of the moment
	Facts          []PastFact
	Tables         []PastTable

	Moves func(until time.Time) []store.StockMove // returns the stock changes after the moment, oldest first; nil if they are not known
}

// PastFact is a value of a record.
type PastFact struct {
	Label, Value string
	Path         string // path of the record that the value names; "" for none
	Certain      bool   // the value is known even if the state of the record is not
}

// PastTable is a list that belongs to a record, such as the stock by warehouse.
type PastTable struct {
	Title   string
	Columns []string
	Rows    []PastRow
	Note    string // note about rows that are not shown; "" if the table is complete
	Empty   string // text for a table without rows
	Certain bool   // the rows are known even if the state of the record is not
	IsLog   bool   // the table lists changes; comparisons omit it
	Unknown bool   // the rows are not known; Empty explains why

	FromLedger bool // comparisons use PastRecord.Moves instead of the rows
}

// PastRow is a row of a table. If Path is set, the first cell links to it.
type PastRow struct {
	ID    string // identifies the row in comparisons
	Path  string
	Cells []string
}

// folds reports whether narrow pages show all values of a row in its first cell, because
// the other columns would not fit.
func (t *PastTable) folds() bool { return len(t.Columns) > 3 }

// class returns the CSS class of the cells in a column.
func (t *PastTable) class(column int) string {
	switch {
	case column == 0 && t.IsLog:
		return "" // keep the time on one line if it fits
	case column == 0:
		return "wrap"
	case t.folds():
		return "p2 wrap"
	}
	return "wrap"
}

// describe returns the values of a row after the first one, each with its column heading,
// joined by the separator. It leaves out empty values.
func (t *PastTable) describe(row PastRow, separator string) string {
	var parts []string
	for i := 1; i < len(t.Columns); i++ {
		if row.Cells[i] != "" {
			parts = append(parts, t.Columns[i]+": "+row.Cells[i])
		}
	}
	return strings.Join(parts, separator)
}

// PathIDs compares the parts of an escaped path with the parts of a route. If they
// match, it returns the unescaped parts for the parameters of the route.
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

// latestMoment returns the maximum of the fields for moments: the last second of the
// current minute. It changes only once a minute, because the server keeps the content of
// pages for a minute.
func latestMoment(p *Page) string {
	return Moment(p, p.Now.Truncate(time.Minute).Add(time.Minute-time.Second))
}

// Moment formats a moment for the parameter "at". It omits the seconds only at the end of a
// minute, because a time without seconds means the end of the minute.
func Moment(p *Page, at time.Time) string {
	layout := "2006-01-02T15:04:05"
	if at.Add(time.Nanosecond).Truncate(time.Minute).After(at) {
		layout = "2006-01-02T15:04"
	}
	text := at.In(p.zone()).Format(layout)
	if back, err := time.ParseInLocation(layout, text, p.zone()); err != nil || at.Sub(back) < 0 || at.Sub(back) >= time.Minute {
		return at.UTC().Format(time.RFC3339) // at is in an hour that occurs twice, because the clock was set back
	}
	return text
}

func atMoment(p *Page, path string, at time.Time) string {
	return ui.Local(path) + "?" + url.Values{"at": {Moment(p, at)}}.Encode()
}

// link returns the address of a linked record at the same moment.
func (p *PastState) link(path string) string { return atMoment(&p.Page, path, p.Record.Past.At) }

// listPath returns the address of the breadcrumb's list. If the breadcrumb leads to a
// record, the address contains the moment.
func (p *PastState) listPath() string {
	if path := p.Record.ListPath; strings.Count(path, "/") < 2 {
		return ui.Local(path)
	}
	return p.link(p.Record.ListPath)
}

// known returns the earliest moment at which the state is known. It returns the zero time
// if there is none, if it is in the future, or if the state on this page is known.
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

// pastNote describes what is not known about an earlier state. It returns "" if all is
// known.
func pastNote(p *Page, r *PastRecord) string {
	since := p.time(r.Past.Since)
	switch r.Past.Gap {
	case store.PastBegins:
		return beginsNote(p, r)
	case store.PastNotAdded:
		return "This " + r.Noun + " was added later, on " + since + "."
	case store.PastNoValues:
		return "The history doesn't contain the values before the change “" + eventSentence(p, &r.Past.What) + "” on " + since + ", so earlier states are not shown."
	case store.PastErased:
		return "Personal data in the change on " + since + " was erased, so earlier states are not shown."
	case store.PastExpired:
		return "The history doesn't contain the payment on " + since + ", so earlier states are not shown."
	case store.PastTooMany:
		return "This " + r.Noun + " has more than " + number(store.MaxPastEvents) + " later history entries, so states before " + since + " are not shown."
	}
	return ""
}

// beginsNote says that the history of the record begins after the moment.
func beginsNote(p *Page, r *PastRecord) string {
	values := "values"
	note := "There is no record of this " + r.Noun + " at that time. "
	switch {
	case r.IsRecorded:
		values = "other values"
		note = "The quantity comes from the stock ledger. "
	case r.Past.Added.IsZero() && r.Past.Since.IsZero():
		note += "Its history doesn't say when it was added. "
	}
	switch {
	case r.Past.Since.IsZero() && r.IsRecorded:
		note += "The history has no changes of this " + r.Noun + ", so the other values shown are its current ones."
	case r.Past.Since.IsZero():
		note += "The history has no changes of this " + r.Noun + ". These are its current values."
	default:
		note += "The history of this " + r.Noun + " begins on " + p.time(r.Past.Since) + ". The " + values + " shown are those before this first entry."
	}
	if r.HasLedger && !r.IsRecorded {
		note += " Quantities come from the stock ledger."
	}
	return note
}

// pastCard is a group of facts with a title.
type pastCard struct {
	Title string
	Facts []PastFact
}

// cards groups the facts that are shown: first those that are known, then the others.
func (r *PastRecord) cards(facts []PastFact) []pastCard {
	known, others := pastCard{Title: "Values"}, pastCard{Title: "Earliest known values"}
	if r.Past.Since.IsZero() {
		others.Title = "Current values"
	}
	for _, f := range facts {
		if r.Past.Gap != store.PastBegins || r.IsRecorded && f.Certain {
			known.Facts = append(known.Facts, f)
		} else {
			others.Facts = append(others.Facts, f)
		}
	}
	if len(known.Facts) > 0 && len(others.Facts) > 0 {
		known.Title = "Values at that time"
	}
	return []pastCard{known, others}
}

// banner returns the words before the moment in the banner.
func (r *PastRecord) banner() string {
	if r.Past.Gap == store.PastBegins && !r.IsRecorded || r.Past.Gap == store.PastNotAdded {
		return "No record from"
	}
	return "As it was on"
}

// shown returns the facts and tables whose values are known.
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

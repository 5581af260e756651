package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// Return takes kayaks back: first it asks which, then it shows what they come
// to and posts kayaks and charge.
type Return struct {
	Page
	Store     store.RentalStore
	Kayaks    ui.Input         // as scanned
	Returning *store.Returning // nil: not known yet
	Once      string
	Refused   string
}

// ids are the kayaks that are about to be returned.
func (p Return) ids() []string {
	ids := make([]string, len(p.Returning.Lines))
	for i := range ids {
		ids[i] = p.Returning.Lines[i].KayakID
	}
	return ids
}

func (p Return) change() ui.Change {
	return ui.Change{
		Action: StorePath(p.Store.ID) + "/return", Once: p.Once, Back: StorePath(p.Store.ID),
		Submit: "Return " + count(len(p.Returning.Lines), "kayak", "kayaks") + " for " + p.money(p.Returning.Total),
	}
}

func (p Return) kayaks() string { return strings.Join(p.ids(), "\n") }

// also is the same return with one kayak more.
func (p Return) also(id string) string { return ReturnPath(p.Store.ID, append(p.ids(), id)...) }

// scanField takes what a scanner types, which ends each code with a new line.
func scanField(kayaks ui.Input) ui.Field {
	return ui.Field{Name: "kayaks", Label: "Kayaks", Hint: "Scan the labels, or type the IDs, one a line.", Required: true, Input: kayaks}
}

package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// CheckIn is the form to check kayaks in. It first asks for the kayaks, then
// shows their charges and posts kayaks and charge.
type CheckIn struct {
	Page
	Store   store.RentalStore
	Kayaks  ui.Input            // as scanned
	Quote   *store.CheckInQuote // nil until the kayaks are known
	Token   string
	Problem string
}

func (p CheckIn) ids() []string {
	ids := make([]string, len(p.Quote.Lines))
	for i := range ids {
		ids[i] = p.Quote.Lines[i].KayakID
	}
	return ids
}

func (p CheckIn) change() ui.Change {
	return ui.Change{
		Action: StorePath(p.Store.ID) + "/return", Token: p.Token, Back: StorePath(p.Store.ID),
		Submit: "Check in " + count(len(p.Quote.Lines), "kayak", "kayaks") + " for " + p.money(p.Quote.Total),
	}
}

func (p CheckIn) kayaks() string { return strings.Join(p.ids(), "\n") }

// withKayak returns the address of the same form with one more kayak.
func (p CheckIn) withKayak(id string) string { return ReturnPath(p.Store.ID, append(p.ids(), id)...) }

// scanField returns the field for kayak IDs, one per line. Scanners end each code
// with a newline.
func scanField(kayaks ui.Input) ui.Field {
	return ui.Field{Name: "kayaks", Label: "Kayaks", Hint: "Scan the labels or enter IDs, one per line.", Required: true, Input: kayaks}
}

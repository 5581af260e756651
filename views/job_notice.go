package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// ShowManagers is the value of the parameter "show" that selects notices to managers.
const ShowManagers = "managers"

// Notices is the page with the notices that a run would queue for a day.
type Notices struct {
	Page
	List
	Date     time.Time
	Managers bool // the rows are notices to managers, not to renters
	Service  store.Service
	CanRun   bool
	Refused  string // why no notices are sent; otherwise ""
	Token    string
	Rows     []store.PlannedNotice
}

// tabs returns the tabs of the page. Only admins see the notices to managers.
func (p Notices) tabs() []ui.Tab {
	tabs := []ui.Tab{{Name: "Renters", URL: p.With("show", ""), Current: !p.Managers}}
	if p.may(store.Administer) {
		tabs = append(tabs, ui.Tab{Name: "Managers", URL: p.With("show", ShowManagers), Current: p.Managers})
	}
	return tabs
}

// noticeKind returns the name of a kind of notice in the results of a run.
func noticeKind(kind store.EmailKind) string {
	e := store.Email{Kind: kind}
	return capital(e.Label())
}

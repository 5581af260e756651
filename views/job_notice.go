package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Values of the parameter "show". They select the notices to managers or the emails of
// saved views.
const (
	ShowManagers = "managers"
	ShowViews    = "views"
)

// Notices is the page with the notices that a run would queue for a day.
type Notices struct {
	Page
	List
	Date    time.Time
	Show    string // ShowManagers, ShowViews, or "" for renters
	Service store.Service
	CanRun  bool
	Refused string // why no notices are sent; "" if they are sent
	Token   string
	Rows    []store.PlannedNotice
}

// tabs returns the tabs of the page. Only admins see the notices to managers and the emails
// of saved views.
func (p Notices) tabs() []ui.Tab {
	tabs := []ui.Tab{{Name: "Renters", URL: p.With("show", ""), Current: p.Show == ""}}
	if p.may(store.Administer) {
		tabs = append(tabs,
			ui.Tab{Name: "Managers", URL: p.With("show", ShowManagers), Current: p.Show == ShowManagers},
			ui.Tab{Name: "Saved views", URL: p.With("show", ShowViews), Current: p.Show == ShowViews},
		)
	}
	return tabs
}

// PlannedContents describes the content of a planned notice.
func PlannedContents(n *store.PlannedNotice) string {
	if n.Kind == store.EmailSavedView {
		return n.View + ", unless the list is empty"
	}
	return NoticeSummary(&n.Notice)
}

// noticeKind returns the name of a kind of notice in the results of a run.
func noticeKind(kind store.EmailKind) string {
	e := store.Email{Kind: kind}
	return capital(e.Label())
}

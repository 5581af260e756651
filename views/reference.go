package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// References lists the entries of one reference list, such as regions, by name.
type References struct {
	Page
	List // URL parameters: name, limit
	Kind store.ReferenceKind
	Name ui.Input // start of the name
	Rows []store.ListedReference
}

// Reference is the page of one entry of a reference list.
type Reference struct {
	Page
	Reference store.ReferenceDetails
	Staff     bool // show a link to the employees with this job
}

// ReferenceTitle returns the title of a reference list.
func ReferenceTitle(kind store.ReferenceKind) string {
	return capital(nameOr(kind.List(), string(kind)))
}

func referenceTabs(current store.ReferenceKind) []ui.Tab {
	tabs := make([]ui.Tab, len(store.ReferenceKinds))
	for i, kind := range store.ReferenceKinds {
		tabs[i] = ui.Tab{Name: ReferenceTitle(kind), URL: "/reference/" + kind.List(), Current: kind == current}
	}
	return tabs
}

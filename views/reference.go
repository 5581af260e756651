package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// References is the list of one kind of references, by name.
type References struct {
	Page
	List // parameters name, limit
	Kind store.ReferenceKind
	Name ui.Input // a beginning of the name
	Rows []store.ListedReference
}

// Reference is one entry of such a list.
type Reference struct {
	Page
	Reference store.ReferenceDetails
	Staff     bool // there is a list of its staff that the user may open
}

// ReferenceTitle is what the list of a kind is called.
func ReferenceTitle(kind store.ReferenceKind) string {
	return capital(named(kind.List(), string(kind)))
}

func referenceTabs(current store.ReferenceKind) []ui.Tab {
	tabs := make([]ui.Tab, len(store.ReferenceKinds))
	for i, kind := range store.ReferenceKinds {
		tabs[i] = ui.Tab{Name: ReferenceTitle(kind), URL: "/reference/" + kind.List(), Current: kind == current}
	}
	return tabs
}

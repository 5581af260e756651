package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// References lists the entries of one reference list, such as regions, by name.
type References struct {
	Page
	List
	Kind     store.ReferenceKind
	Name     ui.Input // start of the name
	Rows     []store.ListedReference
	Archived bool // the list shows archived entries
}

// Reference is the page of one entry of a reference list.
type Reference struct {
	Page
	Reference store.ReferenceDetails
	Staff     bool // the page links to the employees with this job
}

// ReferenceTitle returns the title of a reference list.
func ReferenceTitle(kind store.ReferenceKind) string {
	return capital(nameOr(kind.List(), string(kind)))
}

// followText says how many records will get the new name of a reference. It returns ""
// if there are none.
func followText(kind store.ReferenceKind, f store.Followers) string {
	one, many := "product", "products"
	if kind == store.Job {
		one, many = "employee", "employees"
	}
	switch {
	case f.N == 0:
		return ""
	case f.More:
		return "The name also changes in more than " + count(f.N, one, many) + "."
	}
	return "The name also changes in " + count(f.N, one, many) + "."
}

func referenceTabs(current store.ReferenceKind) []ui.Tab {
	tabs := make([]ui.Tab, len(store.ReferenceKinds))
	for i, kind := range store.ReferenceKinds {
		tabs[i] = ui.Tab{Name: ReferenceTitle(kind), URL: "/reference/" + kind.List(), Current: kind == current}
	}
	return tabs
}

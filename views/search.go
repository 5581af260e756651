package views

import (
	"slices"
	"strings"

	"stockroom/store"
)

// Search is the page of search results. Page.Query is the text to search for.
type Search struct {
	Page
	Found *store.SearchResults // nil without a search text
}

// foundName is a search result: its path, name, ID and one more fact.
type foundName struct {
	path, name, id, fact string
	archived             bool
}

func storeNames(stores []store.RentalStore) []foundName {
	names := make([]foundName, len(stores))
	for i, s := range stores {
		names[i] = foundName{StorePath(s.ID), nameOr(s.Name, s.ID), s.ID, s.Address.City, s.Archived}
	}
	return names
}

func personNames(people []store.Person) []foundName {
	names := make([]foundName, len(people))
	for i, p := range people {
		contact := slices.Concat([]string{p.Email}, p.Phones[:min(1, len(p.Phones))])
		names[i] = foundName{PersonPath(p.ID), nameOr(p.Name, p.ID), p.ID, strings.Trim(strings.Join(contact, ", "), ", "), false}
	}
	return names
}

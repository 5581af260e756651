package views

import (
	"stockroom/store"
)

// Search is what was found. Page.Query is what was looked for. Where exactly
// one thing has that ID, handlers redirect to it instead.
type Search struct {
	Page
	Found *store.Found // nil: nothing was asked for yet
}

// foundName is a thing of which a search shows no more than its name and where
// or how it is reached.
type foundName struct{ path, name, id, fact string }

func storeNames(stores []store.RentalStore) []foundName {
	names := make([]foundName, len(stores))
	for i, s := range stores {
		names[i] = foundName{StorePath(s.ID), named(s.Name, s.ID), s.ID, s.Address.City}
	}
	return names
}

func personNames(people []store.Person) []foundName {
	names := make([]foundName, len(people))
	for i, p := range people {
		names[i] = foundName{PersonPath(p.ID), named(p.Name, p.ID), p.ID, p.Email}
	}
	return names
}

package browsertest

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// emptyImage is a store with one admin. Each test gets a copy of it.
var emptyImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
	addUser(t, s, store.User{Name: "admin", Role: store.Admin})
})

// newBusiness returns a store with one admin and the given entities.
func newBusiness(t *testing.T, entities ...store.Entity) *store.Store {
	t.Helper()
	return newBusinessAt(t, storetest.NewClock(), entities...)
}

func newBusinessAt(t *testing.T, clock *storetest.Clock, entities ...store.Entity) *store.Store {
	t.Helper()
	chromium(t)
	s := store.New(emptyImage.Embedded(t, clock), "OnlineShop", clock.Now)
	s.WeakenPasswords()
	load(t, s, entities)
	return s
}

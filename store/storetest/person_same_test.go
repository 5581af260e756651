package storetest_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// joinedWith returns the IDs of the records that are joined with a person.
func joinedWith(t *testing.T, a store.Access, id string) (ids []string) {
	t.Helper()
	found, err := a.SamePerson(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	return ids
}

func wantSame(t *testing.T, a store.Access, id string, want ...string) {
	t.Helper()
	if got := joinedWith(t, a, id); !slices.Equal(got, want) {
		t.Errorf("same person as %s: got %q, want %q", id, got, want)
	}
}

// eventsOf returns the codes of the events about joining and separating a person, oldest
// first. The events must not name the other record, because that record can be erased.
func eventsOf(t *testing.T, a store.Access, id string) (all []store.EventCode) {
	t.Helper()
	err := a.PersonalData(t.Context(), id, func(_ store.PersonalFile, e store.Entity) error {
		if e, ok := e.(*store.Event); ok && (e.What == store.EventPersonJoined || e.What == store.EventPersonSeparated) {
			all = append(all, e.What)
			if e.Subject+e.Before+e.After != "" {
				t.Errorf("%s: got an event with %q, %q and %q, want no other record", id, e.Subject, e.Before, e.After)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestJoinPeople joins a customer with another customer, a renter and an employee, and
// separates the two customers. The history of both records must contain an event for each
// change. Repeating a change, with the same form or another one, must have no effect.
func TestJoinPeople(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	ctx, a := t.Context(), s.As(&store.User{Name: "kim", Role: store.Support})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Load(ctx, []store.Entity{
		&store.Customer{ID: "c1", Name: "Ann", Email: "ann@example.com", Phones: []string{"123"}, Version: 1}, &store.Customer{ID: "c2", Name: "Ann K", Version: 1},
		&store.Person{ID: "x1", Name: "Annie", Version: 1}, &store.Employee{ID: "e1", Name: "Ann Kay", Version: 1},
	}, store.LoadOptions{})
	must(err)
	token := s.NewToken()
	must(a.JoinPeople(ctx, "c2", "c1", token))
	must(a.JoinPeople(ctx, "c2", "c1", token))
	must(a.JoinPeople(ctx, "c1", "c2", s.NewToken()))
	must(a.JoinPeople(ctx, "c1", "x1", s.NewToken()))
	must(a.JoinPeople(ctx, "e1", "c1", s.NewToken()))
	wantSame(t, a, "c1", "c2", "e1", "x1")
	wantSame(t, a, "c2", "c1")
	wantSame(t, a, "x1", "c1")
	if found, err := a.SamePerson(ctx, "c2"); err != nil || found[0].Name != "Ann" || found[0].Email != "ann@example.com" || !found[0].Customer {
		t.Errorf("got %+v, error %v, want the customer Ann", found, err)
	}
	must(a.SeparatePeople(ctx, "c2", "c1", s.NewToken()))
	must(a.SeparatePeople(ctx, "c2", "c1", s.NewToken()))
	wantSame(t, a, "c2")
	wantSame(t, a, "c1", "e1", "x1")
	admin := s.As(admin)
	for id, want := range map[string][]store.EventCode{
		"c1": {store.EventPersonJoined, store.EventPersonJoined, store.EventPersonJoined, store.EventPersonSeparated},
		"c2": {store.EventPersonJoined, store.EventPersonSeparated},
		"x1": {store.EventPersonJoined}, "e1": {store.EventPersonJoined},
	} {
		got := eventsOf(t, admin, id)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("events of %s: got %q, want %q", id, got, want)
		}
	}
	if got := joinedWith(t, a, "nobody"); got != nil {
		t.Errorf("got %q, want none", got)
	}
	for _, rejected := range []struct {
		one, other string
		kind       store.Kind
	}{{"c1", "c1", store.Invalid}, {"c1", "nobody", store.NotFound}, {"nobody", "c1", store.NotFound}} {
		if err := a.JoinPeople(ctx, rejected.one, rejected.other, s.NewToken()); store.KindOf(err) != rejected.kind {
			t.Errorf("join %s with %s: got %v, want %v", rejected.one, rejected.other, err, rejected.kind)
		}
	}
}

// TestJoinPeople_Limit tries to join many records with the same record, all at the same
// time. Exactly MaxSamePerson of them must be joined with it. The other records must not
// say that they are joined.
func TestJoinPeople_Limit(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	ctx, a := t.Context(), s.As(admin)
	entities := []store.Entity{&store.Customer{ID: "c", Version: 1}}
	for n := range 2 * store.MaxSamePerson {
		entities = append(entities, &store.Customer{ID: fmt.Sprint("c", n), Version: 1})
	}
	if _, err := s.Load(ctx, entities, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	var joining sync.WaitGroup
	for n := range 2 * store.MaxSamePerson {
		joining.Go(func() {
			if err := a.JoinPeople(ctx, "c", fmt.Sprint("c", n), s.NewToken()); err != nil && store.KindOf(err) != store.Invalid {
				t.Errorf("got %v, want Invalid", err)
			}
		})
	}
	joining.Wait()
	others := joinedWith(t, a, "c")
	if len(others) != store.MaxSamePerson {
		t.Errorf("got %d joined records, want %d", len(others), store.MaxSamePerson)
	}
	for n := range 2 * store.MaxSamePerson {
		id := fmt.Sprint("c", n)
		if got, want := len(joinedWith(t, a, id)) == 1, slices.Contains(others, id); got != want {
			t.Errorf("%s is joined: got %v, want %v", id, got, want)
		}
	}
}

// TestErasePerson_Joined erases one of three joined records. The others must be separated
// from it and stay.
func TestErasePerson_Joined(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	_, err := l.store.Load(ctx, []store.Entity{&store.Customer{ID: "k1", Name: "Otti", Version: 1}, &store.Person{ID: "k2", Name: "Otto", Version: 1}}, store.LoadOptions{})
	l.must("load", err)
	l.must("join", l.admin.JoinPeople(ctx, l.id, "k1", l.store.NewToken()))
	l.must("join", l.admin.JoinPeople(ctx, "k2", l.id, l.store.NewToken()))
	l.must("join", l.admin.JoinPeople(ctx, "k2", "k1", l.store.NewToken()))
	var archive bytes.Buffer
	_, err = l.admin.WritePersonalArchive(ctx, l.id, &archive)
	l.must("export", err)
	if names, text := unzip(t, archive.Bytes()); slices.Contains(names, "k1/profile.json") || !strings.Contains(text, `"Others":["k1","k2"]`) || strings.Contains(text, "Otto") {
		t.Errorf("got files %q with %s, want only the IDs of the other records", names, text)
	}
	archive.Reset()
	_, err = l.admin.WritePersonalArchive(ctx, l.id, &archive, "k1", "k2")
	l.must("export", err)
	if names, text := unzip(t, archive.Bytes()); !slices.Contains(names, "same-person-1/profile.json") || !strings.Contains(text, "Otto") {
		t.Errorf("got files %q, want the profiles of the other records", names)
	}

	plan, err := l.admin.ErasureOf(ctx, l.id, 0)
	if err != nil || !slices.Equal(plan.Others, []string{"k1", "k2"}) {
		t.Errorf("dry run: got others %q, error %v, want k1 and k2", plan.Others, err)
	}
	done, err := l.admin.ErasePerson(ctx, l.id)
	if err != nil || !slices.Equal(done.Others, plan.Others) || done.Records() != plan.Records() {
		t.Errorf("got %+v, error %v, want the result of the dry run, %+v", done, err, plan)
	}
	wantSame(t, l.admin, l.id)
	wantSame(t, l.admin, "k1", "k2")
	wantSame(t, l.admin, "k2", "k1")
	if c, err := l.admin.Customer(ctx, "k1"); err != nil || c.Name != "Otti" {
		t.Errorf("got %+v, error %v, want an unchanged record", c, err)
	}
	if got := eventsOf(t, l.admin, "k1"); !slices.Contains(got, store.EventPersonSeparated) {
		t.Errorf("events of k1: got %q, want one of the separation", got)
	}

	// Join the records again after the erasure.
	l.must("join", l.admin.JoinPeople(ctx, l.id, "k1", l.store.NewToken()))
	if _, err := l.admin.ErasePerson(ctx, l.id); err != nil {
		t.Fatal(err)
	}
	wantSame(t, l.admin, "k1", "k2")
}

// unzip returns the names and the whole text of the files in an archive.
func unzip(t *testing.T, archive []byte) (names []string, text string) {
	t.Helper()
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files.File {
		names = append(names, f.Name)
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		text += b.String()
	}
	return names, text
}

// TestRenter_EmployeeGetsNoNotices reads an employee who is also a renter. NoNotices must
// be set for every user who reads the renter, even if the user may not see the employee.
func TestRenter_EmployeeGetsNoNotices(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	loaded, err := s.Load(t.Context(), []store.Entity{
		&store.Employee{ID: "e7", Name: "Gro", Email: "gro@example.com", WarehouseID: "w2", Version: 1},
		&store.Person{ID: "e7", Name: "Gro", Email: "gro@example.com", Version: 1},
	}, store.LoadOptions{SamePeople: true})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(loaded.Rejected, err)
	}
	for _, user := range []*store.User{admin, {Name: "m", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}}} {
		if r, err := s.As(user).Renter(t.Context(), "e7"); err != nil || !r.NoNotices {
			t.Errorf("%s: got %+v, %v; want no notices", user.Role, r, err)
		}
	}
}

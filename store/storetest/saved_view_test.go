package storetest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestSavedViews_SaveRenameDelete submits each form twice. Each must be applied once
// and record one event. Views of other users must not change.
func TestSavedViews_SaveRenameDelete(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		boss, kim := s.As(admin), s.As(&store.User{Name: "kim", Role: store.Viewer})
		token := s.NewToken()
		view := store.SavedView{Name: " Unpaid, oldest ", Path: "/invoices?status=UNPAID"}
		for range 2 {
			if err := kim.SaveView(ctx, view, false, token); err != nil {
				t.Fatal(err)
			}
		}
		if err := boss.SaveView(ctx, view, true, s.NewToken()); err != nil {
			t.Errorf("shared view with the name of an own one: got %v, want no error", err)
		}
		if err := kim.SaveView(ctx, store.SavedView{Name: "Theirs", Path: "/orders"}, true, s.NewToken()); store.KindOf(err) != store.Forbidden {
			t.Errorf("viewer saves a shared view: got %v, want Forbidden", err)
		}
		found, err := kim.SavedViews(ctx)
		if err != nil || len(found.Own) != 1 || found.Own[0].Name != "Unpaid, oldest" || len(found.Shared) != 1 {
			t.Fatalf("got views %+v, %v, want an own and a shared view", found, err)
		}
		if others, err := boss.SavedViews(ctx); err != nil || len(others.Own) != 0 || len(others.Shared) != 1 {
			t.Errorf("another user: got views %+v, %v, want only the shared view", others, err)
		}

		id := found.Own[0].ID
		for _, rename := range []struct {
			version int
			form    string
			kind    store.Kind
		}{{1, "one", 0}, {1, "one", 0}, {1, "two", store.Conflict}} {
			if err := kim.RenameView(ctx, false, id, "Owed", rename.version, rename.form); err != nil && store.KindOf(err) != rename.kind || err == nil && rename.kind != 0 {
				t.Errorf("renaming with form %s: got %v, want the kind %v", rename.form, err, rename.kind)
			}
		}
		shared := found.Shared[0].ID
		if err := kim.RenameView(ctx, true, shared, "Mine", 1, "x"); store.KindOf(err) != store.Forbidden {
			t.Errorf("viewer renames a shared view: got %v, want Forbidden", err)
		}
		if err := boss.DeleteView(ctx, false, id, 2, "x"); store.KindOf(err) != store.NotFound {
			t.Errorf("admin deletes another user's view: got %v, want NotFound", err)
		}
		if err := kim.DeleteView(ctx, false, id, 1, "late"); store.KindOf(err) != store.Conflict {
			t.Errorf("deleting an old version: got %v, want Conflict", err)
		}
		for range 2 {
			if err := kim.DeleteView(ctx, false, id, 2, "gone"); err != nil {
				t.Errorf("deleting: got %v, want no error", err)
			}
		}
		if found, err = kim.SavedViews(ctx); err != nil || len(found.Own) != 0 {
			t.Errorf("after deleting: got views %+v, %v, want no own view", found, err)
		}
		history, err := boss.Events(ctx, store.EventFilter{By: "kim"}, store.Page{})
		if err != nil || len(history.Rows) != 3 || history.Rows[1].Before != "Unpaid, oldest" || history.Rows[1].After != "Owed" || history.Rows[0].Before != "Owed, /invoices?status=UNPAID" {
			t.Errorf("got history %+v, %v, want three events: saved, renamed and deleted", history.Rows, err)
		}
	})
}

// TestSavedViews_Invalid checks that invalid views are rejected, and also views that exceed
// the maximum number.
func TestSavedViews_Invalid(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	ctx, kim := t.Context(), s.As(&store.User{Name: "kim", Role: store.Viewer})
	save := func(name, path string) error {
		return kim.SaveView(ctx, store.SavedView{Name: name, Path: path}, false, s.NewToken())
	}
	for n := range store.MaxViews {
		if err := save(fmt.Sprint("View ", n), "/orders"); err != nil {
			t.Fatal(err)
		}
	}
	for _, wrong := range []struct{ name, path, field string }{
		{" ", "/orders", "name"},
		{strings.Repeat("å", 61), "/orders", "name"},
		{"two\nlines", "/orders", "name"},
		{"VIEW 3", "/orders", "name"},
		{"Elsewhere", "//example.com/orders", "path"},
		{"Elsewhere", "https://example.com/orders", "path"},
		{"Elsewhere", `/\example.com`, "path"},
		{"Elsewhere", "/orders?a=\n", "path"},
		{"Long", "/" + strings.Repeat("x", 1000), "path"},
		{"One too many", "/orders", ""},
	} {
		var refused *store.Error
		if err := save(wrong.name, wrong.path); !errors.As(err, &refused) || refused.Kind != store.Invalid || refused.Field != wrong.field {
			t.Errorf("%q at %q: got %v, want an error at %q", wrong.name, wrong.path, err, wrong.field)
		}
	}
}

// TestSavedViews_Cached counts requests. Opening many pages may read the views only once.
// After a change, the same store must read again immediately, and another store after a
// minute.
func TestSavedViews_Cached(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		here, there := store.New(db, table, clock.Now), store.New(db, table, clock.Now)
		if err := here.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		count := func(s *store.Store) (views, requests int) {
			trace := &store.Trace{}
			found, err := s.As(admin).SavedViews(store.WithTrace(t.Context(), trace))
			if err != nil {
				t.Fatal(err)
			}
			for _, read := range trace.Reads() {
				requests += read.Requests
			}
			return len(found.Own) + len(found.Shared), requests
		}
		expect := func(what string, s *store.Store, views, requests int) {
			if gotViews, gotRequests := count(s); gotViews != views || gotRequests != requests {
				t.Errorf("%s: got %d views in %d requests, want %d in %d", what, gotViews, gotRequests, views, requests)
			}
		}
		expect("at first", here, 0, 2)
		expect("then", here, 0, 0)
		expect("elsewhere", there, 0, 2)
		if err := here.As(admin).SaveView(t.Context(), store.SavedView{Name: "Orders", Path: "/orders"}, true, here.NewToken()); err != nil {
			t.Fatal(err)
		}
		expect("on the server that saved one", here, 1, 1)
		expect("on another server, immediately", there, 0, 0)
		clock.Advance(time.Minute)
		expect("on another server, a minute later", there, 1, 2)
	})
}

package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// keptAddresses lists pages whose content the server keeps in memory.
var keptAddresses = []string{"/orders", "/orders?status=OPEN", "/orders?sort=reverse&limit=2", "/orders/o0001", "/orders/o0002"}

// TestKeptContent_IsCurrent loads pages as each user, with changes of the data, the
// settings and the time in between. Except for the footer and the form tokens, a page
// from memory must equal the same page read from the table. Users must not see the
// content of other users.
func TestKeptContent_IsCurrent(t *testing.T) {
	b := openOneShard(t)
	browsers := map[string]*browser{}
	for _, u := range users {
		browsers[u.Name] = b.as(t, u.Name)
	}
	load := func() map[string]string {
		pages := map[string]string{}
		for _, u := range users {
			for _, address := range keptAddresses {
				page := browsers[u.Name].get(address)
				page.want(t, http.StatusOK)
				withoutFooter, _, _ := strings.Cut(page.body, "<footer")
				pages[u.Name+" "+address] = formToken.ReplaceAllString(withoutFooter, "")
			}
		}
		return pages
	}
	other, must := b.store.As(&store.User{Name: "other", Role: store.Admin}), func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	last := load()
	for _, change := range []struct {
		name  string
		make  func()
		moves string // page that must differ after the change; "" for none
	}{
		{"nothing", func() {}, ""},
		{"note", func() { must(other.NoteOnOrder(t.Context(), "o0001", "Call before noon", "")) }, "viewer /orders/o0001"},
		{"order", func() {
			_, err := b.store.Load(t.Context(), openOrder(), store.LoadOptions{})
			must(err)
		}, "viewer /orders"},
		{"saved view", func() {
			must(other.SaveView(t.Context(), store.SavedView{Name: "Paid orders", Path: "/orders?status=PAID"}, true, b.store.NewToken()))
		}, "viewer /orders"},
		{"time zone", func() { b.changeSettings(t, func(s *store.Settings) { s.TimeZone = "Pacific/Kiritimati" }) }, ""},
		{"time", func() { b.clock.Advance(25 * time.Minute) }, ""},
	} {
		change.make()
		filled := load()
		load()                       // the server keeps the contents of this load
		b.clock.Advance(time.Second) // stay in the minute for which the contents are valid
		kept := load()
		b.forgetContents()
		read := load()
		for page := range read {
			if kept[page] != read[page] || filled[page] != read[page] {
				t.Errorf("after a change of %s: %s: got a page that differs from the same page read from the table", change.name, page)
			}
		}
		if change.moves != "" && last[change.moves] == read[change.moves] {
			t.Errorf("after a change of %s: %s: got the same content as before", change.name, change.moves)
		}
		last = read
	}
}

// forgetContents removes all contents from memory, so that the next request of each page
// reads the table.
func (b *backOffice) forgetContents() {
	b.site.contents.mu.Lock()
	defer b.site.contents.mu.Unlock()
	b.site.contents.as, b.site.contents.pages, b.site.contents.size = tableState{}, nil, 0
}

// TestKeptContent_NeedsNoRequests loads pages several times. From the third load on, a
// viewer's page must make no table requests, until a minute has passed. An admin's page
// must still make those that read its items.
func TestKeptContent_NeedsNoRequests(t *testing.T) {
	b := openOneShard(t)
	viewer, admin := b.as(t, "viewer"), b.as(t, "admin")
	requests := func(u *browser, address string) int64 {
		b.db.requests.Store(0)
		page := u.get(address)
		page.want(t, http.StatusOK)
		return b.db.requests.Load()
	}
	for _, address := range keptAddresses {
		if first := requests(viewer, address); first == 0 {
			t.Errorf("%s, first load: got no requests, want some", address)
		}
		if second := requests(viewer, address); second == 0 {
			t.Errorf("%s, second load: got no requests, want some, because the first load keeps nothing", address)
		}
		if third := requests(viewer, address); third != 0 {
			t.Errorf("%s, third load: got %d requests, want none", address, third)
		}
		if page := viewer.get(address).body; !strings.Contains(page, "content from memory") {
			t.Errorf("%s: the footer does not say that the content is from memory", address)
		}
	}
	requests(admin, "/orders/o0001")
	requests(admin, "/orders/o0001")
	if third := requests(admin, "/orders/o0001"); third == 0 {
		t.Error("page with items: got no requests, want those that read the items")
	}
	b.clock.Advance(time.Minute)
	if later := requests(viewer, "/orders/o0001"); later == 0 {
		t.Error("after a minute: got no requests, want some")
	}
}

// TestKeptContent_OmitsFailures loads a page while the names of customers cannot be read.
// The server must not keep this page in memory. The next page must show the names.
func TestKeptContent_OmitsFailures(t *testing.T) {
	b := openOneShard(t)
	viewer := b.as(t, "viewer")
	order, err := b.store.As(&store.User{Role: store.Admin}).Order(t.Context(), "o0001")
	if err != nil {
		t.Fatal(err)
	}
	customers := "c#"
	b.db.broken.Store(&customers)
	viewer.get("/orders/o0001")
	without := content(viewer.get("/orders/o0001").body)
	b.db.broken.Store(nil)
	later := viewer.get("/orders/o0001")
	later.want(t, http.StatusOK)
	b.forgetContents()
	if read := content(viewer.get("/orders/o0001").body); content(later.body) != read || read == without {
		t.Errorf("got a page without the name of customer %s, want the name", order.CustomerID)
	}
}

// TestKeptContent_HasNewTokens loads a page several times, and submits the note form of
// each load. If two forms had the same token, the second note would count as a repetition
// of the first.
func TestKeptContent_HasNewTokens(t *testing.T) {
	b := openOneShard(t)
	support := b.as(t, "support")
	var tokens []string
	for range 4 {
		found := formToken.FindAllStringSubmatch(content(support.get("/orders/o0001").body), -1)
		if len(found) != 1 {
			t.Fatalf("got %d form tokens, want 1", len(found))
		}
		if slices.Contains(tokens, found[0][1]) {
			t.Fatal("got the form token of an earlier page")
		}
		tokens = append(tokens, found[0][1])
	}
	for i, token := range tokens {
		support.post("/orders/o0001/notes", url.Values{"note": {fmt.Sprint("call number ", i)}, "once": {token}}).want(t, http.StatusSeeOther)
	}
	page := support.get("/orders/o0001").body
	for i := range tokens {
		if !strings.Contains(page, fmt.Sprint("call number ", i)) {
			t.Errorf("note %d is missing", i)
		}
	}
}

// TestKeptContent_NeedsPermission changes users through another store, as a command in
// another process does. The next requests of these users must not show content from memory.
func TestKeptContent_NeedsPermission(t *testing.T) {
	b := openOneShard(t)
	other := store.New(b.db.withRows(), b.store.Table(), b.clock.Now)
	admin := other.As(&store.User{Name: "admin", Role: store.Admin})
	for _, test := range []struct {
		user, change string
		make         func(ctx context.Context) error
	}{
		{"viewer", "locked", func(ctx context.Context) error { return other.LockUser(ctx, "viewer", "test") }},
		{"support", "new password", func(ctx context.Context) error {
			return other.SetPassword(ctx, "support", "another long one", false, "test")
		}},
		{"auditor", "other role", func(ctx context.Context) error {
			user, err := admin.User(ctx, "auditor")
			if err != nil {
				return err
			}
			return admin.ChangeRole(ctx, "auditor", user.Version, store.Viewer, nil, nil, "")
		}},
	} {
		browser := b.as(t, test.user)
		for range 3 {
			browser.expect(http.MethodGet, "/orders", http.StatusOK)
		}
		if err := test.make(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := browser.get("/orders"); got.status != http.StatusSeeOther {
			t.Errorf("%s: %s: got status %d, want a redirect to sign in", test.user, test.change, got.status)
		}
	}
}

// TestKeptContents_AreBounded stores more contents than fit into the limit. The stored
// contents must never exceed the limit, and a change of the table must make a content
// unusable.
func TestKeptContents_AreBounded(t *testing.T) {
	var contents keptContents
	state := tableState{known: true}
	html := ui.Keep(func(m *ui.Markup) { m.Text(strings.Repeat("x", maxKeptContent/10)) })
	for n := range 50 {
		key := contentKey{address: fmt.Sprint("/orders?limit=", n)}
		if kept, again := contents.get(key, state); kept != nil || again {
			t.Fatalf("content %d: got %v, %v before it was requested", n, kept, again)
		}
		contents.put(key, state, &keptContent{html: html})
		if kept, again := contents.get(key, state); kept == nil || !again {
			t.Fatalf("content %d was not kept", n)
		}
		if contents.size > maxKeptContent || len(contents.pages) > 10 {
			t.Fatalf("got %d contents with %d bytes, want at most %d bytes", len(contents.pages), contents.size, maxKeptContent)
		}
	}
	for n := range maxKeptContent / 100 {
		contents.get(contentKey{address: fmt.Sprint("/orders?limit=", n)}, state)
	}
	if len(contents.pages) > maxKeptContent/contentKeySize || contents.size > maxKeptContent {
		t.Errorf("after requests of many pages: got %d entries with %d bytes, want at most %d bytes", len(contents.pages), contents.size, maxKeptContent)
	}
	last := contentKey{address: "last"}
	contents.put(last, state, &keptContent{html: html})
	if kept, again := contents.get(last, tableState{known: true, changes: 1}); kept != nil || again {
		t.Errorf("after a change: got the content %v, %v, want none", kept, again)
	}
}

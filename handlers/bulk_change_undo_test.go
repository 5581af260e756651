package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// TestBulkChange_Undo makes bulk changes of three products, undoes each bulk change
// with a preview, and undoes the undo. After the undo of the undo of the price change,
// a product is edited. The preview of another undo must show both of its prices.
func TestBulkChange_Undo(t *testing.T) {
	for kind, form := range map[store.BulkKind]url.Values{
		store.BulkPrice:        {"percent": {"10"}},
		store.BulkCategory:     {"category": {"Sofas"}},
		store.BulkReorderPoint: {"warehouse": {"w1"}, "reorder": {"7"}},
		store.BulkArchive:      {},
	} {
		t.Run(string(kind), func(t *testing.T) {
			b := open(t, category("Sofas"))
			admin := b.as(t, "admin")
			shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
			state := func() (values []string) {
				for _, id := range []string{"p03", "p04", "p06"} {
					p, err := shop.Product(t.Context(), id)
					if err != nil {
						t.Fatal(err)
					}
					item, err := shop.StockItem(t.Context(), id, "w1")
					if err != nil {
						t.Fatal(err)
					}
					archived := "active"
					if p.Archived {
						archived = "archived"
					}
					values = append(values, strings.Join([]string{p.Price.String(), p.Category, archived, string(rune('0' + item.ReorderPoint))}, ","))
				}
				return values
			}
			run := func(preview answer) string {
				t.Helper()
				if preview.status != http.StatusSeeOther {
					t.Fatalf("got status %d, want 303: %s", preview.status, content(preview.body))
				}
				page := waitForBulk(t, shop, admin, preview.location, store.BulkReady)
				if strings.Contains(page, "<button class=\"btn\">Preview undo") {
					t.Error("got a preview that can be undone")
				}
				start := url.Values{"version": {shownVersion(answer{body: page})}, "once": {b.store.NewToken()}}
				if got := admin.post(preview.location+"/run", start); got.status != http.StatusSeeOther {
					t.Fatalf("run: got status %d, want 303: %s", got.status, content(got.body))
				}
				return waitForBulk(t, shop, admin, preview.location, store.BulkDone)
			}
			undo := func(location string) answer {
				t.Helper()
				form := url.Values{"once": {b.store.NewToken()}}
				got := admin.post(location+"/undo", form)
				if again := admin.post(location+"/undo", form); again.location != got.location {
					t.Errorf("second submission: got %s, want %s", again.location, got.location)
				}
				return got
			}
			before := state()
			form["product"], form["once"] = []string{"p03", "p04", "p06"}, []string{b.store.NewToken()}
			first := admin.post("/products/bulk/"+strings.ToLower(strings.ReplaceAll(string(kind), "_", "-")), form)
			run(first)
			after := state()
			if strings.Join(after, " ") == strings.Join(before, " ") {
				t.Fatalf("got the state %v after the bulk change, want another one than before", after)
			}
			second := undo(first.location)
			run(second)
			if got := state(); strings.Join(got, " ") != strings.Join(before, " ") {
				t.Errorf("after undo: got %v, want %v", got, before)
			}
			events, err := shop.Events(t.Context(), store.EventFilter{About: "p#p03"}, store.Page{})
			if err != nil || len(events.Rows) != 2 || events.Rows[0].Undoes != events.Rows[1].ID || events.Rows[1].UndoneBy != "admin" {
				t.Errorf("got the events %+v, %v, want the second to undo the first", events.Rows, err)
			}
			if csv := admin.get(undo(first.location).location + ".csv").body; strings.Contains(csv, "CHANGED") {
				t.Errorf("got a preview with changes of an undone bulk change: %s", csv)
			}
			third := undo(second.location)
			run(third)
			if got := state(); strings.Join(got, " ") != strings.Join(after, " ") {
				t.Errorf("after undo of the undo: got %v, want %v", got, after)
			}
			if kind != store.BulkPrice {
				return
			}
			p, err := shop.ProductForChange(t.Context(), "p04")
			if err != nil {
				t.Fatal(err)
			}
			seen := p.Price.String()
			p.Price = store.MinorUnits(99_99)
			if err := shop.SaveProduct(t.Context(), *p, b.store.NewToken()); err != nil {
				t.Fatal(err)
			}
			fourth := undo(third.location)
			waitForBulk(t, shop, admin, fourth.location, store.BulkReady)
			if csv := admin.get(fourth.location + ".csv").body; !strings.Contains(csv, "Changed since then, from "+seen+" to 99.99.") {
				t.Errorf("got a preview without both values: %s", csv)
			}
			if got := b.as(t, "support").post(third.location+"/undo", url.Values{"once": {b.store.NewToken()}}); got.status != http.StatusNotFound {
				t.Errorf("support: got status %d, want 404", got.status)
			}
			if got := b.as(t, "manager").post(third.location+"/undo", url.Values{"once": {b.store.NewToken()}}); got.status != http.StatusNotFound {
				t.Errorf("manager: got status %d, want 404", got.status)
			}
		})
	}
}

// waitForBulk waits until a bulk change reaches a state, and returns its page.
func waitForBulk(t *testing.T, shop store.Access, browser *browser, location string, state store.BulkState) string {
	t.Helper()
	for {
		change, err := shop.BulkChange(t.Context(), strings.TrimPrefix(location, "/bulk/"))
		if err != nil {
			t.Fatal(err)
		}
		if change.State == state {
			return browser.get(location).body
		}
	}
}

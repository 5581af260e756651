package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
)

// TestReference_RenameSaysWhatFollows renames a category, a job and a region. The forms
// and the undo pages must say how many products or employees will get the new name of the
// category or job. The history must name the kind of the entry.
func TestReference_RenameSaysWhatFollows(t *testing.T) {
	b := open(
		t, category("Oars"), category("Sails"),
		&store.Product{ID: "q1", Name: "Long oar", Category: "Oars", Version: 1}, &store.Product{ID: "q2", Name: "Short oar", Category: "Oars", Version: 1},
		&store.Reference{Kind: store.Job, ID: "j7", Name: "Cook", Version: 1}, &store.Employee{ID: "e77", Name: "Ida", JobID: "j7", JobTitle: "Cook", Version: 1},
	)
	admin := b.as(t, "admin")
	for _, tt := range []struct{ path, follow, partition, sentence, undoes string }{
		{"/reference/categories/oars", "The name also changes in 2 products.", "cat#paddles", "Category renamed", "The name also changes in 2 products."},
		{"/reference/jobs/j7", "The name also changes in 1 employee.", "j#j7", "Job edited", "The name also changes in 1 employee."},
		{"/reference/regions/r1", "", "r#r1", "Region edited", ""},
	} {
		page := admin.get(tt.path + "/edit")
		if got := strings.Contains(page.body, "The name also changes"); got != (tt.follow != "") || !strings.Contains(page.body, tt.follow) {
			t.Errorf("%s: got another form, want %q: %s", tt.path, tt.follow, content(page.body))
		}
		form := formIn(page)
		form.Set("name", "Paddles")
		if got := admin.post(tt.path+"/edit", form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", tt.path, got.status, content(got.body))
		}
		history := admin.get("/admin/events?about=" + url.QueryEscape(tt.partition)).body
		if !strings.Contains(history, tt.sentence) || strings.Contains(history, "Reference entry") {
			t.Errorf("%s: got another history, want %q: %s", tt.path, tt.sentence, content(history))
		}
		e := newestEvent(t, b, tt.partition)
		if undo := admin.get(views.UndoPath(e.Partition, e.ID)).body; !strings.Contains(undo, tt.undoes) || tt.undoes == "" && strings.Contains(undo, "The name also changes") {
			t.Errorf("%s: got another undo, want %q: %s", tt.path, tt.undoes, content(undo))
		}
	}
	if form := admin.get("/reference/categories/sails/edit").body; strings.Contains(form, "The name also changes") {
		t.Error("got products of an empty category, want none")
	}
}

// TestCategories_ListArchived lists categories, one of them archived. Only the list of
// archived categories may contain it. Its page must link to its history, but not for a
// viewer.
func TestCategories_ListArchived(t *testing.T) {
	archived := category("Oars")
	archived.Archived = true
	b := open(t, archived, category("Sails"))
	admin := b.as(t, "admin")
	for path, want := range map[string][2]bool{
		"/reference/categories": {false, true}, "/reference/categories?archived=yes": {true, false},
		"/reference/categories.csv": {false, true}, "/reference/categories.csv?archived=yes": {true, false},
	} {
		page := admin.get(path).body
		if got := [2]bool{strings.Contains(page, "Oars"), strings.Contains(page, "Sails")}; got != want {
			t.Errorf("%s: got Oars and Sails %v, want %v", path, got, want)
		}
	}
	admin.expect(http.MethodGet, "/reference/regions?archived=yes", http.StatusBadRequest)
	link := `href="/admin/events?about=cat%23oars"`
	if page := admin.get("/reference/categories/oars").body; !strings.Contains(page, link) {
		t.Errorf("got no link to the history: %s", page)
	}
	if page := b.as(t, "viewer").get("/reference/categories/oars").body; strings.Contains(page, link) {
		t.Error("viewer: got a link to the history, want none")
	}
}

package handlers

import (
	"archive/zip"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestSamePerson joins a customer with a renter. The page of each must show the other
// one, and the page of personal data must name it. The search must still find both.
func TestSamePerson(t *testing.T) {
	b := open(t)
	support, admin := b.as(t, "support"), b.as(t, "admin")
	renter := support.post("/people/new", url.Values{"name": {"Sasha Lind"}, "email": {"sasha@lind.example"}, "phones": {"070 555 09"}}).header.Get("Location")
	id := strings.TrimPrefix(renter, "/people/")
	if page := support.get("/customers/c01").body; strings.Contains(page, "Sasha") || !strings.Contains(page, `href="/people/c01/same"`) {
		t.Errorf("before: got\n%s\nwant only a link to join records", content(page))
	}
	if done := support.post("/people/c01/same", url.Values{"person": {id}}); done.status != http.StatusSeeOther {
		t.Fatalf("join: got status %d, want 303: %s", done.status, content(done.body))
	}
	for path, wants := range map[string][]string{
		"/customers/c01":       {`href="` + renter + `"`, "Sasha Lind", "sasha@lind.example", `href="tel:07055509"`, `href="` + renter + `#section-rental-history"`, "Joined with another record of the same person"},
		renter:                 {`href="/customers/c01"`, `href="/customers/c01#section-orders"`},
		"/people/c01/same":     {"Sasha Lind", "Person " + id, "Separate"},
		"/search?q=Sasha+Lind": {renter},
	} {
		page := support.get(path)
		for _, want := range wants {
			if !strings.Contains(page.body, want) {
				t.Errorf("%s: got no %q in\n%s", path, want, content(page.body))
			}
		}
	}
	data := renter + "/data"
	if page := admin.get(data).body; !strings.Contains(page, `href="/people/c01/data"`) || !strings.Contains(page, "are separated from this one") {
		t.Errorf("personal data: got no other record in\n%s", content(page))
	}
	for joined, want := range map[string]bool{"": false, "yes": true} {
		file := admin.post(data+"/export", url.Values{"joined": {joined}}).body
		archive, err := zip.NewReader(strings.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range archive.File {
			found = found || f.Name == "same-person-1/profile.json"
		}
		if found != want {
			t.Errorf("export with joined=%q: got the other record %v, want %v", joined, found, want)
		}
	}
	if done := support.post("/people/c01/same/separate", url.Values{"other": {id}}); done.status != http.StatusSeeOther {
		t.Fatalf("separate: got status %d, want 303", done.status)
	}
	if page := support.get("/customers/c01").body; strings.Contains(page, "sasha@lind.example") {
		t.Error("got the other record after it was separated")
	}
}

package handlers

import (
	"archive/zip"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestAddPerson_WarnsOfSimilar adds people who may be the same person as a person or a
// customer: with the words of the same name, the same email address or phone number. The first submission of each
// form must show this record, and the second one must add another person.
func TestAddPerson_WarnsOfSimilar(t *testing.T) {
	support := open(t).as(t, "support")
	add := func(form url.Values, token string) answer {
		form.Set("once", tokenFor(token))
		return support.post("/people/new", form)
	}
	first := url.Values{"name": {"Mia Öberg"}, "email": {"mia@oberg.example"}, "phones": {"08 555 000 77"}}
	added := add(first, "first")
	if again := add(first, "first"); added.status != http.StatusSeeOther || again.location != added.location {
		t.Fatalf("got status %d and the paths %q and %q, want 303 and the same path: %s", added.status, added.location, again.location, content(added.body))
	}
	for name, tt := range map[string]struct {
		form    url.Values
		similar string
	}{
		"name":              {url.Values{"name": {"oberg, mia"}}, added.location},
		"email":             {url.Values{"name": {"Ole"}, "email": {"Mia@Oberg.example"}}, added.location},
		"second phone":      {url.Values{"name": {"Pia"}, "phones": {"070 555 12 34\r\n+46 8 555 000 77"}}, added.location},
		"email of customer": {url.Values{"name": {"Ida"}, "email": {"customer7@example.com"}}, "/people/c07"},
	} {
		got := add(tt.form, name)
		shown := formIn(got)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `href="`+tt.similar+`"`) || shown.Get("similar") != path.Base(tt.similar) {
			t.Errorf("%s: got status %d and similar people %q, want 422 and %s: %s", name, got.status, shown.Get("similar"), tt.similar, content(got.body))
			continue
		}
		if got := support.post("/people/new", shown); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d for the second submission, want 303: %s", name, got.status, content(got.body))
		}
	}
	if got := add(url.Values{"name": {"Nils Öberg"}, "phones": {"08 555 000 78"}}, "other"); got.status != http.StatusSeeOther {
		t.Errorf("other person: got status %d, want 303: %s", got.status, content(got.body))
	}
}

// TestSamePerson joins a customer with a renter. The page of each must show the other
// one, and the page of personal data must name it. An export must contain the other
// record only if the user chooses this. After the two are separated, the customer's page
// must no longer show the renter. The search must find the renter while they are joined.
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

// TestStoreStaff_OfOwnStores opens an employee of a manager's store, and one of another
// store. Of the other one, the manager must see only the name, and must not join or
// separate this employee, or make this employee visible by hiring. No page may offer a form
// that the manager cannot open.
func TestStoreStaff_OfOwnStores(t *testing.T) {
	b := open(t,
		&store.Employee{ID: "g1", Name: "Gil", Email: "gil@example.com", Phones: []string{"+46 31 71"}, Version: 1},
		&store.StoreEmployee{StoreID: "s1", PersonID: "g1", Name: "Gil", From: storetest.Day(2026, time.May, 1), Version: 1},
		&store.Employee{ID: "g2", Name: "Gro", Email: "gro@example.com", Phones: []string{"+46 31 72"}, WarehouseID: "w2", Version: 1},
		&store.StoreEmployee{StoreID: "s2", PersonID: "g2", Name: "Gro", From: storetest.Day(2026, time.May, 1), Version: 1},
		&store.Employee{ID: "c03", Name: "Gry", Email: "Customer3@example.com", WarehouseID: "w2", Version: 1}, // also a customer
		&store.SamePerson{ID: "c02", Others: []string{"g2"}, Version: 1},
		&store.SamePerson{ID: "g2", Others: []string{"c02"}, Version: 1},
	)
	manager := b.as(t, "manager")
	if got := manager.get("/people/g1"); got.header.Get("Location") != "/employees/g1" {
		t.Errorf("own store: got status %d, want a redirect to /employees/g1", got.status)
	}
	page := manager.get("/employees/g1").body
	if !strings.Contains(page, "gil@example.com") || !strings.Contains(page, "+46 31 71") || !strings.Contains(page, `href="/people/g1/same"`) || strings.Contains(page, "/edit") {
		t.Errorf("own store: got\n%s\nwant the contact and no form to edit the employee", content(page))
	}
	if page := manager.get("/people/g2").body; !strings.Contains(page, "Gro") || strings.Contains(page, "gro@example.com") || strings.Contains(page, "/customers/c02") || strings.Contains(page, "/people/g2/same") || strings.Contains(page, "<p></p>") || strings.Contains(page, "/edit") {
		t.Errorf("other store: got\n%s\nwant only the name", content(page))
	}
	for path, secret := range map[string]string{"/people/g2.json": "gro@example.com", "/customers/c02": "gro@example.com", "/customers/c02.json": "gro@example.com", "/people/c02/same": ">Separate"} {
		if got := manager.get(path); got.status != http.StatusOK || strings.Contains(got.body, secret) {
			t.Errorf("%s: got status %d, want 200 without %q", path, got.status, secret)
		}
	}
	for _, path := range []string{"/people/g2/same", "/people/g2/edit", "/people/g2/data", "/employees/g2", "/employees/g2.json", "/employees/g2/phones", "/employees/g2/employments.csv"} {
		if got := manager.get(path); got.status != http.StatusNotFound && got.status != http.StatusForbidden {
			t.Errorf("GET %s: got status %d, want 403 or 404", path, got.status)
		}
	}
	for _, tt := range []struct {
		path, field, id string
		status          int
	}{
		{"/people/g2/same", "person", "c01", http.StatusNotFound},
		{"/people/c01/same", "person", "g2", http.StatusNotFound},
		{"/people/g2/same/separate", "other", "c02", http.StatusNotFound},
		{"/people/c02/same/separate", "other", "g2", http.StatusNotFound},
		{"/people/g1/same", "person", "c01", http.StatusSeeOther},
		{"/stores/s1/hire", "person", "g2", http.StatusUnprocessableEntity},
		{"/stores/s1/hire", "person", "c03", http.StatusUnprocessableEntity},
	} {
		form := url.Values{tt.field: {tt.id}, tt.field + "-id": {tt.id}, tt.field + "-was": {tt.id}}
		if strings.HasSuffix(tt.path, "/hire") {
			form.Set("from", "2026-11-01")
		}
		if tt.field == "other" {
			form = url.Values{"other": {tt.id}}
		}
		if got := manager.post(tt.path, form); got.status != tt.status {
			t.Errorf("POST %s with %s: got status %d, want %d: %s", tt.path, tt.id, got.status, tt.status, content(got.body))
		}
	}
	if others, err := b.store.As(&store.User{Role: store.Admin}).OthersOf(t.Context(), "g2"); err != nil || len(others) != 1 || others[0] != "c02" {
		t.Errorf("got %q joined with the employee of the other store, error %v, want c02", others, err)
	}
}

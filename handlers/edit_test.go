package handlers

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// addForm is a form that adds a record, with the values that the browser sends without
// scripts.
type addForm struct {
	user string
	path string
	list string // the path of the list that contains the new record
	form url.Values
}

// addForms lists all forms that add a record with a name and have a form to edit it.
var addForms = map[string]addForm{
	"customer":  {"support", "/customers/new", "/customers", url.Values{}},
	"product":   {"admin", "/products/new", "/products", url.Values{"price": {"1"}}},
	"warehouse": {"admin", "/warehouses/new", "/warehouses", url.Values{"city": {"Lund"}}},
	"store":     {"admin", "/stores/new", "/stores", url.Values{"city": {"Lund"}}},
	"employee": {"admin", "/employees/new", "/employees", url.Values{
		"job": {"j2"}, "department": {"d1"}, "location": {"l1"}, "warehouse": {"w1"}, "manager": {"e01"}, "city": {"Lund"}, "phones": {"070 1\r\n070 2"},
	}},
	"kayak":      {"manager", "/stores/s1/kayaks/new", "/stores/s1/kayaks", url.Values{"rate": {"30"}, "kind": {"Sea"}, "condition": {"New"}}},
	"person":     {"manager", "/people/new", "", url.Values{"phones": {"070 1"}}},
	"region":     {"admin", "/reference/regions/new", "/reference/regions", url.Values{}},
	"country":    {"admin", "/reference/countries/new", "/reference/countries", url.Values{"parent": {"r1"}}},
	"location":   {"admin", "/reference/locations/new", "/reference/locations", url.Values{"parent": {"co1"}}},
	"department": {"admin", "/reference/departments/new", "/reference/departments", url.Values{"parent": {"l1"}}},
	"job":        {"admin", "/reference/jobs/new", "/reference/jobs", url.Values{}},
}

// with returns a copy of the form with a name and a token.
func (f addForm) with(name, token string) url.Values {
	form := url.Values{"name": {name}, "once": {tokenFor(token)}}
	for field, values := range f.form {
		form[field] = values
	}
	return form
}

// TestAdd_AppliesOnce submits each form twice, and once without a name.
func TestAdd_AppliesOnce(t *testing.T) {
	b := open(t)
	for noun, f := range addForms {
		t.Run(noun, func(t *testing.T) {
			user := b.as(t, f.user)
			const name = "Zyx Åkesson"
			first := user.post(f.path, f.with(name, noun))
			if first.status != http.StatusSeeOther {
				t.Fatalf("got status %d, want 303: %s", first.status, first.body)
			}
			if again := user.post(f.path, f.with(name, noun)); again.status != http.StatusSeeOther || again.location != first.location {
				t.Errorf("again: got status %d to %s, want 303 to %s: %s", again.status, again.location, first.location, again.body)
			}
			if page := user.get(first.location); page.status != http.StatusOK || !strings.Contains(page.body, name) {
				t.Errorf("%s: got status %d, want the name: %s", first.location, page.status, page.body)
			}
			rejected := user.post(f.path, f.with("", noun+" without name"))
			if rejected.status != http.StatusUnprocessableEntity || !strings.Contains(rejected.body, "Enter a name.") {
				t.Errorf("no name: got status %d, want 422 and why: %s", rejected.status, rejected.body)
			}
			if f.list == "" || f.list == "/stores" {
				return // there is no list, or all of its rows are on one page
			}
			if got := strings.Count(user.get(f.list+".json?limit=200").body, name); got != 1 {
				t.Errorf("%s: got the name %d times, want once", f.list, got)
			}
		})
	}
}

// TestEdit_ShowsConflict lets two users edit each new record at the same time.
func TestEdit_ShowsConflict(t *testing.T) {
	b := open(t)
	for noun, f := range addForms {
		t.Run(noun, func(t *testing.T) {
			user := b.as(t, f.user)
			path := user.post(f.path, f.with("Before", noun)).location
			form := f.with("First", noun+" first")
			form.Set("version", "1")
			if got := user.post(path+"/edit", form); got.status != http.StatusSeeOther {
				t.Fatalf("first user: got status %d, want 303: %s", got.status, got.body)
			}
			form = f.with("Second", noun+" second")
			form.Set("version", "1")
			got := user.post(path+"/edit", form)
			for _, want := range []string{`value="Second"`, "First", "Someone else changed this first", `name="version" value="2"`} {
				if got.status != http.StatusConflict || !strings.Contains(got.body, want) {
					t.Errorf("second user: got status %d, want 409 and %s: %s", got.status, want, got.body)
				}
			}
		})
	}
}

// TestAdd_EscapesText adds records with hostile names, and opens the pages that show
// them.
func TestAdd_EscapesText(t *testing.T) {
	b := open(t)
	for noun, f := range addForms {
		t.Run(noun, func(t *testing.T) {
			user := b.as(t, f.user)
			added := user.post(f.path, f.with(evil, noun))
			if added.status != http.StatusSeeOther {
				t.Fatalf("got status %d, want 303: %s", added.status, added.body)
			}
			for _, path := range []string{added.location, added.location + "/edit", cmp.Or(f.list, "/")} {
				page := user.get(path)
				if found := executable(page.body); page.status != http.StatusOK || found != "" {
					t.Errorf("%s: got status %d and %s, want nothing that runs", path, page.status, found)
				}
			}
			for _, name := range []string{"a\x00b", strings.Repeat("x", 201), "\xff"} {
				if got := user.post(f.path, f.with(name, noun+name)); got.status != http.StatusUnprocessableEntity && got.status != http.StatusBadRequest {
					t.Errorf("%.10q: got status %d, want 422 or 400", name, got.status)
				}
			}
		})
	}
}

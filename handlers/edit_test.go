package handlers

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// addForm is a form that adds a record, with the values that a browser without
// JavaScript submits.
type addForm struct {
	user string
	path string
	list string // path of the list that will contain the record
	form url.Values
}

// addForms contains the forms that add a record. All these records have a name and can
// be edited.
var addForms = map[string]addForm{
	"customer":  {"support", "/customers/new", "/customers", url.Values{}},
	"product":   {"admin", "/products/new", "/products", url.Values{"price": {"1"}}},
	"warehouse": {"admin", "/warehouses/new", "/warehouses", url.Values{"city": {"Lund"}}},
	"store":     {"admin", "/stores/new", "/stores", url.Values{"city": {"Lund"}}},
	"employee": {"admin", "/employees/new", "/employees", url.Values{
		"job": {"j2"}, "department": {"d1"}, "location": {"l1"}, "warehouse": {"w1"}, "manager": {"e01"}, "city": {"Lund"}, "phones": {"070 555 01\r\n070 555 02"},
	}},
	"kayak":      {"manager", "/stores/s1/kayaks/new", "/stores/s1/kayaks", url.Values{"rate": {"30"}, "kind": {"Sea"}, "condition": {"New"}}},
	"person":     {"manager", "/people/new", "", url.Values{"phones": {"070 555 03"}}},
	"region":     {"admin", "/reference/regions/new", "/reference/regions", url.Values{}},
	"country":    {"admin", "/reference/countries/new", "/reference/countries", url.Values{"parent": {"r1"}}},
	"location":   {"admin", "/reference/locations/new", "/reference/locations", url.Values{"parent": {"co1"}}},
	"department": {"admin", "/reference/departments/new", "/reference/departments", url.Values{"parent": {"l1"}}},
	"job":        {"admin", "/reference/jobs/new", "/reference/jobs", url.Values{}},
}

func (f addForm) with(name, token string) url.Values {
	form := url.Values{"name": {name}, "once": {tokenFor(token)}}
	for field, values := range f.form {
		form[field] = values
	}
	return form
}

// TestAdd_AppliesOnce submits each form twice, which must add one record. It also
// submits each form without a name, which must be rejected.
func TestAdd_AppliesOnce(t *testing.T) {
	b := open(t)
	for noun, f := range addForms {
		t.Run(noun, func(t *testing.T) {
			user := b.as(t, f.user)
			name := "Zyx Åkesson " + noun // a person with the name of another one would be similar
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
				return // the record has no list, or its list has only one page
			}
			if got := strings.Count(user.get(f.list+".json?limit=200").body, name); got != 1 {
				t.Errorf("%s: got the name %d times, want once", f.list, got)
			}
		})
	}
}

var versionField = regexp.MustCompile(`name="version" value="([^"]*)"`)

// shownVersion returns the version of the form on a page, or "".
func shownVersion(page answer) string {
	if found := versionField.FindStringSubmatch(page.body); found != nil {
		return found[1]
	}
	return ""
}

// TestKayakForm_KeepsVersion submits the form to retire a kayak without a reason, after
// the kayak has been changed. The form must keep its version, so that the next submission
// conflicts. After this conflict, it must get the current version.
func TestKayakForm_KeepsVersion(t *testing.T) {
	admin := open(t).as(t, "admin")
	if got := admin.post("/kayaks/k09/edit", url.Values{"name": {"Heron 9"}, "kind": {"sea"}, "rate": {"31"}, "version": {"1"}, "once": {tokenFor("edit")}}); got.status != http.StatusSeeOther {
		t.Fatalf("edit: got status %d, want 303: %s", got.status, content(got.body))
	}
	for _, want := range []struct {
		why     string
		status  int
		version string
	}{{"", http.StatusUnprocessableEntity, "1"}, {"worn out", http.StatusConflict, "2"}} {
		got := admin.post("/kayaks/k09/retire", url.Values{"why": {want.why}, "version": {"1"}, "once": {tokenFor("retire")}})
		if got.status != want.status || shownVersion(got) != want.version {
			t.Errorf("reason %q: got status %d and version %q, want %d and %q", want.why, got.status, shownVersion(got), want.status, want.version)
		}
	}
}

// TestEdit_IgnoresCounts edits a store while a kayak is sent for repair, and a sales
// target while an order is placed. The edits must not conflict, because the other changes
// affect only counts. An edit that is submitted twice must be applied once, even if the
// values have been changed back in between.
func TestEdit_IgnoresCounts(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	send := func(path, token, version string, form url.Values) answer {
		form.Set("once", tokenFor(token))
		form.Set("version", version)
		return admin.post(path, form)
	}
	name := func(name string) url.Values { return url.Values{"name": {name}, "city": {"Lund"}} }
	shop := shownVersion(admin.get("/stores/s0/edit"))
	if got := send("/kayaks/k09/repair", "repair", "1", url.Values{"why": {"Hole"}}); got.status != http.StatusSeeOther {
		t.Fatalf("repair: got status %d, want 303: %s", got.status, content(got.body))
	}
	for _, token := range []string{"rename", "rename", "back", "rename"} {
		version, form := shop, name("Boathouse")
		if token == "back" {
			version, form = shownVersion(admin.get("/stores/s0/edit")), name("Brygga")
		}
		if got := send("/stores/s0/edit", token, version, form); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", token, got.status, content(got.body))
		}
	}
	page := admin.get("/stores/s0.json").body
	if !strings.Contains(page, `"Name": "Brygga"`) && !strings.Contains(page, `"Name":"Brygga"`) {
		t.Errorf("got %s, want the name that was changed back", page)
	}

	customer := ""
	for _, c := range b.shop.Customers {
		if c.AccountRepID == "e01" {
			customer = c.ID
		}
	}
	if got := admin.post("/employees/e01/quotas/new", url.Values{"period": {"2026-Q4"}, "target": {"5000"}, "once": {tokenFor("target")}}); got.status != http.StatusSeeOther {
		t.Fatalf("target: got status %d, want 303: %s", got.status, content(got.body))
	}
	target := shownVersion(admin.get("/employees/e01/quotas/2026-Q4/edit"))
	order := url.Values{"customer": {customer}, "product-1": {"p05"}, "quantity-1": {"1"}, "total": {b.shop.Products[5].Price.String()}, "do": {"take"}, "once": {tokenFor("order")}}
	if got := admin.post("/orders/new", order); got.status != http.StatusSeeOther {
		t.Fatalf("order: got status %d, want 303: %s", got.status, content(got.body))
	}
	if got := send("/employees/e01/quotas/2026-Q4/edit", "more", target, url.Values{"target": {"6000"}}); got.status != http.StatusSeeOther {
		t.Errorf("target: got status %d, want 303: %s", got.status, content(got.body))
	}
	if got := send("/employees/e01/quotas/2026-Q4/edit", "outdated", target, url.Values{"target": {"7000"}}); got.status != http.StatusConflict {
		t.Errorf("target of an old form: got status %d, want 409", got.status)
	}
}

// TestEdit_ShowsConflict submits two forms of each new record that show the same
// version. The second response must show both values.
func TestEdit_ShowsConflict(t *testing.T) {
	b := open(t)
	for noun, f := range addForms {
		t.Run(noun, func(t *testing.T) {
			user := b.as(t, f.user)
			path := user.post(f.path, f.with("Before", noun)).location
			version := shownVersion(user.get(path + "/edit"))
			form := f.with("First", noun+" first")
			form.Set("version", version)
			if got := user.post(path+"/edit", form); got.status != http.StatusSeeOther {
				t.Fatalf("first user: got status %d, want 303: %s", got.status, got.body)
			}
			form = f.with("Second", noun+" second")
			form.Set("version", version)
			got := user.post(path+"/edit", form)
			for _, want := range []string{`value="Second"`, "First", "Someone else changed this first"} {
				if got.status != http.StatusConflict || !strings.Contains(got.body, want) {
					t.Errorf("second user: got status %d, want 409 and %s: %s", got.status, want, got.body)
				}
			}
			form.Set("version", shownVersion(got))
			form.Set("once", tokenFor(noun+" third"))
			if got := user.post(path+"/edit", form); got.status != http.StatusSeeOther {
				t.Errorf("second user again: got status %d, want 303: %s", got.status, content(got.body))
			}
		})
	}
}

func TestAdd_EscapesText(t *testing.T) {
	b := open(t)
	for noun, f := range addForms {
		t.Run(noun, func(t *testing.T) {
			user := b.as(t, f.user)
			added := user.post(f.path, f.with(evil+noun, noun)) // a person with the name of another one would be similar
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

// TestEdit_ConflictShowsCurrentValues opens an edit form in two windows and saves it in one
// of them. The form of the other window must then show the saved values in the fields that
// its user did not change, so that saving it again restores nothing.
func TestEdit_ConflictShowsCurrentValues(t *testing.T) {
	b := open(t)
	for path, fields := range map[string]struct{ theirs, ours, both string }{
		"/products/p09":  {"description", "sku", "name"},
		"/customers/c01": {"street", "city", "name"},
		"/employees/e01": {"street", "city", "name"},
	} {
		admin := b.as(t, "admin")
		first, second := formIn(admin.get(path+"/edit")), formIn(admin.get(path+"/edit"))
		first.Set(fields.theirs, "Theirs")
		first.Set(fields.both, "Both 1")
		second.Set(fields.ours, "Ours-1")
		second.Set(fields.both, "Both 2")
		if got := admin.post(path+"/edit", first); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
		got := admin.post(path+"/edit", second)
		again := formIn(got)
		for name, want := range map[string]string{fields.theirs: "Theirs", fields.ours: "Ours-1", fields.both: "Both 2"} {
			if got.status != http.StatusConflict || again.Get(name) != want {
				t.Errorf("%s: got status %d with the %s %q, want 409 and %q", path, got.status, name, again.Get(name), want)
			}
		}
		if strings.Count(got.body, "Currently:") != 1 || !strings.Contains(got.body, `Currently: <b dir="auto">Both 1</b>`) {
			t.Errorf("%s: want only one field with the current value: %s", path, content(got.body))
		}
		if saved := admin.post(path+"/edit", again); saved.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", path, saved.status, content(saved.body))
		}
		if now := formIn(admin.get(path + "/edit")); now.Get(fields.theirs) != "Theirs" || now.Get(fields.ours) != "Ours-1" || now.Get(fields.both) != "Both 2" {
			t.Errorf("%s: got %v after both changes", path, now)
		}
	}
}

// TestForms_ConflictKeepsOtherChanges submits the forms of settings and of subscriptions in
// two windows. After the conflict, the fields that the second user did not change must show
// the values of the first user.
func TestForms_ConflictKeepsOtherChanges(t *testing.T) {
	admin := open(t).as(t, "admin")
	for path, fields := range map[string]struct{ theirs, theirValue, ours, ourValue string }{
		"/admin/settings": {"reminder", "9", "idle", "25"},
		"/accounts/c01/subscriptions/sub01/PLAN/change":         {"amount", "8.50", "day", "20"},
		"/accounts/c01/subscriptions/sub01/PLAN/payment-method": {"email", "theirs@example.com", "card", "4321"},
	} {
		formIn := func(page answer) url.Values {
			if path == "/admin/settings" { // the page has several forms
				return formOn(page.body, "POST /admin/settings").values()
			}
			return formIn(page)
		}
		first, second := formIn(admin.get(path)), formIn(admin.get(path))
		first.Set(fields.theirs, fields.theirValue)
		second.Set(fields.ours, fields.ourValue)
		if got := admin.post(path, first); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
			continue
		}
		got := admin.post(path, second)
		again := formIn(got)
		if got.status != http.StatusConflict || again.Get(fields.theirs) != fields.theirValue || again.Get(fields.ours) != fields.ourValue || strings.Contains(got.body, "Currently:") {
			t.Errorf("%s: got status %d with %q and %q, want 409 with %q and %q: %s", path, got.status,
				again.Get(fields.theirs), again.Get(fields.ours), fields.theirValue, fields.ourValue, content(got.body))
		}
		if saved := admin.post(path, again); saved.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", path, saved.status, content(saved.body))
		}
		if now := formIn(admin.get(path)); now.Get(fields.theirs) != fields.theirValue || now.Get(fields.ours) != fields.ourValue {
			t.Errorf("%s: got %v after both changes", path, now)
		}
	}
}

// TestEdit_SavedFormWithFirstValue saves an edit form, and then saves the same form with the
// first value of the changed field, as after Back in the browser. The form must keep this
// value, so that saving it again restores it.
func TestEdit_SavedFormWithFirstValue(t *testing.T) {
	admin := open(t).as(t, "admin")
	form := formIn(admin.get("/customers/c01/edit"))
	first := form.Get("city")
	form.Set("city", "Ribe")
	if got := admin.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	form.Set("city", first)
	got := admin.post("/customers/c01/edit", form)
	again := formIn(got)
	if got.status != http.StatusConflict || again.Get("city") != first || !strings.Contains(got.body, `Currently: <b dir="auto">Ribe</b>`) {
		t.Errorf("got status %d with the city %q, want 409, %q, and the current city: %s", got.status, again.Get("city"), first, content(got.body))
	}
	if saved := admin.post("/customers/c01/edit", again); saved.status != http.StatusSeeOther {
		t.Errorf("got status %d, want 303: %s", saved.status, content(saved.body))
	}
	if now := formIn(admin.get("/customers/c01/edit")).Get("city"); now != first {
		t.Errorf("got the city %q, want %q", now, first)
	}
}

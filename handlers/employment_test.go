package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestHire_AddsSomebodyNew checks that people who are not in the table yet can be
// hired without JavaScript.
func TestHire_AddsSomebodyNew(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	if page := manager.get("/stores/s1/hire"); !strings.Contains(page.body, `value="new"`) || !strings.Contains(page.body, `name="new-name"`) {
		t.Errorf("got no fields for somebody new: %s", content(page.body))
	}
	form := url.Values{
		"person": {"Newman"}, "person-id": {"new"}, "new-name": {"Ny Newman " + evil}, "new-phone": {"+46 70 555 01 77"}, "position": {"Guide"},
		"from": {"2026-11-01"}, "once": {tokenFor("hire")},
	}
	for range 2 {
		if got := manager.post("/stores/s1/hire", form); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	page := manager.get("/stores/s1")
	if got := strings.Count(manager.get("/stores/s1/employees.json").body, "Ny Newman"); got != 1 || executable(page.body) != "" {
		t.Errorf("got %d new employees and %q, want one and nothing that runs", got, executable(page.body))
	}
	if got := manager.get("/choices/person?q=newman"); strings.Count(got.body, `"id"`) != 1 {
		t.Errorf("got %s, want one person", got.body)
	}
	for want, change := range map[string]url.Values{
		"already has this phone":  {},
		"Enter a name.":           {"new-name": {""}},
		"Enter a phone number or": {"new-phone": {""}},
		"Enter the first day.":    {"from": {""}, "new-phone": {"+46 70 555 01 78"}},
	} {
		wrong := maps.Clone(form)
		maps.Copy(wrong, change)
		wrong.Set("once", tokenFor(want))
		got := manager.post("/stores/s1/hire", wrong)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) || !strings.Contains(got.body, `value="Guide"`) || !strings.Contains(got.body, `value="new" checked`) {
			t.Errorf("got status %d, want 422, %q and the form as entered: %s", got.status, want, content(got.body))
		}
	}
	form.Set("once", tokenFor("other"))
	if got := b.as(t, "outsider").post("/stores/s1/hire", form); got.status != http.StatusNotFound {
		t.Errorf("manager of another store: got %d, want 404", got.status)
	}
}

// TestEmploymentHistory_OfYear checks which employments a store and a person have in a
// year, and their order.
func TestEmploymentHistory_OfYear(t *testing.T) {
	b := open(t)
	viewer := b.as(t, "viewer")
	for path, want := range map[string]string{
		"/stores/s0/employments.csv":                          "em3 em1 em0",
		"/stores/s0/employments.csv?order=grouped":            "em0 em1 em3",
		"/stores/s0/employments.csv?year=2025":                "em0",
		"/stores/s0/employments.csv?year=2024":                "",
		"/people/pp0/employments.csv":                         "em2 em1 em0",
		"/people/pp0/employments.csv?year=2025":               "em0",
		"/people/pp0/employments.csv?year=2026&order=grouped": "em1 em2",
	} {
		got := strings.Join(regexp.MustCompile(`(?m)^em\d`).FindAllString(viewer.get(path).body, -1), " ")
		if got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if page := viewer.get("/stores/s0?year=last"); page.status != http.StatusUnprocessableEntity || !strings.Contains(page.body, "is not a year") {
		t.Errorf("got status %d for an invalid year: %s", page.status, content(page.body))
	}
	if page := viewer.get("/stores/s0?year=2024"); !strings.Contains(page.body, "No employment in this year.") {
		t.Errorf("got no message for a year without staff: %s", content(page.body))
	}
}

// TestHire_WithoutPerson checks that the error names everything that the field accepts.
func TestHire_WithoutPerson(t *testing.T) {
	got := open(t).as(t, "manager").post("/stores/s1/hire", url.Values{"person": {""}, "from": {"2026-11-01"}})
	if want := "Enter a name, phone number, email address or ID."; got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) {
		t.Errorf("got status %d, want 422 and %q: %s", got.status, want, content(got.body))
	}
}

// TestEmployment_DayOutOfRange starts an employment more than a year ahead, and ends one
// before its first day. Both must be rejected. A first day exactly a year ahead must be
// accepted.
func TestEmployment_DayOutOfRange(t *testing.T) {
	manager := open(t).as(t, "manager")
	for _, tt := range []struct {
		path, day, person string
		date, want        string
	}{
		{"/stores/s1/hire", "from", "c01", "2027-11-22", "at the latest 21 Nov 2027"},
		{"/stores/s1/leave", "last", "pp0", "2026-02-28", "before the first day, 1 Mar 2026"},
	} {
		form := url.Values{"person": {tt.person}, "person-id": {tt.person}, "person-was": {tt.person}, tt.day: {tt.date}}
		if got := manager.post(tt.path, form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s: got status %d, want 422 and %q: %s", tt.path, got.status, tt.want, content(got.body))
		}
	}
	form := url.Values{"person": {"c01"}, "person-id": {"c01"}, "person-was": {"c01"}, "from": {"2027-11-21"}}
	if got := manager.post("/stores/s1/hire", form); got.status != http.StatusSeeOther {
		t.Errorf("first day a year ahead: got status %d, want 303: %s", got.status, content(got.body))
	}
}

// TestEndEmployment_Later ends an employment on a day in the future. The page of the store
// must still list the person, with the last day.
func TestEndEmployment_Later(t *testing.T) {
	manager := open(t).as(t, "manager")
	form := url.Values{"person": {"pp0"}, "person-id": {"pp0"}, "person-was": {"pp0"}, "last": {"2026-12-05"}}
	if got := manager.post("/stores/s1/leave", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	_, staff, _ := strings.Cut(manager.get("/stores/s1").body, "<h2>Staff</h2>")
	staff, _, _ = strings.Cut(staff, "</section>")
	if !strings.Contains(staff, "Robin") || !strings.Contains(staff, "until 5 Dec 2026") {
		t.Errorf("got no Robin until 5 Dec 2026 in the staff: %s", staff)
	}
	if list := manager.get("/stores/s1/employees.csv").body; !strings.Contains(list, "2026-12-05") {
		t.Errorf("got no last day in %s", list)
	}
}

// TestNewPerson_SamePhone books a kayak for a new person and hires a new person, both
// with the phone number of another person. The form must offer the other person, and
// accept the number when it is submitted again.
func TestNewPerson_SamePhone(t *testing.T) {
	manager := open(t, &store.Person{ID: "pp9", Name: "Kit", Phones: []string{"070 555 09 99"}, Version: 1}).as(t, "manager")
	for path, form := range map[string]url.Values{
		"/stores/s1/book": {"kayak": {"k10"}, "from": {"2026-11-24"}, "last": {"2026-11-24"}},
		"/stores/s1/hire": {"position": {"Guide"}, "from": {"2026-11-24"}},
	} {
		form.Set("person", "Kim")
		form.Set("person-id", "new")
		form.Set("new-name", "Kim")
		form.Set("new-phone", "070 555 09 99")
		form.Set("new-email", "kit@")
		form.Set("once", tokenFor(path))
		if got := manager.post(path, form); got.status != http.StatusUnprocessableEntity || strings.Contains(got.body, `name="same-phone"`) {
			t.Errorf("%s: got status %d, want 422 and only the error about the email address: %s", path, got.status, content(got.body))
		}
		form.Set("new-email", "")
		got := manager.post(path, form)
		if got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got status %d, want 422", path, got.status)
		}
		for _, want := range []string{" already has this phone number.", `value="pp9"`, `value="new" checked`, `name="same-phone" value="070 555 09 99"`} {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s: got no %s in %s", path, want, content(got.body))
			}
		}
		form.Set("same-phone", "070 555 09 99")
		for range 2 {
			if got := manager.post(path, form); got.status != http.StatusSeeOther {
				t.Errorf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
			}
		}
	}
}

// TestNewPerson_ChooseOffered submits forms in which the user chose a person whom the
// form offered because of the phone number. The forms must be accepted, although the text
// of the field is empty.
func TestNewPerson_ChooseOffered(t *testing.T) {
	b := open(t, &store.Customer{ID: "c99", Name: "欧阳伟", Phones: []string{"+86 138 528 87 21"}, Version: 1})
	for path, form := range map[string]url.Values{
		"/stores/s1/book": {"kayak": {"k10"}, "from": {"2026-11-24"}, "last": {"2026-11-24"}},
		"/stores/s1/hire": {"position": {"Guide"}, "from": {"2026-11-24"}},
	} {
		form.Set("person-id", "new")
		form.Set("new-name", "Kim")
		form.Set("new-phone", "+86 138 528 87 21")
		form.Set("once", tokenFor(path))
		manager := b.as(t, "manager")
		if got := manager.post(path, form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, " already has this phone number.") {
			t.Errorf("%s: got status %d, want 422: %s", path, got.status, content(got.body))
		}
		form.Set("person-id", "c99")
		if got := manager.post(path, form); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
	}
}

// TestEndEmployment_NamesStaff opens the form for an employee without a warehouse, and for a
// member of the staff without any other record. It must show their names, and find them by
// name.
func TestEndEmployment_NamesStaff(t *testing.T) {
	b := open(t,
		&store.Employee{ID: "e77", Name: "Sigrid Sund", Version: 1},
		&store.StoreEmployee{StoreID: "s1", PersonID: "e77", Name: "Sigrid Sund", From: storetest.Day(2026, time.May, 1), Version: 1},
		&store.StoreEmployee{StoreID: "s1", PersonID: "x77", Name: "Signe Storm", From: storetest.Day(2026, time.May, 1), Version: 1},
	)
	manager := b.as(t, "manager")
	for id, name := range map[string]string{"e77": "Sigrid Sund", "x77": "Signe Storm"} {
		page := content(manager.get("/stores/s1/leave?person=" + id).body)
		if strings.Contains(page, "Not found") || !strings.Contains(page, `value="`+name+`"`) {
			t.Errorf("%s: got no %s on the form: %s", id, name, page)
		}
		if found := manager.get("/choices/employee@s1?q=" + name[:5]).body; !strings.Contains(found, id) {
			t.Errorf("%s: got the suggestions %s, want %s", id, found, name)
		}
	}
	if found := manager.get("/choices/person?q=sigrid").body; !strings.Contains(found, "e77") {
		t.Errorf("got the suggestions %s, want the employee of the store", found)
	}
	if found := b.as(t, "outsider").get("/choices/person?q=sigrid").body; strings.Contains(found, "e77") {
		t.Errorf("manager of another store: got the suggestions %s, want none", found)
	}
	form := url.Values{"person": {"signe storm"}, "last": {"2026-11-20"}}
	if got := manager.post("/stores/s1/leave", form); got.status != http.StatusSeeOther {
		t.Errorf("by name: got status %d, want 303: %s", got.status, content(got.body))
	}
}

func TestPerson_ShowsPhone(t *testing.T) {
	b := open(t, &store.Person{ID: "pp9", Name: "Kit", Email: "kit@example.com", Phones: []string{"070 555 09"}, Version: 1})
	if page := b.as(t, "manager").get("/people/pp9").body; !strings.Contains(page, `href="tel:07055509"`) || !strings.Contains(page, `href="mailto:kit@example.com"`) {
		t.Errorf("got no phone number and email address in\n%s", content(page))
	}
}

// TestEndEmployment_ChangesLastDay sets a last day, and opens the form again. The form must
// start with this day, and offer to remove it.
func TestEndEmployment_ChangesLastDay(t *testing.T) {
	manager := open(t).as(t, "manager")
	if page := manager.get("/stores/s1/leave?person=pp0").body; !strings.Contains(page, ">End employment</button>") || strings.Contains(page, "Remove last day") {
		t.Errorf("without a last day: got %s", content(page))
	}
	form := url.Values{"person": {"pp0"}, "person-id": {"pp0"}, "person-was": {"pp0"}, "last": {"2026-12-05"}}
	if got := manager.post("/stores/s1/leave", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	if staff := manager.get("/stores/s1").body; !strings.Contains(staff, `Change<span class="vh"> last day: Robin`) {
		t.Errorf("got no link to change the last day: %s", content(staff))
	}
	page := manager.get("/stores/s1/leave?person=pp0").body
	for _, want := range []string{"<h1>Change last day</h1>", `value="2026-12-05"`, "Now: 5 Dec 2026.", ">Change last day</button>", ">Remove last day</button>"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %s in %s", want, content(page))
		}
	}
	form.Set("last", "2026-02-28")
	if got := manager.post("/stores/s1/leave", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, ">Remove last day</button>") || !strings.Contains(got.body, `value="2026-02-28"`) {
		t.Errorf("day before the first: got status %d, want 422 and both forms: %s", got.status, content(got.body))
	}
	if got := manager.post("/stores/s1/leave", url.Values{"do": {"keep"}, "person": {"pp0"}}); got.status != http.StatusSeeOther {
		t.Fatalf("remove: got status %d, want 303: %s", got.status, content(got.body))
	}
	if staff := manager.get("/stores/s1").body; strings.Contains(staff, "until 5 Dec 2026") || !strings.Contains(staff, `End<span class="vh"> employment: Robin`) {
		t.Errorf("got a last day after removing it: %s", content(staff))
	}
}

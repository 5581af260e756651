package handlers

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/views"
)

// storeForm is a form of a store with valid values, as a browser without scripts submits
// it.
type storeForm struct {
	path string
	form url.Values
}

// storeForms returns the forms of store s1 that change rentals and staff. It reads the
// check-in charge and the rental from the manager's page.
func storeForms(t *testing.T, manager *browser) map[string]storeForm {
	t.Helper()
	checkIn := hiddenFields(manager.get("/stores/s1/return?kayaks=k04").body)
	return map[string]storeForm{
		"check-out": {"/stores/s1/check-out", url.Values{"kayaks": {"k10\nk13"}, "person": {"c09"}, "due": {"2026-11-24"}}},
		"check-in":  {"/stores/s1/return", url.Values{"kayaks": {"k04"}, "charge": checkIn["charge"], store.FieldShown: checkIn[store.FieldShown], "charge-paid": {"CASH"}, "condition-1": {"Worn"}, "damage-1": {"Hole"}, "repair-1": {"yes"}}},
		"hire":      {"/stores/s1/hire", url.Values{"person": {"c09"}, "position": {"Guide"}, "from": {"2026-11-02"}}},
		"leave":     {"/stores/s1/leave", url.Values{"person": {"pp0"}, "last": {"2026-11-20"}}},
	}
}

// with returns the values of the form with a token and other values.
func (f storeForm) with(token string, changes url.Values) url.Values {
	form := maps.Clone(f.form)
	maps.Copy(form, changes)
	form.Set("once", tokenFor(token))
	return form
}

// TestStoreForms_ApplyOnce submits each form twice, which must be applied once. The
// same change by somebody else must be a conflict, and forms of users without the
// permission, or of another store, must be rejected.
func TestStoreForms_ApplyOnce(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	conflicts := map[string][]string{
		"check-out": {"Heron 10 (k10) is already rented out to Łukasz 9 until 24 Nov 2026. Heron 13 (k13) is already rented out to Łukasz 9 until 24 Nov 2026. Nothing was checked out.", `value="Łukasz 9"`, "Heron 10 (k10)\nHeron 13 (k13)</textarea>", `value="2026-11-24"`},
		"check-in":  {"is not rented out. محمد 4 was the last to rent it. It was checked in on ", "k04</textarea>"},
		"hire":      {"already works at this store", `value="Guide"`, `value="2026-11-02"`},
		"leave":     {"Robin does not work at this store", `value="Robin"`, `value="2026-11-20"`},
	}
	before := map[string]int{}
	lists := map[string]int{"/stores/s1/out.json": 2, "/stores/s1/employees.json": 1}
	for list := range lists {
		before[list] = strings.Count(manager.get(list).body, `"c09"`)
	}
	for name, f := range storeForms(t, manager) {
		for range 2 {
			if got := manager.post(f.path, f.with(name, nil)); got.status != http.StatusSeeOther || got.location != "/stores/s1" {
				t.Fatalf("%s: got status %d to %s, want 303 to the store: %s", name, got.status, got.location, content(got.body))
			}
		}
		late := b.as(t, "admin").post(f.path, f.with(name+" late", nil))
		for _, want := range conflicts[name] {
			if late.status != http.StatusConflict || !strings.Contains(late.body, want) {
				t.Errorf("%s by someone else: got status %d, want 409 and %q: %s", name, late.status, want, content(late.body))
			}
		}
		for user, want := range map[string]int{"outsider": http.StatusNotFound, "support": http.StatusForbidden, "viewer": http.StatusForbidden} {
			if got := b.as(t, user).post(f.path, f.with(name+user, nil)); got.status != want {
				t.Errorf("%s by %s: got status %d, want %d", name, user, got.status, want)
			}
		}
	}
	for list, want := range lists {
		if got := strings.Count(manager.get(list).body, `"c09"`) - before[list]; got != want {
			t.Errorf("%s: got the person %d times more, want %d", list, got, want)
		}
	}
}

// TestCheckIn_SubmittedAgain goes back to the form after a check-in: it opens the form again, and
// submits it again with the same and with other values. Only the same values must succeed. The
// errors must say when the kayak was checked in.
func TestCheckIn_SubmittedAgain(t *testing.T) {
	manager := open(t).as(t, "manager")
	f := storeForms(t, manager)["check-in"]
	for range 2 {
		manager.post(f.path, f.with("back", nil)).want(t, http.StatusSeeOther, "")
	}
	const want = "Heron 4 (k04) is not rented out. محمد 4 was the last to rent it. It was checked in on 21 Nov 2026."
	for _, kayak := range []string{"k04", "heron+4"} {
		manager.get("/stores/s1/return?kayaks="+kayak).want(t, http.StatusConflict, want)
		manager.get("/stores/s1/extend?kayaks="+kayak).want(t, http.StatusConflict, want)
	}
	other := manager.post(f.path, f.with("back", url.Values{"damage-1": {"Hole at the bow"}}))
	other.want(t, http.StatusConflict, want)
	if strings.Contains(other.body, "with other values") || strings.Contains(other.body, "Charges and condition") {
		t.Errorf("other values: got a request to submit the form again: %s", content(other.body))
	}
}

// TestCheckIn_OneCheckedInMeanwhile submits a check-in of two kayaks after somebody else has
// checked in one of them. The form must name this kayak, keep what was entered about the other
// one, and then check it in.
func TestCheckIn_OneCheckedInMeanwhile(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	out := store.CheckOut{
		StoreID: "s1", Person: "c05", KayakIDs: []string{"k10", "k13"}, Due: storetest.Day(2026, 11, 24), Deposit: store.MinorUnits(50_00), DepositMethod: store.PayByCash,
	}
	if _, err := shop.CheckOut(t.Context(), out, b.store.NewToken()); err != nil {
		t.Fatal(err)
	}
	late := hiddenFields(manager.get("/stores/s1/return?kayaks=k10%0Ak13").body)
	first := hiddenFields(manager.get("/stores/s1/return?kayaks=k10").body)
	first.Set("charge-paid", "CARD")
	manager.post("/stores/s1/return", first).want(t, http.StatusSeeOther)
	for name, value := range map[string]string{"charge-paid": "CASH", "damage-1": "Scratch", "damage-2": "Hole at the bow", "condition-2": "Leaks", "keep": "20", "keep-why": "Lost paddle"} {
		late.Set(name, value)
	}
	rejected := manager.post("/stores/s1/return", late)
	rejected.want(t, http.StatusConflict, "Heron 10 (k10) is not rented out. ", "was the last to rent it. It was checked in on ", "Charges and condition", "Hole at the bow</textarea>", `value="Leaks"`, `value="20"`, `value="Lost paddle"`)
	again := hiddenFields(rejected.body)
	if got := again["kayaks"]; !slices.Equal(got, []string{"k13"}) || strings.Contains(rejected.body, "Scratch") {
		t.Fatalf("got the kayaks %q, want only k13: %s", got, content(rejected.body))
	}
	for name, value := range map[string]string{"charge-paid": "CASH", "damage-1": "Hole at the bow", "condition-1": "Leaks"} {
		again.Set(name, value)
	}
	manager.post("/stores/s1/return", again).want(t, http.StatusSeeOther)
	if got := content(manager.get("/kayaks/k13").body); !strings.Contains(got, "Leaks") {
		t.Errorf("got no new condition: %s", got)
	}
}

// TestStoreForms_RentedAgain opens the forms that check a kayak in and extend its rental.
// Before they are submitted, the kayak is checked in and rented to another person. Both
// forms must be rejected. Their pages must show the new rental, so that the forms can
// then be submitted.
func TestStoreForms_RentedAgain(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	checkIn := hiddenFields(manager.get("/stores/s1/return?kayaks=k04").body)
	checkIn.Set("charge-paid", "CASH")
	extend := hiddenFields(manager.get("/stores/s1/extend?kayaks=k04").body)
	extend.Set("due", "2026-12-09")
	forms := storeForms(t, manager)
	for _, name := range []string{"check-in", "check-out"} {
		if got := manager.post(forms[name].path, forms[name].with(name, url.Values{"kayaks": {"k04"}, "repair-1": nil})); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", name, got.status, content(got.body))
		}
	}
	const want = "(k04) was rented to Łukasz 9 after this page was loaded."
	late := manager.post("/stores/s1/return", checkIn)
	if late.status != http.StatusConflict || !strings.Contains(late.body, want) {
		t.Errorf("check-in: got status %d, want 409 and %q: %s", late.status, want, content(late.body))
	}
	again := manager.post("/stores/s1/extend", extend)
	if again.status != http.StatusConflict || !strings.Contains(again.body, want) {
		t.Errorf("extension: got status %d, want 409 and %q: %s", again.status, want, content(again.body))
	}
	extend = hiddenFields(again.body)
	extend.Set("due", "2026-12-09")
	if got := manager.post("/stores/s1/extend", extend); got.status != http.StatusSeeOther {
		t.Errorf("extension after the message: got status %d, want 303: %s", got.status, content(got.body))
	}
	checkIn = hiddenFields(late.body)
	checkIn.Set("charge-paid", "CASH")
	if got := manager.post("/stores/s1/return", checkIn); got.status != http.StatusSeeOther {
		t.Errorf("check-in after the message: got status %d, want 303: %s", got.status, content(got.body))
	}
}

// TestStoreForms_ShowFirst submits a check-in and a new due day without the rentals that the
// form has shown. Nothing may change, and the second step must follow, with the entered
// values and a message.
func TestStoreForms_ShowFirst(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	checkIn := storeForms(t, manager)["check-in"].form
	for _, c := range []struct {
		path, want, kept string
		form             url.Values
		shown            []string
	}{
		{"/stores/s1/return", "Charges and condition", "Worn", checkIn, nil},
		{"/stores/s1/return", "Charges and condition", "Worn", checkIn, []string{"k05#c04#1"}},
		{"/stores/s1/return", "Charges and condition", "Worn", checkIn, []string{"junk"}},
		{"/stores/s1/extend", "New due date", "2026-12-09", url.Values{"kayaks": {"k04"}, "due": {"2026-12-09"}}, nil},
	} {
		form := maps.Clone(c.form)
		form[store.FieldShown] = c.shown
		form.Set("once", tokenFor(c.path))
		got := manager.post(c.path, form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, c.want) || hiddenFields(got.body).Get(store.FieldShown) != checkIn.Get(store.FieldShown) {
			t.Errorf("%s, shown %v: got status %d, want 422 and the second step: %s", c.path, c.shown, got.status, content(got.body))
		}
		for _, want := range []string{"Check them, then submit the form again.", `value="` + c.kept + `"`} {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s, shown %v: got no %q: %s", c.path, c.shown, want, content(got.body))
			}
		}
	}
	if rentals := manager.get("/stores/s1/out.json").body; !strings.Contains(rentals, `"k04"`) || strings.Contains(rentals, "2026-12-09") {
		t.Errorf("got the rentals %s, want the rental of k04 unchanged", rentals)
	}
}

// TestExtend_ShowsRentals enters the name of a kayak in the form that extends rentals. The
// form must show who rents the kayak until when. After each rejected submission, it must
// still be protected against another rental of the kayak.
func TestExtend_ShowsRentals(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	manager.get("/stores/s1/extend").want(t, http.StatusOK, "Show rentals")
	manager.get("/stores/s1/extend?kayaks=k10").want(t, http.StatusConflict, "not rented out")
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	out, err := b.store.OutFrom(t.Context(), "s1")
	if err != nil || len(out) == 0 {
		t.Fatalf("got rentals %v, %v, want some", out, err)
	}
	rental := out[slices.IndexFunc(out, func(r store.ActiveRental) bool { return r.KayakID == "k04" })]
	form := manager.get("/stores/s1/extend?kayaks=K04")
	form.want(t, http.StatusOK, rental.PersonName, longDate(rental.Due))
	extend := hiddenFields(form.body)
	for i, due := range []string{"", "2020-01-01"} {
		extend.Set("due", due)
		rejected := manager.post("/stores/s1/extend", extend)
		if rejected.status != http.StatusUnprocessableEntity || !strings.Contains(rejected.body, html.EscapeString(rental.PersonName)) {
			t.Fatalf("day %q: got status %d, want 422 and the renter: %s", due, rejected.status, content(rejected.body))
		}
		extend = hiddenFields(rejected.body)
		if extend.Get(store.FieldShown) != rental.Identity() {
			t.Errorf("submission %d: got %v, want the rental %s in the form", i, extend, rental.Identity())
		}
	}
	rentAgain := func(person string) {
		t.Helper()
		quote, err := admin.QuoteCheckIn(t.Context(), "s1", []string{"k04"})
		if err == nil {
			_, err = admin.CheckIn(t.Context(), store.CheckIn{StoreID: "s1", Kayaks: []store.ReturnedKayak{{ID: "k04"}}, Charge: quote.Total, Method: store.PayByCash}, b.store.NewToken())
		}
		if err == nil {
			_, err = admin.CheckOut(t.Context(), store.CheckOut{StoreID: "s1", Person: person, KayakIDs: []string{"k04"}, Due: storetest.Day(2026, 11, 24)}, b.store.NewToken())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, person := range []string{"c09", "c08"} {
		rentAgain(person)
		extend.Set("due", "2026-12-09")
		rejected := manager.post("/stores/s1/extend", extend)
		if rejected.status != http.StatusConflict || !strings.Contains(rejected.body, "was rented to") {
			t.Errorf("after a rental to %s: got status %d, want 409: %s", person, rejected.status, content(rejected.body))
		}
		extend = hiddenFields(rejected.body)
	}
}

// TestCheckOut_OtherRate changes the daily rate of a kayak after the review has shown it.
// The check-out must be rejected with a conflict.
func TestCheckOut_OtherRate(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	f := storeForms(t, manager)["check-out"]
	review := manager.post(f.path, f.with("review", url.Values{views.ButtonParam: {views.ButtonReview}}))
	form := hiddenFields(review.body)
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	k, err := shop.Kayak(t.Context(), "k10")
	if err != nil {
		t.Fatal(err)
	}
	k.DailyRate = store.MinorUnits(350_00)
	if err := shop.SaveKayak(t.Context(), *k, ""); err != nil {
		t.Fatal(err)
	}
	got := manager.post(f.path, form)
	if got.status != http.StatusConflict || !strings.Contains(got.body, "The daily rate has changed.") {
		t.Errorf("got status %d, want 409 and the reason: %s", got.status, content(got.body))
	}
}

// TestStoreForms_HostileText enters markup into every field. Neither the response nor a
// page with the stored text may run it. The response must be an error, unless the field
// accepts any text.
func TestStoreForms_HostileText(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	for name, f := range storeForms(t, manager) {
		for field := range f.form {
			got := manager.post(f.path, f.with(name+field, url.Values{field: {evil}}))
			if executable(got.body) != "" {
				t.Errorf("%s, %s: got a page that runs %q", name, field, executable(got.body))
			}
			switch field {
			case "condition-1", "damage-1", "position", "repair-1", "charge", store.FieldShown:
				continue // the field accepts any text, or is hidden
			}
			if got.status != http.StatusUnprocessableEntity && got.status != http.StatusConflict || !strings.Contains(got.body, `role="alert"`) {
				t.Errorf("%s, %s: got status %d, want an error: %s", name, field, got.status, content(got.body))
			}
		}
	}
	for _, path := range []string{"/stores/s1", "/kayaks/k04", "/people/pp0", "/customers/c09"} {
		if page := manager.get(path); page.status != http.StatusOK || executable(page.body) != "" {
			t.Errorf("%s: got status %d, page that runs %q", path, page.status, executable(page.body))
		}
	}
}

// TestEndEmployment_ShowsErrors checks the errors for a missing last day, for one
// before the first day, and for text that is not a date.
func TestEndEmployment_ShowsErrors(t *testing.T) {
	manager := open(t).as(t, "manager")
	for last, want := range map[string]string{"": "Enter the last day.", "1950-01-01": "be before the first", "soon": "is not a date"} {
		got := manager.post("/stores/s1/leave", url.Values{"person": {"pp0"}, "last": {last}, "once": {tokenFor(last)}})
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) {
			t.Errorf("%q: got status %d, want 422 and %q: %s", last, got.status, want, content(got.body))
		}
	}
}

func TestCheckOut_ShowsAllErrors(t *testing.T) {
	manager := open(t).as(t, "manager")
	for name, c := range map[string]struct {
		form   url.Values
		errors []string
	}{
		"nothing":   {url.Values{"due": {"soon"}, "deposit": {"50"}}, []string{"Enter a name, phone number, email address or ID.", "is not a date", "Choose how the deposit is paid.", "kayak"}},
		"unknown":   {url.Values{"kayaks": {"none"}, "due": {"soon"}}, []string{"Enter a name, phone number, email address or ID.", "is not a date", "No kayak"}},
		"not there": {url.Values{"kayaks": {"k04"}, "due": {"2026-11-24"}, "deposit": {"x"}}, []string{"Enter a name, phone number, email address or ID.", "already rented out", "Enter an amount in digits"}},
		"new":       {url.Values{"kayaks": {"k04"}, "person": {"Kim"}, "person-id": {"new"}, "due": {"2026-11-24"}}, []string{"Enter a name.", "already rented out"}},
	} {
		c.form.Set("once", tokenFor("errors"))
		c.form.Set("do", "look")
		got := manager.post("/stores/s1/check-out", c.form)
		_, summary, _ := strings.Cut(got.body, "Please fix the following")
		summary, _, _ = strings.Cut(summary, "</ul>")
		for _, want := range c.errors {
			if !strings.Contains(summary, want) {
				t.Errorf("%s: got status %d and the errors %s, want %q", name, got.status, summary, want)
			}
		}
	}
}

// TestCheckOut_ChooseAvailable checks that kayaks can be chosen without scripts: from the
// list of available kayaks, and by ID and name on one line. The messages after check-out
// and check-in must show the deposits and the charge.
func TestCheckOut_ChooseAvailable(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	page := manager.get("/stores/s1/check-out").body
	if !strings.Contains(page, `name="chosen" value="k10"`) {
		t.Fatalf("got no checkbox for k10, want one: %s", content(page))
	}
	form := url.Values{
		"once": {tokenFor("choose")}, "kayaks": {"k16, Heron 13"}, "chosen": {"k10"}, "person": {"c01"}, "due": {"2026-11-24"},
		"deposit": {"50"}, "deposit-method": {"CASH"}, "do": {"look"},
	}
	review := manager.post("/stores/s1/check-out", form)
	for _, want := range []string{"Heron 10", "Heron 13", "Heron 16", "Expected total, 4 days", "Check out 3 kayaks"} {
		if review.status != http.StatusOK || !strings.Contains(review.body, want) {
			t.Errorf("review: got status %d, want 200 and %q: %s", review.status, want, content(review.body))
		}
	}
	confirmed := hiddenFields(review.body)
	confirmed.Set("do", "take")
	if got := manager.post("/stores/s1/check-out", confirmed); got.status != http.StatusSeeOther {
		t.Fatalf("check-out: got status %d, want 303: %s", got.status, content(got.body))
	}
	if page := manager.get("/stores/s1").body; !strings.Contains(page, "Deposit taken: €150.00, Cash.") {
		t.Errorf("after check-out: got no deposit in the message: %s", content(page))
	}
	charge := manager.get("/stores/s1/return?kayaks=k10,+heron+13").body
	back := hiddenFields(charge)
	back.Set("charge-paid", "CARD")
	back.Set("keep", "40")
	back.Set("keep-why", "Broken rudder")
	back.Set("damage-1", "Rudder broken")
	if got := manager.post("/stores/s1/return", back); got.status != http.StatusSeeOther {
		t.Fatalf("check-in: got status %d, want 303: %s", got.status, content(got.body))
	}
	page = manager.get("/stores/s1").body
	for _, want := range []string{"Charged: €73.00, Card.", "Deposit kept: €40.00.", "Deposit to return: €60.00, Cash."} {
		if !strings.Contains(page, want) {
			t.Errorf("after check-in: got no %q in the message: %s", want, content(page))
		}
	}
	if page := manager.get("/kayaks/k10").body; !strings.Contains(page, "<dd dir=\"auto\">Rudder broken</dd>") && !strings.Contains(page, "condition: Rudder broken") {
		t.Errorf("kayak: got no condition from the damage: %s", content(page))
	}
}

// TestCheckIn_NamesAmountsOfEachRenter checks in two kayaks of two people at once. One kayak
// costs nothing, and the other one has no deposit. The message must contain only the amounts
// that are not zero, with their renters.
func TestCheckIn_NamesAmountsOfEachRenter(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	k, err := shop.Kayak(t.Context(), "k10")
	if err != nil {
		t.Fatal(err)
	}
	k.DailyRate = store.Amount{}
	if err := shop.SaveKayak(t.Context(), *k, ""); err != nil {
		t.Fatal(err)
	}
	for _, out := range []store.CheckOut{
		{Person: "c05", KayakIDs: []string{"k10"}, Deposit: store.MinorUnits(50_00), DepositMethod: store.PayByCash},
		{Person: "c06", KayakIDs: []string{"k13"}},
	} {
		out.StoreID, out.Due = "s1", storetest.Day(2026, 11, 24)
		if _, err := shop.CheckOut(t.Context(), out, b.store.NewToken()); err != nil {
			t.Fatal(err)
		}
	}
	back := hiddenFields(manager.get("/stores/s1/return?kayaks=k10%0Ak13").body)
	back.Set("charge-paid", "CARD")
	if got := manager.post("/stores/s1/return", back); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	_, message, _ := strings.Cut(html.UnescapeString(manager.get("/stores/s1").body), "Checked in: Heron 10 (k10), Heron 13 (k13).")
	names := map[string]string{}
	for _, id := range []string{"c05", "c06"} {
		person, err := shop.Renter(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		names[id] = person.Name
	}
	charge := store.MinorUnits(0)
	if k, err := shop.Kayak(t.Context(), "k13"); err == nil {
		charge = k.DailyRate
	}
	want := " Charged: " + string(views.AppendMoney(nil, charge, "EUR")) + " for " + names["c06"] + ", Card. Deposit to return: €50.00 for " + names["c05"] + ", Cash."
	if !strings.HasPrefix(message, want) {
		t.Errorf("got %.300q, want %q", message, want)
	}
}

// TestCheckIn_DepositWithoutMethod checks in a kayak. Its rental was imported with a deposit,
// but without the payment method of the deposit. The message must name the deposit to return.
func TestCheckIn_DepositWithoutMethod(t *testing.T) {
	b := open(t,
		&store.Kayak{ID: "k90", StoreID: "s1", Name: "Teal", Status: store.KayakOut, Version: 1},
		&store.ActiveRental{StoreID: "s1", PersonID: "c05", KayakID: "k90", KayakName: "Teal", RentalID: "R90", Out: storetest.Now, Due: storetest.Day(2026, 11, 24), Deposit: store.MinorUnits(50_00), Version: 1})
	manager := b.as(t, "manager")
	manager.post("/stores/s1/return", hiddenFields(manager.get("/stores/s1/return?kayaks=k90").body)).want(t, http.StatusSeeOther)
	if got := content(manager.get("/stores/s1").body); !strings.Contains(got, "Teal (k90). Deposit to return: €50.00.") {
		t.Errorf("got no deposit to return: %s", got)
	}
}

// TestStoreForms_FocusOnScan opens the forms in which staff scan kayaks. The field must have
// the focus only while it is empty and the page has no error.
func TestStoreForms_FocusOnScan(t *testing.T) {
	manager := open(t).as(t, "manager")
	for path, want := range map[string]bool{
		"return": true, "extend": true, "check-out": true, "return?kayaks=k04": false, "return?kayaks=k10": false, "extend?kayaks=k04": false, "check-out?kayaks=k10": false,
	} {
		focus := autofocused.FindAllString(manager.get("/stores/s1/"+path).body, -1)
		if got := len(focus) == 1 && strings.Contains(focus[0], `name="kayaks"`); got != want || len(focus) > 1 {
			t.Errorf("%s: got the focus on %q, want it on the kayaks: %v", path, focus, want)
		}
	}
}

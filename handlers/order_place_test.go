package handlers

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stockroom/store"
)

// TestPlaceOrder_SamePhone places an order for a new customer with the phone number of
// another customer. The review must name the other customer, and the form must offer them.
func TestPlaceOrder_SamePhone(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	form := url.Values{
		"customer": {"x"}, "customer-id": {"new"}, "new-name": {"Kim"}, "new-phone": {"+46 70 555 01 77"},
		"product-1": {"SKU-7"}, "quantity-1": {"1"}, "do": {"take"}, "total": {"1.07"}, "once": {b.store.NewToken()},
	}
	if got := support.post("/orders/new", form); got.status != http.StatusSeeOther {
		t.Fatalf("the first customer: got status %d, want 303: %s", got.status, content(got.body))
	}
	kim := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(support.get("/choices/customer?q=kim").body)[1]
	form.Set("new-name", "Lou")
	form.Set("once", b.store.NewToken())
	form.Set("do", "look")
	review := support.post("/orders/new", form)
	if review.status != http.StatusOK || !strings.Contains(review.body, "Other customers have this phone number") || !strings.Contains(review.body, `href="/customers/`+kim+`"`) {
		t.Fatalf("review: got status %d, want 200 and a link to Kim: %s", review.status, content(review.body))
	}
	form.Set("do", "edit")
	if edit := support.post("/orders/new", form).body; !strings.Contains(edit, `value="`+kim+`"`) || !strings.Contains(edit, `value="new" checked`) {
		t.Errorf("edit: got no choice of Kim, or the new customer is not selected: %s", content(edit))
	}
	form = hiddenFields(content(review.body))
	form.Set("do", "take")
	if got := support.post("/orders/new", form); got.status != http.StatusSeeOther {
		t.Errorf("another customer with the same phone number: got status %d, want 303: %s", got.status, content(got.body))
	}
}

// TestPlaceOrder_EmailOfAnother reviews an order for a new customer with the email address of
// an employee or a renter, whom the form can't choose. The review must name this person.
func TestPlaceOrder_EmailOfAnother(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	for email, id := range map[string]string{"robin@example.com": "pp0", b.shop.Employees[0].Email: b.shop.Employees[0].ID} {
		form := url.Values{
			"customer": {"x"}, "customer-id": {"new"}, "new-name": {"Kim"}, "new-email": {email},
			"product-1": {"SKU-7"}, "quantity-1": {"1"}, "do": {"look"}, "once": {b.store.NewToken()},
		}
		if got := support.post("/orders/new", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "("+id+") already has this email address") {
			t.Errorf("%s: got status %d, want 422 and the ID %s: %s", email, got.status, id, content(got.body))
		}
	}
}

// TestPlaceOrder_AddsLine adds a line to an order for a new customer. If the entered values
// are saved as a draft, the response is a redirect, so the server must not search for the
// customer.
func TestPlaceOrder_AddsLine(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	requests := map[bool]int64{}
	for _, isNew := range []bool{false, true} {
		page := support.get("/orders/new")
		form := formIn(page)
		form.Set("do", "add")
		if isNew {
			form.Set("customer-id", "new")
			form.Set("new-name", "Kim")
			form.Set("new-phone", "+46 70 555 01 77")
			form.Set("new-email", "kim@example.com")
		}
		before := b.db.requests.Load()
		if got := support.post(html.UnescapeString(draftForm.FindStringSubmatch(page.body)[1]), form); got.status != http.StatusSeeOther {
			t.Errorf("got status %d, want 303: %s", got.status, content(got.body))
		}
		requests[isNew] = b.db.requests.Load() - before
	}
	if requests[true] != requests[false] {
		t.Errorf("got %d requests with a new customer, want %d as without", requests[true], requests[false])
	}
}

// TestPlaceOrder_KeepsCopiedOrder places an invalid copy of an order. The form must still
// name the copied order.
func TestPlaceOrder_KeepsCopiedOrder(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	for what, form := range map[string]url.Values{
		"an invalid line": {"customer": {"x"}, "customer-id": {"c01"}, "customer-was": {"x"}, "quantity-1": {"x"}},
		"a used address":  {"customer": {"x"}, "customer-id": {"new"}, "new-name": {"Kim"}, "new-email": {"customer7@example.com"}, "quantity-1": {"1"}},
	} {
		form.Set("product-1", "p10")
		form.Set("do", "take")
		form.Set("total", "1.10")
		form.Set("once", b.store.NewToken())
		got := support.post("/orders/new?copy=open", form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `Copied from order <a href="/orders/open"`) {
			t.Errorf("%s: got status %d, want 422 and the copied order: %s", what, got.status, content(got.body))
		}
	}
}

// TestPlaceOrder_AddsCustomer places orders for callers who are not customers yet,
// without JavaScript. The form must keep the entered values. If the last form is
// submitted twice, it must place one order and add one customer.
func TestPlaceOrder_AddsCustomer(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	form := url.Values{
		"customer": {"Noa Mizrahi"}, "customer-id": {"new"}, "new-name": {"Noa " + evil}, "new-phone": {"+49 151 1234 5678"}, "street": {"Torggatan"}, "number": {"4"}, "city": {"Lund"},
		"product-1": {"SKU-7"}, "quantity-1": {"2"}, "do": {"look"}, "once": {b.store.NewToken()},
	}
	send := func(change map[string]string, status int, wants ...string) answer {
		t.Helper()
		sent := maps.Clone(form)
		for name, value := range change {
			sent.Set(name, value)
		}
		got := support.post("/orders/new", sent)
		for _, want := range wants {
			if got.status != status || !strings.Contains(got.body, want) || executable(got.body) != "" {
				t.Errorf("%v: got status %d, want %d and %q: %s", change, got.status, status, want, content(got.body))
			}
		}
		return got
	}
	kept := []string{`value="new" checked`, `value="SKU-7"`, `value="Torggatan"`}
	send(map[string]string{"new-name": ""}, http.StatusUnprocessableEntity, append(kept, "Enter a name.")...)
	both := send(map[string]string{"new-name": "", "product-1": "nothing"}, http.StatusUnprocessableEntity, append(kept[:1:1], "Enter a name.", "No product found.")...)
	if name, product := strings.Index(both.body, `href="#field-new-name"`), strings.Index(both.body, `href="#field-product-1"`); name < 0 || product < name {
		t.Errorf("got the name at %d and the product at %d of the errors, want the name first: %s", name, product, content(both.body))
	}
	send(map[string]string{"new-phone": ""}, http.StatusUnprocessableEntity, append(kept, "Enter a phone number or an email address.")...)
	send(map[string]string{"new-email": "customer7@example.com"}, http.StatusUnprocessableEntity, append(kept, "already has this email address")...)
	send(map[string]string{"city": strings.Repeat("x", 300)}, http.StatusUnprocessableEntity, append(kept, `name="city"`)...)
	send(map[string]string{"product-1": "nothing"}, http.StatusUnprocessableEntity, `value="new" checked`, "No product found.")
	send(map[string]string{"do": "add"}, http.StatusOK, kept...)
	review := send(nil, http.StatusOK, "New customer", "Torggatan 4", "€2.14", `name="new-phone" value="+49 151 1234 5678"`)
	if got := support.get("/choices/customer?q=mizrahi").body; strings.TrimSpace(got) != "[]" {
		t.Errorf("before placing the order: got customers %s, want none", got)
	}
	form = hiddenFields(content(review.body))
	form.Set("do", "take")
	changed := send(map[string]string{"total": "2", "once": b.store.NewToken()}, http.StatusConflict, "Prices have changed", `name="customer" value="Noa `)
	if got := hiddenFields(content(changed.body)).Get("customer-id"); got == "" || got == "new" {
		t.Errorf("after a conflict: got customer %q, want the added one", got)
	}
	form = hiddenFields(content(changed.body))
	form.Set("do", "take")
	first, second := send(nil, http.StatusSeeOther), send(nil, http.StatusSeeOther)
	if first.location == "" || first.location != second.location {
		t.Fatalf("got redirects to %q and %q, want the same order: %s", first.location, second.location, content(first.body))
	}
	if page := support.get(first.location).body; !strings.Contains(page, "Torggatan 4") || !strings.Contains(page, "tel:+4915112345678") {
		t.Errorf("got order %s, want the address and phone number", content(page))
	}
	if got := support.get("/choices/customer?q=%2B4915112345678").body; strings.Count(got, `"id"`) != 1 {
		t.Errorf("got customers %s, want one", got)
	}

	form = url.Values{
		"customer": {"x"}, "customer-id": {"new"}, "new-name": {"Kim Twice"}, "new-phone": {"+46 70 555 01 77"},
		"product-1": {"SKU-7"}, "quantity-1": {"1"}, "do": {"take"}, "total": {"1.07"}, "once": {b.store.NewToken()},
	}
	first, second = send(nil, http.StatusSeeOther), send(nil, http.StatusSeeOther)
	if first.location == "" || first.location != second.location || strings.Count(support.get("/choices/customer?q=twice").body, `"id"`) != 1 {
		t.Errorf("got redirects to %q and %q, want the same order and one customer: %s", first.location, second.location, content(first.body))
	}
	if got := b.as(t, "manager").post("/orders/new", form); got.status != http.StatusForbidden {
		t.Errorf("manager: got status %d, want 403", got.status)
	}
}

// TestPlaceOrder_KeepsCity chooses a customer and reviews the order. The form must show
// the customer's city as before, after going back, after an error and after adding a
// line.
func TestPlaceOrder_KeepsCity(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	note := regexp.MustCompile(`value="c07" checked><span><b dir="auto">[^<]*</b> (<span class="sub" dir="auto">[^<]*</span>)`)
	form := formIn(support.get("/orders/new?customer=c07"))
	form.Set("customer-id", "c07")
	form.Set("product-1", "SKU-7")
	form.Set("quantity-1", "1")
	form.Set("do", "look")
	want := note.FindStringSubmatch(support.get("/orders/new?customer=c07").body)
	if want == nil {
		t.Fatal("got no details of the customer in a new form")
	}
	review := hiddenFields(content(support.post("/orders/new", form).body))
	review.Set("do", "edit")
	wrong, added := maps.Clone(form), maps.Clone(form)
	wrong.Set("product-1", "nothing")
	added.Set("do", "add")
	for name, sent := range map[string]url.Values{"back": review, "an error": wrong, "another line": added} {
		got := note.FindStringSubmatch(support.post("/orders/new", sent).body)
		if got == nil || got[1] != want[1] {
			t.Errorf("%s: got %q, want %q", name, got, want[1])
		}
	}
}

var draftForm = regexp.MustCompile(`<form class="stack" method="post" action="([^"]*)" data-draft>`)

// TestPlaceOrder_KeepsDraft adds a line and reviews an order. The address of the form must
// then show the entered values, also while another form has a draft, until the order is
// placed. A form that was restored before must not place a second order.
func TestPlaceOrder_KeepsDraft(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	page := support.get("/orders/new?customer=c07")
	found := draftForm.FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("got no form: %s", content(page.body))
	}
	action := html.UnescapeString(found[1])
	form := formIn(page)
	form.Set("product-1", "SKU-7")
	form.Set("quantity-1", "11")
	form.Set("do", "add")
	added := support.post(action, form)
	if added.status != http.StatusSeeOther || added.location != action {
		t.Fatalf("got status %d to %q, want 303 to %q: %s", added.status, added.location, action, content(added.body))
	}
	form = formIn(support.get(action))
	if form.Get("product-1") != "SKU-7" || form.Get("quantity-1") != "11" || form.Get("customer-id") != "c07" || !form.Has("product-5") {
		t.Errorf("after another line: got %v, want the entered values and five lines", form)
	}
	other := support.get("/orders/new?customer=c08")
	lines := formIn(other)
	lines.Set("quantity-1", "13")
	lines.Set("do", "add")
	otherAction := html.UnescapeString(draftForm.FindStringSubmatch(other.body)[1])
	support.post(otherAction, lines)
	for address, want := range map[string]string{action: "11", otherAction: "13"} {
		if got := formIn(support.get(address)).Get("quantity-1"); got != want {
			t.Errorf("two forms: %s: got quantity %q, want %q", address, got, want)
		}
	}
	form.Set("product-5", "SKU-8")
	form.Set("quantity-5", "12")
	form.Set("do", "look")
	review := support.post(action, form)
	if got := formIn(support.get(action)); got.Get("quantity-1") != "11" || got.Get("product-5") != "SKU-8" || got.Get("quantity-5") != "12" {
		t.Errorf("after the review: got %v, want the entered values", got)
	}
	if got := formIn(support.get("/orders/new")); got.Get("quantity-1") != "" {
		t.Errorf("another form: got %v, want no values", got)
	}
	restored := formIn(support.get(action))
	restored.Set("do", "look")
	place := hiddenFields(content(review.body))
	place.Set("do", "take")
	placed := support.post(action, place)
	if placed.status != http.StatusSeeOther {
		t.Fatalf("place: got status %d, want 303: %s", placed.status, content(placed.body))
	}
	again := hiddenFields(content(support.post(action, restored).body))
	again.Set("do", "take")
	if got := support.post(action, again); got.location != placed.location {
		t.Errorf("place the restored form: got status %d to %q, want the same order %q: %s", got.status, got.location, placed.location, content(got.body))
	}
	if got := formIn(support.get(otherAction)); got.Get("quantity-1") != "13" {
		t.Errorf("after the order was placed: got %v in the other form, want the entered values", got)
	}
	if got := formIn(support.get(action)); got.Get("quantity-1") != "" || got.Get("customer-id") != "c07" {
		t.Errorf("after the order was placed: got %v, want only the customer", got)
	}
}

// TestOrderForm_NamesChosenProduct submits a new order whose product was chosen after
// typing a part of its name. After an error, the form must show the name of the product.
// The review must keep the name in a hidden field, and Edit must show it too.
func TestOrderForm_NamesChosenProduct(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	product, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Product(t.Context(), "p05")
	if err != nil {
		t.Fatal(err)
	}
	form := hiddenFields(support.get("/orders/new?customer=c07").body)
	for name, value := range map[string]string{"customer": "c07", "product-1": "part", "product-1-id": "p05", "product-1-was": "part", "quantity-1": "x", "do": "look"} {
		form.Set(name, value)
	}
	got := support.post("/orders/new", form)
	if want := `value="` + product.Name + `"`; got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) {
		t.Errorf("invalid quantity: got status %d, want 422 and %s: %s", got.status, want, content(got.body))
	}
	form.Set("quantity-1", "1")
	got = support.post("/orders/new", form)
	if name := hiddenFields(content(got.body)).Get("product-1"); got.status != http.StatusOK || name != product.Name {
		t.Errorf("review: got status %d and the hidden name %q, want 200 and %q", got.status, name, product.Name)
	}
	edit := hiddenFields(content(got.body))
	edit.Set("do", "edit")
	got = support.post("/orders/new", edit)
	if want := `value="` + product.Name + `"`; got.status != http.StatusOK || !strings.Contains(got.body, want) {
		t.Errorf("edit: got status %d, want 200 and %s: %s", got.status, want, content(got.body))
	}
}

package handlers

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// sendAgain submits the form that a script would submit for the user. If the page has no
// such form, it returns the page.
func (b *browser) sendAgain(page answer) answer {
	action := keptAction.FindStringSubmatch(page.body)
	if action == nil {
		return page
	}
	return b.post(html.UnescapeString(action[1]), hiddenFields(page.body))
}

// TestPick_AddsProduct enters the name of an unknown product in a new order, without
// scripts. It adds the product and returns to the order.
func TestPick_AddsProduct(t *testing.T) {
	b := open(t)
	admin, support := b.as(t, "admin"), b.as(t, "support")
	const name = "Zyx <b>stool</b>"
	order := url.Values{"customer": {"c01"}, "product-1": {name}, "quantity-1": {"2"}, "do": {"look"}, "once": {tokenFor("order")}}
	got := admin.post("/orders/new", order)
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `name="product-1-id" value="add:product"`) {
		t.Fatalf("got status %d, want the choice to add the product: %s", got.status, content(got.body))
	}
	if got := support.post("/orders/new", order); strings.Contains(got.body, "add:product") {
		t.Error("support: got the choice to add a product, want none")
	}
	order.Set("product-1-id", "add:product")
	if got := support.post("/orders/new", order); got.status != http.StatusForbidden {
		t.Errorf("support: got status %d, want 403", got.status)
	}
	form := admin.post("/orders/new", order)
	if form.status != http.StatusOK || !strings.Contains(form.body, `action="/products/new"`) || !strings.Contains(form.body, html.EscapeString(name)) || executable(form.body) != "" {
		t.Fatalf("got status %d, want the form of a product: %s", form.status, content(form.body))
	}
	product := hiddenFields(form.body)
	product.Set("name", name)
	rejected := admin.post("/products/new", product)
	if rejected.status != http.StatusUnprocessableEntity || hiddenFields(rejected.body).Get("return") != product.Get("return") {
		t.Errorf("no price: got status %d, want 422 and the order: %s", rejected.status, content(rejected.body))
	}
	product.Set("price", "20")
	back := admin.sendAgain(admin.post("/products/new", product))
	for _, want := range []string{`value="2"`, `name="product-1-id" value="`, "checked", `value="c01"`, html.EscapeString(name), "Review total"} {
		if back.status != http.StatusOK || !strings.Contains(back.body, want) || executable(back.body) != "" {
			t.Errorf("got status %d, want the order with %s: %s", back.status, want, content(back.body))
		}
	}
	if again := admin.sendAgain(admin.post("/products/new", product)); again.body == "" || strings.Count(admin.get("/products.json?name=zyx").body, `"Zyx`) != 1 {
		t.Error("sent twice: got several products, want one")
	}
}

// TestPick_AddsReferencedRecord adds an employee from the form of a customer, and a job
// and a warehouse from the form of an employee. The original forms must be shown again and
// not saved.
func TestPick_AddsReferencedRecord(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for _, tt := range []struct{ path, field, kind, add string }{
		{"/customers/c01/edit", "rep", "employee", "/employees/new"},
		{"/customers/new", "rep", "employee", "/employees/new"},
		{"/employees/new", "job", "job", "/reference/jobs/new"},
		{"/employees/new", "warehouse", "warehouse", "/warehouses/new"},
	} {
		started := url.Values{"name": {"Half filled"}, tt.field: {"Zyx New"}, tt.field + "-id": {"add:" + tt.kind}, "once": {tokenFor(tt.path + tt.field)}, "version": {"1"}}
		form := admin.post(tt.path, started)
		if form.status != http.StatusOK || !strings.Contains(form.body, `action="`+tt.add+`"`) || !strings.Contains(form.body, `value="Zyx New"`) {
			t.Fatalf("%s: got status %d, want the form that adds the record: %s", tt.path, form.status, content(form.body))
		}
		added := hiddenFields(form.body)
		added.Set("name", "Zyx New")
		back := admin.sendAgain(admin.post(tt.add, added))
		for _, want := range []string{"It has not been saved yet.", `value="Half filled"`, `value="Zyx New"`, `name="` + tt.field + `-id" value="`} {
			if back.status != http.StatusUnprocessableEntity || !strings.Contains(back.body, want) {
				t.Errorf("%s: got status %d, want the half-filled form with %s: %s", tt.path, back.status, want, content(back.body))
			}
		}
	}
	if got := admin.get("/customers/c01.json").body; strings.Contains(got, "Half filled") {
		t.Errorf("got a saved customer, want no change: %s", got)
	}
}

// TestCheckOut_AddsKayak enters names of kayaks at check-out, without scripts. For an
// ambiguous name, the form must name the kayaks, the available ones first, and keep the
// text. For an unknown name, it must offer to add the kayak.
func TestCheckOut_AddsKayak(t *testing.T) {
	teal := func(id, at string) *store.Kayak {
		return &store.Kayak{ID: id, StoreID: at, Name: "Teal " + id, Kind: "Sea kayak", Serial: "KY-" + id, Status: store.KayakIn, Version: 1}
	}
	inRepair := teal("t0", "s1")
	inRepair.Status = store.KayakRepair
	b := open(t, inRepair, teal("t1", "s1"), teal("t2", "s1"), teal("t3", "s2"))
	manager := b.as(t, "manager")
	form := url.Values{"person": {"c09"}, "kayaks": {"k10\nteal"}, "due": {"2026-11-24"}, "do": {"look"}, "once": {tokenFor("teal")}}
	got := manager.post("/stores/s1/check-out", form)
	for _, want := range []string{`id="field-kayaks-error">“teal” matches 3 kayaks. Enter one of them: Teal t1 (t1), Teal t2 (t2), Teal t0 (t0).`, "k10\nteal</textarea>"} {
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) || strings.Contains(got.body, `value="teal"`) {
			t.Fatalf("ambiguous name: got status %d, want 422 with %s and no kayak of another store: %s", got.status, want, content(got.body))
		}
	}
	form.Set("kayak", "teal")
	got = manager.post("/stores/s1/check-out", form)
	for _, want := range []string{`name="kayak-id" value="t1"`, `name="kayak-id" value="t2"`, "Choose the kayak below", "k10\nteal</textarea>"} {
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) || strings.Contains(got.body, `value="t3"`) {
			t.Fatalf("ambiguous name in both fields: got status %d, want 422 with %s and no kayak of another store: %s", got.status, want, content(got.body))
		}
	}
	for name, value := range map[string]string{"kayaks": "k10", "kayak": "teal", "kayak-was": "teal", "kayak-id": "t2"} {
		form.Set(name, value)
	}
	if got = manager.post("/stores/s1/check-out", form); got.status != http.StatusOK || !strings.Contains(got.body, "Check out 2 kayaks") || !strings.Contains(got.body, "Teal t2") {
		t.Fatalf("chosen: got status %d, want the form to confirm: %s", got.status, content(got.body))
	}
	for text, want := range map[string]string{"ky t1": "Teal t1", "Teal t2 (t2)": "Teal t2", "T1": "Teal t1"} {
		if got := manager.post("/stores/s1/check-out", url.Values{"person": {"c09"}, "kayaks": {text}, "due": {"2026-11-24"}, "do": {"look"}, "once": {tokenFor(text)}}); got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("%s: got status %d, want %s: %s", text, got.status, want, content(got.body))
		}
	}
	if got := manager.get("/choices/kayak@s1?q=teal"); strings.Count(got.body, `"id"`) != 3 {
		t.Errorf("suggestions: got %s, want three kayaks", got.body)
	}
	if got := b.as(t, "outsider").get("/choices/kayak@s1?q=teal"); got.status != http.StatusNotFound {
		t.Errorf("suggestions for the manager of another store: got status %d, want 404", got.status)
	}
	const name = "Zyx <b>kayak</b>"
	unknown := url.Values{"person": {"c09"}, "kayaks": {"k10\n" + name}, "due": {"2026-11-24"}, "do": {"look"}, "once": {tokenFor("zyx")}}
	if got = manager.post("/stores/s1/check-out", unknown); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "k10\n"+html.EscapeString(name)+"</textarea>") || !strings.Contains(got.body, "No kayak of this store is called") {
		t.Fatalf("unknown kayak: got status %d, want the entered text and its error: %s", got.status, content(got.body))
	}
	for text, want := range map[string]string{
		"zzz\nyyy":  "No kayak of this store is called “zzz”.\nNo kayak of this store is called “yyy”.\nTo add a kayak, enter its name under Kayak by name.",
		"zzz, teal": "“teal” matches 3 kayaks. Enter one of them: Teal t1 (t1), Teal t2 (t2), Teal t0 (t0).\nNo kayak of this store is called “zzz”.\nTo add a kayak",
		"tea\nteal": "“tea” matches 3 kayaks. Enter one of them: Teal t1 (t1), Teal t2 (t2), Teal t0 (t0).\n“teal” matches 3 kayaks. Enter one of them: Teal t1 (t1), Teal t2 (t2), Teal t0 (t0).</p>",
	} {
		several := url.Values{"person": {"c09"}, "kayaks": {text}, "due": {"2026-11-24"}, "do": {"look"}, "once": {tokenFor(text)}}
		if got := manager.post("/stores/s1/check-out", several); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) || !strings.Contains(got.body, text+"</textarea>") {
			t.Errorf("%s: got status %d, want the entered texts and %q: %s", text, got.status, want, content(got.body))
		}
	}
	unknown.Set("kayaks", "k10")
	unknown.Set("kayak", name)
	if got = manager.post("/stores/s1/check-out", unknown); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `name="kayak-id" value="add:kayak@s1"`) {
		t.Fatalf("unknown name: got status %d, want the choice to add the kayak: %s", got.status, content(got.body))
	}
	for name, value := range map[string]string{"kayaks": "k10", "kayak": name, "kayak-was": name, "kayak-id": "add:kayak@s1"} {
		unknown.Set(name, value)
	}
	if got := b.as(t, "outsider").post("/stores/s1/check-out", unknown); got.status != http.StatusNotFound {
		t.Errorf("manager of another store: got status %d, want 404", got.status)
	}
	added := manager.post("/stores/s1/check-out", unknown)
	if added.status != http.StatusOK || !strings.Contains(added.body, `action="/stores/s1/kayaks/new"`) || !strings.Contains(added.body, html.EscapeString(name)) || executable(added.body) != "" {
		t.Fatalf("got status %d, want the form of a kayak: %s", added.status, content(added.body))
	}
	kayak := hiddenFields(added.body)
	kayak.Set("name", name)
	kayak.Set("kind", "Sea kayak")
	kayak.Set("rate", "32")
	back := manager.sendAgain(manager.post("/stores/s1/kayaks/new", kayak))
	for _, want := range []string{"k10\n" + html.EscapeString(name) + " (", `name="person-id" value="c09" checked`, "It has not been saved yet."} {
		if back.status != http.StatusUnprocessableEntity || !strings.Contains(back.body, want) || executable(back.body) != "" {
			t.Errorf("got status %d, want the check-out with %s: %s", back.status, want, content(back.body))
		}
	}
	if again := manager.sendAgain(manager.post("/stores/s1/kayaks/new", kayak)); again.body == "" || strings.Count(manager.get("/choices/kayak@s1?q=zyx").body, `"id"`) != 1 {
		t.Error("sent twice: got several kayaks, want one")
	}
}

// TestScope_AddsPlace adds a warehouse and a store from the scope field of a user's
// form, without scripts. The user must not be saved until the user's form is submitted
// again.
func TestScope_AddsPlace(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for _, tt := range []struct{ path, noun, add, prefix string }{
		{"/admin/users", "warehouse", "/warehouses/new", "w#"},
		{"/admin/users", "store", "/stores/new", "store#"},
		{"/admin/users/outsider/role", "store", "/stores/new", "store#"},
	} {
		name := "Zyx" + tt.noun + tt.path[len("/admin/users"):]
		form := url.Values{"role": {"manager"}, "scope": {name}, "places": {"w#w1"}, "version": {"1"}, "once": {tokenFor(tt.path + tt.noun)}}
		if tt.path == "/admin/users" {
			form.Set("name", "Mia")
		}
		if got := admin.post(tt.path, form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Add "+tt.noun+" “"+name+"”") {
			t.Fatalf("%s: got status %d, want the choice to add a %s: %s", tt.path, got.status, tt.noun, content(got.body))
		}
		form.Set("scope-id", "add:place@"+tt.noun)
		added := admin.post(tt.path, form)
		if added.status != http.StatusOK || !strings.Contains(added.body, `action="`+tt.add+`"`) || !strings.Contains(added.body, `value="`+name+`"`) {
			t.Fatalf("%s: got status %d, want the form that adds a %s: %s", tt.path, added.status, tt.noun, content(added.body))
		}
		place := hiddenFields(added.body)
		place.Set("name", name)
		back := admin.sendAgain(admin.post(tt.add, place))
		for _, want := range []string{"It has not been saved yet.", `value="` + name + `"`, `name="scope-id" value="` + tt.prefix, `name="places" value="w#w1" checked`} {
			if back.status != http.StatusUnprocessableEntity || !strings.Contains(back.body, want) {
				t.Errorf("%s: got status %d, want the half-filled form with %s: %s", tt.path, back.status, want, content(back.body))
			}
		}
	}
	if got := admin.get("/admin/users").body; strings.Contains(got, "Mia") {
		t.Error("got a saved user, want none yet")
	}
}

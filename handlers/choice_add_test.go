package handlers

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// sendAgain submits the form of a page that normally submits itself.
func (b *browser) sendAgain(page answer) answer {
	action := keptAction.FindStringSubmatch(page.body)
	if action == nil {
		return page
	}
	return b.post(html.UnescapeString(action[1]), hiddenFields(page.body))
}

// TestPick_AddsProduct names an unknown product in a new order, without scripts. It
// adds the product and returns to the order.
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

// TestPick_AddsReferencedRecord adds an employee from the form of a customer, and a
// job from the form of an employee. The original forms must be shown again and not
// saved.
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

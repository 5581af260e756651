package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// bulkForm returns the form that previews new prices of three products, one of which
// does not exist.
func bulkForm(token string) url.Values {
	return url.Values{"product": {"p01", "p02", "none", "p01"}, "percent": {"10"}, "rounding": {"1"}, "why": {"New list"}, "once": {tokenFor(token)}}
}

// TestBulkChange_PreviewsAndChanges selects products in the list, previews new prices
// and changes them. It submits each form twice. After the preview, one of the products
// is edited. The bulk change must not change this product.
func TestBulkChange_PreviewsAndChanges(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	list := admin.get("/products?category=Chairs").body
	for _, want := range []string{`name="product" value="p01"`, `name="do" value="PRICE"`, `<input type="hidden" name="category" value="Chairs">`} {
		if !strings.Contains(list, want) {
			t.Errorf("got no %s in the list", want)
		}
	}
	if got := admin.get("/products/bulk?do=PRICE&product=p01&name=a+b"); got.location != "/products/bulk/price?name=a+b&product=p01" {
		t.Errorf("got redirect to %s, want the form", got.location)
	}
	if form := admin.get("/products/bulk/price?product=p01&product=p02").body; !strings.Contains(form, "2 products selected.") || strings.Count(form, `type="hidden" name="product"`) != 2 {
		t.Errorf("got form %s, want it for two products", form)
	}
	preview := admin.post("/products/bulk/price", bulkForm("bulk"))
	if again := admin.post("/products/bulk/price", bulkForm("bulk")); preview.status != http.StatusSeeOther || again.location != preview.location {
		t.Fatalf("got %d to %s, then %d to %s, want the same preview twice", preview.status, preview.location, again.status, again.location)
	}
	other := bulkForm("bulk")
	other.Set("percent", "11")
	if got := admin.post("/products/bulk/price", other); got.status != http.StatusConflict {
		t.Errorf("the same form with other values: got status %d, want 409", got.status)
	}
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	before, err := shop.Product(t.Context(), "p01")
	if err != nil {
		t.Fatal(err)
	}
	page := admin.get(preview.location).body
	for _, want := range []string{"Price +10%, round to 1", "Change 2 products", "Nothing has been changed yet.", "Product not found.", "Skipped"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the preview: %s", want, page)
		}
	}
	if got := admin.post("/products/p02/edit", url.Values{"name": {"Other"}, "price": {"1"}, "sku": {"SKU-2"}, "version": {"1"}, "once": {tokenFor("edit")}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303 for the edit: %s", got.status, got.body)
	}
	for range 2 {
		start := url.Values{"version": {shownVersion(answer{body: page})}, "once": {tokenFor("start")}}
		if got := admin.post(preview.location+"/run", start); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want a redirect: %s", got.status, got.body)
		}
	}
	csv := admin.get(preview.location + ".csv").body
	for _, want := range []string{",p01,", ",CHANGED,", ",p02,", `FAILED,"Changed after the preview."`, ",none,", `SKIPPED,"Product not found."`} {
		if !strings.Contains(csv, want) {
			t.Errorf("got no %q in the CSV file: %s", want, csv)
		}
	}
	if failed := admin.get(preview.location + "?show=failures").body; strings.Contains(failed, `href="/products/p01"`) || !strings.Contains(failed, `href="/products/p02"`) {
		t.Errorf("got failures %s, want only p02", failed)
	}
	if skipped := admin.get(preview.location + "?show=skipped").body; strings.Contains(skipped, `href="/products/p01"`) || !strings.Contains(skipped, "Product not found.") || strings.Contains(skipped, `href="/products/p02"`) {
		t.Errorf("got skipped rows %s, want only the product that does not exist", content(skipped))
	}
	after, err := shop.Product(t.Context(), "p01")
	if err != nil || after.Version != before.Version+1 || after.Price.Compare(before.Price) == 0 {
		t.Errorf("got %+v, %v, want the price changed once", after, err)
	}
	events, err := shop.Events(t.Context(), store.EventFilter{About: "p#p01"}, store.Page{})
	if err != nil || len(events.Rows) != 1 || !strings.HasSuffix(events.Rows[0].Why, "New list") {
		t.Errorf("got events %+v, %v, want one with the reason", events.Rows, err)
	}
	stale := url.Values{"version": {"1"}, "once": {tokenFor("stale")}}
	if got := admin.post(preview.location+"/run", stale); got.status != http.StatusConflict || !strings.Contains(got.body, `role="alert"`) {
		t.Errorf("got status %d for a stale form, want 409 with the reason", got.status)
	}
	if got := admin.get("/bulk").body; !strings.Contains(got, preview.location) {
		t.Errorf("got no link to the change: %s", got)
	}
}

// TestBulkChange_ChangesAllThatMatch checks that a bulk change of a whole category
// is previewed and made in the background.
func TestBulkChange_ChangesAllThatMatch(t *testing.T) {
	var many []store.Entity
	for n := range 60 {
		many = append(many, &store.Product{ID: fmt.Sprintf("m%02d", n), Name: fmt.Sprintf("Many %02d", n), Category: "Many", Version: 1})
	}
	b := open(t, append(many, category("Few"))...)
	admin := b.as(t, "admin")
	got := admin.post("/products/bulk/category", url.Values{"all": {"yes"}, "filter-category": {"Many"}, "filter-bucket": {""}, "filter-name": {""}, "category": {"Few"}, "once": {tokenFor("all")}})
	id := strings.TrimPrefix(got.location, "/bulk/")
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	wait := func(state store.BulkState) *store.BulkChange {
		t.Helper()
		for {
			change, err := shop.BulkChange(t.Context(), id)
			if err != nil || change.State == state {
				return change
			}
			if page := admin.get(got.location); page.status != http.StatusOK { // the page must also work while the change runs
				t.Fatalf("got status %d, want 200: %s", page.status, page.body)
			}
		}
	}
	ready := wait(store.BulkReady)
	if ready.Rows != len(many) {
		t.Fatalf("got %d products in the preview, want %d", ready.Rows, len(many))
	}
	first := admin.get(got.location).body
	if !strings.Contains(first, "more on the next page") || !strings.Contains(first, "Change 60 products") {
		t.Errorf("got preview %s, want the first page of 60", first)
	}
	if got := admin.post(got.location+"/run", url.Values{"version": {fmt.Sprint(ready.Version)}, "once": {tokenFor("run")}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, got.body)
	}
	if done := wait(store.BulkDone); done.Changed != len(many) {
		t.Errorf("got %+v, want all changed", done)
	}
}

func category(name string) *store.Reference {
	return &store.Reference{Kind: store.Category, ID: store.CategoryID(name), Name: name, Version: 1}
}

// TestBulkChange_EscapesHostileText checks that the pages of a bulk change escape hostile
// values of the category and the reason.
func TestBulkChange_EscapesHostileText(t *testing.T) {
	const hostile = `"><script>alert(1)</script>`
	admin := open(t, category(hostile)).as(t, "admin")
	got := admin.post("/products/bulk/category", url.Values{"product": {"p01", hostile}, "category": {hostile}, "why": {hostile}, "once": {tokenFor("hostile")}})
	if got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, got.body)
	}
	for _, address := range []string{got.location, "/bulk", "/products/bulk/category?product=" + url.QueryEscape(hostile) + "&all=yes&name=" + url.QueryEscape(hostile)} {
		if page := admin.get(address); page.status != http.StatusOK || strings.Contains(page.body, hostile) || strings.Contains(page.body, "<script>alert") {
			t.Errorf("%s: got status %d and hostile text", address, page.status)
		}
	}
}

// TestBulkChange_StaysInScope checks that managers can neither make nor see bulk changes of
// other managers' warehouses.
func TestBulkChange_StaysInScope(t *testing.T) {
	b := open(t)
	manager, outsider := b.as(t, "manager"), b.as(t, "outsider")
	form := url.Values{"product": {"p01", "p05"}, "warehouse": {"w1"}, "reorder": {"4"}, "once": {tokenFor("scope")}}
	if got := outsider.post("/products/bulk/reorder-point", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Choose a warehouse that you manage.") {
		t.Errorf("outsider: got status %d, want 422", got.status)
	}
	got := manager.post("/products/bulk/reorder-point", form)
	if page := manager.get(got.location); page.status != http.StatusOK || !strings.Contains(page.body, "Reorder point 4 in Borås") {
		t.Errorf("manager: got status %d: %s", page.status, page.body)
	}
	for _, path := range []string{"", "/run", "/stop"} {
		answer := outsider.get(got.location)
		if path != "" {
			answer = outsider.post(got.location+path, url.Values{"version": {"2"}})
		}
		if answer.status != http.StatusNotFound {
			t.Errorf("outsider: %s: got status %d, want 404", path, answer.status)
		}
	}
	if got := b.as(t, "admin").post(got.location+"/run", url.Values{"version": {shownVersion(manager.get(got.location))}}); got.status != http.StatusForbidden {
		t.Errorf("admin: got status %d for the change of another user, want 403", got.status)
	}
	list := manager.get("/products").body
	if strings.Contains(list, `value="PRICE"`) || !strings.Contains(list, `value="REORDER_POINT"`) {
		t.Errorf("got buttons that the manager may not use: %s", list)
	}
	if got := b.as(t, "support").get("/products").body; strings.Contains(got, `name="product"`) {
		t.Error("support: got checkboxes, want none")
	}
}

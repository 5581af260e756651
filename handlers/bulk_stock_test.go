package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// TestBulkChange_AddsDeliveriesOfLowStock checks that expected deliveries are added for
// selected low stock, with a quantity that was edited in the preview.
func TestBulkChange_AddsDeliveriesOfLowStock(t *testing.T) {
	b := open(t,
		&store.Product{ID: "low1", Name: "Low 1", Version: 1}, &store.Product{ID: "low2", Name: "Low 2", Version: 1},
		&store.WarehouseItem{ProductID: "low1", WarehouseID: "w1", Name: "low1", Quantity: 1, ReorderPoint: 4, Version: 1},
		&store.WarehouseItem{ProductID: "low2", WarehouseID: "w1", Name: "low2", Quantity: 0, ReorderPoint: 9, Version: 1},
	)
	manager := b.as(t, "manager")
	list := manager.get("/stock/low").body
	for _, want := range []string{`name="stock" value="low1#w1"`, `value="DELIVERY"`, `value="TRANSFER"`, `name="all"`} {
		if !strings.Contains(list, want) {
			t.Errorf("got no %s in the list", want)
		}
	}
	if viewer := b.as(t, "viewer").get("/stock/low").body; strings.Contains(viewer, `name="stock"`) {
		t.Error("viewer: got checkboxes, want none")
	}
	if got := manager.get("/stock/low/bulk?do=DELIVERY&stock=low1%23w1&warehouse=w1&show=out"); got.location != "/stock/low/bulk/delivery?show=out&stock=low1%23w1&warehouse=w1" {
		t.Errorf("got redirect to %s, want the form", got.location)
	}
	if got := manager.get("/stock/low/bulk?do=PRICE&stock=low1%23w1"); got.location != "/stock/low" {
		t.Errorf("the button of another list: got redirect to %s, want the list", got.location)
	}
	form := url.Values{"stock": {"low1#w1", "low2#w1"}, "due": {"tomorrow"}, "supplier": {"Acme"}, "once": {tokenFor("low")}}
	preview := manager.post("/stock/low/bulk/delivery", form)
	if preview.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", preview.status, preview.body)
	}
	page := manager.get(preview.location).body
	for _, want := range []string{"Nothing has been added yet. 2 expected deliveries will be added.", "Add 2 expected deliveries", "1 on hand, 0 incoming, reorder point 4", `href="/warehouses/w1" dir="auto">Borås`, `name="quantity-1"`, `value="4"`, `value="10"`, "22 Nov 2026"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the preview: %s", want, content(page))
		}
	}
	edit := func(button, first, second, token string) answer {
		return manager.post(preview.location+"/run", url.Values{
			"first": {"1"}, "rows": {"2"}, "page": {"limit=50&show=failures"}, "quantity-1": {first}, "quantity-2": {second}, "do": {button},
			"version": {shownVersion(answer{body: page})}, "once": {tokenFor(token)},
		})
	}
	if got := edit("save", "x", "12", "wrong"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Enter a whole number, such as 12.") || !strings.Contains(got.body, `value="12"`) {
		t.Errorf("got status %d and %s, want the error and the entered quantities", got.status, content(got.body))
	}
	for range 2 {
		if got := edit("save", "0", "12", "save"); got.status != http.StatusSeeOther || got.location != preview.location+"?limit=50" {
			t.Fatalf("got status %d to %s, want 303 to %s: %s", got.status, got.location, preview.location+"?limit=50", content(got.body))
		}
	}
	if got := edit("save", "3", "12", "stale"); got.status != http.StatusConflict {
		t.Errorf("got status %d for an outdated form, want 409", got.status)
	}
	page = manager.get(preview.location).body
	for _, want := range []string{"1 expected delivery will be added. Skipped: 1 of 2 products.", "Add 1 expected delivery<", "The quantity is 0."} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the preview: %s", want, content(page))
		}
	}
	for range 2 {
		if got := edit("run", "2", "13", "run"); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	if done := manager.get(preview.location).body; !strings.Contains(done, "Added") || !strings.Contains(done, "can't be undone. Cancel the expected deliveries instead.") || strings.Contains(done, "Preview undo") {
		t.Errorf("got the result %s, want both added and no undo", content(done))
	}
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	for id, want := range map[string]string{"low1": "2 Acme", "low2": "13 Acme"} {
		found, err := shop.DeliveriesOfStock(t.Context(), id, "w1", store.Page{})
		if err != nil || len(found.Rows) != 1 || fmt.Sprint(found.Rows[0].Quantity, " ", found.Rows[0].Supplier) != want || found.Rows[0].Due.Day() != 22 {
			t.Errorf("%s: got %+v, %v, want %s once", id, found.Rows, err, want)
		}
	}
	if got := b.as(t, "outsider").get(preview.location); got.status != http.StatusNotFound {
		t.Errorf("outsider: got status %d, want 404", got.status)
	}
	for what, rejected := range map[string]url.Values{
		"past day":      {"stock": {"low1#w1"}, "due": {"yesterday"}},
		"no day":        {"stock": {"low1#w1"}},
		"no selection":  {"due": {"tomorrow"}},
		"other's stock": {"stock": {"low1#w2"}, "due": {"tomorrow"}},
		"hostile ID":    {"stock": {"low1"}, "due": {"tomorrow"}},
		"hostile list":  {"all": {"yes"}, "filter-show": {"x"}, "due": {"tomorrow"}},
	} {
		rejected.Set("once", tokenFor(what))
		if got := manager.post("/stock/low/bulk/delivery", rejected); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got status %d, want 422", what, got.status)
		}
	}
}

// TestBulkChange_KeepsQuantitiesOfPages enters a quantity in the preview. It then opens
// the next page and the previous page with the buttons below the quantities. The
// quantity must be kept.
func TestBulkChange_KeepsQuantitiesOfPages(t *testing.T) {
	b := open(
		t,
		&store.Product{ID: "low1", Name: "Low 1", Version: 1}, &store.Product{ID: "low2", Name: "Low 2", Version: 1},
		&store.WarehouseItem{ProductID: "low1", WarehouseID: "w1", Name: "low1", Quantity: 1, ReorderPoint: 4, Version: 1},
		&store.WarehouseItem{ProductID: "low2", WarehouseID: "w1", Name: "low2", Quantity: 0, ReorderPoint: 9, Version: 1},
	)
	manager := b.as(t, "manager")
	preview := manager.post("/stock/low/bulk/delivery", url.Values{"stock": {"low1#w1", "low2#w1"}, "due": {"tomorrow"}, "once": {tokenFor("low")}})
	page := manager.get(preview.location + "?limit=1").body
	turn := func(button, quantity string) answer {
		t.Helper()
		_, query, found := strings.Cut(page, `name="`+button+`" value="`)
		if !found {
			t.Fatalf("got no button %s in the page: %s", button, content(page))
		}
		query, _, _ = strings.Cut(query, `"`)
		number := "1"
		if button == "before" {
			number = "2"
		}
		return manager.post(preview.location+"/run", url.Values{
			"first": {number}, "rows": {"1"}, "page": {"limit=1"}, button: {strings.ReplaceAll(query, "&amp;", "&")}, "quantity-1": {quantity}, "do": {button},
			"version": {shownVersion(answer{body: page})}, "once": {tokenFor(button + quantity)},
		})
	}
	if got := turn("next", "x"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `name="next"`) {
		t.Errorf("got status %d and %s, want the error and the button", got.status, content(got.body))
	}
	next := turn("next", "7")
	if page = manager.get(next.location).body; !strings.Contains(page, "Low 2") || strings.Contains(page, "Low 1") || strings.Contains(page, `name="next"`) {
		t.Fatalf("got %s, want the second row at %s", content(page), next.location)
	}
	if before := turn("before", "8"); !strings.Contains(manager.get(before.location).body, `value="7"`) {
		t.Errorf("got %s, want the entered quantity", content(manager.get(before.location).body))
	}
	if all := manager.get(preview.location).body; !strings.Contains(all, `value="7"`) || !strings.Contains(all, `value="8"`) {
		t.Errorf("got %s, want both quantities", content(all))
	}
}

// TestBulkChange_SendsReminders sends payment reminders of selected invoices. An invoice
// must get at most one reminder a day. The test also checks where the list of invoices has
// the buttons to send reminders and to print.
func TestBulkChange_SendsReminders(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	for address, want := range map[string]bool{"/invoices?status=DUE": true, "/invoices?status=UNPAID": true, "/invoices": true, "/invoices?status=PAID": false} {
		if got := strings.Contains(support.get(address).body, `value="INVOICE_REMINDER"`); got != want {
			t.Errorf("%s: got the button %v, want %v", address, got, want)
		}
	}
	if got := b.as(t, "manager").get("/invoices?status=DUE").body; strings.Contains(got, `value="INVOICE_REMINDER"`) || !strings.Contains(got, `value="print"`) {
		t.Error("manager: got the button for reminders or no button to print")
	}
	preview := support.post("/invoices/bulk/reminder", url.Values{"invoice": {"open#iopen", "none#none"}, "once": {tokenFor("remind")}})
	page := support.get(preview.location).body
	for _, want := range []string{"Nothing has been sent yet. 1 reminder will be sent. Skipped: 1 of 2 invoices.", "Send 1 reminder<", "Customer1@example.com", "Åsa 1", "Invoice not found."} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the preview: %s", want, content(page))
		}
	}
	if strings.Contains(page, `"/customers/"`) {
		t.Errorf("got a link without a customer for an invoice that does not exist: %s", content(page))
	}
	if csv := support.get(preview.location + ".csv").body; strings.Contains(csv, "@") || strings.Contains(csv, "Åsa") || !strings.Contains(csv, ",iopen,c01,") {
		t.Errorf("got the CSV file %s, want no personal data", csv)
	}
	for range 2 {
		if got := support.post(preview.location+"/run", url.Values{"version": {shownVersion(answer{body: page})}, "once": {tokenFor("run")}}); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	if done := support.get(preview.location).body; !strings.Contains(done, "Email queued") || !strings.Contains(done, "A queued or sent email can&#39;t be recalled.") {
		t.Errorf("got the result %s, want the email queued", content(done))
	}
	if order := support.get("/orders/open").body; strings.Count(order, "reminder of invoice iopen") != 1 {
		t.Errorf("got the order %s, want the reminder once in its history", content(order))
	}
	again := support.post("/invoices/bulk/reminder", url.Values{"invoice": {"open#iopen"}, "once": {tokenFor("again")}})
	if page := support.get(again.location).body; !strings.Contains(page, "Not sent, because a reminder was already sent today.") || strings.Contains(page, "Send 1 reminder") {
		t.Errorf("got the preview %s, want nothing to send", content(page))
	}
	if got := b.as(t, "manager").get(preview.location); got.status != http.StatusNotFound {
		t.Errorf("manager: got status %d, want 404", got.status)
	}
}

func TestBulkPrint(t *testing.T) {
	b := open(t, openOrder()...)
	viewer := b.as(t, "viewer")
	page := viewer.get("/invoices/print?invoice=open%23iopen&invoice=o0003%23io0003&invoice=none%23none&invoice=open%23iopen").body
	if strings.Count(page, `<article class="slip">`) != 2 || strings.Count(page, "<h1") != 1 || !strings.Contains(page, "iopen") || !strings.Contains(page, "io0003") {
		t.Errorf("got %s, want two invoices", content(page))
	}
	if pdf := viewer.get("/invoices/print/pdf?invoice=open%23iopen&invoice=o0003%23io0003").body; !strings.HasPrefix(pdf, "%PDF-") || strings.Count(pdf, "/Type /Page\n") != 2 {
		t.Errorf("got %d bytes, want a PDF with two pages", len(pdf))
	}
	many := url.Values{}
	for n := range maxPrinted + 1 {
		many.Add("invoice", fmt.Sprintf("o%d#i%d", n, n))
	}
	for address, want := range map[string]int{
		"/invoices/print?" + many.Encode(): http.StatusUnprocessableEntity, "/invoices/print/pdf": http.StatusSeeOther, "/invoices/print?all=yes&status=x": http.StatusUnprocessableEntity,
		"/invoices/print": http.StatusOK, "/rentals/overdue/print": http.StatusOK,
	} {
		if got := viewer.get(address); got.status != want {
			t.Errorf("%.60s: got status %d, want %d", address, got.status, want)
		}
	}
	if got := viewer.get("/invoices/print?" + many.Encode()).body; !strings.Contains(got, "More than 50 invoices are selected.") {
		t.Errorf("got %s, want the maximum", content(got))
	}
	all := viewer.get("/rentals/overdue/print?all=yes").body
	if !strings.Contains(all, "Overdue kayaks") || !strings.Contains(all, "Customer4@example.com") {
		t.Errorf("got %s, want the overdue kayaks with their renters", content(all))
	}
	if got := b.as(t, "outsider").get("/rentals/overdue/print?rental=s1%23c04%23k04").body; strings.Contains(got, "Customer4@example.com") {
		t.Errorf("outsider: got a kayak of another store: %s", content(got))
	}
}

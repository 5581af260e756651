package handlers

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stockroom/store"
)

const transferOfW1 = "/warehouses/w1/transfer"

var transferReceipt = regexp.MustCompile(`href="(/products/p07/transfers/[^"]+/receive)"`)

// TestTransfer_SentAndReceived checks that products can be sent, received in two parts
// and written off without JavaScript. It submits each form twice.
func TestTransfer_SentAndReceived(t *testing.T) {
	b := open(t)
	sender, receiver := b.as(t, "manager"), b.as(t, "outsider")
	page := sender.get(transferOfW1).body
	for range 2 {
		page = sender.post(transferOfW1, with(sheetForm(page), map[string]string{"product": "SKU-7", "do": "add"})).body
	}
	form := with(sheetForm(page), map[string]string{"to": "w2", "reason": "<more>", "do": "send"})
	if form.Get("product-1") != "p07" || form.Get("quantity-1") != "2" || !strings.Contains(page, "14 on hand") {
		t.Fatalf("got the form %v, want two p07 of 14: %s", form, page)
	}
	form.Set("quantity-1", "10")
	for range 2 {
		if got := sender.post(transferOfW1, form); got.status != http.StatusSeeOther || got.location != "/transfers?show=sent&warehouse=w1" {
			t.Fatalf("got status %d to %s, want 303 to the transfers of w1: %s", got.status, got.location, got.body)
		}
	}
	if here, there, transit := b.quantity(t, "p07", "w1"), b.quantity(t, "p07", "w2"), b.incoming(t, "p07"); here != 4 || there != 0 || transit != 10 {
		t.Errorf("got %d, %d and %d in transit; want 4, 0 and 10", here, there, transit)
	}
	var receive string
	for _, path := range []string{"/transfers", "/products/p07", "/products/p07/stock/w2", "/warehouses/w2"} {
		link := transferReceipt.FindStringSubmatch(receiver.get(path).body)
		if link == nil {
			t.Fatalf("%s: got no link to receive the transfer", path)
		}
		receive = link[1]
	}
	if page := sender.get("/transfers?show=sent").body; !strings.Contains(page, "/cancel") {
		t.Errorf("got no link to cancel the transfer: %s", page)
	}
	for _, step := range []map[string]string{{"quantity": "6"}, {"quantity": "3", "rest": "missing", "reason": "broken <glass>"}} {
		fields := hidden(receiver.get(receive).body)
		form := with(url.Values{"version": {fields["version"]}, "once": {fields["once"]}}, step)
		for range 2 {
			if got := receiver.post(receive, form); got.status != http.StatusSeeOther || got.location != "/products/p07/stock/w2" {
				t.Fatalf("got status %d to %s, want 303 to %s: %s", got.status, got.location, "/products/p07/stock/w2", got.body)
			}
		}
	}
	if n, transit := b.quantity(t, "p07", "w2"), b.incoming(t, "p07"); n != 9 || transit != 0 {
		t.Errorf("got %d on hand and %d in transit, want 9 and 0", n, transit)
	}
	page = receiver.get("/products/p07/stock/w2").body
	for _, want := range []string{"Transfer from Borås: &lt;more&gt;", "Difference in transfer from Borås: broken &lt;glass&gt;", "No transfers of this product in transit to this warehouse."} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q on the page of the stock", want)
		}
	}
	if page := receiver.get(receive).body; !strings.Contains(page, "No pieces of this transfer are still in transit.") {
		t.Errorf("got the form of a received transfer: %s", page)
	}
	history := b.as(t, "admin").get("/admin/events").body
	for _, want := range []string{"Transfer to warehouse w2 sent", "Transfer received at warehouse w2"} {
		if !strings.Contains(history, want) {
			t.Errorf("got no %q in the history", want)
		}
	}
}

// TestTransfer_ConflictKeepsInput receives a transfer in two browsers. The second browser
// must get a conflict, keep its input, and show what is still in transit.
func TestTransfer_ConflictKeepsInput(t *testing.T) {
	b := open(t, openOrder()...)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	const receive = "/products/p03/transfers/t1/receive"
	first, second := hidden(manager.get(receive).body), hidden(admin.get(receive).body)
	if got := manager.post(receive, url.Values{"quantity": {"4"}, "version": {first["version"]}, "once": {first["once"]}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, got.body)
	}
	got := admin.post(receive, url.Values{"quantity": {"6"}, "reason": {"<six>"}, "version": {second["version"]}, "once": {second["once"]}})
	if got.status != http.StatusConflict {
		t.Fatalf("got status %d, want 409", got.status)
	}
	for _, want := range []string{`value="6"`, `value="<six>"`, "2 pieces in transit", "Someone else changed this first."} {
		if !strings.Contains(html.UnescapeString(got.body), want) {
			t.Errorf("got no %s in the form: %s", want, got.body)
		}
	}
}

// TestTransfer_ShowsErrorsAtFields submits invalid transfers and receipts. The pages
// must show the errors and keep the entered values.
func TestTransfer_ShowsErrorsAtFields(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	valid := with(sheetForm(manager.get(transferOfW1+"?product=SKU-7").body), map[string]string{"to": "w2", "reason": "<r>", "do": "send"})
	for name, tt := range map[string]struct {
		values map[string]string
		want   string
	}{
		"no warehouse":    {map[string]string{"to": ""}, "Choose another warehouse."},
		"own warehouse":   {map[string]string{"to": "w1"}, "Choose another warehouse."},
		"no number":       {map[string]string{"quantity-1": "many"}, "Enter a whole number"},
		"too many":        {map[string]string{"quantity-1": "15"}, "Only 14 in stock"},
		"nothing":         {map[string]string{"quantity-1": ""}, "Enter the quantity of at least one product."},
		"pending product": {map[string]string{"product": "SKU-8"}, "Add this product, or clear the field."},
		"unknown product": {map[string]string{"product": "nothing <i>", "do": "add"}, "No product found"},
	} {
		form := with(valid, tt.values)
		got := manager.post(transferOfW1, form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s: got status %d, want 422 and %q: %s", name, got.status, tt.want, got.body)
			continue
		}
		shown := sheetForm(got.body)
		if shown.Get("quantity-1") != form.Get("quantity-1") || shown.Get("reason") != "<r>" || shown.Get("once") == form.Get("once") {
			t.Errorf("%s: got the form %v, want what was entered", name, shown)
		}
	}
	const receive = "/products/p03/transfers/t1/receive"
	fields := hidden(manager.get(receive).body)
	for want, values := range map[string]map[string]string{
		"Enter a whole number from 0":          {"quantity": "-1"},
		"Enter the reason for the difference.": {"quantity": "7"},
		"Enter one line":                       {"quantity": "2", "reason": strings.Repeat("x", 301)},
	} {
		form := with(url.Values{"version": {fields["version"]}, "once": {fields["once"]}, "rest": {"missing"}}, values)
		if got := manager.post(receive, form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) || !strings.Contains(got.body, `value="`+values["quantity"]+`"`) || !strings.Contains(got.body, "selected") {
			t.Errorf("receipt of %v: got status %d, want 422, %q and the input: %s", values, got.status, want, got.body)
		}
	}
	if n := b.quantity(t, "p07", "w1"); n != 14 {
		t.Errorf("got %d on hand after rejected forms, want 14", n)
	}
	for _, path := range []string{receive, "/products/p03/transfers/t2/cancel"} {
		if got := b.as(t, "outsider").get(path); got.status != http.StatusNotFound {
			t.Errorf("%s by the manager of the other warehouse: got status %d, want 404", path, got.status)
		}
	}
}

// TestToday_ShowsOverdueTransfers checks that Today counts only transfers that were sent
// more than a week ago.
func TestToday_ShowsOverdueTransfers(t *testing.T) {
	b := open(t, openOrder()...)
	page := wholeToday(b.as(t, "manager")).body
	if !strings.Contains(page, `href="/transfers?show=overdue" class="bad"><b>1</b><span class="what"> Transfer overdue`) {
		t.Errorf("got no overdue transfer, or one that is not overdue: %s", page)
	}
}

// TestTransfers_ExplainLateAndEmptyLists opens the list of incoming transfers. A transfer
// that was sent on 10 November is due a week later, and the list must say so. A warehouse
// without incoming transfers may have sent some, so the note for an empty list must not
// deny this.
func TestTransfers_ExplainLateAndEmptyLists(t *testing.T) {
	b := open(t, openOrder()...)
	if page := b.as(t, "manager").get("/transfers").body; !strings.Contains(page, "4 days late") || !strings.Contains(page, "due 17 Nov 2026") {
		t.Errorf("got %s, want the day on which the late transfer was due", content(page))
	}
	if err := b.store.AddUser(t.Context(), store.User{Name: "idle", Role: store.Manager, Warehouses: []string{"w0"}}, password, "test"); err != nil {
		t.Fatal(err)
	}
	if page := b.as(t, "idle").get("/transfers").body; !strings.Contains(page, "There are no incoming transfers in transit yet.") {
		t.Errorf("got %s, want a note about incoming transfers", content(page))
	}
}

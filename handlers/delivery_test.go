package handlers

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// deliveryOfP07 is the path of an overdue delivery: 20 pieces of p07 to w1; see
// openOrder.
const deliveryOfP07 = stockOfP07 + "/deliveries/d1"

func (b *backOffice) incoming(t *testing.T, productID string) int {
	t.Helper()
	level, err := b.store.As(&store.User{Name: "a", Role: store.Admin}).StockLevelOf(t.Context(), productID)
	if err != nil {
		t.Fatal(err)
	}
	return level.Incoming
}

// TestDelivery_AddedReceivedInParts adds an expected delivery by entering a SKU and the
// name of a warehouse, moves it to yesterday, and receives it in two parts. It submits each
// form twice. All pages with deliveries must show the delivery as overdue. After the last part is received, the list
// must be empty.
func TestDelivery_AddedReceivedInParts(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	page := manager.get("/deliveries/new?product=p07").body
	for _, want := range []string{`value="c-product 7"`, `value="Borås"`} { // the form fills in w1, because it is the manager's only warehouse
		if !strings.Contains(page, want) {
			t.Errorf("got no %s in the new form: %s", want, page)
		}
	}
	form := url.Values{"product": {"SKU-7"}, "warehouse": {"Borås"}, "quantity": {"20"}, "due": {"2026-12-01"}, "supplier": {"Acme & Sons"}, "once": {hidden(page)["once"]}}
	for range 2 {
		if got := manager.post("/deliveries/new", form); got.status != http.StatusSeeOther || got.location != stockOfP07 {
			t.Fatalf("got status %d to %s, want 303 to %s: %s", got.status, got.location, stockOfP07, got.body)
		}
	}
	var list struct{ Rows []store.ExpectedDelivery }
	if err := json.Unmarshal([]byte(manager.get("/warehouses/w1/deliveries.json").body), &list); err != nil || len(list.Rows) != 1 {
		t.Fatalf("got %d rows, %v; want 1", len(list.Rows), err)
	}
	delivery := stockOfP07 + "/deliveries/" + list.Rows[0].ID
	moved := hidden(manager.get(delivery + "/edit").body)
	if got := manager.post(delivery+"/edit", url.Values{"quantity": {"20"}, "due": {"2026-11-20"}, "supplier": {"Acme & Sons"}, "version": {moved["version"]}, "once": {moved["once"]}}); got.status != http.StatusSeeOther {
		t.Fatalf("edit: got status %d, want 303: %s", got.status, got.body)
	}
	for _, path := range []string{stockOfP07, "/products/p07", "/warehouses/w1", "/deliveries", "/deliveries?show=overdue"} {
		if page := manager.get(path).body; !strings.Contains(page, "20 Nov 2026") || !strings.Contains(page, "1 day late") {
			t.Errorf("%s: got no overdue delivery, want one: %s", path, page)
		}
	}
	if page := manager.get("/").body; !strings.Contains(page, `href="/deliveries?show=overdue" class="bad"><b>1<`) || !strings.Contains(page, "Borås, due 20 Nov 2026") {
		t.Errorf("Today: got no overdue delivery, want one: %s", page)
	}
	if got := manager.get("/deliveries.csv").body; !strings.Contains(got, `,w1,Borås,p07,"c-product 7",2026-11-20,"Acme & Sons",20,0,20`) {
		t.Errorf("got the CSV file %s, want the delivery of 20 pieces of p07 by Acme & Sons", got)
	}
	receive := delivery + "/receive"
	for _, quantity := range []string{"12", "8"} {
		page := manager.get(receive).body
		fields := hidden(page)
		if !strings.Contains(page, `value="Delivery from Acme &amp; Sons"`) {
			t.Errorf("got no suggested reason: %s", page)
		}
		for range 2 {
			got := manager.post(receive, confirmed(stockForm(fields["version"], fields["once"], quantity)))
			if got.status != http.StatusSeeOther || got.location != stockOfP07 {
				t.Fatalf("receipt of %s: got status %d to %s, want 303 to %s: %s", quantity, got.status, got.location, stockOfP07, got.body)
			}
		}
		if quantity == "12" && (b.quantity(t, "p07", "w1") != 26 || b.incoming(t, "p07") != 8 || !strings.Contains(manager.get(stockOfP07).body, "of 20<")) {
			t.Errorf("after the first part: got %d on hand, %d incoming; want 26 and 8, and the progress on the page", b.quantity(t, "p07", "w1"), b.incoming(t, "p07"))
		}
	}
	if b.quantity(t, "p07", "w1") != 34 || b.incoming(t, "p07") != 0 {
		t.Errorf("got %d on hand, %d incoming; want 34 and 0", b.quantity(t, "p07", "w1"), b.incoming(t, "p07"))
	}
	if page := manager.get("/deliveries").body; !strings.Contains(page, "no expected deliveries") {
		t.Errorf("got rows, want an empty list: %s", page)
	}
	if page := manager.get(stockOfP07).body; strings.Count(page, `href="`+receive+`"`) != 2 {
		t.Errorf("got no link from each ledger entry to the received delivery: %s", page)
	}
	if page := manager.get(receive).body; !strings.Contains(page, "Nothing more of this delivery is expected.") {
		t.Errorf("got the form of a received delivery: %s", page)
	}
}

// TestDelivery_ListLinksToItsForms checks that the list of expected deliveries links to the
// forms that edit and receive them, but only for users who may change stock. The form that
// edits a delivery must link to the form that cancels it.
func TestDelivery_ListLinksToItsForms(t *testing.T) {
	b := open(t, openOrder()...)
	if link := `href="` + deliveryOfP07 + `/cancel"`; !strings.Contains(b.as(t, "manager").get(deliveryOfP07+"/edit").body, link) {
		t.Errorf("edit: got no %s, want it", link)
	}
	for _, form := range []string{"/edit", "/receive"} {
		link := `href="` + deliveryOfP07 + form + `"`
		if !strings.Contains(b.as(t, "manager").get("/deliveries").body, link) {
			t.Errorf("manager: got no %s, want it", link)
		}
		if strings.Contains(b.as(t, "viewer").get("/deliveries").body, link) {
			t.Errorf("viewer: got %s, want no link", link)
		}
	}
}

// confirmed returns the form after the user has confirmed its quantity.
func confirmed(form url.Values) url.Values {
	form.Set("confirmed", form.Get("quantity"))
	return form
}

// TestDelivery_ConflictKeepsInput lets two users receive the same delivery. The second
// user must see what was received, and must be able to correct the quantity.
func TestDelivery_ConflictKeepsInput(t *testing.T) {
	b := open(t, openOrder()...)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	first, second := hidden(manager.get(deliveryOfP07+"/receive").body), hidden(admin.get(deliveryOfP07+"/receive").body)
	for quantity, want := range map[string]string{"15": "15 pieces are 5 fewer than expected. To receive them, confirm the quantity. The rest is still expected.", "23": "23 pieces are 3 more than expected."} {
		asked := manager.post(deliveryOfP07+"/receive", stockForm(first["version"], first["once"], quantity))
		if asked.status != http.StatusOK || !strings.Contains(asked.body, want) || !strings.Contains(asked.body, `name="confirmed" value="`+quantity+`"`) || b.quantity(t, "p07", "w1") != 14 {
			t.Errorf("receive %s: got status %d and %s, want it to say %q and change nothing", quantity, asked.status, content(asked.body), want)
		}
	}
	if got := manager.post(deliveryOfP07+"/receive", confirmed(stockForm(first["version"], first["once"], "15"))); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	got := admin.post(deliveryOfP07+"/receive", stockForm(second["version"], second["once"], "20"))
	if got.status != http.StatusConflict || b.quantity(t, "p07", "w1") != 29 {
		t.Fatalf("second user: got status %d, %d on hand; want 409, 29", got.status, b.quantity(t, "p07", "w1"))
	}
	for _, want := range []string{`value="20"`, `value="counted &lt;again&gt;"`, "5 pieces expected", "Someone else changed this first."} {
		if !strings.Contains(html.UnescapeString(got.body), html.UnescapeString(want)) {
			t.Errorf("got no %s in the form: %s", want, got.body)
		}
	}
	third := hidden(got.body)
	if got := admin.post(deliveryOfP07+"/receive", stockForm(third["version"], third["once"], "5")); got.status != http.StatusSeeOther || b.incoming(t, "p07") != 0 {
		t.Errorf("corrected form: got status %d, %d incoming; want 303 and 0", got.status, b.incoming(t, "p07"))
	}
}

// TestDelivery_EditedAndCancelled checks that a delivery can be edited and cancelled, but
// not with an outdated form.
func TestDelivery_EditedAndCancelled(t *testing.T) {
	b := open(t, openOrder()...)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	edit := func(page string) url.Values {
		fields := hidden(page)
		return url.Values{"quantity": {"30"}, "due": {"2026-12-02"}, "supplier": {"New <b>"}, "version": {fields["version"]}, "once": {fields["once"]}}
	}
	mine, theirs := edit(manager.get(deliveryOfP07+"/edit").body), edit(admin.get(deliveryOfP07+"/edit").body)
	if got := manager.post(deliveryOfP07+"/edit", mine); got.status != http.StatusSeeOther || b.incoming(t, "p07") != 30 {
		t.Fatalf("got status %d, %d incoming; want 303 and 30", got.status, b.incoming(t, "p07"))
	}
	theirs.Set("quantity", "25")
	if got := admin.post(deliveryOfP07+"/edit", theirs); got.status != http.StatusConflict || !strings.Contains(got.body, `value="25"`) || !strings.Contains(got.body, `Currently: <b dir="auto">30</b>`) {
		t.Errorf("second user: got status %d, want 409 with both values: %s", got.status, got.body)
	}
	fields := hidden(manager.get(deliveryOfP07 + "/cancel").body)
	for range 2 {
		if got := manager.post(deliveryOfP07+"/cancel", url.Values{"version": {fields["version"]}, "once": {fields["once"]}, "reason": {"sold out"}}); got.status != http.StatusSeeOther {
			t.Fatalf("cancel: got status %d, want 303: %s", got.status, got.body)
		}
	}
	if n := b.incoming(t, "p07"); n != 0 {
		t.Errorf("got %d incoming after the cancellation, want 0", n)
	}
	history := admin.get("/admin/events?about=" + url.QueryEscape("p#p07")).body
	for _, want := range []string{"Expected delivery to warehouse w1 edited", "Expected delivery to warehouse w1 cancelled", "sold out", "New &lt;b&gt;"} {
		if !strings.Contains(history, want) {
			t.Errorf("got no %q in the history", want)
		}
	}
}

func TestDelivery_ShowsErrorsAtFields(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	valid := url.Values{"product": {"p07"}, "warehouse": {"w1"}, "quantity": {"3"}, "due": {"2026-12-01"}}
	for field, tt := range map[string]struct{ value, want string }{
		"product":   {"nothing like this", "No product found"},
		"warehouse": {"w2", "No warehouse found"},
		"quantity":  {"0", "Enter a whole number from 1"},
		"due":       {"2026-11-20", "Enter today or a later day."},
	} {
		form := url.Values{}
		for name, values := range valid {
			form[name] = values
		}
		form.Set(field, tt.value)
		got := manager.post("/deliveries/new", form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, tt.want) || !strings.Contains(got.body, `value="`+tt.value+`"`) {
			t.Errorf("%s %q: got status %d, want 422, %q and the input: %s", field, tt.value, got.status, tt.want, got.body)
		}
	}
	if got := b.as(t, "outsider").get(deliveryOfP07 + "/receive"); got.status != http.StatusNotFound {
		t.Errorf("manager of another warehouse: got status %d, want 404", got.status)
	}
	if page := b.as(t, "outsider").get("/products/p07").body; strings.Contains(page, "Acme") {
		t.Error("the manager of another warehouse sees the delivery")
	}
}

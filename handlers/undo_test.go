package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"stockroom/store"
	"stockroom/views"
)

// newestEvent returns the newest event of a record.
func newestEvent(t *testing.T, b *backOffice, partition string) store.Event {
	t.Helper()
	admin := users[len(users)-1]
	found, err := b.store.As(&admin).Events(t.Context(), store.EventFilter{About: partition}, store.Page{Limit: 1})
	if err != nil || len(found.Rows) == 0 {
		t.Fatalf("got %d events and error %v, want events", len(found.Rows), err)
	}
	return found.Rows[0]
}

// formIn returns what a browser submits with the last form with method POST on
// the page. It ignores the form to sign out.
func formIn(page answer) url.Values {
	values := url.Values{}
	document, err := html.Parse(strings.NewReader(page.body))
	if err != nil {
		return values
	}
	for node := range document.Descendants() {
		if node.Data == "form" && attribute(node, "method") == "post" && attribute(node, "action") != "/logout" {
			f := &pageForm{}
			for part := range node.Descendants() {
				f.add(part)
			}
			values = f.values()
		}
	}
	return values
}

// TestUndo_InBrowser checks that an edit with hostile text can be undone from the
// timeline, and that the undo can be undone as well.
func TestUndo_InBrowser(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	before := support.get("/customers/c01").body
	name := b.shop.Customers[1].Name
	edit := func(text string) {
		form := formIn(support.get("/customers/c01/edit"))
		form.Set("name", text)
		if got := support.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
			t.Fatalf("edit: got status %d, want 303", got.status)
		}
	}
	edit(evil)
	e := newestEvent(t, b, "c#c01")
	path := views.UndoPath(e.Partition, e.ID)
	timeline := support.get("/customers/c01/timeline").body
	if !strings.Contains(timeline, strings.ReplaceAll(path, "&", "&amp;")) {
		t.Fatalf("got a timeline without the link %s", path)
	}
	page := support.get(path)
	if got := executable(page.body); got != "" {
		t.Errorf("got executable text %s", got)
	}
	for _, want := range []string{"Undo change", "After the undo", name} {
		if !strings.Contains(page.body, want) {
			t.Errorf("got a form without %q: %s", want, content(page.body))
		}
	}
	for _, address := range []string{"/undo?about=c%23c01&event=" + e.ID + "x", "/undo?about=c%23c02&event=" + e.ID, "/undo?about=user%23admin&event=user%23admin", "/undo?about=settings&event=settings"} {
		if got := support.get(address); got.status != http.StatusNotFound {
			t.Errorf("%s: got status %d, want 404", address, got.status)
		}
	}
	form := formIn(page)
	for range 2 {
		if got := support.post("/undo", form); got.status != http.StatusSeeOther || got.location != "/customers/c01" {
			t.Fatalf("undo: got status %d to %q, want 303 to %q: %s", got.status, got.location, "/customers/c01", content(got.body))
		}
	}
	after := support.get("/customers/c01").body
	_, head, _ := strings.Cut(after, "<h1")
	if head, _, _ = strings.Cut(head, "</h1>"); !strings.Contains(head, name) {
		t.Errorf("got a customer without the earlier name %q", name)
	}
	if timeline := support.get("/customers/c01/timeline").body; !strings.Contains(timeline, "Undone by support on") {
		t.Error("got a timeline that does not say who undid the change")
	}
	if before == after {
		t.Error("got the same page before and after, want two more entries in the timeline")
	}
	undone := newestEvent(t, b, "c#c01")
	if undone.Undoes != e.ID {
		t.Fatalf("got an event that undoes %q, want %q", undone.Undoes, e.ID)
	}
	if want := "Undoes “Customer edited” (" + e.When.UTC().Format("2 Jan 2006 15:04 UTC") + ")"; undone.Why != want {
		t.Errorf("got the reason %q, want %q without the name of the same user", undone.Why, want)
	}
	again := views.UndoPath(undone.Partition, undone.ID)
	if got := support.post("/undo", formIn(support.get(again))); got.status != http.StatusSeeOther {
		t.Fatalf("undo of the undo: got status %d, want 303", got.status)
	}
	edit("Somebody else")
	redone := newestEvent(t, b, "c#c01")
	edit("A third")
	conflict := support.get(views.UndoPath(redone.Partition, redone.ID))
	for _, want := range []string{"have changed since", "Somebody else", "A third"} {
		if !strings.Contains(conflict.body, want) {
			t.Errorf("got a conflict without %q: %s", want, content(conflict.body))
		}
	}
	if strings.Contains(conflict.body, `action="/undo"`) {
		t.Error("got a form for a change that can't be undone")
	}
	form.Set("event", redone.ID)
	form.Set("once", b.store.NewToken())
	if got := support.post("/undo", form); got.status != http.StatusConflict || !strings.Contains(got.body, "A third") {
		t.Errorf("conflict: got status %d, want 409 with the name A third", got.status)
	}
}

// TestUndo_Roles checks which users can undo each of five changes, and that other users
// cannot see the changed values.
func TestUndo_Roles(t *testing.T) {
	b := open(t, openOrder()...)
	browsers := map[string]*browser{}
	for _, u := range users {
		browsers[u.Name] = b.as(t, u.Name)
	}
	change := func(user, path string, values url.Values) {
		t.Helper()
		form := formIn(browsers[user].get(path))
		for name := range values {
			form.Set(name, values.Get(name))
		}
		if got := browsers[user].post(path, form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
	}
	change("admin", "/products/p07/edit", url.Values{"price": {"77"}})
	product := newestEvent(t, b, "p#p07")
	change("admin", "/employees/e03/edit", url.Values{"street": {"Secret Street"}})
	employee := newestEvent(t, b, "e#e03")
	change("manager", "/kayaks/k10/edit", url.Values{"name": {"Other"}})
	kayak := newestEvent(t, b, "v1#inventory#inventoryULID#k10")
	change("support", "/orders/open/notes", url.Values{"note": {"rang"}})
	note := newestEvent(t, b, "o#open")
	change("admin", "/views/shared/v2", url.Values{"name": {"Renamed"}})
	shared := newestEvent(t, b, "views")
	for _, row := range []struct {
		event   store.Event
		allowed []string
		missing []string // users who may not see the record
	}{
		{product, []string{"admin"}, nil},
		{employee, []string{"admin"}, nil},
		{kayak, []string{"manager", "admin"}, []string{"outsider"}},
		{note, []string{"support", "manager", "outsider", "admin"}, nil},
		{shared, []string{"admin"}, nil},
	} {
		path := views.UndoPath(row.event.Partition, row.event.ID)
		for _, u := range users {
			want := http.StatusForbidden
			switch {
			case slices.Contains(row.allowed, u.Name):
				want = http.StatusOK
			case slices.Contains(row.missing, u.Name):
				want = http.StatusNotFound
			}
			got := browsers[u.Name].get(path)
			if got.status != want {
				t.Errorf("%s of %s: %s: got status %d, want %d", row.event.What, row.event.Partition, u.Name, got.status, want)
			}
			if want != http.StatusOK && (strings.Contains(got.body, "Secret Street") || strings.Contains(got.body, "rang")) {
				t.Errorf("%s: %s can read the values of a change", row.event.What, u.Name)
			}
			form := url.Values{"about": {row.event.Partition}, "event": {row.event.ID}, "version": {"1"}, "once": {b.store.NewToken()}}
			if want == http.StatusOK {
				want = http.StatusConflict // the form has an outdated version
			}
			if got := browsers[u.Name].post("/undo", form); got.status != want {
				t.Errorf("post of %s: %s: got status %d, want %d", row.event.What, u.Name, got.status, want)
			}
		}
	}
	for _, address := range []string{"/admin/events.json?about=e%23e03", "/admin/events.csv?about=e%23e03", "/admin/events?about=e%23e03"} {
		got := browsers["auditor"].get(address)
		if got.status != http.StatusOK || !strings.Contains(got.body, "e03") {
			t.Errorf("%s: got status %d, want 200 and the event", address, got.status)
		}
		if strings.Contains(got.body, "Secret Street") || strings.Contains(got.body, `"n":`) {
			t.Errorf("%s: got private values", address)
		}
	}
}

func TestUndo_SaysWhyNot(t *testing.T) {
	b := open(t, openOrder()...)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	form := formIn(manager.get("/shipments/sopen/forward"))
	if got := manager.post("/shipments/sopen/forward", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	const reason = "The goods have left the warehouse."
	e := newestEvent(t, b, "o#open")
	for _, address := range []string{"/orders/open", "/admin/events?about=o%23open", views.UndoPath(e.Partition, e.ID)} {
		got := admin.get(address).body
		if !strings.Contains(got, reason) || strings.Contains(got, `action="/undo"`) {
			t.Errorf("%s: got no reason or a form: %s", address, content(got))
		}
	}
}

// TestUndo_NotOfferedAfterCount adjusts the stock of a product and counts it. The ledger
// must not offer to undo the adjustment, which the count has corrected.
func TestUndo_NotOfferedAfterCount(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	const stock = "/products/p07/stock/w1"
	var links []string
	for _, step := range []struct {
		path     string
		quantity string
	}{{"/adjust", "5"}, {"/count", "3"}} {
		form := formIn(manager.get(stock + step.path))
		form.Set("quantity", step.quantity)
		form.Set("reason", "shelf checked")
		if got := manager.post(stock+step.path, form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", step.path, got.status, content(got.body))
		}
		e := newestEvent(t, b, "p#p07")
		links = append(links, strings.ReplaceAll(views.UndoPath(e.Partition, e.ID), "&", "&amp;"))
	}
	if page := manager.get(stock).body; strings.Contains(page, links[0]) || !strings.Contains(page, links[1]) {
		t.Errorf("got other links than the one to undo the count: %s", content(page))
	}
}

// TestUndo_FromTheLedger checks that managers can undo a stock adjustment from the
// stock ledger, because they cannot open the history.
func TestUndo_FromTheLedger(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	const stock = "/products/p07/stock/w1"
	form := formIn(manager.get(stock + "/adjust"))
	form.Set("quantity", "5")
	form.Set("reason", evil)
	if got := manager.post(stock+"/adjust", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303", got.status)
	}
	e := newestEvent(t, b, "p#p07")
	link := strings.ReplaceAll(views.UndoPath(e.Partition, e.ID), "&", "&amp;")
	for _, address := range []string{stock, "/warehouses/w1"} {
		if page := manager.get(address).body; !strings.Contains(page, link) || executable(page) != "" {
			t.Errorf("%s: got no link %s or executable text", address, link)
		}
	}
	if page := b.as(t, "viewer").get(stock).body; strings.Contains(page, link) {
		t.Error("got the link as a viewer")
	}
	if got := manager.post("/undo", formIn(manager.get(views.UndoPath(e.Partition, e.ID)))); got.status != http.StatusSeeOther {
		t.Fatalf("undo: got status %d, want 303", got.status)
	}
	if got := b.quantity(t, "p07", "w1"); got != 14 {
		t.Errorf("got %d in stock, want 14", got)
	}
	for _, address := range []string{stock, "/warehouses/w1"} {
		if page := manager.get(address).body; strings.Contains(page, link) || !strings.Contains(page, "Undone by manager on") {
			t.Errorf("%s: got the link %s, or no note that the change is undone: %s", address, link, content(page))
		}
	}
}

// TestUndo_CategoryRename checks that the rename of a category can be undone, although
// its address changes.
func TestUndo_CategoryRename(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	form := formIn(admin.get("/reference/categories/lamps/edit"))
	form.Set("name", "Lights")
	if got := admin.post("/reference/categories/lamps/edit", form); got.status != http.StatusSeeOther {
		t.Fatalf("rename: got status %d, want 303: %s", got.status, content(got.body))
	}
	e := newestEvent(t, b, "cat#lights")
	got := admin.post("/undo", formIn(admin.get(views.UndoPath(e.Partition, e.ID))))
	if page := admin.get(got.location); got.status != http.StatusSeeOther || page.status != http.StatusOK || !strings.Contains(page.body, "Lamps") {
		t.Errorf("undo: got status %d and a page %s with status %d, want a page that lists Lamps", got.status, got.location, page.status)
	}
}

// TestUndo_ShowsNamesAndMoney opens the undo forms of a price, of a kayak that was moved,
// of stock, and of an employee's warehouse. They must show the currency, and the names of
// stores and warehouses.
func TestUndo_ShowsNamesAndMoney(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for path, values := range map[string]url.Values{
		"/products/p07/edit":            {"price": {"77"}},
		"/kayaks/k10/move":              {"store": {"s2"}},
		"/products/p07/stock/w1/adjust": {"quantity": {"5"}, "reason": {"found"}},
		"/employees/e03/edit":           {"warehouse": {"w2"}, "warehouse-id": {"w2"}},
	} {
		form := formIn(admin.get(path))
		for name := range values {
			form.Set(name, values.Get(name))
		}
		if got := admin.post(path, form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
	}
	shop := b.store.As(&users[len(users)-1])
	to, err := shop.RentalStore(t.Context(), "s2")
	if err != nil {
		t.Fatal(err)
	}
	undo := func(partition string, what store.EventCode) string {
		t.Helper()
		found, err := shop.Events(t.Context(), store.EventFilter{About: partition}, store.Page{Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found.Rows {
			if e.What == what {
				return content(admin.get(views.UndoPath(partition, e.ID)).body)
			}
		}
		t.Fatalf("got no event %s of %s", what, partition)
		return ""
	}
	for _, row := range []struct {
		partition string
		what      store.EventCode
		want      string
	}{
		{"p#p07", store.EventProductEdited, "€77.00"},
		{"v1#inventory#inventoryULID#k10", store.EventKayakMoved, to.Name + " (s2)"},
		{"p#p07", store.EventStockAdjusted, b.shop.Warehouses[1].Name + " (w1)"},
		{"e#e03", store.EventEmployeeEdited, b.shop.Warehouses[2].Name + " (w2)"},
	} {
		if page := undo(row.partition, row.what); !strings.Contains(page, row.want) {
			t.Errorf("%s: got a form without %q: %s", row.what, row.want, page)
		}
	}
}

// TestUndo_NotOfferedAfterAnotherChange edits the same field twice. The history must not
// offer to undo the first edit until the second one is undone.
func TestUndo_NotOfferedAfterAnotherChange(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	edit := func(name string) string {
		t.Helper()
		form := formIn(support.get("/customers/c01/edit"))
		form.Set("name", name)
		if got := support.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303", got.status)
		}
		e := newestEvent(t, b, "c#c01")
		return strings.ReplaceAll(views.UndoPath(e.Partition, e.ID), "&", "&amp;")
	}
	first, second := edit("Once"), edit("Twice")
	offered := func(want ...string) {
		t.Helper()
		page := support.get("/customers/c01/timeline").body
		for _, link := range []string{first, second} {
			if got := strings.Contains(page, `href="`+link+`"`); got != slices.Contains(want, link) {
				t.Errorf("got the link %s: %v, want the links %v", link, got, want)
			}
		}
		if got, want := strings.Contains(page, "Changed again by support on"), len(want) == 1 && want[0] == second; got != want {
			t.Errorf("got an entry that says who changed it again: %v, want %v", got, want)
		}
	}
	offered(second)
	if got := support.post("/undo", formIn(support.get(strings.ReplaceAll(second, "&amp;", "&")))); got.status != http.StatusSeeOther {
		t.Fatalf("undo: got status %d, want 303", got.status)
	}
	if page := support.get("/customers/c01/timeline").body; !strings.Contains(page, `href="`+first+`" aria-label`) {
		t.Error("got no link for the first edit after the second one is undone")
	}
}

// TestUndo_NotOfferedAfterPaymentOfRun skips a payment, and then adds a receipt, as if a
// run had charged the next payment. Such a payment has no event. The history must
// nevertheless not offer to undo the skip.
func TestUndo_NotOfferedAfterPaymentOfRun(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	const subscription = "/accounts/c01/subscriptions/sub01/PLAN"
	form := formIn(support.get(subscription + "/skip"))
	form.Set("why", "away")
	if got := support.post(subscription+"/skip", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	e := newestEvent(t, b, "ACC#c01")
	link := strings.ReplaceAll(views.UndoPath(e.Partition, e.ID), "&", "&amp;")
	offered := func(want bool) {
		t.Helper()
		for _, path := range []string{"/accounts/c01", "/customers/c01/timeline"} {
			if page := support.get(path).body; strings.Contains(page, `href="`+link+`"`) != want {
				t.Errorf("%s: got an undo link: %t, want %t", path, !want, want)
			}
		}
	}
	offered(true)
	sub, err := b.store.As(&store.User{Role: store.Viewer}).Subscription(t.Context(), "c01", "sub01", "PLAN")
	if err != nil {
		t.Fatal(err)
	}
	receipt := &store.Receipt{
		AccountID: sub.AccountID, SubscriptionID: sub.ID, SKU: sub.SKU, DueDate: sub.NextPaymentDate, NextPaymentDate: sub.NextPaymentDate.AddDate(0, 1, 0),
		ProcessedDate: sub.NextPaymentDate.Add(4 * time.Hour), ProcessedAmount: sub.PaymentAmount, Version: 1,
	}
	if loaded, err := b.store.Load(t.Context(), []store.Entity{receipt}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	offered(false)
}

// TestUndo_NotOfferedForRentedKayak repairs a kayak and rents it out. The history must
// then not offer to undo the repair.
func TestUndo_NotOfferedForRentedKayak(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	change := func(path string, values url.Values) {
		t.Helper()
		form := formIn(manager.get(path))
		for name := range values {
			form.Set(name, values.Get(name))
		}
		if got := manager.post(strings.Split(path, "?")[0], form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
	}
	change("/kayaks/k16/repair", url.Values{"why": {"Crack"}})
	change("/kayaks/k16/repaired", nil)
	e := newestEvent(t, b, "v1#inventory#inventoryULID#k16")
	link := `href="` + strings.ReplaceAll(views.UndoPath(e.Partition, e.ID), "&", "&amp;") + `"`
	if page := manager.get("/kayaks/k16").body; !strings.Contains(page, link) {
		t.Fatalf("got no link to undo the repair: %s", content(page))
	}
	change("/stores/s1/check-out?kayaks=k16", url.Values{"person": {"c02"}, "due": {"2026-11-22"}, "do": {"take"}})
	if page := manager.get("/kayaks/k16").body; strings.Contains(page, link) || !strings.Contains(page, "Changed again by") {
		t.Errorf("got the link to undo the repair of a rented kayak: %s", content(page))
	}
}

// TestUndo_OfNote opens the undo page of a note with Hebrew and English text. The page must
// not contain Unicode characters that set the text direction. After the undo, the page must
// no longer show the note as the current value.
func TestUndo_OfNote(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	form := formIn(support.get("/accounts/c01/notes"))
	form.Set("note", "דוד called")
	if got := support.post("/accounts/c01/notes", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	e := newestEvent(t, b, "ACC#c01")
	path := views.UndoPath(e.Partition, e.ID)
	page := support.get(path)
	if page.status != http.StatusOK || strings.ContainsAny(page.body, "\u2066\u2067\u2068\u2069") || !strings.Contains(page.body, "<bdi>דוד called</bdi>") {
		t.Errorf("got status %d, want the note as an element: %s", page.status, content(page.body))
	}
	if got := support.post("/undo", formIn(page)); got.status != http.StatusSeeOther {
		t.Fatalf("undo: got status %d, want 303: %s", got.status, content(got.body))
	}
	undone := support.get(path).body
	if strings.Count(undone, `dir="auto">דוד called</td>`) != 1 || !strings.Contains(undone, "After the change") || !strings.Contains(undone, `dir="auto">–</td>`) {
		t.Errorf("got a page that shows the undone note as the current one: %s", content(undone))
	}
}

package handlers

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/views"
)

// auditedForm is a form and what the user enters in it.
type auditedForm struct {
	route string
	user  string
	page  string // path of the page with the form
	fill  url.Values
	press []string // buttons to press, one after the other; empty for a form with one button
	again int      // status when the same input is submitted again with another token

	accepted int // status when the form is accepted
	outdated int // status when the form has an outdated version
}

// filled returns an auditedForm. When the form is accepted, it must redirect. When its
// version is outdated, the status must be 409.
func filled(route, user, page string, fill url.Values, press []string, again int) auditedForm {
	return auditedForm{
		route: route, user: user, page: page, fill: fill, press: press, again: again,
		accepted: http.StatusSeeOther, outdated: http.StatusConflict,
	}
}

// skipsOutdated returns the form with another expectation, for a page with several rows: if
// some rows are outdated, the form must save the other rows and redirect.
func (f auditedForm) skipsOutdated() auditedForm {
	f.outdated = http.StatusSeeOther
	return f
}

// auditedForms lists the forms, in the order in which the test submits them. Their input
// contains hostile text. They change records of the test shop and of auditedEntities.
var auditedForms = []auditedForm{
	filled("POST /orders/new", "support", "/orders/new?customer=c01", url.Values{"street": {evil}, "product-1": {"p10"}, "quantity-1": {"1"}}, []string{"look", "take"}, 303),
	filled("POST /orders/:id/notes", "support", "/orders/open/notes", url.Values{"note": {evil}}, nil, 303),
	filled("POST /orders/:id/address/edit", "support", "/orders/more/address/edit", url.Values{"street": {evil}, "city": {"Lund"}, "country": {"Sweden"}}, nil, 409),
	filled("POST /orders/:id/edit", "support", "/orders/open/edit", url.Values{"quantity-1": {"3"}}, []string{"look", "take"}, 409),
	filled("POST /orders/:id/ship", "manager", "/orders/open/ship?warehouse=w1", url.Values{"quantity-1": {""}, "quantity-2": {"1"}, "carrier": {evil}, "tracking": {evil}}, nil, 409),
	filled("POST /orders/:id/return", "support", "/orders/gone/return", url.Values{"quantity-1": {"1"}, "why": {evil}}, nil, 409),
	filled("POST /orders/:id/cancel", "support", "/orders/open/cancel", url.Values{"why": {evil}}, nil, 409),
	filled("POST /orders/bulk/ship", "manager", "/orders/bulk/ship?order=more%23c01", url.Values{"source": {"w1"}}, nil, 303),
	filled("POST /invoices/:id/send", "support", "/invoices/imore/send", url.Values{"to": {"books@example.com"}}, nil, 303),
	filled("POST /credit-notes/:id/send", "support", "/credit-notes/cnopen/send", url.Values{"to": {"books@example.com"}}, nil, 303),
	filled("POST /orders/:id/confirmation/send", "support", "/orders/more/confirmation/send", url.Values{"to": {"books@example.com"}}, nil, 303),
	filled("POST /customers/:id/statement/send", "support", "/customers/c01/statement/send?from=2026-10-01&to=2026-10-31", url.Values{"to": {"books@example.com"}}, nil, 303),
	filled("POST /invoices/:id/pay", "support", "/invoices/imore/pay", url.Values{"rest-method": {"Visa"}, "rest-reference": {"1234"}, "rest-amount": {"0.5"}, "voucher-kind": {"GiftCard"}, "voucher-code": {evil}, "voucher-amount": {"0.1"}}, nil, 409),
	filled("POST /invoices/:id/refund", "admin", "/invoices/imore/refund", url.Values{"payment": {"1"}, "amount": {"0.05"}, "why": {evil}}, []string{"", ""}, 409),
	filled("POST /invoices/:id/reverse", "support", "/invoices/imore/reverse", url.Values{"payment": {"2"}, "why": {evil}}, nil, 409),
	filled("POST /shipments/:id/unpack", "manager", "/shipments/sboxed/unpack", url.Values{"why": {evil}}, nil, 409),
	filled("POST /shipments/:id/forward", "manager", "/shipments/sopen/forward", url.Values{"carrier": {evil}, "tracking": {evil}}, nil, 409),

	filled("POST /customers/new", "support", "/customers/new", url.Values{"name": {evil}, "phones": {"070 555 01"}, "street": {evil}, "rep": {"Åke 1"}}, nil, 422),
	filled("POST /customers/:id/edit", "support", "/customers/c01/edit", url.Values{"name": {evil}, "city": {evil}}, nil, 409),
	filled("POST /customers/:id/close", "support", "/customers/quiet/close", url.Values{"why": {evil}}, nil, 409),
	filled("POST /customers/:id/reopen", "support", "/customers/shut/reopen", url.Values{"why": {evil}}, nil, 409),
	filled("POST /customers/:id/notes", "support", "/customers/c01/notes", url.Values{"note": {evil}}, nil, 303),
	filled("POST /views/new", "viewer", "/views/new?path=/orders?status=OPEN", url.Values{"name": {evil}}, nil, 422),
	filled("POST /views/:whose/:id", "admin", "/views/shared/v2", url.Values{"name": {evil}}, nil, 409),
	filled("POST /views/:whose/:id/delete", "admin", "/views/shared/v2", nil, nil, 404),

	filled("POST /products/new", "admin", "/products/new", url.Values{"name": {evil}, "description": {evil}, "price": {"1"}, "sku": {"NEW"}, "category": {evil}}, nil, 422),
	filled("POST /products/:id/edit", "admin", "/products/p11/edit", url.Values{"name": {evil}, "description": {evil}}, nil, 409),
	filled("POST /undo", "manager", undoAdjustment, nil, nil, 409),
	filled("POST /reference/categories/:id/archive", "admin", "/reference/categories/lamps/archive", url.Values{"why": {evil}}, nil, 409),
	filled("POST /reference/categories/:id/restore", "admin", "/reference/categories/lamps/restore", url.Values{"why": {evil}}, nil, 409),
	filled("POST /products/:id/archive", "admin", "/products/p12/archive", url.Values{"why": {evil}}, nil, 409),
	filled("POST /products/:id/restore", "admin", "/products/p12/restore", url.Values{"why": {evil}}, nil, 409),
	filled("POST /products/bulk/price", "admin", "/products/bulk/price?product=p01&product=p02", url.Values{"percent": {"5"}, "why": {evil}}, nil, 303),
	filled("POST /products/bulk/category", "admin", "/products/bulk/category?product=p03", url.Values{"category": {evil}, "why": {evil}}, nil, 303),
	filled("POST /products/bulk/archive", "admin", "/products/bulk/archive?product=p04", url.Values{"why": {evil}}, nil, 303),
	filled("POST /products/bulk/reorder-point", "manager", "/products/bulk/reorder-point?product=p05", url.Values{"warehouse": {"w1"}, "reorder": {"5"}, "why": {evil}}, nil, 303),
	filled("POST /stock/low/bulk/delivery", "manager", "/stock/low/bulk/delivery?stock=p07%23w1&stock=p08%23w1", url.Values{"due": {"2026-12-01"}, "supplier": {evil}}, nil, 303),
	filled("POST /stock/low/bulk/transfer", "manager", "/stock/low/bulk/transfer?stock=p07%23w1", url.Values{"why": {evil}}, nil, 303),
	filled("POST /invoices/bulk/reminder", "support", "/invoices/bulk/reminder?invoice=more%23imore", nil, nil, 303),
	filled("POST /rentals/overdue/bulk/reminder", "manager", "/rentals/overdue/bulk/reminder?rental=s1%23c04%23k04", nil, nil, 303),
	filled("POST /bulk/:id/run", "admin", "/bulk/"+knownBulk, nil, nil, 409),

	filled("POST /products/:id/stock/:warehouse/receive", "manager", "/products/p07/stock/w1/receive", url.Values{"quantity": {"5"}, "reason": {evil}}, nil, 409),
	filled("POST /products/:id/stock/:warehouse/adjust", "manager", "/products/p07/stock/w1/adjust", url.Values{"quantity": {"-1"}, "reason": {evil}}, nil, 409),
	filled("POST /products/:id/stock/:warehouse/count", "manager", "/products/p07/stock/w1/count", url.Values{"quantity": {"30"}, "reason": {evil}}, nil, 409),
	filled("POST /products/:id/stock/:warehouse/transfer", "admin", "/products/p07/stock/w1/transfer", url.Values{"quantity": {"5"}, "reason": {evil}, "to": {"w2"}}, nil, 409),
	filled("POST /products/:id/stock/:warehouse/reorder", "manager", "/products/p07/stock/w1/reorder", url.Values{"reorder": {"5"}, "bin": {evil[:40]}}, nil, 409),
	filled("POST /deliveries/new", "manager", "/deliveries/new?product=p07&warehouse=w1", url.Values{"quantity": {"5"}, "due": {"2026-12-01"}, "supplier": {evil}}, nil, 303),
	filled("POST /products/:id/stock/:warehouse/deliveries/:delivery/edit", "manager", deliveryOfP07+"/edit", url.Values{"quantity": {"18"}, "supplier": {evil}}, nil, 409),
	filled("POST /products/:id/stock/:warehouse/deliveries/:delivery/receive", "manager", deliveryOfP07+"/receive", url.Values{"quantity": {"5"}, "reason": {evil}}, []string{"", ""}, 409),
	filled("POST /products/:id/stock/:warehouse/deliveries/:delivery/cancel", "manager", deliveryOfP07+"/cancel", url.Values{"reason": {evil}}, nil, 409),
	filled("POST /warehouses/:id/receive", "manager", "/warehouses/w1/receive?product=p08", url.Values{"quantity-1": {"1"}, "bin-1": {evil[:40]}, "reason": {evil}}, []string{"receive"}, 303),
	filled("POST /warehouses/:id/transfer", "manager", "/warehouses/w1/transfer?product=p07", url.Values{"quantity-1": {"1"}, "to": {"w2"}, "reason": {evil}}, []string{"send"}, 303),
	filled("POST /products/:id/transfers/:transfer/receive", "manager", "/products/p03/transfers/t1/receive", url.Values{"quantity": {"5"}, "rest": {"missing"}, "reason": {evil}}, nil, 409),
	filled("POST /products/:id/transfers/:transfer/cancel", "manager", "/products/p03/transfers/t2/cancel", url.Values{"reason": {evil}}, nil, 409),
	filled("POST /counts/new", "manager", "/counts/new", url.Values{"warehouse": {"w1"}}, nil, 303),
	filled("POST /counts/:id", "manager", "/counts/n1", url.Values{"quantity-1": {"11"}}, []string{"save"}, 303),
	filled("POST /counts/:id/review", "manager", "/counts/n1/review", url.Values{"tick-1": {"yes"}, "reason-1": {"Lost"}}, []string{"apply"}, 303).skipsOutdated(),
	filled("POST /counts/:id/close", "manager", "/counts/n1/close", nil, nil, 409),

	filled("POST /warehouses/new", "admin", "/warehouses/new", url.Values{"name": {evil}, "city": {evil}}, nil, 303),
	filled("POST /warehouses/:id/edit", "admin", "/warehouses/w2/edit", url.Values{"name": {evil}, "city": {evil}}, nil, 409),
	filled("POST /warehouses/:id/archive", "admin", "/warehouses/w9/archive", url.Values{"why": {evil}}, nil, 409),
	filled("POST /warehouses/:id/restore", "admin", "/warehouses/w9/restore", url.Values{"why": {evil}}, nil, 409),
	filled("POST /stores/new", "admin", "/stores/new", url.Values{"name": {evil}, "city": {evil}}, nil, 303),
	filled("POST /stores/:id/edit", "admin", "/stores/s2/edit", url.Values{"name": {evil}, "city": {evil}}, nil, 409),
	filled("POST /stores/:id/archive", "admin", "/stores/s9/archive", url.Values{"why": {evil}}, nil, 409),
	filled("POST /stores/:id/restore", "admin", "/stores/s9/restore", url.Values{"why": {evil}}, nil, 409),
	filled("POST /stores/:id/kayaks/new", "manager", "/stores/s1/kayaks/new", url.Values{"name": {evil}, "kind": {evil}, "rate": {"30"}, "serial": {evil}, "condition": {evil}}, nil, 303),
	filled("POST /stores/:id/check-out", "manager", "/stores/s1/check-out", url.Values{"person": {evil}, "person-id": {"new"}, "new-name": {evil}, "new-phone": {"070 555 02"}, "kayaks": {"k13"}, "due": {"2026-12-08"}, "deposit": {"50"}, "deposit-method": {"CASH"}}, []string{"look", "take"}, 409),
	filled("POST /stores/:id/book", "manager", "/stores/s1/book?kayak=k22", url.Values{"person": {evil}, "person-id": {"new"}, "new-name": {evil}, "new-phone": {"070 555 06"}, "from": {"2026-12-20"}, "last": {"2026-12-21"}, "note": {evil}}, nil, 422),
	filled("POST /bookings/:id/move", "manager", "/bookings/bk1/move", url.Values{"last": {"2026-11-27"}, "note": {evil}}, nil, 409),
	filled("POST /bookings/:id/cancel", "manager", "/bookings/bk1/cancel", url.Values{"why": {evil}}, nil, 409),
	filled("POST /bookings/:id/no-show", "manager", "/bookings/bk2/no-show", url.Values{"why": {evil}}, nil, 409),
	filled("POST /stores/:id/extend", "manager", "/stores/s1/extend?kayaks=k13", url.Values{"due": {"2026-12-09"}}, nil, 409),
	filled("POST /stores/:id/return", "manager", "/stores/s1/return?kayaks=k13", url.Values{"damage-1": {evil}, "condition-1": {evil}, "repair-1": {"yes"}, "charge-paid": {"CARD"}, "keep": {"20"}, "keep-why": {evil}}, nil, 409),
	filled("POST /stores/:id/settle", "manager", "/stores/s1/settle?day=2026-11-18&payment=rp1", url.Values{"charge-paid": {"CASH"}}, nil, 409),
	filled("POST /stores/:id/hire", "manager", "/stores/s1/hire", url.Values{"person": {evil}, "person-id": {"new"}, "new-name": {evil}, "new-phone": {"070 555 04"}, "position": {evil}, "from": {"2026-11-01"}}, nil, 422),
	filled("POST /stores/:id/leave", "manager", "/stores/s1/leave?person=pp0", url.Values{"last": {"2026-11-20"}}, nil, 409),
	filled("POST /kayaks/:id/edit", "manager", "/kayaks/k10/edit", url.Values{"name": {evil}, "kind": {evil}, "serial": {evil}}, nil, 409),
	filled("POST /kayaks/:id/repair", "manager", "/kayaks/k10/repair", url.Values{"why": {evil}}, nil, 409),
	filled("POST /kayaks/:id/repaired", "manager", "/kayaks/k10/repaired", url.Values{"why": {evil}}, nil, 409),
	filled("POST /products/:id/notes", "support", "/products/p07/notes", url.Values{"note": {evil}}, nil, 303),
	filled("POST /products/:id/stock/:warehouse/notes", "manager", "/products/p07/stock/w1/notes", url.Values{"note": {evil}}, nil, 303),
	filled("POST /kayaks/:id/notes", "manager", "/kayaks/k10/notes", url.Values{"note": {evil}}, nil, 303),
	filled("POST /kayaks/:id/retire", "manager", "/kayaks/k10/retire", url.Values{"why": {evil}}, nil, 409),
	filled("POST /kayaks/:id/restore", "manager", "/kayaks/k10/restore", url.Values{"why": {evil}}, nil, 409),
	filled("POST /kayaks/:id/move", "admin", "/kayaks/k16/move", url.Values{"store": {"s2"}}, nil, 409),

	filled("POST /account/email", "manager", "/account", url.Values{"email": {"mia@example.com"}}, nil, 409),
	filled("POST /people/new", "manager", "/people/new", url.Values{"name": {evil + "Lind"}, "phones": {"070 555 03"}}, nil, 422),
	filled("POST /people/:id/same", "support", "/people/c01/same", url.Values{"person": {"pp0"}}, nil, 303),
	filled("POST /people/:id/same/separate", "support", "/people/c01/same", nil, []string{""}, 303),
	filled("POST /people/:id/edit", "manager", "/people/pp0/edit", url.Values{"name": {evil}}, nil, 409),
	filled("POST /employees/new", "admin", "/employees/new", url.Values{"name": {evil}, "job": {"Account rep"}, "warehouse": {"w1"}, "street": {evil}, "phones": {"070 555 05"}}, nil, 303),
	filled("POST /employees/:id/edit", "admin", "/employees/e01/edit", url.Values{"name": {evil}, "city": {evil}}, nil, 409),
	filled("POST /employees/:id/quotas/new", "admin", "/employees/e01/quotas/new", url.Values{"period": {"2027-Q1"}, "target": {"5000"}}, nil, 422),
	filled("POST /employees/:id/quotas/:period/edit", "admin", "/employees/e01/quotas/2027-Q1/edit", url.Values{"target": {"6000"}}, nil, 409),
	filled("POST /reference/:kind/new", "admin", "/reference/countries/new", url.Values{"name": {evil}, "parent": {"Europe"}}, nil, 303),
	filled("POST /reference/:kind/:id/edit", "admin", "/reference/countries/co1/edit", url.Values{"name": {evil}}, nil, 409),

	filled("POST /accounts/:id/notes", "support", "/accounts/c01/notes", url.Values{"note": {evil}}, nil, 303),
	filled("POST /accounts/:id/subscribe", "support", "/accounts/c01/subscribe", url.Values{"sku": {"TEA"}, "plan": {evil}, "amount": {"9.50"}, "day": {"20"}, "email": {"maria@example.com"}}, nil, 303),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/change", "support", "/accounts/c01/subscriptions/sub01/PLAN/change", url.Values{"amount": {"9"}, "day": {"20"}}, nil, 409),
	filled("POST /emails/:id/again", "support", "/emails/"+knownEmail, nil, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/remind", "support", "/accounts/c01/subscriptions/sub01/PLAN/remind", nil, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/retry", "support", "/accounts/c01/subscriptions/sub01/PLAN/retry", nil, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/pause", "support", "/accounts/c01/subscriptions/sub01/PLAN/pause", nil, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/resume", "support", "/accounts/c01/subscriptions/sub01/PLAN/resume", nil, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/payment-method", "support", "/accounts/c01/subscriptions/sub01/PLAN/payment-method", url.Values{"email": {"new@example.com"}, "card": {"4111 1111 1111 9876"}, "method": {evil}}, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/skip", "support", "/accounts/c01/subscriptions/sub01/PLAN/skip", url.Values{"why": {evil}}, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/end", "support", "/accounts/c01/subscriptions/sub01/PLAN/end", url.Values{"why": {evil}}, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/keep", "support", "/accounts/c01/subscriptions/sub01/PLAN/keep", nil, nil, 409),
	filled("POST /accounts/:id/subscriptions/:subscription/:sku/cancel", "support", "/accounts/c01/subscriptions/sub01/PLAN/cancel", url.Values{"why": {evil}}, nil, 409),

	filled("POST /admin/users/:id/role", "admin", "/admin/users/viewer", url.Values{"role": {"auditor"}}, []string{""}, 409),
	filled("POST /admin/users/:id/disable", "admin", "/admin/users/support", nil, nil, 409),
	filled("POST /admin/users/:id/enable", "admin", "/admin/users/support", nil, nil, 409),
	filled("POST /admin/settings", "admin", "/admin/settings", url.Values{"company": {evil}, "company-address": {evil}, "bank": {evil}, "footer": {evil}}, nil, 409),
}

// notAudited lists all other forms, each with the reason why TestForms_Audit skips it.
var notAudited = map[string]string{
	"POST /people/:id/data/export":        "sends a file and changes nothing",
	"POST /people/:id/data/erase":         "starts work in the background; see TestPersonalData_ErasesPerson",
	"POST /today/dismiss":                 "is only on Today after an earlier visit; see TestToday_ShowsNews",
	"POST /orders/:id/finish":             "is only on the page of an order whose change was interrupted",
	"POST /products/:id/edit/finish":      "is only on the page of a product whose change was interrupted",
	"POST /bulk/:id/undo":                 "is only on the page after the change has changed products",
	"POST /bulk/:id/cancel":               "changes nothing but the preview; see TestBulkChange_Cancels",
	"POST /bulk/:id/stop":                 "is only on the page while the change runs",
	"POST /jobs/:name/:date/run":          "starts work in the background",
	"POST /jobs/scheduler":                "sets the same state again",
	"POST /admin/check/now":               "starts work in the background; see TestCheckNow",
	"POST /admin/check/compact":           "changes the file of the store, but no records",
	"POST /admin/users":                   "shows the one-time password only once",
	"POST /admin/users/:id/password":      "shows the one-time password only once",
	"POST /admin/users/:id/sessions":      "ends sessions, which are not counted as changes here",
	"POST /admin/view-as":                 "sets a cookie",
	"POST /view-as/end":                   "removes a cookie",
	"POST /account/password":              "ends the session",
	"POST /account/sessions/end":          "ends a session",
	"POST /account/confirm":               "asks for a password; see TestConfirm_KeepsForm",
	"POST /account/second-factor":         "needs the code of an app; see TestSignIn_AsksForCode",
	"POST /account/second-factor/remove":  "ends the session",
	"POST /account/passkeys":              "needs an authenticator",
	"POST /account/passkeys/remove":       "ends the session",
	"POST /account/recovery-codes":        "ends the session",
	"POST /account/tokens":                "shows the token only once; see TestAccessToken_CreatedOnce",
	"POST /account/tokens/revoke":         "needs an access token; see TestAccessToken_Revoked",
	"POST /admin/users/:id/tokens":        "needs an access token; see TestAccessToken_Revoked",
	"POST /admin/users/:id/second-factor": "needs a user with a second factor; see TestResetSecondFactor_EndsSessions",
	"POST /login/code":                    "signs in; see TestSignIn_AsksForCode",
	"POST /login/passkey":                 "needs an authenticator",
	"POST /login/forgot":                  "needs a mail server; see TestPasswordLink_ChangesPassword",
	"POST /login/reset/:link/:code":       "needs an emailed link; see TestPasswordLink_ChangesPassword",
	"POST /theme":                         "sets a cookie",
	"POST /login":                         "starts a session",
	"POST /logout":                        "ends the session",
	"POST /views/:whose/:id/email":        "is only on the page of an own view; see TestViewEmail",
	"POST /admin/settings/logo":           "uploads a file; see TestLogo_IsShownAndRemoved",
	"POST /admin/settings/logo/remove":    "is only on the page while there is a logo; see TestLogo_IsShownAndRemoved",
	"POST /data/import":                   "uploads files",
	"POST /data/import/:id/columns":       "changes files of an upload",
	"POST /data/import/:id/mapping":       "changes files of an upload",
	"POST /data/import/:id/dry-run":       "starts work in the background",
	"POST /data/import/:id/run":           "starts work in the background",
	"POST /data/import/:id/cancel":        "stops work in the background",
	"POST /data/import/:id/delete":        "deletes files of an upload",
	"POST /data/export":                   "sends a file and changes nothing",

	"POST /accounts/:id/subscriptions/:subscription/:sku/card-link": "needs Stripe; see TestSubscription_CardByEmail",
	"POST /card/:link/:code": "creates a page of the payment service; see TestSubscription_CardByEmail",
}

// auditedEntities returns the records that the audited forms need in addition to the shop.
func auditedEntities() []store.Entity {
	return slices.Concat(openOrder(), openCount(), []store.Entity{
		category(evil),
		&store.Order{
			ID: "more", CustomerID: "c02", Date: storetest.Now, Status: store.OrderOpen, ItemCount: 1, Total: store.MinorUnits(110),
			PaymentState: store.InvoicePartial, OpenLines: []string{"1 p10"},
		},
		&store.OrderItem{OrderID: "more", ProductID: "p10", CustomerID: "c02", Date: storetest.Now, Name: "p10", Price: store.MinorUnits(110), Quantity: 1},
		&store.Invoice{
			ID: "imore", OrderID: "more", CustomerID: "c02", Date: storetest.Now, Amount: store.MinorUnits(110), Status: store.InvoicePartial,
			Payments: []store.Payment{
				{ID: "1", Type: "GiftCard", Amount: store.MinorUnits(10), Date: storetest.Now, Data: "GC-1"},
				{ID: "2", Type: "GiftCard", Amount: store.MinorUnits(10), Date: storetest.Now, Data: "GC-2"},
			},
		},
		&store.Warehouse{ID: "w9", Name: "Empty", Version: 1},
		&store.RentalStore{ID: "s9", Name: "Empty", Version: 1},
	})
}

// TestForms_Audit fills in the forms of auditedForms like a browser without JavaScript:
// it submits exactly the controls of the form. Users without the permission, and
// managers of other warehouses and stores, must be rejected. A form with an outdated
// version or invalid text must change nothing. A form that is submitted twice must be
// applied once. The page after the form must not run stored text.
func TestForms_Audit(t *testing.T) {
	b := open(t, auditedEntities()...)
	known := slices.Collect(maps.Keys(notAudited))
	for _, f := range auditedForms {
		known = append(known, f.route)
	}
	slices.Sort(known)
	posts := slices.DeleteFunc(registered(b), func(route string) bool { return !strings.HasPrefix(route, "POST ") })
	if !slices.Equal(known, posts) {
		t.Fatalf("got forms\n%s\nwant\n%s", strings.Join(known, "\n"), strings.Join(posts, "\n"))
	}
	for _, f := range auditedForms {
		b.clock.Advance(time.Second)
		b.audit(t, f)
	}
}

func (b *backOffice) audit(t *testing.T, f auditedForm) {
	t.Helper()
	b.db.written.take()
	user := b.as(t, f.user)
	form := formOn(user.get(f.page).body, f.route)
	if form == nil {
		t.Errorf("%s: got no such form on %s", f.route, f.page)
		return
	}
	unchanged := func(what string) {
		t.Helper()
		if changed := b.db.written.take(); len(changed) > 0 {
			t.Errorf("%s: %s: got changes of %q, want none", f.route, what, changed)
		}
	}
	values := form.fill(t, f)
	send := func(browser *browser, values url.Values) (got answer, sent url.Values) {
		t.Helper()
		sent = maps.Clone(values)
		for n, button := range slices.Concat(f.press, []string{""})[:max(1, len(f.press))] {
			if next := formOn(got.body, f.route); n > 0 {
				if got.status != http.StatusOK || next == nil {
					break
				}
				token := sent.Get("once")
				sent = next.values()
				sent.Set("once", token)
			}
			if button != "" {
				sent.Set(views.ButtonParam, button)
			}
			got = browser.post(form.action, sent)
		}
		return got, sent
	}
	with := func(values url.Values, token string) url.Values {
		values = maps.Clone(values)
		values.Set("once", tokenFor(f.route+token))
		return values
	}

	want := matrix[f.route]
	for _, other := range append(slices.Clone(users), store.User{}) {
		if expected := want.page(other.Name); expected == http.StatusForbidden || expected == http.StatusNotFound || expected == http.StatusUnauthorized {
			if got, _ := send(b.as(t, other.Name), with(values, "other")); got.status != expected {
				t.Errorf("%s as %q: got status %d, want %d", f.route, other.Name, got.status, expected)
			}
		}
	}
	unchanged("other users")

	if outdated := form.outdated(values); outdated != nil {
		got, _ := send(user, with(outdated, "outdated"))
		if got.status != f.outdated {
			t.Errorf("%s: got status %d for an outdated version, want %d: %s", f.route, got.status, f.outdated, content(got.body))
		}
		for name, entered := range f.fill {
			if entered[0] == evil && !strings.Contains(got.body, html.EscapeString(evil)) {
				t.Errorf("%s: got a conflict page without the entered %s: %s", f.route, name, content(got.body))
			}
		}
	}
	if hostile := form.hostile(values); hostile != nil {
		got, _ := send(user, with(hostile, "hostile"))
		if got.status < 400 || got.status >= 500 || executable(got.body) != "" {
			t.Errorf("%s: got status %d for invalid text, runs %q: %s", f.route, got.status, executable(got.body), content(got.body))
		}
	}
	unchanged("rejected forms")

	got, sent := send(user, with(values, "valid"))
	if got.status != f.accepted || executable(got.body) != "" {
		t.Errorf("%s: got status %d, want %d, runs %q: %s", f.route, got.status, f.accepted, executable(got.body), content(got.body))
		return
	}
	if len(b.db.written.take()) == 0 {
		t.Errorf("%s: got no change, want one", f.route)
	}
	if page := user.get(cmp.Or(got.location, f.page)); page.status != http.StatusOK || executable(page.body) != "" {
		t.Errorf("%s: got status %d of %s, runs %q", f.route, page.status, got.location, executable(page.body))
	}
	if again := user.post(form.action, sent); again.status != f.accepted || again.location != got.location {
		t.Errorf("%s twice: got status %d to %q, want %d to %q: %s", f.route, again.status, again.location, f.accepted, got.location, content(again.body))
	}
	unchanged("sent twice")
	if again := user.post(form.action, with(sent, "another")); again.status != f.again {
		t.Errorf("%s with another token: got status %d, want %d: %s", f.route, again.status, f.again, content(again.body))
	}
	if f.again != http.StatusSeeOther || f.outdated == http.StatusSeeOther {
		unchanged("sent with another token")
	}
}

package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
)

// holders lists the users that have each permission of a route. The constant nobody stands
// for a visitor who is not signed in. The README describes the permissions of each role.
var holders = map[store.Permission][]string{
	store.Anyone:        {nobody, "viewer", "auditor", "support", "manager", "outsider", "admin"},
	store.SignedIn:      {"viewer", "auditor", "support", "manager", "outsider", "admin"},
	store.Browse:        {"viewer", "auditor", "support", "manager", "outsider", "admin"},
	store.RankStaff:     {"viewer", "auditor", "support", "admin"},
	store.ReadStaff:     {"auditor", "manager", "outsider", "admin"},
	store.ReadHistory:   {"auditor", "admin"},
	store.WriteNotes:    {"support", "manager", "outsider", "admin"},
	store.EditCustomers: {"support", "manager", "outsider", "admin"},
	store.Sell:          {"support", "admin"},
	store.Refund:        {"support", "admin"},
	store.Subscribe:     {"support", "admin"},
	store.ChangeStock:   {"manager", "outsider", "admin"},
	store.ChangeMany:    {"support", "manager", "outsider", "admin"},
	store.Ship:          {"manager", "outsider", "admin"},
	store.RunRentals:    {"manager", "outsider", "admin"},
	store.SetUp:         {"admin"},
	store.Administer:    {"admin"},
}

const nobody = ""

// expectation describes the expected responses of a route for an existing record.
type expectation struct {
	address    string
	permission store.Permission
	inScope    bool       // the record belongs to w1 or s1, so managers of other warehouses and stores get 404
	status     int        // status for users with the permission
	formats    int        // number of file formats: 1 for .json, 2 for .json and .csv
	form       url.Values // form to post
	hidden     string     // user who has the permission but gets 404
	rejected   string     // user who has the permission but gets 403
}

func pageOf(p store.Permission, address string) expectation {
	return expectation{address: address, permission: p, status: http.StatusOK}
}

func detailOf(p store.Permission, address string) expectation {
	return expectation{address: address, permission: p, status: http.StatusOK, formats: 1}
}

func listOf(p store.Permission, address string) expectation {
	return expectation{address: address, permission: p, status: http.StatusOK, formats: 2}
}

// post returns the expectation for a form. Most of these forms are rejected, so that they
// do not change records that other routes need.
func post(p store.Permission, status int, address string, form url.Values) expectation {
	return expectation{address: address, permission: p, status: status, form: form}
}

func (e expectation) answers(status int) expectation {
	e.status = status
	return e
}

func (e expectation) scoped() expectation {
	e.inScope = true
	return e
}

// hiddenFrom sets the user who has the permission but may not see the record.
func (e expectation) hiddenFrom(user string) expectation {
	e.hidden = user
	return e
}

// rejectedFor sets the user who may see the record but not make this change.
func (e expectation) rejectedFor(user string) expectation {
	e.rejected = user
	return e
}

// page returns the expected status of the page for a user. Visitors who are not signed
// in are redirected to the sign-in page. If they submit a form, they get the sign-in
// page with status 401.
func (e expectation) page(user string) int {
	anonymous := http.StatusSeeOther
	if e.form != nil && e.permission != store.SignedIn {
		anonymous = http.StatusUnauthorized
	}
	return e.statusFor(user, e.status, anonymous)
}

// file returns the expected status of file format n of the page.
func (e expectation) file(user string, n int) int {
	if n > e.formats {
		return http.StatusNotFound
	}
	return e.statusFor(user, http.StatusOK, http.StatusUnauthorized)
}

func (e expectation) statusFor(user string, allowed, anonymous int) int {
	switch {
	case !slices.Contains(holders[e.permission], user) && user == nobody:
		return anonymous
	case !slices.Contains(holders[e.permission], user):
		return http.StatusForbidden
	case e.inScope && user == "outsider", e.hidden != "" && user == e.hidden:
		return http.StatusNotFound
	case e.rejected != "" && user == e.rejected:
		return http.StatusForbidden
	}
	return allowed
}

// matrix contains the expectation for every route of the router. Its keys are the method
// and the path. In the test shop, shipment so0001 of order o0001 comes from w1.
var matrix = map[string]expectation{
	"GET /":               pageOf(store.Browse, "/"),
	"POST /today/dismiss": post(store.Browse, 422, "/today/dismiss", url.Values{"newest": {"x"}}),

	"GET /compare": detailOf(store.Browse, "/compare?of=%2Fwarehouses%2Fw1&from=2026-11-20").scoped(),

	"GET /search": pageOf(store.Browse, "/search?q=product"),

	"GET /choices/:kind": pageOf(store.Browse, "/choices/product?q=product"),

	"GET /orders":                    listOf(store.Browse, "/orders"),
	"GET /orders/:id":                detailOf(store.Browse, "/orders/o0001"),
	"GET /orders/:id/items":          listOf(store.Browse, "/orders/o0001/items"),
	"GET /orders/:id/items/:product": detailOf(store.Browse, "/orders/o0001/items/p01"),
	"GET /orders/:id/invoices":       listOf(store.Browse, "/orders/o0001/invoices"),
	"GET /orders/:id/shipments":      listOf(store.Browse, "/orders/o0001/shipments"),
	"GET /orders/:id/packing-slip":   pageOf(store.Browse, "/orders/o0001/packing-slip"),

	"GET /orders/new":               pageOf(store.Sell, "/orders/new?customer=c01"),
	"POST /orders/new":              post(store.Sell, 422, "/orders/new?copy=open", url.Values{"customer": {"Kim"}, "customer-id": {"new"}, "new-name": {"Kim"}, "new-phone": {"+46 70 555 01 77"}, "new-email": {"kim@example.com"}, "product-1": {"p10"}, "quantity-1": {"x"}}),
	"GET /orders/:id/notes":         pageOf(store.WriteNotes, "/orders/open/notes"),
	"GET /orders/slips":             pageOf(store.Browse, "/orders/slips?order=open&order=o0001&order=none"),
	"GET /orders/pick":              pageOf(store.Browse, "/orders/pick?order=open&order=o0001&warehouse=w1").scoped(),
	"GET /orders/bulk":              pageOf(store.Browse, "/orders/bulk?do=slips&order=open%23c01").answers(303),
	"GET /orders/bulk/ship":         pageOf(store.Ship, "/orders/bulk/ship?order=open%23c01&order=o0001%23c02"),
	"POST /orders/bulk/ship":        post(store.Ship, 422, "/orders/bulk/ship", url.Values{"order": {"x"}}),
	"GET /orders/:id/ship":          pageOf(store.Ship, "/orders/open/ship"),
	"POST /orders/:id/ship":         post(store.Ship, 422, "/orders/open/ship", url.Values{"warehouse": {"w1"}, "version": {"1"}}).scoped(),
	"GET /orders/:id/return":        pageOf(store.Sell, "/orders/gone/return"),
	"POST /orders/:id/return":       post(store.Sell, 422, "/orders/gone/return", url.Values{"why": {""}}),
	"POST /orders/:id/finish":       post(store.Sell, 303, "/orders/open/finish", url.Values{}),
	"GET /orders/:id/edit":          pageOf(store.Sell, "/orders/open/edit"),
	"POST /orders/:id/edit":         post(store.Sell, 422, "/orders/open/edit", url.Values{"product-1": {"p10"}, "quantity-1": {"0"}, "version": {"1"}}),
	"GET /orders/:id/address/edit":  pageOf(store.Sell, "/orders/open/address/edit"),
	"POST /orders/:id/address/edit": post(store.Sell, 422, "/orders/open/address/edit", url.Values{"city": {"Malmö"}, "version": {"1"}}),
	"GET /orders/:id/cancel":        pageOf(store.Sell, "/orders/open/cancel"),
	"POST /orders/:id/cancel":       post(store.Sell, 422, "/orders/open/cancel", url.Values{"why": {""}}),
	"POST /orders/:id/notes":        post(store.WriteNotes, 422, "/orders/open/notes", url.Values{"note": {""}}),

	"GET /invoices":              listOf(store.Browse, "/invoices"),
	"GET /invoices/:id":          detailOf(store.Browse, "/invoices/io0001"),
	"GET /invoices/:id/payments": listOf(store.Browse, "/invoices/io0001/payments"),
	"GET /invoices/:id/print":    pageOf(store.Browse, "/invoices/io0001/print"),
	"GET /invoices/:id/pdf":      pageOf(store.Browse, "/invoices/io0001/pdf"),

	"GET /credit-notes/:id":       detailOf(store.Browse, "/credit-notes/cnopen"),
	"GET /credit-notes/:id/print": pageOf(store.Browse, "/credit-notes/cnopen/print"),
	"GET /credit-notes/:id/pdf":   pageOf(store.Browse, "/credit-notes/cnopen/pdf"),

	"GET /invoices/:id/send":             pageOf(store.Sell, "/invoices/io0001/send"),
	"POST /invoices/:id/send":            post(store.Sell, 422, "/invoices/io0001/send", url.Values{"to": {"x"}}),
	"GET /credit-notes/:id/send":         pageOf(store.Sell, "/credit-notes/cnopen/send"),
	"POST /credit-notes/:id/send":        post(store.Sell, 422, "/credit-notes/cnopen/send", url.Values{"to": {"x"}}),
	"GET /orders/:id/confirmation":       pageOf(store.Browse, "/orders/o0001/confirmation"),
	"GET /orders/:id/confirmation/pdf":   pageOf(store.Browse, "/orders/o0001/confirmation/pdf"),
	"GET /orders/:id/confirmation/send":  pageOf(store.Sell, "/orders/o0001/confirmation/send"),
	"POST /orders/:id/confirmation/send": post(store.Sell, 422, "/orders/o0001/confirmation/send", url.Values{"to": {"x"}}),

	"GET /invoices/:id/notes":    pageOf(store.WriteNotes, "/invoices/iopen/notes").answers(303),
	"GET /invoices/:id/pay":      pageOf(store.Sell, "/invoices/iopen/pay"),
	"POST /invoices/:id/pay":     post(store.Sell, 422, "/invoices/iopen/pay", url.Values{"rest-amount": {"1,5"}}),
	"GET /invoices/:id/refund":   pageOf(store.Refund, "/invoices/iopen/refund"),
	"POST /invoices/:id/refund":  post(store.Refund, 422, "/invoices/iopen/refund", url.Values{"amount": {"x"}}),
	"GET /invoices/:id/reverse":  pageOf(store.Sell, "/invoices/io0002/reverse"),
	"POST /invoices/:id/reverse": post(store.Sell, 422, "/invoices/io0002/reverse", url.Values{"payment": {"x"}}),

	"GET /customers/new":                      pageOf(store.EditCustomers, "/customers/new"),
	"POST /customers/new":                     post(store.EditCustomers, 422, "/customers/new", url.Values{"name": {""}}),
	"GET /warehouses/:id/edit":                pageOf(store.SetUp, "/warehouses/w1/edit"),
	"POST /warehouses/:id/edit":               post(store.SetUp, 422, "/warehouses/w1/edit", url.Values{"name": {""}, "version": {"1"}}),
	"GET /warehouses/new":                     pageOf(store.SetUp, "/warehouses/new"),
	"POST /warehouses/new":                    post(store.SetUp, 422, "/warehouses/new", url.Values{"name": {""}}),
	"GET /stores/new":                         pageOf(store.SetUp, "/stores/new"),
	"POST /stores/new":                        post(store.SetUp, 422, "/stores/new", url.Values{"name": {""}}),
	"GET /stores/:id/edit":                    pageOf(store.SetUp, "/stores/s1/edit"),
	"POST /stores/:id/edit":                   post(store.SetUp, 422, "/stores/s1/edit", url.Values{"name": {""}, "version": {"1"}}),
	"GET /stores/:id/kayaks/new":              pageOf(store.RunRentals, "/stores/s1/kayaks/new").scoped(),
	"POST /stores/:id/kayaks/new":             post(store.RunRentals, 422, "/stores/s1/kayaks/new", url.Values{"name": {""}}).scoped(),
	"GET /undo":                               pageOf(store.ChangeStock, undoAdjustment).scoped(),
	"POST /undo":                              post(store.ChangeStock, 409, undoAdjustment, url.Values{"about": {"p#p12"}, "event": {adjustment}, "version": {"1"}}).scoped(),
	"GET /products/:id/archive":               pageOf(store.SetUp, "/products/p01/archive"),
	"POST /products/:id/archive":              post(store.SetUp, 409, "/products/p01/archive", url.Values{"version": {"99"}}),
	"GET /products/:id/restore":               pageOf(store.SetUp, "/products/p01/restore"),
	"POST /products/:id/restore":              post(store.SetUp, 409, "/products/p01/restore", url.Values{"version": {"1"}}),
	"GET /warehouses/:id/archive":             pageOf(store.SetUp, "/warehouses/w2/archive"),
	"POST /warehouses/:id/archive":            post(store.SetUp, 409, "/warehouses/w2/archive", url.Values{"version": {"99"}}),
	"GET /warehouses/:id/restore":             pageOf(store.SetUp, "/warehouses/w2/restore"),
	"POST /warehouses/:id/restore":            post(store.SetUp, 409, "/warehouses/w2/restore", url.Values{"version": {"1"}}),
	"GET /stores/:id/archive":                 pageOf(store.SetUp, "/stores/s1/archive"),
	"POST /stores/:id/archive":                post(store.SetUp, 409, "/stores/s1/archive", url.Values{"version": {"99"}}),
	"GET /stores/:id/restore":                 pageOf(store.SetUp, "/stores/s1/restore"),
	"POST /stores/:id/restore":                post(store.SetUp, 409, "/stores/s1/restore", url.Values{"version": {"1"}}),
	"GET /kayaks/:id/restore":                 pageOf(store.RunRentals, "/kayaks/k10/restore").scoped(),
	"POST /kayaks/:id/restore":                post(store.RunRentals, 409, "/kayaks/k10/restore", url.Values{"version": {"1"}}).scoped(),
	"GET /kayaks/:id/edit":                    pageOf(store.RunRentals, "/kayaks/k10/edit").scoped(),
	"POST /kayaks/:id/edit":                   post(store.RunRentals, 422, "/kayaks/k10/edit", url.Values{"name": {""}, "version": {"1"}}).scoped(),
	"GET /people/new":                         pageOf(store.EditCustomers, "/people/new"),
	"POST /people/new":                        post(store.EditCustomers, 422, "/people/new", url.Values{"name": {""}}),
	"GET /people/:id/edit":                    pageOf(store.EditCustomers, "/people/pp0/edit"),
	"GET /people/:id/same":                    pageOf(store.EditCustomers, "/people/c01/same"),
	"POST /people/:id/same":                   post(store.EditCustomers, 422, "/people/c01/same", url.Values{"person": {"c01"}}),
	"POST /people/:id/same/separate":          post(store.EditCustomers, 422, "/people/c01/same/separate", url.Values{"other": {"c01"}}),
	"GET /people/:id/data":                    pageOf(store.Administer, "/people/pp1/data"),
	"POST /people/:id/data/export":            post(store.Administer, 200, "/people/pp1/data/export", url.Values{}),
	"POST /people/:id/data/erase":             post(store.Administer, 409, "/people/pp0/data/erase", url.Values{}),
	"POST /people/:id/edit":                   post(store.EditCustomers, 422, "/people/pp0/edit", url.Values{"name": {""}, "version": {"1"}}),
	"GET /reference/:kind/new":                pageOf(store.SetUp, "/reference/countries/new"),
	"POST /reference/:kind/new":               post(store.SetUp, 422, "/reference/countries/new", url.Values{"name": {""}}),
	"GET /reference/:kind/:id/edit":           pageOf(store.SetUp, "/reference/countries/co1/edit"),
	"POST /reference/:kind/:id/edit":          post(store.SetUp, 422, "/reference/countries/co1/edit", url.Values{"name": {""}, "version": {"1"}}),
	"GET /employees/:id/quotas/new":           pageOf(store.SetUp, "/employees/e01/quotas/new"),
	"POST /employees/:id/quotas/new":          post(store.SetUp, 422, "/employees/e01/quotas/new", url.Values{"period": {"soon"}, "target": {"1"}}),
	"GET /employees/:id/quotas/:period/edit":  pageOf(store.SetUp, "/employees/e01/quotas/2026-Q4/edit"),
	"POST /employees/:id/quotas/:period/edit": post(store.SetUp, 422, "/employees/e01/quotas/2026-Q4/edit", url.Values{"target": {"x"}, "version": {"1"}}),
	"GET /employees/new":                      pageOf(store.SetUp, "/employees/new"),
	"POST /employees/new":                     post(store.SetUp, 422, "/employees/new", url.Values{"name": {""}}),
	"GET /employees/:id/edit":                 pageOf(store.SetUp, "/employees/e01/edit"),
	"POST /employees/:id/edit":                post(store.SetUp, 422, "/employees/e01/edit", url.Values{"name": {""}, "version": {"1"}}),
	"GET /customers/:id/edit":                 pageOf(store.EditCustomers, "/customers/c01/edit"),
	"POST /customers/:id/edit":                post(store.EditCustomers, 422, "/customers/c01/edit", url.Values{"name": {""}, "version": {"1"}}),
	"GET /customers/:id/close":                pageOf(store.EditCustomers, "/customers/c01/close"),
	"POST /customers/:id/close":               post(store.EditCustomers, 409, "/customers/quiet/close", url.Values{"version": {"9"}}),
	"GET /customers/:id/reopen":               pageOf(store.EditCustomers, "/customers/shut/reopen"),
	"POST /customers/:id/reopen":              post(store.EditCustomers, 409, "/customers/shut/reopen", url.Values{"version": {"9"}}),
	"GET /admin/settings/closed-customers":    pageOf(store.Administer, "/admin/settings/closed-customers"),
	"GET /customers/:id/notes":                pageOf(store.WriteNotes, "/customers/c01/notes"),
	"POST /customers/:id/notes":               post(store.WriteNotes, 422, "/customers/c01/notes", url.Values{"note": {""}}),
	"GET /customers":                          listOf(store.Browse, "/customers"),
	"GET /customers/:id":                      detailOf(store.Browse, "/customers/c01"),
	"GET /customers/:id/orders":               listOf(store.Browse, "/customers/c01/orders"),
	"GET /customers/:id/credit-notes":         listOf(store.Browse, "/customers/c01/credit-notes"),
	"GET /customers/:id/statement":            listOf(store.Browse, "/customers/c01/statement"),
	"GET /customers/:id/statement/print":      pageOf(store.Browse, "/customers/c01/statement/print"),
	"GET /customers/:id/statement/pdf":        pageOf(store.Browse, "/customers/c01/statement/pdf"),
	"GET /customers/:id/statement/send":       pageOf(store.Sell, "/customers/c01/statement/send"),
	"POST /customers/:id/statement/send":      post(store.Sell, 422, "/customers/c01/statement/send", url.Values{"to": {"x"}}),
	"GET /customers/:id/invoices":             listOf(store.Browse, "/customers/c01/invoices"),
	"GET /customers/:id/phones":               listOf(store.Browse, "/customers/c01/phones"),
	"GET /customers/:id/products":             listOf(store.Browse, "/customers/c01/products"),
	"GET /customers/:id/out":                  listOf(store.Browse, "/customers/c01/out"),
	"GET /customers/:id/bookings":             listOf(store.Browse, "/customers/c01/bookings"),
	"GET /customers/:id/rentals":              listOf(store.Browse, "/customers/c01/rentals"),
	"GET /customers/:id/timeline":             listOf(store.Browse, "/customers/c01/timeline"),

	"GET /products/new":              pageOf(store.SetUp, "/products/new"),
	"POST /products/new":             post(store.SetUp, 422, "/products/new", url.Values{"name": {""}}),
	"GET /products/:id/edit":         pageOf(store.SetUp, "/products/p01/edit"),
	"POST /products/:id/edit":        post(store.SetUp, 422, "/products/p01/edit", url.Values{"price": {"x"}}),
	"GET /products":                  listOf(store.Browse, "/products"),
	"POST /products/:id/edit/finish": post(store.SetUp, 303, "/products/p01/edit/finish", url.Values{}),
	"GET /products/:id":              detailOf(store.Browse, "/products/p01"),
	"GET /products/:id/on-order":     listOf(store.Browse, "/products/p01/on-order"),
	"GET /products/:id/stock":        listOf(store.Browse, "/products/p01/stock"),
	"GET /products/:id/orders":       listOf(store.Browse, "/products/p01/orders"),

	"GET /products/:id/stock/:warehouse":           detailOf(store.Browse, "/products/p07/stock/w1").scoped(),
	"GET /products/:id/stock/:warehouse/ledger":    listOf(store.Browse, "/products/p07/stock/w1/ledger").scoped(),
	"GET /products/:id/stock/:warehouse/receive":   pageOf(store.ChangeStock, "/products/p07/stock/w1/receive").scoped(),
	"POST /products/:id/stock/:warehouse/receive":  post(store.ChangeStock, 422, "/products/p07/stock/w1/receive", url.Values{"quantity": {"x"}}).scoped(),
	"GET /products/:id/stock/:warehouse/adjust":    pageOf(store.ChangeStock, "/products/p07/stock/w1/adjust").scoped(),
	"POST /products/:id/stock/:warehouse/adjust":   post(store.ChangeStock, 422, "/products/p07/stock/w1/adjust", url.Values{"quantity": {"1"}}).scoped(),
	"GET /products/:id/stock/:warehouse/count":     pageOf(store.ChangeStock, "/products/p07/stock/w1/count").scoped(),
	"POST /products/:id/stock/:warehouse/count":    post(store.ChangeStock, 422, "/products/p07/stock/w1/count", url.Values{"quantity": {"-1"}}).scoped(),
	"GET /products/:id/stock/:warehouse/transfer":  pageOf(store.ChangeStock, "/products/p07/stock/w1/transfer").scoped(),
	"POST /products/:id/stock/:warehouse/transfer": post(store.ChangeStock, 422, "/products/p07/stock/w1/transfer", url.Values{"quantity": {"1"}, "to": {"w1"}}).scoped(),
	"GET /products/:id/stock/:warehouse/reorder":   pageOf(store.ChangeStock, "/products/p07/stock/w1/reorder").scoped(),
	"POST /products/:id/stock/:warehouse/reorder":  post(store.ChangeStock, 422, "/products/p07/stock/w1/reorder", url.Values{"reorder": {"-1"}}).scoped(),

	"GET /views":      pageOf(store.Browse, "/views"),
	"GET /views/new":  pageOf(store.Browse, "/views/new?path=/orders?status=OPEN"),
	"POST /views/new": post(store.Browse, 422, "/views/new", url.Values{"path": {"/orders"}}),
	// The route requires only Browse, but shared views require Administer.
	"GET /views/:whose/:id":         pageOf(store.Administer, "/views/shared/v2"),
	"POST /views/:whose/:id":        post(store.Administer, 422, "/views/shared/v2", url.Values{"version": {"1"}}),
	"POST /views/:whose/:id/delete": post(store.Administer, 409, "/views/shared/v2/delete", url.Values{"version": {"9"}}),

	"GET /deliveries":              listOf(store.Browse, "/deliveries?warehouse=w1").scoped(),
	"GET /deliveries/new":          pageOf(store.ChangeStock, "/deliveries/new?product=p07&warehouse=w1"),
	"POST /deliveries/new":         post(store.ChangeStock, 422, "/deliveries/new", url.Values{"product": {"p07"}, "quantity": {"0"}}),
	"GET /products/:id/deliveries": listOf(store.Browse, "/products/p07/deliveries"),

	"GET /products/:id/stock/:warehouse/deliveries":                    listOf(store.Browse, "/products/p07/stock/w1/deliveries").scoped(),
	"GET /products/:id/stock/:warehouse/deliveries/:delivery/edit":     pageOf(store.ChangeStock, deliveryOfP07+"/edit").scoped(),
	"POST /products/:id/stock/:warehouse/deliveries/:delivery/edit":    post(store.ChangeStock, 422, deliveryOfP07+"/edit", url.Values{"quantity": {"x"}}).scoped(),
	"GET /products/:id/stock/:warehouse/deliveries/:delivery/receive":  pageOf(store.ChangeStock, deliveryOfP07+"/receive").scoped(),
	"POST /products/:id/stock/:warehouse/deliveries/:delivery/receive": post(store.ChangeStock, 422, deliveryOfP07+"/receive", url.Values{"quantity": {"x"}}).scoped(),
	"GET /products/:id/stock/:warehouse/deliveries/:delivery/cancel":   pageOf(store.ChangeStock, deliveryOfP07+"/cancel").scoped(),
	"POST /products/:id/stock/:warehouse/deliveries/:delivery/cancel":  post(store.ChangeStock, 409, deliveryOfP07+"/cancel", url.Values{"version": {"9"}}).scoped(),
	"GET /warehouses/:id/deliveries":                                   listOf(store.Browse, "/warehouses/w1/deliveries").scoped(),

	"GET /counts":             listOf(store.ChangeStock, "/counts"),
	"GET /counts/new":         pageOf(store.ChangeStock, "/counts/new"),
	"POST /counts/new":        post(store.ChangeStock, 422, "/counts/new", url.Values{"warehouse": {"none"}}),
	"GET /counts/:id":         pageOf(store.ChangeStock, "/counts/n1").scoped(),
	"POST /counts/:id":        post(store.ChangeStock, 422, "/counts/n1", url.Values{"scan": {"none"}}).scoped(),
	"GET /counts/:id/review":  pageOf(store.ChangeStock, "/counts/n1/review").scoped(),
	"POST /counts/:id/review": post(store.ChangeStock, 422, "/counts/n1/review", url.Values{"do": {"recount"}}).scoped(),
	"GET /counts/:id/close":   pageOf(store.ChangeStock, "/counts/n1/close").scoped(),
	"POST /counts/:id/close":  post(store.ChangeStock, 409, "/counts/n1/close", url.Values{"version": {"9"}}).scoped(),

	"GET /transfers":                                 listOf(store.Browse, "/transfers?warehouse=w1").scoped(),
	"GET /products/:id/events":                       listOf(store.Browse, "/products/p03/events"),
	"GET /products/:id/notes":                        pageOf(store.WriteNotes, "/products/p03/notes"),
	"POST /products/:id/notes":                       post(store.WriteNotes, 422, "/products/p03/notes", url.Values{"note": {""}}),
	"GET /products/:id/stock/:warehouse/events":      listOf(store.Browse, "/products/p03/stock/w1/events").scoped(),
	"GET /products/:id/stock/:warehouse/notes":       pageOf(store.WriteNotes, "/products/p03/stock/w1/notes").scoped(),
	"POST /products/:id/stock/:warehouse/notes":      post(store.WriteNotes, 422, "/products/p03/stock/w1/notes", url.Values{"note": {""}}).scoped(),
	"GET /products/:id/transfers":                    listOf(store.Browse, "/products/p03/transfers"),
	"GET /products/:id/stock/:warehouse/transfers":   listOf(store.Browse, "/products/p03/stock/w1/transfers").scoped(),
	"GET /warehouses/:id/transfers":                  listOf(store.Browse, "/warehouses/w1/transfers").scoped(),
	"GET /warehouses/:id/transfer":                   pageOf(store.ChangeStock, "/warehouses/w1/transfer").scoped(),
	"POST /warehouses/:id/transfer":                  post(store.ChangeStock, 422, "/warehouses/w1/transfer", url.Values{"do": {"send"}}).scoped(),
	"GET /products/:id/transfers/:transfer/receive":  pageOf(store.ChangeStock, "/products/p03/transfers/t1/receive").scoped(),
	"POST /products/:id/transfers/:transfer/receive": post(store.ChangeStock, 422, "/products/p03/transfers/t1/receive", url.Values{"quantity": {"x"}}).scoped(),
	"GET /products/:id/transfers/:transfer/cancel":   pageOf(store.ChangeStock, "/products/p03/transfers/t2/cancel").scoped(),
	"POST /products/:id/transfers/:transfer/cancel":  post(store.ChangeStock, 409, "/products/p03/transfers/t2/cancel", url.Values{"version": {"9"}}).scoped(),

	"GET /stock/low":                listOf(store.Browse, "/stock/low?warehouse=w1").scoped(),
	"GET /warehouses":               listOf(store.Browse, "/warehouses"),
	"GET /warehouses/:id":           detailOf(store.Browse, "/warehouses/w1").scoped(),
	"GET /warehouses/:id/stock":     listOf(store.Browse, "/warehouses/w1/stock").scoped(),
	"GET /warehouses/:id/low":       listOf(store.Browse, "/warehouses/w1/low").scoped(),
	"GET /warehouses/:id/employees": listOf(store.Browse, "/warehouses/w1/employees").scoped(),
	"GET /warehouses/:id/shipments": listOf(store.Browse, "/warehouses/w1/shipments").scoped(),

	"GET /warehouses/:id/ledger":   listOf(store.Browse, "/warehouses/w1/ledger").scoped(),
	"GET /warehouses/:id/receive":  pageOf(store.ChangeStock, "/warehouses/w1/receive").scoped(),
	"POST /warehouses/:id/receive": post(store.ChangeStock, 422, "/warehouses/w1/receive", url.Values{"do": {"add"}, "product": {"product"}}).scoped(),

	"GET /shipments":     listOf(store.Browse, "/shipments?warehouse=w1").scoped(),
	"GET /shipments/:id": detailOf(store.Browse, "/shipments/so0001").scoped(),

	"GET /employees":                         listOf(store.Browse, "/employees?warehouse=w1").scoped(),
	"GET /employees/:id":                     detailOf(store.Browse, "/employees/e01").scoped(),
	"GET /employees/:id/customers":           listOf(store.Browse, "/employees/e01/customers").scoped(),
	"GET /employees/:id/orders":              listOf(store.Browse, "/employees/e01/orders").scoped(),
	"GET /employees/:id/quotas":              listOf(store.Browse, "/employees/e01/quotas").scoped(),
	"GET /employees/:id/employments":         listOf(store.Browse, "/employees/e01/employments").scoped(),
	"GET /employees/:id/out":                 listOf(store.Browse, "/employees/e01/out").scoped(),
	"GET /employees/:id/bookings":            listOf(store.Browse, "/employees/e01/bookings").scoped(),
	"GET /employees/:id/rentals":             listOf(store.Browse, "/employees/e01/rentals").scoped(),
	"GET /employees/:id/phones":              listOf(store.ReadStaff, "/employees/e01/phones").scoped(),
	"GET /reps":                              listOf(store.RankStaff, "/reps?period=2026-Q4"),
	"GET /reference/:kind":                   listOf(store.Browse, "/reference/departments"),
	"GET /reference/categories/:id/archive":  pageOf(store.SetUp, "/reference/categories/chairs/archive"),
	"POST /reference/categories/:id/archive": post(store.SetUp, 409, "/reference/categories/chairs/archive", url.Values{"version": {"99"}}),
	"GET /reference/categories/:id/restore":  pageOf(store.SetUp, "/reference/categories/chairs/restore"),
	"POST /reference/categories/:id/restore": post(store.SetUp, 409, "/reference/categories/chairs/restore", url.Values{"version": {"99"}}),
	"GET /reference/:kind/:id":               detailOf(store.Browse, "/reference/departments/d1"),

	"GET /shipments/:id/packing-slip": pageOf(store.Browse, "/shipments/sboxed/packing-slip").scoped(),

	"GET /shipments/:id/notes":    pageOf(store.WriteNotes, "/shipments/sopen/notes").answers(303).scoped(),
	"GET /shipments/:id/forward":  pageOf(store.Ship, "/shipments/sopen/forward").scoped(),
	"GET /shipments/:id/unpack":   pageOf(store.Ship, "/shipments/sboxed/unpack").scoped(),
	"POST /shipments/:id/unpack":  post(store.Ship, 409, "/shipments/sboxed/unpack", url.Values{"version": {"9"}}).scoped(),
	"POST /shipments/:id/forward": post(store.Ship, 422, "/shipments/sopen/forward", url.Values{"to": {"DELIVERED"}, "version": {"1"}}).scoped(),
	"GET /data/patterns":          listOf(store.Administer, "/data/patterns"),
	"GET /data/patterns/:id":      pageOf(store.Administer, "/data/patterns/getOrderDetailsByOrderId?try=yes&orderID=o0001"),
	"GET /data/costs":             listOf(store.Administer, "/data/costs"),
	"GET /data/partitions":        pageOf(store.Administer, "/data/partitions?pk=o%23o0001"),
	"GET /data/model":             detailOf(store.Administer, "/data/model"),

	"GET /admin/users":               listOf(store.Administer, "/admin/users"),
	"GET /admin/users/:id":           detailOf(store.Administer, "/admin/users/viewer"),
	"POST /admin/view-as":            post(store.Administer, 422, "/admin/view-as", url.Values{"as": {"none"}}),
	"POST /view-as/end":              post(store.SignedIn, 303, "/view-as/end", url.Values{}),
	"GET /admin/events":              listOf(store.ReadHistory, "/admin/events"),
	"GET /admin/check":               listOf(store.Administer, "/admin/check"),
	"POST /admin/check/now":          post(store.Administer, 400, "/admin/check/now", url.Values{"other": {"x"}}),
	"POST /admin/check/compact":      post(store.Administer, 303, "/admin/check/compact", url.Values{}),
	"GET /admin/settings":            pageOf(store.Administer, "/admin/settings"),
	"POST /admin/users":              post(store.Administer, 422, "/admin/users", url.Values{"name": {"a#b"}, "role": {"viewer"}}),
	"POST /admin/users/:id/role":     post(store.Administer, 422, "/admin/users/admin/role", url.Values{"role": {"viewer"}}),
	"POST /admin/users/:id/disable":  post(store.Administer, 422, "/admin/users/admin/disable", url.Values{}),
	"POST /admin/users/:id/enable":   post(store.Administer, 422, "/admin/users/admin/enable", url.Values{}),
	"POST /admin/users/:id/sessions": post(store.Administer, 404, "/admin/users/none/sessions", url.Values{}),
	"POST /admin/users/:id/password": post(store.Administer, 422, "/admin/users/admin/password", url.Values{}),
	"GET /data/import":               listOf(store.Administer, "/data/import"),
	"POST /data/import":              post(store.Administer, 415, "/data/import", url.Values{}),

	"GET /data/import/templates":          pageOf(store.Administer, "/data/import/templates"),
	"GET /data/import/templates/:id":      pageOf(store.Administer, "/data/import/templates/customers"),
	"GET /data/import/:id":                pageOf(store.Administer, "/data/import/"+matchedUpload),
	"GET /data/import/:id/columns":        pageOf(store.Administer, "/data/import/"+unmatchedUpload+"/columns"),
	"POST /data/import/:id/columns":       post(store.Administer, 400, "/data/import/"+matchedUpload+"/columns", url.Values{"column-9-9": {"x"}}),
	"GET /data/import/:id/mapping":        pageOf(store.Administer, "/data/import/"+matchedUpload+"/mapping"),
	"POST /data/import/:id/mapping":       post(store.Administer, 422, "/data/import/"+matchedUpload+"/mapping", url.Values{"mapping": {"x: 1"}}),
	"POST /data/import/:id/dry-run":       post(store.Administer, 422, "/data/import/"+unmatchedUpload+"/dry-run", url.Values{}),
	"POST /data/import/:id/run":           post(store.Administer, 422, "/data/import/"+matchedUpload+"/run", url.Values{}),
	"POST /data/import/:id/cancel":        post(store.Administer, 303, "/data/import/"+matchedUpload+"/cancel", url.Values{}),
	"POST /data/import/:id/delete":        post(store.Administer, 404, "/data/import/01HZX000000000000000000CCC/delete", url.Values{}),
	"GET /data/import/:id/rejected/:file": pageOf(store.Administer, "/data/import/"+matchedUpload+"/rejected/0").answers(404),

	"POST /views/:whose/:id/email":     post(store.Browse, 404, "/views/own/none/email", url.Values{"email": {"DAILY"}, "version": {"1"}}),
	"POST /admin/settings/logo":        post(store.Administer, 415, "/admin/settings/logo", url.Values{}),
	"POST /admin/settings/logo/remove": post(store.Administer, 303, "/admin/settings/logo/remove", url.Values{"version": {"1"}}),
	"GET /logo/:digest":                pageOf(store.SignedIn, "/logo/none").answers(404),

	"GET /data/export":            pageOf(store.Administer, "/data/export"),
	"POST /data/export":           post(store.Administer, 422, "/data/export", url.Values{"file": {"sessions"}, "format": {"csv"}}),
	"POST /admin/settings":        post(store.Administer, 422, "/admin/settings", url.Values{"currency": {"euro"}, "timezone": {"UTC"}, "version": {"1"}}),
	"GET /stores":                 listOf(store.Browse, "/stores"),
	"GET /stores/:id":             detailOf(store.Browse, "/stores/s1").scoped(),
	"GET /stores/:id/kayaks":      listOf(store.Browse, "/stores/s1/kayaks").scoped(),
	"GET /stores/:id/out":         listOf(store.Browse, "/stores/s1/out").scoped(),
	"GET /stores/:id/overdue":     listOf(store.Browse, "/stores/s1/overdue").scoped(),
	"GET /stores/:id/rentals":     listOf(store.Browse, "/stores/s1/rentals").scoped(),
	"GET /stores/:id/employees":   listOf(store.Browse, "/stores/s1/employees").scoped(),
	"GET /stores/:id/employments": listOf(store.Browse, "/stores/s1/employments").scoped(),
	"GET /stores/:id/slip":        pageOf(store.Browse, "/stores/s1/slip?person=c04").scoped(),
	"GET /stores/:id/takings":     listOf(store.Browse, "/stores/s1/takings").scoped(),
	"GET /stores/:id/unpaid":      listOf(store.Browse, "/stores/s1/unpaid").scoped(),
	"GET /stores/:id/settle":      pageOf(store.RunRentals, "/stores/s1/settle?day=2026-11-18&payment=rp1").scoped(),
	"POST /stores/:id/settle":     post(store.RunRentals, 422, "/stores/s1/settle", url.Values{"day": {"2026-11-18"}, "payment": {"rp1"}}).scoped(),
	"GET /stores/:id/week":        pageOf(store.Browse, "/stores/s1/week?day=2026-11-24").scoped(),
	"GET /stores/:id/week.ics":    pageOf(store.Browse, "/stores/s1/week.ics?day=2026-11-24").scoped(),
	"GET /stores/:id/book":        pageOf(store.RunRentals, "/stores/s1/book?kayak=k19&from=2026-11-24").scoped(),
	"POST /stores/:id/book":       post(store.RunRentals, 422, "/stores/s1/book", url.Values{"person": {""}, "kayak": {"k19"}}).scoped(),
	"GET /stores/:id/bookings":    listOf(store.Browse, "/stores/s1/bookings").scoped(),
	"GET /bookings/:id":           detailOf(store.Browse, "/bookings/bk1").scoped(),
	"GET /bookings/:id/events":    listOf(store.Browse, "/bookings/bk1/events").scoped(),
	"GET /bookings/:id/notes":     pageOf(store.WriteNotes, "/bookings/bk1/notes").answers(303).scoped(),
	"GET /bookings/:id/move":      pageOf(store.RunRentals, "/bookings/bk1/move").scoped(),
	"POST /bookings/:id/move":     post(store.RunRentals, 422, "/bookings/bk1/move", url.Values{"kayak": {"k19"}, "from": {"2026-11-24"}, "last": {"2026-11-23"}, "version": {"1"}}).scoped(),
	"GET /bookings/:id/cancel":    pageOf(store.RunRentals, "/bookings/bk1/cancel").scoped(),
	"POST /bookings/:id/cancel":   post(store.RunRentals, 409, "/bookings/bk1/cancel", url.Values{"version": {"99"}}).scoped(),
	"GET /bookings/:id/no-show":   pageOf(store.RunRentals, "/bookings/bk2/no-show").scoped(),
	"POST /bookings/:id/no-show":  post(store.RunRentals, 409, "/bookings/bk2/no-show", url.Values{"version": {"99"}}).scoped(),
	"GET /kayaks/:id/bookings":    listOf(store.Browse, "/kayaks/k19/bookings").scoped(),
	"GET /stores/:id/labels":      pageOf(store.Browse, "/stores/s1/labels").scoped(),
	"GET /stores/:id/check-out":   pageOf(store.RunRentals, "/stores/s1/check-out?kayaks=k10").scoped(),
	"POST /stores/:id/check-out":  post(store.RunRentals, 422, "/stores/s1/check-out", url.Values{"kayaks": {"k10"}}).scoped(),
	"GET /stores/:id/return":      pageOf(store.RunRentals, "/stores/s1/return?kayaks=k04").scoped(),
	"POST /stores/:id/return":     post(store.RunRentals, 422, "/stores/s1/return", url.Values{"kayaks": {""}}).scoped(),
	"GET /stores/:id/extend":      pageOf(store.RunRentals, "/stores/s1/extend?kayaks=k04").scoped(),
	"POST /stores/:id/extend":     post(store.RunRentals, 422, "/stores/s1/extend", url.Values{"kayaks": {""}}).scoped(),
	"GET /stores/:id/hire":        pageOf(store.RunRentals, "/stores/s1/hire").scoped(),
	"POST /stores/:id/hire":       post(store.RunRentals, 422, "/stores/s1/hire", url.Values{"person": {"nobody"}, "from": {"2026-11-01"}}).scoped(),
	"GET /stores/:id/leave":       pageOf(store.RunRentals, "/stores/s1/leave?person=pp0").scoped(),
	"POST /stores/:id/leave":      post(store.RunRentals, 422, "/stores/s1/leave", url.Values{"person": {"pp0"}, "last": {"1950-01-01"}}).scoped(),
	"GET /kayaks/:id/move":        pageOf(store.RunRentals, "/kayaks/k10/move").scoped(),
	"POST /kayaks/:id/move":       post(store.RunRentals, 422, "/kayaks/k10/move", url.Values{"store": {"s1"}, "version": {"1"}}).scoped(),
	"GET /kayaks/:id/notes":       pageOf(store.WriteNotes, "/kayaks/k10/notes").scoped(),
	"POST /kayaks/:id/notes":      post(store.WriteNotes, 422, "/kayaks/k10/notes", url.Values{"note": {""}}).scoped(),
	"GET /kayaks/:id/repair":      pageOf(store.RunRentals, "/kayaks/k10/repair").scoped(),
	"POST /kayaks/:id/repair":     post(store.RunRentals, 422, "/kayaks/k10/repair", url.Values{"version": {"1"}}).scoped(),
	"GET /kayaks/:id/repaired":    pageOf(store.RunRentals, "/kayaks/k10/repaired").scoped(),
	"POST /kayaks/:id/repaired":   post(store.RunRentals, 409, "/kayaks/k10/repaired", url.Values{"version": {"1"}}).scoped(),
	"GET /kayaks/:id/retire":      pageOf(store.RunRentals, "/kayaks/k10/retire").scoped(),
	"POST /kayaks/:id/retire":     post(store.RunRentals, 422, "/kayaks/k10/retire", url.Values{"version": {"1"}}).scoped(),
	"GET /rentals/overdue":        listOf(store.Browse, "/rentals/overdue"),
	"GET /kayaks/:id":             detailOf(store.Browse, "/kayaks/k04").scoped(),
	"GET /kayaks/:id/rentals":     listOf(store.Browse, "/kayaks/k04/rentals").scoped(),
	"GET /kayaks/:id/events":      listOf(store.Browse, "/kayaks/k04/events").scoped(),
	"GET /people/:id":             detailOf(store.Browse, "/people/pp0"),
	"GET /people/:id/out":         listOf(store.Browse, "/people/pp0/out"),
	"GET /people/:id/employments": listOf(store.Browse, "/people/pp0/employments"),
	"GET /people/:id/bookings":    listOf(store.Browse, "/people/pp0/bookings"),
	"GET /people/:id/rentals":     listOf(store.Browse, "/people/pp0/rentals"),

	"GET /products/bulk":                pageOf(store.ChangeStock, "/products/bulk?do=PRICE&product=p01").answers(303),
	"GET /products/bulk/price":          pageOf(store.SetUp, "/products/bulk/price?product=p01&product=p02"),
	"POST /products/bulk/price":         post(store.SetUp, 422, "/products/bulk/price", url.Values{"product": {"p01"}, "percent": {"x"}}),
	"GET /products/bulk/category":       pageOf(store.SetUp, "/products/bulk/category?all=yes&category=Chairs"),
	"POST /products/bulk/category":      post(store.SetUp, 422, "/products/bulk/category", url.Values{"category": {"Chairs"}}),
	"GET /products/bulk/archive":        pageOf(store.SetUp, "/products/bulk/archive?product=p01"),
	"POST /products/bulk/archive":       post(store.SetUp, 422, "/products/bulk/archive", url.Values{}),
	"GET /products/bulk/reorder-point":  pageOf(store.ChangeStock, "/products/bulk/reorder-point?product=p01"),
	"POST /products/bulk/reorder-point": post(store.ChangeStock, 422, "/products/bulk/reorder-point", url.Values{"product": {"p01"}, "warehouse": {"none"}, "reorder": {"x"}}),
	"GET /bulk":                         listOf(store.ChangeMany, "/bulk"),
	"GET /bulk/:id":                     listOf(store.ChangeMany, "/bulk/"+knownBulk).scoped().hiddenFrom("support"),
	"POST /bulk/:id/run":                post(store.ChangeMany, 409, "/bulk/"+knownBulk+"/run", url.Values{"version": {"9"}}).scoped().hiddenFrom("support"),
	"POST /bulk/:id/undo":               post(store.ChangeMany, 409, "/bulk/"+knownBulk+"/undo", url.Values{}).scoped().hiddenFrom("support"),
	"POST /bulk/:id/cancel":             post(store.ChangeMany, 303, "/bulk/"+knownBulk+"/cancel", url.Values{}).scoped().hiddenFrom("support").rejectedFor("manager"),
	"POST /bulk/:id/stop":               post(store.ChangeMany, 303, "/bulk/"+knownBulk+"/stop", url.Values{}).scoped().hiddenFrom("support"),

	"GET /stock/low/bulk":                 pageOf(store.ChangeStock, "/stock/low/bulk?do=DELIVERY&stock=p07%23w1").answers(303),
	"GET /stock/low/bulk/delivery":        pageOf(store.ChangeStock, "/stock/low/bulk/delivery?stock=p07%23w1"),
	"POST /stock/low/bulk/delivery":       post(store.ChangeStock, 422, "/stock/low/bulk/delivery", url.Values{"stock": {"p07#w1"}, "due": {"2020-01-01"}}),
	"GET /stock/low/bulk/transfer":        pageOf(store.ChangeStock, "/stock/low/bulk/transfer?all=yes&warehouse=w1"),
	"POST /stock/low/bulk/transfer":       post(store.ChangeStock, 422, "/stock/low/bulk/transfer", url.Values{"stock": {"p07#none"}, "source": {"none"}, "why": {"\x01"}}),
	"GET /invoices/bulk":                  pageOf(store.Browse, "/invoices/bulk?do=print&invoice=open%23iopen").answers(303),
	"GET /invoices/bulk/reminder":         pageOf(store.Sell, "/invoices/bulk/reminder?invoice=open%23iopen"),
	"POST /invoices/bulk/reminder":        post(store.Sell, 422, "/invoices/bulk/reminder", url.Values{"invoice": {"x"}}),
	"GET /invoices/print":                 pageOf(store.Browse, "/invoices/print?invoice=open%23iopen&invoice=o0003%23io0003"),
	"GET /invoices/print/pdf":             pageOf(store.Browse, "/invoices/print/pdf?invoice=open%23iopen"),
	"GET /rentals/overdue/bulk":           pageOf(store.Browse, "/rentals/overdue/bulk?do=print&all=yes").answers(303),
	"GET /rentals/overdue/bulk/reminder":  pageOf(store.RunRentals, "/rentals/overdue/bulk/reminder?all=yes"),
	"POST /rentals/overdue/bulk/reminder": post(store.RunRentals, 422, "/rentals/overdue/bulk/reminder", url.Values{"rental": {"x"}}),
	"GET /rentals/overdue/print":          pageOf(store.Browse, "/rentals/overdue/print?all=yes"),

	"GET /subscriptions":              listOf(store.Browse, "/subscriptions"),
	"GET /due":                        listOf(store.Browse, "/due"),
	"GET /jobs":                       pageOf(store.Browse, "/jobs"),
	"GET /jobs/:name/:date":           listOf(store.Browse, "/jobs/payments/2026-11-21"),
	"GET /jobs/:name/:date/dry-run":   listOf(store.Browse, "/jobs/reminders/2026-11-21/dry-run"),
	"POST /jobs/:name/:date/run":      post(store.Administer, 422, "/jobs/payments/2999-01-01/run", url.Values{}),
	"POST /jobs/scheduler":            post(store.Administer, 303, "/jobs/scheduler", url.Values{}),
	"GET /accounts/:id":               detailOf(store.Browse, "/accounts/c01"),
	"GET /accounts/:id/subscriptions": listOf(store.Browse, "/accounts/c01/subscriptions"),
	"GET /accounts/:id/receipts":      listOf(store.Browse, "/accounts/c01/receipts"),
	"GET /emails":                     listOf(store.Subscribe, "/emails"),
	"GET /emails/:id":                 detailOf(store.Browse, "/emails/"+knownEmail),
	"POST /emails/:id/again":          post(store.Subscribe, 409, "/emails/"+knownEmail+"/again", url.Values{"version": {"9"}}),
	"GET /accounts/:id/emails":        listOf(store.Browse, "/accounts/c01/emails"),
	"GET /accounts/:id/events":        listOf(store.Browse, "/accounts/c01/events"),
	"GET /accounts/:id/notes":         pageOf(store.WriteNotes, "/accounts/c01/notes"),
	"POST /accounts/:id/notes":        post(store.WriteNotes, 422, "/accounts/c01/notes", url.Values{"note": {""}}),
	"GET /accounts/:id/subscribe":     pageOf(store.Subscribe, "/accounts/c01/subscribe"),
	"POST /accounts/:id/subscribe":    post(store.Subscribe, 422, "/accounts/c01/subscribe", url.Values{}),

	"GET /accounts/:id/subscriptions/:subscription/:sku/why":             pageOf(store.Browse, "/accounts/c01/subscriptions/sub01/PLAN/why?day=2026-12-24"),
	"GET /accounts/:id/subscriptions/:subscription/:sku/change":          pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/change"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/change":         post(store.Subscribe, 422, "/accounts/c01/subscriptions/sub01/PLAN/change", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/pause":           pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/pause"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/pause":          post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/pause", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/resume":          pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/resume"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/resume":         post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/resume", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/cancel":          pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/cancel"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/cancel":         post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/cancel", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/end":             pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/end"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/end":            post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/end", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/keep":            pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/keep"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/keep":           post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/keep", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/skip":            pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/skip"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/skip":           post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/skip", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/payment-method":  pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/payment-method"),
	"GET /accounts/:id/subscriptions/:subscription/:sku/card-link":       pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/card-link"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/card-link":      post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/card-link", url.Values{"version": {"9"}}),
	"POST /accounts/:id/subscriptions/:subscription/:sku/payment-method": post(store.Subscribe, 422, "/accounts/c01/subscriptions/sub01/PLAN/payment-method", url.Values{"email": {"x"}}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/retry":           pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/retry"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/retry":          post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/retry", url.Values{}),
	"GET /accounts/:id/subscriptions/:subscription/:sku/remind":          pageOf(store.Subscribe, "/accounts/c01/subscriptions/sub01/PLAN/remind"),
	"POST /accounts/:id/subscriptions/:subscription/:sku/remind":         post(store.Subscribe, 409, "/accounts/c01/subscriptions/sub01/PLAN/remind", url.Values{}),

	"GET /account":                        pageOf(store.SignedIn, "/account"),
	"GET /account/confirm":                pageOf(store.SignedIn, "/account/confirm"),
	"POST /account/confirm":               post(store.SignedIn, 422, "/account/confirm", url.Values{"secret": {"x"}}),
	"GET /account/second-factor":          pageOf(store.SignedIn, "/account/second-factor"),
	"POST /account/second-factor":         post(store.SignedIn, 422, "/account/second-factor", url.Values{"code": {"123456"}}),
	"POST /account/second-factor/remove":  post(store.SignedIn, 409, "/account/second-factor/remove", url.Values{}),
	"POST /account/passkeys":              post(store.SignedIn, 422, "/account/passkeys", url.Values{"name": {"x"}}),
	"POST /account/passkeys/remove":       post(store.SignedIn, 409, "/account/passkeys/remove", url.Values{"passkey": {"x"}}),
	"POST /account/recovery-codes":        post(store.SignedIn, 409, "/account/recovery-codes", url.Values{}),
	"GET /api":                            detailOf(store.Browse, "/api"),
	"GET /account/tokens":                 pageOf(store.Browse, "/account/tokens"),
	"POST /account/tokens":                post(store.Browse, 422, "/account/tokens", url.Values{"name": {""}, "role": {"viewer"}, "days": {"90"}}),
	"POST /account/tokens/revoke":         post(store.Browse, 404, "/account/tokens/revoke", url.Values{"token": {"none"}}),
	"POST /admin/users/:id/tokens":        post(store.Administer, 404, "/admin/users/viewer/tokens", url.Values{"token": {"none"}}),
	"POST /admin/users/:id/second-factor": post(store.Administer, 422, "/admin/users/viewer/second-factor", url.Values{"version": {"1"}}),
	"POST /login/code":                    post(store.Anyone, 422, "/login/code", url.Values{"step": {"x"}}),
	"GET /login/forgot":                   pageOf(store.Anyone, "/login/forgot").answers(404),
	"POST /login/forgot":                  post(store.Anyone, 404, "/login/forgot", url.Values{"username": {"x"}}),
	"GET /login/reset/:link/:code":        pageOf(store.Anyone, "/login/reset/none/none").answers(404),
	"POST /login/reset/:link/:code":       post(store.Anyone, 404, "/login/reset/none/none", url.Values{"password": {"another long one"}, "again": {"another long one"}}),
	"POST /login/passkey":                 post(store.Anyone, 422, "/login/passkey", url.Values{"state": {"x"}}),
	"GET /account/confirm/sso":            pageOf(store.SignedIn, "/account/confirm/sso").answers(303),
	"GET /login/sso":                      pageOf(store.Anyone, "/login/sso").answers(404),
	"GET /login/sso/callback":             pageOf(store.Anyone, "/login/sso/callback?code=x&state=y").answers(404),
	"GET /login/sso/sign-out":             pageOf(store.Anyone, "/login/sso/sign-out").answers(303),
	"GET /account/password":               pageOf(store.SignedIn, "/account/password").answers(303),
	"POST /account/password":              post(store.SignedIn, 422, "/account/password", url.Values{"old": {"x"}, "password": {"y"}, "again": {"z"}}),
	"POST /account/email":                 post(store.SignedIn, 422, "/account/email", url.Values{"email": {"nobody"}}),
	"POST /account/sessions/end":          post(store.SignedIn, 404, "/account/sessions/end", url.Values{"session": {"none"}}),
	"POST /theme":                         post(store.SignedIn, 303, "/theme", url.Values{"theme": {"dark"}}),
	"POST /logout":                        post(store.SignedIn, 303, "/logout", url.Values{}),
	"GET /card/:link/:code":               pageOf(store.Anyone, knownCardLink),
	"POST /card/:link/:code":              post(store.Anyone, 409, knownCardLink, url.Values{}),
	"GET /login":                          pageOf(store.Anyone, "/login"),
	"POST /login":                         post(store.Anyone, 422, "/login", url.Values{"username": {"x"}, "password": {"y"}}),

	"GET /static/*":                    pageOf(store.Anyone, "/static/none.css").answers(404),
	"GET /.well-known/security.txt":    pageOf(store.Anyone, "/.well-known/security.txt").answers(404),
	"GET /.well-known/change-password": pageOf(store.Anyone, "/.well-known/change-password").answers(303),
	"GET /healthz":                     pageOf(store.Anyone, "/healthz"),
	"GET /readyz":                      pageOf(store.Anyone, "/readyz"),
	echo.RouteNotFound + " /*":         pageOf(store.SignedIn, "/nowhere").answers(404),
}

func registered(b *backOffice) []string {
	var routes []string
	for _, r := range b.site.router.(*echo.Echo).Routes() {
		if r.Method != http.MethodHead {
			routes = append(routes, r.Method+" "+r.Path)
		}
	}
	slices.Sort(routes)
	return routes
}

func TestRoutes_RequireTheirPermission(t *testing.T) {
	b := open(t, append(openOrder(), openCount()...)...)
	if known := slices.Sorted(maps.Keys(matrix)); !slices.Equal(known, registered(b)) {
		t.Fatalf("got routes\n%s\nwant\n%s", strings.Join(registered(b), "\n"), strings.Join(known, "\n"))
	}
	for _, name := range holders[store.Anyone] {
		t.Run(name, func(t *testing.T) {
			reader := b.as(t, name)
			for route, want := range matrix {
				if want.form == nil {
					reader.expect(http.MethodGet, want.address, want.page(name))
					reader.expect(http.MethodHead, want.address, want.page(name))
					path, query, _ := strings.Cut(want.address, "?")
					reader.expect(http.MethodGet, path+".json?"+query, want.file(name, 1))
					reader.expect(http.MethodGet, path+".csv?"+query, want.file(name, 2))
				} else if method, _, _ := strings.Cut(route, " "); method != http.MethodPost {
					t.Errorf("%s: got a form in the matrix, want one for POST only", route)
				}
			}
			for _, want := range matrix {
				if want.form != nil {
					// A POST may end the session, or count as a failed sign-in. Each POST
					// therefore uses a new session, one hour after the previous POST.
					b.clock.Advance(time.Hour)
					got := b.as(t, name).post(want.address, want.form)
					if got.status != want.page(name) {
						t.Errorf("POST %s: got %d, want %d: %s", want.address, got.status, want.page(name), got.body)
					}
					got.wantTitle(t, "POST "+want.address)
				}
			}
		})
	}
}

// TestForbidden_ListsRoles opens pages in roles without the permission. The error page
// must list the roles that have the permission. It must offer to add a note only if the
// record can have notes.
func TestForbidden_ListsRoles(t *testing.T) {
	b := open(t, append(openOrder(), openCount()...)...)
	for _, tt := range []struct{ user, path, roles, note string }{
		{"manager", "/orders/open/cancel", "support, admin", "/orders/open/notes"},
		{"support", "/kayaks/k10/move", "manager, admin", "/kayaks/k10/notes"},
		{"viewer", "/orders/open/cancel", "support, admin", ""},
		{"manager", "/invoices/iopen/pay", "support, admin", "/invoices/iopen/notes?for=support&amp;for=admin"},
		{"support", "/shipments/sopen/forward", "manager, admin", "/shipments/sopen/notes?for=manager"},
		{"support", "/shipments/sboxed/unpack", "manager, admin", "/shipments/sboxed/notes?for=manager"},
		{"manager", "/products/p07/edit", "admin", "/products/p07/notes?for=admin"},
		{"support", "/products/p07/stock/w1/receive", "manager, admin", "/products/p07/stock/w1/notes?for=manager"},
		{"support", "/bookings/bk1/move", "manager, admin", "/bookings/bk1/notes?for=manager"},
		{"support", "/admin/settings", "admin", ""},
	} {
		page := b.as(t, tt.user).get(tt.path)
		if !strings.Contains(page.body, "Roles that can: "+tt.roles+".") {
			t.Errorf("%s as %s: got no roles %q: %s", tt.path, tt.user, tt.roles, page.body)
		}
		if got := strings.Contains(page.body, "Add note"); got != (tt.note != "") || !strings.Contains(page.body, tt.note) {
			t.Errorf("%s as %s: got a link to a note %v, want %q", tt.path, tt.user, got, tt.note)
		}
	}
}

func (b *browser) expect(method, address string, status int) {
	b.t.Helper()
	got := b.do(b.request(method, address, ""))
	if got.status != status {
		b.t.Errorf("%s %s: got %d, want %d: %s", method, address, got.status, status, got.body)
	}
	got.wantTitle(b.t, method+" "+address)
}

var pageTitle = regexp.MustCompile(`<title>(.*?) – Stockroom</title>`)

// wantTitle checks the title of a page that answers a request with an error. It must
// not be the name of the status. If the user must correct something, it must begin with
// Error.
func (a answer) wantTitle(t testing.TB, request string) {
	t.Helper()
	found := pageTitle.FindStringSubmatch(a.body)
	if found == nil || a.status < http.StatusBadRequest {
		return
	}
	title, isError := strings.CutPrefix(found[1], "Error: ")
	corrects := slices.Contains([]int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests}, a.status)
	if title == "" || title == http.StatusText(a.status) || isError != corrects {
		t.Errorf("%s: got the title %q with status %d", request, found[1], a.status)
	}
}

var menuLink = regexp.MustCompile(`<li><a href="([^"]*)"`)

// TestMenu_ListsWhatTheRoleMayOpen checks that users can open all items of their menu,
// and that the menu contains all lists and start pages that they may open.
func TestMenu_ListsWhatTheRoleMayOpen(t *testing.T) {
	b := open(t, append(openOrder(), openCount()...)...)
	for _, user := range users {
		want := "/ /orders /invoices /customers /subscriptions /due /jobs /products /stock/low /deliveries /transfers /warehouses /shipments /stores /rentals/overdue /employees /reps /reference/regions"
		if user.May(store.ChangeStock) {
			want = strings.Replace(want, " /transfers", " /transfers /counts", 1)
		}
		if user.May(store.Subscribe) {
			want = strings.Replace(want, " /jobs", " /jobs /emails", 1)
		}
		if user.May(store.ChangeMany) {
			want = strings.Replace(want, " /products", " /bulk /products", 1)
		}
		if user.Role == store.Manager {
			want = strings.Replace(want, " /reps", "", 1) // not for managers, because the list also ranks staff of other places
		}
		browser := b.as(t, user.Name)
		page := browser.get("/").body
		menu, _, _ := strings.Cut(page[strings.Index(page, `id="menu"`):], "</nav>")
		var paths []string
		for _, link := range menuLink.FindAllStringSubmatch(menu, -1) {
			paths = append(paths, link[1])
			if got := browser.get(link[1]); got.status != http.StatusOK {
				t.Errorf("%s: menu link %s: got %d, want 200", user.Name, link[1], got.status)
			}
		}
		if user.Role == store.Auditor {
			want += " /admin/events"
		}
		if user.Role == store.Admin {
			want += " /data/patterns /data/costs /data/partitions /data/import /data/export /data/model /admin/users /admin/events /admin/check /admin/settings"
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: got menu %s, want %s", user.Name, got, want)
		}
	}
	if page := b.browser(t).get("/login").body; strings.Contains(page, `id="menu"`) {
		t.Error("got a menu on the sign-in page, want none")
	}
}

// TestMenu_OmitsWhatTheRoleMayNotOpen adds a route that only admins may open. The menus
// of other roles must not contain it.
func TestMenu_OmitsWhatTheRoleMayNotOpen(t *testing.T) {
	rows := append(routes(http.NotFoundHandler()), route{
		http.MethodGet, "/owner", "Owner", notFound, store.Administer, none, reads(0), in(admin, "user"),
	})
	for _, role := range store.Roles {
		menu := menuOf(rows, &store.User{Role: role}, "/")
		group := menu[len(menu)-1]
		if got := group.Items[len(group.Items)-1].Path == "/owner"; got != (role == store.Admin) {
			t.Errorf("%s: got entry Owner %v, want %v", role, got, role == store.Admin)
		}
	}
}

// TestMenu_MarksOneItem checks that every page marks one item of the menu as current,
// except the pages in inNoSection, which mark none. The item can have another path,
// such as /stores for /kayaks/:id.
func TestMenu_MarksOneItem(t *testing.T) {
	rows := routes(http.NotFoundHandler())
	marked := func(path string) (items []string) {
		for _, group := range menuOf(rows, &store.User{Role: store.Admin}, sectionOf(path)) {
			for _, item := range group.Items {
				if item.Current {
					items = append(items, item.Path)
				}
			}
		}
		return items
	}
	inNoSection := []string{"/search", views.ComparePath, "/undo", "/choices/:kind", "/account", "/account/password", "/account/confirm", "/account/confirm/sso", "/account/second-factor", "/account/tokens", "/api", "/logo/:digest", "/views", "/views/new", "/views/:whose/:id"}
	for _, row := range rows {
		if row.method != http.MethodGet || row.permission == store.Anyone {
			continue
		}
		want := 1
		if slices.Contains(inNoSection, row.path) {
			want = 0
		}
		if got := marked(row.path); len(got) != want {
			t.Errorf("%s: got %q marked in the menu, want %d items", row.path, got, want)
		}
	}
	for path, want := range map[string]string{
		"/": "/", "/orders/:id": "/orders", "/accounts/:id/subscribe": "/subscriptions", "/kayaks/:id/repair": "/stores", "/people/:id": "/stores",
		"/reference/:kind/:id": "/reference/regions", "/admin/users/:id": "/admin/users",
	} {
		if got := marked(path); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q marked in the menu, want %s", path, got, want)
		}
	}
}

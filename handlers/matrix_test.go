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
)

// expectation is what each of nobody, viewer, support, manager (of w1),
// outsider (manager of w2) and admin gets from a route, in this order.
type expectation struct {
	address string // something that the route has to show: all of it lies in w1
	page    [6]int
	json    [6]int
	csv     [6]int
	form    url.Values // what is sent to a POST
}

// Answers that many routes have in common.
var (
	everybody  = [6]int{200, 200, 200, 200, 200, 200}
	staff      = [6]int{303, 200, 200, 200, 200, 200}
	inCharge   = [6]int{303, 200, 200, 200, 404, 200}
	ownChange  = [6]int{303, 403, 403, 200, 404, 200} // the form of a change that a manager makes in their own place
	ownRefused = [6]int{303, 403, 403, 422, 404, 422} // and the same form filled in wrongly
	staffFile  = [6]int{401, 200, 200, 200, 200, 200}
	ownFile    = [6]int{401, 200, 200, 200, 404, 200}
	admins     = [6]int{303, 403, 403, 403, 403, 200}
	adminsFile = [6]int{401, 403, 403, 403, 403, 200}
	adminsForm = [6]int{303, 403, 403, 403, 403, 422}
	noSuchFile = [6]int{404, 404, 404, 404, 404, 404}
	goesOn     = [6]int{303, 303, 303, 303, 303, 303}
	missing    = [6]int{303, 404, 404, 404, 404, 404}
)

func pageOnly(address string, page [6]int) expectation {
	return expectation{address: address, page: page, json: noSuchFile, csv: noSuchFile}
}

func oneThing(address string) expectation {
	return expectation{address: address, page: staff, json: staffFile, csv: noSuchFile}
}

func aList(address string) expectation {
	return expectation{address: address, page: staff, json: staffFile, csv: staffFile}
}

// matrix has a row for every route that the router knows, by method and path.
// Order o0001 was sent from w1, in shipment so0001.
var matrix = map[string]expectation{
	"GET /":       pageOnly("/", staff),
	"GET /search": pageOnly("/search?q=product", staff),

	"GET /orders":                    aList("/orders"),
	"GET /orders/:id":                oneThing("/orders/o0001"),
	"GET /orders/:id/items":          aList("/orders/o0001/items"),
	"GET /orders/:id/items/:product": oneThing("/orders/o0001/items/p01"),
	"GET /orders/:id/invoices":       aList("/orders/o0001/invoices"),
	"GET /orders/:id/shipments":      aList("/orders/o0001/shipments"),
	"GET /orders/:id/packing-slip":   pageOnly("/orders/o0001/packing-slip", staff),

	"GET /orders/new":         pageOnly("/orders/new?customer=c01", admins),
	"POST /orders/new":        {address: "/orders/new", page: adminsForm, form: url.Values{"customer": {"none"}, "product-1": {"p10"}, "quantity-1": {"x"}}},
	"GET /orders/:id/notes":   pageOnly("/orders/open/notes", [6]int{303, 403, 200, 200, 200, 200}),
	"GET /orders/slips":       pageOnly("/orders/slips?order=open&order=o0001&order=none", staff),
	"GET /orders/ship":        pageOnly("/orders/ship?order=open&order=o0001", [6]int{303, 403, 403, 200, 200, 200}),
	"GET /orders/chosen":      pageOnly("/orders/chosen?do=slips&order=open", goesOn),
	"POST /orders/ship":       {address: "/orders/ship", page: [6]int{303, 403, 403, 422, 422, 422}, form: url.Values{"order": {"open"}}},
	"GET /orders/:id/ship":    pageOnly("/orders/open/ship", [6]int{303, 403, 403, 200, 200, 200}),
	"POST /orders/:id/ship":   {address: "/orders/open/ship", page: ownRefused, form: url.Values{"warehouse": {"w1"}, "version": {"1"}}},
	"GET /orders/:id/return":  pageOnly("/orders/open/return", [6]int{303, 403, 200, 200, 200, 200}),
	"POST /orders/:id/return": {address: "/orders/open/return", page: [6]int{303, 403, 422, 422, 422, 422}, form: url.Values{"why": {""}}},
	"GET /orders/:id/cancel":  pageOnly("/orders/open/cancel", admins),
	"POST /orders/:id/cancel": {address: "/orders/open/cancel", page: adminsForm, form: url.Values{"why": {""}}},
	"POST /orders/:id/notes":  {address: "/orders/open/notes", page: [6]int{303, 403, 422, 422, 422, 422}, form: url.Values{"note": {""}}},

	"GET /invoices":              aList("/invoices"),
	"GET /invoices/:id":          oneThing("/invoices/io0001"),
	"GET /invoices/:id/payments": aList("/invoices/io0001/payments"),
	"GET /invoices/:id/print":    pageOnly("/invoices/io0001/print", staff),

	"GET /invoices/:id/pay":     pageOnly("/invoices/iopen/pay", admins),
	"POST /invoices/:id/pay":    {address: "/invoices/iopen/pay", page: adminsForm, form: url.Values{"card-amount": {"1,5"}}},
	"GET /invoices/:id/refund":  pageOnly("/invoices/iopen/refund", admins),
	"POST /invoices/:id/refund": {address: "/invoices/iopen/refund", page: adminsForm, form: url.Values{"amount": {"x"}}},

	"GET /customers/new":          pageOnly("/customers/new", admins),
	"POST /customers/new":         {address: "/customers/new", page: adminsForm, form: url.Values{"name": {""}}},
	"GET /warehouses/:id/edit":    pageOnly("/warehouses/w1/edit", admins),
	"POST /warehouses/:id/edit":   {address: "/warehouses/w1/edit", page: adminsForm, form: url.Values{"name": {""}, "version": {"1"}}},
	"GET /employees/:id/edit":     pageOnly("/employees/e01/edit", admins),
	"POST /employees/:id/edit":    {address: "/employees/e01/edit", page: adminsForm, form: url.Values{"name": {""}, "version": {"1"}}},
	"GET /customers/:id/edit":     pageOnly("/customers/c01/edit", admins),
	"POST /customers/:id/edit":    {address: "/customers/c01/edit", page: adminsForm, form: url.Values{"name": {""}, "version": {"1"}}},
	"GET /customers/:id/notes":    pageOnly("/customers/c01/notes", [6]int{303, 403, 200, 200, 200, 200}),
	"POST /customers/:id/notes":   {address: "/customers/c01/notes", page: [6]int{303, 403, 422, 422, 422, 422}, form: url.Values{"note": {""}}},
	"GET /customers":              aList("/customers"),
	"GET /customers/:id":          oneThing("/customers/c01"),
	"GET /customers/:id/orders":   aList("/customers/c01/orders"),
	"GET /customers/:id/invoices": aList("/customers/c01/invoices"),
	"GET /customers/:id/phones":   aList("/customers/c01/phones"),
	"GET /customers/:id/products": aList("/customers/c01/products"),
	"GET /customers/:id/out":      aList("/customers/c01/out"),
	"GET /customers/:id/rentals":  aList("/customers/c01/rentals"),
	"GET /customers/:id/timeline": aList("/customers/c01/timeline"),

	"GET /products/new":          pageOnly("/products/new", admins),
	"POST /products/new":         {address: "/products/new", page: adminsForm, form: url.Values{"name": {""}}},
	"GET /products/:id/edit":     pageOnly("/products/p01/edit", admins),
	"POST /products/:id/edit":    {address: "/products/p01/edit", page: adminsForm, form: url.Values{"price": {"x"}}},
	"GET /products":              aList("/products"),
	"GET /products/:id":          oneThing("/products/p01"),
	"GET /products/:id/on-order": aList("/products/p01/on-order"),
	"GET /products/:id/stock":    aList("/products/p01/stock"),
	"GET /products/:id/orders":   aList("/products/p01/orders"),

	"GET /products/:id/stock/:warehouse":           {address: "/products/p07/stock/w1", page: inCharge, json: ownFile, csv: noSuchFile},
	"GET /products/:id/stock/:warehouse/ledger":    {address: "/products/p07/stock/w1/ledger", page: inCharge, json: ownFile, csv: ownFile},
	"GET /products/:id/stock/:warehouse/receive":   pageOnly("/products/p07/stock/w1/receive", ownChange),
	"POST /products/:id/stock/:warehouse/receive":  {address: "/products/p07/stock/w1/receive", page: ownRefused, form: url.Values{"quantity": {"x"}}},
	"GET /products/:id/stock/:warehouse/adjust":    pageOnly("/products/p07/stock/w1/adjust", ownChange),
	"POST /products/:id/stock/:warehouse/adjust":   {address: "/products/p07/stock/w1/adjust", page: ownRefused, form: url.Values{"quantity": {"1"}}},
	"GET /products/:id/stock/:warehouse/count":     pageOnly("/products/p07/stock/w1/count", ownChange),
	"POST /products/:id/stock/:warehouse/count":    {address: "/products/p07/stock/w1/count", page: ownRefused, form: url.Values{"quantity": {"-1"}}},
	"GET /products/:id/stock/:warehouse/transfer":  pageOnly("/products/p07/stock/w1/transfer", ownChange),
	"POST /products/:id/stock/:warehouse/transfer": {address: "/products/p07/stock/w1/transfer", page: ownRefused, form: url.Values{"quantity": {"1"}, "to": {"w1"}}},
	"GET /products/:id/stock/:warehouse/reorder":   pageOnly("/products/p07/stock/w1/reorder", ownChange),
	"POST /products/:id/stock/:warehouse/reorder":  {address: "/products/p07/stock/w1/reorder", page: ownRefused, form: url.Values{"reorder": {"-1"}}},

	"GET /views":                    pageOnly("/views", staff),
	"GET /views/new":                pageOnly("/views/new?path=/orders?status=OPEN", staff),
	"POST /views/new":               {address: "/views/new", page: [6]int{303, 422, 422, 422, 422, 422}, form: url.Values{"path": {"/orders"}}},
	"GET /views/:whose/:id":         pageOnly("/views/shared/v2", admins),
	"POST /views/:whose/:id":        {address: "/views/shared/v2", page: adminsForm, form: url.Values{"version": {"1"}}},
	"POST /views/:whose/:id/delete": {address: "/views/shared/v2/delete", page: [6]int{303, 403, 403, 403, 403, 409}, form: url.Values{"version": {"9"}}},

	"GET /warehouses":               aList("/warehouses"),
	"GET /warehouses/:id":           {address: "/warehouses/w1", page: inCharge, json: ownFile, csv: noSuchFile},
	"GET /warehouses/:id/stock":     {address: "/warehouses/w1/stock", page: inCharge, json: ownFile, csv: ownFile},
	"GET /warehouses/:id/low":       {address: "/warehouses/w1/low", page: inCharge, json: ownFile, csv: ownFile},
	"GET /warehouses/:id/employees": {address: "/warehouses/w1/employees", page: inCharge, json: ownFile, csv: ownFile},
	"GET /warehouses/:id/shipments": {address: "/warehouses/w1/shipments", page: inCharge, json: ownFile, csv: ownFile},

	"GET /warehouses/:id/ledger":  {address: "/warehouses/w1/ledger", page: inCharge, json: ownFile, csv: ownFile},
	"GET /warehouses/:id/receive": pageOnly("/warehouses/w1/receive", ownChange),

	"GET /shipments":     {address: "/shipments?warehouse=w1", page: inCharge, json: ownFile, csv: ownFile},
	"GET /shipments/:id": {address: "/shipments/so0001", page: inCharge, json: ownFile, csv: noSuchFile},

	"GET /employees":                 {address: "/employees?warehouse=w1", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id":             {address: "/employees/e01", page: inCharge, json: ownFile, csv: noSuchFile},
	"GET /employees/:id/customers":   {address: "/employees/e01/customers", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id/orders":      {address: "/employees/e01/orders", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id/quotas":      {address: "/employees/e01/quotas", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id/employments": {address: "/employees/e01/employments", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id/out":         {address: "/employees/e01/out", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id/rentals":     {address: "/employees/e01/rentals", page: inCharge, json: ownFile, csv: ownFile},
	"GET /employees/:id/phones":      {address: "/employees/e01/phones", page: [6]int{303, 403, 403, 200, 404, 200}, json: [6]int{401, 403, 403, 200, 404, 200}, csv: [6]int{401, 403, 403, 200, 404, 200}},
	"GET /reps":                      {address: "/reps?period=2026-Q4", page: [6]int{303, 200, 200, 403, 403, 200}, json: [6]int{401, 200, 200, 403, 403, 200}, csv: [6]int{401, 200, 200, 403, 403, 200}},
	"GET /reference/:kind":           aList("/reference/departments"),
	"GET /reference/:kind/:id":       oneThing("/reference/departments/d1"),

	"GET /shipments/:id/forward":  pageOnly("/shipments/sopen/forward", ownChange),
	"POST /shipments/:id/forward": {address: "/shipments/sopen/forward", page: ownRefused, form: url.Values{"to": {"DELIVERED"}, "version": {"1"}}},
	"GET /data/patterns":          {address: "/data/patterns", page: admins, json: adminsFile, csv: adminsFile},
	"GET /data/patterns/:id":      pageOnly("/data/patterns/getOrderDetailsByOrderId?try=yes&orderID=o0001", admins),
	"GET /data/partitions":        pageOnly("/data/partitions?pk=o%23o0001", admins),
	"GET /data/model":             {address: "/data/model", page: admins, json: adminsFile, csv: noSuchFile},

	"GET /admin/users":     {address: "/admin/users", page: admins, json: adminsFile, csv: adminsFile},
	"GET /admin/users/:id": {address: "/admin/users/viewer", page: admins, json: adminsFile, csv: noSuchFile},
	"GET /admin/events":    {address: "/admin/events", page: admins, json: adminsFile, csv: adminsFile},
	"GET /admin/settings":  pageOnly("/admin/settings", admins),
	// These forms are wrong: what they would change is needed by other rows.
	"POST /admin/users":              {address: "/admin/users", page: adminsForm, form: url.Values{"name": {"a#b"}, "role": {"viewer"}}},
	"POST /admin/users/:id/role":     {address: "/admin/users/admin/role", page: adminsForm, form: url.Values{"role": {"viewer"}}},
	"POST /admin/users/:id/disable":  {address: "/admin/users/admin/disable", page: adminsForm, form: url.Values{}},
	"POST /admin/users/:id/enable":   {address: "/admin/users/admin/enable", page: adminsForm, form: url.Values{}},
	"POST /admin/users/:id/password": {address: "/admin/users/admin/password", page: adminsForm, form: url.Values{}},
	"GET /data/import":               pageOnly("/data/import", admins),
	"POST /data/import":              {address: "/data/import", page: [6]int{303, 403, 403, 403, 403, 415}, form: url.Values{}},
	"GET /data/export":               pageOnly("/data/export", admins),
	"POST /data/export":              {address: "/data/export", page: adminsForm, form: url.Values{"file": {"sessions"}, "format": {"csv"}}},
	"POST /admin/settings":           {address: "/admin/settings", page: adminsForm, form: url.Values{"currency": {"euro"}, "timezone": {"UTC"}}},
	"GET /stores":                    aList("/stores"),
	"GET /stores/:id":                {address: "/stores/s1", page: inCharge, json: ownFile, csv: noSuchFile},
	"GET /stores/:id/kayaks":         {address: "/stores/s1/kayaks", page: inCharge, json: ownFile, csv: ownFile},
	"GET /stores/:id/out":            {address: "/stores/s1/out", page: inCharge, json: ownFile, csv: ownFile},
	"GET /stores/:id/overdue":        {address: "/stores/s1/overdue", page: inCharge, json: ownFile, csv: ownFile},
	"GET /stores/:id/rentals":        {address: "/stores/s1/rentals", page: inCharge, json: ownFile, csv: ownFile},
	"GET /stores/:id/employees":      {address: "/stores/s1/employees", page: inCharge, json: ownFile, csv: ownFile},
	"GET /stores/:id/employments":    {address: "/stores/s1/employments", page: inCharge, json: ownFile, csv: ownFile},
	"GET /stores/:id/labels":         pageOnly("/stores/s1/labels", inCharge),
	"GET /stores/:id/check-out":      pageOnly("/stores/s1/check-out?kayaks=k10", ownChange),
	"POST /stores/:id/check-out":     {address: "/stores/s1/check-out", page: ownRefused, form: url.Values{"kayaks": {"k10"}}},
	"GET /stores/:id/return":         pageOnly("/stores/s1/return?kayaks=k04", ownChange),
	"POST /stores/:id/return":        {address: "/stores/s1/return", page: ownRefused, form: url.Values{"kayaks": {""}}},
	"GET /stores/:id/extend":         pageOnly("/stores/s1/extend?kayaks=k04", ownChange),
	"POST /stores/:id/extend":        {address: "/stores/s1/extend", page: ownRefused, form: url.Values{"kayaks": {"k04"}}},
	"GET /stores/:id/hire":           pageOnly("/stores/s1/hire", ownChange),
	"POST /stores/:id/hire":          {address: "/stores/s1/hire", page: ownRefused, form: url.Values{"person": {"nobody"}, "from": {"2026-11-01"}}},
	"GET /stores/:id/leave":          pageOnly("/stores/s1/leave?person=pp0", ownChange),
	"POST /stores/:id/leave":         {address: "/stores/s1/leave", page: ownRefused, form: url.Values{"person": {"pp0"}, "last": {"1950-01-01"}}},
	"GET /kayaks/:id/move":           pageOnly("/kayaks/k10/move", ownChange),
	"POST /kayaks/:id/move":          {address: "/kayaks/k10/move", page: ownRefused, form: url.Values{"store": {"s1"}, "version": {"1"}}},
	"GET /kayaks/:id/repair":         pageOnly("/kayaks/k10/repair", ownChange),
	"POST /kayaks/:id/repair":        {address: "/kayaks/k10/repair", page: ownRefused, form: url.Values{"version": {"1"}}},
	"GET /kayaks/:id/repaired":       pageOnly("/kayaks/k10/repaired", ownChange),
	"POST /kayaks/:id/repaired":      {address: "/kayaks/k10/repaired", page: [6]int{303, 403, 403, 409, 404, 409}, form: url.Values{"version": {"1"}}},
	"GET /kayaks/:id/retire":         pageOnly("/kayaks/k10/retire", ownChange),
	"POST /kayaks/:id/retire":        {address: "/kayaks/k10/retire", page: ownRefused, form: url.Values{"version": {"1"}}},
	"GET /rentals/overdue":           aList("/rentals/overdue"),
	"GET /kayaks/:id":                {address: "/kayaks/k04", page: inCharge, json: ownFile, csv: noSuchFile},
	"GET /kayaks/:id/rentals":        {address: "/kayaks/k04/rentals", page: inCharge, json: ownFile, csv: ownFile},
	"GET /kayaks/:id/events":         {address: "/kayaks/k04/events", page: inCharge, json: ownFile, csv: ownFile},
	"GET /people/:id":                oneThing("/people/pp0"),
	"GET /people/:id/out":            aList("/people/pp0/out"),
	"GET /people/:id/rentals":        aList("/people/pp0/rentals"),

	"GET /subscriptions":              aList("/subscriptions"),
	"GET /due":                        aList("/due"),
	"GET /jobs":                       pageOnly("/jobs", staff),
	"GET /jobs/:name/:date":           aList("/jobs/payments/2026-11-21"),
	"GET /jobs/:name/:date/rehearsal": aList("/jobs/reminders/2026-11-21/rehearsal"),
	"POST /jobs/:name/:date/run":      {address: "/jobs/payments/2999-01-01/run", page: [6]int{303, 403, 403, 403, 403, 422}, form: url.Values{}},
	"POST /jobs/scheduler":            {address: "/jobs/scheduler", page: [6]int{303, 403, 403, 403, 403, 303}, form: url.Values{}},
	"GET /accounts/:id":               oneThing("/accounts/c01"),
	"GET /accounts/:id/subscriptions": aList("/accounts/c01/subscriptions"),
	"GET /accounts/:id/receipts":      aList("/accounts/c01/receipts"),
	"GET /accounts/:id/events":        aList("/accounts/c01/events"),
	"GET /accounts/:id/subscribe":     pageOnly("/accounts/c01/subscribe", admins),
	"POST /accounts/:id/subscribe":    {address: "/accounts/c01/subscribe", page: [6]int{303, 403, 403, 403, 403, 422}, form: url.Values{}},
	"GET /accounts/:id/subscriptions/:subscription/:sku/change":  pageOnly("/accounts/c01/subscriptions/sub01/PLAN/change", admins),
	"POST /accounts/:id/subscriptions/:subscription/:sku/change": {address: "/accounts/c01/subscriptions/sub01/PLAN/change", page: [6]int{303, 403, 403, 403, 403, 422}, form: url.Values{}},
	"GET /accounts/:id/subscriptions/:subscription/:sku/pause":   pageOnly("/accounts/c01/subscriptions/sub01/PLAN/pause", admins),
	"POST /accounts/:id/subscriptions/:subscription/:sku/pause":  {address: "/accounts/c01/subscriptions/sub01/PLAN/pause", page: [6]int{303, 403, 403, 403, 403, 409}, form: url.Values{}},
	"GET /accounts/:id/subscriptions/:subscription/:sku/resume":  pageOnly("/accounts/c01/subscriptions/sub01/PLAN/resume", admins),
	"POST /accounts/:id/subscriptions/:subscription/:sku/resume": {address: "/accounts/c01/subscriptions/sub01/PLAN/resume", page: [6]int{303, 403, 403, 403, 403, 409}, form: url.Values{}},
	"GET /accounts/:id/subscriptions/:subscription/:sku/cancel":  pageOnly("/accounts/c01/subscriptions/sub01/PLAN/cancel", admins),
	"POST /accounts/:id/subscriptions/:subscription/:sku/cancel": {address: "/accounts/c01/subscriptions/sub01/PLAN/cancel", page: [6]int{303, 403, 403, 403, 403, 409}, form: url.Values{}},
	"GET /accounts/:id/subscriptions/:subscription/:sku/retry":   pageOnly("/accounts/c01/subscriptions/sub01/PLAN/retry", [6]int{303, 403, 200, 403, 403, 200}),
	"POST /accounts/:id/subscriptions/:subscription/:sku/retry":  {address: "/accounts/c01/subscriptions/sub01/PLAN/retry", page: [6]int{303, 403, 409, 403, 403, 409}, form: url.Values{}},
	"GET /accounts/:id/subscriptions/:subscription/:sku/remind":  pageOnly("/accounts/c01/subscriptions/sub01/PLAN/remind", [6]int{303, 403, 200, 403, 403, 200}),
	"POST /accounts/:id/subscriptions/:subscription/:sku/remind": {address: "/accounts/c01/subscriptions/sub01/PLAN/remind", page: [6]int{303, 403, 409, 403, 403, 409}, form: url.Values{}},

	"GET /account":               pageOnly("/account", staff),
	"GET /account/password":      pageOnly("/account/password", goesOn),
	"POST /account/password":     {address: "/account/password", page: [6]int{303, 422, 422, 422, 422, 422}, form: url.Values{"old": {"x"}, "password": {"y"}, "again": {"z"}}},
	"POST /account/sessions/end": {address: "/account/sessions/end", page: missing, form: url.Values{"session": {"none"}}},
	"POST /theme":                {address: "/theme", page: goesOn, form: url.Values{"theme": {"dark"}}},
	"POST /logout":               {address: "/logout", page: goesOn, form: url.Values{}},
	"GET /login":                 pageOnly("/login", everybody),
	"POST /login":                {address: "/login", page: [6]int{422, 422, 422, 422, 422, 422}, form: url.Values{"username": {"x"}, "password": {"y"}}},

	"GET /static/*":            {address: "/static/none.css", page: noSuchFile, json: noSuchFile, csv: noSuchFile},
	"GET /healthz":             pageOnly("/healthz", everybody),
	"GET /readyz":              pageOnly("/readyz", everybody),
	echo.RouteNotFound + " /*": {address: "/nowhere", page: missing, json: noSuchFile, csv: noSuchFile},
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

func TestRoleMatrix(t *testing.T) {
	b := open(t, waiting()...)
	if known := slices.Sorted(maps.Keys(matrix)); !slices.Equal(known, registered(b)) {
		t.Fatalf("the matrix has\n%s\nand the router\n%s", strings.Join(known, "\n"), strings.Join(registered(b), "\n"))
	}
	for n, name := range []string{"", "viewer", "support", "manager", "outsider", "admin"} {
		t.Run(name, func(t *testing.T) {
			reader := b.as(t, name)
			for route, want := range matrix {
				if want.form == nil {
					reader.expect(http.MethodGet, want.address, want.page[n])
					reader.expect(http.MethodHead, want.address, want.page[n])
					path, query, _ := strings.Cut(want.address, "?")
					reader.expect(http.MethodGet, path+".json?"+query, want.json[n])
					reader.expect(http.MethodGet, path+".csv?"+query, want.csv[n])
				} else if method, _, _ := strings.Cut(route, " "); method != http.MethodPost {
					t.Errorf("%s takes no form", route)
				}
			}
			for _, want := range matrix {
				if want.form != nil {
					// Posting may log out, and wrong tries are counted: each has
					// a log-in and an hour of its own.
					b.clock.Advance(time.Hour)
					if got := b.as(t, name).post(want.address, want.form); got.status != want.page[n] {
						t.Errorf("POST %s is %d, want %d: %s", want.address, got.status, want.page[n], got.body)
					}
				}
			}
		})
	}
}

func (b *browser) expect(method, address string, status int) {
	b.t.Helper()
	if got := b.do(b.request(method, address, "")); got.status != status {
		b.t.Errorf("%s %s is %d, want %d: %s", method, address, got.status, status, got.body)
	}
}

var menuLink = regexp.MustCompile(`<li><a href="([^"]*)"`)

// TestMenuIsWhatARoleMayOpen holds the menu to the routes: every entry opens,
// and every list and first page that opens is an entry.
func TestMenuIsWhatARoleMayOpen(t *testing.T) {
	b := open(t, waiting()...)
	for _, user := range users {
		want := "/ /orders /invoices /customers /orders?status=OPEN /views /products /warehouses /shipments /stores /rentals/overdue /employees /reps /reference/regions /subscriptions /due /jobs"
		if user.Role == store.Manager {
			want = strings.Replace(want, " /reps", "", 1) // which ranks other places' staff
		}
		browser := b.as(t, user.Name)
		page := browser.get("/").body
		menu, _, _ := strings.Cut(page[strings.Index(page, `id="menu"`):], "</nav>")
		var paths []string
		for _, link := range menuLink.FindAllStringSubmatch(menu, -1) {
			paths = append(paths, link[1])
			if got := browser.get(link[1]); got.status != http.StatusOK {
				t.Errorf("%s: the menu leads to %s, which is %d", user.Name, link[1], got.status)
			}
		}
		if user.Role == store.Admin {
			want = strings.Replace(want, "/orders?status=OPEN", "/invoices?status=UNPAID /admin/users /orders?status=OPEN", 1)
			want += " /data/patterns /data/partitions /data/import /data/export /data/model /admin/users /admin/events /admin/settings"
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: the menu has %s, want %s", user.Name, got, want)
		}
	}
	if page := b.browser(t).get("/login").body; strings.Contains(page, `id="menu"`) {
		t.Error("nobody has a menu")
	}
}

// TestMenuLeavesOutWhatARoleMayNotOpen looks at the table with a row that is
// not everybody's.
func TestMenuLeavesOutWhatARoleMayNotOpen(t *testing.T) {
	rows := append(routes(http.NotFoundHandler()), route{
		http.MethodGet, "/owner", "Owner", notFound, store.Administer, none, reads(0), in("Last", "user"),
	})
	all := menusOf(rows)
	for _, role := range store.Roles {
		menu := all[marked{role, "/"}]
		if got := menu[len(menu)-1].Title == "Last"; got != (role == store.Admin) {
			t.Errorf("%s sees Owner: %v", role, got)
		}
	}
}

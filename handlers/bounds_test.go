package handlers

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// moreAddresses lists further addresses of routes. They make the page read other data: with
// filters, on later pages of a list, or for a missing record.
var moreAddresses = map[string][]string{
	"GET /":                          {"/", "/", "/", "/"}, // each reload reads further parts of the page
	"GET /search":                    {"/search", "/search?q=o0005", "/search?q=c%2307", "/search?q=CN-1", "/search?q=customer7@example.com", "/search?q=SKU-7", "/search?q=%2B46+70+612+34+56", "/search?q=104833", "/search?q=k%23k07", "/search?q=a"},
	"GET /choices/:kind":             {"/choices/person?q=c01", "/choices/person?q=%2B46+70+612+34+56", "/choices/customer?q=customer7@example.com", "/choices/product?q=SKU-7", "/choices/employee?q=a", "/choices/warehouse?q=w1", "/choices/store?q=s1", "/choices/none?q=a", "/choices/person"},
	"GET /orders":                    {"/orders?status=PAID", "/orders?status=PAID&limit=200", "/orders?status=OPEN&limit=200", "/orders?status=OPEN&stock=READY", "/orders?status=PAID&stock=READY&limit=200", "/orders?from=2020-01-01&limit=200", "/orders?to=2025-01-01", "/orders?from=last+month&sort=reverse", "/orders?from=soon"},
	"GET /orders/new":                {"/orders/new?copy=open", "/orders/new?copy=none"},
	"GET /orders/:id":                {"/orders/none", "/orders/o0003?at=2026-11-21T10:00", "/orders/none?at=2026-11-21T10:00"},
	"GET /compare":                   {"/compare?of=%2Forders%2Fo0003&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Finvoices%2Fio0003&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fproducts%2Fp07&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fproducts%2Fp07%2Fstock%2Fw1&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fproducts%2Fp07%2Fstock%2Fw2&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fwarehouses%2Fw2&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fcustomers%2Fc01&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Faccounts%2Fc01&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Faccounts%2Fc01%2Fsubscriptions&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fkayaks%2Fk04&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Fadmin%2Fusers%2Fviewer&from=2026-11-20T10:00&to=2026-11-21T10:00", "/compare?of=%2Forders%2Fnone&from=2026-11-20T10:00&to=2026-11-21T10:00"},
	"GET /orders/pick":               {"/orders/pick", "/orders/pick?order=open", "/orders/pick?order=none&warehouse=w1", "/orders/pick?all=yes&status=OPEN&stock=READY&warehouse=w1"},
	"GET /orders/slips":              {"/orders/slips?all=yes", "/orders/slips?all=yes&status=OPEN&stock=READY"},
	"GET /invoices":                  {"/invoices?status=PARTIAL", "/invoices?status=OVERDUE", "/invoices?status=DUE&limit=200", "/invoices?status=overdue&sort=reverse&limit=200", "/invoices?from=2020-01-01&limit=200", "/invoices?to=2025-01-01"},
	"GET /customers":                 {"/customers?bucket=_", "/customers?name=maria", "/customers?email=customer7@example.com", "/customers?limit=200"},
	"GET /customers/:id":             {"/customers/c01?from=2026-11-01", "/customers/none", "/customers/c01?from=soon", "/customers/c01?at=2026-11-21T10:00"},
	"GET /customers/:id/statement":   {"/customers/c01/statement?to=today", "/customers/none/statement", "/customers/c01/statement?from=soon", "/customers/c01/statement?from=tomorrow"},
	"GET /products":                  {"/products?bucket=z", "/products?name=a-&limit=5", "/products?category=Chairs&bucket=b"},
	"GET /products/:id":              {"/products/p01?to=today", "/products/none", "/products/p01?at=2026-11-21T10:00", "/products/none?at=2026-11-21T10:00"},
	"GET /products/bulk/price":       {"/products/bulk/price", "/products/bulk/price?all=yes"},
	"GET /bulk/:id":                  {"/bulk/none", "/bulk/" + knownBulk + "?show=failures", "/bulk/" + knownBulk + "?show=skipped"},
	"GET /shipments":                 {"/shipments", "/shipments?status=SENT", "/shipments?status=SENT&from=2026-11-01", "/shipments?status=DELIVERED&warehouse=w1", "/shipments?status=ALL"},
	"GET /shipments/:id":             {"/shipments/so0002"},
	"GET /deliveries":                {"/deliveries", "/deliveries?show=overdue", "/deliveries?warehouse=none", "/deliveries?show=x"},
	"GET /deliveries/new":            {"/deliveries/new", "/deliveries/new?product=none&warehouse=none"},
	"GET /counts/:id":                {"/counts/n1?page=2", "/counts/n1?page=x", "/counts/none"},
	"GET /counts/:id/review":         {"/counts/none/review"},
	"GET /transfers":                 {"/transfers", "/transfers?show=overdue", "/transfers?show=sent", "/transfers?warehouse=none", "/transfers?show=x"},
	"GET /warehouses/:id/transfer":   {"/warehouses/w1/transfer?product=SKU-7", "/warehouses/none/transfer?product=none"},
	"GET /invoices/print":            {"/invoices/print", "/invoices/print?all=yes&status=DUE", "/invoices/print?all=yes&status=OVERDUE", "/invoices/print?all=yes&status=PAID&from=2026-11-20"},
	"GET /rentals/overdue/print":     {"/rentals/overdue/print", "/rentals/overdue/print?all=yes&show=today", "/rentals/overdue/print?rental=s1%23c04%23k04"},
	"GET /stores/:id/takings":        {"/stores/s1/takings", "/stores/s1/takings?day=2026-11-01&to=2026-12-01"},
	"GET /rentals/overdue":           {"/rentals/overdue?show=today", "/rentals/overdue?show=x"},
	"GET /stock/low":                 {"/stock/low", "/stock/low?show=out", "/stock/low?warehouse=w2&limit=200", "/stock/low?warehouse=none"},
	"GET /warehouses/:id":            {"/warehouses/w2", "/warehouses/none", "/warehouses/w1?at=2026-11-21T10:00"},
	"GET /invoices/:id":              {"/invoices/none", "/invoices/io0003?at=2026-11-21T10:00"},
	"GET /credit-notes/:id":          {"/credit-notes/none"},
	"GET /orders/:id/items/:product": {"/orders/none/items/none"},
	"GET /employees":                 {"/employees", "/employees?name=ma", "/employees?job=j2", "/employees?job=j2&name=m", "/employees?warehouse=w1&name=m&limit=200", "/employees?from=2026&to=today&sort=reverse", "/employees?from=2026&name=m", "/employees?warehouse=w2"},
	"GET /employees/:id":             {"/employees/e00?from=2026-11-01", "/employees/e05", "/employees/e23", "/employees/none", "/employees/e01?from=soon"},
	"GET /reps":                      {"/reps", "/reps?period=1999-Q1", "/reps?period=soon"},
	"GET /reference/:kind":           {"/reference/regions", "/reference/countries?name=s", "/reference/jobs", "/reference/none"},
	"GET /reference/:kind/:id":       {"/reference/jobs/j1", "/reference/countries/co2", "/reference/jobs/none", "/reference/none/none"},
	"GET /data/patterns/:id":         {"/data/patterns/getOrdersByStatusForDateRange?try=yes&status=OPEN", "/data/patterns/getWarehouses?try=yes", "/data/patterns/getUser", "/data/patterns/none", "/data/patterns/getCustomerByCustomerId?try=yes&customerID=none"},
	"GET /data/partitions":           {"/data/partitions", "/data/partitions?pk=w%23w1&index=GSI2", "/data/partitions?pk=users&index=GSI1", "/data/partitions?pk=settings"},
	"GET /admin/events":              {"/admin/events?by=test", "/admin/events?about=user%23viewer", "/admin/events?from=2020-01-01", "/admin/events?by=test&about=o%231"},
	"GET /admin/users/:id":           {"/admin/users/none", "/admin/users/admin", "/admin/users/viewer?at=2026-11-21T10:00"},
	"GET /account/password":          {"/account/password?x"},
	"GET /orders/:id/packing-slip":   {"/orders/none/packing-slip"},
	"GET /stores/:id":                {"/stores/s0", "/stores/s1?person=c01", "/stores/s1?person=%C3%A5sa", "/stores/s0?year=2025", "/stores/s0?order=grouped", "/stores/none"},
	"GET /stores/:id/week":           {"/stores/s1/week", "/stores/s1/week?day=2026-11-30&kind=Sea&page=2", "/stores/s1/week?day=soon", "/stores/none/week"},
	"GET /stores/:id/book":           {"/stores/s1/book", "/stores/none/book"},
	"GET /stores/:id/check-out":      {"/stores/s1/check-out?booking=bk1", "/stores/s1/check-out?booking=none"},
	"GET /stores/:id/extend":         {"/stores/s1/extend?kayaks=k04", "/stores/s1/extend?kayaks=k16"},
	"GET /stores/:id/return":         {"/stores/s1/return?kayaks=k04", "/stores/s1/return?kayaks=k16"},
	"GET /stores/:id/bookings":       {"/stores/s1/bookings?from=2026-11-01&to=today", "/stores/s1/bookings?status=OUT&limit=200", "/stores/s1/bookings?status=ENDED&sort=reverse", "/stores/s1/bookings?status=none", "/stores/none/bookings"},
	"GET /bookings/:id":              {"/bookings/none"},
	"GET /stores/:id/rentals":        {"/stores/s1/rentals?person=c01&limit=1"},
	"GET /emails":                    {"/emails?status=FAILED", "/emails?status=SENT&limit=200"},
	"GET /emails/:id":                {"/emails/none"},
	"GET /card/:link/:code":          {"/card/none/none"},
	"GET /due":                       {"/due?span=week", "/due?span=behind", "/due?kind=reminder&span=week"},
	"GET /jobs/:name/:date/dry-run":  {"/jobs/reminders/2026-11-21/dry-run"},
	"GET /jobs/:name/:date":          {"/jobs/payments/2026-11-21?show=failures"},
	"GET /kayaks/:id":                {"/kayaks/k09", "/kayaks/k04?person=c04", "/kayaks/k04?person=customer7@example.com", "/kayaks/none", "/kayaks/k04?at=2026-11-21T10:00"},
	"GET /undo":                      {"/undo", "/undo?about=p%23p12&event=none", "/undo?about=user%23viewer&event=" + adjustment},
	"GET /views/new":                 {"/views/new", "/views/new?path=https://example.com/"},
	"GET /views/:whose/:id":          {"/views/own/v1", "/views/own/none", "/views/none/none"},
	"GET /customers/:id/close":       {"/customers/c01/close", "/customers/none/close"},
	"GET /customers/:id/reopen":      {"/customers/shut/reopen", "/customers/none/reopen"},
	"GET /people/:id/data":           {"/people/c01/data", "/people/pp0/data", "/people/none/data"},
	"GET /people/:id":                {"/people/c01", "/people/none", "/people/pp0?store=s1", "/people/pp0?store=each", "/people/pp0?store=none", "/people/pp0?year=2025", "/people/pp0?order=grouped"},

	"GET /products/:id/stock/:warehouse": {"/products/p07/stock/w1?at=2026-11-21T10:00", "/products/p07/stock/w2?at=2026-11-21T10:00"},
	"GET /accounts/:id":                  {"/accounts/c01?at=2026-11-21T10:00"},
	"GET /accounts/:id/subscriptions":    {"/accounts/c01/subscriptions?at=2026-11-21T10:00"},
}

var footer = regexp.MustCompile(`Table reads</span><span class="muted">(\d+) requests? · `)

// boundedShards lists the numbers of shards with which the tests count requests. With 48
// shards, a stock level is spread over more items, and reading it takes more requests.
var boundedShards = []int{key.DefaultShards, store.MaxShards}

// openSharded opens the test shop, and then changes the number of shards for new items and
// for reads.
func openSharded(t *testing.T, shards int, entities ...store.Entity) *backOffice {
	t.Helper()
	b := open(t, entities...)
	settings, err := b.store.Settings(t.Context())
	settings.Shards, settings.ShardsRead = shards, shards
	if err = errors.Join(err, b.store.SaveSettings(t.Context(), settings, store.Program)); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPages_KeepRequestBounds counts the table requests of each page, also for a manager of
// many warehouses and stores. The count must not exceed the bound in the page's route, and
// must equal the number in the page's footer. The footer of an error page may show fewer
// requests, because the error cancels some.
func TestPages_KeepRequestBounds(t *testing.T) {
	for _, shards := range boundedShards {
		t.Run(strconv.Itoa(shards), func(t *testing.T) { testPageBounds(t, shards) })
	}
}

func testPageBounds(t *testing.T, shards int) {
	b := openSharded(t, shards, slices.Concat(openOrder(), longCount(), failedRun(), earlierVisit(), morePlaces())...)
	chief := store.User{Name: "chief", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}}
	for n := range addedPlaces {
		chief.Warehouses = append(chief.Warehouses, fmt.Sprintf("w1%d", n))
		chief.Stores = append(chief.Stores, fmt.Sprintf("s1%d", n))
	}
	if err := b.store.AddUser(t.Context(), chief, password, "test"); err != nil {
		t.Fatal(err)
	}
	for _, user := range append(slices.Clone(users), chief) {
		browser := b.as(t, user.Name)
		browser.get("/views") // caches the saved views for the tabs of lists
		b.forgetParts()
		for _, row := range routes(http.NotFoundHandler()) {
			route := row.method + " " + row.path
			if row.reads == nil {
				t.Fatalf("%s: got no bound, want one in its route", route)
			}
			if row.method == http.MethodPost {
				continue
			}
			bound := row.reads.requests + row.reads.shard*shards + row.reads.place*(len(user.Warehouses)+len(user.Stores))
			for _, address := range append([]string{matrix[route].address}, moreAddresses[route]...) {
				before := b.db.requests.Load()
				got := browser.get(address)
				requests := int(b.db.requests.Load() - before)
				if requests > bound {
					t.Errorf("%s: %s: got %d table requests, want at most %d", user.Name, address, requests, bound)
				}
				shown := 0
				if found := footer.FindStringSubmatch(got.body); found != nil {
					shown, _ = strconv.Atoi(found[1])
				}
				if strings.Contains(got.body, `id="reads"`) && (shown > requests || got.status == http.StatusOK && shown != requests) {
					t.Errorf("%s: %s: got %d requests in the footer, want %d", user.Name, address, shown, requests)
				}
			}
		}
	}
	if n := b.db.scans.Load(); n > 0 {
		t.Errorf("got %d scans of the table, want none", n)
	}
}

// addedPlaces is the number of warehouses, and of stores, that morePlaces returns.
const addedPlaces = 8

// morePlaces returns warehouses and stores, so that a manager can have many of them. The
// warehouses have stock of one product.
func morePlaces() (places []store.Entity) {
	for n := range addedPlaces {
		id := fmt.Sprintf("w1%d", n)
		places = append(
			places,
			&store.Warehouse{ID: id, Name: "Warehouse", Version: 1}, &store.RentalStore{ID: fmt.Sprintf("s1%d", n), Name: "Store", Version: 1},
			&store.WarehouseItem{ProductID: "p07", WarehouseID: id, Name: "c-product 7", Quantity: 1, Version: 1},
		)
	}
	return places
}

// moreForms lists further forms of routes, in the order in which tests submit them. Some
// succeed, and some conflict with an earlier form.
var moreForms = map[string][]url.Values{
	"POST /login":                                  {{"username": {"viewer"}, "password": {password}}},
	"POST /orders/:id/ship":                        repeated(url.Values{"product-1": {"p10"}, "quantity-1": {"1"}, "warehouse": {"w1"}, "version": {"1"}}),
	"POST /orders/:id/edit":                        repeated(url.Values{"product-1": {"p08"}, "quantity-1": {"3"}, "do": {"take"}, "total": {"6.54"}, "version": {"2"}}),
	"POST /orders/:id/return":                      repeated(url.Values{"product-1": {"p10"}, "quantity-1": {"1"}, "warehouse": {"w1"}, "why": {"x"}, "version": {"1"}}),
	"POST /orders/:id/cancel":                      repeated(url.Values{"why": {"x"}, "version": {"3"}}),
	"POST /invoices/:id/send":                      {{"to": {"a@example.com"}}},
	"POST /credit-notes/:id/send":                  {{"to": {"a@example.com"}}},
	"POST /orders/:id/confirmation/send":           {{"to": {"a@example.com"}}},
	"POST /customers/:id/statement/send":           {{"to": {"a@example.com"}}},
	"POST /invoices/:id/pay":                       repeated(url.Values{"rest-amount": {"0.5"}, "rest-method": {"Visa"}, "rest-reference": {"1234"}, "version": {"3"}}),
	"POST /invoices/:id/refund":                    repeated(url.Values{"payment": {"1"}, "amount": {"0.05"}, "credit": {"0.05"}, "why": {"x"}, "version": {"4"}}),
	"POST /invoices/:id/reverse":                   repeated(url.Values{"payment": {"1"}, "why": {"x"}, "version": {"1"}}),
	"POST /shipments/:id/forward":                  repeated(url.Values{"to": {"SENT"}, "version": {"1"}}),
	"POST /shipments/:id/unpack":                   repeated(url.Values{"why": {"x"}, "version": {"1"}}),
	"POST /orders/bulk/ship":                       repeatedOnce(url.Values{"order": {"open#c01", "o0001#c02", "none#none"}}),
	"POST /orders/new":                             newOrder(),
	"POST /customers/new":                          {{"name": {"New"}, "email": {"new@example.com"}, "zip": {"114 55"}, "phones": {"070 555 01\r\n070 555 02\r\n070 555 03\r\n070 555 04"}}},
	"POST /warehouses/:id/edit":                    repeated(url.Values{"name": {"Other"}, "version": {"1"}}),
	"POST /warehouses/new":                         {{"name": {"New"}, "city": {"Lund"}}},
	"POST /stores/new":                             {{"name": {"New"}, "city": {"Lund"}}},
	"POST /stores/:id/edit":                        repeated(url.Values{"name": {"Other"}, "version": {versionOnPage}}),
	"POST /stores/:id/kayaks/new":                  {{"name": {"New"}, "rate": {"30"}}},
	"POST /kayaks/:id/restore":                     repeated(url.Values{"version": {"6"}}),
	"POST /warehouses/:id/archive":                 repeated(url.Values{"version": {"1"}, "why": {"closed"}}),
	"POST /warehouses/:id/restore":                 repeated(url.Values{"version": {"2"}}),
	"POST /kayaks/:id/edit":                        repeated(url.Values{"name": {"Other"}, "rate": {"30"}, "version": {"1"}}),
	"POST /people/:id/same":                        {{"person": {"pp0"}}},
	"POST /people/:id/same/separate":               {{"other": {"pp0"}}},
	"POST /people/new":                             {{"name": {"Newest"}, "email": {"person@example.com"}, "phones": {"070 556 01\r\n070 556 02\r\n070 556 03\r\n070 556 04"}}},
	"POST /people/:id/edit":                        repeated(url.Values{"name": {"Other"}, "version": {"1"}}),
	"POST /reference/:kind/new":                    {{"name": {"New"}, "parent": {"r1"}}},
	"POST /reference/:kind/:id/edit":               repeated(url.Values{"name": {"Other"}, "version": {"1"}}),
	"POST /employees/:id/quotas/new":               {{"period": {"2027-Q1"}, "target": {"5000"}}},
	"POST /employees/:id/quotas/:period/edit":      repeated(url.Values{"target": {"5000"}, "version": {versionOnPage}}),
	"POST /employees/new":                          {{"name": {"New"}, "job": {"j2"}, "department": {"d1"}, "location": {"l1"}, "warehouse": {"w1"}, "manager": {"e01"}, "city": {"Lund"}}},
	"POST /employees/:id/edit":                     repeated(url.Values{"name": {"Other"}, "job": {"j2"}, "version": {"1"}}),
	"POST /customers/:id/close":                    repeated(url.Values{"version": {"1"}}),
	"POST /customers/:id/reopen":                   repeated(url.Values{"version": {"1"}}),
	"POST /customers/:id/edit":                     repeated(url.Values{"name": {"Other"}, "email": {"other@example.com"}, "version": {"1"}}),
	"POST /products/bulk/price":                    repeatedOnce(url.Values{"product": {"p01", "p02", "none"}, "percent": {"5"}, "rounding": {"0.05"}}),
	"POST /products/bulk/category":                 repeatedOnce(url.Values{"product": {"p03"}, "category": {"Lamps"}}),
	"POST /products/bulk/archive":                  repeatedOnce(url.Values{"product": {"p04"}}),
	"POST /products/bulk/reorder-point":            repeatedOnce(url.Values{"product": {"p05", "p06"}, "warehouse": {"w1"}, "reorder": {"5"}}),
	"POST /bulk/:id/run":                           repeated(url.Values{"version": {"1"}}),
	"POST /stock/low/bulk/delivery":                repeatedOnce(url.Values{"stock": {"p07#w1", "p08#w2", "none#w1"}, "due": {"2026-12-01"}}),
	"POST /stock/low/bulk/transfer":                repeatedOnce(url.Values{"stock": {"p07#w1", "p08#w2", "none#w1"}}),
	"POST /invoices/bulk/reminder":                 repeatedOnce(url.Values{"invoice": {"open#iopen", "none#none"}}),
	"POST /rentals/overdue/bulk/reminder":          repeatedOnce(url.Values{"rental": {"s1#c01#k04", "s1#none#none"}}),
	"POST /products/new":                           {{"name": {"New"}, "price": {"1"}, "sku": {"NEW"}}},
	"POST /products/:id/edit":                      repeated(url.Values{"name": {"Other"}, "price": {"1"}, "sku": {"OTHER"}, "version": {"1"}}),
	"POST /orders/:id/notes":                       {note, note},
	"POST /customers/:id/notes":                    {note, note},
	"POST /accounts/:id/notes":                     {note, note},
	"POST /kayaks/:id/notes":                       {note, note},
	"POST /products/:id/notes":                     {note, note},
	"POST /products/:id/stock/:warehouse/notes":    {note, note},
	"POST /products/:id/stock/:warehouse/receive":  repeated(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"1"}}),
	"POST /products/:id/stock/:warehouse/adjust":   repeated(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"2"}}),
	"POST /products/:id/stock/:warehouse/count":    repeated(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"3"}}),
	"POST /products/:id/stock/:warehouse/transfer": repeated(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"4"}, "to": {"w2"}}),
	"POST /products/:id/stock/:warehouse/reorder":  repeated(url.Values{"reorder": {"5"}, "version": {"5"}}),
	"POST /warehouses/:id/receive": {
		fullSheet(), fullSheet(),
		{"product-1": {"p07"}, "delivery-1": {"d1"}, "seen-1": {"7"}, "quantity-1": {"1"}, "reason": {"r"}, "do": {"receive"}, "once": {"sheet two"}},
	},
	"POST /warehouses/:id/transfer": {
		fullTransfer(), fullTransfer(),
	},
	"POST /products/:id/transfers/:transfer/receive": repeated(url.Values{"quantity": {"5"}, "rest": {"missing"}, "reason": {"r"}, "version": {"1"}}),
	"POST /products/:id/transfers/:transfer/cancel":  repeated(url.Values{"reason": {"r"}, "version": {"1"}}),
	"POST /counts/new": {{"warehouse": {"w1"}, "once": {"count"}}, {"warehouse": {"w1"}, "once": {"count"}}},
	"POST /counts/:id": {{"base-1": {"2"}, "seen-1": {"1"}, "was-1": {"12"}, "quantity-1": {"11"}, "scan": {"SKU-7"}, "once": {"scan"}}},
	"POST /counts/:id/review": {
		{"do": {"apply"}, "tick-1": {"yes"}, "version-1": {"4"}, "reason-1": {"Lost"}, "once": {"apply"}},
		{"do": {"recount"}, "tick-1": {"yes"}, "version-1": {"1"}, "once": {"recount"}},
	},
	"POST /counts/:id/close": {{"version": {"1"}, "once": {"close"}}, {"version": {"1"}, "once": {"close"}}},
	"POST /deliveries/new": {
		{"product": {"SKU-7"}, "warehouse": {"w1"}, "quantity": {"5"}, "due": {"2026-12-01"}, "once": {"expected"}},
		{"product": {"SKU-7"}, "warehouse": {"w1"}, "quantity": {"5"}, "due": {"2026-12-01"}, "once": {"expected"}},
	},
	"POST /products/:id/stock/:warehouse/deliveries/:delivery/edit":    repeated(url.Values{"quantity": {"18"}, "due": {"2026-12-01"}, "version": {"1"}}),
	"POST /products/:id/stock/:warehouse/deliveries/:delivery/receive": repeated(url.Values{"quantity": {"5"}, "confirmed": {"5"}, "reason": {"r"}, "version": {"2"}}),
	"POST /products/:id/stock/:warehouse/deliveries/:delivery/cancel":  repeated(url.Values{"reason": {"r"}, "version": {"3"}}),
	"POST /stores/:id/check-out":                                       repeated(url.Values{"kayaks": {"http://shop/kayaks/k22?x\r\nk13"}, "person": {"customer9@example.com"}, "due": {"2027-06-01"}}),
	"POST /stores/:id/extend":                                          repeated(url.Values{"kayaks": {"k22"}, store.FieldShown: {shownOnPage}, "due": {"2027-06-02"}}),
	"POST /stores/:id/return":                                          repeated(url.Values{"kayaks": {"k22"}, store.FieldShown: {shownOnPage}, "charge": {"0"}, "charge-paid": {"CASH"}, "condition-1": {"Scratched"}, "damage-1": {"x"}, "repair-1": {"yes"}}),
	"POST /stores/:id/book":                                            repeated(url.Values{"person": {"customer9@example.com"}, "kayak": {"k16"}, "from": {"2027-01-01"}, "last": {"2027-01-28"}}),
	"POST /bookings/:id/move":                                          repeated(url.Values{"kayak": {"k16"}, "from": {"2027-02-01"}, "last": {"2027-02-28"}, "version": {"1"}}),
	"POST /bookings/:id/no-show":                                       repeated(url.Values{"version": {"1"}}),
	"POST /bookings/:id/cancel":                                        repeated(url.Values{"why": {"ill"}, "version": {"2"}}),
	"POST /stores/:id/settle":                                          repeated(url.Values{"day": {"2026-11-18"}, "payment": {"rp1"}, "charge-paid": {"CARD"}}),
	"POST /stores/:id/hire":                                            repeated(url.Values{"person": {"pp1"}, "position": {"Guide"}, "from": {"2026-11-01"}}),
	"POST /stores/:id/leave":                                           repeated(url.Values{"person": {"pp1"}, "last": {"2026-11-02"}}),
	"POST /kayaks/:id/repair":                                          repeated(url.Values{"why": {"leaks"}, "version": {"2"}}),
	"POST /kayaks/:id/repaired":                                        repeated(url.Values{"why": {"mended"}, "version": {"3"}}),
	"POST /kayaks/:id/move":                                            repeated(url.Values{"store": {"s2"}, "version": {"4"}}),
	"POST /kayaks/:id/retire":                                          repeated(url.Values{"why": {"worn out"}, "version": {"5"}}),
	"POST /undo":                                                       repeated(url.Values{"about": {"p#p12"}, "event": {adjustment}, "version": {versionOnPage}}),
	"POST /views/new":                                                  {savedView, savedView},
	"POST /views/:whose/:id":                                           repeated(url.Values{"name": {"Other"}, "version": {"1"}}),
	"POST /views/:whose/:id/delete":                                    {{"version": {"2"}, "once": {"delete"}}, {"version": {"2"}, "once": {"delete"}}},
	"POST /account/password":                                           {{"old": {password}, "password": {password + "!"}, "again": {password + "!"}}},
}

// shownOnPage is the value of a form that setShown replaces.
const shownOnPage = "k22#shown on the page"

// setShown sets the field store.FieldShown of a form about k22 to the value on its page. The
// argument shown keeps the value, because the kayak is no longer rented after the check-in.
func setShown(b *browser, path string, form url.Values, shown *string) {
	if form.Get(store.FieldShown) != shownOnPage {
		return
	}
	if *shown == "" {
		*shown = hiddenFields(b.get(path + "?kayaks=k22").body).Get(store.FieldShown)
	}
	form.Set(store.FieldShown, *shown)
}

// fullSheet returns a delivery sheet with the maximum number of lines.
func fullSheet() url.Values {
	form := url.Values{"do": {"receive"}, "reason": {"r"}, "once": {"sheet"}}
	for n := range store.MaxSheetLines {
		form.Set(fmt.Sprintf("product-%d", n+1), fmt.Sprintf("p%02d", n))
		form.Set(fmt.Sprintf("quantity-%d", n+1), "1")
	}
	return form
}

// fullTransfer returns a transfer with the maximum number of lines. Only the first line
// has a quantity.
func fullTransfer() url.Values {
	form := url.Values{"do": {"send"}, "to": {"w2"}, "once": {"transfer"}}
	for n := range store.MaxTransferLines {
		form.Set(fmt.Sprintf("product-%d", n+1), fmt.Sprintf("p%02d", (n+7)%30))
	}
	form.Set("quantity-1", "1")
	return form
}

// withToken replaces the name of a token in a form with the token itself. The names "one"
// and "two" mean different tokens in each route. Any other name means the same token in all
// routes. A form that already has a token, or no name, stays unchanged.
func withToken(route string, form url.Values) url.Values {
	name := form.Get("once")
	if _, err := ulid.ParseStrict(name); name == "" || err == nil {
		return form
	}
	if name == "one" || name == "two" {
		name = route + name
	}
	form = maps.Clone(form)
	form.Set("once", tokenFor(name))
	return form
}

// newOrder returns the form of a new order, twice. The form has the maximum number of
// lines: one for each product of the shop and of moreProducts. It names them by SKU.
func newOrder() []url.Values {
	place := url.Values{"customer": {"customer7@example.com"}, "do": {"take"}, "once": {tokenFor("order")}, "total": {"54.90"}}
	for n := range store.MaxLines {
		place.Set(fmt.Sprintf("product-%d", n+1), fmt.Sprintf("SKU-%d", n))
		place.Set(fmt.Sprintf("quantity-%d", n+1), "1")
	}
	return []url.Values{place, place}
}

// moreProducts returns the products of newOrder that the shop does not have.
func moreProducts() (products []store.Entity) {
	for n := len(storetest.NewShop().Products); n < store.MaxLines; n++ {
		products = append(products, &store.Product{ID: fmt.Sprintf("p%02d", n), Name: "Product", Price: store.MinorUnits(int64(100 + n)), SKU: fmt.Sprintf("SKU-%d", n), Version: 1})
	}
	return products
}

// longCount returns openCount with the maximum number of rows.
func longCount() []store.Entity {
	entities := openCount()
	entities[0].(*store.Count).Rows = store.MaxCountRows
	for n := len(entities); n <= store.MaxCountRows; n++ { // openCount has two rows
		entities = append(entities, &store.CountRow{Sheet: "s1", Number: n, ProductID: fmt.Sprintf("row%d", n), Name: "Product", Version: 1})
	}
	return entities
}

// note is a form that adds a note. Its token becomes the ID of the note.
var note = url.Values{"note": {"rang"}, "once": {tokenFor("note")}}

// savedView is a form that saves a view. Its token becomes the ID of the view.
var savedView = url.Values{"name": {"Mine"}, "path": {"/orders?status=PAID&after=place"}, "once": {tokenFor("view")}}

// versionOnPage stands for the version that the form on the page contains before the first
// submission.
const versionOnPage = "shown"

// repeated returns three forms: the form, the same form again, and the form with
// another token, as if it had been opened twice in the same version.
func repeated(form url.Values) []url.Values {
	first, second := maps.Clone(form), maps.Clone(form)
	first.Set("once", form.Encode()+"one")
	second.Set("once", form.Encode()+"two")
	return []url.Values{first, first, second}
}

// repeatedOnce returns the form twice, with the same token. The token becomes the ID of
// the record that the form creates.
func repeatedOnce(form url.Values) []url.Values {
	form.Set("once", form.Encode())
	return []url.Values{form, form}
}

// TestForms_KeepRequestBounds submits each form, counts the table requests, and compares
// the count with the bound in the route.
func TestForms_KeepRequestBounds(t *testing.T) {
	for _, shards := range boundedShards {
		t.Run(strconv.Itoa(shards), func(t *testing.T) { testFormBounds(t, shards) })
	}
}

func testFormBounds(t *testing.T, shards int) {
	b := openSharded(t, shards, slices.Concat(openOrder(), longCount(), moreProducts())...)
	for _, row := range routes(http.NotFoundHandler()) {
		if row.method != http.MethodPost {
			continue
		}
		route := "POST " + row.path
		bound := row.reads.requests + row.reads.shard*shards
		version, shown := "", ""
		for n, form := range append([]url.Values{matrix[route].form}, moreForms[route]...) {
			form = maps.Clone(form)          // other tests use the same form in parallel
			b.clock.Advance(3 * time.Minute) // so that failed sign-ins do not limit each other
			browser := b.as(t, "admin")
			browser.get("/views")
			if form.Get("version") == versionOnPage {
				if version == "" {
					version = shownVersion(browser.get(matrix[route].address))
				}
				form.Set("version", version)
			}
			setShown(browser, matrix[route].address, form, &shown)
			before := b.db.requests.Load()
			got := browser.post(matrix[route].address, withToken(route, form))
			requests := int(b.db.requests.Load() - before)
			if requests > bound || got.status == http.StatusInternalServerError {
				t.Errorf("%s: got %d table requests and status %d, want at most %d and no 500", route, requests, got.status, bound)
			}
			want := http.StatusSeeOther
			if strings.HasSuffix(form.Get("once"), "two") {
				want = http.StatusConflict
			}
			if n > 0 && got.status != want {
				t.Errorf("%s with %v: got status %d, want %d: %s", route, form, got.status, want, got.body)
			}
			if row.path == "/account/password" && got.status == http.StatusSeeOther {
				if err := b.store.SetPassword(t.Context(), "admin", password, false, "test"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

package handlers

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store/key"
)

// more are pages that ask more, or otherwise, than the first of their route:
// filters, other parts of a list, things that are not there.
var more = map[string][]string{
	"GET /":                           {"/", "/", "/", "/"}, // each reads other parts
	"GET /search":                     {"/search", "/search?q=o0005", "/search?q=c%2307", "/search?q=customer7@example.com", "/search?q=SKU-7", "/search?q=%2B46+70+612+34+56", "/search?q=104833", "/search?q=k%23k07", "/search?q=a"},
	"GET /orders":                     {"/orders?status=PAID", "/orders?status=PAID&limit=200", "/orders?from=2020-01-01&limit=200", "/orders?to=2025-01-01", "/orders?from=last+month&sort=reverse", "/orders?from=soon"},
	"GET /orders/:id":                 {"/orders/none"},
	"GET /invoices":                   {"/invoices?status=PARTIAL", "/invoices?from=2020-01-01&limit=200", "/invoices?to=2025-01-01"},
	"GET /customers":                  {"/customers?bucket=_", "/customers?name=maria", "/customers?email=customer7@example.com", "/customers?limit=200"},
	"GET /customers/:id":              {"/customers/c01?from=2026-11-01", "/customers/none", "/customers/c01?from=soon"},
	"GET /products":                   {"/products?bucket=z", "/products?name=a-&limit=5", "/products?category=Chairs&bucket=b"},
	"GET /products/:id":               {"/products/p01?to=today", "/products/none"},
	"GET /shipments":                  {"/shipments", "/shipments?status=SENT", "/shipments?status=SENT&from=2026-11-01"},
	"GET /shipments/:id":              {"/shipments/so0002"},
	"GET /stock/low":                  {"/stock/low", "/stock/low?warehouse=w2&limit=200", "/stock/low?warehouse=none"},
	"GET /warehouses/:id":             {"/warehouses/w2", "/warehouses/none"},
	"GET /invoices/:id":               {"/invoices/none"},
	"GET /orders/:id/items/:product":  {"/orders/none/items/none"},
	"GET /employees":                  {"/employees", "/employees?name=ma", "/employees?job=j2", "/employees?job=j2&name=m", "/employees?warehouse=w1&name=m&limit=200", "/employees?from=2026&to=today&sort=reverse", "/employees?from=2026&name=m", "/employees?warehouse=w2"},
	"GET /employees/:id":              {"/employees/e00?from=2026-11-01", "/employees/e05", "/employees/e23", "/employees/none", "/employees/e01?from=soon"},
	"GET /reps":                       {"/reps", "/reps?period=1999-Q1", "/reps?period=soon"},
	"GET /reference/:kind":            {"/reference/regions", "/reference/countries?name=s", "/reference/jobs", "/reference/none"},
	"GET /reference/:kind/:id":        {"/reference/jobs/j1", "/reference/countries/co2", "/reference/jobs/none", "/reference/none/none"},
	"GET /data/patterns/:id":          {"/data/patterns/getOrdersByStatusForDateRange?try=yes&status=OPEN", "/data/patterns/getWarehouses?try=yes", "/data/patterns/getUser", "/data/patterns/none", "/data/patterns/getCustomerByCustomerId?try=yes&customerID=none"},
	"GET /data/partitions":            {"/data/partitions", "/data/partitions?pk=w%23w1&index=GSI2", "/data/partitions?pk=users&index=GSI1", "/data/partitions?pk=settings"},
	"GET /admin/events":               {"/admin/events?by=test", "/admin/events?about=user%23viewer", "/admin/events?from=2020-01-01", "/admin/events?by=test&about=o%231"},
	"GET /admin/users/:id":            {"/admin/users/none", "/admin/users/admin"},
	"GET /account/password":           {"/account/password?x"},
	"GET /orders/:id/packing-slip":    {"/orders/none/packing-slip"},
	"GET /stores/:id":                 {"/stores/s0", "/stores/s1?person=c01", "/stores/none"},
	"GET /stores/:id/rentals":         {"/stores/s1/rentals?person=c01&limit=1"},
	"GET /due":                        {"/due?span=week", "/due?kind=reminder&span=week"},
	"GET /jobs/:name/:date/rehearsal": {"/jobs/reminders/2026-11-21/rehearsal"},
	"GET /jobs/:name/:date":           {"/jobs/payments/2026-11-21?show=failures"},
	"GET /kayaks/:id":                 {"/kayaks/k09", "/kayaks/k04?person=c04", "/kayaks/none"},
	"GET /views/new":                  {"/views/new", "/views/new?path=https://example.com/"},
	"GET /views/:whose/:id":           {"/views/own/v1", "/views/own/none", "/views/none/none"},
	"GET /people/:id":                 {"/people/c01", "/people/none", "/people/pp0?store=s1", "/people/pp0?store=each", "/people/pp0?store=none"},
}

var footer = regexp.MustCompile(`(\d+) requests? · `)

// TestPagesKeepTheirBounds counts at the table what each page asks of it, and
// holds the page's own footer to the count.
func TestPagesKeepTheirBounds(t *testing.T) {
	b := open(t, append(waiting(), ran()...)...)
	for _, user := range users {
		browser := b.as(t, user.Name)
		browser.get("/views") // which the menu shows, and which are kept for a minute
		for _, row := range routes(http.NotFoundHandler()) {
			route := row.method + " " + row.path
			if row.reads == nil {
				t.Fatalf("%s has no bound", route)
			}
			if row.method == http.MethodPost {
				continue
			}
			most := row.reads.requests + row.reads.shard*key.DefaultShards + row.reads.place*(len(user.Warehouses)+len(user.Stores))
			for _, address := range append([]string{matrix[route].address}, more[route]...) {
				before := b.db.requests.Load()
				got := browser.get(address)
				asked := int(b.db.requests.Load() - before)
				if asked > most {
					t.Errorf("%s: %s asks the table %d times; its row says %d at most", user.Name, address, asked, most)
				}
				said := 0
				if found := footer.FindStringSubmatch(got.body); found != nil {
					said, _ = strconv.Atoi(found[1])
				}
				if strings.Contains(got.body, `id="reads"`) && said != asked {
					t.Errorf("%s: %s asks %d times; its footer says %d", user.Name, address, asked, said)
				}
			}
		}
	}
	if n := b.db.scans.Load(); n > 0 {
		t.Errorf("pages scan the table %d times", n)
	}
}

// forms are sent besides those of the matrix, one after the other: what is
// done, and what meets what was done before.
var forms = map[string][]url.Values{
	"POST /login":                                  {{"username": {"viewer"}, "password": {password}}},
	"POST /orders/:id/ship":                        done(url.Values{"product-1": {"p10"}, "quantity-1": {"1"}, "warehouse": {"w1"}, "version": {"1"}}),
	"POST /orders/:id/return":                      done(url.Values{"product-1": {"p10"}, "quantity-1": {"1"}, "warehouse": {"w1"}, "why": {"x"}, "version": {"2"}}),
	"POST /orders/:id/cancel":                      done(url.Values{"why": {"x"}, "version": {"3"}}),
	"POST /invoices/:id/pay":                       done(url.Values{"card-amount": {"0.5"}, "card-kind": {"Visa"}, "card-digits": {"1234"}, "version": {"3"}}),
	"POST /invoices/:id/refund":                    done(url.Values{"payment": {"1"}, "amount": {"0.05"}, "why": {"x"}, "version": {"4"}}),
	"POST /shipments/:id/forward":                  done(url.Values{"to": {"SENT"}, "version": {"1"}}),
	"POST /orders/ship":                            {{"order": {"open", "o0001", "none"}, "warehouse": {"w2"}, "once": {"together"}}},
	"POST /orders/new":                             newOrder(),
	"POST /customers/new":                          {{"name": {"New"}, "email": {"new@example.com"}}},
	"POST /warehouses/:id/edit":                    done(url.Values{"name": {"Other"}, "version": {"1"}}),
	"POST /employees/:id/edit":                     done(url.Values{"name": {"Other"}, "job": {"j2"}, "version": {"1"}}),
	"POST /customers/:id/edit":                     done(url.Values{"name": {"Other"}, "email": {"other@example.com"}, "version": {"1"}}),
	"POST /products/new":                           {{"name": {"New"}, "price": {"1"}, "sku": {"NEW"}}},
	"POST /products/:id/edit":                      done(url.Values{"name": {"Other"}, "price": {"1"}, "sku": {"OTHER"}, "version": {"1"}}),
	"POST /orders/:id/notes":                       {noted, noted},
	"POST /customers/:id/notes":                    {noted, noted},
	"POST /products/:id/stock/:warehouse/receive":  done(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"1"}}),
	"POST /products/:id/stock/:warehouse/adjust":   done(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"2"}}),
	"POST /products/:id/stock/:warehouse/count":    done(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"3"}}),
	"POST /products/:id/stock/:warehouse/transfer": done(url.Values{"quantity": {"5"}, "reason": {"r"}, "version": {"4"}, "to": {"w2"}}),
	"POST /products/:id/stock/:warehouse/reorder":  done(url.Values{"reorder": {"5"}, "version": {"5"}}),
	"POST /stores/:id/check-out":                   done(url.Values{"kayaks": {"http://shop/kayaks/k22?x\r\nk13"}, "person": {"customer9@example.com"}, "due": {"2027-06-01"}}),
	"POST /stores/:id/extend":                      done(url.Values{"kayaks": {"k22"}, "due": {"2027-06-02"}}),
	"POST /stores/:id/return":                      done(url.Values{"kayaks": {"k22"}, "charge": {"0"}}),
	"POST /stores/:id/hire":                        done(url.Values{"person": {"pp1"}, "position": {"Guide"}, "from": {"2026-11-01"}}),
	"POST /stores/:id/leave":                       done(url.Values{"person": {"pp1"}, "last": {"2026-11-02"}}),
	"POST /kayaks/:id/repair":                      done(url.Values{"why": {"leaks"}, "version": {"1"}}),
	"POST /kayaks/:id/repaired":                    done(url.Values{"why": {"mended"}, "version": {"2"}}),
	"POST /kayaks/:id/move":                        done(url.Values{"store": {"s2"}, "version": {"3"}}),
	"POST /kayaks/:id/retire":                      done(url.Values{"why": {"worn out"}, "version": {"4"}}),
	"POST /views/new":                              {view, view},
	"POST /views/:whose/:id":                       done(url.Values{"name": {"Other"}, "version": {"1"}}),
	"POST /views/:whose/:id/delete":                {{"version": {"2"}, "once": {"delete"}}, {"version": {"2"}, "once": {"delete"}}},
	"POST /account/password":                       {{"old": {password}, "password": {password + "!"}, "again": {password + "!"}}},
}

// ofRoute makes tokens of what the forms have in their place. Those of done are
// of one route: what one form did is no answer to another about the same thing.
func ofRoute(route string, form url.Values) url.Values {
	once := form.Get("once")
	if _, err := ulid.ParseStrict(once); once == "" || err == nil {
		return form
	}
	if once == "one" || once == "two" {
		once = route + once
	}
	own := maps.Clone(form)
	own.Set("once", onceFor(once))
	return own
}

// newOrder is an order of as many lines as there may be, by SKU, that is taken
// twice, and that comes to something else than was confirmed.
func newOrder() []url.Values {
	take := url.Values{"customer": {"customer7@example.com"}, "do": {"take"}, "once": {"01JD3W8G9QK5T0Q7M7Z8Z5N0XB"}, "total": {"34.35"}}
	for n := range 30 {
		take.Set(fmt.Sprintf("product-%d", n+1), fmt.Sprintf("SKU-%d", n))
		take.Set(fmt.Sprintf("quantity-%d", n+1), "1")
	}
	return []url.Values{take, take}
}

// noted is a note, whose token is its ID.
var noted = url.Values{"note": {"rang"}, "once": {"01JD3W8G9QK5T0Q7M7Z8Z5N0XA"}}

// view is a list that is saved, whose ID is the token too.
var view = url.Values{"name": {"Mine"}, "path": {"/orders?status=PAID&after=place"}, "once": {"01JD3W8G9QK5T0Q7M7Z8Z5N0XC"}}

// done is a form that is sent, sent again, and sent by somebody who saw the
// same. Each form has a token of its own.
func done(form url.Values) []url.Values {
	first, second := maps.Clone(form), maps.Clone(form)
	first.Set("once", form.Encode()+"one")
	second.Set("once", form.Encode()+"two")
	return []url.Values{first, first, second}
}

// TestFormsKeepTheirBounds does the same for what is sent.
func TestFormsKeepTheirBounds(t *testing.T) {
	b := open(t, waiting()...)
	for _, row := range routes(http.NotFoundHandler()) {
		if row.method != http.MethodPost {
			continue
		}
		route := "POST " + row.path
		most := row.reads.requests + row.reads.shard*key.DefaultShards
		for n, form := range append([]url.Values{matrix[route].form}, forms[route]...) {
			b.clock.Advance(time.Hour) // wrong tries are counted
			browser := b.as(t, "admin")
			browser.get("/views")
			before := b.db.requests.Load()
			got := browser.post(matrix[route].address, ofRoute(route, form))
			asked := int(b.db.requests.Load() - before)
			if asked > most || got.status == http.StatusInternalServerError {
				t.Errorf("%s asks the table %d times; its row says %d at most (%d)", route, asked, most, got.status)
			}
			want := http.StatusSeeOther
			if row.path == "/orders/ship" {
				want = http.StatusOK // what became of each is a page
			}
			if strings.HasSuffix(form.Get("once"), "two") {
				want = http.StatusConflict
			}
			if n > 0 && got.status != want {
				t.Errorf("%s with %v is %d, want %d: %s", route, form, got.status, want, got.body)
			}
			if row.path == "/account/password" && got.status == http.StatusSeeOther {
				if err := b.store.SetPassword(t.Context(), "admin", password, false, "test"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

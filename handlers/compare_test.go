package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// compareAddress returns the address of a comparison of two states of a record. If to is
// "", the second state is the present one.
func compareAddress(format, path, from, to string) string {
	values := url.Values{"of": {path}, "from": {from}}
	if to != "" {
		values.Set("to", to)
	}
	return views.ComparePath + format + "?" + values.Encode()
}

type comparison struct {
	Of       string
	From, To struct {
		Known           bool
		Gap             store.PastGap
		State, Earliest json.RawMessage
	}
	Changes   []views.Change
	Events    []comparedEvent
	AllEvents bool
}

type comparedEvent struct {
	By, Sentence string
	When         time.Time
}

func (c *comparison) change(list, id, field string) views.Change {
	for _, change := range c.Changes {
		if change.List == list && change.ID == id && change.Field == field {
			return change
		}
	}
	return views.Change{}
}

// compared reads a comparison as JSON.
func compared(t *testing.T, b *browser, path, from, to string) comparison {
	t.Helper()
	got := b.get(compareAddress(".json", path, from, to))
	var c comparison
	if err := json.Unmarshal([]byte(got.body), &c); err != nil || got.status != http.StatusOK {
		t.Fatalf("%s: got status %d, %v: %s", path, got.status, err, got.body)
	}
	return c
}

// minute returns the time of the test's clock in the format of addresses.
func (b *backOffice) minute() string { return b.clock.Now().Format("2006-01-02T15:04") }

// changeOfKind describes a change of a record, and a changed value that the comparison
// must list.
type changeOfKind struct {
	form          string // path of the page with the form
	fields        url.Values
	id            string
	list, field   string
	before, after string
	event         string
}

// changesOfKinds contains a change for each kind of record that has earlier states. The
// keys are the paths of the records.
func changesOfKinds() map[string]changeOfKind {
	return map[string]changeOfKind{
		"/orders/long":                {"/orders/long/address/edit", url.Values{"city": {"Lund"}}, "", "", "Delivery address", "Kalmar", "Lund", "Delivery address edited"},
		"/invoices/ilong":             {"/invoices/ilong/pay", url.Values{"rest-amount": {"5"}, "rest-method": {"Visa"}, "rest-reference": {"1234"}}, "", "", "Balance due", "20.00", "15.00", "Payment recorded"},
		"/products/p09":               {"/products/p09/edit", url.Values{"name": {"Renamed"}}, "", "", "Name", "e-product 9", "Renamed", "Product edited"},
		stockOfP07:                    {stockOfP07 + "/adjust", url.Values{"quantity": {"-3"}, "reason": {"broken"}}, "", "", "Quantity", "14 pieces", "11 pieces", "Stock adjusted"},
		"/products/p07":               {"", nil, "w1", "Stock in all warehouses", "Quantity", "14", "11", "Stock adjusted"},
		"/warehouses/w2":              {"/warehouses/w2/edit", url.Values{"name": {"Other"}}, "", "", "Name", "", "Other", "Warehouse edited"},
		"/warehouses/w1":              {"", nil, "p07", "Inventory", "Quantity", "14", "11", ""},
		"/customers/c01":              {"/customers/c01/edit", url.Values{"name": {"Kim Berg"}}, "", "", "Name", "", "Kim Berg", "Customer edited"},
		"/accounts/c08":               {"/accounts/c08/subscriptions/sub08/PLAN/pause", url.Values{}, "sub08#PLAN", "Subscriptions", "Status", "Active", "Paused", "Subscription paused"},
		"/accounts/c08/subscriptions": {"", nil, "sub08#PLAN", "Subscriptions", "Status", "Active", "Paused", "Subscription paused"},
		"/kayaks/k04":                 {"/kayaks/k04/edit", url.Values{"name": {"Otter"}}, "", "", "Name", "", "Otter", "Kayak edited"},
		"/admin/users/viewer":         {"/admin/users/viewer", url.Values{"role": {"auditor"}}, "", "", "Role", "Viewer", "Auditor", "Role changed"},
	}
}

// TestCompare_OfEveryKind changes a record of each kind, and compares its states before and
// after the change. A comparison may make at most as many requests as the pages of the two
// states together.
func TestCompare_OfEveryKind(t *testing.T) {
	b := open(t, longOrder()...)
	b.clock.Advance(time.Hour)
	before := b.minute()
	b.clock.Advance(time.Hour)
	covered := map[string]bool{}
	for path, change := range changesOfKinds() {
		if page, _, ok := pastPageOf(path); ok {
			covered[page.path] = true
		}
		if change.form == "" {
			continue // this record changes together with another record of the map
		}
		admin := b.as(t, "admin")
		form := formIn(admin.get(change.form))
		if path == "/admin/users/viewer" {
			form = url.Values{"version": {"1"}, "once": {b.store.NewToken()}}
		}
		for name, values := range change.fields {
			form[name] = values
		}
		post := change.form
		if path == "/admin/users/viewer" {
			post += "/role"
		}
		if got := admin.post(post, form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", post, got.status, content(got.body))
		}
	}
	for _, page := range pastPages() {
		if !covered[page.path] {
			t.Errorf("%s: got no record of this page in changesOfKinds, want one", page.path)
		}
	}
	b.clock.Advance(time.Hour)
	after := b.minute()
	b.clock.Advance(time.Hour)
	admin := b.as(t, "admin")
	admin.get("/views") // caches the saved views for the tabs of lists
	requests := func(address string) int {
		found := footer.FindStringSubmatch(admin.get(address).body)
		if found == nil {
			t.Fatalf("%s: got no number of requests", address)
		}
		n, _ := strconv.Atoi(found[1]) // found[1] contains only digits
		return n
	}
	for path, want := range changesOfKinds() {
		page := admin.get(compareAddress("", path, before, after))
		main := content(page.body)
		if page.status != http.StatusOK || strings.Contains(main, "No values changed") || strings.Contains(main, `method="post"`) {
			t.Errorf("%s: got status %d, want the changes and no form that changes anything in\n%s", path, page.status, main)
		}
		present := strings.TrimSuffix(path, "/subscriptions")
		for _, link := range []string{present + "?at=" + url.QueryEscape(before), present + "?at=" + url.QueryEscape(after), present + `"`} {
			if !strings.Contains(main, `href="`+link) {
				t.Errorf("%s: got no link to %s in\n%s", path, link, main)
			}
		}
		c := compared(t, admin, path, before, after)
		change := c.change(want.list, want.id, want.field)
		if !strings.Contains(change.Before, want.before) || !strings.Contains(change.After, want.after) || change.Before == change.After {
			t.Errorf("%s: got %+v, want %+v", path, c.Changes, want)
		}
		if c.Of != present || c.From.State == nil && c.From.Earliest == nil || c.To.State == nil && c.To.Earliest == nil || !c.AllEvents {
			t.Errorf("%s: got %+v, want both states and all events", path, c)
		}
		events := slices.DeleteFunc(slices.Clone(c.Events), func(e comparedEvent) bool { return !strings.HasPrefix(e.Sentence, want.event) })
		if want.event != "" && (len(events) != 1 || events[0].By != "admin" || !strings.Contains(main, want.event)) {
			t.Errorf("%s: got the events %+v, want %s by admin in\n%s", path, c.Events, want.event, main)
		}
		for _, moments := range [][2]string{{before, before}, {after, ""}} {
			if c := compared(t, admin, path, moments[0], moments[1]); len(c.Changes) > 0 || len(c.Events) > 0 {
				t.Errorf("%s from %s: got %+v and %d events, want none", path, moments[0], c.Changes, len(c.Events))
			}
			if page := admin.get(compareAddress("", path, moments[0], moments[1])); !strings.Contains(page.body, "No values changed.") {
				t.Errorf("%s from %s: got changed values, want none: %s", path, moments[0], content(page.body))
			}
		}
		both := requests(path+"?at="+before) + requests(path+"?at="+after)
		if got := requests(compareAddress("", path, before, after)); got > both || got == 0 {
			t.Errorf("%s: got %d requests, want at most %d", path, got, both)
		}
	}
	for _, path := range []string{stockOfP07, "/warehouses/w1"} {
		if page := content(admin.get(compareAddress("", path, before, after)).body); !strings.Contains(page, "broken") {
			t.Errorf("%s: got no entry of the stock ledger in\n%s", path, page)
		}
	}
}

// TestCompare_IsInMenu checks that the menu of a page and the banner of an earlier
// state lead to a comparison.
func TestCompare_IsInMenu(t *testing.T) {
	b := open(t)
	viewer := b.as(t, "viewer")
	const moment = "2026-11-21T10:00"
	for path := range changesOfKinds() {
		if path == "/orders/long" || path == "/invoices/ilong" || strings.HasPrefix(path, "/admin/") {
			continue // this shop has no such record, or the role may not see it
		}
		form := `<form class="past" action="/compare">`
		if page := viewer.get(path).body; !strings.Contains(page, form) || !strings.Contains(page, `name="of" value="`) {
			t.Errorf("%s: got no form to compare", path)
		}
		page := viewer.get(path + "?at=" + moment).body
		link := strings.ReplaceAll(compareAddress("", strings.TrimSuffix(path, "/subscriptions"), moment, ""), "&", "&amp;")
		if !strings.Contains(page, form) || !strings.Contains(page, "Compare with the current state") || !strings.Contains(page, link) {
			t.Errorf("%s: got no link %s in\n%s", path, link, content(page))
		}
	}
}

// TestCompare_SaysWhatIsUnknown compares states from before a record was added, and from
// before its personal data was erased. The page must say why such a state is unknown.
func TestCompare_SaysWhatIsUnknown(t *testing.T) {
	b := open(t)
	ctx, access := t.Context(), b.store.As(&store.User{Name: "admin", Role: store.Admin})
	start := b.minute()
	b.clock.Advance(time.Hour)
	id, err := access.AddCustomer(ctx, store.Customer{Name: "Ottilie Hidden", Email: "hidden@example.com"}, b.store.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(time.Hour)
	added := b.minute()
	b.clock.Advance(time.Hour)
	admin := b.as(t, "admin")
	path := "/customers/" + id
	page := content(admin.get(compareAddress("", path, start, added)).body)
	c := compared(t, admin, path, start, added)
	if change := c.change("", "", "Email"); change.Before != "" || change.After != "hidden@example.com" || c.From.Gap != store.PastNotAdded || !strings.Contains(page, "was added later, on") {
		t.Errorf("got %+v, want the email from after the customer was added in\n%s", c, page)
	}
	if page := content(admin.get(compareAddress("", path, "2026-11-20", start)).body); !strings.Contains(page, "This customer did not exist on these dates.") {
		t.Errorf("got no note that the customer did not exist in\n%s", page)
	}
	if _, err := access.ErasePerson(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(time.Hour)
	admin = b.as(t, "admin")
	for _, from := range []string{start, added} {
		html, file := admin.get(compareAddress("", path, from, "")).body, admin.get(compareAddress(".json", path, from, "")).body
		for _, text := range []string{"Ottilie", "hidden@"} {
			if strings.Contains(html, text) || strings.Contains(file, text) {
				t.Errorf("from %s: got %s after it was erased in\n%s\n%s", from, text, content(html), file)
			}
		}
		if from == added && (!strings.Contains(html, "was erased") || !strings.Contains(html, "Only values that are known for both dates are compared.")) {
			t.Errorf("got no note that data was erased in\n%s", content(html))
		}
	}
}

// TestCompare_KeepsPermissionsAndScope checks that roles can compare only records that
// they may see. Only roles that may read the history may see the events of a product.
func TestCompare_KeepsPermissionsAndScope(t *testing.T) {
	b := open(t)
	before := b.minute()
	b.clock.Advance(time.Hour)
	admin := b.as(t, "admin")
	for _, path := range []string{stockOfP07, "/products/p07/stock/w2"} {
		form := formIn(admin.get(path + "/adjust"))
		form.Set("quantity", "2")
		form.Set("reason", "found")
		if got := admin.post(path+"/adjust", form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303", path, got.status)
		}
	}
	b.clock.Advance(time.Hour)
	for name, status := range map[string]map[string]int{
		"manager": {"/warehouses/w2": 404, "/products/p07/stock/w2": 404, "/warehouses/w1": 200, stockOfP07: 200, "/admin/users/viewer": 403, "/orders/none": 404},
		"viewer":  {"/warehouses/w2": 200, "/admin/users/viewer": 403, "/customers/none": 404},
		"admin":   {"/admin/users/viewer": 200, "/admin/users/none": 404},
	} {
		user := b.as(t, name)
		for path, want := range status {
			for _, from := range []string{before, "soon"} {
				if from == "soon" && want != http.StatusForbidden {
					continue
				}
				for _, format := range []string{"", ".json"} {
					if got := user.get(compareAddress(format, path, from, "")); got.status != want {
						t.Errorf("%s: %s%s from %s: got status %d, want %d", name, path, format, from, got.status, want)
					}
				}
			}
		}
	}
	manager := compared(t, b.as(t, "manager"), "/products/p07", before, "")
	if len(manager.Changes) != 1 || manager.Changes[0].ID != "w1" || len(manager.Events) > 0 || manager.AllEvents {
		t.Errorf("manager: got %+v, want the stock of w1 and no events", manager)
	}
	if page := content(b.as(t, "manager").get(compareAddress("", "/products/p07", before, "")).body); !strings.Contains(page, "Only these roles see the history here: auditor, admin.") || strings.Contains(page, "w2") {
		t.Errorf("manager: got no note about the roles, or stock of w2: %s", page)
	}
	if c := compared(t, b.as(t, "auditor"), "/products/p07", before, ""); len(c.Changes) != 2 || len(c.Events) != 2 || !c.AllEvents {
		t.Errorf("auditor: got %+v, want both changes and events", c)
	}
	if c := compared(t, b.as(t, "auditor"), stockOfP07, before, ""); len(c.Events) != 1 {
		t.Errorf("auditor: got %+v, want the event of this warehouse only", c.Events)
	}
}

func TestCompare_RejectsInvalidAddresses(t *testing.T) {
	b := open(t)
	viewer := b.as(t, "viewer")
	for address, want := range map[string]string{
		"/compare?of=/products&from=2026-11-20":                                               "Open a record",
		"/compare?of=/products/p07/orders&from=2026-11-20":                                    "Open a record",
		"/compare?of=//example.com/products/p07&from=2026-11-20":                              "Open a record",
		"/compare?of=%3Cscript%3E&from=2026-11-20":                                            "Open a record",
		"/compare?of=/products/p07&from=2026-11-20&at=2026-11-20":                             "Use only the parameters",
		"/compare?of=/products/p07&from=2026-11-20&from=2026-11-19":                           "Use only the parameters",
		"/compare?of=/products/p07":                                                           "Enter a date and time",
		"/compare?of=/products/p07&from=%3Cscript%3E":                                         "Enter a date and time",
		"/compare?of=/products/p07&from=2026-11-20&to=soon":                                   "Enter a date and time",
		"/compare?of=/products/p07&from=2030-01-01":                                           "in the future",
		"/compare?of=/products/p07&from=2026-11-20&to=2030-01-01":                             "in the future",
		"/compare?of=/products/p07&from=1969-01-01":                                           "from 1970 on",
		"/compare?of=/products/p07&from=2026-11-20&to=2026-11-19":                             "before the later date",
		"/compare?of=/products/p07&from=2026-11-20T10:01&to=2026-11-20T10:00":                 "before the later date",
		"/compare?of=/products/p07&from=" + strings.Repeat("9", 5000) + "&to=" + "2026-11-20": "Enter a date and time",
	} {
		page, file := viewer.get(address), viewer.get(strings.Replace(address, "/compare", "/compare.json", 1))
		for _, got := range []answer{page, file} {
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, want) || executable(got.body) != "" {
				t.Errorf("%.70s: got status %d, want 400 and %q in\n%s", address, got.status, want, content(got.body))
			}
		}
		if asks := !strings.HasPrefix(want, "Open") && !strings.HasPrefix(want, "Use"); asks != strings.Contains(page.body, `<label for="field-to"`) {
			t.Errorf("%.70s: got a form %v, want %v", address, !asks, asks)
		}
	}
	if got := viewer.get("/compare"); got.status != http.StatusSeeOther || got.location != "/search" {
		t.Errorf("no record: got status %d, want the search", got.status)
	}
	if got := viewer.get("/compare?of=/products/p07&from=2026-11-20&to="); got.status != http.StatusOK {
		t.Errorf("empty second moment: got status %d, want the present", got.status)
	}
}

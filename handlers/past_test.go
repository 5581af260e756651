package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// pastJSONOf decodes the JSON of an earlier state.
func pastJSONOf(t *testing.T, body string) (state struct {
	Known    bool
	Gap      store.PastGap
	State    map[string]any
	Earliest map[string]any
	Certain  any
},
) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &state); err != nil {
		t.Fatalf("got no JSON: %v in %s", err, body)
	}
	return state
}

// TestPast_ShowsTheStateOfAMoment opens a stock item, a product and a warehouse at a time
// between two adjustments and before a rename. The pages must show the quantity and name
// of that time, without actions, and their links must keep the time.
func TestPast_ShowsTheStateOfAMoment(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	adjust := func(by string) {
		admin = b.as(t, "admin") // sign in again, because the session has ended
		fields := hidden(admin.get(stockOfP07 + "/adjust").body)
		if got := admin.post(stockOfP07+"/adjust", stockForm(fields["version"], fields["once"], by)); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303", got.status)
		}
	}
	adjust("-3") // the quantity changes from 14 to 11
	b.clock.Advance(time.Hour)
	moment := "?at=" + b.clock.Now().Format("2006-01-02T15:04")
	b.clock.Advance(time.Hour)
	adjust("5") // the quantity changes from 11 to 16
	form := formIn(admin.get("/products/p07/edit"))
	form.Set("name", "Renamed")
	if got := admin.post("/products/p07/edit", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303", got.status)
	}
	for path, want := range map[string]string{stockOfP07: "11 pieces", "/products/p07": ">11<", "/warehouses/w1": ">11<"} {
		page := admin.get(path + moment)
		main := content(page.body)
		if page.status != http.StatusOK || !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(main, "\n", ""), "\t", ""), want) || strings.Contains(main, "Renamed") && path != "/warehouses/w1" {
			t.Errorf("%s: got status %d, want 200 and %s in\n%s", path, page.status, want, main)
		}
		banner := "As it was on"
		if path == "/warehouses/w1" {
			banner = "No record from" // the history of the imported warehouse has no changes
		}
		if !strings.Contains(main, banner) || !strings.Contains(main, `<a href="`+path+`">Show the current state</a>`) {
			t.Errorf("%s: got no banner in\n%s", path, main)
		}
		if strings.Contains(main, `method="post"`) || strings.Contains(main, "/edit") || strings.Contains(main, "/adjust") {
			t.Errorf("%s: got a form or an action in\n%s", path, main)
		}
		for link := range links(main) {
			if strings.HasPrefix(link, "/products/") && !strings.HasSuffix(link, moment) && link != path && !strings.Contains(link, ".json") && !strings.Contains(link, strings.ReplaceAll(moment, ":", "%3A")) {
				t.Errorf("%s: got the link %s, want one with the moment", path, link)
			}
		}
	}
	exact := strings.ReplaceAll(strings.TrimPrefix(moment, "?at="), ":", "%3A") + "%3A00"
	admin.get(stockOfP07+moment+":00").want(t, http.StatusOK, stockOfP07+".json?at="+exact) // with ":00", because a time without seconds means the end of the minute
	state := pastJSONOf(t, admin.get(stockOfP07+".json"+moment).body)
	if !state.Known || state.State["Quantity"] != 11.0 || state.State["Name"] == "Renamed" {
		t.Errorf("got %+v, want the quantity 11 and the earlier name", state)
	}
	if state := pastJSONOf(t, admin.get("/products/p07.json"+moment).body); !state.Known || state.State["Name"] == "Renamed" {
		t.Errorf("got %+v, want the earlier name", state)
	}
	// The history begins with the first change, because the stock was imported without a
	// history.
	early := pastJSONOf(t, admin.get(stockOfP07+".json?at=2026-11-20T10:00").body)
	if early.Known || early.State != nil || early.Gap != store.PastBegins || early.Earliest["Quantity"] != 14.0 {
		t.Errorf("got %+v, want the quantity 14 from before the first entry", early)
	}
	if page := admin.get(stockOfP07 + "?at=2026-11-20T10:00"); !strings.Contains(page.body, "The history of this product begins on") {
		t.Errorf("got no note that the history begins later in\n%s", content(page.body))
	}
}

// TestPast_OfImportedRecords opens imported records without a history, at a time after
// they were added. The program cannot know what they contained at that time. The pages
// must say so, and show the current values as such.
func TestPast_OfImportedRecords(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for path, name := range map[string]string{
		"/orders/o0003": "Status", "/invoices/io0003": "Status", "/products/p07": "Price", "/customers/c01": "Email", "/kayaks/k04": "Status", "/warehouses/w1": "Address", "/products/p07/stock/w1": "ReorderPoint",
	} {
		got := pastJSONOf(t, admin.get(path+".json?at=2026-11-21T10:15").body)
		if got.Known || got.State != nil || got.Gap != store.PastBegins || got.Earliest[name] == nil {
			t.Errorf("%s: got %+v, want a state that is not known", path, got)
		}
		if page := admin.get(path + "?at=2026-11-21T10:15").body; !strings.Contains(page, "No record from") || !strings.Contains(page, "These are its current values.") {
			t.Errorf("%s: got no note that the state is not known: %s", path, content(page))
		}
	}
}

// TestPast_OfAddedProduct checks that the page of a product before it was added says so.
func TestPast_OfAddedProduct(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	form := formIn(admin.get("/products/new"))
	form.Set("name", "New")
	form.Set("price", "1")
	added := admin.post("/products/new", form)
	if added.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", added.status, content(added.body))
	}
	if page := admin.get(added.location + "?at=2026-11-20T10:00"); page.status != http.StatusOK || !strings.Contains(page.body, "This product was added later, on") || strings.Contains(content(page.body), "Price") {
		t.Errorf("got status %d, want a page without values: %s", page.status, content(page.body))
	}
}

// TestPast_KeepsScope opens earlier states as a manager of only the warehouse w1. The
// pages must not show the stock of other warehouses.
func TestPast_KeepsScope(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	const moment = "?at=2026-11-21T10:00"
	for path, want := range map[string]int{stockOfP07: http.StatusOK, "/products/p07/stock/w2": http.StatusNotFound, "/warehouses/w2": http.StatusNotFound} {
		for _, address := range []string{path + moment, path + ".json" + moment} {
			if got := manager.get(address); got.status != want {
				t.Errorf("%s: got status %d, want %d", address, got.status, want)
			}
		}
	}
	if page := manager.get("/products/p07" + moment); strings.Contains(content(page.body), "stock/w0") {
		t.Errorf("got the stock of another warehouse: %s", content(page.body))
	}
}

// TestPast_OfDay opens a product with a date instead of a time. For a past date, the page
// must show the state at the end of that day, and for today's date the present state.
func TestPast_OfDay(t *testing.T) {
	b := open(t)
	viewer := b.as(t, "viewer")
	for day, want := range map[string]string{"2026-11-20": "20 Nov 2026, 23:59", "2026-11-21": "21 Nov 2026, " + b.clock.Now().UTC().Format("15:04")} {
		if page := viewer.get("/products/p07?at=" + day); page.status != http.StatusOK || !strings.Contains(page.body, want) {
			t.Errorf("%s: got status %d, want %q in %s", day, page.status, want, content(page.body))
		}
	}
}

// TestPast_BeforeHistory opens records at a time before their history begins. The pages
// must say so, and must not show current values as those of that time.
func TestPast_BeforeHistory(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	added := admin.post("/products/new", func() url.Values {
		form := formIn(admin.get("/products/new"))
		form.Set("name", "New")
		form.Set("price", "1")
		return form
	}())
	subscribed := b.shop.Subscriptions[8].AccountID
	for path, want := range map[string]string{
		"/kayaks/k04": "Current values", "/accounts/" + subscribed: "was added later, on", "/orders/o0003": "was added later, on", "/customers/c01": "was added later, on",
		"/products/p07": "Current values", added.location: "was added later, on", "/invoices/io0003": "was added later, on",
	} {
		page := admin.get(path + "?at=2010-03-01T10:00")
		main := content(page.body)
		if page.status != http.StatusOK || !strings.Contains(main, want) || !strings.Contains(main, "No record from") || strings.Contains(main, "As it was on") {
			t.Errorf("%s: got status %d, want %q and no record in\n%s", path, page.status, want, main)
		}
		if strings.Contains(want, "added") && strings.Contains(main, "<dl") {
			t.Errorf("%s: got values from before the record was added in\n%s", path, main)
		}
	}
}

func TestPast_RejectsInvalidMoments(t *testing.T) {
	b := open(t)
	viewer := b.as(t, "viewer")
	for address, want := range map[string]string{
		"/products/p01?at=":                                     "Enter a date and time",
		"/products/p01?at=soon":                                 "Enter a date and time",
		"/products/p01?at=2026-13-03T10:00":                     "Enter a date and time",
		"/products/p01?at=2026-11-03T25:00":                     "Enter a date and time",
		"/products/p01?at=%3Cscript%3E":                         "Enter a date and time",
		"/products/p01?at=" + strings.Repeat("9", 5000):         "Enter a date and time",
		"/products/p01?at=1969-12-31T10:00":                     "from 1970 on",
		"/products/p01?at=0001-01-01T00:00":                     "from 1970 on",
		"/products/p01?at=2030-01-01T00:00":                     "in the future",
		"/products/p01?at=9999-12-31T23:59":                     "in the future",
		"/products/p01?at=2026-11-03T10:00&at=2026-11-03T10:00": "once",
		"/products/p01?at=2026-11-03T10:00&from=2026-11-01":     "at",
		"/products/p01.json?at=soon":                            "Enter a date and time",
		"/products/p01/orders?at=2026-11-03T10:00":              "at",
		"/warehouses/w1.json?at=2030-01-01T00:00":               "in the future",
	} {
		got := viewer.get(address)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, want) || executable(got.body) != "" {
			t.Errorf("%.60s: got status %d, want 400 and %q in\n%s", address, got.status, want, content(got.body))
		}
		if isPage := want != "once" && want != "at" && !strings.Contains(address, ".json"); isPage != strings.Contains(got.body, `<label for="field-at"`) {
			t.Errorf("%.60s: got a form %v, want %v", address, !isPage, isPage)
		}
	}
}

package handlers

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

// activeCustomer finds a customer of the demo business who has an account rep, orders,
// receipts and rented kayaks. It returns the customer's ID, the ID of the account rep,
// and the entities about the customer with the rep and all stores.
func activeCustomer(t *testing.T) (id, rep string, entities []store.Entity) {
	t.Helper()
	all := demo.Business(storetest.Now, demo.Full)
	rents, subscribes := map[string]bool{}, map[string]bool{}
	orders := map[string]int{}
	for _, e := range all {
		switch e := e.(type) {
		case *store.ActiveRental:
			rents[e.PersonID] = true
		case *store.Receipt:
			subscribes[e.AccountID] = true
		case *store.Order:
			orders[e.CustomerID]++
		}
	}
	for _, e := range all {
		if c, ok := e.(*store.Customer); ok && c.AccountRepID != "" && rents[c.ID] && subscribes[c.ID] && orders[c.ID] > 1 {
			id, rep = c.ID, c.AccountRepID
			break
		}
	}
	if id == "" {
		t.Fatal("the demo business has no customer with orders, subscriptions and rentals")
	}
	for _, e := range all {
		if concerns(e, id) || e.EntityType() == "employee" && e.KeyValue("id") == rep || e.EntityType() == "storeMetadata" {
			entities = append(entities, e)
		}
	}
	return id, rep, entities
}

// concerns reports whether an entity is the customer, or belongs to the customer.
func concerns(e store.Entity, id string) bool {
	return e.EntityType() == "customer" && e.KeyValue("id") == id || slices.Contains([]string{e.KeyValue("customerID"), e.KeyValue("accountID"), e.KeyValue("personULID")}, id)
}

// facts is a decoded JSON object. It contains a record, or a list with its rows in "rows".
type facts = map[string]any

func (b *browser) facts(path string) facts {
	b.t.Helper()
	got := b.get(path)
	decoder := json.NewDecoder(strings.NewReader(got.body))
	decoder.UseNumber()
	var found any
	if err := decoder.Decode(&found); err != nil || got.status != http.StatusOK {
		b.t.Fatalf("%s: got status %d, error %v; want 200 and JSON", path, got.status, err)
	}
	if rows, list := found.([]any); list {
		return facts{"rows": rows}
	}
	return found.(facts)
}

func rowsIn(found any) []facts {
	var rows []facts
	for _, row := range found.(facts)["rows"].([]any) {
		rows = append(rows, row.(facts))
	}
	return rows
}

// compare fails the test if a record has other values on the customer's page (here) than on
// its own page (own).
func compare(t *testing.T, what string, own, here facts) {
	t.Helper()
	for name, value := range here {
		if _, known := own[name]; !known && name == "CustomerName" {
			continue // a record's own JSON has no names of other records
		}
		if !reflect.DeepEqual(own[name], value) {
			t.Errorf("%s: %s: got %v on the customer's page, want %v", what, name, value, own[name])
		}
	}
}

// TestCustomerPage_MatchesSubpages compares the page of a customer with the pages of the
// customer's orders, invoices, rentals and subscriptions.
func TestCustomerPage_MatchesSubpages(t *testing.T) {
	id, rep, entities := activeCustomer(t)
	b := open(t, entities...)
	browser := b.as(t, "admin")
	path := "/customers/" + id
	customer := browser.facts(path + ".json")
	for list, own := range map[string]func(row facts) facts{
		"Orders":   func(row facts) facts { return browser.facts("/orders/" + row["ID"].(string) + ".json") },
		"Invoices": func(row facts) facts { return browser.facts("/invoices/" + row["ID"].(string) + ".json") },
		"Products": func(row facts) facts {
			return browser.facts("/orders/" + row["OrderID"].(string) + "/items/" + row["ProductID"].(string) + ".json")
		},
		"KayaksOut": func(row facts) facts {
			return browser.row("/stores/"+row["StoreID"].(string)+"/out.json", "RentalID", row)
		},
		"Rentals": func(row facts) facts {
			return browser.row("/stores/"+row["StoreID"].(string)+"/rentals.json?person="+id, "ID", row)
		},
		"Subscriptions": func(row facts) facts { return browser.row("/accounts/"+id+"/subscriptions.json", "ID", row) },
		"Receipts":      func(row facts) facts { return browser.row("/accounts/"+id+"/receipts.json", "DueDate", row) },
	} {
		rows := rowsIn(customer[list])
		if len(rows) == 0 {
			t.Errorf("got no %s, want some", list)
		}
		for _, row := range rows {
			compare(t, list, own(row), row)
		}
	}
	for _, list := range []string{"subscriptions", "receipts"} {
		if own, here := len(rowsIn(browser.facts("/accounts/"+id+"/"+list+".json"))), len(rowsIn(customer[strings.ToUpper(list[:1])+list[1:]])); own != here {
			t.Errorf("%s: got %d on the customer's page, want %d", list, here, own)
		}
	}
	var balance store.Amount
	for _, e := range entities {
		if i, ok := e.(*store.Invoice); ok && i.BalanceDue().Sign() > 0 {
			balance = balance.Plus(i.BalanceDue())
		}
	}
	if got := customer["Debt"].(facts)["Owed"].(json.Number); string(got) != balance.String() {
		t.Errorf("got balance due %s, want %s", got, balance)
	}

	page, account := browser.get(path).body, browser.get("/accounts/"+id).body
	for _, caption := range []string{"Subscriptions", "Receipts"} {
		if got := tableIn(page, caption); got == "" || got != tableIn(account, caption) {
			t.Errorf("%s: got\n%s\nwant the table of the account's page\n%s", caption, got, tableIn(account, caption))
		}
	}
	if name := browser.facts("/employees/" + rep + ".json")["Name"].(string); !strings.Contains(page, ">"+name+"</a>") {
		t.Errorf("got no link to the account rep %s, want one", name)
	}
	latest, timeline := timelineIn(page), timelineIn(browser.get(path+"/timeline").body)
	if len(latest) != partRows || !slices.Equal(latest, timeline[:partRows]) {
		t.Errorf("latest activity: got\n%s\nwant the start of the timeline\n%s", strings.Join(latest, "\n"), strings.Join(timeline, "\n"))
	}
	if read := regexp.MustCompile(`(\d+) requests · \d+ items · [\d.]+ read units`).FindStringSubmatch(page); read == nil {
		t.Error("got no table reads in the footer, want them")
	} else if n, _ := strconv.Atoi(read[1]); n > 14 {
		t.Errorf("got %d requests, want at most 14", n)
	}
}

// row reads a list. It returns the row in which the field key and the SubscriptionID have
// the same values as in want.
func (b *browser) row(path, key string, want facts) facts {
	b.t.Helper()
	for _, row := range rowsIn(b.facts(path)) {
		if row[key] == want[key] && row["SubscriptionID"] == want["SubscriptionID"] {
			return row
		}
	}
	b.t.Errorf("%s: got no row like %v, want one", path, want)
	return nil
}

func tableIn(page, caption string) string {
	_, table, _ := strings.Cut(page, `<caption class="vh">`+caption+`</caption>`)
	table, _, _ = strings.Cut(table, "</table>")
	return table
}

var timelineEntry = regexp.MustCompile(`(?s)<li><span class="dot">.*?</li>`)

func timelineIn(page string) []string { return timelineEntry.FindAllString(page, -1) }

// TestCustomerPage_ToleratesFailedReads opens the page once for each of its table
// requests, and lets this request fail. The page must show all other parts, and the log
// must contain the reason.
func TestCustomerPage_ToleratesFailedReads(t *testing.T) {
	id, rep, entities := activeCustomer(t)
	b := open(t, entities...)
	browser := b.as(t, "admin")
	calls := map[string]string{ // keys of the page's requests, with the parts of the page that need each request
		"c#" + id + " c#":                          "Profile",
		"e#" + rep + " e#":                         "Profile",
		"c#" + id + " o#":                          "Latest activity, Orders",
		"c#" + id + " i#":                          "Invoices, Latest activity, Balance due on invoices",
		"c#" + id + " cn#":                         "Credit notes, Latest activity",
		"c#" + id + " p#":                          "Products bought",
		"samePerson#" + id + " ":                   "Same person",
		"c#" + id + " event#":                      "Latest activity",
		"v1#activeRentals#personULID#" + id:        "Rented kayaks, Kayaks checked out",
		"v1#rentals#personULID#" + id + " ":        "Latest activity, Rental history",
		"v1#rentalPayments#personULID#" + id + " ": "Latest activity, Unpaid rentals",
		"v1#bookings#personULID#" + id + " ":       "Bookings",
		"ACC#" + id + " ":                          "Latest activity, Receipts, Subscriptions, Next payment",
	}
	browser.get("/views") // caches the saved views for the tabs of lists
	before := b.db.requests.Load()
	browser.get("/customers/" + id)
	if requests := b.db.requests.Load() - before; int(requests) != len(calls)+1 { // +1, because the page reads invoices twice: for the list and for the balance due
		t.Fatalf("got %d requests, want %d", requests, len(calls)+1)
	}
	for call, parts := range calls {
		b.changeSettings(t, func(*store.Settings) {}) // a change, after which the server reads all records again
		b.log.Reset()
		b.db.broken.Store(&call)
		page := browser.get("/customers/" + id)
		if page.status != http.StatusOK || strings.Contains(page.body, "secret-host") {
			t.Errorf("without %s: got status %d or the reason on the page, want 200 and none", call, page.status)
		}
		if missing := missingIn(page.body); missing != parts {
			t.Errorf("without %s: got missing parts %q, want %q", call, missing, parts)
		}
		if !strings.Contains(b.log.String(), "secret-host") {
			t.Errorf("without %s: got no reason in the log, want one", call)
		}
	}
}

var (
	cards   = regexp.MustCompile(`(?s)<h2>([^<]*)</h2>(.*?)</section>`)
	figures = regexp.MustCompile(`<dt>([^<]*)</dt><dd><span class="big">–</span> <span class="sub">not available right now</span>`)
)

// missingIn returns the names of the parts that a page could not read.
func missingIn(page string) string {
	_, page, _ = strings.Cut(page, "<main")
	missing := map[string]bool{}
	for _, card := range cards.FindAllStringSubmatch(page, -1) {
		if strings.Contains(card[2], "not available right now") {
			missing[card[1]] = true
		}
	}
	names := slices.Sorted(maps.Keys(missing))
	for _, figure := range figures.FindAllStringSubmatch(page, -1) {
		if !missing[figure[1]] {
			names = append(names, figure[1])
		}
	}
	return strings.Join(names, ", ")
}

// TestAddCustomer_WarnsOfSimilar adds customers who may be the same person as a customer:
// with the words of the same name and the same zip code, or with the same phone number. The first submission of
// each form must show this customer, and the second one must add another customer.
func TestAddCustomer_WarnsOfSimilar(t *testing.T) {
	support := open(t, &store.Customer{ID: "C 100", Name: "Kim Ek", Address: store.Address{ZipCode: "114 55"}}).as(t, "support")
	add := func(form url.Values, token string) answer {
		form.Set("once", tokenFor(token))
		return support.post("/customers/new", form)
	}
	first := url.Values{"name": {"Mia Öberg"}, "zip": {"114 55"}, "phones": {"08 555 000 77"}}
	added := add(first, "first")
	if again := add(first, "first"); added.status != http.StatusSeeOther || again.location != added.location {
		t.Fatalf("got status %d and the paths %q and %q, want 303 and the same path: %s", added.status, added.location, again.location, content(added.body))
	}
	for name, form := range map[string]url.Values{
		"name and zip code": {"name": {"oberg mia"}, "zip": {"11455"}},
		"second phone":      {"name": {"Ole"}, "phones": {"070 555 12 34\r\n+46 8 555 000 77"}},
	} {
		got := add(form, name)
		shown := formIn(got)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `href="`+added.location+`"`) || shown.Get("similar") != path.Base(added.location) {
			t.Errorf("%s: got status %d and similar customers %q, want 422 and %s: %s", name, got.status, shown.Get("similar"), added.location, content(got.body))
			continue
		}
		if !strings.Contains(got.body, "Nothing was added yet. This customer may already exist.") || !strings.Contains(got.body, "Add customer anyway</button>") || strings.Contains(got.body, "Please fix") {
			t.Errorf("%s: got %s, want the question and a button that answers it, without errors to fix", name, content(got.body))
		}
		shown.Set("phones", "12")
		if got := support.post("/customers/new", shown); got.status != http.StatusUnprocessableEntity || strings.Contains(got.body, "may already exist") {
			t.Errorf("%s: got status %d after another error, want 422 without the warning: %s", name, got.status, content(got.body))
		}
		shown.Set("phones", strings.Join(form["phones"], ""))
		if got := support.post("/customers/new", shown); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d for the second submission, want 303: %s", name, got.status, content(got.body))
		}
	}
	spaced := add(url.Values{"name": {"Kim Ek"}, "zip": {"114 55"}}, "ID with a space")
	if got := support.post("/customers/new", formIn(spaced)); spaced.status != http.StatusUnprocessableEntity || got.status != http.StatusSeeOther {
		t.Errorf("ID with a space: got status %d and %d, want 422 and 303: %s", spaced.status, got.status, content(got.body))
	}
	for name, form := range map[string]url.Values{
		"other zip code": {"name": {"Mia Öberg"}, "zip": {"114 56"}},
		"no zip code":    {"name": {"Mia Öberg"}},
		"other name":     {"name": {"Pia Öberg"}, "zip": {"114 55"}},
	} {
		if got := add(form, name); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", name, got.status, content(got.body))
		}
	}
}

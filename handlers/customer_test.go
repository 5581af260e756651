package handlers

import (
	"encoding/json"
	"maps"
	"net/http"
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

// somebody is a customer of the demo business who orders, subscribes, rents
// and has an account rep, with all that there is of them.
func somebody(t *testing.T) (id, rep string, entities []store.Entity) {
	t.Helper()
	all := demo.Business(storetest.Now)
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
		t.Fatal("nobody in the demo business has something of everything")
	}
	for _, e := range all {
		if concerns(e, id) || e.EntityType() == "employee" && e.KeyValue("id") == rep || e.EntityType() == "storeMetadata" {
			entities = append(entities, e)
		}
	}
	return id, rep, entities
}

// concerns says whether an entity is the customer or names them.
func concerns(e store.Entity, id string) bool {
	return e.EntityType() == "customer" && e.KeyValue("id") == id || slices.Contains([]string{e.KeyValue("customerID"), e.KeyValue("accountID"), e.KeyValue("personULID")}, id)
}

// facts is a thing as JSON has it.
type facts = map[string]any

func (b *browser) facts(path string) facts {
	b.t.Helper()
	got := b.get(path)
	decoder := json.NewDecoder(strings.NewReader(got.body))
	decoder.UseNumber()
	var found any
	if err := decoder.Decode(&found); err != nil || got.status != http.StatusOK {
		b.t.Fatalf("%s is %d, %v", path, got.status, err)
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

// has fails unless all that is said of a thing in one place is said of it in
// another.
func has(t *testing.T, what string, there, here facts) {
	t.Helper()
	for name, value := range here {
		if !reflect.DeepEqual(there[name], value) {
			t.Errorf("%s: %s is %v on the customer's page and %v on its own", what, name, value, there[name])
		}
	}
}

// TestACustomersPageShowsWhatEachPartsOwnPageShows compares, for somebody of
// the demo business, what the one page says with what each part's own says.
func TestACustomersPageShowsWhatEachPartsOwnPageShows(t *testing.T) {
	id, rep, entities := somebody(t)
	b := open(t, entities...)
	browser := b.as(t, "admin")
	path := "/customers/" + id
	of := browser.facts(path + ".json")
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
		rows := rowsIn(of[list])
		if len(rows) == 0 {
			t.Errorf("there are no %s to compare", list)
		}
		for _, row := range rows {
			has(t, list, own(row), row)
		}
	}
	for _, list := range []string{"subscriptions", "receipts"} {
		if own, here := len(rowsIn(browser.facts("/accounts/"+id+"/"+list+".json"))), len(rowsIn(of[strings.ToUpper(list[:1])+list[1:]])); own != here {
			t.Errorf("%d %s, their own page has %d", here, list, own)
		}
	}
	var owed store.Amount
	for _, e := range entities {
		if i, ok := e.(*store.Invoice); ok && i.BalanceDue().Sign() > 0 {
			owed = owed.Plus(i.BalanceDue())
		}
	}
	if got := of["Debt"].(facts)["Owed"].(json.Number); string(got) != owed.String() {
		t.Errorf("%s is owed, the invoices come to %s", got, owed)
	}

	page, account := browser.get(path).body, browser.get("/accounts/"+id).body
	for _, caption := range []string{"Subscriptions", "Receipts"} {
		if got := tableIn(page, caption); got == "" || got != tableIn(account, caption) {
			t.Errorf("%s differ from the account's own:\n%s\n%s", caption, got, tableIn(account, caption))
		}
	}
	if name := browser.facts("/employees/" + rep + ".json")["Name"].(string); !strings.Contains(page, ">"+name+"</a>") {
		t.Errorf("the account rep %s is not named", name)
	}
	last, timeline := momentsIn(page), momentsIn(browser.get(path+"/timeline").body)
	if len(last) != partRows || !slices.Equal(last, timeline[:partRows]) {
		t.Errorf("what happened last is\n%s\nand the timeline begins with\n%s", strings.Join(last, "\n"), strings.Join(timeline, "\n"))
	}
	if read := regexp.MustCompile(`(\d+) requests · \d+ items · [\d.]+ read units`).FindStringSubmatch(page); read == nil {
		t.Error("the page does not say what it cost")
	} else if n, _ := strconv.Atoi(read[1]); n > 10 {
		t.Errorf("the page takes %d requests, want ten at most", n)
	}
}

// row is the row of a list that is the same thing as another.
func (b *browser) row(path, key string, like facts) facts {
	b.t.Helper()
	for _, row := range rowsIn(b.facts(path)) {
		if row[key] == like[key] && row["SubscriptionID"] == like["SubscriptionID"] {
			return row
		}
	}
	b.t.Errorf("%s does not have %v", path, like)
	return nil
}

func tableIn(page, caption string) string {
	_, table, _ := strings.Cut(page, `<caption class="vh">`+caption+`</caption>`)
	table, _, _ = strings.Cut(table, "</table>")
	return table
}

var oneMoment = regexp.MustCompile(`(?s)<li><span class="dot">.*?</li>`)

func momentsIn(page string) []string { return oneMoment.FindAllString(page, -1) }

// TestACustomersPageIsThereWhateverFails fails one request after the other:
// the page is there, says in that part and in no other that it is missing, and
// the log has the reason.
func TestACustomersPageIsThereWhateverFails(t *testing.T) {
	id, rep, entities := somebody(t)
	b := open(t, entities...)
	browser := b.as(t, "admin")
	calls := map[string]string{ // the parts that a request is for, by its key
		"c#" + id + " c#":                   "Profile",
		"e#" + rep + " e#":                  "Profile",
		"c#" + id + " o#":                   "Latest activity, Orders",
		"c#" + id + " i#":                   "Invoices, Latest activity, Balance due",
		"c#" + id + " p#":                   "Products bought",
		"c#" + id + " event#":               "Latest activity",
		"v1#activeRentals#personULID#" + id: "Rented kayaks, Kayaks checked out",
		"v1#rentals#personULID#" + id + " ": "Latest activity, Rental history",
		"ACC#" + id + " ":                   "Latest activity, Receipts, Subscriptions, Next payment",
	}
	browser.get("/views") // which the menu shows, and which are kept for a minute
	before := b.db.requests.Load()
	browser.get("/customers/" + id)
	if asked := b.db.requests.Load() - before; int(asked) != len(calls)+1 { // invoices are asked for twice: to be shown, and to be added up
		t.Fatalf("the page makes %d requests, and %d are known here", asked, len(calls)+1)
	}
	for call, parts := range calls {
		b.log.Reset()
		b.db.broken.Store(&call)
		page := browser.get("/customers/" + id)
		if page.status != http.StatusOK || strings.Contains(page.body, "secret-host") {
			t.Errorf("without %s the page is %d", call, page.status)
		}
		if missing := missingIn(page.body); missing != parts {
			t.Errorf("without %s the page lacks %q, want %q", call, missing, parts)
		}
		if !strings.Contains(b.log.String(), "secret-host") {
			t.Errorf("the log does not say why %s failed", call)
		}
	}
}

var (
	cards   = regexp.MustCompile(`(?s)<h2>([^<]*)</h2>(.*?)</section>`)
	figures = regexp.MustCompile(`<dt>([^<]*)</dt><dd>– <span class="sub">not available right now</span>`)
)

// missingIn are the parts of a page that say that they could not be read.
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

package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestArchive_HidesAndRestores checks that lists hide an archived product, warehouse or
// store until it is restored. It submits each form twice, without JavaScript.
func TestArchive_HidesAndRestores(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for _, noun := range []string{"product", "warehouse", "store"} {
		t.Run(noun, func(t *testing.T) {
			f := addForms[noun]
			path := admin.post(f.path, f.with("Zyx "+evil, noun)).location
			send := func(do, version string) {
				t.Helper()
				form := url.Values{"version": {version}, "why": {"closed " + evil}, "once": {tokenFor(noun + do)}}
				for range 2 {
					if got := admin.post(path+"/"+do, form); got.status != http.StatusSeeOther || got.location != path {
						t.Fatalf("%s: got status %d to %s, want 303 to %s: %s", do, got.status, got.location, path, content(got.body))
					}
				}
				form.Set("once", tokenFor(noun+do+"late"))
				if got := admin.post(path+"/"+do, form); got.status != http.StatusConflict || executable(got.body) != "" {
					t.Errorf("%s, old version: got status %d, want 409", do, got.status)
				}
			}
			isListed := func(address string) bool { return strings.Contains(admin.get(address).body, `href="`+path+`"`) }
			if form := admin.get(path + "/archive"); !strings.Contains(form.body, `name="why"`) || executable(form.body) != "" {
				t.Errorf("got no form, or a page that runs text: %s", content(form.body))
			}
			send("archive", "1")
			page := admin.get(path)
			if !strings.Contains(page.body, ">Archived<") || !strings.Contains(page.body, path+"/restore") || executable(page.body) != "" {
				t.Errorf("got no badge or link to restore: %s", content(page.body))
			}
			if strings.Contains(admin.get("/products/p01").body, "/stock/"+strings.TrimPrefix(path, "/warehouses/")+"/receive") {
				t.Error("got an archived warehouse to receive at, want none")
			}
			if isListed(f.list+"?limit=200") && noun != "store" || noun == "store" && isListed(f.list) || !isListed(f.list+"?archived=yes") {
				t.Errorf("%s: got the archived record, or no record in the list of archived ones", f.list)
			}
			if got := admin.get("/choices/" + noun + "?q=zyx").body; strings.TrimSpace(got) != "[]" {
				t.Errorf("got suggestions %s, want none", got)
			}
			if found := b.typing(t, admin, "zyx"); strings.Contains(found, path) {
				t.Errorf("search by name: got the archived record, want no result: %s", found)
			}
			if found := b.typing(t, admin, path[strings.LastIndex(path, "/")+1:]); !strings.Contains(found, `href="`+path+`"`) || !strings.Contains(found, ">Archived<") {
				t.Errorf("search by ID: got no record with the badge Archived: %s", found)
			}
			send("restore", "2")
			if isListed(f.list + "?archived=yes") {
				t.Error("after restoring: got the record in the list of archived ones")
			}
		})
	}
	for value, want := range map[string]int{"past_due": 200, "Past due": 200, "lost": 422} {
		got := admin.get("/subscriptions?status=" + url.QueryEscape(value))
		if got.status != want || want == 422 && !strings.Contains(got.body, "Choose one of: Active, Past due, Paused, Cancelled.") {
			t.Errorf("status %q: got status %d, want %d and the statuses in words: %s", value, got.status, want, content(got.body))
		}
	}
	if got := admin.get("/products?archived=maybe"); got.status != http.StatusUnprocessableEntity {
		t.Errorf("unknown value: got status %d, want 422", got.status)
	}
}

// TestArchive_StockOfProduct opens the stock page and the product page of an archived product
// with an expected delivery. The pages must have the mark Archived and must not offer to
// receive the product. They must offer to edit the delivery: the form for this has the link
// to cancel it.
func TestArchive_StockOfProduct(t *testing.T) {
	b := open(t,
		&store.Product{ID: "gone", Name: "Gone", Archived: true, Version: 1},
		&store.WarehouseItem{ProductID: "gone", WarehouseID: "w1", Name: "Gone", Quantity: 7, Version: 1},
		&store.ExpectedDelivery{ID: "d9", ProductID: "gone", WarehouseID: "w1", Name: "Gone", Due: storetest.Now, Quantity: 5, Version: 1},
	)
	for _, path := range []string{"/products/gone/stock/w1", "/products/gone"} {
		page := content(b.as(t, "manager").get(path).body)
		if !strings.Contains(page, ">Archived<") || strings.Contains(page, "/receive") || strings.Contains(page, "/deliveries/new") {
			t.Errorf("%s: got no mark, or a link to receive the product: %s", path, page)
		}
		if !strings.Contains(page, "/products/gone/stock/w1/deliveries/d9/edit") {
			t.Errorf("%s: got no link to edit the delivery: %s", path, page)
		}
	}
	if page := content(b.as(t, "manager").get("/products/p07/stock/w1").body); strings.Contains(page, ">Archived<") || !strings.Contains(page, "/products/p07/stock/w1/receive") {
		t.Errorf("another product: got the mark, or no link to receive it: %s", page)
	}
}

// TestArchive_SaysWhatIsInStock opens the form that archives a product with stock and an
// expected delivery.
func TestArchive_SaysWhatIsInStock(t *testing.T) {
	admin := open(t,
		&store.Product{ID: "busy", Name: "Busy", Version: 1},
		&store.WarehouseItem{ProductID: "busy", WarehouseID: "w1", Name: "Busy", Quantity: 7, Version: 1},
		&store.ExpectedDelivery{ID: "d9", ProductID: "busy", WarehouseID: "w1", Due: storetest.Now, Quantity: 9, Version: 1},
	).as(t, "admin")
	if page := content(admin.get("/products/busy/archive").body); !strings.Contains(page, "7 on hand, 0 committed to open orders, 9 incoming.") || !strings.Contains(page, `href="/products/busy/stock"`) {
		t.Errorf("got no numbers, or no link to the stock: %s", page)
	}
	if page := content(admin.get("/warehouses/w1/archive").body); strings.Contains(page, "on hand") {
		t.Errorf("warehouse: got numbers, want none: %s", page)
	}
}

// typing returns the search results that appear while the user types.
func (*backOffice) typing(t *testing.T, user *browser, text string) string {
	t.Helper()
	r := user.request(http.MethodGet, "/search?q="+url.QueryEscape(text), "")
	r.Header.Set("HX-Request", "true")
	return content(user.do(r).body)
}

// TestSearch_HidesRetiredKayaks searches for a retired kayak. Search must find it by
// its ID but not by its name.
func TestSearch_HidesRetiredKayaks(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	if got := admin.post("/kayaks/k09/retire", url.Values{"version": {"1"}, "why": {"worn"}, "once": {tokenFor("retire")}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	if found := b.typing(t, admin, "heron 9"); strings.Contains(found, "/kayaks/k09") {
		t.Errorf("by name: got the retired kayak: %s", found)
	}
	if found := b.typing(t, admin, "K09"); !strings.Contains(found, "/kayaks/k09") || !strings.Contains(found, "Retired") {
		t.Errorf("by ID: got no retired kayak: %s", found)
	}
}

// TestAddPerson_IsLinked checks that two pages link to the form that adds a person: the
// list of customers, and a search without results. A user without the permission must not
// see the link.
func TestAddPerson_IsLinked(t *testing.T) {
	b := open(t)
	for user, want := range map[string]bool{"support": true, "manager": true, "viewer": false} {
		for _, path := range []string{"/customers", "/search?q=nobodyatall"} {
			if got := strings.Contains(b.as(t, user).get(path).body, `href="/people/new"`); got != want {
				t.Errorf("%s, %s: got link %t, want %t", user, path, got, want)
			}
		}
	}
}

// TestArchive_HidesWarehouseWhenPacking archives the warehouse that the form to pack a
// shipment would choose. The form must choose another one.
func TestArchive_HidesWarehouseWhenPacking(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	chosen := func() string { return hiddenFields(admin.get("/orders/open/ship").body).Get("warehouse") }
	first := chosen()
	path := "/warehouses/" + first + "/archive"
	form := hiddenFields(admin.get(path).body)
	form.Set("why", "moved")
	admin.post(path, form).want(t, http.StatusSeeOther, "")
	if got := chosen(); first == "" || got == first {
		t.Errorf("got the warehouse %q before and %q after archiving it, want another one", first, got)
	}
}

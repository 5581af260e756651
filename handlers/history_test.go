package handlers

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

func TestHistory_AcceptsOneFilter(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	for query, status := range map[string]int{
		"": 200, "?by=test": 200, "?about=user%23viewer": 200, "?from=today": 200, "?from=2020-01-01&to=2020-02-01": 200,
		"?by=test&from=today": 422, "?by=test&about=o%231": 422, "?about=o%231&to=today": 422, "?from=soon": 422, "?who=x": 400,
	} {
		browser.expect(http.MethodGet, "/admin/events"+query, status)
	}
}

// TestHistory_LinksOnlyToOpenPages checks that links in the history lead to pages that
// the reader may open.
func TestHistory_LinksOnlyToOpenPages(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	form := url.Values{"currency": {"EUR"}, "timezone": {"Europe/Stockholm"}, "payments": {"record"}, "reminder": {"7"}, "receipt": {"183"}, "access": {"396"}, "idle": {"30"}, "life": {"12"}, "version": {"1"}, "once": {admin.token("/admin/settings")}}
	if got := admin.post("/admin/settings", form); got.status != http.StatusSeeOther {
		t.Fatalf("changing the settings: got %d, want 303: %s", got.status, got.body)
	}
	for user, want := range map[string][]string{
		"admin":   {"/admin/users/viewer", "/admin/settings"},
		"auditor": {"/admin/events?about=user%23viewer", "/admin/events?about=settings"},
	} {
		browser := b.as(t, user)
		_, table, _ := strings.Cut(browser.get("/admin/events").body, "<tbody>")
		table, _, _ = strings.Cut(table, "</tbody>")
		for _, path := range want {
			if !strings.Contains(table, `href="`+path+`"`) {
				t.Errorf("%s: got no link to %s, want one", user, path)
			}
		}
		for link := range links(table) {
			browser.expect(http.MethodGet, html.UnescapeString(link), http.StatusOK)
		}
	}
}

// TestHistory_AmountsOfFields changes amounts. The history must show them with the currency,
// also in its files.
func TestHistory_AmountsOfFields(t *testing.T) {
	b := open(t)
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	product, err := shop.ProductForChange(t.Context(), "p07")
	if err != nil {
		t.Fatal(err)
	}
	product.Price = store.MinorUnits(12_50)
	if err := shop.SaveProduct(t.Context(), *product, b.store.NewToken()); err != nil {
		t.Fatal(err)
	}
	settings, err := shop.CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.RefundLimit, settings.ReadPrice = store.MinorUnits(20_00), store.MinorUnits(25)
	if err := shop.ChangeSettings(t.Context(), settings, b.store.NewToken()); err != nil {
		t.Fatal(err)
	}
	admin := b.as(t, "admin")
	for _, kind := range []string{"", ".csv", ".json"} {
		got := admin.get("/admin/events" + kind).body
		for _, want := range []string{"price €12.50", "refund limit for support €20.00", "price of a million read units $0.25"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q: got no %q in %s", kind, want, content(got))
			}
		}
	}
}

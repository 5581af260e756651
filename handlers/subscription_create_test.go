package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestSubscribe_ShowsPlanName creates three subscriptions without JavaScript: to a product,
// with a hostile plan name, and without a plan name. The name of the product must become
// the name of the plan. The test submits each form twice, and opens the pages that show the
// names.
func TestSubscribe_ShowsPlanName(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	subscribe := func(token string, fields ...string) answer {
		t.Helper()
		form := url.Values{"amount": {"5"}, "day": {"21"}, "once": {tokenFor(token)}}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		return support.post("/accounts/c30/subscribe", form)
	}
	for range 2 {
		for token, fields := range map[string][]string{"of product": {"sku", "SKU-7"}, "named": {"sku", "PLAN-TEA", "plan", "Tea " + evil}, "nameless": {"sku", "PLAN-NONE"}} {
			if got := subscribe(token, fields...); got.status != http.StatusSeeOther {
				t.Fatalf("%s: got status %d, want 303: %s", token, got.status, content(got.body))
			}
		}
	}
	for _, name := range []string{strings.Repeat("x", 201), "a\x00b"} {
		if got := subscribe("bad"+name, "sku", "PLAN", "plan", name); got.status != http.StatusUnprocessableEntity && got.status != http.StatusBadRequest {
			t.Errorf("%.10q: got status %d, want 422 or 400", name, got.status)
		}
	}
	product := b.shop.Products[7].Name
	for path, wants := range map[string][]string{
		"/accounts/c30":                     {"Subscription to " + product, ">SKU-7<", "Subscription to Tea ", "Subscription to PLAN-NONE"},
		"/customers/c30":                    {">" + product + "<", ">PLAN-NONE<"},
		"/subscriptions":                    {">" + product + "<", ">PLAN-NONE<"},
		"/subscriptions.csv":                {`,SKU-7,"` + product + `",`},
		"/due?date=2026-11-21":              {">" + product + "<", ">PLAN-NONE<"},
		"/jobs/payments/2026-11-21/dry-run": {">" + product + "<", ">PLAN-NONE<"},
	} {
		page := b.as(t, "admin").get(path)
		for _, want := range wants {
			if page.status != http.StatusOK || !strings.Contains(page.body, want) || !strings.HasSuffix(path, ".csv") && executable(page.body) != "" {
				t.Errorf("%s: got status %d without %q, or a page that runs %s: %s", path, page.status, want, executable(page.body), content(page.body))
			}
		}
	}
	if got := strings.Count(support.get("/accounts/c30/subscriptions.csv").body, "\nc30,"); got != 3 {
		t.Errorf("got %d subscriptions, want 3", got)
	}
	if got := b.as(t, "manager").post("/accounts/c30/subscribe", url.Values{}); got.status != http.StatusForbidden {
		t.Errorf("manager: got status %d, want 403", got.status)
	}
}

package handlers

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestCheck_BeforeFirstCheck(t *testing.T) {
	none := open(t).as(t, "admin")
	if page := none.get("/admin/check").body; !strings.Contains(page, "The books have not been checked yet.") {
		t.Errorf("got %s, want no check", page)
	}
	if page := none.get("/").body; strings.Contains(page, "check of the books") {
		t.Error("Today shows a check before there was one")
	}
}

// TestCheck_ShowsLastResult checks that the pages Check and Today show the findings of the
// last check of the records.
func TestCheck_ShowsLastResult(t *testing.T) {
	report := store.CheckReport{
		Began: storetest.Now, Ended: storetest.Now.Add(time.Minute), Items: 12345, Changing: 2, Problem: "The system is busy.",
		Counts: []store.RuleCount{{Rule: store.CheckOrderTotal, Count: 120}, {Rule: store.CheckStockQuantity, Count: 1}},
		First: []store.CheckEntry{{
			Rule: store.CheckOrderTotal, PK: "o#o0001", SK: "c#c01", Text: "The order o0001 has the total <1>, but its lines add up to 2.",
			About: []string{"o#o0001", "v1#rental#rentalULID#r1"},
		}},
		Version: 1,
	}
	b := open(t, &report)
	page := b.as(t, "admin").get("/admin/check").body
	for _, want := range []string{
		"The check of the books could not be completed: The system is busy.", "The order o0001 has the total &lt;1&gt;, but", `href="/orders/o0001"`,
		`href="/admin/events?about=v1%23rental%23rentalULID%23r1"`, "12,345", "Only the first 1 of 121 findings are shown.",
		"Each order&#39;s total is the sum of its lines", "The scheduler is off",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in %s", want, page)
		}
	}
	if csv := b.as(t, "admin").get("/admin/check.csv").body; !strings.Contains(csv, "order-total,o#o0001,c#c01,") {
		t.Errorf("got no order-total finding of order o0001 in the file: %s", csv)
	}
	if today := b.as(t, "admin").get("/").body; !strings.Contains(today, `The last check of the books has 121 findings. <a href="/admin/check">Open check</a>`) {
		t.Error("Today does not show the findings")
	}
	for _, user := range []string{"viewer", "auditor", "support", "manager"} {
		browser := b.as(t, user)
		if today := browser.get("/").body; strings.Contains(today, "check of the books") {
			t.Errorf("%s: Today shows the findings", user)
		}
		browser.expect(http.MethodGet, "/admin/check", http.StatusForbidden)
	}
}

// TestCheckNow starts a check on the page. While another server runs a check, the page
// must say so, must not start a second check, and must not show the progress of an
// earlier check.
func TestCheckNow(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	if page := admin.get("/admin/check").body; !strings.Contains(page, "Check now") || !strings.Contains(page, "check of the data file") {
		t.Errorf("got no button, or no text that tells the checks apart: %s", page)
	}
	if report, err := b.site.jobs.Check(t.Context()); err != nil || report.Items == 0 {
		t.Fatalf("got %+v, %v; want a check that reads items", report, err)
	}
	if err := b.store.AcquireLease(t.Context(), store.CheckLease, "another", b.clock.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if page := admin.get("/admin/check").body; !strings.Contains(page, "A check is running.") {
		t.Errorf("while another server checks: got no text that a check is running, or a progress: %s", page)
	}
	got := admin.post("/admin/check/now", nil)
	page := admin.get(got.location)
	if got.status != http.StatusSeeOther || !strings.Contains(page.body, "A check of the books is already running.") || !strings.Contains(page.body, "A check is running.") || strings.Contains(page.body, "Check now") || page.header.Get("Refresh") == "" {
		t.Errorf("while another server checks: got status %d and %s", got.status, page.body)
	}
	b.clock.Advance(2 * time.Minute)
	if got := admin.post("/admin/check/now", nil); got.status != http.StatusSeeOther || got.location != "/admin/check" {
		t.Fatalf("got status %d to %q, want 303 to %q", got.status, got.location, "/admin/check")
	}
	storetest.WaitFor(t, "end of the check", func() bool {
		return !strings.Contains(admin.get("/admin/check").body, "A check is running")
	})
	report, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).LastCheck(t.Context())
	if err != nil || report.Version != 2 || report.Problem != "" {
		t.Errorf("got %+v, %v; want a second completed check", report, err)
	}
}

package handlers

import (
	"strings"
	"testing"
)

// TestToday_LeadsThroughSetUp adds the records that a new business needs. Today must show
// the card with the steps until the last record is added, and then no card. After each
// record, its step must be done.
func TestToday_LeadsThroughSetUp(t *testing.T) {
	b := serveOnly(t)
	admin := b.as(t, "admin")
	const card = "Set up your business"
	today := func() string {
		t.Helper()
		return content(wholeToday(admin).body)
	}
	page := today()
	for _, step := range []string{card, `href="/warehouses/new"`, `href="/stores/new"`, `href="/products/new"`, `href="/employees/new"`, "Done: </span>Add a user"} {
		if !strings.Contains(page, step) {
			t.Errorf("empty table: got no %q: %s", step, page)
		}
	}
	if strings.Contains(content(wholeToday(b.as(t, "viewer")).body), card) {
		t.Error("viewer: got the card, want none")
	}
	for _, noun := range []string{"warehouse", "product", "employee"} {
		if page = today(); !strings.Contains(page, card) || strings.Contains(page, "Done: </span>Add a "+noun) || strings.Contains(page, "Done: </span>Add an "+noun) {
			t.Errorf("before the %s: got no card, or a card on which its step is done: %s", noun, page)
		}
		form := addForms[noun].with("First", noun)
		for _, pick := range []string{"job", "department", "location", "warehouse", "manager"} {
			form.Del(pick)
		}
		if got := admin.post(addForms[noun].path, form); got.location == "" {
			t.Fatalf("%s: got status %d: %s", noun, got.status, content(got.body))
		}
		if page = today(); noun != "employee" && !strings.Contains(page, "Done: </span>Add a "+noun) {
			t.Errorf("after the %s: got a page on which its step is not done: %s", noun, page)
		}
	}
	if strings.Contains(page, card) {
		t.Errorf("set up: got the card, want none: %s", page)
	}
}

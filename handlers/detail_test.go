package handlers

import (
	"net/http"
	"strings"
	"testing"
)

// TestOneBrokenPartLeavesTheRest fails the reading of one list of a page: the
// page is there, says which list is not, and the log has the reason. Whoever
// asked for that very list, or for a file, is refused.
func TestOneBrokenPartLeavesTheRest(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	beginning := "c#c07 i#"
	b.db.broken.Store(&beginning)
	page := browser.get("/customers/c07")
	if page.status != http.StatusOK || !strings.Contains(page.body, "not available right now") || !strings.Contains(page.body, "/orders/o0007") {
		t.Errorf("the page with a broken list is %d", page.status)
	}
	if strings.Contains(page.body, "secret-host") || !strings.Contains(b.log.String(), "secret-host") {
		t.Error("the reason belongs into the log, and nowhere else")
	}
	for _, address := range []string{"/customers/c07/invoices", "/customers/c07.json", "/customers/c07/invoices.csv"} {
		if got := browser.get(address); got.status != http.StatusInternalServerError {
			t.Errorf("%s is %d, want 500", address, got.status)
		}
	}
	if got := browser.get("/customers/c07/orders.csv"); got.status != http.StatusOK {
		t.Errorf("the file of another list is %d", got.status)
	}
	for _, list := range []string{"w#w1 p#", "w#w1 sh#", "w#w1 stock#"} { // what lies in a warehouse, leaves it, moved in it
		b.db.broken.Store(&list)
		if page := browser.get("/warehouses/w1").body; strings.Count(page, "not available right now") != 1 {
			t.Errorf("the page of a warehouse does not say that its list of %s is broken", list)
		}
	}
}

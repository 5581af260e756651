package handlers

import (
	"net/http"
	"strings"
	"testing"
)

func TestSecretItems_AreNeverShown(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	for address, withheld := range map[string]bool{
		"/data/partitions?pk=users&index=GSI1":                            true,
		"/data/partitions?pk=user%23viewer":                               true,
		"/data/partitions?pk=sessions%23admin&index=GSI1":                 true,
		"/data/partitions?pk=settings":                                    true,
		"/data/patterns/getPartition?try=yes&partition=user%23viewer":     true,
		"/data/patterns/getPartition?try=yes&partition=settings":          true,
		"/data/patterns/getPartitionOfGSI1?try=yes&partition=users":       true,
		"/data/patterns/getEventsOfThing?try=yes&partition=user%23viewer": false,
		"/admin/users/viewer":                                             false,
	} {
		got := browser.get(address)
		if got.status != http.StatusOK || strings.Contains(got.body, "Secret. Items") != withheld {
			t.Errorf("%s: got status %d, want 200 and secret items %v: %s", address, got.status, withheld, got.body)
		}
		for _, secret := range []string{"argon2id", "PasswordHash", "sessions#", "session#", "&#34;Keys&#34;"} {
			if shown := strings.ReplaceAll(got.body, htmlOf(address), ""); strings.Contains(shown, secret) && !strings.Contains(address, "sessions") {
				t.Errorf("%s: got %s, want it hidden", address, secret)
			}
		}
	}
}

// htmlOf escapes an address in the same way as pages do.
func htmlOf(address string) string { return strings.ReplaceAll(address, "&", "&amp;") }

func TestPartition_HasPages(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	first := browser.get("/data/partitions?pk=w%23w1&index=GSI2&limit=30")
	next := neighbour(first.body, "next")
	if next == "" || !strings.Contains(first.body, `aria-hidden="true">Wi</span> warehouseItem`) {
		t.Fatalf("got no next page or no items, want both: %s", first.body)
	}
	if second := browser.get(next); second.status != http.StatusOK || second.body == first.body || !strings.Contains(second.body, "shipment") {
		t.Errorf("second page: got status %d or the same items, want 200 and other items", second.status)
	}
	browser.expect(http.MethodGet, "/data/partitions?pk=x&index=GSI9", http.StatusUnprocessableEntity)
	if got := browser.get("/data/partitions?pk=o%23o0001").body; !strings.Contains(got, "/data/partitions?pk=c%23c01&amp;index=GSI2") {
		t.Error("got no link to the item's other partition, want one")
	}
}

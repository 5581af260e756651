package handlers

import (
	"strings"
	"testing"

	"stockroom/store"
)

// TestForms_ShowDecimals checks that forms show stored amounts with the decimals of the
// currency.
func TestForms_ShowDecimals(t *testing.T) {
	b := open(t, &store.Product{ID: "tea", Name: "Tea", Price: store.MinorUnits(1250), Version: 1})
	if page := b.as(t, "admin").get("/products/tea/edit").body; !strings.Contains(page, `value="12.50"`) {
		t.Errorf("got %s, want the price 12.50", content(page))
	}
}

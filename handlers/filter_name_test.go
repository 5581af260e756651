package handlers

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// TestLists_NameFilters opens lists with filters by warehouse and job. The filters must show
// the names that the user chose, also if the list is empty.
func TestLists_NameFilters(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	w := b.shop.Warehouses[1]
	job := b.shop.References[slices.IndexFunc(b.shop.References, func(r store.Reference) bool { return r.Kind == store.Job })]
	for _, path := range []string{"/stock/low?warehouse=" + w.ID, "/deliveries?warehouse=" + w.ID, "/transfers?warehouse=" + w.ID, "/shipments?warehouse=" + w.ID, "/employees?warehouse=" + w.ID, "/employees?job=" + job.ID} {
		want := `Warehouse: <b dir="auto">` + w.Name + `</b>`
		if strings.Contains(path, "job") {
			want = `Job: <b dir="auto">` + job.Name + `</b>`
		}
		if page := admin.get(path); page.status != http.StatusOK || !strings.Contains(page.body, want) {
			t.Errorf("%s: got status %d and no %s: %s", path, page.status, want, content(page.body))
		}
	}
	if page := admin.get("/stock/low/bulk/delivery?all=yes&warehouse=" + w.ID); !strings.Contains(page.body, "warehouse “"+w.Name+"”") {
		t.Errorf("bulk change: got no name of the warehouse: %s", content(page.body))
	}
}

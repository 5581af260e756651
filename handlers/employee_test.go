package handlers

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// TestEmployees_HidePrivateDetails checks that users without the permission see no
// private details on any page or in any file with employees.
func TestEmployees_HidePrivateDetails(t *testing.T) {
	b := open(t)
	e := b.shop.Employees[5]
	for user, reads := range map[string]bool{"viewer": false, "auditor": true, "support": false, "manager": true, "admin": true} {
		browser := b.as(t, user)
		for address, secrets := range map[string][]string{
			"/employees/e05":                   {e.Phones[0], "1 Jun 2026", "Dispatch"},
			"/employees/e05.json":              {e.Phones[0], "2026-06-01", `"d2"`, `"ManagerID"`},
			"/employees?warehouse=w1":          {e.Phones[0], "1 Jun 2026"},
			"/employees.csv?warehouse=w1":      {e.Phones[0], "2026-06-01", "d2,", ",e00"},
			"/employees.json?warehouse=w1":     {e.Phones[0], "2026-06-01", `"d2"`, `"ManagerID"`},
			"/warehouses/w1":                   {e.Phones[0], "1 Jun 2026"},
			"/warehouses/w1.json":              {e.Phones[0], "2026-06-01", `"d2"`, `"ManagerID"`},
			"/warehouses/w1/employees.csv":     {e.Phones[0], "2026-06-01", "d2,", ",e00"},
			"/search?q=maja":                   {e.Phones[0], "1 Jun 2026"},
			"/employees?warehouse=w1&name=maj": {e.Phones[0], "1 Jun 2026"},
		} {
			got := browser.get(address)
			if got.status != http.StatusOK || !strings.Contains(got.body, e.Email) {
				t.Errorf("%s: %s: got status %d or no employee, want 200 and the employee", user, address, got.status)
			}
			for _, secret := range secrets {
				if found := strings.Contains(got.body, secret); found != reads {
					t.Errorf("%s: %s shows %q: got %v, want %v", user, address, secret, found, reads)
				}
			}
		}
	}
}

// TestEmployees_FilterByKeys requests combinations of filters: some that an index
// supports, some that no index supports, and some that the role may not use. Only the
// supported ones that the role may use must list employees.
func TestEmployees_FilterByKeys(t *testing.T) {
	b := open(t)
	for _, tt := range []struct {
		user, query string
		status      int
		rows        []string // IDs of the first employees; nil if the request is rejected
	}{
		{"admin", "", 200, []string{"e01", "e11", "e16"}},
		{"viewer", "?name=MAR", 200, []string{"e13", "e18", "e23"}},
		{"viewer", "?job=j1", 200, []string{"e01", "e00", "e02"}},
		{"viewer", "?job=j2&name=maj", 200, []string{"e10", "e15", "e20"}},
		{"viewer", "?warehouse=w2&name=maj", 200, []string{"e10"}},
		{"admin", "?from=2026-10-01", 200, []string{"e01", "e00"}},
		{"admin", "?to=2025-01-31&sort=reverse", 200, []string{"e22", "e23"}},
		{"admin", "?job=j1&warehouse=w1", 422, nil},
		{"admin", "?from=2026&name=m", 422, nil},
		{"admin", "?from=soon", 422, nil},
		{"viewer", "?from=2026", 400, nil},
		{"support", "?to=2026", 400, nil},
		{"manager", "?from=2026", 400, nil},
		{"manager", "?job=j2", 400, nil},
		{"manager", "", 200, []string{"e01", "e21", "e05"}},
		{"manager", "?name=maj", 200, []string{"e05"}},
		{"manager", "?warehouse=w2", 404, nil},
	} {
		got := b.as(t, tt.user).get("/employees" + tt.query)
		listed := linked(got.body, "/employees/")
		if got.status != tt.status || len(listed) < len(tt.rows) || !slices.Equal(listed[:len(tt.rows)], tt.rows) || (tt.rows == nil) != (len(listed) == 0) {
			t.Errorf("%s: %q: got %d, %v; want %d, %v first", tt.user, tt.query, got.status, listed, tt.status, tt.rows)
		}
	}
}

// linked returns the IDs in the links of a page, in the order of the links. It ignores
// links whose address does not start with path.
func linked(body, path string) []string {
	var ids []string
	for _, rest := range strings.Split(body, `<a href="`+path)[1:] {
		id, _, _ := strings.Cut(rest, `"`)
		ids = append(ids, id)
	}
	return ids
}

func TestAccountRep_IsLinked(t *testing.T) {
	b := open(t)
	for address, want := range map[string]string{"/customers/c01": "/employees/e01", "/orders/o0001": "/employees/e01", "/employees/e01": "/customers/c01"} {
		if page := b.as(t, "viewer").get(address); !strings.Contains(page.body, `href="`+want+`"`) {
			t.Errorf("viewer: %s: got no link to %s, want one", address, want)
		}
		if got := b.as(t, "outsider").get(address); strings.Contains(got.body, want) {
			t.Errorf("outsider: %s: got a link to %s, want none", address, want)
		}
	}
}

// TestOrderEntryPatterns_HavePages opens a page for each access pattern of order entry.
// The footer must name the pattern.
func TestOrderEntryPatterns_HavePages(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	pages := map[string]string{
		"getEmployeeByEmployeeId":               "/employees/e01",
		"getEmployeesByName":                    "/employees",
		"getPhoneNumbersByEmployeeId":           "/employees/e01/phones",
		"getPhoneNumbersByCustomerId":           "/customers/c01/phones",
		"getOrdersByCustomerIdForDateRange":     "/customers/c01?from=2026-11-01",
		"getOrdersByStatusForDateRange":         "/orders?status=PAID&from=2026-11-01",
		"getEmployeesByHireDate":                "/employees?from=2026-01-01&to=today",
		"getEmployeesByWarehouseId":             "/warehouses/w1",
		"getItemsOnOrderByProductId":            "/products/p01",
		"getInventoryByProductId":               "/products/p01/stock",
		"getCustomersByAccountRepId":            "/employees/e01",
		"getOrdersByAccountRepIdForDateRange":   "/employees/e01?from=2026-11-01",
		"getOrderItemsByOrderIdAndProductId":    "/orders/o0001/items/p01",
		"getEmployeesByJobTitle":                "/employees?job=j1",
		"getInventoryByProductIdAndWarehouseId": "/products/p01/stock/w1",
		"getTotalInventoryByProductId":          "/products/p01/stock/w1",
		"getAccountRepsByOrderTotalForPeriod":   "/reps?period=2026-Q4",
		"getQuotasByEmployeeId":                 "/employees/e01",
		"getReferenceByKind":                    "/reference/jobs",
		"getReferenceByKindAndId":               "/reference/jobs/j1",
	}
	for i := range store.Patterns {
		p := &store.Patterns[i]
		if p.System != "order entry" {
			continue
		}
		address, known := pages[p.Name]
		if !known {
			t.Errorf("got no page for %s, want one in the list", p.Name)
			continue
		}
		if got := browser.get(address); got.status != http.StatusOK || !strings.Contains(got.body, p.Name) {
			t.Errorf("%s: got status %d, want 200 and %s in the footer", address, got.status, p.Name)
		}
	}
}

// TestEmployees_LinksToStoreStaff checks that the list of employees tells managers where
// the staff of their stores are.
func TestEmployees_LinksToStoreStaff(t *testing.T) {
	b := open(t)
	for user, want := range map[string]bool{"manager": true, "viewer": false} {
		if page := b.as(t, user).get("/employees").body; strings.Contains(page, `href="/stores/s1#section-staff"`) != want {
			t.Errorf("%s: got a link to the staff of the store: %v, want %v", user, !want, want)
		}
	}
}

package demo_test

import (
	"testing"

	"stockroom/store"
)

// TestBusiness_ReferencesExist checks that every ID in employees, references and
// customers refers to an existing record.
func TestBusiness_ReferencesExist(t *testing.T) {
	ids := map[string]bool{}
	var staff []*store.Employee
	business := business()
	for _, e := range business {
		switch e := e.(type) {
		case *store.Reference:
			ids[string(e.Kind)+" "+e.ID] = true
		case *store.Warehouse:
			ids["warehouse "+e.ID] = true
		case *store.Employee:
			ids["employee "+e.ID] = true
			staff = append(staff, e)
		}
	}
	check := func(name, kind, id string) {
		t.Helper()
		if id != "" && !ids[kind+" "+id] {
			t.Errorf("%s: got the unknown %s %s, want an existing one", name, kind, id)
		}
	}
	titles, managers, inWarehouses := map[string]int{}, 0, 0
	for _, e := range staff {
		check(e.Name, "job", e.JobID)
		check(e.Name, "department", e.DepartmentID)
		check(e.Name, "location", e.LocationID)
		check(e.Name, "warehouse", e.WarehouseID)
		check(e.Name, "employee", e.ManagerID)
		titles[e.JobTitle]++
		if e.ManagerID == "" {
			managers++
		}
		if e.WarehouseID != "" {
			inWarehouses++
		}
		if e.DepartmentID == "" || e.LocationID == "" || len(e.Phones) == 0 || e.HireDate.IsZero() || e.HireDate.After(now) || e.ManagerID == e.ID {
			t.Errorf("got the employee %+v, want complete details and an earlier hire date", e)
		}
	}
	for _, e := range business {
		if r, ok := e.(*store.Reference); ok {
			check(r.Name, string(r.Kind.Within()), r.ParentID)
			if (r.Kind.Within() == "") != (r.ParentID == "") {
				t.Errorf("got %+v, want a parent only if its kind has one", r)
			}
		}
		if c, ok := e.(*store.Customer); ok {
			check(c.Name, "employee", c.AccountRepID)
		}
	}
	if len(titles) < 9 || titles["Account rep"] < 10 || managers != 1 || inWarehouses < 40 || len(staff)-inWarehouses < 20 {
		t.Errorf("got jobs %v, %d without a manager, %d of %d in warehouses, want at least 9 jobs with 10 account reps, 1 without a manager, and 40 or more in warehouses", titles, managers, inWarehouses, len(staff))
	}
}

// TestBusiness_QuotasMatchOrders compares the quotas with the orders. Every quarter of two
// years must have quotas.
func TestBusiness_QuotasMatchOrders(t *testing.T) {
	type repQuarter struct {
		rep    string
		period store.Quarter
	}
	business := business()
	want, reps := map[repQuarter]store.Quota{}, map[string]string{}
	for _, e := range business {
		if c, ok := e.(*store.Customer); ok {
			reps[c.ID] = c.AccountRepID
		}
	}
	for id, o := range orders(t) {
		if o.AccountRepID != reps[o.CustomerID] {
			t.Errorf("order %s: got rep %q, want that of its customer, %q", id, o.AccountRepID, reps[o.CustomerID])
		}
		if o.AccountRepID == "" || o.Status == store.OrderCancelled || o.Status == store.OrderReturned {
			continue
		}
		in := repQuarter{o.AccountRepID, store.QuarterOf(o.Date)}
		want[in] = store.Quota{Orders: want[in].Orders + 1, OrderTotal: want[in].OrderTotal.Plus(o.Total.Sum())}
	}
	periods := map[store.Quarter]bool{}
	got := store.NewQuotas(store.DefaultSettings(), business)
	for _, q := range got {
		periods[q.Period] = true
		w := want[repQuarter{q.EmployeeID, q.Period}]
		if q.Orders != w.Orders || q.OrderTotal.Compare(w.OrderTotal) != 0 || q.Name == "" {
			t.Errorf("quota: got %+v, want %d orders, total %s", q, w.Orders, w.OrderTotal)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d quotas, want %d", len(got), len(want))
	}
	for q := store.QuarterOf(now.AddDate(-2, 0, 0)); q != store.QuarterOf(now).Plus(1); q = q.Plus(1) {
		if !periods[q] {
			t.Errorf("got no quotas of %s, want some", q)
		}
	}
}

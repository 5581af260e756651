package demo_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
)

// TestPeopleHaveTheirPlace follows every ID that an employee or a place has.
func TestPeopleHaveTheirPlace(t *testing.T) {
	there := map[string]bool{}
	var staff []*store.Employee
	business := demo.Business(now)
	for _, e := range business {
		switch e := e.(type) {
		case *store.Reference:
			there[string(e.Kind)+" "+e.ID] = true
		case *store.Warehouse:
			there["warehouse "+e.ID] = true
		case *store.Employee:
			there["employee "+e.ID] = true
			staff = append(staff, e)
		}
	}
	is := func(who, kind, id string) {
		t.Helper()
		if id != "" && !there[kind+" "+id] {
			t.Errorf("%s names the %s %s, which is not there", who, kind, id)
		}
	}
	jobs, heads, placed := map[string]int{}, 0, 0
	for _, e := range staff {
		is(e.Name, "job", e.JobID)
		is(e.Name, "department", e.DepartmentID)
		is(e.Name, "location", e.LocationID)
		is(e.Name, "warehouse", e.WarehouseID)
		is(e.Name, "employee", e.ManagerID)
		jobs[e.JobTitle]++
		if e.ManagerID == "" {
			heads++
		}
		if e.WarehouseID != "" {
			placed++
		}
		if e.DepartmentID == "" || e.LocationID == "" || len(e.Phones) == 0 || e.HireDate.IsZero() || e.HireDate.After(now) || e.ManagerID == e.ID {
			t.Errorf("%+v", e)
		}
	}
	for _, e := range business {
		if r, ok := e.(*store.Reference); ok {
			is(r.Name, string(r.Kind.Within()), r.ParentID)
			if (r.Kind.Within() == "") != (r.ParentID == "") {
				t.Errorf("%+v", r)
			}
		}
		if c, ok := e.(*store.Customer); ok {
			is(c.Name, "employee", c.AccountRepID)
		}
	}
	if len(jobs) < 9 || jobs["Account rep"] < 10 || heads != 1 || placed < 40 || len(staff)-placed < 20 {
		t.Errorf("jobs %v, %d at the head, %d of %d in warehouses", jobs, heads, placed, len(staff))
	}
}

// TestQuotasAreThoseOfTheOrders adds the orders of each rep up once more, and
// finds two years of them.
func TestQuotasAreThoseOfTheOrders(t *testing.T) {
	type sold struct {
		rep    string
		period store.Quarter
	}
	business := demo.Business(now)
	want, reps := map[sold]store.Quota{}, map[string]string{}
	for _, e := range business {
		if c, ok := e.(*store.Customer); ok {
			reps[c.ID] = c.AccountRepID
		}
	}
	for id, o := range orders(t) {
		if o.AccountRepID != reps[o.CustomerID] {
			t.Errorf("order %s is of the rep %q, its customer of %q", id, o.AccountRepID, reps[o.CustomerID])
		}
		if o.AccountRepID == "" || o.Status == store.OrderCancelled || o.Status == store.OrderReturned {
			continue
		}
		in := sold{o.AccountRepID, store.QuarterOf(o.Date)}
		want[in] = store.Quota{Orders: want[in].Orders + 1, OrderTotal: want[in].OrderTotal.Plus(o.Total)}
	}
	periods := map[store.Quarter]bool{}
	got := store.NewQuotas(store.DefaultSettings(), business)
	for _, q := range got {
		periods[q.Period] = true
		w := want[sold{q.EmployeeID, q.Period}]
		if q.Orders != w.Orders || q.OrderTotal.Compare(w.OrderTotal) != 0 || q.Name == "" {
			t.Errorf("the quota says %+v, the orders %d and %s", q, w.Orders, w.OrderTotal)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d quotas, the orders give %d", len(got), len(want))
	}
	for q := store.QuarterOf(now.AddDate(-2, 0, 0)); q != store.QuarterOf(now).Plus(1); q = q.Plus(1) {
		if !periods[q] {
			t.Errorf("there are no quotas of %s", q)
		}
	}
}

package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestRelated_ReadsEachKind checks that a request for records of one kind returns these
// records.
func TestRelated_ReadsEachKind(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		b := storetest.NewBusiness()
		if loaded, err := s.Load(t.Context(), []store.Entity{&b.Location, &b.Department, &store.Customer{ID: "related", Name: "Kim", Version: 1}}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		for name, tt := range map[string]struct {
			ids  store.RelatedIDs
			name func(store.Related) string
		}{
			"customer":   {store.RelatedIDs{Customers: []string{"related"}}, func(r store.Related) string { return r.CustomerName("related") }},
			"warehouse":  {store.RelatedIDs{Warehouses: []string{"w1"}}, func(r store.Related) string { return r.WarehouseName("w1") }},
			"store":      {store.RelatedIDs{Stores: []string{"s1"}}, func(r store.Related) string { return r.StoreName("s1") }},
			"location":   {store.RelatedIDs{Locations: []string{"1001"}}, func(r store.Related) string { return r.ReferenceName(store.Location, "1001") }},
			"department": {store.RelatedIDs{Departments: []string{"11"}}, func(r store.Related) string { return r.ReferenceName(store.Department, "11") }},
		} {
			found, err := s.As(admin).Related(t.Context(), tt.ids)
			if err != nil || tt.name(found) == "" {
				t.Errorf("%s: got %+v, %v, want its name", name, found, err)
			}
		}
	})
}

// TestRelated_ReadsAgainAfterChange reads the same names several times. Only the embedded
// engine may answer from memory, and only until the table changes.
func TestRelated_ReadsAgainAfterChange(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		a := s.As(admin)
		ids := store.RelatedIDs{Customers: []string{"c01"}, Warehouses: []string{"w1"}}
		read := func() (name string, requests, items int) {
			t.Helper()
			trace := &store.Trace{}
			found, err := a.Related(store.WithTrace(t.Context(), trace), ids)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range trace.Reads() {
				requests, items = requests+r.Requests, items+r.Items
			}
			return found.CustomerName("c01"), requests, items
		}
		name, requests, items := read()
		if name == "" || requests != 1 || items != 2 {
			t.Errorf("first time: got name %q with %d requests and %d items, want a name with 1 and 2", name, requests, items)
		}
		want := 1
		if _, embedded := s.Changes(); embedded {
			want = 0
		}
		if again, requests, items := read(); again != name || requests != want || items != 2 {
			t.Errorf("again: got name %q with %d requests and %d items, want %q with %d and 2", again, requests, items, name, want)
		}
		customer, err := a.Customer(t.Context(), "c01")
		if err != nil {
			t.Fatal(err)
		}
		customer.Name = "New Name"
		if err := a.SaveCustomer(t.Context(), *customer, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		if changed, requests, _ := read(); changed != "New Name" || requests != 1 {
			t.Errorf("after a change: got name %q with %d requests, want the new name with 1", changed, requests)
		}
	})
}

// TestRelated_CountsRequestsOfPatternsThatAreRead reads a customer, and then a warehouse
// together with this customer. If the engine keeps the customer in memory, the second
// request must count for the pattern of the warehouse, and otherwise for that of the
// customer.
func TestRelated_CountsRequestsOfPatternsThatAreRead(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		want := "getCustomerByCustomerId"
		if _, embedded := s.Changes(); embedded {
			want = "getWarehouseByWarehouseId"
		}
		trace := &store.Trace{}
		for _, ids := range []store.RelatedIDs{{Customers: []string{"c01"}}, {Customers: []string{"c01"}, Warehouses: []string{"w1"}}} {
			if _, err := s.As(admin).Related(store.WithTrace(t.Context(), trace), ids); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range trace.Reads()[1:] {
			if counted := r.Requests > 0 && r.Units > 0 && r.Took > 0; counted != (r.Pattern.Name == want) {
				t.Errorf("%s: got %d requests, %g units and %v, want them only for %s", r.Pattern.Name, r.Requests, r.Units, r.Took, want)
			}
		}
	})
}

package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestRelated_ReadsEachKind asks for the records of one kind only.
func TestRelated_ReadsEachKind(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop := storetest.NewShop()
		shop.Load(t, s)
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

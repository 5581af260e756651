package storetest_test

import (
	"slices"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestSearch(t *testing.T) {
	onEachShop(t, 4, func(t *testing.T, s *store.Store, shop storetest.Shop) {
		a := s.As(admin)
		called := &store.Customer{ID: "called", Name: "Ring", Phones: []string{"+46 70 612 34 56", "031-123 45 67", "+46 (0)8 765 43 21"}, Version: 1}
		if _, err := a.Load(t.Context(), []store.Entity{called}, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string][]string{
			"o0005":                   {"order o0005"},
			"o#o0005":                 {"order o0005"},
			"io0005":                  {"invoice io0005"},
			"sh#so0005":               {"shipment so0005"},
			"c07":                     {"customer c07"},
			"p#p05":                   {"product p05"},
			"SKU-5":                   {"product p05"},
			"w1":                      {"warehouse w1"},
			"Customer7@EXAMPLE.com":   {"customer c07"},
			"asa 1":                   {"customer c01", "customer c15"},
			"김민준":                     {"customer c10", "customer c17", "customer c24", "customer c03", "customer c31", "customer c38"},
			"محمد":                    {"customer c11", "customer c18", "customer c25", "customer c32", "customer c39", "customer c04"},
			"MARIA 1":                 {"customer c14"},
			"åsa 1":                   {"customer c01", "customer c15"},
			"김민준 1":                   {"customer c10", "customer c17"},
			"+46 70-612 34 56":        {"customer called"},
			"0706123456":              {"customer called"},
			"0046317654321":           nil,
			"+46311234567":            {"customer called"},
			"08-765 43 21":            {"customer called"},
			"612 34 56":               {"customer called"},
			"k07":                     {"kayak k07"},
			"k#k07":                   {"kayak k07"},
			"s1":                      {"store s1"},
			"store#s1":                {"store s1"},
			"pp0":                     {"person pp0"},
			"boras":                   {"warehouse w1"},
			"e05":                     {"employee e05"},
			"e#e05":                   {"employee e05"},
			"mara":                    {"employee e13", "employee e18", "employee e23", "employee e03", "employee e08"},
			"maj":                     {"employee e00", "employee e10", "employee e15", "employee e20", "employee e05"},
			"\x01":                    nil,
			"":                        nil,
			"nothing of that sort":    nil,
			"x#12345":                 nil,
			"\x00#;drop table orders": nil,
		} {
			if got := searchFor(t, a, text); !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1", "w2", "gone", "none"}, Stores: []string{"s1", "s2"}})
		for text, want := range map[string][]string{
			"so0003":    nil, // the order was shipped from w0
			"w0":        nil, // w0 belongs to another manager
			"k00":       nil, // the kayak is at s0
			"k01":       {"kayak k01"},
			"k#k00":     nil,
			"s0":        nil,
			"s1":        {"store s1"},
			"612 34 56": {"customer called"},
			"e00":       nil, // the employee works in another manager's warehouse
			"e#e03":     nil, // the employee works in no warehouse
			"e#e05":     {"employee e05"},
			"maj":       {"employee e10", "employee e05"}, // by name: Maja 10, Maja 5
		} {
			if got := searchFor(t, manager, text); !slices.Equal(got, want) {
				t.Errorf("manager: got %q for %q, want %q", got, text, want)
			}
		}
		found, err := s.As(&store.User{Name: "v", Role: store.Viewer}).Search(t.Context(), "maj")
		if err != nil || len(found.Employees) != 5 || slices.ContainsFunc(found.Employees, private) {
			t.Errorf("viewer: got %+v, %v, want five employees without private details", found.Employees, err)
		}
	})
}

func kinds(f *store.SearchResults) []string {
	var all []string
	for _, o := range f.Orders {
		all = append(all, "order "+o.ID)
	}
	for _, i := range f.Invoices {
		all = append(all, "invoice "+i.ID)
	}
	for _, s := range f.Shipments {
		all = append(all, "shipment "+s.ID)
	}
	for _, c := range f.Customers {
		all = append(all, "customer "+c.ID)
	}
	for _, p := range f.Products {
		all = append(all, "product "+p.ID)
	}
	for _, w := range f.Warehouses {
		all = append(all, "warehouse "+w.ID)
	}
	for _, e := range f.Employees {
		all = append(all, "employee "+e.ID)
	}
	for _, s := range f.Stores {
		all = append(all, "store "+s.ID)
	}
	for _, k := range f.Kayaks {
		all = append(all, "kayak "+k.ID)
	}
	for _, p := range f.People {
		all = append(all, "person "+p.ID)
	}
	for _, u := range f.Subscriptions {
		all = append(all, "subscription "+u.ID)
	}
	return all
}

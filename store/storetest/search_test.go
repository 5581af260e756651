package storetest_test

import (
	"slices"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestSearch(t *testing.T) {
	onEachEngine(t, 4, func(t *testing.T, a store.Access, shop storetest.Shop) {
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
			"boras":                   {"warehouse w1"},
			"":                        nil,
			"nothing of that sort":    nil,
			"x#12345":                 nil,
			"\x00#;drop table orders": nil,
		} {
			trace := &store.Trace{}
			found, err := a.Search(store.WithTrace(t.Context(), trace), text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if got := kinds(found); !slices.Equal(got, want) {
				t.Errorf("%q found %q, want %q", text, got, want)
			}
			requests := 0
			for _, read := range trace.Reads() {
				requests += read.Requests
			}
			if requests > 10 {
				t.Errorf("%q took %d requests, want ten at most", text, requests)
			}
		}
		found, err := a.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w2"}}).Search(t.Context(), "so0004")
		if err != nil || found.Count() != 0 {
			t.Errorf("a manager found another's shipment: %+v, %v", found, err)
		}
	})
}

func kinds(f *store.Found) []string {
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
	return all
}

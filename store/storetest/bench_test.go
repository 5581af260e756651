package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// BenchmarkStore measures the most frequent queries without rendering pages.
func BenchmarkStore(b *testing.B) {
	s := storetest.Open(b, storetest.NewClock())
	settings := store.DefaultSettings()
	settings.Shards, settings.ShardsRead = 1, 1
	if err := s.SaveSettings(b.Context(), settings, "test"); err != nil {
		b.Fatal(err)
	}
	shop := storetest.NewShop()
	shop.Load(b, s)
	a := s.As(admin)
	filter := store.OrderFilter{DateRange: store.DateRange{From: day(2026, 9, 1)}}
	for name, ask := range map[string]func() error{
		"25 orders of a month": func() error { return second(a.Orders(b.Context(), filter, false, store.Page{})) },
		"one order":            func() error { return second(a.Order(b.Context(), "o0005")) },
		"one customer":         func() error { return second(a.Customer(b.Context(), "c07")) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := ask(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

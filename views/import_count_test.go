package views_test

import (
	"testing"

	"stockroom/store"
	"stockroom/views"
)

func TestDescribeCounts(t *testing.T) {
	added := func(c *store.ImportCounts) int { return c.Added }
	for want, counts := range map[string][]store.ImportCounts{
		"":                            {{Entity: "order", Read: 3, Rejected: 3}},
		"120 orders with 1,340 lines": {{Entity: "orderItem", Added: 1340}, {Entity: "order", Added: 100}, {Entity: "order", Added: 20}},
		"1 order with 1 line":         {{Entity: "order", Added: 1}, {Entity: "orderItem", Added: 1}},
		"2 order lines":               {{Entity: "order", Unchanged: 1}, {Entity: "orderItem", Added: 2}},
		"1 person, 2 countries, 3 invoice payments, 9 other records": {
			{Entity: "personMetadata", Added: 1},
			{Entity: "country", Added: 2},
			{Entity: "invoice-payments", Added: 3},
			{Entity: "warehouse", Added: 4},
			{Entity: "bookingDay", Added: 5},
		},
	} {
		if got := views.DescribeCounts(counts, added); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

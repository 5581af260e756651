package views_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
)

// TestImportRunPage_DescribesCounts checks that the page counts records by their kind, and
// lines together with their orders.
func TestImportRunPage_DescribesCounts(t *testing.T) {
	for want, counts := range map[string][]store.ImportCounts{
		"<dt>Rejected</dt><dd>3 orders</dd>":                                     {{Entity: "order", Read: 3, Rejected: 3}},
		"<dt>Added</dt><dd>120 orders with 1,340 lines</dd>":                     {{Entity: "orderItem", Added: 1340}, {Entity: "order", Added: 100}, {Entity: "order", Added: 20}},
		"<dt>Added</dt><dd>1 order with 1 line</dd>":                             {{Entity: "order", Added: 1}, {Entity: "orderItem", Added: 1}},
		"<dt>Added</dt><dd>2 order lines</dd><dt>Unchanged</dt><dd>1 order</dd>": {{Entity: "order", Unchanged: 1}, {Entity: "orderItem", Added: 2}},
		"<dt>Added</dt><dd>1 person, 2 countries, 3 invoice payments, 9 other records</dd>": {
			{Entity: "personMetadata", Added: 1},
			{Entity: "country", Added: 2},
			{Entity: "invoice-payments", Added: 3},
			{Entity: "warehouse", Added: 4},
			{Entity: "bookingDay", Added: 5},
		},
	} {
		var page strings.Builder
		if err := views.ImportRunPage(views.ImportRun{State: store.ImportDone, Recorded: true, Counts: counts}).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), want) {
			t.Errorf("got no %q in\n%s", want, page.String())
		}
	}
}

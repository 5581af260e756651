package exchange_test

import (
	"slices"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_RejectsDeliveriesWithoutDay checks that an import rejects expected deliveries
// without a due day, in each format. Their units would count as incoming stock, but no list
// would show them.
func TestImport_RejectsDeliveriesWithoutDay(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	importFiles(t, s, exchange.ImportOptions{}, filesOf(map[string]string{"products.csv": "ProductID,Price,Detail.Name\np1,10,Lamp\n", "warehouses.csv": "WarehouseID,Name\nw1,Aarhus\n"})...)
	const item = `{"PK": {"S": "p#p1"}, "SK": {"S": "delivery#w1#d1"}, "EntityType": {"S": "expectedDelivery"}, "Quantity": {"N": "5"}}`
	for _, tt := range []struct {
		file exchange.File
		want string
	}{
		{newFile("expected-deliveries.csv", "ExpectedDeliveryID,ProductID,WarehouseID,Due,Quantity\nd1,p1,w1,0001-01-01,5\n"), "expected-deliveries.csv 2: Due is missing."},
		{newFile("model.json", model(item)), "model.json 1: Due is missing."},
		{newFile("items.jsonl", `{"Item":`+item+"}\n"), "items.jsonl 1: Due is missing."},
	} {
		if _, rejected := importRows(t, s, exchange.ImportOptions{}, -1, tt.file); !slices.Equal(rejected, []string{tt.want}) {
			t.Errorf("%s: rejected %q, want %q", tt.file.Name, rejected, tt.want)
		}
	}
	if level, err := s.As(&store.User{Name: "a", Role: store.Admin}).StockLevelOf(t.Context(), "p1"); err != nil || level.Incoming != 0 {
		t.Errorf("got %d incoming, %v; want 0", level.Incoming, err)
	}
}

package exchange_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_ItemCSV checks that query results that were saved as CSV can be
// imported. Nested values are in DynamoDB JSON and in plain JSON.
func TestImport_ItemCSV(t *testing.T) {
	const header = `"PK","SK","EntityType","Name","Email","Phones","Address","Quantity","GSI1-PK"` + "\n"
	const typed = `"c#1","c#1","customer","Kim, A.","kim@example.com","[{""S"":""+46 70 1234567""}]","{""City"":{""S"":""Lund""}}","","email#kim@example.com"` + "\n"
	const plain = `"c#2","c#2","customer","Bo","","[""+46 70 7654321""]","{""City"":""Lund""}","",""` + "\n"
	const stock = `"p#1","w#2","warehouseItem","Lamp","","","","12",""` + "\n"
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importRows(t, s, exchange.ImportOptions{Lenient: true}, 4, newFile("results.csv", header+typed+plain+stock+"c#3,c#3\n"))
	if len(rejected) != 1 || rejected[0] != "results.csv 5: The row has 2 cells, but the file has 9 columns." {
		t.Errorf("rejected: got %q, want only line 5 because of its number of cells", rejected)
	}
	admin := s.As(&store.User{Name: "kim", Role: store.Admin})
	for id, want := range map[string]store.Customer{
		"1": {Name: "Kim, A.", Email: "kim@example.com", Phones: []string{"+46 70 1234567"}, Address: store.Address{City: "Lund"}},
		"2": {Name: "Bo", Phones: []string{"+46 70 7654321"}, Address: store.Address{City: "Lund"}},
	} {
		got, err := admin.Customer(t.Context(), id)
		if err != nil || got.Name != want.Name || got.Email != want.Email || strings.Join(got.Phones, ";") != want.Phones[0] || got.Address != want.Address {
			t.Errorf("customer %s: got %+v, %v, want %+v", id, got, err, want)
		}
	}
	if table := readTable(t, s); table["p#1 / w#2"] == nil {
		t.Errorf("got %d items, want one of them the stock item", len(table))
	}
}

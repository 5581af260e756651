package exchange_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// load reads a model of testdata, all of which has a place.
func load(t *testing.T, name string) *exchange.Import {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	imported, err := exchange.Workbench(name, file)
	if err != nil || len(imported.Refused) > 0 {
		t.Fatalf("%v, refused %+v", err, imported.Refused)
	}
	return imported
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func amount(text string) store.Amount {
	a, err := store.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

func TestPublishedSample(t *testing.T) {
	shipTo := store.Address{Country: "Sweden", County: "Vastra Gotaland", City: "Goteborg", Street: "Slanbarsvagen", Number: "111", ZipCode: "98765"}
	want := map[string]store.Entity{
		"c#12345":         &store.Customer{ID: "12345", Name: "Samaneh", Email: "samaneh@example.com"},
		"p#99887":         &store.Product{ID: "99887", Name: "The Book", Description: "The best book ever", Price: amount("40")},
		"p#99887/w#12376": &store.WarehouseItem{ProductID: "99887", WarehouseID: "12376", Name: "The Book", Quantity: 4},
		"o#12345": &store.Order{
			ID: "12345", CustomerID: "12345", CustomerName: "Samaneh", Date: at("2020-06-21T19:10:00Z"), Status: store.OrderShipped,
			Total: amount("400"), ItemCount: 7, PaymentState: store.InvoicePaid, ShipmentState: store.WhollyShipped,
		},
		"o#12345/p#99887": &store.OrderItem{
			OrderID: "12345", ProductID: "99887", CustomerID: "12345", Date: at("2020-06-21T19:20:00Z"), Name: "The Book",
			Price: amount("40"), Quantity: 5, Shipped: 5,
		},
		"o#12345/i#55443": &store.Invoice{
			ID: "55443", OrderID: "12345", CustomerID: "12345", Date: at("2020-06-21T19:18:00Z"), Amount: amount("400"), Status: store.InvoicePaid,
			Payments: []store.Payment{
				{ID: "1", Type: "GiftCard", Amount: amount("100"), Data: "GiftCard data here..."},
				{ID: "2", Type: "MasterCard", Amount: amount("300"), Data: "Payment data here..."},
			},
		},
		"o#12345/sh#88899":  &store.Shipment{ID: "88899", OrderID: "12345", WarehouseID: "12376", Date: at("2020-06-22T08:20:00Z"), Type: "Express", Status: store.ShipmentSent, Address: shipTo},
		"o#12345/shp#54321": &store.ShipmentItem{ID: "54321", OrderID: "12345", ShipmentID: "88899", ProductID: "99887", Name: "The Book", Quantity: 2},
	}
	imported := load(t, "AnOnlineShop.json")
	if len(imported.Entities) != 19 {
		t.Errorf("%d entities, want 19", len(imported.Entities))
	}
	compare(t, imported, want)
}

func TestPublishedVariants(t *testing.T) {
	compare(t, load(t, "variants.json"), map[string]store.Entity{
		"c#1": &store.Customer{ID: "1", Name: "Kim", Email: "kim@example.com", Phones: []string{"+46 1"}},
		"o#9": &store.Order{
			ID: "9", CustomerID: "1", CustomerName: "Kim", Date: at("2024-02-29T10:00:00Z"), Status: store.OrderOpen,
			Total: amount("37.5"), ItemCount: 3, PaymentState: store.InvoicePartial, ShipmentState: store.PartlyShipped,
		},
		"o#9/p#7": &store.OrderItem{OrderID: "9", ProductID: "7", CustomerID: "1", Date: at("2024-02-29T10:05:00Z"), Name: "Lamp", SKU: "LMP-7", Price: amount("12.5"), Quantity: 3, Shipped: 2},
		"o#9/i#5": &store.Invoice{
			ID: "5", OrderID: "9", CustomerID: "1", Date: at("2024-02-29T10:06:00Z"), Amount: amount("37.5"), Status: store.InvoicePartial,
			Payments: []store.Payment{
				{ID: "a", Type: "GiftCard", Amount: amount("7.5"), Date: at("2024-03-01T00:00:00Z")},
				{ID: "b", Type: "Visa", Amount: amount("10"), Data: "•••• 1234"},
			},
		},
		"o#9/sh#3":  &store.Shipment{ID: "3", OrderID: "9", WarehouseID: "44", Date: at("2024-03-02T08:00:00Z"), Status: store.ShipmentSent},
		"o#9/shp#1": &store.ShipmentItem{ID: "1", OrderID: "9", ShipmentID: "3", ProductID: "7", Name: "Lamp", Quantity: 2},
	})
}

// compare looks for the wanted entities by their keys: both of them where
// they differ.
func compare(t *testing.T, imported *exchange.Import, want map[string]store.Entity) {
	t.Helper()
	got := map[string]store.Entity{}
	for _, e := range imported.Entities {
		switch e := e.(type) {
		case *store.Customer:
			got["c#"+e.ID] = e
		case *store.Product:
			got["p#"+e.ID] = e
		case *store.Warehouse:
			got["w#"+e.ID] = e
		case *store.WarehouseItem:
			got["p#"+e.ProductID+"/w#"+e.WarehouseID] = e
		case *store.Order:
			got["o#"+e.ID] = e
		case *store.OrderItem:
			got["o#"+e.OrderID+"/p#"+e.ProductID] = e
		case *store.Invoice:
			got["o#"+e.OrderID+"/i#"+e.ID] = e
		case *store.Shipment:
			got["o#"+e.OrderID+"/sh#"+e.ID] = e
		case *store.ShipmentItem:
			got["o#"+e.OrderID+"/shp#"+e.ID] = e
		}
	}
	for key, entity := range want {
		if !reflect.DeepEqual(got[key], entity) {
			t.Errorf("%s\n got %+v\nwant %+v", key, got[key], entity)
		}
	}
}

func TestImportingTwiceChangesNothing(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first, err := s.Load(t.Context(), load(t, "AnOnlineShop.json").Entities, store.Loading{})
		if err != nil || len(first.Refused) > 0 {
			t.Fatal(err, first.Refused)
		}
		again, err := s.Load(t.Context(), load(t, "AnOnlineShop.json").Entities, store.Loading{})
		if err != nil || len(again.Refused) > 0 || len(again.Written) > 0 || again.Present != 19 {
			t.Errorf("%v, %+v", err, again)
		}
	})
}

// model puts items into a file.
func model(items ...string) string {
	return `{"DataModel": [{"TableName": "T", "KeyAttributes": {"PartitionKey": {"AttributeName": "PK"}, "SortKey": {"AttributeName": "SK"}}, "TableData": [` + strings.Join(items, ",\n") + `]}]}`
}

func TestWhatCannotBePlacedIsRefused(t *testing.T) {
	const customer = `{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "EntityType": {"S": "customer"}, "Name": {"S": "Kim"}}`
	for name, tt := range map[string]struct{ row, reason string }{
		"an unknown kind":         {`{"PK": {"S": "x#1"}, "SK": {"S": "x#1"}, "EntityType": {"S": "unicorn"}}`, "unicorn"},
		"no keys":                 {`{"EntityType": {"S": "customer"}}`, "PK"},
		"an ID with a separator":  {`{"PK": {"S": "c#1#2"}, "SK": {"S": "c#1#2"}}`, "#"},
		"a control character":     {`{"PK": {"S": "c#1\u0000"}, "SK": {"S": "c#1\u0000"}}`, "control"},
		"a bad number":            {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"S": "much"}}`, "Price"},
		"an amount out of bounds": {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "1e30"}}`, "Price"},
		"a bad date":              {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "21/06/2020"}}`, "Date"},
		"no date":                 {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}}`, "date"},
		"a line without customer": {`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "customer"},
		"a payment without place": {`{"PK": {"S": "o#1"}, "SK": {"S": "pmn#1"}, "Amount": {"N": "1"}, "Data": {"S": "4111111111111111"}}`, "invoice"},
		"a doubled key":           {`{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "EntityType": {"S": "customer"}, "Name": {"S": "Lee"}}`, "Name"},
		"no item":                 {`[1]`, "item"},
		"no type":                 {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": "Kim"}`, "Name"},
		"two types":               {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"S": "Kim", "N": "1"}}`, "Name"},
	} {
		imported, err := exchange.Workbench("file.json", strings.NewReader(model(customer, tt.row)))
		if err != nil || len(imported.Refused) != 1 || len(imported.Entities) != 1 {
			t.Errorf("%s: %v, %d taken, refused %+v", name, err, len(imported.Entities), imported.Refused)
			continue
		}
		if r := imported.Refused[0]; r.Number != 2 || r.Table != "T" || !strings.Contains(r.Reason, tt.reason) {
			t.Errorf("%s: row %d of %s: %s", name, r.Number, r.Table, r.Reason)
		}
		var out bytes.Buffer
		if err := exchange.WriteRefused(&out, "file.json", imported.Refused); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var line struct {
			File, Table, Reason string
			Row                 int
			Item                json.RawMessage
		}
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.File != "file.json" || line.Row != 2 || line.Reason == "" || strings.Contains(string(line.Item), "41111111") {
			t.Errorf("%s: written as %s (%v)", name, out.String(), err)
		}
	}
}

func TestForeignFilesAreRefusedWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		content string
		line    int
	}{
		"nothing":       {"", 0},
		"blanks":        {" \n ", 0},
		"text":          {"hello", 1},
		"NUL":           {"{\n\x00}", 2},
		"cut off":       {model(`{"PK": {"S": "c#1"}`)[:150], 1},
		"other JSON":    {`{"a": 1}`, 0},
		"a list":        {`[]`, 1},
		"a wrong type":  {"{\n\"DataModel\": 7}", 2},
		"no keys named": {`{"DataModel": [{"TableName": "T", "TableData": []}]}`, 0},
		"deep nesting":  {strings.Repeat("[", 20000), 1},
	} {
		imported, err := exchange.Workbench("file.json", strings.NewReader(tt.content))
		var e *exchange.FileError
		if !errors.As(err, &e) || e.File != "file.json" || e.Line != tt.line || imported != nil {
			t.Errorf("%s: %+v, %v, want line %d", name, imported, err, tt.line)
		}
	}
}

func FuzzWorkbench(f *testing.F) {
	for _, name := range []string{"AnOnlineShop.json", "variants.json"} {
		content, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		imported, err := exchange.Workbench("file.json", bytes.NewReader(content))
		if err == nil && len(imported.Entities) != len(imported.Rows) {
			t.Errorf("%d entities of %d rows", len(imported.Entities), len(imported.Rows))
		}
		if err == nil {
			for _, e := range imported.Entities {
				if _, err := store.Encode(e, 15); err != nil {
					t.Errorf("%+v was taken but has no key: %v", e, err)
				}
			}
		}
	})
}

package exchange_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// readModel reads a model in testdata. It fails if any row is rejected.
func readModel(t *testing.T, name string) *exchange.Batch {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	batch, err := exchange.ReadModel(name, file)
	if err != nil || len(batch.Rejected) > 0 {
		t.Fatalf("got %v, rejected %+v, want no rejected rows", err, batch.Rejected)
	}
	return batch
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

func TestReadModel_PublishedShop(t *testing.T) {
	shipTo := store.Address{Country: "Sweden", County: "Vastra Gotaland", City: "Goteborg", Street: "Slanbarsvagen", Number: "111", ZipCode: "98765"}
	want := map[string]store.Entity{
		"c#12345":         &store.Customer{ID: "12345", Name: "Samaneh", Email: "samaneh@example.com"},
		"p#99887":         &store.Product{ID: "99887", Name: "The Book", Description: "The best book ever", Price: amount("40")},
		"p#99887/w#12376": &store.WarehouseItem{ProductID: "99887", WarehouseID: "12376", Name: "The Book", Quantity: 4},
		"o#12345": &store.Order{
			ID: "12345", CustomerID: "12345", CustomerName: "Samaneh", Date: at("2020-06-21T19:10:00Z"), Status: store.OrderShipped,
			Total: amount("400"), ItemCount: 7, PaymentState: store.InvoicePaid, ShipmentState: store.FullyShipped,
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
	batch := readModel(t, "AnOnlineShop.json")
	if len(batch.Entities) != 19 {
		t.Errorf("got %d entities, want 19", len(batch.Entities))
	}
	compareEntities(t, batch, want)
}

func TestReadModel_VariantsOfPublishedKeys(t *testing.T) {
	compareEntities(t, readModel(t, "variants.json"), map[string]store.Entity{
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

// TestReadModel_EmployeesByKeys reads employees, jobs and quotas whose types only their
// keys show. Values that a record lacks must be copied from the other records.
func TestReadModel_EmployeesByKeys(t *testing.T) {
	batch := readModel(t, "people.json")
	if n := len(batch.Entities); n != 7 {
		t.Errorf("got %d entities, want 7", n)
	}
	compareEntities(t, batch, map[string]store.Entity{
		"e#7": &store.Employee{
			ID: "7", Name: "Göran Ek", Phones: []string{"+46 70 2"}, HireDate: at("2019-03-01T00:00:00Z"), JobID: "SA_REP", JobTitle: "Account rep",
			DepartmentID: "80", LocationID: "2500", WarehouseID: "12376", ManagerID: "6",
		},
		"e#7/QUOTA#2026-Q4": &store.Quota{EmployeeID: "7", Period: store.Quarter{Year: 2026, Number: 4}, OrderTotal: amount("1200.5").Sum(), Orders: 3, Name: "Göran Ek"},
		"region#1":          &store.Reference{Kind: store.Region, ID: "1", Name: "Europe"},
		"country#SE":        &store.Reference{Kind: store.Country, ID: "SE", Name: "Sweden", ParentID: "1"},
		"location#2500":     &store.Reference{Kind: store.Location, ID: "2500", Name: "Örebro", ParentID: "SE"},
		"department#80":     &store.Reference{Kind: store.Department, ID: "80", Name: "Sales", ParentID: "2500"},
		"job#SA_REP":        &store.Reference{Kind: store.Job, ID: "SA_REP", Name: "Account rep"},
	})
}

// TestReadModel_PublishedPayments reads a sample with data in facets, a mistyped date in
// the key of a receipt, and a complete card number. The date must be corrected, and only
// the last four digits of the card kept.
func TestReadModel_PublishedPayments(t *testing.T) {
	batch := readModel(t, "RecurringPayments.json")
	if n := len(batch.Entities); n != 2 {
		t.Errorf("got %d entities, want 2", n)
	}
	compareEntities(t, batch, map[string]store.Entity{
		"s#123": &store.Subscription{
			ID: "123", AccountID: "123", SKU: "999", Email: "s@s.com", Status: store.SubscriptionActive, PaymentDay: 28, PaymentAmount: amount("12.99"),
			NextPaymentDate: at("2023-06-28T00:00:00Z"), NextAttemptDate: at("2023-06-28T00:00:00Z"), LastPaymentDate: at("2023-05-18T14:15:39Z"),
			NextReminderDate: at("2023-06-21T00:00:00Z"), LastReminderDate: at("2023-05-21T14:15:39Z"), Created: at("2023-05-18T09:41:25Z"),
			PaymentDetails: store.PaymentDetails{Card: "1234", Address: "12 Bridge Street, Birmingham, B12 7ST"},
		},
		"r#2023-05-28": &store.Receipt{
			AccountID: "123", SubscriptionID: "123", SKU: "999", Email: "s@s.com", DueDate: at("2023-05-28T00:00:00Z"),
			ProcessedDate: at("2023-05-28T14:15:39Z"), ProcessedAmount: amount("12.99"), Expires: at("2023-11-18T14:36:40Z"),
		},
	})
}

// TestImport_RenewsExpiredReceipts imports a sample with a receipt that has expired. The
// import must renew it. A second import a day later must change nothing.
func TestImport_RenewsExpiredReceipts(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		first, err := s.Load(t.Context(), readModel(t, "RecurringPayments.json").Entities, store.LoadOptions{})
		if err != nil || first.Renewed != 1 || first.Added["receipt"] != 1 {
			t.Fatalf("got %+v, %v, want one renewed receipt", first, err)
		}
		clock.Advance(24 * time.Hour)
		again, err := s.Load(t.Context(), readModel(t, "RecurringPayments.json").Entities, store.LoadOptions{})
		if err != nil || again.Unchanged != 2 || again.Renewed != 0 {
			t.Errorf("second import: got %+v, %v, want 2 unchanged", again, err)
		}
		receipts, err := s.As(&store.User{Role: store.Viewer}).ReceiptsOfAccount(t.Context(), "123", store.Page{})
		if want := storetest.Now.AddDate(0, 0, 183); err != nil || len(receipts.Rows) != 1 || !receipts.Rows[0].Expires.Equal(want) {
			t.Errorf("got %+v, %v, want one receipt that expires at %v", receipts.Rows, err, want)
		}
	})
}

// TestReadModel_CreatesMissingOrder reads a model without a facet of orders. Orders must be
// created from the rows that refer to them.
func TestReadModel_CreatesMissingOrder(t *testing.T) {
	batch := readModel(t, "facets.json")
	if n := len(batch.Entities); n != 6 {
		t.Errorf("got %d entities, want 6", n)
	}
	compareEntities(t, batch, map[string]store.Entity{
		"c#ada": &store.Customer{ID: "ada", Name: "Ada"},
		"o#77": &store.Order{
			ID: "77", CustomerID: "ada", CustomerName: "Ada", Date: at("2025-03-04T09:30:00Z"), Status: store.OrderPaid,
			Total: amount("55"), ItemCount: 5, PaymentState: store.InvoicePaid, ShipmentState: store.PartlyShipped,
		},
		"o#77/p#mug": &store.OrderItem{OrderID: "77", ProductID: "mug", CustomerID: "ada", Date: at("2025-03-04T09:30:00Z"), Price: amount("8.75"), Quantity: 4},
		"o#77/p#jug": &store.OrderItem{OrderID: "77", ProductID: "jug", CustomerID: "ada", Date: at("2025-03-04T09:30:00Z"), Price: amount("20"), Quantity: 1},
		"o#77/i#b1": &store.Invoice{
			ID: "b1", OrderID: "77", CustomerID: "ada", Date: at("2025-03-04T09:31:00Z"), Amount: amount("55"), Status: store.InvoicePaid,
			Payments: []store.Payment{
				{ID: "x2", Type: "GiftCard", Amount: amount("15"), Date: at("2025-03-04T09:32:00Z")},
				{ID: "x1", Type: "Visa", Amount: amount("40"), Data: "•••• 1234 exp 12/29"},
			},
		},
		"o#77/sh#p1": &store.Shipment{ID: "p1", OrderID: "77", WarehouseID: "north", Date: at("2025-03-05T06:00:00Z"), Status: store.ShipmentSent},
	})
}

func encode(t *testing.T, e store.Entity) store.Item {
	t.Helper()
	if e == nil {
		return nil
	}
	item, err := store.Encode(e, 15)
	if err != nil {
		t.Error(err)
	}
	return item
}

// compareEntities compares the entities of a batch with want. The keys of want are short
// forms of the keys of the entities.
func compareEntities(t *testing.T, batch *exchange.Batch, want map[string]store.Entity) {
	t.Helper()
	got := map[string]store.Entity{}
	for _, e := range batch.Entities {
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
		case *store.Employee:
			got["e#"+e.ID] = e
		case *store.Quota:
			got["e#"+e.EmployeeID+"/QUOTA#"+e.Period.String()] = e
		case *store.Reference:
			got[string(e.Kind)+"#"+e.ID] = e
		case *store.Subscription:
			got["s#"+e.ID] = e
		case *store.Receipt:
			got["r#"+e.DueDate.Format("2006-01-02")] = e
		case *store.ShipmentItem:
			got["o#"+e.OrderID+"/shp#"+e.ID] = e
		}
	}
	for key, entity := range want {
		if !reflect.DeepEqual(encode(t, got[key]), encode(t, entity)) {
			t.Errorf("%s\n got %+v\nwant %+v", key, got[key], entity)
		}
	}
}

func FuzzReadModel(f *testing.F) {
	for _, name := range []string{"AnOnlineShop.json", "variants.json", "facets.json", "RecurringPayments.json"} {
		content, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		batch, err := exchange.ReadModel("file.json", bytes.NewReader(content))
		if err == nil && len(batch.Entities) != len(batch.Rows) {
			t.Errorf("got %d entities, %d rows, want as many", len(batch.Entities), len(batch.Rows))
		}
		if err != nil {
			return
		}
		for _, e := range batch.Entities {
			item, err := store.Encode(e, 15)
			if err == nil {
				_, err = store.Decode(item)
			}
			if err != nil {
				t.Errorf("%+v cannot be stored: %v", e, err)
			}
		}
		if err := writeRejected(io.Discard, "file.json", batch.Rejected); err != nil {
			t.Error(err)
		}
	})
}

// TestImport_CopyInOtherCase imports a copy of the published shop with the entity
// type in the attribute Entity and with upper-case prefixes. The items must be the
// same.
func TestImport_CopyInOtherCase(t *testing.T) {
	original, err := os.ReadFile("testdata/AnOnlineShop.json")
	if err != nil {
		t.Fatal(err)
	}
	copied := strings.ReplaceAll(string(original), `"EntityType"`, `"Entity"`)
	for n := 1; n <= 2; n++ {
		copied = strings.ReplaceAll(strings.ReplaceAll(copied, fmt.Sprintf(`"GSI%d-PK"`, n), fmt.Sprintf(`"gsi%dpk"`, n)), fmt.Sprintf(`"GSI%d-SK"`, n), fmt.Sprintf(`"GSI%d_SK"`, n))
	}
	copied = regexp.MustCompile(`"(c|p|w|o|i|sh|shp)#`).ReplaceAllStringFunc(copied, strings.ToUpper)
	want, got := storetest.Open(t, storetest.NewClock()), storetest.Open(t, storetest.NewClock())
	if _, rejected := importFiles(t, want, exchange.ImportOptions{}, newFile("shop.json", string(original))); len(rejected) > 0 {
		t.Fatal(rejected)
	}
	result, rejected := importFiles(t, got, exchange.ImportOptions{}, newFile("copy.json", copied))
	if len(rejected) > 0 || result.Corrected == 0 {
		t.Errorf("got %q rejected and %d corrected keys, want none rejected", rejected, result.Corrected)
	}
	compareTables(t, readTable(t, got), readTable(t, want))
}

// TestImport_OtherTable imports a JSON Lines file, and a model in which one of two tables
// has no sort key. The rows of that table must be rejected. Everything else must be
// imported.
func TestImport_OtherTable(t *testing.T) {
	content := `{"ModelName": "Two", "DataModel": [
		{"TableName": "Music", "KeyAttributes": {"PartitionKey": {"AttributeName": "Artist"}}, "TableData": [{"Artist": {"S": "A"}}],
		 "TableFacets": [{"FacetName": "F", "TableData": [{"Artist": {"S": "B"}}]}]},
		{"TableName": "Shop", "KeyAttributes": {"PartitionKey": {"AttributeName": "PK"}, "SortKey": {"AttributeName": "SK"}}, "TableData": [` + customerItem("1") + `]}]}`
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("model.json", content), newFile("more.jsonl", `{"Item":`+strings.ReplaceAll(customerItem("2"), " ", "")+`}`))
	want := "model.json 1: The table Music has a partition key only. Stockroom's items also need a sort key."
	if len(rejected) != 2 || rejected[0] != want || len(readTable(t, s)) != 2 {
		t.Errorf("got %q and %d items, want 2 rejected and 2 items", rejected, len(readTable(t, s)))
	}
	_, rejected = importRows(t, s, exchange.ImportOptions{}, 1, newFile("scan.json", `{"Items": [{"pk": {"S": "user#kim"}, "sk": {"S": "user#kim"}, "EntityType": {"S": "user"}}]}`))
	if len(rejected) != 1 || !strings.Contains(rejected[0], "Items of the type user are never imported") {
		t.Errorf("user: got %q, want one, which says that users are never imported", rejected)
	}
}

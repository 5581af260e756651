package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// namedEntities returns records with names in many scripts.
func namedEntities() []store.Entity {
	var all []store.Entity
	for id, name := range map[string]string{
		"K1": "Lena Köhler", "K2": "Lena Maria Köhler-Åberg", "K3": "Köhler Lens", "K4": "Aoife O’Brien", "K5": "Jörg Weiß", "K6": "İpek Işık",
		"K7": "Łukasz Wiśniewski", "K8": "Anna Annasson", "K9": "Elin Nyström", "3M": "3M Sverige", "K10": "Juan Carlos de la Cruz García Márquez",
		"R1": "Алёна Кузнецова", "R2": "Йосиф Бродский", "G1": "Νίκος Παπαδόπουλος", "A1": "أحمد عبد الرحمن", "A2": "محمّد علي",
		"H1": "דָּוִד כהן", "Z1": "王小明", "Z2": "欧阳 震华", "J1": "山田太郎", "J2": "田中さくら", "J3": "アレクサンダー・スミス", "O1": "김민준", "O2": "남궁 민수", "O3": "김서연",
	} {
		all = append(all, &store.Customer{ID: id, Name: name, Email: id + "@example.com", Version: 1})
	}
	address := func(city string) store.Address { return store.Address{City: city} }
	return append(
		all,
		&store.Customer{ID: "M1", Name: "Sofie Holm", Email: "Sofie.Holm@example.com", Version: 1},
		&store.Customer{ID: "M2", Name: "Sofie Holm", Email: "sofie.holm@shop.example", Version: 1},
		&store.Product{ID: "P1", Name: "Classic bar stool, oak", SKU: "CHR-028", Version: 1},
		&store.Product{ID: "P2", Name: "Barometer", SKU: "chr-0281", Version: 1},
		&store.Product{ID: "P3", Name: "木製テーブル", SKU: "S 1/2", Version: 1},
		&store.Employee{ID: "E1", Name: "Mia Köhler", Email: "mia@shop.example", WarehouseID: "W1", Version: 1},
		&store.Employee{ID: "E2", Name: "Köhler Mats", WarehouseID: "W2", Version: 1},
		&store.Person{ID: "N1", Name: "Walk-in Köhler", Email: "Walk_in@example.com", Phones: []string{"+46 70 999 88 77"}, Version: 1},
		&store.Warehouse{ID: "W1", Name: "Göteborg 308", Address: address("Göteborg"), Version: 1},
		&store.Warehouse{ID: "W2", Name: "North depot", Address: address("Stockholm"), Version: 1},
		&store.RentalStore{ID: "S1", Name: "Djurgården boats", Address: address("Stockholm"), Version: 1},
		&store.RentalStore{ID: "S2", Name: "Brygga", Address: address("Århus"), Version: 1},
		&store.Kayak{ID: "K10002", StoreID: "S1", Name: "Dipper 33", Status: store.KayakIn, Version: 1},
		&store.Kayak{ID: "K10003", StoreID: "S2", Name: "Dipper 34", Serial: "SE-7 00 34", Status: store.KayakIn, Version: 1},
		&store.Order{ID: "104998", CustomerID: "K1", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
		&store.Order{ID: "Mail x", CustomerID: "K1", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
		&store.Order{ID: "Web-7a", CustomerID: "K1", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
		&store.Invoice{ID: "I-55", OrderID: "104998", CustomerID: "K1", Date: storetest.Now, Status: store.InvoiceUnpaid, Version: 1},
		&store.Invoice{ID: "I-56", OrderID: "104998", CustomerID: "K1", Date: storetest.Now, Status: store.InvoiceUnpaid, Number: 5000, Version: 1},
		&store.Invoice{ID: "inv77", OrderID: "104998", CustomerID: "K1", Date: storetest.Now, Status: store.InvoiceUnpaid, Version: 1},
		&store.Shipment{ID: "SH9", OrderID: "104998", WarehouseID: "W1", Date: storetest.Now, Status: store.ShipmentSent, Carrier: "DHL", Tracking: "JD01 4600 0012", Version: 1},
		&store.Shipment{ID: "SH10", OrderID: "104998", WarehouseID: "W2", Date: storetest.Now, Status: store.ShipmentSent, Tracking: "3712 3456 7890", Version: 1},
		subscription("70051", "PLAN-COFFEE"), subscription("70052", "PLAN-TEA"),
	)
}

func subscription(id, sku string) *store.Subscription {
	due := storetest.Now.Truncate(24 * 60 * 60 * 1e9)
	return &store.Subscription{
		ID: id, AccountID: "K1", SKU: sku, Status: store.SubscriptionPaused, PaymentDay: 5, PaymentAmount: store.MinorUnits(1899),
		NextPaymentDate: due, NextAttemptDate: due, Version: 1,
	}
}

// wordQueries contains searches with their expected results, best first.
var wordQueries = map[string]string{
	// Latin script: words in any order, accents, case, apostrophes, ß, Turkish i
	"köhler": "customer K3, customer K1, customer K2, employee E2, employee E1, person N1", "KOHLER LENA": "customer K1, customer K2", "lena köhler": "customer K1, customer K2",
	"Köhler, Lena": "customer K1, customer K2", "len koh": "customer K3, customer K1, customer K2", "maria lena": "customer K2", "koh mar len": "customer K2",
	"aberg": "customer K2", "3m": "customer 3M", "3M sverige": "customer 3M", "Nyström": "customer K9", "nystr": "customer K9", "NYSTROM ELIN": "customer K9", "elin nys": "customer K9", "n e": "customer K9",
	"Aoife O'Brien": "customer K4", "obrien": "customer K4", "O’BRIEN aoife": "customer K4", "weiss": "customer K5", "WEISS": "customer K5", "weiß jörg": "customer K5",
	"ipek": "customer K6", "IPEK ISIK": "customer K6", "ışık": "customer K6", "wisniewski": "customer K7", "Wiśn": "customer K7", "anna": "customer K8", "anna anna": "customer K8", "annas anna": "customer K8",
	"juan marquez": "customer K10", "garcia carlos": "customer K10",
	// Other scripts
	"кузнецова": "customer R1", "КУЗН алена": "customer R1", "иосиф": "customer R2", "ΝΙΚΟΣ": "customer G1", "παπαδοπουλος νικ": "customer G1",
	"احمد": "customer A1", "الرحمن أحمد": "customer A1", "محمد": "customer A2", "علي محمد": "customer A2", "דוד": "customer H1", "כהן דוד": "customer H1", "\u200fכהן": "customer H1",
	"王小明": "customer Z1", "小明": "customer Z1", "明": "customer Z1", "小明 王": "customer Z1", "欧阳": "customer Z2", "震华": "customer Z2", "欧阳震华": "",
	"山田": "customer J1", "太郎": "customer J1", "山田 太郎": "customer J1", "さくら": "customer J2", "田中さくら": "customer J2", "さくら 田中": "customer J2", "スミス": "customer J3", "アレクサンダー": "customer J3",
	"김민준": "customer O1", "민준": "customer O1", "민준 김": "customer O1", "남궁": "customer O2", "민수 남궁": "customer O2", "김": "customer O1, customer O3",
	// Products, kayaks and places
	"bar": "product P2, product P1", "bar stool": "product P1", "oak classic": "product P1", "テーブル": "product P3", "木製": "product P3",
	"chr-028": "product P1", "CHR028": "product P1", "chr 028": "product P1", "CHR": "product P1, product P2", "s 1/2": "product P3",
	"Dipper 33": "kayak K10002", "dipper": "kayak K10002, kayak K10003", "k10002": "kayak K10002", "K#k10002": "kayak K10002", "kayak#K10003": "kayak K10003", "k#k1000": "",
	"Stockholm": "warehouse W2, store S1", "goteborg 308": "warehouse W1", "depot stockh": "warehouse W2", "århus": "store S2", "boats": "store S1",
	// Numbers and codes
	"104998": "order 104998", "#104998": "order 104998", "O#104998": "order 104998", "Order # 104998": "order 104998", "order 104998": "order 104998", "order no. 104998": "order 104998", "order #104998": "order 104998", "Order No 104998": "order 104998", "order nr. 104 998": "order 104998", "order number: 104998": "order 104998", "104 998": "order 104998", "order no": "", "Invoice i-55": "invoice I-55", "shipment sh9": "shipment SH9", "web-7a": "order Web-7a", "WEB-7A": "order Web-7a", "Web-7a": "order Web-7a",
	"se70034": "kayak K10003", "SE-7 00 34": "kayak K10003", "k#se-70034": "kayak K10003", "se-700": "kayak K10003",
	"invoice 5000": "invoice I-56", "invoice no. 5000": "invoice I-56", "invoice #5000": "invoice I-56", "invoice INV-5000": "invoice I-56", "5 000": "invoice I-56", "order 5000": "",
	"5000": "invoice I-56", "#5000": "invoice I-56", "INV-5000": "invoice I-56", "inv5000": "invoice I-56", "inv 5000": "invoice I-56", "Inv # 5000": "invoice I-56", "inv77": "invoice inv77", "inv 77": "invoice inv77", "inv 05000": "", "cn 5000": "",
	"mail X": "order Mail x", "i-55": "invoice I-55", "I#i-55": "invoice I-55", "invoice#I-55": "invoice I-55", "sh9": "shipment SH9", "SH#sh9": "shipment SH9",
	"JD01 4600 0012": "shipment SH9", "jd0146000012": "shipment SH9", "371234567890": "shipment SH10", "3712 3456 7890": "shipment SH10",
	"70051": "subscription 70051", "#70051": "subscription 70051", "sub#70051": "subscription 70051", "plan-coffee": "subscription 70051", "PLAN": "subscription 70051, subscription 70052",
	"k1": "customer K1", "C#k1": "customer K1", "w1": "warehouse W1", "W#w1": "warehouse W1", "s2": "store S2", "n1": "person N1", "P#p2": "product P2", "e1": "employee E1",
	"k4@EXAMPLE.com": "customer K4", "walk_in@example.com": "person N1", "MIA@shop.example": "employee E1", "070-999 88 77": "person N1", "+46709998877": "person N1",
	"sofie.holm@": "customer M1, customer M2", "sofie.holm@EX": "customer M1", "SOFIE.holm@example.com": "customer M1", "sofie@": "", "mia@": "employee E1", "walk_in@ex": "person N1",
	// Hostile input
	"": "", "#": "", "##": "", "%": "", "_": "", "'": "", "*": "", "x#1": "", "words#people#k#0": "", "\x00\xff": "", "köhler\x00lena": "customer K1, customer K2", "${words}": "",
	strings.Repeat("a", 3000): "", strings.Repeat("lena ", 2000): "customer K1, customer K2", strings.Repeat("王", 700): "", "<script>alert(1)</script>": "",
}

func countRequests(trace *store.Trace) int {
	requests := 0
	for _, read := range trace.Reads() {
		requests += read.Requests
	}
	return requests
}

// searchFor searches as a user. It fails the test if the search makes more than twelve
// requests.
func searchFor(t *testing.T, a store.Access, text string) []string {
	t.Helper()
	trace := &store.Trace{}
	found, err := a.Search(store.WithTrace(t.Context(), trace), text)
	if err != nil {
		t.Errorf("%.40q: got %v, want no error", text, err)
		return nil
	}
	if requests := countRequests(trace); requests > 12 {
		t.Errorf("%.40q: got %d requests, want at most 12", text, requests)
	}
	return kinds(found)
}

// TestSearch_NamesShipments searches by numbers of a shipment. The result must contain
// the name of its warehouse.
func TestSearch_NamesShipments(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		loadNamed(t, s)
		for _, text := range []string{"JD01 4600 0012", "jd0146000012", "jd014", "371234567890", "SH9", "sh#sh9"} {
			searchFor(t, s.As(admin), text)
			found, err := s.As(admin).Search(t.Context(), text)
			if err != nil || len(found.Shipments) != 1 {
				t.Errorf("%s: got %v and %v, want one shipment", text, err, kinds(found))
				continue
			}
			if name := found.Related.WarehouseName(found.Shipments[0].WarehouseID); name == "" {
				t.Errorf("%s: got no name of the warehouse, want one", text)
			}
		}
	})
}

func loadNamed(t *testing.T, s *store.Store) {
	t.Helper()
	loaded, err := s.Load(t.Context(), namedEntities(), store.LoadOptions{SamePeople: true})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(loaded.Rejected, err)
	}
}

// TestSearch_FindsSpokenNumbers searches for numbers of orders and shipments as people type
// them after hearing them. It must also find records whose IDs or names look like such a
// number.
func TestSearch_FindsSpokenNumbers(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		loadNamed(t, s)
		var entities []store.Entity
		for _, id := range []string{"4GCRK33DTN", "0C1MPWT9F6", "4812937710", "4GCRK-33DTM", "4GCRK33DTM", "2 person oak"} {
			entities = append(entities, &store.Order{ID: id, CustomerID: "K1", Date: storetest.Now, Status: store.OrderOpen, Version: 1})
		}
		for id, order := range map[string]string{"261130-4GCRK33DTN-1": "4GCRK33DTN", "261130-4GCRK33DTN-12": "4GCRK33DTN", "261130-0C1MPWT9F6-1": "0C1MPWT9F6", "104998-1": "104998"} {
			entities = append(entities, &store.Shipment{ID: id, OrderID: order, WarehouseID: "W1", Date: storetest.Now, Status: store.ShipmentSent, Version: 1})
		}
		entities = append(entities, &store.Product{ID: "paddle", Name: "10 ft paddle", SKU: "PAD", Version: 1})
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(loaded.Rejected, err)
		}
		for text, want := range map[string]string{
			"4GCRK33DTN": "order 4GCRK33DTN", "4gcrk33dtn": "order 4GCRK33DTN", "4gcrk 33dtn": "order 4GCRK33DTN", "4GCRK-33DTN": "order 4GCRK33DTN", " 4 g c r k - 3 3 d t n ": "order 4GCRK33DTN",
			"o#4gcrk 33dtn": "order 4GCRK33DTN", "#4gcrk33dtn": "order 4GCRK33DTN", "order 4gcrk33dtn": "order 4GCRK33DTN", "Order 4gcrk 33dtn": "order 4GCRK33DTN",
			"0c1mpwt9f6": "order 0C1MPWT9F6", "OCIMPWT9F6": "order 0C1MPWT9F6", "oclmpwt9f6": "order 0C1MPWT9F6", "order oci mpw t9f6": "order 0C1MPWT9F6", "order#ocimpwt9f6": "order 0C1MPWT9F6",
			"4812937710":           "order 4812937710",
			"261130-4GCRK33DTN-1":  "shipment 261130-4GCRK33DTN-1",
			"261130-4gcrk33dtn-12": "shipment 261130-4GCRK33DTN-12", "261130 4gcrk 33dtn 12": "shipment 261130-4GCRK33DTN-12", "shipment 261130-4gcrk33dtn-1": "shipment 261130-4GCRK33DTN-1", "sh#261130 4gcrk-33dtn-1": "shipment 261130-4GCRK33DTN-1", "261130-ocimpwt9f6-1": "shipment 261130-0C1MPWT9F6-1",
			"4gcrk33dtn-9": "order 4GCRK33DTN", "4gcrk 33dtn 1": "order 4GCRK33DTN",
			"104998-1": "shipment 104998-1", "shipment 104998-1": "shipment 104998-1",
			"4gcrk-33dtm": "order 4GCRK-33DTM, order 4GCRK33DTM", "4gcrk33dtm": "order 4GCRK33DTM",
			"2 person oak": "order 2 person oak", "10 ft paddle": "product paddle",
			"4gcrk33dt": "", "4gcrk33dtnx": "", "4gcrk33dtu": "", "261130-4gcrk33dtn-9": "", "gcrk33dtn4": "",
		} {
			if got := strings.Join(searchFor(t, s.As(admin), text), ", "); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"W2"}})
		if got := searchFor(t, manager, "261130 4gcrk 33dtn-1"); len(got) > 0 {
			t.Errorf("manager: got %q, want no shipment of another warehouse", got)
		}
		found, err := s.As(admin).Search(t.Context(), "261130 4gcrk 33dtn-1")
		if err != nil || len(found.Shipments) != 1 || found.Related.WarehouseName("W1") == "" {
			t.Errorf("got %v, %v, want a shipment and the name of its warehouse", kinds(found), err)
		}
	})
}

func TestSearch_FindsWords(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		loadNamed(t, s)
		for text, want := range wordQueries {
			if got := strings.Join(searchFor(t, s.As(admin), text), ", "); got != want {
				t.Errorf("%.60q: got %q, want %q", text, got, want)
			}
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"W1"}, Stores: []string{"S2"}})
		for text, want := range map[string]string{
			"köhler":           "customer K3, customer K1, customer K2, employee E1, person N1",
			"dipper":           "kayak K10003",
			"k10002":           "",
			"k#K10003":         "kayak K10003",
			"stockholm":        "",
			"goteborg":         "warehouse W1",
			"arhus":            "store S2",
			"W2":               "",
			"store#s1":         "",
			"jd0146000012":     "shipment SH9",
			"371234567890":     "",
			"sh#SH10":          "",
			"mia@shop.example": "employee E1",
			"bar":              "product P2, product P1",
		} {
			if got := strings.Join(searchFor(t, manager, text), ", "); got != want {
				t.Errorf("manager: %q: got %q, want %q", text, got, want)
			}
		}
		viewer := s.As(&store.User{Name: "v", Role: store.Viewer})
		if found, err := viewer.Search(t.Context(), "mia"); err != nil || len(found.Employees) != 1 || private(found.Employees[0]) {
			t.Errorf("viewer: got %+v, %v, want one employee without private details", found, err)
		}
	})
}

// wordItems returns all search words as strings, sorted.
func wordItems(t *testing.T, s *store.Store) []string {
	t.Helper()
	var mu sync.Mutex
	all := map[string]bool{}
	err := s.Everything(t.Context(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			if e, err := store.Decode(item); err != nil {
				return err
			} else if w, ok := e.(*store.SearchWord); ok {
				all[fmt.Sprintf("%s %s of %s %s at %q", w.Group, w.Words, w.Type, w.ID, w.Place)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(all))
}

// TestSearchWords_FollowTheRecord adds, renames and moves records. Searches must find the
// changed records by their new words and places only, and Rekey must find no search words
// to repair.
func TestSearchWords_FollowTheRecord(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		loadNamed(t, s)
		a := s.As(admin)
		id, err := a.AddCustomer(t.Context(), store.Customer{Name: "Zelda Berg Zander"}, s.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		if got := searchFor(t, a, "zander ber"); !slices.Equal(got, []string{"customer " + id}) {
			t.Errorf("added: got %q, want the new customer", got)
		}
		renamed, err := a.CustomerForChange(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		renamed.Name = "Zelda Adler"
		if err := a.SaveCustomer(t.Context(), *renamed, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string][]string{"zander": nil, "berg zelda": nil, "adler zel": {"customer " + id}, "zelda": {"customer " + id}} {
			if got := searchFor(t, a, text); !slices.Equal(got, want) {
				t.Errorf("renamed: %q: got %q, want %q", text, got, want)
			}
		}
		product, err := a.ProductForChange(t.Context(), "P1")
		if err != nil {
			t.Fatal(err)
		}
		product.SKU, product.Name = "NEW-7", "Tall stool"
		if err := a.SaveProduct(t.Context(), *product, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		if err := a.MoveKayak(t.Context(), "K10002", 1, "S2", s.NewToken()); err != nil {
			t.Fatal(err)
		}
		mover := s.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"S1"}})
		for text, want := range map[string][]string{"new7": {"product P1"}, "bar": {"product P2"}, "chr-028": {"product P2"}, "dipper 33": {"kayak K10002"}} {
			if got := searchFor(t, a, text); !slices.Equal(got, want) {
				t.Errorf("changed: %q: got %q, want %q", text, got, want)
			}
		}
		if got := searchFor(t, mover, "dipper"); got != nil {
			t.Errorf("the former store's manager: got %q, want nothing", got)
		}
		if repaired, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || repaired.Repaired != 0 {
			t.Errorf("got %+v, %v; want no words to repair", repaired, err)
		}
	})
}

func dropWords(t *testing.T, db store.DB, table string) {
	t.Helper()
	eachItem(t, db, table, func(item store.Item) {
		if text, ok := item["EntityType"].(*types.AttributeValueMemberS); !ok || text.Value != "searchWord" {
			return
		}
		if _, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Delete: &types.Delete{TableName: &table, Key: store.Item{"PK": item["PK"], "SK": item["SK"]}}},
		}}); err != nil {
			t.Fatal(err)
		}
	})
}

func eachItem(t *testing.T, db store.DB, table string, visit func(store.Item)) {
	t.Helper()
	var items []store.Item
	in := &dynamodb.ScanInput{TableName: &table}
	for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
		out, err := db.Scan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		items, in.ExclusiveStartKey = append(items, out.Items...), out.LastEvaluatedKey
	}
	for _, item := range items {
		visit(item)
	}
}

// plantWords writes search words directly into the table.
func plantWords(t *testing.T, db store.DB, table string, words ...*store.SearchWord) {
	t.Helper()
	for _, word := range words {
		item, err := store.Encode(word, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: &table, Item: item}}}}); err != nil {
			t.Fatal(err)
		}
	}
}

// rekeyInterrupted runs Rekey and interrupts it, until one run is complete.
func rekeyInterrupted(t *testing.T, s *store.Store, clock *storetest.Clock) {
	t.Helper()
	for runs := 1; ; runs++ {
		ctx, kill := context.WithCancel(t.Context())
		pages := 0
		_, err := s.Rekey(ctx, store.Rekeying{PageSize: 5, Progress: func(store.RekeyResult) {
			if pages++; pages == 6 {
				kill()
			}
		}})
		kill()
		switch {
		case err == nil && runs > 1:
			return
		case !errors.Is(err, context.Canceled) || runs > 100:
			t.Fatalf("run %d: %v", runs, err)
		}
		clock.Advance(2 * time.Minute)
	}
}

// TestRekey_WritesSearchWords starts with a table of an earlier version. Its records have
// no search words, but there are search words of renamed or deleted records. After some
// interrupted runs, Rekey must have written the missing words and deleted the others.
func TestRekey_WritesSearchWords(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		loadNamed(t, s)
		want := wordItems(t, s)
		dropWords(t, db, table)
		plantWords(t, db, table,
			&store.SearchWord{Group: "people", Words: "former", Name: "former_kohler", Type: "c", ID: "K1", Version: 1},
			&store.SearchWord{Group: "people", Words: "gone", Name: "gone", Type: "c", ID: "gone", Version: 1})
		if got := searchFor(t, s.As(admin), "köhler"); got != nil {
			t.Fatalf("got %q before, want nothing", got)
		}
		rekeyInterrupted(t, s, clock)
		// The engine Dynoxide needs another run. It ends a scan early if the item at the
		// start key was deleted, which can happen to a search word at the end of a page.
		// DynamoDB and the embedded engine continue after the key.
		if _, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil {
			t.Fatal(err)
		}
		if got := wordItems(t, s); !slices.Equal(got, want) {
			t.Errorf("got %d words, want %d; missing %q", len(got), len(want), slices.DeleteFunc(slices.Clone(want), func(w string) bool { return slices.Contains(got, w) }))
		}
		if again, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || again.Repaired != 0 {
			t.Errorf("again: got %+v, %v; want nothing repaired", again, err)
		}
		for text, want := range wordQueries {
			if got := strings.Join(searchFor(t, s.As(admin), text), ", "); got != want {
				t.Errorf("%.60q: got %q, want %q", text, got, want)
			}
		}
	})
}

// TestLists_FilterByWords checks that filtered lists contain each matching row once,
// forwards and backwards.
func TestLists_FilterByWords(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var entities []store.Entity
		for n := range 60 {
			entities = append(
				entities,
				&store.Customer{ID: fmt.Sprintf("c%02d", n), Name: fmt.Sprintf("Anna Ann%d %s", n%7, []string{"Berg", "Lind", "Ek"}[n%3]), Version: 1},
				&store.Product{ID: fmt.Sprintf("p%02d", n), Name: fmt.Sprintf("%s chair %d", []string{"Oak", "Pine"}[n%2], n), Category: []string{"Seats", "Rest"}[n%2], Version: 1},
				&store.Employee{ID: fmt.Sprintf("e%02d", n), Name: fmt.Sprintf("Bo %s", []string{"Berg", "Lind"}[n%2]), WarehouseID: fmt.Sprintf("w%d", n%4), JobID: "j", Version: 1},
			)
		}
		entities = append(entities, &store.Person{ID: "n1", Name: "Anna Berg", Version: 1})
		if _, err := s.Load(t.Context(), entities, store.LoadOptions{SamePeople: true}); err != nil {
			t.Fatal(err)
		}
		a := s.As(admin)
		customers := func(f store.CustomerFilter) func(store.Page) (store.List[store.Customer], error) {
			return func(p store.Page) (store.List[store.Customer], error) { return a.Customers(t.Context(), f, p) }
		}
		customerID := func(c store.Customer) string { return c.ID }
		checkFiltered(t, "berg", 20, customers(store.CustomerFilter{Name: "berg"}), customerID)
		checkFiltered(t, "ann", 60, customers(store.CustomerFilter{Name: "ann"}), customerID)
		checkFiltered(t, "lind ann", 20, customers(store.CustomerFilter{Name: "lind, ANN"}), customerID)
		checkFiltered(t, "ann3 ek anna", 3, customers(store.CustomerFilter{Name: "ann3 ek anna"}), customerID)
		checkFiltered(t, "a, berg", 20, customers(store.CustomerFilter{Bucket: "a", Name: "berg"}), customerID)
		checkFiltered(t, "b, berg", 0, customers(store.CustomerFilter{Bucket: "b", Name: "berg"}), customerID)
		checkFiltered(t, "nobody", 0, customers(store.CustomerFilter{Name: "nobody"}), customerID)
		products := func(f store.ProductFilter) func(store.Page) (store.List[store.Product], error) {
			return func(p store.Page) (store.List[store.Product], error) { return a.Products(t.Context(), f, p) }
		}
		productID := func(p store.Product) string { return p.ID }
		checkFiltered(t, "chair", 60, products(store.ProductFilter{Name: "chair"}), productID)
		checkFiltered(t, "chair oak", 30, products(store.ProductFilter{Name: "chair oak"}), productID)
		checkFiltered(t, "seats, chair 1", 5, products(store.ProductFilter{Category: "Seats", Name: "chair 1"}), productID)
		checkFiltered(t, "seats, o", 30, products(store.ProductFilter{Category: "Seats", Bucket: "o"}), productID)
		checkFiltered(t, "seats, p", 0, products(store.ProductFilter{Category: "Seats", Bucket: "p"}), productID)
		employees := func(a store.Access, f store.EmployeeFilter) func(store.Page) (store.List[store.Employee], error) {
			return func(p store.Page) (store.List[store.Employee], error) { return a.Employees(t.Context(), f, p) }
		}
		employeeID := func(e store.Employee) string { return e.ID }
		checkFiltered(t, "lind", 30, employees(a, store.EmployeeFilter{Name: "lind"}), employeeID)
		checkFiltered(t, "w1, lind", 15, employees(a, store.EmployeeFilter{Name: "lind", WarehouseID: "w1"}), employeeID)
		checkFiltered(t, "w2, lind", 0, employees(a, store.EmployeeFilter{Name: "lind", WarehouseID: "w2"}), employeeID)
		checkFiltered(t, "j, berg bo", 30, employees(a, store.EmployeeFilter{Name: "berg bo", JobID: "j"}), employeeID)
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1"}})
		checkFiltered(t, "manager, lind", 15, employees(manager, store.EmployeeFilter{Name: "lind", WarehouseID: "w1"}), employeeID)
	})
}

// checkFiltered reads a list page by page to the end and back. It checks the number
// of rows, and that no row appears twice.
func checkFiltered[T any](t *testing.T, name string, want int, read func(store.Page) (store.List[T], error), id func(T) string) {
	t.Helper()
	var forwards, backwards []string
	page := store.Page{Limit: 7}
	for {
		l, err := read(page)
		if err != nil {
			t.Fatal(name, err)
		}
		var ids []string
		for _, row := range l.Rows {
			ids = append(ids, id(row))
		}
		if page.At == nil || !page.At.Back {
			forwards = append(forwards, ids...)
			page.At = l.Next
		} else {
			backwards = append(ids, backwards...)
			page.At = l.Prev
		}
		if page.At == nil && backwards == nil && l.Prev != nil {
			backwards, page.At = ids, l.Prev
		}
		if page.At == nil {
			break
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(forwards)))
	if len(forwards) != want || len(distinct) != want {
		t.Errorf("%s: got %d rows, %d distinct, want %d", name, len(forwards), len(distinct), want)
	}
	if backwards != nil && !slices.Equal(backwards, forwards) {
		t.Errorf("%s: got %q backwards, want the rows forwards: %q", name, backwards, forwards)
	}
}

// TestSearch_RanksAndLimits checks the order and the number of results if more records
// match than a search returns.
func TestSearch_RanksAndLimits(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var entities []store.Entity
		for n := range 40 {
			entities = append(entities,
				&store.Customer{ID: fmt.Sprintf("c%02d", n), Name: fmt.Sprintf("Person%02d Marin", n), Version: 1},
				&store.Product{ID: fmt.Sprintf("p%02d", n), Name: "Cup", SKU: fmt.Sprintf("TAB-%03d", n), Version: 1})
		}
		for n := range 9 {
			entities = append(entities, &store.Kayak{ID: fmt.Sprintf("K%d", n), StoreID: "s1", Name: fmt.Sprintf("Heron %d", n), Status: store.KayakIn, Version: 1})
		}
		entities = append(entities, &store.Customer{ID: "first", Name: "Marin Ek", Version: 1}, &store.Customer{ID: "whole", Name: "Marin", Version: 1})
		if _, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		found, err := s.As(admin).Search(t.Context(), "marin")
		if err != nil || len(found.Customers) != 8 || found.Customers[0].ID != "whole" || found.Customers[1].ID != "first" {
			t.Errorf("got %q, %v, want eight customers, the best ones with the IDs whole and first", kinds(found), err)
		}
		named := store.More{Match: true, Named: true}
		for text, want := range map[string]store.MoreResults{
			"marin": {Customers: named}, "person03": {}, "tab": {Products: store.More{Match: true}}, "heron": {Kayaks: named}, "heron 3": {},
		} {
			if found, err := s.As(admin).Search(t.Context(), text); err != nil || found.Count() == 0 || found.More != want {
				t.Errorf("%s: got %q, more %+v, %v; want more %+v", text, kinds(found), found.More, err, want)
			}
		}
	})
}

// TestSearch_FindsNameAmongManySimilarNames searches for the name Marble bracket. More
// names than a search reads consist of the word Bracket and another word that begins with
// the letter m. Only the product with the wanted name must be found.
func TestSearch_FindsNameAmongManySimilarNames(t *testing.T) {
	a := storetest.Open(t, storetest.NewClock()).As(admin)
	products := []store.Entity{&store.Product{ID: "wanted", Name: "Marble bracket", Version: 1}}
	for n := range 1010 {
		products = append(products, &store.Product{ID: fmt.Sprint("p", n), Name: "Bracket maple", Version: 1})
	}
	if _, err := a.Load(t.Context(), products, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"marble bracket", "bracket marble", "bracket mar"} {
		if got, want := searchFor(t, a, text), []string{"product wanted"}; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestSearch_StartOfEmail searches for an email address, and for its start, among many
// customers whose names and addresses contain the same words. The search must find only the
// customer with this address, even if many other names match better. It must not say that
// other customers match.
func TestSearch_StartOfEmail(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var entities []store.Entity
		for n := range 40 {
			entities = append(entities, &store.Customer{ID: fmt.Sprintf("c%02d", n), Name: fmt.Sprintf("Anna Berg %02d", n), Email: fmt.Sprintf("anna.berg%02d@shop.example", n), Version: 1})
		}
		entities = append(entities, &store.Customer{ID: "last", Name: "Zoe Berg Anna", Email: "anna.berg@example.com", Version: 1})
		if _, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"anna.berg@example.com", "ANNA.berg@exa", "anna.berg@"} {
			if got, want := searchFor(t, s.As(admin), text), []string{"customer last"}; !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", text, got, want)
			}
			found, err := s.As(admin).Search(t.Context(), text)
			if err != nil || found.More != (store.MoreResults{}) {
				t.Errorf("%s: got more %+v, %v; want none", text, found.More, err)
			}
		}
	})
}

// TestSearch_StartOfEmail_OneWord is like TestSearch_StartOfEmail, for addresses with one
// word before the @. More addresses begin with one of the texts than a search returns, so
// for this text the search must say that more customers match.
func TestSearch_StartOfEmail_OneWord(t *testing.T) {
	a := storetest.Open(t, storetest.NewClock()).As(admin)
	var entities []store.Entity
	for n := range 40 {
		domain := "shop"
		if n >= 30 {
			domain = "example"
		}
		entities = append(entities, &store.Customer{ID: fmt.Sprintf("c%02d", n), Name: fmt.Sprintf("Anna %02d", n), Email: fmt.Sprintf("anna@%s%d.example", domain, n), Version: 1})
	}
	if _, err := a.Load(t.Context(), entities, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]store.MoreResults{"anna@example": {Customers: store.More{Match: true}}, "anna@example31": {}, "anna@example31.example": {}} {
		found, err := a.Search(t.Context(), text)
		if err != nil || len(found.Customers) == 0 || len(found.Customers) > 8 || found.More != want {
			t.Errorf("%s: got %q, more %+v, %v; want customers and more %+v", text, kinds(found), found.More, err, want)
		}
	}
}

// TestSearch_BegunFirstName searches for the start of the first name and the whole last
// name of an employee. The search must find the employee, although more employees than a
// search reads have names that start like this.
func TestSearch_BegunFirstName(t *testing.T) {
	a := storetest.Open(t, storetest.NewClock()).As(admin)
	employees := []store.Entity{&store.Employee{ID: "wanted", Name: "Anya Berg", Version: 1}}
	for n := range 1010 {
		employees = append(employees, &store.Employee{ID: fmt.Sprint("e", n), Name: fmt.Sprint("Anna B", n), Version: 1})
	}
	if _, err := a.Load(t.Context(), employees, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, want := searchFor(t, a, "an berg"), []string{"employee wanted"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

package views_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/views"
)

func TestFooter_ListsTableReads(t *testing.T) {
	p := signedIn()
	p.Reads = []store.Read{
		{Pattern: patternNamed("getOrdersByMonth"), Condition: store.KeyCondition{PK: "orders#2026-11#0", SK: "0", To: "9~", Operator: "between"}, Shards: 15, Requests: 15, Items: 26, Units: 7.5, Took: 310500 * time.Nanosecond},
		{Pattern: patternNamed("getOrderDetailsByOrderId"), Condition: store.KeyCondition{PK: `o#"1`}, Shards: 1, Requests: 1, Items: 9, Units: 0.5, Took: 40 * time.Microsecond},
		{Pattern: patternNamed("getProducts"), Condition: store.KeyCondition{PK: "products#o", SK: "oak", Operator: "begins_with"}, Shards: 1, Requests: 1, Items: 1, Units: 0.5, Took: time.Millisecond},
		{Pattern: patternNamed("getCustomerByCustomerId"), Condition: store.KeyCondition{PK: "c#1", SK: "c#1", Operator: "="}, Shards: 1, Requests: 1, Items: 1, Units: 0.5, Took: time.Millisecond},
	}
	p.SessionReads = []store.Read{
		{Pattern: patternNamed("getSession"), Condition: store.KeyCondition{PK: "session#abc", SK: "session#abc", Operator: "="}, Shards: 1, Requests: 1, Items: 1, Units: 1, Took: 20 * time.Microsecond},
	}
	p.Written = store.WriteCost{Transactions: 1, Items: 5, Units: 14.5}
	page := rendered(t, views.OrdersPage(views.Orders{Page: p}))
	footer := page.one(t, "id", "reads")
	if text := footer.all("summary")[0].text(); text != "Table reads 18 requests · 37 items · 9 read units · 2.351 ms · last change: 14.5 write units" {
		t.Errorf("got summary %q, want the totals", text)
	}
	want := [][]string{
		{"Access pattern", "Index", "Key condition", "Requests", "Items", "Read units", "Time"},
		{"getOrdersByMonth Query, 15 shards in parallel", "GSI4", `GSI4-PK = "orders#2026-11#0" AND GSI4-SK BETWEEN "0" AND "9~"`, "15", "26", "7.5", "0.311 ms"},
		{"getOrderDetailsByOrderId Query", "table", `PK = "o#"1"`, "1", "9", "0.5", "0.04 ms"},
		{"getProducts Query", "GSI3", `GSI3-PK = "products#o" AND begins_with(GSI3-SK, "oak")`, "1", "1", "0.5", "1 ms"},
		{"getCustomerByCustomerId GetItem", "table", `PK = "c#1" AND SK = "c#1"`, "1", "1", "0.5", "1 ms"},
		{"This page", "18", "37", "9", "2.351 ms"},
		{"Session and settings"},
		{"getSession GetItem", "table", "not shown", "1", "1", "1", "0.02 ms"},
	}
	got := footer.cells()
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("row %d: got %q, want %q", i, got[i], want[i])
		}
	}
	if strings.Contains(footer.text(), "session#abc") {
		t.Error("got the session's key, want it hidden")
	}
}

func TestRawItems_MaskCardNumbers(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	p := signedIn()
	p.Items = []store.Item{{
		"PK": text("o#4111111111111111"), "SK": text("i#1"), "GSI1-PK": text("i#1"), "EntityType": text("invoice"),
		"Amount": &types.AttributeValueMemberN{Value: "12.50"},
		"Number": &types.AttributeValueMemberN{Value: "4111111111114242"},
		"Empty":  &types.AttributeValueMemberNULL{Value: true},
		"Flag":   &types.AttributeValueMemberBOOL{Value: true},
		"Bytes":  &types.AttributeValueMemberB{Value: []byte("hi")},
		"Sets":   &types.AttributeValueMemberSS{Value: []string{"<a>", "4111-1111-1111-4242"}},
		"Detail": &types.AttributeValueMemberM{Value: store.Item{"Payments": &types.AttributeValueMemberL{Value: []types.AttributeValue{text("4111 1111 1111 4242")}}}},
	}}
	page := rendered(t, views.OrdersPage(views.Orders{Page: p}))
	if heading := page.one(t, "id", "reads").all("h3")[0].text(); heading != "In invoice" {
		t.Errorf("got heading %q, want In invoice", heading)
	}
	for key, address := range map[string]string{"o#4111111111111111": "/data/partitions?pk=o%234111111111111111", "i#1": "/data/partitions?pk=i%231&index=GSI1"} {
		if got := page.link(t, key).attr("href"); got != address {
			t.Errorf("key %s: got link %s, want %s", key, got, address)
		}
	}
	want := `{ "PK": {"S":"o#4111111111111111"}, "SK": {"S":"i#1"}, "GSI1-PK": {"S":"i#1"}, "Amount": {"N":"12.50"}, ` +
		`"Bytes": {"B":"aGk="}, "Detail": {"M":{"Payments":{"L":[{"S":"•••• 4242"}]}}}, "Empty": {"NULL":true}, "EntityType": {"S":"invoice"}, ` +
		`"Flag": {"BOOL":true}, "Number": {"N":"•••• 4242"}, "Sets": {"SS":["<a>","•••• 4242"]} }`
	if got := page.all("pre")[0].text(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Items = nil
	if raw := rendered(t, views.OrdersPage(views.Orders{Page: p})).all("pre"); len(raw) != 0 {
		t.Error("got raw items without permission, want none")
	}
}

package exchange_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

func customerItem(id string) string {
	return fmt.Sprintf(`{"PK": {"S": "c#%s"}, "SK": {"S": "c#%s"}, "EntityType": {"S": "customer"}, "Name": {"S": "Kim %s"}}`, id, id, id)
}

// TestImport_DynamoDBForms checks that an import recognizes the JSON formats of the AWS CLI
// and DynamoDB by their content.
func TestImport_DynamoDBForms(t *testing.T) {
	c1, c2, c3 := customerItem("1"), customerItem("2"), customerItem("3")
	for _, tt := range []struct {
		name, file, content string
		added               []string
		rejected            []string
	}{
		{
			"scan", "scan.json", "{\n  \"Items\": [\n" + c1 + ",\n" + c2 + "],\n  \"Count\": 2, \"ScannedCount\": 2, \"ConsumedCapacity\": null}\n",
			[]string{"1", "2"},
			nil,
		},
		{
			"pages", "", `{"Count": 1, "Items": [` + c1 + `], "LastEvaluatedKey": {"PK": {"S": "c#1"}}} {"Items": [` + c2 + `], "Count": 1}`,
			[]string{"1", "2"},
			nil,
		},
		{"no items", "scan.json", `{"Items": [], "Count": 0}`, nil, nil},
		{"items only", "items.json", "[" + c1 + ", " + c2 + "]", []string{"1", "2"}, nil},
		{"get-item", "item.json", "{\n \"Item\": " + c1 + "\n}\n", []string{"1"}, nil},
		{"batch-get-item", "got.json", `{"Responses": {"Shop": [` + c1 + `]}, "UnprocessedKeys": {}}`, []string{"1"}, nil},
		{
			"batch-write-item", "write.json",
			`{"Shop": [{"PutRequest": {"Item": ` + c1 + `}}, {"DeleteRequest": {"Key": {"PK": {"S": "c#9"}, "SK": {"S": "c#9"}}}}], "Other": [{"PutRequest": {"Item": ` + c2 + `}}]}`,
			[]string{"1", "2"},
			[]string{"write.json 2: The file says that c#9 → c#9 was deleted. Imports never delete items."},
		},
		{"request items", "write.json", `{"RequestItems": {"Shop": [{"PutRequest": {"Item": ` + c1 + `}}]}}`, []string{"1"}, nil},
		{
			"incremental", "data.json",
			`{"Metadata": {"WriteTimestampMicros": {"N": "1680109764000000"}}, "Keys": {"PK": {"S": "c#1"}, "SK": {"S": "c#1"}}, "NewImage": ` + c1 + `}
{"Metadata": {"WriteTimestampMicros": "1680109764000000"}, "Keys": {"PK": {"S": "c#2"}, "SK": {"S": "c#2"}}, "OldImage": ` + c3 + `, "NewImage": ` + c2 + `}
{"Metadata": {}, "Keys": {"PK": {"S": "c#4"}, "SK": {"S": "c#4"}}, "OldImage": ` + customerItem("4") + `}
{"Keys": {"PK": {"S": "c#5"}, "SK": {"S": "c#5"}}}
`,
			[]string{"1", "2"},
			[]string{
				"data.json 3: The file says that c#4 → c#4 was deleted. Imports never delete items.",
				"data.json 4: The file says that c#5 → c#5 was deleted. Imports never delete items.",
			},
		},
		{
			"a value that is not an item", "scan.json", `{"Items": [7, ` + c1 + `]}`,
			[]string{"1"},
			[]string{"scan.json 1: Can't read the item: it is not an object with attributes."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := storetest.Open(t, storetest.NewClock())
			_, rejected := importRows(t, s, exchange.ImportOptions{}, len(tt.added)+len(tt.rejected), newFile(tt.file, tt.content))
			if !slices.Equal(rejected, tt.rejected) {
				t.Errorf("rejected: got %q, want %q", rejected, tt.rejected)
			}
			var want []string
			for _, id := range tt.added {
				want = append(want, fmt.Sprintf("c#%s / c#%s", id, id))
			}
			if got := slices.Sorted(maps.Keys(readTable(t, s))); !slices.Equal(got, want) {
				t.Errorf("items: got %q, want %q", got, want)
			}
		})
	}
}

// TestOpen_DamagedDocument checks that the error for a damaged document names the last item
// before the damage.
func TestOpen_DamagedDocument(t *testing.T) {
	for _, content := range []string{
		`{"Items": [` + customerItem("1"),
		`{"Items": 7}`,
		`{"Items": [` + customerItem("1") + `]} 8`,
		`{"Items": [` + customerItem("1") + `}`,
	} {
		sources, err := exchange.Open([]exchange.File{newFile("scan.json", content)}, "")
		for _, source := range sources {
			for _, failed := range source.Batches {
				err = cmp.Or(err, failed)
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), "scan.json: can't read the JSON after item ") {
			t.Errorf("%s: got %v, want a FileError", content, err)
		}
	}
}

// TestImport_OwnTableAsScan imports a whole exported table as the output of a scan. Both
// tables must have the same items. The items are sorted by their JSON text and not by
// key, so the items in an order's partition are not in key order.
func TestImport_OwnTableAsScan(t *testing.T) {
	from, to := storetest.Open(t, storetest.NewClock()), storetest.Open(t, storetest.NewClock())
	business := storetest.NewShop()
	business.Quotas = nil
	if loaded, err := from.Load(t.Context(), business.Entities(), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	var items []string
	for _, content := range exported(t, from, exchange.FormatLines) {
		for line := range strings.Lines(string(content)) {
			items = append(items, strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), `{"Item":`), "}"))
		}
	}
	slices.Sort(items)
	if _, rejected := importRows(t, to, exchange.ImportOptions{}, len(items), newFile("scan.json", `{"Items": [`+strings.Join(items, ",")+`]}`)); len(rejected) > 0 {
		t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
	}
	compareTables(t, readTable(t, to), readTable(t, from))
}

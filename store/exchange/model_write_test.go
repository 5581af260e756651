package exchange_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

func exportModel(t *testing.T, s *store.Store, sample int) (text []byte, rows map[string]int) {
	t.Helper()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files, err := exchange.FileNames(exchange.FormatModel, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	rows, err = exchange.Export(t.Context(), s, exchange.ExportOptions{
		Format: exchange.FormatModel, Files: files, Shards: settings.Shards, Table: s.Table(), Sample: sample,
		Create: func(string) (io.WriteCloser, error) { return bufferFile{&b}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), rows
}

// bufferFile is a file in memory.
type bufferFile struct{ *bytes.Buffer }

func (bufferFile) Close() error { return nil }

// TestExportModel_ImportsAsEqualTable exports a shop as a model, and imports the model into
// an empty table. Both tables must have the same items.
func TestExportModel_ImportsAsEqualTable(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	business := storetest.NewShop()
	shop := business.Entities()
	for _, total := range store.NewTotals(store.DefaultSettings(), append(store.OrderTallies(shop), store.SubscriptionTallies(store.DefaultSettings(), shop)...)) {
		shop = append(shop, total)
	}
	if loaded, err := from.Load(t.Context(), shop, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	want := readTable(t, from)
	text, rows := exportModel(t, from, 0)
	if len(rows) == 0 {
		t.Fatal("got no rows, want some")
	}
	file := func() exchange.File { return exchange.File{Name: "model.json", Content: bytes.NewReader(text)} }
	to := storetest.Open(t, clock)
	if _, rejected := importFiles(t, to, exchange.ImportOptions{}, file()); len(rejected) > 0 {
		t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
	}
	compareTables(t, readTable(t, to), want)
	again, _ := importFiles(t, to, exchange.ImportOptions{}, file())
	if len(again.Added) > 0 || again.Unchanged != len(want) {
		t.Errorf("second import: got %+v, want %d unchanged", again, len(want))
	}
}

// TestExportModel_HasTheDesign checks that a model has the fields that NoSQL
// Workbench expects.
func TestExportModel_HasTheDesign(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	shop := storetest.NewShop()
	shop.Load(t, s)
	text, rows := exportModel(t, s, 3)
	var model struct {
		ModelName string
		DataModel []struct {
			TableName     string
			KeyAttributes struct {
				PartitionKey, SortKey struct{ AttributeName, AttributeType string }
			}
			NonKeyAttributes []struct{ AttributeName, AttributeType string }
			TableFacets      []struct {
				FacetName         string
				KeyAttributeAlias struct{ PartitionKeyAlias, SortKeyAlias string }
				NonKeyAttributes  []string
				TableData         []map[string]map[string]any
			}
			GlobalSecondaryIndexes []struct{ IndexName string }
		}
	}
	if err := json.Unmarshal(text, &model); err != nil {
		t.Fatal(err)
	}
	m := model.DataModel[0]
	if model.ModelName == "" || m.KeyAttributes.PartitionKey.AttributeName != "PK" || m.KeyAttributes.SortKey.AttributeType != "S" || len(m.GlobalSecondaryIndexes) != store.IndexCount {
		t.Errorf("table keys: got %+v, want PK and SK of type S", m.KeyAttributes)
	}
	attributes := map[string]bool{"PK": true, "SK": true}
	for _, a := range m.NonKeyAttributes {
		if attributes[a.AttributeName] {
			t.Errorf("got the attribute %s twice, want it once", a.AttributeName)
		}
		attributes[a.AttributeName] = true
	}
	facets := map[string]bool{}
	for _, f := range m.TableFacets {
		facets[f.FacetName] = true
		if f.FacetName == "order" && (f.KeyAttributeAlias.PartitionKeyAlias != "o#${id}" || f.KeyAttributeAlias.SortKeyAlias != "c#${customerID}") {
			t.Errorf("keys of an order: got %+v, want o#${id} and c#${customerID}", f.KeyAttributeAlias)
		}
		for _, name := range f.NonKeyAttributes {
			if !attributes[name] {
				t.Errorf("got no attribute %s of the facet %s in the table, want it", name, f.FacetName)
			}
		}
	}
	for _, f := range m.TableFacets {
		for _, item := range f.TableData {
			if kind := item["EntityType"]["S"]; kind != f.FacetName {
				t.Errorf("facet %s: got an item of the type %v, want only items of the facet", f.FacetName, kind)
			}
			for name := range item {
				if name != "PK" && name != "SK" && !slices.Contains(f.NonKeyAttributes, name) {
					t.Errorf("got no attribute %[2]s in the facet %[1]s, want all attributes of its items", f.FacetName, name)
				}
			}
		}
	}
	for file, n := range rows {
		if n > 3 {
			t.Errorf("%s: got %d items, want a sample of 3", file, n)
		}
	}
	if strings.Contains(string(text), "PasswordHash") || facets["user"] || facets["session"] {
		t.Error("got users or sessions in the model, want none")
	}
}

package exchange_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// modelled writes a table as a model of NoSQL Workbench.
func modelled(t *testing.T, s *store.Store, sample int) (text []byte, rows map[string]int) {
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
	rows, err = exchange.ExportModel(t.Context(), s, &b, exchange.Modelling{Table: s.Table(), Files: files, Shards: settings.Shards, Sample: sample, Made: storetest.Now})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), rows
}

// TestModelComesBackAsAnEqualTable exports a shop as a model, loads
// it into an empty table, and compares the tables item by item.
func TestModelComesBackAsAnEqualTable(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	shop := storetest.NewShop()
	shop.Load(t, from)
	want := table(t, from)
	text, rows := modelled(t, from, 0)
	if len(rows) == 0 {
		t.Fatal("nothing was exported")
	}
	file := filepath.Join(t.TempDir(), "model.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	to := storetest.Open(t, clock)
	if _, refused := imported(t, to, exchange.Naming{}, file); len(refused) > 0 {
		t.Fatalf("%d refused; the first: %s", len(refused), refused[0].Reason)
	}
	same(t, table(t, to), want)
	again, _ := imported(t, to, exchange.Naming{}, file)
	if len(again.Written) > 0 || again.Present != len(want) {
		t.Errorf("once more: %+v", again)
	}
}

// TestModelHoldsTheDesign reads a sample as Workbench does: by the names of the
// published form.
func TestModelHoldsTheDesign(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	shop := storetest.NewShop()
	shop.Load(t, s)
	text, rows := modelled(t, s, 3)
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
		t.Errorf("the table is %+v", m.KeyAttributes)
	}
	attributes := map[string]bool{"PK": true, "SK": true}
	for _, a := range m.NonKeyAttributes {
		if attributes[a.AttributeName] {
			t.Errorf("%s stands twice", a.AttributeName)
		}
		attributes[a.AttributeName] = true
	}
	facets := map[string]bool{}
	for _, f := range m.TableFacets {
		facets[f.FacetName] = true
		if f.FacetName == "order" && (f.KeyAttributeAlias.PartitionKeyAlias != "o#${id}" || f.KeyAttributeAlias.SortKeyAlias != "c#${customerID}") {
			t.Errorf("the keys of an order are %+v", f.KeyAttributeAlias)
		}
		for _, name := range f.NonKeyAttributes {
			if !attributes[name] {
				t.Errorf("the facet %s has %s, which the table has not", f.FacetName, name)
			}
		}
	}
	for _, f := range m.TableFacets {
		for _, item := range f.TableData {
			if kind := item["EntityType"]["S"]; kind != f.FacetName {
				t.Errorf("a %v is in the facet %s", kind, f.FacetName)
			}
			for name := range item {
				if name != "PK" && name != "SK" && !slices.Contains(f.NonKeyAttributes, name) {
					t.Errorf("an item has %s, which its facet %s has not", name, f.FacetName)
				}
			}
		}
	}
	for file, n := range rows {
		if n > 3 {
			t.Errorf("a sample of three has %d %s", n, file)
		}
	}
	if strings.Contains(string(text), "PasswordHash") || facets["user"] || facets["session"] {
		t.Error("accounts or log-ins have left the table")
	}
}

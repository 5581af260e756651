package exchange_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestExportModel_KeepsPublishedModels imports and exports published models. All attributes
// must be kept. A key may change only if the import reports a correction.
func TestExportModel_KeepsPublishedModels(t *testing.T) {
	for name, corrections := range map[string][]exchange.Correction{
		"AnOnlineShop.json": nil,
		"RecurringPayments.json": {
			{Table: "Receipts", Number: 1, Before: "ACC#123 → REC#12023-05-28T14:15:39.24#SKU#999", After: "ACC#123 → REC#2023-05-28#SKU#999#SUB#123"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name)
			original, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := storetest.Open(t, storetest.NewClock())
			result, rejected := importFiles(t, s, exchange.ImportOptions{}, openFiles(t, file)...)
			if len(rejected) > 0 || !slices.Equal(result.Corrections, corrections) || result.Corrected != len(corrections) {
				t.Fatalf("got %d rejected, corrections %+v, want none rejected, %+v", len(rejected), result.Corrections, corrections)
			}
			text, _ := exportModel(t, s, 0)
			want, got := itemsOf(t, original), itemsOf(t, text)
			for _, c := range corrections {
				want[c.After] = want[c.Before]
				delete(want, c.Before)
			}
			for keys, item := range want {
				if got[keys] == nil {
					t.Errorf("got no item %s in the exported model, want it", keys)
				}
				for name, value := range item {
					if got[keys][name] != value {
						t.Errorf("%s: %s: got %s, want %s", keys, name, got[keys][name], value)
					}
				}
			}
			if len(want) == 0 {
				t.Error("got no items in the published model, want some")
			}
		})
	}
}

// itemsOf returns the items of a model by key. The attributes are strings in Stockroom's
// format; see normalise.
func itemsOf(t *testing.T, text []byte) map[string]map[string]string {
	t.Helper()
	type items []map[string]map[string]any
	var model struct {
		DataModel []struct {
			TableData   items
			TableFacets []struct{ TableData items }
		}
	}
	if err := json.Unmarshal(text, &model); err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{}
	for _, table := range model.DataModel {
		rows := table.TableData
		for _, facet := range table.TableFacets {
			rows = append(rows, facet.TableData...)
		}
		for _, row := range rows {
			values := map[string]string{}
			for name, value := range row {
				flattenValue(values, name, value)
			}
			keys := values["PK"] + " → " + values["SK"]
			delete(values, "PK")
			delete(values, "SK")
			all[keys] = values
		}
	}
	return all
}

// renamed lists the attributes of the samples that have another name in Stockroom.
var renamed = map[string]string{"CreatedDate": "Created"}

// computed matches attributes that an import computes: index keys, and the TTL of an
// expired receipt.
var computed = regexp.MustCompile(`^(GSI\d-[PS]K|TTL)$`)

func flattenValue(into map[string]string, name string, value map[string]any) {
	for _, v := range value { // the map has a single entry: the type and the value
		switch v := v.(type) {
		case map[string]any:
			for member, inner := range v {
				flattenValue(into, name+"."+member, inner.(map[string]any))
			}
		case []any:
			for i, inner := range v {
				flattenValue(into, fmt.Sprintf("%s.%d", name, i), inner.(map[string]any))
			}
		default:
			if other, found := renamed[name]; found {
				name = other
			}
			if !computed.MatchString(name) {
				into[name] = normalise(fmt.Sprint(v))
			}
		}
	}
}

var (
	timeText   = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z?$`)
	cardNumber = regexp.MustCompile(`^\d{12,15}(\d{4})$`)
)

// normalise converts times and card numbers to Stockroom's format. It returns text,
// because the samples contain some numbers as strings.
func normalise(value string) string {
	if found := timeText.FindStringSubmatch(value); found != nil {
		return found[1] + "Z"
	}
	if found := cardNumber.FindStringSubmatch(value); found != nil {
		return found[1]
	}
	return value
}

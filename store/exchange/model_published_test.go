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

// TestPublishedModelsComeBackTheSame imports each published model, exports it
// as one, and looks for every item of the original, and all that it says, in
// what came out. Keys in which they differ are those that the import listed.
func TestPublishedModelsComeBackTheSame(t *testing.T) {
	for name, corrections := range map[string][]exchange.Correction{
		"AnOnlineShop.json": nil,
		"RecurringPayments.json": {
			{Table: "Receipts", Number: 1, Was: "ACC#123 → REC#12023-05-28T14:15:39.24#SKU#999", Is: "ACC#123 → REC#2023-05-28#SKU#999#SUB#123"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name)
			original, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := storetest.Open(t, storetest.NewClock())
			taken, refused := imported(t, s, exchange.Naming{}, file)
			if len(refused) > 0 || !slices.Equal(taken.Corrections, corrections) || taken.Corrected != len(corrections) {
				t.Fatalf("%d refused; the keys that were corrected are %+v, want %+v", len(refused), taken.Corrections, corrections)
			}
			text, _ := modelled(t, s, 0)
			want, got := itemsOf(t, original), itemsOf(t, text)
			moved := map[string]string{}
			for _, c := range corrections {
				moved[c.Was] = c.Is
			}
			for place, item := range want {
				if is, corrected := moved[place]; corrected {
					place = is
				}
				found, there := got[place]
				if !there {
					t.Errorf("%s is not in the model that was exported", place)
				}
				for name, value := range item {
					if found[name] != value {
						t.Errorf("%s: %s is %s, and was %s", place, name, found[name], value)
					}
				}
			}
			if len(want) == 0 {
				t.Error("the model holds nothing")
			}
		})
	}
}

// itemsOf are the items of a model by their keys: of each its attributes as
// text, in one spelling of numbers, times and card numbers.
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
			said := map[string]string{}
			for name, value := range row {
				flatten(said, name, value)
			}
			place := said["PK"] + " → " + said["SK"]
			delete(said, "PK")
			delete(said, "SK")
			all[place] = said
		}
	}
	return all
}

// spelled are the names under which attributes of the samples are kept.
var spelled = map[string]string{"CreatedDate": "Created"}

// madeAnew are attributes that are worked out on the way in: the keys of
// indexes, and the end of a receipt whose time is over.
var madeAnew = regexp.MustCompile(`^(GSI\d-[PS]K|TTL)$`)

func flatten(into map[string]string, name string, value map[string]any) {
	for _, v := range value { // one, under the name of its type
		switch v := v.(type) {
		case map[string]any:
			for member, inner := range v {
				flatten(into, name+"."+member, inner.(map[string]any))
			}
		case []any:
			for i, inner := range v {
				flatten(into, fmt.Sprintf("%s.%d", name, i), inner.(map[string]any))
			}
		default:
			if better, other := spelled[name]; other {
				name = better
			}
			if !madeAnew.MatchString(name) {
				into[name] = normal(fmt.Sprint(v))
			}
		}
	}
}

var (
	aTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z?$`)
	aCard = regexp.MustCompile(`^\d{12,15}(\d{4})$`)
)

// normal is a value in one spelling. Numbers are texts of the same digits in
// the samples, so that their types need no other one.
func normal(value string) string {
	if found := aTime.FindStringSubmatch(value); found != nil {
		return found[1] + "Z"
	}
	if found := aCard.FindStringSubmatch(value); found != nil {
		return found[1]
	}
	return value
}

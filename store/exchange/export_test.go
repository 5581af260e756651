package exchange_test

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// exported writes what a table holds into a folder and returns its files.
func exported(t *testing.T, s *store.Store, format exchange.Format) []string {
	t.Helper()
	folder := t.TempDir()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names, err := exchange.FileNames(format, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = exchange.Export(t.Context(), s, exchange.Exporting{
		Format: format, Files: names, Shards: settings.Shards,
		Create: func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(folder, name)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// imported puts files into a table and returns what became of all rows.
func imported(t *testing.T, s *store.Store, naming exchange.Naming, names ...string) (all exchange.Taken, refused []exchange.Refused) {
	t.Helper()
	files := make([]exchange.File, len(names))
	for i, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		files[i] = exchange.File{Name: name, Content: file}
	}
	sources, err := exchange.Open(files, naming)
	if err != nil {
		t.Fatal(err)
	}
	all.Written = map[string]int{}
	for _, source := range sources {
		taken, err := exchange.Take(t.Context(), s, source.Portions, exchange.Taking{
			Refused: func(some []exchange.Refused) error { refused = append(refused, some...); return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		for kind, n := range taken.Written {
			all.Written[kind] += n
		}
		all.Present += taken.Present
		all.Refused += taken.Refused
		all.Corrected += taken.Corrected
		all.Corrections = append(all.Corrections, taken.Corrections...)
	}
	return all, refused
}

// table is every item of a table, its settings apart.
func table(t *testing.T, s *store.Store) map[string]store.Item {
	t.Helper()
	all := map[string]store.Item{}
	var mu sync.Mutex
	err := s.Everything(context.Background(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			pk, sk := item["PK"].(*types.AttributeValueMemberS).Value, item["SK"].(*types.AttributeValueMemberS).Value
			if pk != "settings" {
				all[pk+" / "+sk] = item
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDemoGoesOutAndComesBack exports the demo business in each form, loads it
// into an empty table, and compares the tables item by item. The version alone
// begins anew, as with everything that is loaded; the demo has loaded its own.
func TestDemoGoesOutAndComesBack(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	if err := demo.Load(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	want := table(t, from)
	for _, format := range exchange.Formats {
		t.Run(string(format), func(t *testing.T) {
			files := exported(t, from, format)
			to := storetest.Open(t, clock)
			taken, refused := imported(t, to, exchange.Naming{}, files...)
			if len(refused) > 0 {
				t.Fatalf("%d refused; the first: %s", len(refused), refused[0].Reason)
			}
			same(t, table(t, to), want)
			if format == exchange.FormatCSV {
				return // what is there is found in one way, whatever the form
			}
			again, _ := imported(t, to, exchange.Naming{}, files...)
			if len(again.Written) > 0 || again.Refused > 0 || again.Present != len(want) {
				t.Errorf("once more: %+v of %+v", again, taken)
			}
		})
	}
}

func same(t *testing.T, got, want map[string]store.Item) {
	t.Helper()
	wrong := 0
	for _, place := range slices.Sorted(maps.Keys(want)) {
		if !reflect.DeepEqual(got[place], want[place]) && wrong < 5 {
			wrong++
			t.Errorf("%s\n got %v\nwant %v", place, shown(got[place]), shown(want[place]))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d items, want %d", len(got), len(want))
	}
}

func shown(item store.Item) map[string]any {
	all := map[string]any{}
	for name, value := range item {
		all[name] = reflect.ValueOf(value).Elem().FieldByName("Value").Interface()
	}
	return all
}

package exchange_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// imported is the result of an import, with the sum of its counts.
type imported struct {
	exchange.ImportResult
	exchange.Counts
	Added map[string]int // by entity type
}

// importFiles imports files. It returns the sum of the results, and the rejected rows as
// text with file, row and reason. It checks that each row was counted once.
func importFiles(t *testing.T, s *store.Store, options exchange.ImportOptions, files ...exchange.File) (sum imported, rejected []string) {
	t.Helper()
	rows := 0
	for i := range files {
		rows += countRows(t, &files[i])
	}
	return importRows(t, s, options, rows, files...)
}

// importRows is like importFiles, but expects the number of rows in the argument rows. If
// rows is -1, it does not check this number.
func importRows(t *testing.T, s *store.Store, options exchange.ImportOptions, rows int, files ...exchange.File) (sum imported, rejected []string) {
	t.Helper()
	sources, err := exchange.Open(files, "")
	if err != nil {
		t.Fatal(err)
	}
	options.Known = exchange.NewKnown()
	for _, source := range sources {
		options.Rejected = func(rows []exchange.RejectedRow) error {
			for _, r := range rows {
				rejected = append(rejected, fmt.Sprintf("%s %d: %s", filepath.Base(files[r.File].Name), r.Number, r.Reason))
			}
			return nil
		}
		result, err := exchange.Import(t.Context(), s, source, options)
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(result)
	}
	sum.Counts, sum.Added = sum.Sum(), map[string]int{}
	for of, c := range sum.ImportResult.Counts {
		if sum.Added[of.Entity] += c.Added; sum.Added[of.Entity] == 0 {
			delete(sum.Added, of.Entity)
		}
		if c.Read != c.Added+c.Unchanged+c.Updated+c.Merged+c.Rejected {
			t.Errorf("%s of %s: got %+v, want read to be the sum of the others", of.Entity, files[of.File].Name, *c)
		}
	}
	if sum.Read != rows && rows >= 0 {
		t.Errorf("got %d rows read, want %d; counts %+v", sum.Read, rows, sum.Counts)
	}
	if sum.Counts.Rejected != len(rejected) {
		t.Errorf("got %d rows counted as rejected, want the %d reported ones", sum.Counts.Rejected, len(rejected))
	}
	return sum, rejected
}

// countRows counts the rows of a file independently of package exchange.
func countRows(t *testing.T, file *exchange.File) (rows int) {
	t.Helper()
	content, err := io.ReadAll(file.Content)
	if err != nil {
		t.Fatal(err)
	}
	file.Content = bytes.NewReader(content)
	switch filepath.Ext(file.Name) {
	case ".csv":
		in := csv.NewReader(bytes.NewReader(content))
		in.FieldsPerRecord, in.LazyQuotes = -1, true
		records, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return len(records) - 1
	case ".jsonl":
		return len(strings.Fields(string(bytes.ReplaceAll(content, []byte(" "), nil))))
	}
	var model struct {
		DataModel []struct {
			TableData   []json.RawMessage
			TableFacets []struct{ TableData []json.RawMessage }
		}
	}
	if err := json.Unmarshal(content, &model); err != nil {
		t.Fatal(err)
	}
	for _, table := range model.DataModel {
		rows += len(table.TableData)
		for _, facet := range table.TableFacets {
			rows += len(facet.TableData)
		}
	}
	return rows
}

func newFile(name, content string) exchange.File {
	return exchange.File{Name: name, Content: strings.NewReader(content)}
}

func openFiles(t *testing.T, paths ...string) []exchange.File {
	t.Helper()
	files := make([]exchange.File, len(paths))
	for i, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = exchange.File{Name: path, Content: bytes.NewReader(content)}
	}
	return files
}

// readTable returns all items of a table by key, except settings, stock counts, search
// words and series of numbers. It removes the Version of totals and quotas, because it
// depends on how often they changed.
func readTable(t *testing.T, s *store.Store) map[string]store.Item {
	t.Helper()
	table := readWithWords(t, s)
	for place := range table {
		if strings.HasPrefix(place, "words#") || strings.HasPrefix(place, "series#") {
			delete(table, place)
		}
	}
	return table
}

// readWithWords is like readTable, but includes search words and series of numbers.
func readWithWords(t *testing.T, s *store.Store) map[string]store.Item {
	t.Helper()
	table := map[string]store.Item{}
	var mu sync.Mutex
	err := s.Everything(t.Context(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			pk, sk := item["PK"].(*types.AttributeValueMemberS).Value, item["SK"].(*types.AttributeValueMemberS).Value
			if pk != "settings" && !strings.HasPrefix(sk, "counts#") { // stock counts are divided over random items, so only their sums can be compared; see checkLevels
				if strings.HasPrefix(pk, "total#") || strings.HasPrefix(sk, "QUOTA#") {
					delete(item, "Version")
				}
				table[pk+" / "+sk] = item
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// compareTables reports the first five items of want that are missing or different in
// got. It also compares the numbers of items.
func compareTables(t *testing.T, got, want map[string]store.Item) {
	t.Helper()
	different := 0
	for _, keys := range slices.Sorted(maps.Keys(want)) {
		if !reflect.DeepEqual(got[keys], want[keys]) && different < 5 {
			different++
			t.Errorf("%s\n got %v\nwant %v", keys, plainValues(got[keys]), plainValues(want[keys]))
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d items, want %d", len(got), len(want))
	}
}

func plainValues(item store.Item) map[string]any {
	values := map[string]any{}
	for name, value := range item {
		values[name] = reflect.ValueOf(value).Elem().FieldByName("Value").Interface()
	}
	return values
}

func TestImport_TwiceChangesNothing(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first, err := s.Load(t.Context(), readModel(t, "AnOnlineShop.json").Entities, store.LoadOptions{})
		if err != nil || len(first.Rejected) > 0 {
			t.Fatal(err, first.Rejected)
		}
		again, err := s.Load(t.Context(), readModel(t, "AnOnlineShop.json").Entities, store.LoadOptions{})
		if err != nil || len(again.Rejected) > 0 || len(again.Added) > 0 || again.Unchanged != 19 {
			t.Errorf("second import: got %+v, %v, want 19 unchanged", again, err)
		}
	})
}

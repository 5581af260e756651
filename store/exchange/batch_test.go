package exchange

import (
	"fmt"
	"strings"
	"testing"

	"stockroom/store"
)

func TestOpen_LimitsColumns(t *testing.T) {
	var header strings.Builder
	for i := range maxColumns + 1 {
		fmt.Fprintf(&header, "column%d,", i)
	}
	_, err := Open([]File{{Name: "customers.csv", Content: strings.NewReader(header.String() + "\n")}}, "")
	if want := "the file has 2002 columns; at most 2000 can be read"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %.200v, want %q", err, want)
	}
}

// TestApply_NamesFirstRejectedRow rejects rows of an order of which two rows are already
// rejected. The reason must name the first of these.
func TestApply_NamesFirstRejectedRow(t *testing.T) {
	row := func(number int) Row { return Row{Number: number, order: "o1"} }
	b := &Batch{
		Rejected: []RejectedRow{{row(2), "invalid"}, {row(4), "invalid"}},
		Entities: []store.Entity{&store.Order{ID: "o1"}},
		Rows:     []Row{row(3)},
	}
	got := (&importer{}).apply(b, objections{make([]string, 1), make([]string, 1)})
	if len(got.Rejected) != 3 || !strings.HasPrefix(got.Rejected[2].Reason, "Row 2, ") {
		t.Errorf("got %+v, want 3 rejected rows, the last one because of row 2", got.Rejected)
	}
}

// TestBatches_AreLimitedInBytes checks that the batches of a file with large rows have a
// limited size.
func TestBatches_AreLimitedInBytes(t *testing.T) {
	row := ",x" + strings.Repeat("x", batchBytes/20) + "\n"
	sources, err := Open([]File{{Name: "customers.csv", Content: strings.NewReader("CustomerID,Name\n" + strings.Repeat(row, 50))}}, "")
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for batch, err := range sources[0].Batches {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(batch.Rejected))
	}
	if want := "[20 20 10]"; fmt.Sprint(sizes) != want {
		t.Errorf("got batches of %v rows, want %s", sizes, want)
	}
}

package exchange

import (
	"fmt"
	"strings"
	"testing"
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

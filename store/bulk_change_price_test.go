package store_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestBulkChange_RoundsPricesHalfUp(t *testing.T) {
	for _, test := range []struct{ price, percent, rounding, currency, want string }{
		{"10", "5", "", "SEK", "10.5"},
		{"9.99", "5", "", "SEK", "10.49"}, // exactly 10.4895
		{"0.1", "5", "", "SEK", "0.11"},   // exactly 0.105
		{"100", "-2.5", "", "SEK", "97.5"},
		{"101", "1", "", "JPY", "102"},      // exactly 102.01
		{"1.234", "10", "", "KWD", "1.357"}, // exactly 1.3574
		{"10.32", "0.01", "0.05", "SEK", "10.3"},
		{"10.33", "0.01", "0.05", "SEK", "10.35"},
		{"12.5", "10", "1", "SEK", "14"},    // exactly 13.75
		{"12.4", "10", "5", "SEK", "15"},    // exactly 13.64
		{"10", "5", "x.99", "SEK", "10.99"}, // exactly 10.50
		{"10", "4", "x.99", "SEK", "9.99"},  // exactly 10.40
		{"0.2", "-50", "x.99", "SEK", "0"},
		{"0.01", "-90", "", "SEK", "0"},
	} {
		b := store.BulkChange{Kind: store.BulkPrice, Percent: test.percent, Rounding: test.rounding}
		got, err := b.PriceAfter(amount(test.price), test.currency)
		if err != nil || got.String() != test.want {
			t.Errorf("%s %s%% rounded to %q in %s: got %s, %v, want %s", test.price, test.percent, test.rounding, test.currency, got, err, test.want)
		}
	}
	b := store.BulkChange{Kind: store.BulkPrice, Percent: "1000"}
	if got, err := b.PriceAfter(amount("9999999999"), "SEK"); err == nil {
		t.Errorf("got %s for a price above the limit, want an error", got)
	}
}

func TestBulkChange_ChecksPercentage(t *testing.T) {
	a := storetest.Open(t, storetest.NewClock()).As(&store.User{Name: "admin", Role: store.Admin})
	for percent, want := range map[string]string{"5": "5", " +5 % ": "5", "−2.5": "-2.5", "-90": "-90", "1000": "1000", "": "", "0": "", "-90.01": "", "1001": "", "5.555": "", "1e2": "", "1/2": "", "five": ""} {
		b, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkPrice, Percent: percent}, nil, "")
		if want == "" && store.KindOf(err) != store.Invalid || want != "" && (err != nil || b.Percent != want) {
			t.Errorf("%q: got %+v, %v, want %q", percent, b, err, want)
		}
	}
}

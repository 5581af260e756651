package store_test

import (
	"slices"
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

// TestBulkChange_RoundsToCurrency checks that prices cannot be rounded to amounts with more
// decimals than the currency, because each row would then fail.
func TestBulkChange_RoundsToCurrency(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	a := s.As(&store.User{Name: "admin", Role: store.Admin})
	for _, test := range []struct {
		currency string
		rejected []string
	}{
		{"SEK", nil},
		{"KWD", nil},
		{"JPY", []string{"0.05", "0.1", "0.5", "x.99"}},
	} {
		settings, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Currency = test.currency
		if err := s.SaveSettings(t.Context(), settings, "admin"); err != nil {
			t.Fatal(err)
		}
		var rejected []string
		for _, rounding := range []string{"", "0.05", "0.1", "0.5", "1", "5", "10", "x.99"} {
			_, err := a.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkPrice, Percent: "5", Rounding: rounding}, nil, "")
			offered := slices.ContainsFunc(store.PriceRoundings(test.currency), func(o store.FieldOption) bool { return o.Value == rounding })
			if offered != (err == nil) {
				t.Errorf("%s, %q: got offered %t and error %v, want it offered or rejected", test.currency, rounding, offered, err)
			}
			if store.KindOf(err) == store.Invalid {
				rejected = append(rejected, rounding)
			}
		}
		if !slices.Equal(rejected, test.rejected) {
			t.Errorf("%s: got the rejected roundings %q, want %q", test.currency, rejected, test.rejected)
		}
	}
}

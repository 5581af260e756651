package store_test

import (
	"testing"

	"stockroom/store"
)

func taxRate(text string) store.TaxRate {
	rate, err := store.ParseTaxRate("", text)
	if err != nil {
		panic(err)
	}
	return rate
}

func TestTaxRate_SplitsGross(t *testing.T) {
	for _, tt := range []struct{ rate, gross, currency, net, tax string }{
		{"25", "125", "EUR", "100", "25"},
		{"5,5", "10", "EUR", "9.48", "0.52"},
		{"19", "0.01", "EUR", "0.01", "0"},
		{"10", "1234", "JPY", "1122", "112"},
		{"15", "1.234", "KWD", "1.073", "0.161"},
		{"25", "-125", "EUR", "-100", "-25"},
		{"100", "9999999999.9999", "EUR", "4999999999.9999", "5000000000"},
		{"", "12.34", "EUR", "12.34", "0"},
	} {
		net, tax := taxRate(tt.rate).Split(amount(tt.gross), tt.currency)
		if net.String() != tt.net || tax.String() != tt.tax {
			t.Errorf("%s %% of %s %s: got net %s and tax %s, want %s and %s", tt.rate, tt.currency, tt.gross, net, tax, tt.net, tt.tax)
		}
	}
}

func TestParseTaxRate_RejectsOthers(t *testing.T) {
	for _, text := range []string{"-1", "100.01", "5.555", "25 %", "5,555", "much"} {
		if rate, err := store.ParseTaxRate("tax-rate", text); store.KindOf(err) != store.Invalid {
			t.Errorf("%q: got %s, %v; want Invalid", text, rate, err)
		}
	}
}

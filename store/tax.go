package store

import (
	"github.com/govalues/decimal"

	"stockroom/store/table"
)

// TaxRate is a rate of value added tax in percent, with at most two decimals. Zero means
// that invoices show no tax.
type TaxRate struct{ percent Amount }

// maxTaxDecimals is the maximum number of decimals of a tax rate.
const maxTaxDecimals = 2

var (
	hundred    = decimal.MustParse("100")
	maxTaxRate = Amount{hundred}
)

// ParseTaxRate parses a percentage that a user entered, such as 25 or 5.5. An empty string
// is zero. ParseTaxRate returns Invalid unless the text is a percentage from 0 to 100 with
// at most two decimals.
func ParseTaxRate(field, text string) (TaxRate, error) {
	percent, err := ParseMoney(field, text)
	rate := TaxRate{percent}
	if err != nil || !rate.isValid() {
		return TaxRate{}, InvalidField(field, "Enter a percentage from 0 to 100 with at most two decimals, such as 25 or 5.5.")
	}
	return rate, nil
}

func (r TaxRate) isValid() bool {
	return r.percent.Sign() >= 0 && r.percent.Compare(maxTaxRate) <= 0 && r.percent.d.Trim(0).Scale() <= maxTaxDecimals
}

// IsZero reports whether invoices show no tax.
func (r TaxRate) IsZero() bool { return r.percent.Sign() == 0 }

// String returns the percentage without a percent sign, such as 5.5.
func (r TaxRate) String() string { return r.percent.String() }

// MarshalJSON encodes the percentage as a JSON number.
func (r TaxRate) MarshalJSON() ([]byte, error) { return r.percent.MarshalJSON() }

// Split splits a price that includes tax into the price without tax and the tax. It
// rounds the tax to the decimals of the currency, and net + tax is exactly gross.
func (r TaxRate) Split(gross Amount, currency string) (net, tax Amount) {
	share, err := hundred.Add(r.percent.d)
	if err == nil {
		share, err = r.percent.d.Quo(share)
	}
	if err == nil {
		share, err = gross.d.Mul(share)
	}
	tax = bounded(share, err)
	tax.d = tax.d.Round(CurrencyDecimals(currency)).Trim(0)
	return gross.Minus(tax), tax
}

// taxRateAttribute encodes or decodes a tax rate. It omits a rate of zero.
func taxRateAttribute(a *table.Attributes, name string, r *TaxRate) {
	optionalAmount(a, name, &r.percent)
	if r.isValid() {
		return
	}
	const want = "a percentage from 0 to 100 with at most two decimals"
	if a.Decoding() {
		a.Damaged(name, want)
	} else {
		a.Refuse(name, want)
	}
}

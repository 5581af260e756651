package store

import (
	"errors"
	"strings"

	"github.com/govalues/decimal"

	"stockroom/store/table"
)

// Amount is an exact amount of money in the currency of the business. The zero Amount is 0.
//
// Amounts have limits (see ParseAmount), so sums over the lines of an order fit into the 19
// digits of a decimal.Decimal. Sums over more records have the type Sum.
type Amount struct{ d decimal.Decimal }

// Limits of amounts: below 10,000,000,000, with at most four decimals. Quantities
// have at most seven digits. The sum of MaxLines lines therefore has at most 19
// digits before the point.
const (
	maxAmountDigits = 10
	maxAmountScale  = 4
	maxQuantity     = table.MaxNumber
	maxQuantityText = "9,999,999" // maxQuantity as text, for messages
)

// ErrAmount is returned by ParseAmount for invalid text.
var ErrAmount = errors.New("not an amount of money")

// ParseAmount parses a decimal number such as 12.99 or 1e3. It returns ErrAmount for other
// text, and for a number with more than 10 digits before the point or more than 4 after it.
// Trailing zeros after the point do not count.
func ParseAmount(text string) (Amount, error) {
	text = strings.TrimSpace(text)
	d, err := decimal.Parse(text)
	if err != nil {
		return Amount{}, ErrAmount
	}
	if a := (Amount{d.Trim(0)}); a.isStorable() {
		return a, nil
	}
	return Amount{}, ErrAmount
}

func (a Amount) isStorable() bool {
	d := a.d.Trim(0)
	return d.Scale() <= maxAmountScale && d.Prec()-d.Scale() <= maxAmountDigits
}

// MinorUnits converts hundredths to an Amount: 1299 becomes 12.99.
func MinorUnits(hundredths int64) Amount {
	d, err := decimal.New(hundredths, 2)
	if err != nil { // cannot happen: the scale is a constant
		return Amount{}
	}
	return Amount{d}
}

// Plus returns a + b.
func (a Amount) Plus(b Amount) Amount { return bounded(a.d.Add(b.d)) }

// Minus returns a − b.
func (a Amount) Minus(b Amount) Amount { return bounded(a.d.Sub(b.d)) }

// Times returns the amount multiplied by a quantity.
func (a Amount) Times(quantity int) Amount {
	n, err := decimal.New(int64(quantity), 0)
	if err != nil {
		return Amount{}
	}
	return bounded(a.d.Mul(n))
}

// bounded returns the result of a calculation as an Amount. It panics after an overflow,
// which the limits of amounts and quantities prevent.
func bounded(d decimal.Decimal, err error) Amount {
	if err != nil {
		panic("store: amount out of bounds: " + err.Error())
	}
	return Amount{d}
}

// Compare returns -1 if a < b, 0 if a == b, and 1 if a > b.
func (a Amount) Compare(b Amount) int { return a.d.Cmp(b.d) }

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int { return a.d.Sign() }

// String returns the amount in the format of the table: digits and a point, without
// trailing zeros.
func (a Amount) String() string { return a.d.Trim(0).String() }

// AppendFixed appends the amount, rounded to a fixed number of decimals and without
// thousands separators.
func (a Amount) AppendFixed(b []byte, decimals int) []byte {
	text, err := a.d.Round(decimals).Pad(decimals).AppendText(b)
	if err != nil { // cannot fail for a finite decimal
		return b
	}
	return text
}

// MarshalJSON encodes the amount as a JSON number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

func amountAttribute(a *table.Attributes, name string, v *Amount) {
	if !a.Decoding() {
		if !v.isStorable() {
			a.Refuse(name, "less than 10,000,000,000, with at most four decimals")
		}
		a.WriteDecimal(name, v.String())
		return
	}
	text := a.Read(name)
	if text == "" {
		return
	}
	amount, err := ParseAmount(text)
	if err != nil {
		a.Damaged(name, "an amount of money")
	}
	*v = amount
}

// optionalAmount is like amountAttribute, but omits an amount of zero.
func optionalAmount(a *table.Attributes, name string, v *Amount) {
	if !a.Decoding() && v.Sign() == 0 {
		a.WriteDecimal(name, "")
		return
	}
	amountAttribute(a, name, v)
}

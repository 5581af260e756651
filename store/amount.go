package store

import (
	"errors"
	"strings"

	"github.com/govalues/decimal"

	"stockroom/store/table"
)

// Amount is a sum of money in the shop's currency: an exact decimal, never a
// float. The zero Amount is nothing owed.
//
// Amounts are bounded (see ParseAmount), so that sums over an order's lines
// stay far within the 19 digits of the decimal and cannot overflow.
type Amount struct{ d decimal.Decimal }

// What an amount may be: less than ten thousand million, to the hundredth of
// a cent. With quantities of at most seven digits, 80 lines of the dearest
// goods still add up to fewer than 19 digits.
const (
	maxAmountDigits = 10
	maxAmountScale  = 4
	maxQuantity     = table.MaxNumber
	mostQuantity    = "9,999,999" // maxQuantity as people read it
)

// ErrAmount is what ParseAmount answers to anything that is no amount.
var ErrAmount = errors.New("not an amount of money")

// ParseAmount reads a plain decimal such as 12.99: at most 10 digits before
// the point and 4 after it.
func ParseAmount(text string) (Amount, error) {
	text = strings.TrimSpace(text)
	d, err := decimal.Parse(text)
	if err != nil {
		return Amount{}, ErrAmount
	}
	d = d.Trim(0)
	if d.Scale() > maxAmountScale || d.Prec()-d.Scale() > maxAmountDigits {
		return Amount{}, ErrAmount
	}
	return Amount{d}, nil
}

// MinorUnits makes an amount of so many hundredths.
func MinorUnits(hundredths int64) Amount {
	d, err := decimal.New(hundredths, 2)
	if err != nil { // cannot be: the scale is a constant
		return Amount{}
	}
	return Amount{d}
}

// Plus adds two amounts.
func (a Amount) Plus(b Amount) Amount { return bounded(a.d.Add(b.d)) }

// Minus subtracts b.
func (a Amount) Minus(b Amount) Amount { return bounded(a.d.Sub(b.d)) }

// Times multiplies by a quantity.
func (a Amount) Times(quantity int) Amount {
	n, err := decimal.New(int64(quantity), 0)
	if err != nil {
		return Amount{}
	}
	return bounded(a.d.Mul(n))
}

// bounded drops the error of an overflow, which the bounds of amounts and
// quantities rule out.
func bounded(d decimal.Decimal, err error) Amount {
	if err != nil {
		panic("store: an amount beyond its bounds: " + err.Error())
	}
	return Amount{d}
}

// Compare is negative where a is less than b, 0 where equal, else positive.
func (a Amount) Compare(b Amount) int { return a.d.Cmp(b.d) }

// Sign is -1, 0 or 1.
func (a Amount) Sign() int { return a.d.Sign() }

// String writes the amount as the table stores it: plain digits, no zeros
// after the last one that counts.
func (a Amount) String() string { return a.d.Trim(0).String() }

// AppendFixed appends the amount with exactly so many decimals, without any
// grouping: what an export or a page then dresses.
func (a Amount) AppendFixed(b []byte, decimals int) []byte {
	text, err := a.d.Round(decimals).Pad(decimals).AppendText(b)
	if err != nil { // AppendText of a finite decimal does not fail
		return b
	}
	return text
}

// Whole is the amount without what stands behind the point, for charts.
func (a Amount) Whole() int {
	whole, _, _ := a.d.Int64(0) // bounded: it has at most ten digits before the point, sums somewhat more
	return int(whole)
}

// MarshalJSON writes a plain JSON number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// amountAttribute encodes or decodes an amount.
func amountAttribute(a *table.Attributes, name string, v *Amount) {
	if !a.Decoding() {
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

// optionalAmount is amountAttribute, but leaves out an amount of zero.
func optionalAmount(a *table.Attributes, name string, v *Amount) {
	if !a.Decoding() && v.Sign() == 0 {
		a.WriteDecimal(name, "")
		return
	}
	amountAttribute(a, name, v)
}

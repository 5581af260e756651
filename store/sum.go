package store

import (
	"errors"
	"math/big"
	"strings"

	"stockroom/store/table"
)

// Sum is an exact sum of amounts of any size. The zero Sum is 0. Methods never
// change a Sum. Compare sums with Compare, not ==.
//
// Amounts are bounded because people enter them. The sums of a day or a quarter can
// exceed any fixed bound in some currencies. A Sum therefore holds every number
// that DynamoDB can store, up to 38 digits.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
type Sum struct{ units *big.Int } // ten-thousandths; nil is 0

// ErrSum is the error of ParseSum.
var ErrSum = errors.New("not a sum of amounts of money")

// maxSumText limits the text of a sum, so that parsing is cheap: a number of
// DynamoDB has at most 126 digits before the point.
const maxSumText = 140

// ParseSum parses a plain decimal with at most 4 digits after the point. It
// returns ErrSum for anything else.
func ParseSum(text string) (Sum, error) {
	text = strings.TrimSpace(text)
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction = strings.TrimRight(fraction, "0"); len(fraction) > maxAmountScale || len(text) > maxSumText {
		return Sum{}, ErrSum
	}
	digits := strings.TrimPrefix(whole, "-") + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return Sum{}, ErrSum
	}
	units, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", maxAmountScale-len(fraction)), 10)
	if !ok {
		return Sum{}, ErrSum
	}
	return newSum(units), nil
}

// newSum returns the Sum of units ten-thousandths. For 0 it returns the zero Sum,
// so that equal sums are deeply equal.
func newSum(units *big.Int) Sum {
	if units.Sign() == 0 {
		return Sum{}
	}
	return Sum{units}
}

func (s Sum) int() *big.Int {
	if s.units == nil {
		return new(big.Int)
	}
	return s.units
}

// Sum returns the amount as a sum.
func (a Amount) Sum() Sum {
	sum, _ := ParseSum(a.String()) // an amount is a plain decimal
	return sum
}

// Plus returns s + o.
func (s Sum) Plus(o Sum) Sum {
	if o.units == nil {
		return s
	}
	return newSum(new(big.Int).Add(s.int(), o.units))
}

// Minus returns s − o.
func (s Sum) Minus(o Sum) Sum { return s.Plus(o.Negative()) }

// Negative returns −s.
func (s Sum) Negative() Sum { return newSum(new(big.Int).Neg(s.int())) }

// Compare returns -1 if s < o, 0 if s == o, and 1 if s > o.
func (s Sum) Compare(o Sum) int { return s.int().Cmp(o.int()) }

// Sign returns -1, 0 or 1.
func (s Sum) Sign() int { return s.int().Sign() }

// String returns the sum as the table stores it: plain digits without trailing
// zeros.
func (s Sum) String() string {
	text := strings.TrimRight(string(s.AppendFixed(nil, maxAmountScale)), "0")
	return strings.TrimSuffix(text, ".")
}

// AppendFixed appends the sum, rounded half away from zero to the given number
// of decimals, at most 4, and without grouping.
func (s Sum) AppendFixed(b []byte, decimals int) []byte {
	dropped := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(maxAmountScale-decimals)), nil)
	units := new(big.Int).Abs(s.int())
	units.Div(units.Add(units, new(big.Int).Rsh(dropped, 1)), dropped)
	digits := units.String()
	if padding := decimals + 1 - len(digits); padding > 0 {
		digits = strings.Repeat("0", padding) + digits
	}
	if s.Sign() < 0 && units.Sign() > 0 {
		b = append(b, '-')
	}
	point := len(digits) - decimals
	if b = append(b, digits[:point]...); decimals > 0 {
		b = append(append(b, '.'), digits[point:]...)
	}
	return b
}

// maxWhole limits Whole, so that a chart can compute with its values.
const maxWhole = 1_000_000_000_000_000_000

// Whole returns the sum without its decimals, for charts. Sums above 10¹⁸ become
// 10¹⁸.
func (s Sum) Whole() int {
	whole := new(big.Int).Quo(s.int(), big.NewInt(10_000))
	switch {
	case whole.CmpAbs(big.NewInt(maxWhole)) < 0:
		return int(whole.Int64())
	case whole.Sign() < 0:
		return -maxWhole
	}
	return maxWhole
}

// MarshalJSON returns a JSON number.
func (s Sum) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }

// sumAttribute encodes or decodes a sum.
func sumAttribute(a *table.Attributes, name string, v *Sum) {
	if !a.Decoding() {
		a.WriteDecimal(name, v.String())
		return
	}
	text := a.Read(name)
	if text == "" {
		return
	}
	sum, err := ParseSum(text)
	if err != nil {
		a.Damaged(name, "a sum of amounts of money")
	}
	*v = sum
}

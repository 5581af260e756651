package store

import (
	"errors"
	"math/big"
	"strings"

	"stockroom/store/table"
)

// Sum is an exact sum of amounts, of any size. The zero Sum is 0. No method changes a Sum.
// Compare sums with Compare, not with ==.
//
// A single amount has a limit. The sum of a day or quarter can exceed this limit in some
// currencies. A Sum can therefore be any number that DynamoDB can store, with up to 38
// digits. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
type Sum struct{ units *big.Int } // ten-thousandths; nil is 0

// ErrSum is returned by ParseSum for invalid text.
var ErrSum = errors.New("not a sum of amounts of money")

// maxSumText is the maximum length of a string that ParseSum parses. It keeps ParseSum
// fast. DynamoDB's largest number has 126 digits.
const maxSumText = 140

// ParseSum parses a decimal number with at most 4 digits after the point. It returns
// ErrSum for other text.
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
	if len(digits) <= maxSmallDigits {
		return newSum(big.NewInt(smallUnits(digits, maxAmountScale-len(fraction), strings.HasPrefix(whole, "-")))), nil
	}
	units, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", maxAmountScale-len(fraction)), 10)
	if !ok {
		return Sum{}, ErrSum
	}
	return newSum(units), nil
}

// maxSmallDigits is the maximum number of digits for which the result of smallUnits fits
// into an int64.
const maxSmallDigits = 18 - maxAmountScale

// smallUnits returns the number that consists of the digits, followed by this number of
// zeros. It is faster than big.Int.SetString. There must be at most maxSmallDigits digits.
func smallUnits(digits string, zeros int, negative bool) int64 {
	n := int64(0)
	for i := range len(digits) {
		n = 10*n + int64(digits[i]-'0')
	}
	for range zeros {
		n *= 10
	}
	if negative {
		return -n
	}
	return n
}

// newSum returns a Sum of units, which are ten-thousandths. For 0 it returns the zero
// Sum, so that reflect.DeepEqual works for equal sums.
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

// maxSmallWhole limits the amounts for which the method Sum uses an int64, so that their
// ten-thousandths do not overflow.
const maxSmallWhole = 1e14

// Sum returns the amount as a sum.
func (a Amount) Sum() Sum {
	whole, fraction, ok := a.d.Int64(maxAmountScale)
	if ok && max(whole, -whole) < maxSmallWhole {
		return newSum(big.NewInt(whole*10_000 + fraction))
	}
	sum, _ := ParseSum(a.String()) // cannot fail: an amount is a decimal number
	return sum
}

// Plus returns s + o.
func (s Sum) Plus(o Sum) Sum {
	switch {
	case o.units == nil:
		return s
	case s.units == nil:
		return o
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

// String returns the sum in the format of the table: digits and a point, without
// trailing zeros.
func (s Sum) String() string {
	text := strings.TrimRight(string(s.AppendFixed(nil, maxAmountScale)), "0")
	return strings.TrimSuffix(text, ".")
}

// AppendFixed appends the sum with a fixed number of decimals, at most 4. It rounds
// half away from zero and does not group digits.
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

// maxWhole is the largest result of Whole. It is small enough for calculations with
// chart values.
const maxWhole = 1_000_000_000_000_000_000

// Whole returns the sum rounded to whole currency units, for charts. Sums above maxWhole
// become maxWhole.
func (s Sum) Whole() int {
	half := big.NewInt(5_000)
	if s.int().Sign() < 0 {
		half.Neg(half)
	}
	whole := new(big.Int).Add(s.int(), half)
	whole.Quo(whole, big.NewInt(10_000))
	switch {
	case whole.CmpAbs(big.NewInt(maxWhole)) < 0:
		return int(whole.Int64())
	case whole.Sign() < 0:
		return -maxWhole
	}
	return maxWhole
}

// MarshalJSON encodes the sum as a JSON number.
func (s Sum) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }

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

package store

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// priceRoundings lists the ways to round new prices. The first one rounds to the smallest
// unit of the currency.
var priceRoundings = []FieldOption{
	{"", "Round to the smallest unit"},
	{"0.05", "Round to 0.05"},
	{"0.1", "Round to 0.10"},
	{"0.5", "Round to 0.50"},
	{"1", "Round to 1"},
	{"5", "Round to 5"},
	{"10", "Round to 10"},
	{"x.99", "End in .99"},
}

// PriceRoundings lists the ways to round new prices in a currency. It omits those whose prices
// would have more decimals than the currency.
func PriceRoundings(currency string) []FieldOption {
	return slices.DeleteFunc(slices.Clone(priceRoundings), func(o FieldOption) bool {
		_, decimals, _ := strings.Cut(o.Value, ".")
		return len(decimals) > CurrencyDecimals(currency)
	})
}

func roundingOf(value string) FieldOption {
	i := slices.IndexFunc(priceRoundings, func(o FieldOption) bool { return o.Value == value })
	return priceRoundings[max(i, 0)]
}

// Limits of the percentage of a bulk change of prices.
const (
	minPercent = -90
	maxPercent = 1000
)

var isPercent = regexp.MustCompile(`^[+-]?[0-9]{1,4}(\.[0-9]{1,2})?$`)

// checkPrice returns Invalid if the percentage is missing, is 0, is not from minPercent
// to maxPercent or has more than two decimals, or if the rounding is not one of
// PriceRoundings for the currency. It removes spaces, a percent sign and a leading plus
// from Percent.
func (b *BulkChange) checkPrice(currency string) error {
	text := strings.ReplaceAll(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(b.Percent), "%")), "−", "-")
	percent, ok := new(big.Rat).SetString(text)
	switch {
	case text == "":
		return InvalidField("percent", "Enter a percentage, such as 5 or -2.5.")
	case !isPercent.MatchString(text) || !ok:
		return InvalidField("percent", "Enter a percentage from %d to %d with at most two decimals, such as 5 or -2.5.", minPercent, maxPercent)
	case percent.Sign() == 0:
		return InvalidField("percent", "Enter a percentage other than 0.")
	case percent.Cmp(big.NewRat(minPercent, 1)) < 0 || percent.Cmp(big.NewRat(maxPercent, 1)) > 0:
		return InvalidField("percent", "Enter a percentage from %d to %d.", minPercent, maxPercent)
	case !slices.ContainsFunc(PriceRoundings(currency), func(o FieldOption) bool { return o.Value == b.Rounding }):
		return InvalidField("rounding", "Choose a rounding from the list.")
	}
	b.Percent = strings.TrimPrefix(text, "+")
	return nil
}

// PriceAfter changes a price by the percentage and rounds it to the nearest price that
// Rounding allows, half up. The result is never below 0. PriceAfter returns ErrAmount if
// the result is too large.
func (b *BulkChange) PriceAfter(price Amount, currency string) (Amount, error) {
	exact, _ := new(big.Rat).SetString(price.String())
	percent, _ := new(big.Rat).SetString(b.Percent)
	factor := percent.Add(percent, big.NewRat(100, 1))
	exact.Mul(exact, factor).Quo(exact, big.NewRat(100, 1))
	step, offset := big.NewRat(1, 1), new(big.Rat)
	switch b.Rounding {
	case "":
		for range CurrencyDecimals(currency) {
			step.Quo(step, big.NewRat(10, 1))
		}
	case "x.99":
		offset = big.NewRat(-1, 100)
	default:
		step.SetString(b.Rounding)
	}
	steps := new(big.Rat).Quo(exact.Sub(exact, offset), step)
	steps.Add(steps, big.NewRat(1, 2))
	whole := new(big.Int).Div(steps.Num(), steps.Denom())
	rounded := new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
	rounded.Add(rounded, offset)
	if rounded.Sign() < 0 {
		rounded.SetInt64(0)
	}
	return ParseAmount(rounded.FloatString(maxAmountScale))
}

package store

import "strings"

// CurrencyDecimals returns the number of decimals that ISO 4217 defines for a
// currency, or two for an unknown currency. See
// https://www.six-group.com/en/products-services/financial-information/data-standards.html.
func CurrencyDecimals(code string) int {
	if decimals, found := currencyDecimals[code]; found {
		return decimals
	}
	return 2
}

// currencyDecimals lists the currencies that do not have two decimals.
var currencyDecimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
	"CLF": 4, "UYW": 4,
}

// CheckDecimals returns Invalid if an entered amount has more decimals than the currency,
// unless it equals the stored amount. It also returns Invalid for amounts such as 1.500,
// which can mean 1500.
func CheckDecimals(field string, entered, stored Amount, currency string) error {
	decimals := CurrencyDecimals(currency)
	text := entered.d.String() // the text includes trailing zeros, which ParseMoney keeps
	switch {
	case decimals < 3 && twoMeanings.MatchString(text) && strings.HasSuffix(text, "0"):
		return errTwoMeanings(field, text, decimals)
	case entered.d.Trim(0).Scale() <= decimals || entered.Compare(stored) == 0:
		return nil
	case decimals == 0:
		return InvalidField(field, "Enter an amount without decimals, such as 12.")
	}
	if decimals < 3 && twoMeanings.MatchString(text) {
		return InvalidField(field, "Enter an amount with at most %d decimals, such as 12.5%s. If you mean %s, leave out the point.", decimals, strings.Repeat("0", decimals-1), strings.Replace(text, ".", "", 1))
	}
	return InvalidField(field, "Enter an amount with at most %d decimals, such as 12.5%s.", decimals, strings.Repeat("0", decimals-1))
}

// InputAmount returns an amount for a form field, with at least the decimals of the
// currency, such as 12.50.
func InputAmount(a Amount, currency string) string {
	text := a.String()
	whole, fraction, _ := strings.Cut(text, ".")
	if missing := CurrencyDecimals(currency) - len(fraction); missing > 0 {
		return whole + "." + fraction + strings.Repeat("0", missing)
	}
	return text
}

// amountText returns an amount with its currency, for messages. It does not round.
func amountText(a Amount, currency string) string { return string(AppendMoney(nil, a, currency)) }

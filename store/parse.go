package store

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ParseWhole parses a whole number that a user entered. It accepts a hyphen or U+2212,
// which pages show, as the minus sign. Spaces can separate thousands, as in 1 000. A
// number outside the range of int32 becomes the smallest or largest int32, so that the
// range check of the field rejects it. ParseWhole returns Invalid for other text.
func ParseWhole(field, text string) (int, error) {
	text = joinGroups(strings.Replace(strings.TrimSpace(text), "−", "-", 1))
	n, err := strconv.Atoi(text)
	switch {
	case err == nil || errors.Is(err, strconv.ErrRange):
		return max(min(n, math.MaxInt32), math.MinInt32), nil
	case groupedDigits.MatchString(text):
		return 0, InvalidField(field, "Enter the number without a point or comma, such as %s.", strings.NewReplacer(".", "", ",", "").Replace(text))
	default:
		return 0, InvalidField(field, "Enter a whole number, such as 12.")
	}
}

// groupedDigits matches a number with a point or comma before each group of three digits.
var groupedDigits = regexp.MustCompile(`^[1-9][0-9]{0,2}([.,][0-9]{3})+$`)

// twoMeanings matches an amount such as 1.500, whose separator can start the decimals or
// separate thousands.
var twoMeanings = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$`)

// decimalComma matches an amount whose only separator is a comma before the last one or two
// digits.
var decimalComma = regexp.MustCompile(`^[+-]?[0-9]*,[0-9]{1,2}$`)

// spacedGroups matches a number with a space before each group of three digits, such as
// 1 234,50. It also accepts no-break spaces and thin spaces.
var spacedGroups = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}([ \x{a0}\x{2009}\x{202f}][0-9]{3})+([.,][0-9]*)?$`)

// joinGroups removes the spaces between groups of three digits. In such a number, a comma
// is the decimal separator. joinGroups replaces it with a point.
func joinGroups(text string) string {
	if spacedGroups.MatchString(text) {
		return strings.Replace(withoutSpaces(text), ",", ".", 1)
	}
	return text
}

func withoutSpaces(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// ParseMoney parses an amount that a user entered. An empty string is zero. A comma before
// the last one or two digits is a decimal comma, as in 12,50. Spaces can separate
// thousands, as in 1 234,50 or 1 234,500. ParseMoney returns Invalid for text that is not
// an amount, and for an amount such as 1,234, in which the comma can separate decimals or
// thousands. It accepts up to four decimals, in any currency; see CheckDecimals.
func ParseMoney(field, text string) (Amount, error) {
	text = joinGroups(strings.TrimSpace(text))
	if decimalComma.MatchString(text) {
		text = strings.Replace(text, ",", ".", 1)
	}
	if text == "" {
		return Amount{}, nil
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
	switch {
	case strings.Trim(withoutSpaces(text), "+-0123456789.,") != "":
		return Amount{}, InvalidField(field, "Enter an amount in digits, such as 12.50.")
	case withoutSpaces(text) != text:
		return Amount{}, InvalidField(field, "Enter the amount without spaces, such as 1250.50.")
	case twoMeanings.MatchString(text) && strings.Contains(text, ","):
		return Amount{}, errTwoMeanings(field, text, 2)
	case strings.Contains(text, ","):
		return Amount{}, InvalidField(field, "Enter the amount with a decimal point and without commas, such as 1250.50.")
	case len(strings.TrimLeft(whole, "0")) > maxAmountDigits:
		return Amount{}, InvalidField(field, "Enter an amount below 10,000,000,000.")
	case len(strings.TrimRight(fraction, "0")) > maxAmountScale && strings.Trim(fraction, "0123456789") == "":
		return Amount{}, InvalidField(field, "Enter an amount with fewer decimals, such as 12.50.")
	}
	amount, err := ParseAmount(text)
	if err != nil {
		return Amount{}, InvalidField(field, "Enter an amount, such as 12.50.")
	}
	if twoMeanings.MatchString(text) {
		amount.d = amount.d.Pad(3)
	}
	return amount, nil
}

// errTwoMeanings returns the error for an amount such as 1.500 in a currency with the given
// number of decimals.
func errTwoMeanings(field, text string, decimals int) error {
	whole := strings.NewReplacer(".", "", ",", "").Replace(text)
	if decimals == 0 {
		return InvalidField(field, "Enter the amount without a point or comma, such as %s.", whole)
	}
	return InvalidField(field, "%s is ambiguous. Enter %s, or an amount with at most %d decimals.", text, whole, decimals)
}

// ParseDay parses a calendar day that a user entered, such as 2026-11-21, and returns midnight
// UTC of this day. For an empty string, it returns the zero time. ParseDay returns Invalid
// for text that is not such a day.
func ParseDay(field, text string) (time.Time, error) {
	if strings.TrimSpace(text) == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil || day.IsZero() {
		return time.Time{}, InvalidField(field, "Enter a date, such as 2026-11-21.")
	}
	return day, nil
}

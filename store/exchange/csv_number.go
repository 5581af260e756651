package exchange

import (
	"fmt"
	"regexp"
	"strings"

	"stockroom/store"
)

// findDecimalSign determines whether the file uses a decimal point or a decimal comma. It
// returns a FileError if the file uses both, because a number such as 1.234 would be
// ambiguous. It ignores rows that it cannot read. The import rejects them later.
func (f *csvFile) findDecimalSign() error {
	var numbers []int
	for i, c := range f.columns {
		if c.kind == store.Money || c.kind == store.Whole {
			numbers = append(numbers, i)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	f.rewound = true
	if err := f.rewind(); err != nil {
		return err
	}
	found := ""
	for {
		_, cells, reason, err := f.next()
		if err != nil {
			return f.rewind()
		}
		if reason != "" {
			continue
		}
		for _, i := range numbers {
			sign := decimalSign(cells[i])
			if sign == 0 || sign == f.decimal {
				continue
			}
			cell := fmt.Sprintf("row %d has %s in %s", f.row, strings.TrimSpace(cells[i]), f.columns[i].name)
			if f.decimal != 0 {
				return &FileError{File: f.name, Reason: fmt.Sprintf("some numbers have a decimal point and some a decimal comma: %s, and %s; use the same decimal separator in all numbers", found, cell)}
			}
			f.decimal, found = sign, cell
		}
	}
}

// decimalSign returns the decimal separator of a number. It returns 0 if the number has no
// decimals or is ambiguous, such as 1,234 or 1.234.
func decimalSign(cell string) byte {
	text := withoutSpaces(cell)
	last := strings.LastIndexAny(text, ".,")
	if last < 0 {
		return 0
	}
	sign, other := text[last], byte('.')
	if sign == '.' {
		other = ','
	}
	whole, fraction := strings.TrimLeft(text[:last], "+-"), text[last+1:]
	if strings.Trim(whole+fraction, ".,0123456789") != "" {
		return 0 // not a number
	}
	switch {
	case strings.IndexByte(whole, sign) >= 0: // the separator occurs more than once, so it only separates thousands, as in 1.234.567
		return other
	case strings.IndexByte(whole, other) >= 0, len(fraction) != 3, whole == "", whole[0] == '0', len(whole) > 3:
		return sign
	}
	return 0
}

// withoutSpaces removes characters that group digits, except points and commas.
func withoutSpaces(text string) string {
	if !strings.ContainsAny(text, " \u00a0\u202f'’") {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\u00a0', '\u202f', '\'', '’':
			return -1
		}
		return r
	}, text)
}

// parseDecimal converts a number such as 1 234,50 or 1,234.50 to digits with a decimal
// point. The argument sign is the decimal separator of the file, or 0 if unknown.
// parseDecimal returns "" for text that is not a number. If the separator is unknown,
// it also returns "" for ambiguous numbers: 1,234 could be 1234 or 1.234, and 1.500
// could be 1500 or 1.5. It reads 1.234 as a decimal number, because exports of
// Stockroom contain such numbers.
func parseDecimal(text string, sign byte) string {
	text = withoutSpaces(text)
	last := strings.LastIndexAny(text, ".,")
	if last < 0 {
		return plainNumber(text, "")
	}
	if sign == 0 {
		if sign = decimalSign(text); sign == 0 && (text[last] == ',' || isAmbiguous(text)) {
			return ""
		} else if sign == 0 {
			sign = '.'
		}
	}
	thousands := ","
	if sign == ',' {
		thousands = "."
	}
	whole, fraction, _ := strings.Cut(text, string(sign))
	groups := strings.Split(whole, thousands)
	if len(groups) > 1 && len(strings.TrimLeft(groups[0], "+-")) > 3 {
		return ""
	}
	return joinThousands(groups, fraction)
}

// twoMeanings matches a number with one separator, which can be a decimal separator or a
// thousands separator.
var twoMeanings = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}(,[0-9]{3}|\.[0-9]{2}0)$`)

// isAmbiguous reports whether a number has two meanings. 1.234 counts as a decimal number,
// because exports of Stockroom have a decimal point and no zero at the end.
func isAmbiguous(text string) bool { return twoMeanings.MatchString(withoutSpaces(text)) }

// unambiguous rewrites a number whose meaning depends on the decimal separator of its
// file: with a decimal comma, 1.234 becomes 1234, and otherwise 1.2340. It returns any
// other cell unchanged.
func unambiguous(text string, sign byte) string {
	if !strings.ContainsAny(text, ".,") || decimalSign(text) != 0 {
		return text
	}
	number := parseDecimal(text, sign)
	whole, fraction, _ := strings.Cut(number, ".")
	switch {
	case number == "":
		return text
	case fraction == "":
		return whole
	case len(fraction) == 3:
		fraction += "0"
	}
	return whole + string(sign) + fraction
}

// groupedByPoint matches a number whose point can be a thousands separator.
var groupedByPoint = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$`)

// mayGroupByPoint reports whether the point in a number may be a thousands separator, as
// in 1.234. If semicolons separate the cells of the file, its decimal separator is
// probably a comma, even if no number contains one.
func (f *csvFile) mayGroupByPoint(cell string) bool {
	return f.comma == ';' && f.decimal == 0 && f.mapper == nil && groupedByPoint.MatchString(withoutSpaces(cell))
}

func joinThousands(groups []string, fraction string) string {
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return ""
		}
	}
	return plainNumber(strings.Join(groups, ""), fraction)
}

// plainNumber joins the whole and the fraction of a number with a point. It removes a plus
// sign, and trailing zeros of the fraction. It returns "" if the result is not a number.
func plainNumber(whole, fraction string) string {
	digits := strings.TrimLeft(whole, "+-")
	if len(whole)-len(digits) > 1 || digits == "" || strings.Trim(digits+fraction, "0123456789") != "" {
		return ""
	}
	whole = strings.TrimPrefix(whole, "+")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		whole += "." + fraction
	}
	return whole
}

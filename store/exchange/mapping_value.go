package exchange

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/govalues/decimal"

	"stockroom/store"
	"stockroom/store/csvfile"
	"stockroom/store/key"
)

// rowError is the reason why the mapping cannot convert a row.
type rowError string

func (e rowError) Error() string { return string(e) }

// value converts cells of a row to one cell, in the format of an export.
func (b *boundTarget) value(cells []string) (string, error) {
	value, err := b.plainValue(cells)
	if b.column.kind == store.Text || b.column.kind == store.Texts {
		value = csvfile.Escape(value)
	}
	return value, err
}

// plainValue is like value, but does not escape formulas.
func (b *boundTarget) plainValue(cells []string) (string, error) {
	if len(b.from) == 0 {
		return b.constant, nil
	}
	var texts []string
	for _, i := range b.from {
		if text := b.format.text(cells[i]); text != "" {
			texts = append(texts, text)
		}
	}
	text := strings.Join(texts, b.separator)
	if meant, found := b.values[text]; found {
		return meant, nil
	}
	switch {
	case text == "":
		return "", nil
	case b.other != nil:
		return *b.other, nil
	}
	switch b.column.kind {
	case store.Money, store.Whole:
		return b.number(text, cells)
	case store.Instant, store.Seconds, store.Day:
		return b.date(text)
	}
	return b.prefix + text, nil
}

// text returns the text of a cell, or "" if the cell counts as empty.
func (f *cellFormat) text(cell string) string {
	text := strings.TrimSpace(csvfile.Unescape(cell))
	if slices.Contains(f.empty, text) {
		return ""
	}
	return text
}

func (b *boundTarget) invalid(text, hint string) error {
	return rowError(fmt.Sprintf("%s %s is not valid. %s", b.names, store.Quoted(text), hint))
}

func (b *boundTarget) date(text string) (string, error) {
	if len(b.format.dates) == 0 {
		return text, nil
	}
	for _, layout := range b.format.dates {
		switch t, err := time.Parse(layout, text); {
		case err != nil:
		case b.column.kind == store.Day:
			return t.Format(key.Day), nil // the day as written, in any time zone
		default:
			return t.UTC().Format(time.RFC3339Nano), nil
		}
	}
	return "", b.invalid(text, "It matches none of the date formats in the mapping.")
}

// number converts a number, and applies the scale and the discount.
func (b *boundTarget) number(text string, cells []string) (string, error) {
	if b.scale.IsZero() && b.discount < 0 && b.format.decimal == "" {
		return text, nil
	}
	d, ok := b.format.number(text)
	if !ok {
		if b.format.decimal == "" {
			return "", b.invalid(text, "Enter a number such as 1234.50, or add the decimal separator to the mapping.")
		}
		return "", b.invalid(text, "Enter a number with the decimal separator of the mapping.")
	}
	var err error
	if !b.scale.IsZero() {
		if d, err = d.Mul(b.scale); err != nil {
			return "", b.invalid(text, "The number is too large.")
		}
	}
	if b.discount >= 0 {
		cell := b.format.text(cells[b.discount])
		rate, ok := b.format.rate(cell)
		if !ok {
			return "", rowError(fmt.Sprintf("%s %s is not valid. Enter a fraction from 0 to 1, or a percentage such as 15%%.", b.target.discount, store.Quoted(cell)))
		}
		if d, err = afterDiscount(d, rate, b.decimals()); err != nil {
			return "", b.invalid(text, "The number is too large.")
		}
	}
	return d.Trim(0).String(), nil
}

// number parses a number with the decimal separator of the mapping.
func (f *cellFormat) number(text string) (decimal.Decimal, bool) {
	plain := ""
	switch f.decimal {
	case "":
		plain = parseDecimal(text, 0)
	case ",":
		plain = decimalWith(text, ",", ".")
	default:
		plain = decimalWith(text, ".", ",")
	}
	d, err := decimal.Parse(plain)
	return d, plain != "" && err == nil
}

// decimalWith converts a number to digits with a decimal point. It returns "" if text is
// not a number with this decimal separator and this thousands separator.
func decimalWith(text, sign, thousands string) string {
	text = withoutSpaces(text)
	whole, fraction, _ := strings.Cut(text, sign)
	if strings.Contains(fraction, thousands) {
		return ""
	}
	return joinThousands(strings.Split(whole, thousands), fraction)
}

// rate parses a discount: a fraction from 0 to 1, or a percentage.
func (f *cellFormat) rate(text string) (decimal.Decimal, bool) {
	if text == "" {
		return decimal.Zero, true
	}
	number, percent := strings.CutSuffix(text, "%")
	d, ok := f.number(number)
	if percent && ok {
		var err error
		d, err = d.Quo(decimal.Hundred)
		ok = err == nil
	}
	return d, ok && !d.IsNeg() && d.Cmp(decimal.One) <= 0
}

// afterDiscount returns a price after a discount, rounded half up to the decimals
// of the currency.
func afterDiscount(price, rate decimal.Decimal, decimals int) (decimal.Decimal, error) {
	if rate.IsZero() {
		return price, nil
	}
	rest, err := decimal.One.Sub(rate)
	if err != nil {
		return price, err
	}
	if price, err = price.Mul(rest); err != nil {
		return price, err
	}
	half, err := decimal.New(5, decimals+1)
	if err != nil {
		return price, err
	}
	if price, err = price.Add(half); err != nil {
		return price, err
	}
	return price.Floor(decimals), nil
}

// dateUnits maps the units of a date format, such as DD, to layouts of package time. These
// layouts accept days, months and hours with one or two digits.
var dateUnits = []struct{ unit, layout string }{
	{"YYYY", "2006"},
	{"YY", "06"},
	{"MMMM", "January"},
	{"MMM", "Jan"},
	{"MM", "1"},
	{"M", "1"},
	{"DD", "2"},
	{"D", "2"},
	{"hh", "15"},
	{"h", "15"},
	{"mm", "04"},
	{"ss", "05"},
	{"AM", "PM"},
	{"Z", "Z07:00"},
	{"T", "T"},
}

// dateLayout converts a date format, such as DD.MM.YYYY hh:mm, to a layout of
// package time. The result ok is false if the format has an unknown unit, or lacks the year,
// the month or the day.
func dateLayout(format string) (layout string, ok bool) {
	var b strings.Builder
	var hasYear, hasMonth, hasDay bool
	for rest := format; rest != ""; {
		i := slices.IndexFunc(dateUnits, func(u struct{ unit, layout string }) bool { return strings.HasPrefix(rest, u.unit) })
		if i >= 0 {
			unit := dateUnits[i].unit
			hasYear, hasMonth, hasDay = hasYear || unit[0] == 'Y', hasMonth || unit[0] == 'M', hasDay || unit[0] == 'D'
			b.WriteString(dateUnits[i].layout)
			rest = rest[len(unit):]
			continue
		}
		if !strings.ContainsRune(" ./-:,", rune(rest[0])) {
			return "", false
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	if layout = b.String(); strings.Contains(layout, "PM") {
		layout = strings.Replace(layout, "15", "3", 1)
	}
	return layout, hasYear && hasMonth && hasDay
}

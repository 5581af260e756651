package views

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stockroom/store"
)

// AppendMoney appends an amount with its currency, such as €1,234.50. It writes up to
// four decimals and never rounds.
func AppendMoney(b []byte, amount store.Amount, code string) []byte {
	return store.AppendMoney(b, amount, code)
}

// AppendSum appends a sum with its currency, as AppendMoney does.
func AppendSum(b []byte, sum store.Sum, code string) []byte { return store.AppendSum(b, sum, code) }

// AppendCount appends a whole number with commas, such as 1,234.
func AppendCount(b []byte, n int) []byte {
	start := len(b)
	if n < 0 {
		b = append(b, "−"...)
		start, n = len(b), -n
	}
	return store.GroupDigits(strconv.AppendInt(b, int64(n), 10), start)
}

// AppendDay appends the date of a time in the zone, such as 20 Nov 2026, or a dash
// for the zero time.
func AppendDay(b []byte, t time.Time, zone *time.Location) []byte {
	if t.IsZero() {
		return append(b, "–"...)
	}
	return appendDay(b, in(t, zone))
}

// AppendTime appends a time such as 20 Nov 2026, 14:06, or a dash for the zero time.
func AppendTime(b []byte, t time.Time, zone *time.Location) []byte {
	if t.IsZero() {
		return append(b, "–"...)
	}
	local := in(t, zone)
	b = append(appendDay(b, local), ", "...)
	hour, minute, _ := local.Clock()
	b = append(b, byte('0'+hour/10), byte('0'+hour%10), ':')
	return append(b, byte('0'+minute/10), byte('0'+minute%10))
}

func appendDay(b []byte, local time.Time) []byte {
	year, month, day := local.Date()
	b = append(strconv.AppendInt(b, int64(day), 10), ' ')
	b = append(append(b, month.String()[:3]...), ' ')
	return strconv.AppendInt(b, int64(year), 10)
}

func in(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone)
}

// RelativeDay returns how far a day is from today in words, such as "today", "in 3 days"
// or "yesterday".
func RelativeDay(t, now time.Time, zone *time.Location) string {
	switch days := daysBetween(in(now, zone), in(t, zone)); {
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	case days == -1:
		return "yesterday"
	case days > 0:
		return "in " + strconv.Itoa(days) + " days"
	default:
		return strconv.Itoa(-days) + " days ago"
	}
}

// daysBetween returns the number of calendar days from one date to another. It ignores
// the time of day.
func daysBetween(from, to time.Time) int {
	noon := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC)
	}
	return int(noon(to).Sub(noon(from)) / (24 * time.Hour))
}

// shortText is a buffer for an amount, a date or a number. It is on the stack, so it saves
// an allocation.
type shortText [48]byte

func (p *Page) money(amount store.Amount) string {
	var b shortText
	return string(AppendMoney(b[:0], amount, p.Currency))
}

// sum formats a sum as money in the currency of the business.
func (p *Page) sum(sum store.Sum) string {
	var b shortText
	return string(AppendSum(b[:0], sum, p.Currency))
}

func (p *Page) day(t time.Time) string {
	var b shortText
	return string(AppendDay(b[:0], t, p.Zone))
}

func (p *Page) time(t time.Time) string {
	var b shortText
	return string(AppendTime(b[:0], t, p.Zone))
}

func (p *Page) calendar(day time.Time) string {
	var b shortText
	return string(AppendDay(b[:0], day, time.UTC))
}

func relativeDay(p *Page, t time.Time) string { return RelativeDay(t, p.Now, p.Zone) }

func (p *Page) zone() *time.Location {
	if p.Zone == nil {
		return time.UTC
	}
	return p.Zone
}

// machine formats a time for the datetime attribute of a <time> element.
func machine(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// number formats a whole number with commas, such as 1,234.
func number(n int) string {
	var b shortText
	return string(AppendCount(b[:0], n))
}

// levelNumber formats the number n of a stock level. It returns "–" if the level could not
// be decoded.
func levelNumber(l store.StockLevel, n int) string {
	if l.Unreadable {
		return "–"
	}
	return number(n)
}

// count returns a number with the right noun: 1 order, 25 orders.
func count(n int, one, many string) string {
	var b shortText
	return string(appendCount(b[:0], n, one, many))
}

// ordinal returns 1st, 2nd, 3rd, 4th and so on.
func ordinal(n int) string {
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func appendCount(b []byte, n int, one, many string) []byte {
	b = append(AppendCount(b, n), ' ')
	if n == 1 {
		return append(b, one...)
	}
	return append(b, many...)
}

// nameOr returns the name, or the ID if there is none.
func nameOr(name, id string) string {
	if name == "" {
		return id
	}
	return name
}

// sentence formats a stored code in sentence case: GIFT_CARD becomes Gift card.
func sentence(word string) string {
	word = strings.ReplaceAll(word, "_", " ")
	_, first := utf8.DecodeRuneInString(word)
	if strings.ToUpper(word) != word {
		return word
	}
	return word[:first] + strings.ToLower(word[first:])
}

// capital returns text with its first letter in upper case.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

func withSign(n int) string {
	if n > 0 {
		return "+" + number(n)
	}
	return number(n)
}

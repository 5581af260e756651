package views

import (
	"regexp"
	"strings"
	"time"

	"stockroom/store"
)

// Patterns of the stored texts of events. Amounts in these texts have no currency, except
// in newer texts of changed fields; see editedAmounts. Times are in UTC.
var (
	storedAmount = regexp.MustCompile(`(^|, |; )(daily rate|charge|deposit of|deposit|price|target|amount per month|refund limit for support) (\d+(?:\.\d+)?)\b`)
	rentalIntro  = regexp.MustCompile(`^(?:by .* after \d+ days?|to .* until \d{1,2} \w{3} \d{4})`) // contains the name of the person
	rentalRemark = regexp.MustCompile(`; (?:condition|damage): `)                                   // a text that a user wrote follows
	bookingText  = regexp.MustCompile(`^(.+) (?:on|from) (\d{1,2} \w{3} \d{4})(?: to (\d{1,2} \w{3} \d{4}))?$`)
	undoneAt     = regexp.MustCompile(`\d{1,2} \w{3} \d{4} \d\d:\d\d UTC\)$`)
)

// rentalAmounts formats the amounts in the reason of a check-out or check-in. It does not
// change the name of the person, nor the condition and the damage.
func rentalAmounts(p *Page, why string) string {
	remark := ""
	if at := rentalRemark.FindStringIndex(why); at != nil {
		why, remark = why[:at[0]], why[at[0]:]
	}
	intro := rentalIntro.FindString(why)
	return intro + storedAmounts(p, why[len(intro):]) + remark
}

// editedAmounts returns a function that formats the amounts in the text of changed fields.
// Texts from current versions already contain the currency, so the function changes only
// amounts that are the value of a changed field. Older events do not contain the values; the
// function then formats all amounts.
func editedAmounts(p *Page, e *store.Event) func(text string) string {
	return func(text string) string {
		if e.Values == "" {
			return storedAmounts(p, text)
		}
		return storedAmount.ReplaceAllStringFunc(text, func(found string) string {
			if at := strings.LastIndexByte(found, ' ') + 1; e.HasValue(found[at:]) {
				return storedAmounts(p, found)
			}
			return found
		})
	}
}

// storedAmounts formats the amounts in a text of an event.
func storedAmounts(p *Page, text string) string {
	return storedAmount.ReplaceAllStringFunc(text, func(found string) string {
		at := strings.LastIndexByte(found, ' ') + 1
		amount, err := store.ParseAmount(found[at:])
		if err != nil {
			return found
		}
		return found[:at] + p.money(amount)
	})
}

// undoTime formats the time at the end of a reason such as Undoes “Kayak edited” (30 Nov
// 2026 00:22 UTC).
func undoTime(p *Page, why string) string {
	return undoneAt.ReplaceAllStringFunc(why, func(found string) string {
		at, err := time.Parse("2 Jan 2006 15:04 UTC)", found)
		if err != nil {
			return found
		}
		return p.time(at) + ")"
	})
}

// bookedDays returns the kayak and the days in the text of a moved booking. The days are
// empty if the text has none.
func bookedDays(text string) (kayak, days string) {
	parts := bookingText.FindStringSubmatch(text)
	if parts == nil {
		return text, ""
	}
	from, err := time.Parse("2 Jan 2006", parts[2])
	to, errTo := from, error(nil)
	if parts[3] != "" {
		to, errTo = time.Parse("2 Jan 2006", parts[3])
	}
	if err != nil || errTo != nil {
		return text, ""
	}
	return parts[1], dates(from, to)
}

// movedBooking describes how a booking was moved.
func movedBooking(before, after string) string {
	kayak, days := bookedDays(before)
	toKayak, toDays := bookedDays(after)
	switch {
	case days == toDays:
		return joinNonEmpty(", ", changeText(kayak, toKayak), days)
	case kayak == toKayak:
		return kayak + ", dates " + changeText(days, toDays)
	}
	return changeText(joinNonEmpty(", ", kayak, days)+",", joinNonEmpty(", ", toKayak, toDays))
}

// rentalPaymentText describes a rental payment in a timeline. A negative amount was paid
// to the person.
func rentalPaymentText(p *Page, kind store.RentalPaymentKind, amount store.Amount) string {
	switch kind {
	case store.DepositTaken:
		return "Deposit of " + p.money(amount)
	case store.DepositReturned:
		return "Deposit of " + p.money(store.Amount{}.Minus(amount)) + " returned"
	case store.DepositKept:
		return "Deposit of " + p.money(amount) + " kept"
	}
	return rentalPaymentName(kind) + " of " + p.money(amount)
}

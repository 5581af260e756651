package views

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// StoreWeek is the page with the week of a store: days across, kayaks down. On a phone, it
// shows one day.
type StoreWeek struct {
	Page
	Store store.RentalStore
	Week  store.StoreWeek
	Day   time.Time // the day that a phone shows
	Kind  string    // only this kind of kayaks; "" for all
	Part  int       // page of kayaks, from 1
}

// WeekRows is the maximum number of kayaks on one page of a week.
const WeekRows = 50

// kinds returns the kayaks on this page by kind, the number of kayaks on this page, and the
// number of kayaks on all pages.
func (p *StoreWeek) kinds() (shown []store.WeekKind, rows, all int) {
	first, last := (p.Part-1)*WeekRows, p.Part*WeekRows
	for _, kind := range p.Week.Kinds {
		if p.Kind != "" && kind.Kind != p.Kind {
			continue
		}
		from, to := max(0, min(len(kind.Kayaks), first-all)), max(0, min(len(kind.Kayaks), last-all))
		all += len(kind.Kayaks)
		if kind.Kayaks = kind.Kayaks[from:to]; len(kind.Kayaks) > 0 {
			shown = append(shown, kind)
			rows += len(kind.Kayaks)
		}
	}
	return shown, rows, all
}

// at returns the address of the page of this store for the week of a day, with a kind and a
// page of kayaks.
func (p *StoreWeek) at(day time.Time, kind string, part int) string {
	path := WeekPath(p.Store.ID, day)
	if kind != "" {
		path += "&kind=" + url.QueryEscape(kind)
	}
	if part > 1 {
		path += "&page=" + strconv.Itoa(part)
	}
	return path
}

func (p *StoreWeek) day(n int) time.Time { return p.Week.Monday.AddDate(0, 0, n) }

// number returns the weekday that a phone shows: 1 for Monday, 7 for Sunday.
func (p *StoreWeek) number() int { return daysBetween(p.Week.Monday, p.Day) + 1 }

// title returns the days of the week, such as 23–29 Nov 2026.
func (p *StoreWeek) title() string { return dates(p.Week.Monday, p.day(store.WeekDays-1)) }

// dates formats a range of days with the year.
func dates(first, last time.Time) string {
	switch {
	case first.Equal(last):
		return first.Format("2 Jan 2006")
	case first.Year() != last.Year():
		return first.Format("2 Jan 2006") + " – " + last.Format("2 Jan 2006")
	case first.Month() != last.Month():
		return first.Format("2 Jan") + " – " + last.Format("2 Jan 2006")
	}
	return first.Format("2") + "–" + last.Format("2 Jan 2006")
}

func (p *StoreWeek) tabs() []ui.Tab {
	tabs := []ui.Tab{{Name: "All kinds", URL: p.at(p.Day, "", 1), Current: p.Kind == ""}}
	for _, kind := range p.Week.Kinds {
		if kind.Kind != "" {
			tabs = append(tabs, ui.Tab{Name: kind.Kind, URL: p.at(p.Day, kind.Kind, 1), Current: p.Kind == kind.Kind})
		}
	}
	return tabs
}

// free returns a number in words, such as "3 free".
func free(n int) string {
	if n == 0 {
		return "None free"
	}
	return number(n) + " free"
}

// weekSlot shows a rental, a booking or a repair in the cell of one day. If it lasts
// several days, each day has a slot, and only the first one shows the text.
type weekSlot struct {
	class, path string
	text, state string // the renter, and how the rental or booking ended
	note        string
	isFirst     bool // the first slot of the rental, booking or repair in this week
}

// slots returns the slots of a kayak on day n of the week, counted from 0. There can be
// two, because a kayak can be booked although it is overdue.
func (p *StoreWeek) slots(row *store.WeekKayak, n int) []weekSlot {
	d := &row.Days[n]
	var all []weekSlot
	if r := d.Rental; r != nil {
		slot := weekSlot{class: "slot out", path: KayakPath(row.ID), text: nameOr(r.PersonName, r.PersonID), note: "Out, due " + weekDay(r.Due)}
		if r.Due.Before(p.Week.Today) {
			slot.class, slot.note = "slot late", "Overdue since "+weekDay(r.Due)
		}
		all = append(all, p.span(slot, row, n, func(d *store.WeekDay) bool { return d.Rental != nil }))
	}
	if b := d.Booking; b != nil {
		text := b.Renter()
		if b.Note != "" {
			text += ", " + b.Note
		}
		slot := weekSlot{class: "slot", path: BookingPath(b.BookingID), text: text, note: "Booked " + weekSpan(b.From, b.To)}
		if b.From.Before(p.Week.Today) {
			slot.class, slot.note = "slot late", "Not picked up, booked "+weekSpan(b.From, b.To)
		}
		if row.Late {
			slot.note += ", kayak not back yet"
		}
		all = append(all, p.span(slot, row, n, func(other *store.WeekDay) bool {
			return other.Booking != nil && other.Booking.BookingID == b.BookingID
		}))
	}
	if b := d.Ended; b != nil && len(all) == 0 && !showsReturned(d) {
		slot := weekSlot{class: "slot ended", path: BookingPath(b.ID), text: b.Renter(), state: ", " + endedText(b.Status), note: "Booked " + weekSpan(b.From, b.To)}
		all = append(all, p.span(slot, row, n, func(other *store.WeekDay) bool {
			return other.Ended != nil && other.Ended.ID == b.ID && other.Rental == nil && other.Booking == nil && !showsReturned(other)
		}))
	}
	if r := d.Returned; showsReturned(d) {
		slot := weekSlot{class: "slot ended", path: KayakPath(row.ID), text: r.Renter(), state: ", returned", note: "Out " + weekSpan(calendarOf(r.Out.In(p.zone())), calendarOf(r.Returned.In(p.zone())))}
		all = append(all, p.span(slot, row, n, func(other *store.WeekDay) bool { return showsReturned(other) && other.Returned.ID == r.ID }))
	}
	if d.Repair && len(all) == 0 {
		slot := weekSlot{class: "slot repair", path: KayakPath(row.ID), text: "In repair", note: "Until further notice"}
		all = append(all, p.span(slot, row, n, func(d *store.WeekDay) bool { return d.Repair && d.Booking == nil && d.Rental == nil }))
	}
	return all
}

// showsReturned reports whether a day shows a rental that has ended. It returns false if
// the day shows a current rental, an open booking, or the booking that led to the rental.
func showsReturned(d *store.WeekDay) bool {
	return d.Returned != nil && d.Rental == nil && d.Booking == nil && (d.Ended == nil || d.Ended.RentalID != d.Returned.ID)
}

// endedText returns how a booking of a past day ended.
func endedText(s store.BookingStatus) string {
	if s == store.BookingCheckedOut {
		return "returned"
	}
	return strings.ToLower(badge(bookingBadges, s).Word)
}

// span sets isFirst, and adds the CSS classes for the length of a slot. The function same
// reports whether another day belongs to the same rental, booking or repair. The first slot
// gets the class "from", and a class with the number of days, which limits the width of the
// text. The last slot gets the class "to".
func (p *StoreWeek) span(slot weekSlot, row *store.WeekKayak, n int, same func(*store.WeekDay) bool) weekSlot {
	length := 1
	for n+length < store.WeekDays && same(&row.Days[n+length]) {
		length++
	}
	if slot.isFirst = n == 0 || !same(&row.Days[n-1]); slot.isFirst {
		slot.class += " from n" + strconv.Itoa(length)
	}
	if length == 1 {
		slot.class += " to"
	}
	return slot
}

// tabIndex returns -1 for slots that only continue the day before, so that the Tab key
// skips them. On the day that a phone shows, it returns 0.
func (p *StoreWeek) tabIndex(slot weekSlot, n int) string {
	if slot.isFirst || n+1 == p.number() {
		return "0"
	}
	return "-1"
}

// cellClass returns the CSS classes of a cell of day n with this number of slots.
func (p *StoreWeek) cellClass(n, slots int) string {
	class := "c" + strconv.Itoa(n+1)
	if p.day(n).Equal(p.Week.Today) {
		class += " today"
	}
	if slots > 1 {
		class += " two"
	}
	return class
}

// canBook reports whether the page offers to book a kayak on day n.
func (p *StoreWeek) canBook(n int) bool {
	return canRent(&p.Page, p.Store.ID) && !p.Store.Archived && !p.day(n).Before(p.Week.Today)
}

// weekDay formats a day of a week, such as Fri 27 Nov.
func weekDay(day time.Time) string { return day.Format("Mon 2 Jan") }

func weekSpan(from, to time.Time) string {
	if from.Equal(to) {
		return weekDay(from)
	}
	return weekDay(from) + " to " + weekDay(to)
}

// calendarOf returns the calendar day of a time in its own zone, as midnight UTC.
func calendarOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// bookFrom returns the first day of a new booking: the day on the page, or today if that
// day is past.
func (p *StoreWeek) bookFrom() time.Time {
	if p.Day.Before(p.Week.Today) {
		return p.Week.Today
	}
	return p.Day
}

package handlers

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store"
)

// calendarWriter writes an iCalendar file; see https://www.rfc-editor.org/rfc/rfc5545.
type calendarWriter struct {
	text   strings.Builder
	stamp  string // creation time of the file
	events int
}

// weekCalendar returns an iCalendar file with the bookings and rentals of a store's
// week, and the number of events in it. Each booking or rental is one event that covers
// whole days.
func weekCalendar(s *store.RentalStore, week *store.StoreWeek, now time.Time) (file []byte, events int) {
	w := &calendarWriter{stamp: now.UTC().Format("20060102T150405Z")}
	w.line("BEGIN", "VCALENDAR")
	w.line("VERSION", "2.0")
	w.line("PRODID", "-//Stockroom//Store week//EN")
	w.line("X-WR-CALNAME", escapeCalendar("Week at "+cmp.Or(s.Name, s.ID)))
	seen := map[string]bool{}
	for _, kind := range week.Kinds {
		for i := range kind.Kayaks {
			k := &kind.Kayaks[i]
			name := cmp.Or(k.Name, k.ID) + " (" + k.ID + ")"
			for _, d := range k.Days {
				if b := d.Booking; b != nil && !seen[b.BookingID] {
					seen[b.BookingID] = true
					w.event("booking-"+b.BookingID, b.Renter()+": "+name, b.Note, s, b.From, b.To)
				}
				if r := d.Rental; r != nil && !seen["rental "+k.ID] {
					seen["rental "+k.ID] = true
					w.event("rental-"+cmp.Or(r.RentalID, k.ID), "Out: "+cmp.Or(r.PersonName, r.PersonID)+": "+name, "", s, d.Day, latest(r.Due, d.Day))
				}
			}
		}
	}
	w.line("END", "VCALENDAR")
	return []byte(w.text.String()), w.events
}

// event writes an event that covers whole days. In iCalendar, the end of such an event
// is the day after its last day.
func (w *calendarWriter) event(id, summary, note string, s *store.RentalStore, from, to time.Time) {
	w.events++
	w.line("BEGIN", "VEVENT")
	w.line("UID", escapeCalendar(id)+"@stockroom")
	w.line("DTSTAMP", w.stamp)
	w.line("DTSTART;VALUE=DATE", from.Format("20060102"))
	w.line("DTEND;VALUE=DATE", to.AddDate(0, 0, 1).Format("20060102"))
	w.line("SUMMARY", escapeCalendar(summary))
	if note != "" {
		w.line("DESCRIPTION", escapeCalendar(note))
	}
	w.line("LOCATION", escapeCalendar(cmp.Or(s.Name, s.ID)))
	w.line("END", "VEVENT")
}

// foldAt is the maximum length of a line in bytes, without the line break. A longer line
// continues on the next line, which begins with a space.
const foldAt = 75

// line writes a property, on several lines if it is longer than foldAt.
func (w *calendarWriter) line(name, value string) {
	rest, room := name+":"+value, foldAt
	for len(rest) > room {
		end := room
		for !utf8.RuneStart(rest[end]) {
			end--
		}
		w.text.WriteString(rest[:end] + "\r\n ")
		rest, room = rest[end:], foldAt-1
	}
	w.text.WriteString(rest + "\r\n")
}

// escapeCalendar escapes the value of a property. It replaces bytes that are not UTF-8, and
// removes control characters except line breaks.
func escapeCalendar(text string) string {
	var b strings.Builder
	for _, c := range strings.ToValidUTF8(text, "�") {
		switch {
		case c == '\\' || c == ';' || c == ',':
			b.WriteRune('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c == 0x7f:
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

package views

import (
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// BookingForm is the form for a new booking, or the form that changes the days, the kayak
// or the note of a booking.
type BookingForm struct {
	Page
	NewPerson
	Form
	Store                         store.RentalStore
	Booking                       *store.Booking // nil for a new booking
	Kayaks                        []store.BookableKayak
	First, Last                   time.Time // days for which Kayaks shows the availability
	Person, Kayak, From, To, Note ui.Input
	Pick                          *ui.Pick // nil if Booking is set

	DayProblem string // why the entered days are wrong, in the part of the form that a script replaces
}

func (p *BookingForm) title() string {
	if p.Booking != nil {
		return "Move booking"
	}
	return "Book kayak"
}

func (p *BookingForm) back() (path, name string) {
	if p.Booking != nil {
		return BookingPath(p.Booking.ID), "Booking for " + p.Booking.Renter()
	}
	return StorePath(p.Store.ID) + "/week", "Week at " + nameOr(p.Store.Name, p.Store.ID)
}

func (p *BookingForm) change() ui.Change {
	back, _ := p.back()
	action := StorePath(p.Store.ID) + "/book"
	if p.Booking != nil {
		action = BookingPath(p.Booking.ID) + "/move"
	}
	return p.to(action, p.title(), back)
}

// ButtonAvailability is the value of the button that shows the availability on the entered
// days.
const ButtonAvailability = "availability"

// AnyOf returns the value of the kayak field that means any kayak of the kind.
func AnyOf(kind string) string { return "any#" + kind }

// KayakChoice returns the value of the kayak field for a booking.
func KayakChoice(b *store.Booking) string {
	if b.Kind != "" {
		return AnyOf(b.Kind)
	}
	return b.KayakID
}

func (p *BookingForm) person() ui.Field {
	return ui.Field{Name: "person", Label: "Person", Hint: "Name, phone number, email address or ID.", Input: p.Person, Pick: p.Pick}
}

func (p *BookingForm) kayak() ui.Field {
	hint := joinNonEmpty(" ", p.DayProblem, "Availability for "+weekSpan(p.First, p.Last)+".")
	f := ui.Field{Name: store.FieldBookKayak, Label: "Kayak", Required: true, Hint: hint, Input: p.Kayak}
	if b := p.Booking; b != nil && p.now(p.Kayak.Value, KayakChoice(b)) != "" {
		f.Now = bookedKayak(b)
	}
	return f
}

func (p *BookingForm) days() []ui.Field {
	from := ui.Field{Name: store.FieldBookFrom, Label: "First day", Type: "date", Required: true, Input: p.From}
	to := ui.Field{Name: store.FieldBookTo, Label: "Last day", Type: "date", Required: true, Hint: "The kayak is due back on this day.", Input: p.To}
	if b := p.Booking; b != nil {
		from.Now, to.Now = p.dayNow(p.From.Value, b.From), p.dayNow(p.To.Value, b.To)
	}
	return []ui.Field{from, to}
}

// dayNow returns the saved value of a field for a day, to show after a conflict.
func (p *BookingForm) dayNow(entered string, saved time.Time) string {
	if p.now(entered, saved.Format(time.DateOnly)) == "" {
		return ""
	}
	return weekDay(saved)
}

func (p *BookingForm) note() ui.Field {
	f := ui.Field{Name: store.FieldBookNote, Label: "Note (optional)", Hint: "For example, school trip.", Input: p.Note}
	if p.Booking != nil {
		f.Now = p.now(p.Note.Value, p.Booking.Note)
	}
	return f
}

// allFields returns the fields for the error summary.
func (p *BookingForm) allFields() []ui.Field {
	all := slices.Concat(p.days(), []ui.Field{p.kayak(), p.note()})
	if p.Booking == nil {
		all = slices.Concat([]ui.Field{p.person()}, p.newFields(), all)
	}
	return all
}

// options returns the options of the field for the kayak. First come options such as "Any
// Double: 3 free", one for each kind. An option for each kayak follows.
func (p *BookingForm) options() []ui.Option {
	options, kayaks := []ui.Option{{Text: "Choose a kayak"}}, []ui.Option{}
	for i := 0; i < len(p.Kayaks); {
		kind, free, late := p.Kayaks[i].Kind, 0, 0
		for ; i < len(p.Kayaks) && p.Kayaks[i].Kind == kind; i++ {
			k := &p.Kayaks[i]
			state := k.Taken
			if state == "" {
				free++
				state = "free"
			}
			if k.Late {
				late++
				state += ", not back yet"
			}
			kayaks = append(kayaks, ui.Option{Value: k.ID, Text: nameOr(k.Name, k.ID) + " (" + joinNonEmpty(", ", k.ID, kind) + "): " + state})
		}
		if kind != "" {
			text := "Any " + kind + ": " + number(free) + " free"
			if late > 0 {
				text += ", " + number(late) + " of them not back yet"
			}
			options = append(options, ui.Option{Value: AnyOf(kind), Text: text})
		}
	}
	return append(options, kayaks...)
}

// BookingEndKind is the kind of a form that ends a booking. It is also the last part of
// the form's path.
type BookingEndKind string

// The kinds of forms that end a booking.
const (
	BookingCancel BookingEndKind = "cancel"
	BookingNoShow BookingEndKind = "no-show"
)

// Title returns the title of the form. Its button has the same text.
func (k BookingEndKind) Title() string {
	if k == BookingCancel {
		return "Cancel booking"
	}
	return "Record no-show"
}

// BookingEnd is a form that ends a booking.
type BookingEnd struct {
	Page
	Form
	Kind    BookingEndKind
	Booking store.Booking
	Why     ui.Input
}

func (p *BookingEnd) change() ui.Change {
	path := BookingPath(p.Booking.ID)
	c := p.to(path+"/"+string(p.Kind), p.Kind.Title(), path)
	c.Danger, c.Keep = true, "Keep booking"
	return c
}

func (p *BookingEnd) why() ui.Field {
	return ui.Field{Name: "why", Label: "Reason (optional)", Input: p.Why}
}

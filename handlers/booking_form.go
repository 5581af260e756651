package handlers

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// bookingFields are the fields of the form for a booking, except the fields for the
// person.
var bookingFields = []string{store.FieldBookKayak, store.FieldBookFrom, store.FieldBookTo, store.FieldBookNote, views.ButtonParam}

type bookingForm struct {
	web.Form
	storeID string
	booking *store.Booking // nil for a new booking
	person  pick
	request store.BookingRequest
}

// showBookForm shows the form for a new booking with the values from the query string.
func showBookForm(r *request) error {
	q, err := r.query(store.FieldBookKayak, store.FieldBookFrom)
	if err != nil {
		return err
	}
	first := q.Get(store.FieldBookFrom)
	if day, ok := parseDay(first, r.now()); ok {
		first = day.Format(time.DateOnly)
	} else {
		first = r.now().Format(time.DateOnly)
	}
	person := r.newPick("person", store.ChooseRenter)
	p := views.BookingForm{
		Kayak: queryInput(q, store.FieldBookKayak), From: ui.Input{Value: first}, To: ui.Input{Value: first}, Pick: person.view(), Form: r.formState(web.Form{}, nil, 0),
	}
	r.checkDays(&p, time.Time{})
	page, err := r.bookingPage(r.id(), nil, p)
	if err != nil {
		return err
	}
	return r.show(page)
}

// bookKayak adds a booking. If the form describes a new person, it also adds the
// person. If the user pressed Show availability, it only shows the form again.
func bookKayak(r *request) error {
	form, err := r.readForm(append(append(bookingFields[:len(bookingFields):len(bookingFields)], newFields...), pickParams("person")...)...)
	if err != nil {
		return err
	}
	f := &bookingForm{Form: form, storeID: r.id()}
	var unclear error
	f.person, unclear = r.readPick(form, "person", store.ChooseRenter)
	if form.Get(views.ButtonParam) == views.ButtonAvailability {
		return f.show(r)
	}
	booked, err := f.book(r, unclear)
	message, path := "", views.StorePath(f.storeID)
	if booked != nil {
		message, path = "Booked for "+booked.Renter()+".", views.BookingPath(booked.ID)
	}
	return r.finishChange(err, message, path, f.rerender(r))
}

// book adds the booking. If the form describes a new person and a kayak is free, it adds
// the person first. The argument unclear is the error of readPick for the person, or nil.
func (f *bookingForm) book(r *request, unclear error) (*store.Booking, error) {
	if errors.Is(unclear, errUnsent) {
		return nil, unclear
	}
	f.read(r)
	if err := f.request.Wrong.Add(unclear); err != nil {
		return nil, err
	}
	if f.person.chosen == nil && !f.person.isNew {
		f.request.Wrong.Reject("person", "Enter a name, phone number, email address or ID.")
	}
	if f.person.isNew {
		if err := r.checkNewPerson(f.Form, &f.person, &f.request.Wrong); err != nil {
			return nil, err
		}
	}
	token := f.Token()
	if f.person.isNew {
		token = store.SecondToken(token) // so that the booking and the person get different IDs
		if err := r.shop.RequireBookable(r.ctx(), f.request, token); err != nil {
			return nil, err
		}
		id, err := r.shop.AddRenter(r.ctx(), newRenter(f.Form), f.Token())
		if err != nil {
			return nil, err
		}
		f.person.isNew = false
		f.person.choose(&store.Choice{ID: id, Name: strings.TrimSpace(f.Get(store.FieldNewName)), Note: f.Get(store.FieldNewPhone)})
	}
	f.request.Person = f.person.id()
	return r.shop.Book(r.ctx(), f.request, token)
}

// read reads the fields of the form, except those for the person.
func (f *bookingForm) read(r *request) {
	f.request = store.BookingRequest{StoreID: f.storeID, Note: f.Get(store.FieldBookNote)}
	kind, isKind := strings.CutPrefix(f.Get(store.FieldBookKayak), views.AnyOf(""))
	if isKind {
		f.request.Kind = kind
	} else {
		f.request.KayakID = f.Get(store.FieldBookKayak)
	}
	f.request.From = r.dayInto(f.Form, store.FieldBookFrom, &f.request.Wrong)
	f.request.To = r.dayInto(f.Form, store.FieldBookTo, &f.request.Wrong)
}

func showMoveForm(r *request) error {
	b, err := r.shop.BookingForChange(r.ctx(), r.id())
	if err != nil {
		return err
	}
	f := &bookingForm{booking: b, storeID: b.StoreID}
	page, err := f.page(r, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// moveBooking changes the days, the kayak and the note of a booking.
func moveBooking(r *request) error {
	form, err := r.readForm(bookingFields...)
	if err != nil {
		return err
	}
	b, err := r.shop.BookingForChange(r.ctx(), r.id())
	if err != nil {
		return err
	}
	f := &bookingForm{Form: form, storeID: b.StoreID, booking: b}
	if form.Get(views.ButtonParam) == views.ButtonAvailability {
		return f.show(r)
	}
	f.read(r)
	err = r.shop.MoveBooking(r.ctx(), b.ID, form.Version(), f.request, form.Token())
	return r.finishChange(err, "Booking moved.", views.BookingPath(b.ID), f.rerender(r))
}

// show shows the form again, with the availability of the kayaks on the entered days.
func (f *bookingForm) show(r *request) error {
	page, err := f.page(r, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

func (f *bookingForm) rerender(r *request) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) { return f.page(r, rejected) }
}

func (f *bookingForm) page(r *request, rejected *store.Error) (templ.Component, error) {
	if b := f.booking; b != nil && !b.IsOpen() {
		return r.closedBooking(b, "Move booking")
	}
	p := views.BookingForm{
		Kayak: formInput(f.Form, rejected, store.FieldBookKayak), From: formInput(f.Form, rejected, store.FieldBookFrom),
		To: formInput(f.Form, rejected, store.FieldBookTo), Note: formInput(f.Form, rejected, store.FieldBookNote),
	}
	if rejected == nil {
		from, ok := parseDay(p.From.Value, r.now())
		if to, valid := parseDay(p.To.Value, r.now()); ok && valid && to.Before(from) {
			p.To.Value = p.From.Value
		}
	}
	version, began := 0, time.Time{}
	if b := f.booking; b != nil {
		version = b.Version
		if rejected == nil && f.Get(store.FieldBookFrom) == "" {
			p.Kayak.Value, p.From.Value, p.To.Value, p.Note.Value = views.KayakChoice(b), b.From.Format(time.DateOnly), b.To.Format(time.DateOnly), b.Note
		}
		began = b.From
	} else {
		p.Person, p.NewPerson, p.Pick = formInput(f.Form, rejected, "person"), newPersonInput(f.Form, rejected), f.person.view()
		p.Person.Value, p.SamePhone = f.person.input.Value, f.person.samePhone
	}
	if rejected == nil && !f.IsEmpty() {
		r.checkDays(&p, began)
	}
	p.Form = r.formState(f.Form, rejected, version)
	return r.bookingPage(f.storeID, f.booking, p)
}

// checkDays adds the errors of the entered days to the page. If the form has not been
// submitted, or was submitted by a script, which updates only the availability, it adds them
// to the availability: the script can then remove them. For an existing booking, began is
// its first day; for a new one, it is zero.
func (r *request) checkDays(p *views.BookingForm, began time.Time) {
	var request store.BookingRequest
	var err error
	request.From, err = r.dayOf(store.FieldBookFrom, p.From.Value)
	_ = request.Wrong.Add(err) // dayOf returns only Invalid
	request.To, err = r.dayOf(store.FieldBookTo, p.To.Value)
	_ = request.Wrong.Add(err)
	inAvailability := r.Request().Method != http.MethodPost || web.IsScript(r.Request())
	for _, wrong := range request.CheckDays(r.today(), began) {
		switch {
		case inAvailability:
			p.DayProblem = strings.TrimSpace(p.DayProblem + " " + wrong.Message)
		case wrong.Field == store.FieldBookFrom:
			p.From.Error = wrong.Message
		case wrong.Field == store.FieldBookTo:
			p.To.Error = wrong.Message
		}
	}
}

// bookingPage returns the form with the availability of the kayaks on the entered days,
// or on valid days if the entered ones are not valid.
func (r *request) bookingPage(storeID string, b *store.Booking, p views.BookingForm) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), storeID)
	if err != nil {
		return nil, err
	}
	from, ok := parseDay(p.From.Value, r.now())
	to, valid := parseDay(p.To.Value, r.now())
	latest := r.today().AddDate(0, 0, store.MaxBookingAhead)
	if !ok || from.Before(r.today()) || from.After(latest) {
		from = r.today()
	}
	if !valid || to.Before(from) || to.After(latest) {
		to = from
	}
	if last := from.AddDate(0, 0, store.MaxBookingDays-1); to.After(last) {
		to = last
	}
	except := ""
	if b != nil {
		except = b.ID
	}
	if p.Kayaks, err = r.shop.BookableKayaks(r.ctx(), storeID, from, to, except); err != nil {
		return nil, err
	}
	p.First, p.Last = from, to
	title := "Book kayak"
	if b != nil {
		title = "Move booking"
	}
	p.Page, p.Store, p.Booking = r.page(title), *s, b
	return views.BookingFormPage(p), nil
}

func parseDay(text string, now time.Time) (time.Time, bool) {
	first, last, ok := web.ParseDays(strings.TrimSpace(text), now)
	return first, ok && first.Equal(last)
}

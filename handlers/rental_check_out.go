package handlers

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// checkOutForm is a submitted form that checks kayaks out.
type checkOutForm struct {
	web.Form
	storeID string
	person  pick
	kayaks  []string // entered names or IDs; only IDs if quote is not nil
	texts   []string // if not nil, the form shows this input again instead of the kayaks in quote
	added   pick     // field for the name of one more kayak
	due     time.Time
	booking string               // ID of the booking that this check-out is for; "" for none
	quote   *store.CheckOutQuote // nil if the kayaks are not known
	deposit store.Amount         // deposit for each kayak
	rate    *store.Amount        // sum of the daily rates that the form showed; nil if it showed none
	wrong   []*store.Error       // the errors of all fields
}

// showCheckOut shows the form that checks kayaks out. The query string can contain the
// kayaks and the person, or a booking.
func showCheckOut(r *request) error {
	q, err := r.query("kayaks", "person", "booking")
	if err != nil {
		return err
	}
	if id := q.Get("booking"); id != "" {
		return r.showBookedCheckOut(id)
	}
	person, err := r.chosenPick("person", store.ChooseRenter, q.Get("person"))
	if err != nil {
		return err
	}
	page, err := r.checkOutPage(views.CheckOut{
		Kayaks: queryInput(q, "kayaks"), Person: person.input, Pick: person.view(), Due: ui.Input{Value: r.now().AddDate(0, 0, 1).Format(time.DateOnly)},
		Opened: q.Get("kayaks") == "" && person.input.Error == "",
	})
	if err != nil {
		return err
	}
	return r.show(page)
}

// showBookedCheckOut shows the form with the values of a booking.
func (r *request) showBookedCheckOut(id string) error {
	b, err := r.shop.BookingForChange(r.ctx(), id)
	if err != nil {
		return err
	}
	if !b.IsOpen() {
		page, err := r.closedBooking(b, "Check out")
		if err != nil {
			return err
		}
		return r.show(page)
	}
	person, err := r.chosenPick("person", store.ChooseRenter, b.PersonID)
	if err != nil {
		return err
	}
	page, err := r.checkOutPage(views.CheckOut{
		BookingID: b.ID, Booking: b, Kayaks: ui.Input{Value: b.KayakID}, Person: person.input, Pick: person.view(),
		Due: ui.Input{Value: latest(b.To, r.today()).Format(time.DateOnly)},
	})
	if err != nil {
		return err
	}
	return r.show(page)
}

// checkOut handles the form that checks kayaks out. Depending on the button, it shows
// the check-out for review, returns to the fields, or checks the kayaks out.
func checkOut(r *request) error {
	form, err := r.readForm(slices.Concat([]string{"kayaks", views.ChosenKayakParam + "*", "due", "booking", store.FieldRate, store.FieldDeposit, store.FieldDepositMethod, views.ButtonParam}, newFields, pickParams("person"), pickParams("kayak"))...)
	if err != nil {
		return err
	}
	f := &checkOutForm{Form: form, storeID: r.id(), kayaks: enteredKayaks(form), booking: form.Get("booking")}
	if text := form.Get(store.FieldRate); text != "" {
		rate, err := store.ParseAmount(text)
		if err != nil {
			return store.InvalidField("", "The daily rate in this form is not valid. Open the page of the store and start the check-out again.")
		}
		f.rate = &rate
	}
	if err := f.read(r); err != nil {
		return r.rejectChange(err, f.rerender(r))
	}
	switch form.Get(views.ButtonParam) {
	case views.ButtonEdit, views.ButtonReview:
		return f.review(r)
	}
	rentals, err := f.apply(r)
	return r.finishChange(err, f.message(r, rentals), views.StorePath(f.storeID), f.rerender(r))
}

// enteredKayaks returns the kayaks that the user entered or selected.
func enteredKayaks(form web.Form) []string {
	return append(parseKayakIDs(form.Get("kayaks")), form.All(views.ChosenKayakParam)...)
}

// read finds the person and the kayaks. If fields are invalid, it adds their errors to
// f.wrong and returns the first one.
func (f *checkOutForm) read(r *request) error {
	var person, added, due, deposit error
	f.person, person = r.readPick(f.Form, "person", store.ChooseRenter)
	isUnclear := person != nil
	if person == nil && f.person.chosen == nil && !f.person.isNew {
		person = store.InvalidField("person", "Enter a name, phone number, email address or ID.")
	}
	if f.added, added = r.readPick(f.Form, "kayak", store.ChooseKayakAt(f.storeID)); f.added.chosen != nil {
		f.kayaks = append(f.kayaks, f.added.chosen.Label())
		f.added = r.newPick("kayak", store.ChooseKayakAt(f.storeID))
	}
	if isUnclear || added != nil {
		f.texts = f.kayaks
	}
	f.due, due = r.day(f.Form, "due")
	if f.deposit, deposit = store.ParseMoney(store.FieldDeposit, f.Get(store.FieldDeposit)); deposit == nil {
		deposit = r.shop.CheckDeposit(r.ctx(), f.request())
	}
	for _, err := range []error{person, added, due, f.readKayaks(r, added == nil), deposit} {
		if err := f.reject(err); err != nil {
			return err
		}
	}
	if len(f.wrong) == 0 {
		return nil
	}
	if err := f.requireAll(r); err != nil {
		return err
	}
	return f.wrong[0]
}

// requireAll adds an error to f.wrong if a kayak is not available, and one if the new
// person is incomplete. It offers the people with the same phone number or email address as
// choices.
func (f *checkOutForm) requireAll(r *request) error {
	if f.quote != nil {
		if err := f.reject(f.quote.RequireAvailable()); err != nil {
			return err
		}
	}
	if !f.person.isNew {
		return nil
	}
	same, err := r.shop.CheckNewRenter(r.ctx(), store.ChooseRenter, newRenter(f.Form), f.Token())
	f.person.choices = same
	return f.reject(err)
}

// readKayaks finds the kayaks. If none were entered, it returns an error only if required
// is true. The argument required is false if the field for one more kayak already has an
// error.
func (f *checkOutForm) readKayaks(r *request, required bool) (err error) {
	if !required && len(f.kayaks) == 0 {
		return nil
	}
	if f.quote, err = r.shop.QuoteCheckOut(r.ctx(), f.request()); err != nil {
		return err
	}
	f.kayaks = f.quote.IDs()
	return nil
}

// reject adds err to f.wrong if it is the error of a field. Otherwise, it returns err.
func (f *checkOutForm) reject(err error) error {
	var rejected *store.Error
	if !errors.As(err, &rejected) || rejected.Field == "" {
		return err
	}
	f.wrong = append(f.wrong, rejected)
	return nil
}

// errorAt returns the first error of these fields in f.wrong, or rejected if it belongs to
// one of them. It returns nil if there is no such error.
func (f *checkOutForm) errorAt(rejected *store.Error, fields ...string) *store.Error {
	for _, wrong := range append(slices.Clip(f.wrong), rejected) {
		if wrong != nil && slices.Contains(fields, wrong.Field) {
			return wrong
		}
	}
	return nil
}

func (f *checkOutForm) request() store.CheckOut {
	return store.CheckOut{
		StoreID: f.storeID, Person: f.person.id(), KayakIDs: f.kayaks, Due: f.due, Rate: f.rate,
		Deposit: f.deposit, DepositMethod: store.PayMethod(f.Get(store.FieldDepositMethod)), BookingID: f.booking,
	}
}

// review shows the check-out for review. If the user pressed Edit, it shows the fields
// again.
func (f *checkOutForm) review(r *request) error {
	err := f.requireAll(r)
	if err == nil && len(f.wrong) > 0 {
		err = f.wrong[0]
	}
	if err != nil {
		return r.rejectChange(err, f.rerender(r))
	}
	p := f.view(nil)
	if f.Get(views.ButtonParam) == views.ButtonReview {
		p.Same = f.person.choices
		p.Quote, p.DueDay, p.DepositSum = f.quote, f.due, f.deposit.Times(len(f.kayaks))
		if p.Out, err = f.rented(r); err != nil {
			return err
		}
	}
	page, err := r.checkOutPage(p)
	if err != nil {
		return err
	}
	return r.show(page)
}

// rented returns the kayaks that the person has rented already.
func (f *checkOutForm) rented(r *request) ([]store.ActiveRental, error) {
	if f.person.isNew {
		return nil, nil
	}
	rented, err := r.shop.RentedByPerson(r.ctx(), f.person.id(), store.Page{})
	return rented.Rows, err
}

// apply checks the kayaks out. If the form describes a new person, it adds the person
// first, but only if all kayaks are available. If the check-out then fails for another
// reason, the form shows the person as an existing one.
func (f *checkOutForm) apply(r *request) ([]store.Rental, error) {
	if f.person.isNew {
		if err := r.shop.RequireCheckOut(r.ctx(), f.quote, f.Token()); err != nil {
			return nil, err
		}
		id, err := r.shop.AddRenter(r.ctx(), newRenter(f.Form), f.Token())
		if err != nil {
			return nil, err
		}
		f.person.isNew = false
		f.person.choose(&store.Choice{ID: id, Name: strings.TrimSpace(f.Get(store.FieldNewName)), Note: f.Get(store.FieldNewPhone)})
	}
	return r.shop.CheckOut(r.ctx(), f.request(), f.Token())
}

// message returns the success message: who rents which kayaks and until when, and the
// paid deposit.
func (f *checkOutForm) message(r *request, rentals []store.Rental) string {
	if len(rentals) == 0 {
		return "Checked out until " + longDate(f.due) + "."
	}
	var deposit store.Amount
	for i := range rentals {
		deposit = deposit.Plus(rentals[i].Deposit)
	}
	message := kayakLabels(rentals, nil) + " checked out to " + rentals[0].Renter() + " until " + longDate(f.due) + "."
	if deposit.Sign() > 0 {
		message += " Deposit taken: " + r.moneyText(deposit) + ", " + views.PayMethodName(rentals[0].DepositBy) + "."
	}
	return message
}

func (f *checkOutForm) rerender(r *request) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) { return r.checkOutPage(f.view(rejected)) }
}

func (f *checkOutForm) view(rejected *store.Error) views.CheckOut {
	p := views.CheckOut{
		Kayaks: formInput(f.Form, f.errorAt(rejected, "kayaks"), "kayaks"), Person: formInput(f.Form, f.errorAt(rejected, "person"), "person"), Due: formInput(f.Form, f.errorAt(rejected, "due"), "due"),
		NewPerson: newPersonInput(f.Form, f.errorAt(rejected, newFields...)), Pick: f.person.view(), BookingID: f.booking,
	}
	p.Deposit, p.DepositMethod = depositInputs(f.Form, f.errorAt(rejected, store.FieldDeposit, store.FieldDepositMethod))
	if rejected != nil {
		p.Problem = formProblem(rejected)
	}
	p.Person.Value = f.person.input.Value
	p.Kayaks.Value = strings.Join(f.kayaks, "\n")
	if f.quote != nil {
		p.Kayaks.Value = strings.Join(f.quote.Labels(), "\n")
		if f.texts != nil {
			p.Kayaks.Value = strings.Join(f.texts, "\n")
		}
	}
	p.Added = f.added.field()
	p.Added.Error = formInput(f.Form, f.errorAt(rejected, "kayak"), "kayak").Error
	return p
}

func (r *request) checkOutPage(p views.CheckOut) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	if p.Quote == nil {
		all, err := r.shop.BookableKayaks(r.ctx(), s.ID, r.today(), r.today(), p.BookingID)
		if err != nil {
			return nil, err
		}
		p.Free = slices.DeleteFunc(all, func(k store.BookableKayak) bool { return k.Taken != "" || k.Status != store.KayakIn })
	}
	p.Page, p.Store, p.Token = r.page("Check out"), *s, r.newFormToken()
	p.Added.CanAdd = r.canAdd(store.ChooseKayakAt(s.ID))
	return views.CheckOutPage(p), nil
}

// kayakLabels returns the names of the rented kayaks. If rentals is empty, it returns
// the IDs. The argument rentals is empty if the form was submitted before.
func kayakLabels(rentals []store.Rental, ids []string) string {
	if len(rentals) == 0 {
		return strings.Join(ids, ", ")
	}
	labels := make([]string, len(rentals))
	for i := range rentals {
		labels[i] = rentals[i].KayakLabel()
	}
	return strings.Join(labels, ", ")
}

// toRenter returns word followed by the name of the renter. It returns "" if rentals is
// empty or has several renters.
func toRenter(word string, rentals []store.Rental) string {
	if len(rentals) == 0 || hasSeveralRenters(rentals) {
		return ""
	}
	return word + rentals[0].Renter()
}

func hasSeveralRenters(rentals []store.Rental) bool {
	return slices.ContainsFunc(rentals, func(l store.Rental) bool { return l.PersonID != rentals[0].PersonID })
}

// parseKayakIDs returns the kayak IDs in text, which has one ID per line. A line can also
// be the URL of a kayak's page, which a scanner reads from the label of the kayak.
func parseKayakIDs(text string) []string {
	var ids []string
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		if _, last, found := strings.Cut(id, kayakPages); found {
			last, _, _ = strings.Cut(last, "?")
			if unescaped, err := url.PathUnescape(last); err == nil {
				id = unescaped
			}
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// kayakPages is the prefix of the paths of kayaks.
const kayakPages = "/kayaks/"

package views

import (
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// CheckOut is the form that checks kayaks out. First, the user enters the person, the
// kayaks and the due day. Then the form shows the person and the kayaks by name, with
// the rates, and the user confirms the check-out.
type CheckOut struct {
	Page
	NewPerson
	Store               store.RentalStore
	Token, Problem      string
	Person, Kayaks, Due ui.Input
	Added               PickInput // input for one more kayak by name
	Deposit             ui.Input  // deposit for each kayak
	DepositMethod       ui.Input
	DepositSum          store.Amount // total of the deposits for all kayaks in Quote
	Pick                *ui.Pick
	Same                []store.Choice        // people with the phone number of the new person
	Quote               *store.CheckOutQuote  // the check-out to confirm; nil while the user enters it
	DueDay              time.Time             // due day in Quote
	BookingID           string                // ID of the booking that this check-out is for; "" for none
	Booking             *store.Booking        // the booking with BookingID; nil after a submission
	Free                []store.BookableKayak // kayaks to choose from; nil on the confirmation
	Out                 []store.ActiveRental  // on the confirmation, the kayaks that the person has rented already
	Opened              bool                  // the page was opened without kayaks, so the field to scan them has the focus
}

// ChosenKayakParam is the name of the checkboxes of available kayaks. Their values are IDs.
const ChosenKayakParam = "chosen"

// NewPerson holds the inputs for a new person.
type NewPerson struct {
	NewName, NewPhone, NewEmail ui.Input
	SamePhone                   string // new person's phone number, if the page says that others have it too; otherwise ""
}

// SamePhoneParam is the name of the parameter with NewPerson.SamePhone.
const SamePhoneParam = "same-phone"

func (p *NewPerson) newFields() []ui.Field {
	return []ui.Field{
		{Name: store.FieldNewName, Label: "Name", Input: p.NewName},
		{Name: store.FieldNewPhone, Label: "Phone", Type: "tel", Input: p.NewPhone},
		{Name: store.FieldNewEmail, Label: "Email (optional)", Type: "email", Input: p.NewEmail},
	}
}

func (p *CheckOut) person() ui.Field {
	pick := p.Pick
	if pick == nil {
		pick = &ui.Pick{}
	}
	return ui.Field{Name: "person", Label: "Person", Hint: "Name, phone number, email address or ID.", Input: p.Person, Pick: pick}
}

func (p *CheckOut) kayaks() ui.Field {
	f := scanField(p.Kayaks)
	f.Required = false // the user can also name a kayak in the field kayakByName
	f.Focus = p.Opened
	return f
}

func (p *CheckOut) kayakByName() ui.Field {
	return p.Added.field(ui.Field{Name: "kayak", Label: "Kayak by name (optional)", Hint: "Name, ID or serial number of one more kayak."}, store.ChooseKayakAt(p.Store.ID))
}

func (p *CheckOut) due() ui.Field {
	return ui.Field{Name: "due", Label: "Due back", Type: "date", Required: true, Input: p.Due}
}

func (p *CheckOut) deposit() []ui.Field {
	return []ui.Field{
		{Name: store.FieldDeposit, Label: "Deposit per kayak (optional)", Decimal: true, Input: p.Deposit},
		{Name: store.FieldDepositMethod, Label: "Payment method for the deposit", Options: payMethods(store.DepositMethods), Input: p.DepositMethod},
	}
}

// depositNote describes the deposit to confirm. It returns "" if there is none.
func (p *CheckOut) depositNote() string {
	if p.DepositSum.Sign() == 0 {
		return ""
	}
	return p.money(p.DepositSum) + ", " + PayMethodName(store.PayMethod(p.DepositMethod.Value))
}

// fields returns the fields for the error summary.
func (p *CheckOut) fields() []ui.Field {
	return slices.Concat([]ui.Field{p.person(), p.kayaks(), p.kayakByName(), p.due()}, p.deposit(), p.newFields())
}

// renter returns the name of the person for the confirmation, and a note with other
// details.
func (p *CheckOut) renter() (name, note string) {
	if p.isNew() || p.Pick == nil || len(p.Pick.Choices) == 0 {
		return p.NewName.Value, p.NewPhone.Value
	}
	return p.Pick.Choices[0].Text, p.Pick.Choices[0].Note
}

func (p *CheckOut) isNew() bool { return p.Pick != nil && p.Pick.Chosen == ui.PickedNew }

// overdue says which kayaks the person has not returned in time. It returns "" if there
// are none.
func (p *CheckOut) overdue() string {
	var late []string
	for i := range p.Out {
		if badge, isLate := lateBadge(&p.Page, p.Out[i].Due); isLate {
			late = append(late, nameOr(p.Out[i].KayakName, p.Out[i].KayakID)+", "+badge.Word)
		}
	}
	if len(late) == 0 {
		return ""
	}
	return "This person has not returned: " + strings.Join(late, "; ") + "."
}

// bookingDayText returns the kayak and the days of a booking.
func bookingDayText(d *store.BookingDay) string {
	return bookedKayak(&store.Booking{Kind: d.Kind, KayakID: d.KayakID, KayakName: d.KayakName}) + ", " + dates(d.From, d.To)
}

func (p *CheckOut) submit() string {
	return "Check out " + count(len(p.Quote.Kayaks), "kayak", "kayaks")
}

// hidden returns the hidden fields of the confirmation. They submit what the user
// entered.
func (p *CheckOut) hidden() [][2]string {
	chosen := ""
	if p.Pick != nil {
		chosen = p.Pick.Chosen
	}
	return [][2]string{
		{"once", p.Token},
		{"person", p.Person.Value},
		{ui.PickedTextParam("person"), p.Person.Value},
		{ui.PickedParam("person"), chosen},
		{store.FieldNewName, p.NewName.Value},
		{store.FieldNewPhone, p.NewPhone.Value},
		{store.FieldNewEmail, p.NewEmail.Value},
		{"kayaks", p.Kayaks.Value},
		{"due", p.Due.Value},
		{"booking", p.BookingID},
		{store.FieldRate, p.Quote.Rate.String()},
		{store.FieldDeposit, p.Deposit.Value},
		{store.FieldDepositMethod, p.DepositMethod.Value},
	}
}

package views

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Takings shows the rental payments of a store on one day or several days.
type Takings struct {
	Page
	List
	Store    store.RentalStore
	Days     store.DateRange
	From, To ui.Input // the entered days
	Sum      store.TakingsSum
	Rows     []store.RentalPayment
}

// fields returns the fields for the first and the last day.
func (p *Takings) fields() []ui.Field {
	return []ui.Field{
		{Name: "day", Label: "Day", Type: "date", Input: p.From},
		{Name: "to", Label: "Last day (optional)", Type: "date", Input: p.To},
	}
}

func (p *Takings) hasErrors() bool { return p.From.Error != "" || p.To.Error != "" }

// title returns the label of the sum of all methods.
func (p *Takings) title() string {
	if p.Days.From.Equal(p.Days.To) {
		return "Taken on " + p.calendar(p.Days.From)
	}
	return "Taken " + dates(p.Days.From, p.Days.To)
}

func paidKayaks(payment *store.RentalPayment) string {
	ids := make([]string, len(payment.Rentals))
	for i := range payment.Rentals {
		ids[i] = payment.Rentals[i].KayakID
	}
	return strings.Join(ids, ", ")
}

// UnpaidRentals lists the charges at a store that renters have not paid yet.
type UnpaidRentals struct {
	Page
	List
	Store store.RentalStore
	Rows  []store.RentalPayment
}

// RentalSettle is the form that records the payment of a charge.
type RentalSettle struct {
	Page
	Form
	Store  store.RentalStore
	Charge store.RentalPayment
	Method ui.Input
}

func (p *RentalSettle) field() ui.Field {
	return ui.Field{Name: store.FieldPayMethod, Label: "Payment method for the charge", Required: true, Input: p.Method}
}

// RentalSlip is the slip that a person signs at check-out.
type RentalSlip struct {
	Page
	Company store.Company
	Store   store.RentalStore
	Name    string // name of the person
	ID      string
	Rentals []store.ActiveRental // kayaks that the person has rented from the store
}

func (p *RentalSlip) deposit() store.Amount {
	var sum store.Amount
	for i := range p.Rentals {
		sum = sum.Plus(p.Rentals[i].Deposit)
	}
	return sum
}

// rate returns the sum of the daily rates.
func (p *RentalSlip) rate() store.Amount {
	var sum store.Amount
	for i := range p.Rentals {
		sum = sum.Plus(p.Rentals[i].Rate)
	}
	return sum
}

// depositMethods returns the methods with which the deposits were paid, such as "Card".
func (p *RentalSlip) depositMethods() string {
	var names []string
	for i := range p.Rentals {
		if name := PayMethodName(p.Rentals[i].DepositBy); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return joinNonEmpty(", ", names...)
}

// SlipPath returns the address of the check-out slip of a person at a store.
func SlipPath(storeID, personID string) string {
	return StorePath(storeID) + "/slip?person=" + url.QueryEscape(personID)
}

// TakingsPath returns the path of the takings of a store.
func TakingsPath(storeID string) string { return StorePath(storeID) + "/takings" }

// UnpaidPath returns the path of the unpaid charges of a store.
func UnpaidPath(storeID string) string { return StorePath(storeID) + "/unpaid" }

// settlePath returns the address of the form that records the payment of a charge.
func settlePath(p *store.RentalPayment) string {
	return StorePath(p.StoreID) + "/settle?" + url.Values{"day": {p.Day.Format(time.DateOnly)}, "payment": {p.ID}}.Encode()
}

// payMethods returns payment methods as options, after an empty option.
func payMethods(methods []store.PayMethod) []ui.Option {
	options := []ui.Option{{Text: "Choose"}}
	for _, m := range methods {
		options = append(options, ui.Option{Value: string(m), Text: PayMethodName(m)})
	}
	return options
}

// PayMethodName returns the label of a payment method.
func PayMethodName(m store.PayMethod) string {
	switch m {
	case store.PayByCard:
		return "Card"
	case store.PayByCash:
		return "Cash"
	case store.PayLater:
		return "Invoice later"
	}
	return string(m)
}

func rentalPaymentName(kind store.RentalPaymentKind) string {
	switch kind {
	case store.RentalCharge:
		return "Rental charge"
	case store.DepositTaken:
		return "Deposit"
	case store.DepositReturned:
		return "Deposit returned"
	case store.DepositKept:
		return "Deposit kept"
	}
	return string(kind)
}

// whenPaid describes a payment that is not part of the day's takings: it is unpaid, or its
// money was taken at another time.
func whenPaid(p *store.RentalPayment) string {
	switch {
	case p.IsUnpaid():
		return "unpaid"
	case p.Method == store.PayLater:
		return "paid later"
	}
	return "taken at check-out"
}

// isFirstOfSlip reports whether no earlier rental in the list belongs to the same check-out
// slip as rental i. A slip contains all kayaks that a person has rented from a store.
func isFirstOfSlip(rentals []store.ActiveRental, i int) bool {
	return !slices.ContainsFunc(rentals[:i], func(r store.ActiveRental) bool {
		return r.StoreID == rentals[i].StoreID && r.PersonID == rentals[i].PersonID
	})
}

package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// RentalPaymentKind says what a rental payment is for.
type RentalPaymentKind string

// Kinds of rental payments.
const (
	RentalCharge    RentalPaymentKind = "CHARGE"
	DepositTaken    RentalPaymentKind = "DEPOSIT"
	DepositReturned RentalPaymentKind = "RETURNED" // negative amount
	DepositKept     RentalPaymentKind = "KEPT"     // no money changes hands
)

// RentalPaymentKinds lists every RentalPaymentKind.
var RentalPaymentKinds = []RentalPaymentKind{RentalCharge, DepositTaken, DepositReturned, DepositKept}

// PayMethod says how a rental payment is made.
type PayMethod string

// Methods of rental payments. A charge with PayLater is unpaid until SettleRental
// records its payment.
const (
	PayByCard PayMethod = "CARD" // at a card terminal; Stockroom only records it
	PayByCash PayMethod = "CASH"
	PayLater  PayMethod = "INVOICE"
)

// PayMethods lists the methods of paying a charge, and DepositMethods those of paying a
// deposit.
var (
	PayMethods     = []PayMethod{PayByCard, PayByCash, PayLater}
	DepositMethods = []PayMethod{PayByCard, PayByCash}
)

// phrase returns the method for the end of a sentence.
func (m PayMethod) phrase() string {
	switch m {
	case PayByCard:
		return "paid by card"
	case PayByCash:
		return "paid in cash"
	case PayLater:
		return "to be invoiced"
	}
	return "not paid"
}

// RentalPayment is one payment of a person at a store: a charge, or a deposit that is
// taken, returned or kept. One payment can cover several rentals. Payments stay in the
// table permanently.
type RentalPayment struct {
	ID       string
	StoreID  string
	PersonID string
	Day      time.Time // calendar day in the time zone of the business, at midnight UTC
	At       time.Time
	Kind     RentalPaymentKind
	Method   PayMethod
	Amount   Amount // negative if the money goes to the person
	Why      string `json:",omitempty"` // reason for keeping a deposit
	By       string // user name
	Rentals  []PaidRental

	// SettledBy is set in a charge with PayLater that was paid later: the ID of the payment
	// that paid it. Settles is set in that payment: the ID of the charge.
	SettledBy  string `json:",omitempty"`
	Settles    string `json:",omitempty"`
	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	Version    int
}

// PaidRental is the part of a rental payment that belongs to one rental.
type PaidRental struct {
	RentalID string
	KayakID  string
	Amount   Amount
}

func (*RentalPayment) EntityType() string { return "rentalPayment" }

// IsUnpaid reports whether the payment is a charge that is still to be paid.
func (p *RentalPayment) IsUnpaid() bool { return p.Method == PayLater && p.SettledBy == "" }

// IsTaken reports whether money was paid or returned with this payment. It returns false
// for a charge with PayLater, and for a deposit that is kept, which was paid earlier.
func (p *RentalPayment) IsTaken() bool { return p.Method != PayLater && p.Kind != DepositKept }

func (p *RentalPayment) KeyValue(name string) string {
	switch name {
	case "paymentULID":
		return p.ID
	case "storeULID":
		return p.StoreID
	case "personULID":
		return p.PersonID
	case "unpaidAt":
		if p.IsUnpaid() {
			return key.Time(p.At)
		}
	case "day":
		return calendarDay(p.Day)
	case "at":
		return key.Time(p.At)
	}
	return ""
}

func (p *RentalPayment) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "payment#", &p.ID)
	a.FromKey("GSI2-PK", "v1#rentalPayments#personULID#", &p.PersonID)
	a.Text("StoreID", &p.StoreID)
	a.Date("Day", &p.Day)
	a.Time("At", &p.At)
	a.Text("Kind", (*string)(&p.Kind))
	a.Text("Method", (*string)(&p.Method))
	amountAttribute(a, "Amount", &p.Amount)
	a.Text("Why", &p.Why)
	a.Text("By", &p.By)
	p.rentals(a)
	a.Text("SettledBy", &p.SettledBy)
	a.Text("Settles", &p.Settles)
	a.Text("StoreName", &p.StoreName)
	a.Text("PersonName", &p.PersonName)
	a.Version(&p.Version)
}

// rentals encodes or decodes Rentals as strings, such as R1#k1#60, because CSV files have
// one cell for a list of strings.
func (p *RentalPayment) rentals(a *table.Attributes) {
	texts := make([]string, len(p.Rentals))
	for i, r := range p.Rentals {
		texts[i] = r.RentalID + "#" + r.KayakID + "#" + r.Amount.String()
	}
	a.Texts("Rentals", &texts)
	if !a.Decoding() {
		return
	}
	p.Rentals = nil
	for _, text := range texts {
		parts := strings.Split(text, "#")
		if len(parts) != 3 {
			a.Damaged("Rentals", "texts with the IDs of a rental and a kayak, and an amount, separated by #")
			return
		}
		amount, err := ParseAmount(parts[2])
		if err != nil {
			a.Damaged("Rentals", "texts with an amount after the last #")
			return
		}
		p.Rentals = append(p.Rentals, PaidRental{RentalID: parts[0], KayakID: parts[1], Amount: amount})
	}
}

// Renter returns the name of the person, or their ID if it is unknown.
func (p *RentalPayment) Renter() string { return nameOrID(p.PersonName, p.PersonID) }

// tally returns what the payment adds to the totals of its day. counts is false if no
// money changes hands.
func (p *RentalPayment) tally(zone *time.Location) (t Tally, counts bool) {
	kind := TotalRentals
	switch {
	case !p.IsTaken():
		return Tally{}, false
	case p.Kind != RentalCharge:
		kind = TotalDeposits
	}
	year, month, day := p.Day.Date()
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone)
	return Tally{Kind: kind, At: noon, ID: p.StoreID, Count: 1, Amount: p.Amount}, true
}

// check reports amounts of the payment that contradict each other, for the business check.
func (p *RentalPayment) check(add addFinding) {
	var sum Amount
	for i := range p.Rentals {
		sum = sum.Plus(p.Rentals[i].Amount)
	}
	if sum.Compare(p.Amount) != 0 {
		add(CheckRentalPayment, "The %s is %s, but its parts add up to %s.", labelOf(p), p.Amount, sum)
	}
	if returned := p.Kind == DepositReturned; p.Amount.Sign() == 0 || returned != (p.Amount.Sign() < 0) {
		add(CheckRentalPayment, "The %s has the kind %s and the amount %s. Expected a negative amount if a deposit was returned, and a positive amount otherwise.", labelOf(p), p.Kind, p.Amount)
	}
}

func (p *RentalPayment) references() []reference {
	all := slices.Concat(toStore(CheckRentalPayment, p.StoreID), toShared(CheckRentalPayment, "person", factPeople, p.PersonID))
	for i := range p.Rentals {
		all = append(all, to(CheckRentalPayment, "rental", getRental, "rentalULID", p.Rentals[i].RentalID)...)
	}
	return all
}

// rentalPaymentLabel names a payment in findings of the business check.
func rentalPaymentLabel(p *RentalPayment) string {
	return fmt.Sprintf("rental payment %s in store %s on %s", p.ID, p.StoreID, calendarDay(p.Day))
}

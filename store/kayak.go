package store

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/table"
)

// KayakStatus is the state of a kayak.
type KayakStatus string

// Statuses of a kayak.
const (
	KayakIn      KayakStatus = "in" // available
	KayakOut     KayakStatus = "out"
	KayakRepair  KayakStatus = "repair"
	KayakRetired KayakStatus = "retired" // permanently out of service; counts as archived
)

// KayakStatuses lists every KayakStatus.
var KayakStatuses = []KayakStatus{KayakIn, KayakOut, KayakRepair, KayakRetired}

// Kayak is a kayak that a store rents out. It belongs to one store at a time. If it moves
// to another store, its history moves with it.
type Kayak struct {
	ID        string
	StoreID   string
	Name      string
	Kind      string `json:",omitempty"`
	Serial    string `json:",omitempty"`
	DailyRate Amount
	Condition string `json:",omitempty"` // free text
	Status    KayakStatus
	Version   int
}

func (*Kayak) EntityType() string { return "storeInventoryItem" }

func (k *Kayak) KeyValue(name string) string {
	switch name {
	case "inventoryULID":
		return k.ID
	case "storeULID":
		return k.StoreID
	}
	return ""
}

func (k *Kayak) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "inventory#metadata#inventoryULID#", &k.ID)
	a.FromKey(table.AttrPK, storePrefix, &k.StoreID)
	a.Text("Name", &k.Name)
	a.Text("Kind", &k.Kind)
	a.Text("Serial", &k.Serial)
	amountAttribute(a, "DailyRate", &k.DailyRate)
	a.Text("Condition", &k.Condition)
	a.Text("Status", (*string)(&k.Status))
	a.Version(&k.Version)
}

// ActiveRental is the current rental of a kayak that is checked out. The check-out creates
// it together with a Rental. The check-in deletes the ActiveRental and keeps the Rental.
// The names are copies, for lists.
type ActiveRental struct {
	StoreID  string
	PersonID string
	KayakID  string
	RentalID string
	Out      time.Time
	Due      time.Time // calendar day, at midnight UTC
	Rate     Amount    // price for each calendar day

	BookingID     string   `json:",omitempty"` // the first booking that the check-out or an extension ended
	OtherBookings []string `json:",omitempty"` // IDs of the other bookings that they ended; see addBooking

	Deposit   Amount    `json:",omitzero"` // taken at check-out
	DepositBy PayMethod `json:",omitempty"`

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	KayakName  string `json:",omitempty"`
	Version    int
}

// Identity identifies this rental of the kayak among all rentals of the kayak. A form about
// a rental contains it, so that the form is rejected if the kayak was rented again after the
// form was opened; see requireShown. It does not contain RentalID, which imported rentals
// can lack.
func (r *ActiveRental) Identity() string {
	return strings.Join([]string{r.KayakID, r.PersonID, strconv.FormatInt(r.Out.Unix(), 10)}, identitySeparator)
}

// identitySeparator cannot be part of an ID.
const identitySeparator = "#"

// maxRentalBookings is the maximum number of bookings to which an active rental refers.
const maxRentalBookings = 100

// bookings returns the IDs of the bookings that the rental has ended.
func (r *ActiveRental) bookings() []string {
	if r.BookingID == "" {
		return nil
	}
	return append([]string{r.BookingID}, r.OtherBookings...)
}

// addBooking adds a booking that the rental has ended. It ignores the booking if the
// rental already has maxRentalBookings.
func (r *ActiveRental) addBooking(id string) {
	switch n := len(r.bookings()); {
	case n == 0:
		r.BookingID = id
	case n < maxRentalBookings:
		r.OtherBookings = append(r.OtherBookings, id)
	}
}

// removeBooking removes a booking that is open again.
func (r *ActiveRental) removeBooking(id string) {
	left := slices.DeleteFunc(r.bookings(), func(other string) bool { return other == id })
	r.BookingID, r.OtherBookings = "", nil
	for _, other := range left {
		r.addBooking(other)
	}
}

func (*ActiveRental) EntityType() string { return "storeActiveRental" }

func (r *ActiveRental) KeyValue(name string) string {
	switch name {
	case "storeULID":
		return r.StoreID
	case "personULID":
		return r.PersonID
	case "inventoryULID", "shardOf":
		return r.KayakID
	case "due":
		return calendarDay(r.Due)
	}
	return ""
}

func (r *ActiveRental) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, storePrefix, &r.StoreID)
	a.FromKey("GSI4-PK", "v1#activeRentals#personULID#", &r.PersonID)
	a.FromKey("GSI4-SK", "inventoryULID#", &r.KayakID)
	a.Text("RentalID", &r.RentalID)
	a.Time("Out", &r.Out)
	a.Date("Due", &r.Due)
	amountAttribute(a, "Rate", &r.Rate)
	optionalAmount(a, "Deposit", &r.Deposit)
	a.Text("DepositBy", (*string)(&r.DepositBy))
	a.Text("BookingID", &r.BookingID)
	a.Texts("OtherBookings", &r.OtherBookings)
	a.Text("StoreName", &r.StoreName)
	a.Text("PersonName", &r.PersonName)
	a.Text("ItemName", &r.KayakName)
	a.Version(&r.Version)
}

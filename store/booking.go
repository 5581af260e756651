package store

import (
	"fmt"
	"slices"
	"time"

	"stockroom/store/table"
)

// BookingStatus is the state of a booking.
type BookingStatus string

// Statuses of a booking.
const (
	BookingOpen       BookingStatus = "BOOKED" // holds a kayak
	BookingCheckedOut BookingStatus = "CHECKED_OUT"
	BookingCancelled  BookingStatus = "CANCELLED"
	BookingNoShow     BookingStatus = "NO_SHOW"
)

// BookingStatuses lists every BookingStatus.
var BookingStatuses = []BookingStatus{BookingOpen, BookingCheckedOut, BookingCancelled, BookingNoShow}

// Limits of bookings. A change of a booking writes an item per day. MaxBookingDays keeps
// the change within the 100 actions of a transaction. MaxBookingAhead limits how many
// weeks a check-out reads.
const (
	MaxBookingDays  = 28
	MaxBookingAhead = 182 // days from today to the last day of a booking
)

// Booking reserves a kayak of a store for one person, for whole days. A booking for any
// kayak of a kind also holds one kayak. To make room, the program can move such a booking
// to another kayak of the kind. Bookings are kept permanently. They contain copies of
// names, so that lists need not read other records.
type Booking struct {
	ID       string
	StoreID  string
	PersonID string
	KayakID  string    // the kayak that the booking holds
	Kind     string    `json:",omitempty"` // set if any kayak of this kind fulfills the booking; "" if only KayakID does
	From     time.Time // first calendar day, at midnight UTC
	To       time.Time // last calendar day, on which the kayak is due back
	Status   BookingStatus
	Note     string `json:",omitempty"` // one line, such as "school trip"
	RentalID string `json:",omitempty"` // set at check-out
	Created  time.Time

	CheckedIn bool `json:"-"` // the kayak of the rental is checked in; not stored, set by Access.Booking and BookingsOfPerson

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	KayakName  string `json:",omitempty"`
	Version    int
}

func (*Booking) EntityType() string { return "booking" }

// IsOpen reports whether the booking holds a kayak.
func (b *Booking) IsOpen() bool { return b.Status == BookingOpen }

func (b *Booking) KeyValue(name string) string {
	switch name {
	case "bookingULID":
		return b.ID
	case "storeULID":
		return b.StoreID
	case "status":
		return string(b.Status)
	case "personULID":
		return b.PersonID
	case "openKayak":
		if b.IsOpen() {
			return b.KayakID
		}
	case "from":
		return calendarDay(b.From)
	}
	return ""
}

func (b *Booking) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "v1#booking#bookingULID#", &b.ID)
	a.Text("StoreID", &b.StoreID)
	a.Text("PersonID", &b.PersonID)
	a.Text("InventoryID", &b.KayakID)
	a.Text("Kind", &b.Kind)
	a.Date("From", &b.From)
	a.Date("To", &b.To)
	a.Text("Status", (*string)(&b.Status))
	a.Text("Note", &b.Note)
	a.Text("RentalID", &b.RentalID)
	a.Time("Created", &b.Created)
	a.Text("StoreName", &b.StoreName)
	a.Text("PersonName", &b.PersonName)
	a.Text("ItemName", &b.KayakName)
	a.Version(&b.Version)
}

// Renter returns the name of the person, or the ID if the name is unknown.
func (b *Booking) Renter() string { return nameOrID(b.PersonName, b.PersonID) }

// Days returns the number of days of the booking.
func (b *Booking) Days() int { return daysBetween(b.From, b.To) + 1 }

// What returns the booked kayak, or "any" and the kind, as part of a sentence.
func (b *Booking) What() string {
	if b.Kind != "" {
		return "any " + b.Kind
	}
	return kayakLabel(b.KayakName, b.KayakID)
}

func (b *Booking) accepts(k *Kayak) bool {
	return k.ID == b.KayakID || b.Kind != "" && k.Kind == b.Kind
}

func (b *Booking) span() string { return daySpan(b.From, b.To) }

// Sentence says which kayak the booking holds, for whom and on which days, and whether the
// booking is for any kayak of a kind.
func (b *Booking) Sentence() string {
	sentence := kayakLabel(b.KayakName, b.KayakID) + " is booked for " + b.Renter() + " " + b.span()
	if b.Kind != "" {
		sentence += " (" + b.What() + ")"
	}
	return sentence + "."
}

// days returns a BookingDay for each day of an open booking. It returns none for other
// bookings.
func (b *Booking) days() []*BookingDay {
	if b == nil || !b.IsOpen() {
		return nil
	}
	var all []*BookingDay
	for day := b.From; !day.After(b.To); day = day.AddDate(0, 0, 1) {
		all = append(all, &BookingDay{
			StoreID: b.StoreID, KayakID: b.KayakID, Day: day, BookingID: b.ID, Kind: b.Kind, From: b.From, To: b.To,
			PersonID: b.PersonID, PersonName: b.PersonName, KayakName: b.KayakName, Note: b.Note, Version: b.Version,
		})
	}
	return all
}

// state returns a digest of whether the booking is open, and of the values that its
// BookingDays must match. CheckBusiness compares the digests. Notes and names can differ.
func (b *Booking) state() string {
	return digest(b.StoreID, b.KayakID, b.PersonID, b.Kind, calendarDay(b.From), calendarDay(b.To), fmt.Sprint(b.IsOpen()))
}

// bookingPartition returns the partition of a booking and of its events.
func bookingPartition(id string) string { return partitionOf(getBooking, "bookingULID", id) }

func daySpan(from, to time.Time) string {
	if from.Equal(to) {
		return "on " + longDay(from)
	}
	return "from " + longDay(from) + " to " + longDay(to)
}

// check reports invalid days, an unknown status, and a RentalID that does not fit the
// status.
func (b *Booking) check(add addFinding) {
	if b.From.IsZero() || b.To.Before(b.From) || b.Days() > MaxBookingDays {
		add(CheckBooking, "The %s has the days %s to %s. Expected 1 to %d days.", labelOf(b), orDash(calendarDay(b.From)), orDash(calendarDay(b.To)), MaxBookingDays)
	}
	if !slices.Contains(BookingStatuses, b.Status) {
		add(CheckBooking, "The %s has the status %s, which does not exist.", labelOf(b), Quoted(string(b.Status)))
	}
	switch {
	case b.Status == BookingCheckedOut && b.RentalID == "":
		add(CheckBooking, "The %s is checked out, but has no rental.", labelOf(b))
	case b.Status != BookingCheckedOut && b.RentalID != "":
		add(CheckBooking, "The %s has the rental %s, but its status is %s.", labelOf(b), b.RentalID, b.Status)
	}
}

// references returns the references of a booking to its store, person, kayak and rental
// and, while it is open, to its days.
func (b *Booking) references() []reference {
	all := placeReferences(CheckBooking, b.StoreID, CheckBooking, b.PersonID, "")
	all = append(all, b.kayakReference()...)
	all = append(all, to(CheckBooking, "rental", getRental, "rentalULID", b.RentalID)...)
	for _, day := range b.days() {
		all = append(all, reference{
			rule: CheckBookingDay, to: entityGroup(day), label: labelOf(day), want: digest(b.ID),
			differs: func(other Entity) string {
				if day, ok := other.(*BookingDay); ok && day.BookingID != b.ID {
					return fmt.Sprintf("is open, but the %s belongs to the booking %s", labelOf(day), day.BookingID)
				}
				return ""
			},
		})
	}
	return all
}

package store

import (
	"fmt"
	"time"

	"stockroom/store/table"
)

// BookingDay says that an open booking holds a kayak on one day. Its key contains the
// kayak and the day, so that two bookings cannot hold a kayak on the same day. The
// transaction that ends a booking deletes its days. BookingDay contains copies of the
// booking's values, so that a week of a store needs only one Query.
type BookingDay struct {
	StoreID   string
	KayakID   string
	Day       time.Time // calendar day, at midnight UTC
	BookingID string
	Kind      string    `json:",omitempty"` // see Booking
	From      time.Time // first day of the booking
	To        time.Time // last day of the booking
	PersonID  string
	Note      string `json:",omitempty"`

	PersonName string `json:",omitempty"`
	KayakName  string `json:",omitempty"`
	Version    int
}

func (*BookingDay) EntityType() string { return "bookingDay" }

func (d *BookingDay) KeyValue(name string) string {
	switch name {
	case "storeULID":
		return d.StoreID
	case "inventoryULID":
		return d.KayakID
	case "personULID":
		return d.PersonID
	case "day":
		return calendarDay(d.Day)
	case "week":
		return calendarDay(monday(d.Day))
	}
	return ""
}

func (d *BookingDay) attributes(a *table.Attributes) {
	a.Text("StoreID", &d.StoreID)
	a.Text("InventoryID", &d.KayakID)
	a.Date("Day", &d.Day)
	a.Text("BookingID", &d.BookingID)
	a.Text("Kind", &d.Kind)
	a.Date("From", &d.From)
	a.Date("To", &d.To)
	a.Text("PersonID", &d.PersonID)
	a.Text("Note", &d.Note)
	a.Text("PersonName", &d.PersonName)
	a.Text("ItemName", &d.KayakName)
	a.Version(&d.Version)
}

// Renter returns the name of the person, or the ID if the name is unknown.
func (d *BookingDay) Renter() string { return nameOrID(d.PersonName, d.PersonID) }

// Sentence returns the sentence of the booking; see Booking.Sentence.
func (d *BookingDay) Sentence() string {
	b := Booking{PersonID: d.PersonID, KayakID: d.KayakID, Kind: d.Kind, From: d.From, To: d.To, PersonName: d.PersonName, KayakName: d.KayakName}
	return b.Sentence()
}

// belongsTo returns the condition that the item of a day is absent or belongs to the
// booking.
func belongsTo(bookingID string) table.Condition {
	return table.Condition{
		Expression: "attribute_not_exists(#key) OR #booking = :booking",
		Names:      map[string]string{"#key": table.AttrPK, "#booking": "BookingID"},
		Values:     Item{":booking": table.StringValue(bookingID)},
	}
}

func (d *BookingDay) references() []reference {
	all := toStore(CheckBookingDay, d.StoreID)
	for _, r := range to(CheckBookingDay, "booking", getBooking, "bookingULID", d.BookingID) {
		r.want = (&Booking{StoreID: d.StoreID, KayakID: d.KayakID, PersonID: d.PersonID, Kind: d.Kind, From: d.From, To: d.To, Status: BookingOpen}).state()
		r.differs = func(other Entity) string {
			b, ok := other.(*Booking)
			switch {
			case !ok:
				return ""
			case !b.IsOpen():
				return fmt.Sprintf("still holds a kayak, but the %s has the status %s", labelOf(b), b.Status)
			case b.StoreID != d.StoreID || b.KayakID != d.KayakID || b.PersonID != d.PersonID || b.Kind != d.Kind || !b.From.Equal(d.From) || !b.To.Equal(d.To):
				return fmt.Sprintf("differs from the %s, which is for %s (kayak %s) in store %s and person %s, %s", labelOf(b), b.What(), b.KayakID, b.StoreID, b.PersonID, b.span())
			}
			return ""
		}
		all = append(all, r)
	}
	return all
}

func (d *BookingDay) check(add addFinding) {
	if d.Day.Before(d.From) || d.Day.After(d.To) {
		add(CheckBookingDay, "The %s is outside the days of its booking, %s to %s.", labelOf(d), calendarDay(d.From), calendarDay(d.To))
	}
}

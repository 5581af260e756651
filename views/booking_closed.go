package views

import (
	"stockroom/store"
)

// BookingClosed is the page that replaces a form of a booking that is no longer open. It
// says how the booking ended.
type BookingClosed struct {
	Page
	Booking store.Booking
	End     *store.Event // nil for imported bookings without a history
}

// what returns a sentence that says how the booking ended.
func (p *BookingClosed) what() string {
	var text string
	switch p.Booking.Status {
	case store.BookingCheckedOut:
		text = "The kayak was checked out"
	case store.BookingCancelled:
		text = "This booking was cancelled"
	case store.BookingNoShow:
		text = "This booking was recorded as a no-show"
	default:
		return "This booking is no longer open."
	}
	if p.End != nil {
		text += " by " + nameOr(p.End.By, "unknown user") + " on " + p.time(p.End.When)
	}
	return text + "."
}

// why returns the reason of a cancellation or no-show, or "".
func (p *BookingClosed) why() string {
	if p.End == nil || p.Booking.Status == store.BookingCheckedOut {
		return ""
	}
	return store.MaskCardNumbers(p.End.Why)
}

package storetest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// bookingRushes is how often all clerks book the same kayak at once, on each engine. An
// endpoint gets at most 10 of these rushes, unless the number is greater than 50.
var bookingRushes = flag.Int("booking-rushes", 50, "how often all clerks book the same kayak at once")

func (s *shore) book(kayak string, from, to time.Time) *store.Booking {
	s.Helper()
	b, err := s.access.Book(s.T.Context(), store.BookingRequest{StoreID: "s0", Person: "c01", KayakID: kayak, From: from, To: to}, "")
	if err != nil {
		s.Fatal(err)
	}
	return b
}

// bookKind books any kayak of the kind Sea at store s0 for a customer.
func (s *shore) bookKind(person string, from, to time.Time) (*store.Booking, error) {
	return s.access.Book(s.T.Context(), store.BookingRequest{StoreID: "s0", Person: person, Kind: "Sea", From: from, To: to}, "")
}

func TestBook_RefusesClashes(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		tuesday, thursday := monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 3)
		token := s.store.NewToken()
		request := store.BookingRequest{StoreID: "s0", Person: "c01", KayakID: "k09", From: tuesday, To: thursday, Note: "school trip"}
		first, err := s.access.Book(ctx, request, token)
		if err != nil || first.KayakID != "k09" || first.Kind != "" || first.PersonName != "Åsa 1" || !first.IsOpen() || first.Days() != 3 {
			s.Fatalf("got %+v, %v, want an open booking of k09 for three days by Åsa 1", first, err)
		}
		again, err := s.access.Book(ctx, request, token)
		if err != nil || again.ID != first.ID {
			s.Errorf("same form again: got %+v, %v, want the same booking", again, err)
		}
		clash := "Heron 9 (k09) is booked for Åsa 1 from 24 Nov 2026 to 26 Nov 2026."
		request.From, request.To = thursday, thursday
		s.refused("booking of a booked day", second(s.access.Book(ctx, request, "")), store.Conflict, "kayak", clash)
		s.refused("check-out until a booked day", s.checkOut("c02", "", tuesday, "k09", "k12"), store.Conflict, "kayaks", clash)
		if err := s.checkOut("c02", "", monday, "k09"); err != nil {
			s.Errorf("check-out until the day before: got %v, want no error", err)
		}
		s.refused("extension", second(s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: thursday}, "")), store.Conflict, "due", clash)
		s.refused("booking of a rented day", second(s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: "c01", KayakID: "k09", From: monday, To: monday}, "")),
			store.Conflict, "kayak", "is rented out to")
		k, err := s.access.KayakForChange(ctx, "k12")
		if err != nil {
			s.Fatal(err)
		}
		s.book("k12", tuesday, tuesday)
		s.refused("retiring with an outdated version", s.access.Retire(ctx, "k12", k.Version, "old", ""), store.Conflict, "", "")
		k, _ = s.access.KayakForChange(ctx, "k12")
		s.refused("retiring a booked kayak", s.access.Retire(ctx, "k12", k.Version, "old", ""), store.Conflict, "", "is booked for Åsa 1 on 24 Nov 2026")
		s.refused("moving a booked kayak", s.access.MoveKayak(ctx, "k12", k.Version, "s1", ""), store.Conflict, "", "is booked for")
		for _, r := range []struct {
			store.BookingRequest
			field, words string
		}{
			{store.BookingRequest{KayakID: "k12", From: monday.AddDate(0, 0, -3), To: monday}, "from", "in the past"},
			{store.BookingRequest{KayakID: "k12", From: monday, To: monday.AddDate(0, 0, -1)}, "last", "before the first day"},
			{store.BookingRequest{KayakID: "k12", From: monday, To: monday.AddDate(0, 0, store.MaxBookingDays)}, "last", "at most 28 days"},
			{store.BookingRequest{KayakID: "k12", From: monday.AddDate(1, 0, 0), To: monday.AddDate(1, 0, 0)}, "last", "too far ahead"},
			{store.BookingRequest{From: monday, To: monday}, "kayak", "Choose a kayak"},
			{store.BookingRequest{KayakID: "k01", From: monday, To: monday}, "kayak", "not at this store"},
			{store.BookingRequest{Kind: "Submarine", From: monday, To: monday}, "kayak", "no kayak of the kind"},
			{store.BookingRequest{KayakID: "k12", Note: "a\nb", From: monday, To: monday}, "note", "one line"},
		} {
			r.StoreID, r.Person = "s0", "c01"
			s.refused(r.words, second(s.access.Book(ctx, r.BookingRequest, "")), store.Invalid, r.field, r.words)
		}
		s.refused("kayak in repair", second(s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: "c01", KayakID: "k06", From: monday, To: monday}, "")), store.Conflict, "kayak", "in repair")
	})
}

// staleKayaks is a table whose index of the bookings of a kayak is empty.
type staleKayaks struct{ store.DB }

func (d staleKayaks) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	for _, value := range in.ExpressionAttributeValues {
		if text, ok := value.(*types.AttributeValueMemberS); ok && strings.HasPrefix(text.Value, "v1#bookings#inventoryULID#") {
			return &dynamodb.QueryOutput{}, nil
		}
	}
	return d.DB.Query(ctx, in, options...)
}

// TestRetire_NewBooking retires and moves kayaks that were booked just now, so that the
// index does not contain the bookings yet. The changes must be rejected.
func TestRetire_NewBooking(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		last := storetest.Day(2026, time.November, 21).AddDate(0, 0, store.MaxBookingAhead)
		s.book("k09", monday, monday)
		s.book("k12", last, last)
		stale := store.New(staleKayaks{s.db}, s.store.Table(), s.clock.Now).As(admin)
		for _, id := range []string{"k09", "k12"} {
			k, err := stale.KayakForChange(ctx, id)
			if err != nil {
				s.Fatal(err)
			}
			s.refused("retiring "+id, stale.Retire(ctx, id, k.Version, "old", ""), store.Conflict, "", "is booked for Åsa 1 on ")
			s.refused("moving "+id, stale.MoveKayak(ctx, id, k.Version, "s1", ""), store.Conflict, "", "is booked for Åsa 1 on ")
		}
	})
}

func TestBooking_MoveCancelAndNoShow(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		b := s.book("k09", monday, monday.AddDate(0, 0, 2))
		other := s.book("k09", monday.AddDate(0, 0, 5), monday.AddDate(0, 0, 5))
		request := store.BookingRequest{KayakID: "k09", From: monday.AddDate(0, 0, 1), To: monday.AddDate(0, 0, 4), Note: "late"}
		token := s.store.NewToken()
		for range 2 {
			if err := s.access.MoveBooking(ctx, b.ID, b.Version, request, token); err != nil {
				s.Fatal(err)
			}
		}
		s.agree()
		b, _ = s.access.BookingForChange(ctx, b.ID)
		if b.Version != 2 || !b.From.Equal(request.From) || !b.To.Equal(request.To) || b.Note != "late" {
			s.Errorf("after the move: got %+v, want version 2 with the new days and the note", b)
		}
		request.To = monday.AddDate(0, 0, 5)
		s.refused("extension into a booking", s.access.MoveBooking(ctx, b.ID, b.Version, request, ""), store.Conflict, "kayak", "is booked for Åsa 1 on 28 Nov 2026")
		s.refused("outdated version", s.access.MoveBooking(ctx, b.ID, 1, request, ""), store.Conflict, "", "")
		request.KayakID = "k12"
		if err := s.access.MoveBooking(ctx, b.ID, b.Version, request, ""); err != nil {
			s.Errorf("move to another kayak: got %v, want no error", err)
		}
		s.refused("no-show before the first day", s.access.RecordNoShow(ctx, b.ID, b.Version+1, "", ""), store.Invalid, "", "begins on 24 Nov 2026")
		s.clock.Advance(3 * 24 * time.Hour) // it is now the 24th
		for range 2 {
			if err := s.access.RecordNoShow(ctx, b.ID, b.Version+1, "no call", "form"); err != nil {
				s.Errorf("no-show: got %v, want no error", err)
			}
		}
		s.refused("change of an ended booking", s.access.CancelBooking(ctx, b.ID, b.Version+2, "", ""), store.Conflict, "", "a no-show")
		if err := s.access.CancelBooking(ctx, other.ID, other.Version, "ill", ""); err != nil {
			s.Error(err)
		}
		s.book("k12", monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 5))
		s.book("k09", monday.AddDate(0, 0, 5), monday.AddDate(0, 0, 5))
		events, err := s.access.EventsOfBooking(ctx, b.ID, store.Page{})
		if err != nil || len(events.Rows) != 4 || events.Rows[0].What != store.EventBookingNoShow || events.Rows[0].Why != "no call" ||
			events.Rows[2].Before != "Heron 9 (k09) from 23 Nov 2026 to 25 Nov 2026" || events.Rows[2].After != "Heron 9 (k09) from 24 Nov 2026 to 27 Nov 2026" {
			s.Errorf("got events %+v, %v, want four events, with the move and the no-show", events.Rows, err)
		}
	})
}

// TestBook_AnyOfKind books any kayak of a kind until no booking is possible. Each such
// booking holds one kayak. If somebody else books or checks out this kayak, the booking
// must move to another kayak of the kind, as long as one is free.
func TestBook_AnyOfKind(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		first, err := s.bookKind("c02", monday, monday.AddDate(0, 0, 3))
		if err != nil || first.Kind != "Sea" {
			s.Fatalf("got %+v, %v, want a booking of the kind Sea", first, err)
		}
		own := s.book(first.KayakID, monday.AddDate(0, 0, 2), monday.AddDate(0, 0, 6))
		s.agree()
		moved, err := s.access.Booking(ctx, first.ID)
		if err != nil || moved.KayakID == own.KayakID || moved.Version != 2 {
			s.Errorf("booking of the kind: got %+v, %v, want another kayak than %s", moved, err, own.KayakID)
		}
		if err := s.checkOut("c03", "", monday, moved.KayakID); err != nil {
			s.Errorf("check-out of the kayak that a booking of the kind holds: got %v, want no error", err)
		}
		s.agree()
		booked := 2
		for {
			if _, err = s.bookKind("c04", monday, monday.AddDate(0, 0, 2)); err != nil {
				break
			}
			booked++
		}
		// Store s0 has eight kayaks. Three of them cannot be booked: k00 is rented until
		// the 24th, k06 is in repair, and another one was checked out above. k03 is
		// overdue, so it can be booked.
		s.refused("too many bookings of the kind", err, store.Conflict, "kayak", "No Sea is free from 23 Nov 2026 to 25 Nov 2026.")
		if booked != 5 {
			s.Errorf("got %d bookings, want 5", booked)
		}
		s.refused("check-out of the last kayak", s.checkOut("c05", "", monday, s.kayakOf(first.ID)), store.Conflict, "kayaks", "is booked for Łukasz 2 from 23 Nov 2026 to 26 Nov 2026 (any Sea).")
	})
}

func (s *shore) kayakOf(id string) string {
	b, err := s.access.Booking(s.T.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return b.KayakID
}

func TestCheckOut_OfBooking(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		b, err := s.bookKind("c02", monday, monday.AddDate(0, 0, 3))
		if err != nil {
			s.Fatal(err)
		}
		s.book("k21", monday, monday.AddDate(0, 0, 3))
		s.clock.Advance(2 * 24 * time.Hour)
		out := store.CheckOut{StoreID: "s0", Person: "c02", KayakIDs: []string{"k21"}, Due: monday.AddDate(0, 0, 3), BookingID: b.ID}
		s.refused("kayak that is booked for someone else", second(s.access.CheckOut(ctx, out, "")), store.Conflict, "kayaks", "Heron 21 (k21) is booked for Åsa 1")
		out.KayakIDs = []string{"k22"}
		s.refused("kayak of another store", second(s.access.CheckOut(ctx, out, "")), store.Invalid, "kayaks", "not at this store")
		taken := "k18"
		if b.KayakID == taken {
			taken = "k15"
		}
		out.KayakIDs = []string{taken, "k12"}
		for range 2 {
			if _, err := s.access.CheckOut(ctx, out, "out"); err != nil {
				s.Fatal(err)
			}
		}
		s.agree()
		b, _ = s.access.Booking(ctx, b.ID)
		rentals, err := s.access.RentalsOfKayak(ctx, b.KayakID, store.Page{Limit: 1})
		if err != nil || b.Status != store.BookingCheckedOut || rentals.Rows[0].ID != b.RentalID || rentals.Rows[0].PersonID != "c02" {
			s.Errorf("got the booking %+v and the rental %+v, %v, want the booking checked out, and the rental of c02", b, rentals.Rows, err)
		}
		s.refused("second check-out", second(s.access.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: "c02", KayakIDs: []string{"k15"}, Due: out.Due, BookingID: b.ID}, "")),
			store.Conflict, "", "checked out")
		due := b.To
		quote, err := s.access.QuoteCheckOut(ctx, store.CheckOut{StoreID: "s0", KayakIDs: []string{"k21"}, Due: due})
		if err != nil || quote.RequireAvailable() == nil || !strings.Contains(quote.RequireAvailable().Error(), "is booked for Åsa 1") {
			s.Errorf("quote for a booked kayak: got %v, %v, want a quote that says who has booked the kayak", quote, err)
		}
	})
}

// TestCheckOut_OfOwnBookings checks out three kayaks that the person has booked, without
// naming a booking. The bookings of two of them, which include today, must end. The
// booking of the third one, for a later day, must stay open. Another person must not get
// a booked kayak.
func TestCheckOut_OfOwnBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today := storetest.Day(2026, time.November, 21)
		weekend, short := s.book("k09", today, monday), s.book("k12", today, today)
		later := s.book("k15", monday, monday)
		out := store.CheckOut{StoreID: "s0", Person: weekend.PersonID, KayakIDs: []string{"k09", "k12", "k15"}, Due: today}
		quote, err := s.access.QuoteCheckOut(ctx, out)
		if err != nil || quote.RequireAvailable() != nil {
			s.Fatalf("quote: got %v, %v, want all kayaks available", quote, err)
		}
		rentals, err := s.access.CheckOut(ctx, out, "out")
		if err != nil || len(rentals) != 3 {
			s.Fatalf("got %v, %v, want three rentals", rentals, err)
		}
		s.agree()
		for i, id := range []string{weekend.ID, short.ID} {
			b, err := s.access.Booking(ctx, id)
			if err != nil || b.Status != store.BookingCheckedOut || b.RentalID != rentals[i].ID {
				s.Errorf("booking %d: got %+v, %v, want it checked out as %s", i, b, err, rentals[i].ID)
			}
		}
		if b, err := s.access.Booking(ctx, later.ID); err != nil || !b.IsOpen() {
			s.Errorf("got %+v, %v, want the booking of a later day open", b, err)
		}
		other := s.book("k18", today, today)
		s.refused("kayak of another person", s.checkOut("c05", "", today, other.KayakID), store.Conflict, "kayaks", "is booked for")
	})
}

// TestCheckOut_OfAllOwnBookings checks out a kayak that the person has booked today and on
// two later days. The bookings that the rental covers must end. A booking that ends after the
// rental must stay open, and prevents the check-out. An extension then ends it too. All of
// them must be in the list of rented kayaks until the check-in. An early check-in must open
// the bookings of later days again.
func TestCheckOut_OfAllOwnBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today := storetest.Day(2026, time.November, 21)
		covered := []*store.Booking{s.book("k09", today, today), s.book("k09", monday, monday), s.book("k09", monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 2))}
		longer := s.book("k09", monday.AddDate(0, 0, 3), monday.AddDate(0, 0, 5))
		out := store.CheckOut{StoreID: "s0", Person: longer.PersonID, KayakIDs: []string{"k09"}, Due: monday.AddDate(0, 0, 3)}
		s.refused("booking that ends after the rental", second(s.access.CheckOut(ctx, out, "")), store.Conflict, "kayaks",
			longer.Sentence()+" Choose 25 Nov 2026 (the day before this booking) or 28 Nov 2026 (its last day) as the due date.")
		out.Due = monday.AddDate(0, 0, 2)
		quote, err := s.access.QuoteCheckOut(ctx, out)
		if err != nil || quote.RequireAvailable() != nil {
			s.Fatalf("quote: got %v, %v, want the kayak available", quote, err)
		}
		rentals, err := s.access.CheckOut(ctx, out, "out")
		if err != nil || len(rentals) != 1 {
			s.Fatalf("got %v, %v, want one rental", rentals, err)
		}
		s.agree()
		for i, before := range covered {
			b, err := s.access.Booking(ctx, before.ID)
			if err != nil || b.Status != store.BookingCheckedOut || b.RentalID != rentals[0].ID {
				s.Errorf("booking %d: got %+v, %v, want it checked out as %s", i, b, err, rentals[0].ID)
			}
		}
		if b, err := s.access.Booking(ctx, longer.ID); err != nil || !b.IsOpen() {
			s.Errorf("got %+v, %v, want the booking after the rental open", b, err)
		}
		if _, err := s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: longer.To}, "longer"); err != nil {
			s.Fatal(err)
		}
		s.agree()
		all := []string{covered[0].ID, covered[1].ID, covered[2].ID, longer.ID}
		list := func(state store.BookingState, want ...string) {
			s.Helper()
			var got []string
			for page := (store.Page{Limit: 1}); ; {
				found, err := s.access.BookingsOfStore(ctx, store.BookingFilter{StoreID: "s0", State: state}, false, page)
				if err != nil {
					s.Fatal(err)
				}
				got = append(got, pick(found.Rows, func(b store.StoreBooking) string { return b.ID }, func(store.StoreBooking) bool { return true })...)
				if page.At = found.Next; page.At == nil {
					break
				}
			}
			if !slices.Equal(got, want) {
				s.Errorf("%s: got %v, want %v", state, got, want)
			}
		}
		list(store.BookingOut, all...)
		list(store.BookingEnded)
		s.clock.Advance(3 * 24 * time.Hour) // advance to the 24th, a day of the third booking
		var changed store.ChangedBookings
		s.access.Affected = &changed
		back, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"})
		if err != nil {
			s.Fatal(err)
		}
		for range 2 {
			if _, err := s.access.CheckIn(ctx, checkIn("s0", back.Total, []string{"k09"}), "back"); err != nil {
				s.Fatal(err)
			}
			s.agree()
			list(store.BookingOut)
			list(store.BookingEnded, all[:3]...)
		}
		if b, err := s.access.Booking(ctx, longer.ID); err != nil || !b.IsOpen() || b.RentalID != "" {
			s.Errorf("got %+v, %v, want the booking after the check-in open", b, err)
		}
		if len(changed.Reopened) != 1 || changed.Reopened[0].ID != longer.ID {
			s.Errorf("got the changes %+v, want the booking after the check-in", changed)
		}
		s.refused("check-out to another person", s.checkOut("c05", "", longer.From, "k09"), store.Conflict, "kayaks", longer.Sentence())
	})
}

// TestCheckIn_EarlyWithManyBookings checks in several kayaks at once. Their rentals have ended
// more bookings of later days than one transaction can open again. A check-in of fewer kayaks
// must succeed.
func TestCheckIn_EarlyWithManyBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		kayaks := []string{"k09", "k12"}
		for _, kayak := range kayaks {
			s.book(kayak, monday, monday.AddDate(0, 0, store.MaxBookingDays-1))
			s.book(kayak, monday.AddDate(0, 0, store.MaxBookingDays), monday.AddDate(0, 0, 2*store.MaxBookingDays-1))
			if err := s.checkOut("c01", "", monday.AddDate(0, 0, 2*store.MaxBookingDays), kayak); err != nil {
				s.Fatal(err)
			}
		}
		check := func(kayaks ...string) error {
			quote, err := s.access.QuoteCheckIn(ctx, "s0", kayaks)
			if err == nil {
				_, err = s.access.CheckIn(ctx, checkIn("s0", quote.Total, kayaks), "")
			}
			return err
		}
		s.refused("both kayaks", check(kayaks...), store.Conflict, "kayaks", "Check in fewer kayaks at a time.")
		for _, kayak := range kayaks {
			if err := check(kayak); err != nil {
				s.Error(err)
			}
		}
	})
}

// TestExtend_OwnBooking extends a rental to the end of a booking that the renter has for the
// same kayak. The booking must end. A booking of another person must prevent the extension.
func TestExtend_OwnBooking(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today, tuesday := storetest.Day(2026, time.November, 21), monday.AddDate(0, 0, 1)
		own := s.book("k09", monday, tuesday)
		if err := s.checkOut(own.PersonID, "", today, "k09"); err != nil {
			s.Fatal(err)
		}
		longer := store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: monday}
		s.refused("booking that ends after the rental", second(s.access.Extend(ctx, longer, "")), store.Conflict, "due",
			own.Sentence()+" Choose 22 Nov 2026 (the day before this booking) or 24 Nov 2026 (its last day) as the due date.")
		longer.Due = tuesday
		extended, err := s.access.Extend(ctx, longer, "extend")
		if err != nil {
			s.Fatal(err)
		}
		s.agree()
		b, err := s.access.Booking(ctx, own.ID)
		if err != nil || b.Status != store.BookingCheckedOut || b.RentalID != extended[0].ID {
			s.Errorf("got the booking %+v, %v, want it checked out as %s", b, err, extended[0].ID)
		}
		if err := s.checkOut("c02", "", today, "k12"); err != nil {
			s.Fatal(err)
		}
		other := s.book("k12", monday, monday)
		s.refused("booking of another person", second(s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k12"}, Due: monday}, "")), store.Conflict, "due",
			other.Sentence()+" Choose 22 Nov 2026 or earlier as the due date.")
		s.refused("the same day for one of two", second(s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k12", "k09"}, Due: tuesday}, "")), store.Conflict, "due",
			extended[0].KayakLabel()+" is already due back on 24 Nov 2026.")
		sunday := store.Extension{StoreID: "s0", Kayaks: []string{"k12"}, Due: monday.AddDate(0, 0, -1)}
		if _, err := s.access.Extend(ctx, sunday, ""); err != nil {
			s.Fatal(err)
		}
		sunday.Due = monday.AddDate(0, 0, 1)
		if err := second(s.access.Extend(ctx, sunday, "")); err == nil || err.Error() != other.Sentence() {
			s.Errorf("no other due day: got %v, want only %q", err, other.Sentence())
		}
	})
}

// TestCheckOut_WithKayakOfOtherOwnBooking checks out one of two bookings of a person for the
// same days, with the kayak that the other booking holds. The other booking must stay open,
// and move to the kayak of the first one.
func TestCheckOut_WithKayakOfOtherOwnBooking(t *testing.T) {
	onEachShore(t, func(s *shore) {
		today := storetest.Day(2026, time.November, 21)
		named, err := s.bookKind("c02", today, monday)
		if err != nil {
			s.Fatal(err)
		}
		other, err := s.bookKind("c02", today, monday)
		if err != nil {
			s.Fatal(err)
		}
		out := store.CheckOut{StoreID: "s0", Person: "c02", KayakIDs: []string{other.KayakID}, Due: monday, BookingID: named.ID}
		if _, err := s.access.CheckOut(s.T.Context(), out, "out"); err != nil {
			s.Fatal(err)
		}
		s.agree()
		if b, err := s.access.Booking(s.T.Context(), named.ID); err != nil || b.Status != store.BookingCheckedOut || b.KayakID != other.KayakID {
			s.Errorf("got the named booking %+v, %v, want it checked out with %s", b, err, other.KayakID)
		}
		if b, err := s.access.Booking(s.T.Context(), other.ID); err != nil || !b.IsOpen() || b.KayakID != named.KayakID {
			s.Errorf("got the other booking %+v, %v, want it open and on %s", b, err, named.KayakID)
		}
	})
}

// TestCheckOut_OfTwoOwnBookings checks out two kayaks for two bookings of a person: one of a
// kind, which the check-out names, and one of the first kayak. Both bookings must end.
func TestCheckOut_OfTwoOwnBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		today := storetest.Day(2026, time.November, 21)
		own := s.book("k09", today, monday)
		named, err := s.bookKind(own.PersonID, today, monday)
		if err != nil {
			s.Fatal(err)
		}
		free := "k12"
		if named.KayakID == free {
			free = "k15"
		}
		out := store.CheckOut{StoreID: "s0", Person: own.PersonID, KayakIDs: []string{"k09", free}, Due: monday, BookingID: named.ID}
		if _, err := s.access.CheckOut(s.T.Context(), out, "out"); err != nil {
			s.Fatal(err)
		}
		s.agree()
		for id, kayak := range map[string]string{own.ID: "k09", named.ID: free} {
			if b, err := s.access.Booking(s.T.Context(), id); err != nil || b.Status != store.BookingCheckedOut || b.KayakID != kayak {
				s.Errorf("got the booking %+v, %v, want it checked out with %s", b, err, kayak)
			}
		}
	})
}

// TestExtend_OverdueWithLongerOwnBooking extends an overdue rental to a day of a booking that
// the renter has for the same kayak. The booking ends later, so it must prevent the
// extension. The quote must suggest no such day.
func TestExtend_OverdueWithLongerOwnBooking(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today, wednesday := storetest.Day(2026, time.November, 21), monday.AddDate(0, 0, 2)
		own := s.book("k09", monday, wednesday)
		if err := s.checkOut(own.PersonID, "", today, "k09"); err != nil {
			s.Fatal(err)
		}
		s.clock.Advance(2 * 24 * time.Hour)
		quote, err := s.access.QuoteExtension(ctx, "s0", []string{"k09"})
		if err != nil || !quote.Due.IsZero() {
			s.Errorf("got the quote %+v, %v, want no suggested day", quote, err)
		}
		e := store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: monday.AddDate(0, 0, 1)}
		s.refused("booking that ends after the rental", second(s.access.Extend(ctx, e, "")), store.Conflict, "due", own.Sentence()+" Choose 25 Nov 2026 (its last day) as the due date.")
		e.Due = wednesday
		if _, err := s.access.Extend(ctx, e, ""); err != nil {
			s.Fatal(err)
		}
		s.agree()
		if b, err := s.access.Booking(ctx, own.ID); err != nil || b.Status != store.BookingCheckedOut {
			s.Errorf("got the booking %+v, %v, want it checked out", b, err)
		}
	})
}

// TestBookings_ByState lists the bookings of a store in each state, and the bookings to
// pick up. It also checks that the page of a week shows ended bookings on past days, and
// that a manager of another store cannot list the bookings.
func TestBookings_ByState(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today := storetest.Day(2026, time.November, 21) // a Saturday
		sunday := today.AddDate(0, 0, 1)
		back, out := s.book("k09", today, sunday), s.book("k12", today, today)
		missed, cancelled := s.book("k15", today, today), s.book("k18", today, sunday)
		later, earlier := s.book("k09", monday.AddDate(0, 0, 2), monday.AddDate(0, 0, 3)), s.book("k21", monday, monday)
		for _, b := range []*store.Booking{back, out} {
			if _, err := s.access.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: "c01", KayakIDs: []string{b.KayakID}, Due: b.To, BookingID: b.ID}, ""); err != nil {
				s.Fatal(err)
			}
		}
		quote, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"})
		if err == nil {
			_, err = s.access.CheckIn(ctx, checkIn("s0", quote.Total, []string{"k09"}), "")
		}
		if err != nil {
			s.Fatal(err)
		}
		if err := errors.Join(s.access.RecordNoShow(ctx, missed.ID, 1, "", ""), s.access.CancelBooking(ctx, cancelled.ID, 1, "", "")); err != nil {
			s.Fatal(err)
		}
		ids := func(f store.BookingFilter, reverse bool, page store.Page) []string {
			f.StoreID = "s0"
			found, err := s.access.BookingsOfStore(ctx, f, reverse, page)
			if err != nil {
				s.Fatal(err)
			}
			return pick(found.Rows, func(b store.StoreBooking) string { return b.ID }, func(store.StoreBooking) bool { return true })
		}
		for state, want := range map[store.BookingState][]string{
			store.BookingUpcoming: {earlier.ID, later.ID}, store.BookingOut: {out.ID}, store.BookingEnded: {back.ID}, store.BookingDropped: {cancelled.ID}, store.BookingMissed: {missed.ID},
		} {
			if got := ids(store.BookingFilter{State: state}, false, store.Page{}); !slices.Equal(got, want) {
				s.Errorf("%s: got %v, want %v", state, got, want)
			}
		}
		days := store.DateRange{From: monday, To: monday.AddDate(0, 0, 1)}
		if got := ids(store.BookingFilter{State: store.BookingUpcoming, DateRange: days}, false, store.Page{}); !slices.Equal(got, []string{earlier.ID}) {
			s.Errorf("bookings of two days: got %v, want %v", got, earlier.ID)
		}
		if got := ids(store.BookingFilter{State: store.BookingUpcoming}, true, store.Page{Limit: 1}); !slices.Equal(got, []string{later.ID}) {
			s.Errorf("last booking: got %v, want %v", got, later.ID)
		}

		s.clock.Advance(9 * 24 * time.Hour)
		s.book("k15", storetest.Day(2026, time.December, 1), storetest.Day(2026, time.December, 1))
		week, err := s.access.StoreWeek(ctx, "s0", today)
		if err != nil {
			s.Fatal(err)
		}
		got := map[string]string{}
		for _, kind := range week.Kinds {
			for _, row := range kind.Kayaks {
				for _, d := range row.Days {
					if d.Ended != nil {
						got[row.ID] += fmt.Sprint(d.Day.Day(), string(d.Ended.Status), " ")
					}
				}
			}
		}
		want := map[string]string{"k09": "21CHECKED_OUT 22CHECKED_OUT ", "k15": "21NO_SHOW ", "k18": "21CANCELLED 22CANCELLED "}
		if !maps.Equal(got, want) {
			s.Errorf("ended bookings of the week: got %v, want %v", got, want)
		}
		pickUp := s.book("k18", storetest.Day(2026, time.November, 30), storetest.Day(2026, time.December, 2))
		own := s.store.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1", "s0"}})
		due, err := own.BookingsToPickUp(ctx, storetest.Day(2026, time.November, 30), store.Page{})
		if got := pick(due.Rows, func(b store.Booking) string { return b.ID }, func(b store.Booking) bool { return b.StoreID == "s0" }); err != nil || !slices.Equal(got, []string{earlier.ID, later.ID, pickUp.ID}) {
			s.Errorf("bookings to pick up: got %v, %v, want %v, %v and %v", got, err, earlier.ID, later.ID, pickUp.ID)
		}
		s.refused("bookings of a store of another manager", second(s.store.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1"}}).BookingsOfStore(ctx, store.BookingFilter{StoreID: "s0"}, false, store.Page{})), store.NotFound, "", "")
	})
}

// TestQuoteExtension checks that the suggested due day is later than the present one,
// and before the next booking. If there is no such day, nothing must be suggested.
func TestQuoteExtension(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today := storetest.Day(2026, time.November, 21)
		for kayak, due := range map[string]time.Time{"k09": monday, "k12": today, "k15": monday} {
			if err := s.checkOut("c02", "", due, kayak); err != nil {
				s.Fatal(err)
			}
		}
		tuesday := monday.AddDate(0, 0, 1)
		suggests := func(want time.Time, kayaks ...string) {
			s.Helper()
			got, err := s.access.QuoteExtension(ctx, "s0", kayaks)
			if err != nil || !got.Due.Equal(want) || len(got.Rentals) != len(kayaks) {
				s.Fatalf("%v: got %+v, %v, want %v", kayaks, got, err, want)
			}
			if !want.IsZero() {
				if _, err := s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: kayaks[:1], Due: got.Due}, ""); err != nil {
					s.Errorf("%v: got %v, want the suggested day accepted", kayaks, err)
				}
			}
		}
		s.refused("kayak that is not out", second(s.access.QuoteExtension(ctx, "s0", []string{"k18"})), store.Conflict, "kayaks", "not rented out")
		quote, err := s.access.QuoteExtension(ctx, "s0", []string{"heron 9, K12, Heron 15 (k15)"})
		if err != nil || len(quote.Rentals) != 3 || quote.Rentals[0].KayakID != "k09" || quote.Rentals[1].KayakID != "k12" || quote.Rentals[2].KayakID != "k15" {
			s.Errorf("name, ID in upper case and label: got %+v, %v, want k09, k12 and k15", quote, err)
		}
		suggests(tuesday, "k09")
		suggests(tuesday, "k12", "k15")
		s.book("k15", tuesday, tuesday)
		suggests(time.Time{}, "k15")
		s.clock.Advance(3 * 24 * time.Hour) // it is now the 24th: k15 is overdue, and booked today
		suggests(time.Time{}, "k15")
		suggests(tuesday.AddDate(0, 0, 1), "k09")
	})
}

// TestBook_ConcurrentClerks makes all clerks book the same kayak at the same time, for
// days that overlap. Exactly one booking must succeed, and the others must be refused
// because the kayak is booked.
func TestBook_ConcurrentClerks(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		rushes := *bookingRushes
		if strings.Contains(s.Name(), "endpoint") {
			rushes = min(rushes, 10)
			if *bookingRushes > 50 {
				rushes = *bookingRushes
			}
		}
		day := monday
		for rush := range rushes {
			var wait sync.WaitGroup
			var won atomic.Int64
			begin := make(chan struct{})
			for clerk := range clerks {
				wait.Go(func() {
					<-begin
					request := store.BookingRequest{StoreID: "s0", Person: fmt.Sprintf("c%02d", clerk), KayakID: "k09", From: day, To: day.AddDate(0, 0, 2)}
					switch clerk % 4 {
					case 1:
						request.From = day.AddDate(0, 0, 1)
					case 2:
						request.To = day.AddDate(0, 0, 1)
					}
					_, err := s.access.Book(ctx, request, s.store.NewToken())
					var refused *store.Error
					switch {
					case err == nil:
						won.Add(1)
					case !errors.As(err, &refused) || refused.Kind != store.Conflict || !strings.Contains(refused.Message, "Heron 9 (k09) is booked for"):
						s.Errorf("clerk %d: got %v, want the kayak reported as booked", clerk, err)
					}
				})
			}
			close(begin)
			wait.Wait()
			if won.Load() != 1 {
				s.Fatalf("rush %d: got %d bookings, want 1", rush, won.Load())
			}
			b, err := s.access.BookingsOfKayak(ctx, "k09", store.Page{})
			if err != nil || len(b.Rows) != 1 {
				s.Fatalf("rush %d: got %+v, %v, want one booking", rush, b.Rows, err)
			}
			if err := s.access.CancelBooking(ctx, b.Rows[0].ID, 1, "", ""); err != nil {
				s.Fatal(err)
			}
		}
	})
}

// TestBook_ConcurrentCheckOuts makes some clerks book a kayak for tomorrow, while others
// check it out or extend its rental until tomorrow. Exactly one change must succeed.
func TestBook_ConcurrentCheckOuts(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		today := storetest.Day(2026, time.November, 21)
		for rush := range 10 {
			var wait sync.WaitGroup
			var won atomic.Int64
			begin := make(chan struct{})
			if rush%2 == 1 {
				if err := s.checkOut("c30", "", today, "k09"); err != nil {
					s.Fatal(err)
				}
			}
			for clerk := range clerks / 2 {
				wait.Go(func() {
					<-begin
					var err error
					switch {
					case clerk%2 == 0: // for a person who rents no kayak, because a check-out ends own bookings
						_, err = s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: "c02", KayakID: "k09", From: today.AddDate(0, 0, 1), To: today.AddDate(0, 0, 1)}, "")
					case rush%2 == 1:
						_, err = s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: today.AddDate(0, 0, 1)}, s.store.NewToken())
					default:
						err = s.checkOut(fmt.Sprintf("c%02d", clerk), s.store.NewToken(), today.AddDate(0, 0, 1), "k09")
					}
					switch {
					case err == nil:
						won.Add(1)
					case store.KindOf(err) != store.Conflict:
						s.Errorf("clerk %d: got %v, want no error or Conflict", clerk, err)
					}
				})
			}
			close(begin)
			wait.Wait()
			if won.Load() != 1 {
				s.Fatalf("rush %d: got %d changes, want 1", rush, won.Load())
			}
			s.agree()
			if b, err := s.access.BookingsOfKayak(ctx, "k09", store.Page{}); err != nil {
				s.Fatal(err)
			} else if len(b.Rows) == 1 {
				if err := s.access.CancelBooking(ctx, b.Rows[0].ID, 1, "", ""); err != nil {
					s.Fatal(err)
				}
			}
			if back, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"}); err == nil {
				if _, err := s.access.CheckIn(ctx, checkIn("s0", back.Total, []string{"k09"}), ""); err != nil {
					s.Fatal(err)
				}
			}
			s.clock.Advance(time.Second)
		}
	})
}

// TestBookings_FitInTransaction checks that changes that would need more than the 100
// actions of a transaction are refused with a reason.
func TestBookings_FitInTransaction(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		kayaks := make([]string, store.MaxKayaks)
		for i := range kayaks {
			var err error
			if kayaks[i], err = s.access.AddKayak(ctx, store.Kayak{StoreID: "s0", Name: fmt.Sprint("Tern ", i), Kind: "Touring"}, ""); err != nil {
				s.Fatal(err)
			}
		}
		last := monday.AddDate(0, 0, store.MaxBookingDays-1)
		end := last.AddDate(0, 0, store.MaxBookingDays)
		for _, days := range [][2]time.Time{{monday, last}, {last.AddDate(0, 0, 1), end}} {
			b, err := s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: "c02", Kind: "Touring", From: days[0], To: days[1]}, "")
			if err != nil || b.KayakID != kayaks[0] {
				s.Fatalf("got %+v, %v, want a booking of %s", b, err, kayaks[0])
			}
		}
		s.refused("check-out that moves 56 days to another kayak", s.checkOut("c01", "", end, kayaks[0]), store.Conflict, "kayaks", "is booked for")
		if err := s.checkOut("c01", "", last, kayaks[0]); err != nil {
			s.Errorf("check-out that moves 28 days: got %v, want no error", err)
		}

		all := append([]string{"k12"}, kayaks[2:]...) // kayaks[1] is booked now
		out := store.CheckOut{StoreID: "s0", Person: "c04", KayakIDs: all, Due: last, BookingID: s.book("k12", monday, last).ID}
		quote, err := s.access.QuoteCheckOut(ctx, store.CheckOut{StoreID: "s0", KayakIDs: all, Due: last, BookingID: out.BookingID})
		if err != nil || quote.RequireAvailable() == nil {
			s.Errorf("quote for %d kayaks: got %v, %v, want a reason to refuse", len(all), quote, err)
		}
		s.refused("check-out of many kayaks and a long booking", second(s.access.CheckOut(ctx, out, "")), store.Conflict, "kayaks", "Check out some of the booked ones first")
		out.KayakIDs = all[:1]
		if _, err := s.access.CheckOut(ctx, out, ""); err != nil {
			s.Errorf("check-out of the booked kayak: got %v, want no error", err)
		}
		if err := s.checkOut("c04", "", last, all[1:]...); err != nil {
			s.Errorf("check-out of the other kayaks: got %v, want no error", err)
		}
	})
}

// TestCheckOut_MovesManyBookings checks out kayaks that are booked on one day each. Moving
// eleven bookings would need more than the 100 actions of a transaction, because each move
// also has an event. Moving ten does not.
func TestCheckOut_MovesManyBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		const booked = 11
		var kayaks, free []string
		for i := range 2*booked + 1 {
			id, err := s.access.AddKayak(s.T.Context(), store.Kayak{StoreID: "s0", Name: fmt.Sprint("Tern ", i), Kind: "Touring"}, "")
			if err != nil {
				s.Fatal(err)
			}
			free = append(free, id)
		}
		tuesday := monday.AddDate(0, 0, 1)
		for range booked {
			b, err := s.access.Book(s.T.Context(), store.BookingRequest{StoreID: "s0", Person: "c02", Kind: "Touring", From: tuesday, To: tuesday}, "")
			if err != nil {
				s.Fatal(err)
			}
			kayaks = append(kayaks, b.KayakID)
			free = slices.DeleteFunc(free, func(id string) bool { return id == b.KayakID })
		}
		s.refused("check-out that moves 11 bookings", s.checkOut("c01", "", tuesday, append(free[:1:1], kayaks...)...), store.Conflict, "kayaks", "is booked for")
		if err := s.checkOut("c01", "", tuesday, kayaks[1:]...); err != nil {
			s.Errorf("check-out that moves 10 bookings: got %v, want no error", err)
		}
		s.agree()
	})
}

// TestBook_ReportsDisplaced books the kayak that a booking for any kayak of a kind holds, so
// that this booking moves to another kayak. Access.Affected must contain the moved booking
// only if the transaction succeeds.
func TestBook_ReportsDisplaced(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := &scriptedTable{DB: storetest.Embedded(t, clock)}
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loaded, err := s.Load(t.Context(), []store.Entity{
		&store.Customer{ID: "c1", Name: "Ebba", Version: 1},
		&store.RentalStore{ID: "s1", Name: "Brygga", In: 2, Version: 1},
		&store.Kayak{ID: "k1", StoreID: "s1", Name: "Heron", Kind: "Sea", Status: store.KayakIn, Version: 1},
		&store.Kayak{ID: "k2", StoreID: "s1", Name: "Tern", Kind: "Sea", Status: store.KayakIn, Version: 1},
	}, store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(loaded.Rejected, err)
	}
	var changed store.ChangedBookings
	a := s.As(&store.User{Name: "admin", Role: store.Admin})
	a.Affected = &changed
	other, err := a.Book(t.Context(), store.BookingRequest{StoreID: "s1", Person: "c1", Kind: "Sea", From: monday, To: monday}, "")
	if err != nil {
		t.Fatal(err)
	}
	request := store.BookingRequest{StoreID: "s1", Person: "c1", KayakID: other.KayakID, From: monday, To: monday}
	db.outcomes = []outcome{diskFull}
	if _, err := a.Book(t.Context(), request, ""); err == nil || len(changed.Moved) > 0 {
		t.Errorf("failed transaction: got %v and the moved bookings %+v, want an error and none", err, changed.Moved)
	}
	db.outcomes = nil
	if _, err := a.Book(t.Context(), request, ""); err != nil || len(changed.Moved) != 1 || changed.Moved[0].ID != other.ID {
		t.Errorf("got %v and the moved bookings %+v, want no error and %s", err, changed.Moved, other.ID)
	}
}

package storetest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// shore is a Store that contains the test shop, for tests that change rentals.
type shore struct {
	*testing.T
	db     store.DB
	store  *store.Store
	access store.Access
	clock  *storetest.Clock
	storetest.Rentals
}

// onEachShore runs a test on each engine. It checks the records of the rentals
// before and after the test.
func onEachShore(t *testing.T, test func(s *shore)) {
	t.Helper()
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		s.WaitForTouches()
		shore := &shore{t, db, s, s.As(admin), clock, storetest.NewSmallShop().Rentals}
		shore.agree()
		test(shore)
		shore.agree()
	})
}

// agree fails the test if the records of the rentals contradict each other.
func (s *shore) agree() {
	s.Helper()
	entities, err := storetest.Entities(s.T.Context(), s.db, s.store.Table())
	if err != nil {
		s.Fatal(err)
	}
	for _, fault := range storetest.RentalFaults(entities) {
		s.Error(fault)
	}
}

// refused checks that err has this kind, is about this field and contains these
// words.
func (s *shore) refused(what string, err error, kind store.Kind, field, words string) {
	s.Helper()
	var e *store.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Field != field || !strings.Contains(e.Message, words) {
		s.Errorf("%s: got %v, want kind %d at %q with %q", what, err, kind, field, words)
	}
}

func (s *shore) checkOut(person, token string, due time.Time, kayaks ...string) error {
	_, err := s.access.CheckOut(s.T.Context(), store.CheckOut{StoreID: "s0", Person: person, KayakIDs: kayaks, Due: due}, token)
	return err
}

var monday = storetest.Day(2026, time.November, 23)

// total returns the charge for n days of kayaks with the given daily rates.
func total(n int, rates ...store.Amount) store.Amount {
	var sum store.Amount
	for _, rate := range rates {
		sum = sum.Plus(rate.Times(n))
	}
	return sum
}

// checkIn returns a request to check in kayaks without damage.
func checkIn(storeID string, charge store.Amount, kayaks []string) store.CheckIn {
	in := store.CheckIn{StoreID: storeID, Charge: charge, Method: store.PayByCash}
	for _, id := range kayaks {
		in.Kayaks = append(in.Kayaks, store.ReturnedKayak{ID: id})
	}
	return in
}

func TestCheckOutAndIn(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		if err := s.checkOut("c01", "one", monday, "k09", "k12", "k09"); err != nil {
			s.Fatal(err)
		}
		if err := s.checkOut("c01", "one", monday, "k09", "k12"); err != nil {
			s.Errorf("same form again: got %v, want success", err)
		}
		s.refused("another form with the same kayaks", s.checkOut("c02", "two", monday, "k15", "k12"), store.Conflict, "kayaks", "Heron 12 (k12) is already rented out")
		out, err := s.access.RentedByPersonFromStore(ctx, "c01", "s0", store.Page{})
		if err != nil || len(out.Rows) != 2 || out.Rows[0].PersonName != "Åsa 1" || out.Rows[0].KayakName != "Heron 9" || !out.Rows[0].Due.Equal(monday) {
			s.Fatalf("got active rentals %+v, %v, want two active rentals of Åsa 1 until Monday", out.Rows, err)
		}
		s.agree()

		s.clock.Advance(4 * 24 * time.Hour) // advance to the 25th, two days late
		back, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"})
		if err != nil || len(back.Lines) != 1 || back.Lines[0].Days != 5 || back.Lines[0].LateDays != 2 || !same(back.Total, total(5, s.Kayaks[9].DailyRate)) {
			s.Fatalf("check-in of one: got %+v, %v, want one kayak for five days, two of them late", back, err)
		}
		if len(back.StillOut) != 1 || back.StillOut[0].KayakID != "k12" {
			s.Errorf("got kayaks that stay out %+v, want only k12", back.StillOut)
		}
		s.refused("another charge than the form showed", second(s.access.CheckIn(ctx, checkIn("s0", store.MinorUnits(1), []string{"k09"}), "")), store.Conflict, "", "charge has changed")
		for range 2 {
			if _, err := s.access.CheckIn(ctx, checkIn("s0", back.Total, []string{"k09"}), "back"); err != nil {
				s.Fatal(err)
			}
		}
		if err := s.checkOut("c01", "one", monday.AddDate(0, 0, 7), "k09", "k12"); err != nil {
			s.Errorf("check-out form again after the check-in: got %v, want no error", err)
		}
		s.refused("check-in by another form", second(s.access.CheckIn(ctx, checkIn("s0", back.Total, []string{"k09"}), "other")), store.Conflict, "kayaks", "Heron 9 (k09) is not rented out. Åsa 1 was the last to rent it. It was checked in on 25 Nov 2026.")
		history, err := s.access.RentalsOfKayak(ctx, "k09", store.Page{Limit: 1})
		if err != nil || !history.Rows[0].Returned.Equal(s.clock.Now()) || !same(history.Rows[0].Charge, back.Total) {
			s.Errorf("got history %+v, %v, want the rental returned now, with its charge", history.Rows, err)
		}
		if err := s.access.NoteOnKayak(ctx, "k12", "new paddle", ""); err != nil {
			s.Error(err)
		}
		notes, err := s.access.EventsOfKayak(ctx, "k12", store.Page{Limit: 1})
		if err != nil || notes.Rows[0].What != store.EventNote || notes.Rows[0].Why != "new paddle" {
			s.Errorf("got events %+v, %v, want the note", notes.Rows, err)
		}
		events, err := s.access.EventsOfKayak(ctx, "k09", store.Page{})
		if err != nil || len(events.Rows) != 2 || events.Rows[0].What != store.EventKayakCheckedIn || events.Rows[1].What != store.EventKayakCheckedOut || events.Rows[1].By != "admin" ||
			events.Rows[0].Why != "by Åsa 1 after 5 days, 2 days late, charge "+back.Total.String()+" paid in cash" || events.Rows[1].Why != "to Åsa 1 until 23 Nov 2026" {
			s.Errorf("got events %+v, %v, want the check-in and the check-out with their details", events.Rows, err)
		}
	})
}

func TestCheckOut_Invalid(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		many := make([]string, 21)
		for i := range many {
			many[i] = s.Kayaks[i].ID
		}
		for _, tt := range []struct {
			what, person string
			due          time.Time
			kayaks       []string
			kind         store.Kind
			field, words string
		}{
			{"none", "c01", monday, nil, store.Invalid, "kayaks", "Scan"},
			{"too many", "c01", monday, many, store.Invalid, "kayaks", "20"},
			{"no ID", "c01", monday, []string{"a#b"}, store.Invalid, "kayaks", "a#b"},
			{"unknown", "c01", monday, []string{"k99"}, store.Invalid, "kayaks", "k99"},
			{"at another store", "c01", monday, []string{"k10"}, store.Invalid, "kayaks", "k10"},
			{"in repair", "c01", monday, []string{"k09", "k06"}, store.Conflict, "kayaks", "in repair"},
			{"out", "c01", monday, []string{"k03"}, store.Conflict, "kayaks", "already rented out"},
			{"unknown person", "x", monday, []string{"k09"}, store.Invalid, "person", "x"},
			{"no person", "", monday, []string{"k09"}, store.Invalid, "person", "Enter a name"},
			{"unknown address", "nobody@example.com", monday, []string{"k09"}, store.Invalid, "person", "nobody@example.com"},
			{"yesterday", "c01", storetest.Day(2026, 11, 20), []string{"k09"}, store.Invalid, "due", "20 Nov 2026 is in the past"},
			{"no day", "c01", time.Time{}, []string{"k09"}, store.Invalid, "due", "day when the kayaks are due back"},
			{"due too late", "c01", storetest.Day(2036, 11, 20), []string{"k09"}, store.Invalid, "due", "year"},
		} {
			s.refused(tt.what, s.checkOut(tt.person, "", tt.due, tt.kayaks...), tt.kind, tt.field, tt.words)
		}
		viewer := s.store.As(&store.User{Name: "v", Role: store.Support})
		_, err := viewer.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: "c01", KayakIDs: []string{"k09"}, Due: monday}, "")
		s.refused("by support", err, store.Forbidden, "", "role")
	})
}

func TestExtend(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		later := monday.AddDate(0, 0, 7)
		s.refused("a kayak that is in", second(s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: later}, "")), store.Conflict, "kayaks", "not rented out")
		s.refused("a past day", second(s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k00"}, Due: storetest.Day(2026, 11, 20)}, "")), store.Invalid, "due", "in the past")
		for range 2 {
			if _, err := s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k00", "k03"}, Due: later}, "later"); err != nil {
				s.Fatal(err)
			}
		}
		due, err := s.access.RentalsDue(ctx, time.Time{}, later, store.Page{})
		if err != nil || !slices.Equal(pick(due.Rows, activeID, func(r store.ActiveRental) bool { return r.Due.Equal(later) }), []string{"r0000", "r0003"}) {
			s.Errorf("got due %+v, %v, want r0000 and r0003", due.Rows, err)
		}
		s.refused("the same day", second(s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k00"}, Due: later}, "")), store.Conflict, "due", "already")
	})
}

// TestQuoteExtension_AfterBookableDays asks for a new due day of rentals that are due on the
// last day for which kayaks can be booked, and later.
func TestQuoteExtension_AfterBookableDays(t *testing.T) {
	onEachShore(t, func(s *shore) {
		last := storetest.Day(2026, time.November, 21).AddDate(0, 0, store.MaxBookingAhead)
		for n, kayak := range []string{"k09", "k12", "k15"} {
			due := last.AddDate(0, 0, n)
			if err := s.checkOut("c01", "", due, kayak); err != nil {
				s.Fatal(err)
			}
			quote, err := s.access.QuoteExtension(s.T.Context(), "s0", []string{kayak})
			if err != nil || !quote.Due.Equal(due.AddDate(0, 0, 1)) {
				s.Errorf("due %s: got %+v, %v, want the next day", due, quote, err)
			}
		}
	})
}

// TestExtend_EarlierDayInSteps moves the due day of a rental to a day within a booking of the
// renter that the rental includes, and then to a day before this booking. The booking must be
// open again, unless somebody else has booked the kayak for one of its days meanwhile.
func TestExtend_EarlierDayInSteps(t *testing.T) {
	for name, meanwhile := range map[string]bool{"free": false, "booked meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			onEachShore(t, func(s *shore) {
				ctx := s.T.Context()
				tuesday, wednesday, thursday, friday := monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 2), monday.AddDate(0, 0, 3), monday.AddDate(0, 0, 4)
				booked := s.book("k09", tuesday, thursday)
				if err := s.checkOut(booked.PersonID, "", friday, "k09"); err != nil {
					s.Fatal(err)
				}
				s.setDue("k09", wednesday)
				if meanwhile {
					if _, err := s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: "c02", KayakID: "k09", From: thursday, To: thursday}, ""); err != nil {
						s.Fatal(err)
					}
				}
				s.setDue("k09", monday)
				if b, err := s.access.Booking(ctx, booked.ID); err != nil || b.IsOpen() == meanwhile {
					s.Errorf("got %+v, %v, want it open %t", b, err, !meanwhile)
				}
			})
		})
	}
}

// TestExtend_OverlappingBookings shortens a rental so that it includes only a part of a
// booking, and the renter books the rest again. When the rental no longer includes either
// booking, only one of them must be open, because both are for the same day.
func TestExtend_OverlappingBookings(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		tuesday, wednesday, thursday, friday := monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 2), monday.AddDate(0, 0, 3), monday.AddDate(0, 0, 4)
		whole := s.book("k09", tuesday, thursday)
		if err := s.checkOut(whole.PersonID, "", friday, "k09"); err != nil {
			s.Fatal(err)
		}
		s.setDue("k09", wednesday)
		rest, err := s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: whole.PersonID, KayakID: "k09", From: thursday, To: thursday}, "")
		if err != nil {
			s.Fatal(err)
		}
		s.setDue("k09", friday)
		s.setDue("k09", monday)
		open := 0
		for _, id := range []string{whole.ID, rest.ID} {
			b, err := s.access.Booking(ctx, id)
			if err != nil {
				s.Fatal(err)
			}
			if b.IsOpen() {
				open++
			}
		}
		if open != 1 {
			s.Errorf("got %d open bookings, want 1", open)
		}
	})
}

// TestExtend_BookingCheckedOutEarly checks out a kayak for a booking that begins after the due
// day, and then moves the due day to an earlier day. The booking must stay checked out.
func TestExtend_BookingCheckedOutEarly(t *testing.T) {
	onEachShore(t, func(s *shore) {
		friday := monday.AddDate(0, 0, 4)
		booked := s.book("k09", friday, friday)
		out := store.CheckOut{StoreID: "s0", Person: booked.PersonID, KayakIDs: []string{"k09"}, Due: monday.AddDate(0, 0, 1), BookingID: booked.ID}
		if _, err := s.access.CheckOut(s.T.Context(), out, ""); err != nil {
			s.Fatal(err)
		}
		s.setDue("k09", monday)
		if b, err := s.access.Booking(s.T.Context(), booked.ID); err != nil || b.Status != store.BookingCheckedOut {
			s.Errorf("got %+v, %v, want it checked out", b, err)
		}
	})
}

// setDue moves the due day of the rental of a kayak.
func (s *shore) setDue(kayak string, day time.Time) {
	s.Helper()
	if _, err := s.access.Extend(s.T.Context(), store.Extension{StoreID: "s0", Kayaks: []string{kayak}, Due: day}, ""); err != nil {
		s.Fatal(err)
	}
	s.agree()
}

// TestExtend_EarlierDay extends a rental until after two bookings that the renter has for the
// kayak, and then moves the due day to the first of them. The second booking must be open
// again, and somebody else must be able to book the kayak for the day between them. Later, an
// extension must end the second booking again. The charge must not depend on the due day.
func TestExtend_EarlierDay(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		var changed store.ChangedBookings
		s.access.Affected = &changed
		today, wednesday := storetest.Day(2026, time.November, 21), monday.AddDate(0, 0, 2)
		first, second := s.book("k09", monday, monday), s.book("k09", wednesday, wednesday)
		if err := s.checkOut(first.PersonID, "", today, "k09"); err != nil {
			s.Fatal(err)
		}
		due := func(day time.Time, token string) {
			s.Helper()
			if _, err := s.access.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: day}, token); err != nil {
				s.Fatal(err)
			}
			s.agree()
		}
		due(wednesday, "")
		if len(changed.Ended) != 2 {
			s.Errorf("extension: got %+v, want two ended bookings", changed)
		}
		quote, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"})
		if err != nil {
			s.Fatal(err)
		}
		for range 2 {
			due(monday, "earlier")
			if b, err := s.access.Booking(ctx, second.ID); err != nil || !b.IsOpen() || b.RentalID != "" {
				s.Errorf("second booking: got %+v, %v, want it open", b, err)
			}
		}
		if b, err := s.access.Booking(ctx, first.ID); err != nil || b.Status != store.BookingCheckedOut {
			s.Errorf("first booking: got %+v, %v, want it checked out", b, err)
		}
		if now, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"}); err != nil || now.Total.Compare(quote.Total) != 0 {
			s.Errorf("charge: got %+v, %v, want %s", now, err, quote.Total)
		}
		out, err := s.access.BookingsOfStore(ctx, store.BookingFilter{StoreID: "s0", State: store.BookingOut}, false, store.Page{})
		if got := pick(out.Rows, func(b store.StoreBooking) string { return b.ID }, func(b store.StoreBooking) bool { return b.KayakID == "k09" }); err != nil || !slices.Equal(got, []string{first.ID}) {
			s.Errorf("rented out: got %v, %v, want the first booking", got, err)
		}
		between, err := s.access.Book(ctx, store.BookingRequest{StoreID: "s0", Person: "c02", KayakID: "k09", From: monday.AddDate(0, 0, 1), To: monday.AddDate(0, 0, 1)}, "")
		if err == nil {
			err = s.access.CancelBooking(ctx, between.ID, 1, "", "")
		}
		if err != nil {
			s.Fatal(err)
		}
		due(wednesday, "")
		if b, err := s.access.Booking(ctx, second.ID); err != nil || b.Status != store.BookingCheckedOut || len(changed.Ended) != 1 {
			s.Errorf("second booking: got %+v, %v and the changes %+v, want it checked out", b, err, changed)
		}
	})
}

// TestRentedAgain submits forms that showed a rental of a kayak. In the meantime, somebody
// else has rented the kayak. The forms must change nothing, even if the charge is the same.
func TestRentedAgain(t *testing.T) {
	for _, rate := range []store.Amount{{}, store.MinorUnits(35_00)} {
		t.Run(rate.String(), func(t *testing.T) {
			onEachShore(t, func(s *shore) {
				ctx := s.T.Context()
				s.setRate("k09", rate)
				if err := s.checkOut("c01", "", monday, "k09"); err != nil {
					s.Fatal(err)
				}
				quote, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09"})
				if err != nil {
					s.Fatal(err)
				}
				extension, err := s.access.QuoteExtension(ctx, "s0", []string{"k09"})
				if err != nil {
					s.Fatal(err)
				}
				shown := []string{extension.Rentals[0].Identity()}
				in := checkIn("s0", quote.Total, []string{"k09"})
				in.Shown = []string{quote.Lines[0].Identity()}
				if _, err := s.access.CheckIn(ctx, in, ""); err != nil {
					s.Fatal(err)
				}
				if err := s.checkOut("c02", "", monday, "k09"); err != nil {
					s.Fatal(err)
				}
				const words = "Heron 9 (k09) was rented to Łukasz 2 after"
				s.refused("check-in", second(s.access.CheckIn(ctx, in, "")), store.Conflict, "", words)
				later := store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: monday.AddDate(0, 0, 1), Shown: shown}
				s.refused("extension", second(s.access.Extend(ctx, later, "")), store.Conflict, "", words)
				out, err := s.access.RentedByPersonFromStore(ctx, "c02", "s0", store.Page{})
				if err != nil || len(out.Rows) != 1 || !out.Rows[0].Due.Equal(monday) {
					s.Errorf("got active rentals %+v, %v, want one until Monday", out.Rows, err)
				}
				later.Shown = nil
				if _, err := s.access.Extend(ctx, later, ""); err != nil {
					s.Errorf("extension of a kayak that the form did not show: got %v, want success", err)
				}
			})
		})
	}
}

// setRate sets the daily rate of a kayak.
func (s *shore) setRate(id string, rate store.Amount) {
	s.Helper()
	k, err := s.access.Kayak(s.T.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	k.DailyRate = rate
	if err := s.access.SaveKayak(s.T.Context(), *k, ""); err != nil {
		s.Fatal(err)
	}
}

// TestCheckOut_OtherRate changes the rate of a kayak after the form has shown it. The
// check-out must be rejected until the form shows the new rate.
func TestCheckOut_OtherRate(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		s.setRate("k09", store.MinorUnits(35_00))
		quote := func() store.CheckOut {
			s.Helper()
			q, err := s.access.QuoteCheckOut(ctx, store.CheckOut{StoreID: "s0", KayakIDs: []string{"k09", "k12"}, Due: monday})
			if err != nil {
				s.Fatal(err)
			}
			return store.CheckOut{StoreID: "s0", Person: "c01", KayakIDs: q.IDs(), Due: monday, Rate: &q.Rate}
		}
		out := quote()
		s.setRate("k09", store.MinorUnits(350_00))
		s.refused("another rate", second(s.access.CheckOut(ctx, out, "")), store.Conflict, "", "daily rate has changed")
		if k, err := s.access.Kayak(ctx, "k09"); err != nil || k.Status != store.KayakIn {
			s.Errorf("got kayak %+v, %v, want it in", k, err)
		}
		for range 2 {
			if _, err := s.access.CheckOut(ctx, quote(), "out"); err != nil {
				s.Errorf("the new rate: got %v, want success", err)
			}
		}
	})
}

// TestKayak_MaxRate enters a daily rate above the maximum, whose charge for a few days
// could not be stored, and the maximum. Only the maximum must be accepted.
func TestKayak_MaxRate(t *testing.T) {
	onEachShore(t, func(s *shore) {
		k := store.Kayak{StoreID: "s0", Name: "Gold", DailyRate: store.MinorUnits(9_999_999_01)}
		s.refused("above the maximum", second(s.access.AddKayak(s.T.Context(), k, s.store.NewToken())), store.Invalid, "rate", "at most 9,999,999")
		k.DailyRate = store.MinorUnits(9_999_999_00)
		if _, err := s.access.AddKayak(s.T.Context(), k, s.store.NewToken()); err != nil {
			s.Errorf("the maximum: got %v, want success", err)
		}
	})
}

func TestKayak_RepairMoveRetire(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		seen := func(id string) int {
			k, err := s.access.Kayak(ctx, id)
			if err != nil {
				s.Fatal(err)
			}
			return k.Version
		}
		s.refused("without a reason", s.access.Repair(ctx, "k09", 1, " ", ""), store.Invalid, "why", "wrong")
		for range 2 {
			if err := s.access.Repair(ctx, "k09", 1, "leaks", "repair"); err != nil {
				s.Fatal(err)
			}
		}
		s.refused("again", s.access.Repair(ctx, "k09", 1, "leaks", "other"), store.Conflict, "", "in repair")
		s.refused("a kayak that is out", s.access.MoveKayak(ctx, "k00", 1, "s1", ""), store.Conflict, "", "already rented out")
		s.refused("to an unknown store", s.access.MoveKayak(ctx, "k09", 2, "s9", ""), store.Invalid, "store", "s9")
		s.refused("to its own store", s.access.MoveKayak(ctx, "k09", 2, "s0", ""), store.Invalid, "store", "already")
		s.refused("with an old version", s.access.MoveKayak(ctx, "k09", 1, "s1", ""), store.Conflict, "", "Someone else")
		for range 2 {
			if err := s.access.MoveKayak(ctx, "k09", 2, "s1", "move"); err != nil {
				s.Fatal(err)
			}
		}
		if err := s.access.CompleteRepair(ctx, "k09", seen("k09"), "new hatch", ""); err != nil {
			s.Fatal(err)
		}
		k, err := s.access.Kayak(ctx, "k09")
		if err != nil || k.StoreID != "s1" || k.Status != store.KayakIn || k.Version != 4 {
			s.Errorf("got kayak %+v, %v, want k09 in at s1, version 4", k, err)
		}
		if history, err := s.access.RentalsOfKayak(ctx, "k09", store.Page{}); err != nil || len(history.Rows) == 0 {
			s.Errorf("history after the move: got %v, want rentals", err)
		}
		s.refused("retiring without a reason", s.access.Retire(ctx, "k09", 4, "", ""), store.Invalid, "why", "why the kayak")
		if err := s.access.Retire(ctx, "k09", 4, "worn out", ""); err != nil {
			s.Fatal(err)
		}
		s.refused("completing the repair of a retired kayak", s.access.CompleteRepair(ctx, "k09", 5, "", ""), store.Conflict, "", "retired")
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1"}})
		for what, err := range map[string]error{
			"moving a kayak of another store":       manager.MoveKayak(ctx, "k12", 1, "s1", ""),
			"repairing a kayak of another store":    manager.Repair(ctx, "k12", 1, "x", ""),
			"retiring a kayak of another store":     manager.Retire(ctx, "k12", 1, "x", ""),
			"check-out at another store":            second(manager.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: "c01", KayakIDs: []string{"k12"}, Due: monday}, "")),
			"quote for a check-in at another store": second(manager.QuoteCheckIn(ctx, "s0", []string{"k00"})),
			"kayaks that are out at another store":  second(manager.StillOut(ctx, "s0", []string{"k00"})),
			"check-in at another store":             second(manager.CheckIn(ctx, checkIn("s0", store.Amount{}, []string{"k00"}), "")),
			"extending a rental of another store":   second(manager.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k00"}, Due: monday}, "")),
			"hiring for another store":              manager.StartEmployment(ctx, store.NewEmployment{StoreID: "s0", Person: "c01", From: monday}, ""),
			"ending an employment at another store": manager.EndEmployment(ctx, "s0", "pp0", monday, ""),
		} {
			s.refused(what, err, store.NotFound, "", "")
		}
		s.refused("moving a kayak to another manager's store", manager.MoveKayak(ctx, "k13", 1, "s0", ""), store.Invalid, "store", "s0")
	})
}

func TestEmployment_HireAndEnd(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		hiring := store.NewEmployment{StoreID: "s2", Person: "pp1", Position: "Guide", From: storetest.Day(2026, 11, 1)}
		for range 2 {
			if err := s.access.StartEmployment(ctx, hiring, "hire"); err != nil {
				s.Fatal(err)
			}
		}
		s.refused("hiring the same person again", s.access.StartEmployment(ctx, hiring, "other"), store.Conflict, "person", "Sasha already works at this store")
		hiring.Person = "nobody"
		s.refused("an unknown person", s.access.StartEmployment(ctx, hiring, ""), store.Invalid, "person", "nobody")
		s.refused("no first day", s.access.StartEmployment(ctx, store.NewEmployment{StoreID: "s2", Person: "pp0"}, ""), store.Invalid, "from", "first")
		s.refused("a last day before the first", s.access.EndEmployment(ctx, "s2", "pp1", storetest.Day(2026, 10, 31), ""), store.Invalid, "last", "1 Nov 2026")
		s.refused("no last day", s.access.EndEmployment(ctx, "s2", "pp1", time.Time{}, ""), store.Invalid, "last", "last")
		friday := storetest.Day(2026, 11, 20)
		for range 2 {
			if err := s.access.EndEmployment(ctx, "s2", "pp1", friday, "leave"); err != nil {
				s.Fatal(err)
			}
		}
		s.refused("again", s.access.EndEmployment(ctx, "s2", "pp1", friday, ""), store.Conflict, "", "does not work at this store")
		hiring = store.NewEmployment{StoreID: "s2", Person: "pp1", From: friday}
		s.refused("a first day in the former employment", s.access.StartEmployment(ctx, hiring, ""), store.Invalid, "from", "last day at this store was 20 Nov 2026")
		times, err := s.access.EmploymentsOfPerson(ctx, "pp1", store.EmploymentFilter{}, store.Page{})
		if err != nil || len(times.Rows) != 3 || !times.Rows[0].To.Equal(friday) || times.Rows[0].StoreName != "Canal" {
			s.Errorf("employments of pp1: got %+v, %v, want three employments, the newest one until Friday", times.Rows, err)
		}
	})
}

// TestEmployment_EndsLater ends an employment on a day in the future. The person must remain
// an employee of the store until this day has passed, and can then be hired again.
func TestEmployment_EndsLater(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx, tuesday := s.T.Context(), monday.AddDate(0, 0, 1)
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1"}})
		current := func(what string, last time.Time, want bool) {
			s.Helper()
			found, err := manager.EmployeesOfStore(ctx, "s1", store.Page{})
			if err != nil || (len(found.Rows) == 1) != want || want && (found.Rows[0].PersonID != "pp0" || !found.Rows[0].To.Equal(last)) {
				s.Errorf("%s: got employees %+v, %v, want pp0 until %s: %t", what, found.Rows, err, last, want)
			}
		}
		end := func(last time.Time) {
			s.Helper()
			if err := manager.EndEmployment(ctx, "s1", "pp0", last, ""); err != nil {
				s.Fatal(err)
			}
		}
		end(monday)
		current("last day on Monday", monday, true)
		end(tuesday)
		current("last day on Tuesday", tuesday, true)
		s.agree()
		if _, err := s.access.ErasePerson(ctx, "pp0"); store.KindOf(err) != store.Conflict {
			s.Errorf("erase an employee: got %v, want Conflict", err)
		}
		hiring := store.NewEmployment{StoreID: "s1", Person: "pp0", Position: "Counter", From: tuesday.AddDate(0, 0, 1)}
		s.refused("hiring before the last day has passed", manager.StartEmployment(ctx, hiring, ""), store.Invalid, "person", "until 24 Nov 2026")
		s.clock.Advance(tuesday.Add(12 * time.Hour).Sub(s.clock.Now()))
		current("on the last day", tuesday, true)
		s.clock.Advance(24 * time.Hour)
		current("after the last day", time.Time{}, false)
		s.refused("after the last day", manager.EndEmployment(ctx, "s1", "pp0", tuesday, ""), store.Conflict, "", "does not work at this store")
		hiring.From = tuesday
		s.refused("hiring from the last day", manager.StartEmployment(ctx, hiring, ""), store.Invalid, "from", "24 Nov 2026")
		hiring.From = tuesday.AddDate(0, 0, 1)
		if err := manager.StartEmployment(ctx, hiring, ""); err != nil {
			s.Fatal(err)
		}
		current("hired again", time.Time{}, true)
		end(tuesday.AddDate(0, 0, 1))
		current("last day today", tuesday.AddDate(0, 0, 1), true)
	})
}

// TestKeepEmployed sets a last day and removes it. The person must remain employed
// without a last day, and the history must contain both changes.
func TestKeepEmployed(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx, friday := s.T.Context(), monday.AddDate(0, 0, 4)
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s1"}})
		s.refused("without a last day", manager.KeepEmployed(ctx, "s1", "pp0", ""), store.Conflict, "", "without a last day")
		s.refused("another store", manager.KeepEmployed(ctx, "s0", "pp0", ""), store.NotFound, "", "")
		s.refused("another person", manager.KeepEmployed(ctx, "s1", "c01", ""), store.Conflict, "", "does not work at this store")
		if err := manager.EndEmployment(ctx, "s1", "pp0", friday, ""); err != nil {
			s.Fatal(err)
		}
		for range 2 {
			if err := manager.KeepEmployed(ctx, "s1", "pp0", "keep"); err != nil {
				s.Fatal(err)
			}
		}
		s.agree()
		employee, err := manager.EmployeeOfStore(ctx, "s1", "pp0")
		if err != nil || !employee.To.IsZero() {
			s.Fatalf("got %+v, %v, want no last day", employee, err)
		}
		times, err := manager.EmploymentsAtStore(ctx, "s1", store.EmploymentFilter{}, store.Page{})
		if err != nil {
			s.Fatal(err)
		}
		for _, e := range times.Rows {
			if e.ID == employee.EmploymentID && !e.To.IsZero() {
				s.Errorf("got the employment %+v, want no last day", e)
			}
		}
		events, err := s.access.Events(ctx, store.EventFilter{About: "v1#store#storeULID#s1"}, store.Page{})
		if err != nil || len(events.Rows) < 2 {
			s.Fatalf("got events %+v, %v, want two", events.Rows, err)
		}
		for i, want := range []string{"last day was 27 Nov 2026", "last day 27 Nov 2026"} {
			if got := events.Rows[i].Why; !strings.HasSuffix(got, want) {
				s.Errorf("event %d: got %q, want %q", i, got, want)
			}
		}
	})
}

// TestCheckIn_Damaged checks in two damaged kayaks. It enters one by name, and the
// other by its ID in upper case instead of lower case. It sends one of them for
// repair.
func TestCheckIn_Damaged(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		if err := s.checkOut("c01", "one", monday, "k09", "k12"); err != nil {
			s.Fatal(err)
		}
		quote, err := s.access.QuoteCheckIn(ctx, "s0", []string{"heron 9", "K12"})
		if err != nil || len(quote.Lines) != 2 || quote.Lines[0].KayakID != "k09" || quote.Lines[1].KayakID != "k12" || quote.Lines[0].Condition != s.Kayaks[9].Condition {
			s.Fatalf("got quote %+v, %v, want k09 and k12 with their conditions", quote, err)
		}
		in := checkIn("s0", quote.Total, []string{"k09", "k12"})
		in.Kayaks[0].Repair = true
		s.refused("repair without damage", second(s.access.CheckIn(ctx, in, "back")), store.Invalid, "damage-1", "Enter what is wrong")
		in.Kayaks[0].Damage, in.Kayaks[0].Condition = " Hole in the hull ", "Hull to repair"
		in.Kayaks[1].Damage = "Scratches\nat the bow"
		for range 2 {
			if _, err := s.access.CheckIn(ctx, in, "back"); err != nil {
				s.Fatal(err)
			}
		}
		broken, err := s.access.Kayak(ctx, "k09")
		if err != nil {
			s.Fatal(err)
		}
		scratched, err := s.access.Kayak(ctx, "k12")
		if err != nil {
			s.Fatal(err)
		}
		if broken.Status != store.KayakRepair || broken.Condition != "Hull to repair" {
			s.Errorf("got kayak %+v, want it in repair", broken)
		}
		if scratched.Status != store.KayakIn || scratched.Condition != "Scratches at the bow" {
			s.Errorf("got kayak %+v, want it available with the damage as its condition", scratched)
		}
		for id, damage := range map[string]string{"k09": "Hole in the hull", "k12": "Scratches\nat the bow"} {
			history, err := s.access.RentalsOfKayak(ctx, id, store.Page{Limit: 1})
			if err != nil || history.Rows[0].Damage != damage || history.Rows[0].Returned.IsZero() {
				s.Errorf("%s: got rental %+v, %v, want damage %q", id, history.Rows, err, damage)
			}
		}
		events, err := s.access.EventsOfKayak(ctx, "k09", store.Page{})
		if err != nil || len(events.Rows) != 2 || events.Rows[0].After != string(store.KayakRepair) || !strings.HasSuffix(events.Rows[0].Why, "; condition: Hull to repair; damage: Hole in the hull; sent for repair") {
			s.Errorf("got events %+v, %v, want two events, the newest one with condition, damage and repair", events.Rows, err)
		}
		s.agree()
	})
}

// TestRename_Renter renames a customer who rents a kayak and has an unpaid rental charge. The
// active rental and the charge must get the new name. Returned rentals keep the old one.
func TestRename_Renter(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		if err := s.checkOut("c10", "", monday, "k09"); err != nil {
			s.Fatal(err)
		}
		customer, err := s.access.CustomerForChange(ctx, "c10")
		if err != nil {
			s.Fatal(err)
		}
		former := customer.Name
		customer.Name = "Ottilie Zweig"
		if err := s.access.SaveCustomer(ctx, *customer, ""); err != nil {
			s.Fatal(err)
		}
		out, err := s.access.RentedByPerson(ctx, "c10", store.Page{})
		if err != nil || len(out.Rows) != 1 || out.Rows[0].PersonName != customer.Name {
			s.Errorf("active rentals: got %+v, %v, want one with the new name", out.Rows, err)
		}
		rentals, err := s.access.RentalsOfPerson(ctx, "c10", store.Page{})
		if err != nil || len(rentals.Rows) < 2 {
			s.Fatalf("got rentals %+v, %v, want several", rentals.Rows, err)
		}
		for _, r := range rentals.Rows {
			if want := map[bool]string{true: customer.Name, false: former}[r.Returned.IsZero()]; r.PersonName != want {
				s.Errorf("rental %s, returned %s: got the name %q, want %q", r.ID, r.Returned, r.PersonName, want)
			}
		}
		unpaid, err := s.access.UnpaidCharges(ctx, "s1", store.Page{})
		if err != nil || len(unpaid.Rows) != 1 || unpaid.Rows[0].PersonName != customer.Name {
			s.Errorf("unpaid charges: got %+v, %v, want one with the new name", unpaid.Rows, err)
		}
	})
}

// TestRename_LongName renames a club with a long name and many active rentals and unpaid
// charges. The transaction must not become too large.
func TestRename_LongName(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	club := store.Person{ID: "club", Name: "Friends of the Old Harbour Rowing Club", Version: 1}
	entities := []store.Entity{&club}
	for n := range 20 {
		id := fmt.Sprintf("r%02d", n)
		entities = append(
			entities,
			&store.ActiveRental{StoreID: "s1", PersonID: club.ID, KayakID: "k" + id, RentalID: id, Out: monday, Due: monday, PersonName: club.Name, Version: 1},
			&store.Rental{ID: id, StoreID: "s1", PersonID: club.ID, KayakID: "k" + id, Out: monday, PersonName: club.Name, Version: 1},
			&store.RentalPayment{ID: id, StoreID: "s1", Day: monday, At: monday, PersonID: club.ID, PersonName: club.Name, Kind: store.RentalCharge, Method: store.PayLater, Amount: store.MinorUnits(100), Version: 1},
		)
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	club.Name = "Friends of the New Harbour Sailing Society"
	if err := s.As(admin).SavePerson(t.Context(), club, ""); err != nil {
		t.Fatal(err)
	}
	out, err := s.As(admin).RentedByPerson(t.Context(), club.ID, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Rows {
		if r.PersonName != club.Name {
			t.Errorf("active rental %s: got the name %q, want the new name", r.KayakID, r.PersonName)
		}
	}
}

// TestSearch_OwnStaff searches for an employee of a store who belongs to no warehouse. Only
// users in charge of the store must find the employee.
func TestSearch_OwnStaff(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		added := &store.Employee{ID: "e77", Name: "Sigrid Sund", Email: "sigrid@sund.example", Version: 1}
		if loaded, err := s.store.Load(ctx, []store.Entity{added}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded.Rejected)
		}
		if err := s.access.StartEmployment(ctx, store.NewEmployment{StoreID: "s1", Person: "e77", From: monday}, ""); err != nil {
			s.Fatal(err)
		}
		for _, at := range []string{"s1", "s2"} {
			manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{"s0", at}})
			want := map[string]int{"s1": 1}[at]
			for _, text := range []string{"sigrid", "sund sig", "e77", "e#e77", "sigrid@su"} {
				if found, err := manager.Search(ctx, text); err != nil || len(found.Employees) != want {
					s.Errorf("%s, %q: got %+v, %v, want %d employees", at, text, found, err, want)
				}
			}
			if choice, err := manager.ChoiceOf(ctx, store.ChooseRenter, "e77"); (err == nil) != (want == 1) || want == 1 && choice.Name != "Sigrid Sund" {
				s.Errorf("%s: got choice %+v, %v, want %d", at, choice, err, want)
			}
		}
	})
}

// TestQuoteCheckIn_LabelWithComma finds kayaks by their labels. A name contains a comma.
func TestQuoteCheckIn_LabelWithComma(t *testing.T) {
	onEachShore(t, func(s *shore) {
		id, err := s.access.AddKayak(s.T.Context(), store.Kayak{StoreID: "s0", Name: "Sea, blue", Kind: "Sea"}, "")
		if err != nil {
			s.Fatal(err)
		}
		if err := s.checkOut("c01", "", monday, id, "k09"); err != nil {
			s.Fatal(err)
		}
		for _, texts := range [][]string{{"Sea, blue (" + id + ")", "k09"}, {"Heron 9 (k09), " + id}} {
			quote, err := s.access.QuoteCheckIn(s.T.Context(), "s0", texts)
			if err != nil || len(quote.Lines) != 2 {
				s.Errorf("%q: got %+v, %v, want two kayaks", texts, quote, err)
			}
		}
	})
}

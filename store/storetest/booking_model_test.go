package storetest_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// bookingChanges is the number of changes of the model test.
var bookingChanges = flag.Int("booking-changes", 600, "how many changes of bookings and rentals the model test makes on the embedded engine")

// bookingModel makes random changes of bookings and rentals at the rental store s0. It
// keeps the due days of the kayaks that are out from the results of its changes, and
// reads the open bookings from the table after each change.
type bookingModel struct {
	*shore
	unreliable *store.Store // uses a connection that throttles requests and loses responses
	r          *rand.Rand
	zone       *time.Location

	open    map[string]*store.Booking // open bookings, by ID
	due     map[string]time.Time      // due days of kayaks that are out, by kayak ID
	changes map[string]int            // successful changes, by kind
	refused map[string]int            // refused changes, by kind
	days    map[string]bool           // local days on which changes were made
}

// TestBookings_NeverOverlap makes random bookings, moves, cancellations, check-outs,
// extensions and check-ins, over an unreliable connection, across month ends and both
// clock changes of a year. A kayak must never be given to two people on one day. A change
// for free days of a named kayak must never be refused.
func TestBookings_NeverOverlap(t *testing.T) {
	onEachShore(t, func(s *shore) {
		zone, err := time.LoadLocation("Europe/Stockholm")
		if err != nil {
			s.Fatal(err)
		}
		settings, err := s.access.CurrentSettings(s.T.Context())
		if err != nil {
			s.Fatal(err)
		}
		settings.TimeZone = zone.String()
		if err := s.access.ChangeSettings(s.T.Context(), settings, s.store.NewToken()); err != nil {
			s.Fatal(err)
		}
		connection := storetest.NewUnreliable(s.db, failPercent, 1)
		m := &bookingModel{
			shore: s, unreliable: store.New(connection, s.store.Table(), s.clock.Now), r: rand.New(rand.NewPCG(3, 4)), zone: zone,
			open: map[string]*store.Booking{}, due: map[string]time.Time{}, changes: map[string]int{}, refused: map[string]int{}, days: map[string]bool{},
		}
		for _, r := range s.Active() {
			if r.StoreID == "s0" {
				m.due[r.KayakID] = r.Due
			}
		}
		changes := *bookingChanges
		isShort := strings.Contains(s.Name(), "endpoint") && changes <= 600
		if isShort {
			changes = 120
		}
		// The clocks change on 28 March and 31 October 2027.
		for _, start := range []time.Time{time.Date(2027, 3, 20, 21, 0, 0, 0, time.UTC), time.Date(2027, 10, 22, 21, 0, 0, 0, time.UTC)} {
			s.clock.Advance(start.Sub(s.clock.Now()))
			m.endPast()
			for range changes / 2 {
				m.change()
				m.verify()
				s.clock.Advance(time.Duration(1+m.r.IntN(119)) * time.Minute)
			}
			s.agree()
			m.verifyList()
			found, _ := checkBusiness(s.T, s.store, store.BusinessCheck{})
			for _, f := range found {
				if strings.HasPrefix(string(f.Rule), "booking") {
					s.Errorf("%s: %s", f.Rule, f.Text)
				}
			}
		}
		s.Logf("changes %v, refused %v, %d days, %d requests failed", m.changes, m.refused, len(m.days), connection.Failed())
		for _, kind := range []string{"book", "move", "cancel", "no-show", "check out", "check out booking", "extend", "check in"} {
			if m.changes[kind] == 0 && !isShort {
				s.Errorf("the model test made no change of the kind %q, want at least one", kind)
			}
		}
		for _, day := range []string{"2027-03-28", "2027-03-31", "2027-04-01", "2027-10-31", "2027-11-01"} {
			if *bookingChanges >= 600 && !isShort && !m.days[day] {
				s.Errorf("the model test made no change on %s, want some", day)
			}
		}
	})
}

func (m *bookingModel) today() time.Time {
	year, month, day := m.clock.Now().In(m.zone).Date()
	return storetest.Day(year, month, day)
}

// submit submits a form until it gets a response, and sometimes once more. It reports
// whether the change was made. If mustSucceed is true, a refusal fails the test.
func (m *bookingModel) submit(kind string, mustSucceed bool, send func(a store.Access, token string) error) bool {
	token := m.store.NewToken()
	for range 20 {
		err := send(m.unreliable.As(admin), token)
		switch kind := store.KindOf(err); {
		case err == nil:
			if m.r.IntN(5) == 0 {
				if err := send(m.As(), token); err != nil {
					m.Fatalf("the same form again: got %v, want success", err)
				}
			}
		case kind == store.Conflict || kind == store.Invalid:
		default:
			continue // throttled, or the response was lost
		}
		if err != nil && mustSucceed {
			m.Fatalf("%s on %s: got %v, want success, because the kayak is free", kind, m.clock.Now().In(m.zone), err)
		}
		if err != nil {
			m.refused[kind]++
			return false
		}
		m.changes[kind]++
		m.days[m.today().Format(time.DateOnly)] = true
		return true
	}
	m.Fatal("got no response in 20 attempts, want one")
	return false
}

// As returns the access of an admin over the reliable connection.
func (m *bookingModel) As() store.Access { return m.store.As(admin) }

// isFree reports whether the kayak is free on these days. It ignores the booking with the
// ID in except.
func (m *bookingModel) isFree(kayak string, from, to time.Time, except string) bool {
	if due, out := m.due[kayak]; out && !from.After(due) || out && !from.After(m.today()) {
		return false
	}
	for id, b := range m.open {
		if id != except && b.KayakID == kayak && !b.From.After(to) && !b.To.Before(from) {
			return false
		}
	}
	return true
}

// servedKayaks are the kayaks of store s0 that are in service.
var servedKayaks = []string{"k00", "k03", "k09", "k12", "k15", "k18", "k21"}

func (m *bookingModel) change() {
	today, kayak := m.today(), servedKayaks[m.r.IntN(len(servedKayaks))]
	from := today.AddDate(0, 0, m.r.IntN(12))
	to := from.AddDate(0, 0, m.r.IntN(5))
	request := store.BookingRequest{StoreID: "s0", Person: fmt.Sprintf("c%02d", m.r.IntN(40)), KayakID: kayak, Kind: "Sea", From: from, To: to}
	if m.r.IntN(3) == 0 {
		request.KayakID = ""
	}
	var b *store.Booking
	if ids := m.ids(); len(ids) > 0 {
		b = m.open[ids[m.r.IntN(len(ids))]]
	}
	_, out := m.due[kayak]
	switch n := m.r.IntN(12); {
	case n < 4 || b == nil:
		m.submit("book", request.KayakID != "" && m.isFree(kayak, from, to, ""), func(a store.Access, token string) error {
			return second(a.Book(m.T.Context(), request, token))
		})
	case n == 4:
		free := request.KayakID != "" && m.isFree(kayak, from, to, b.ID)
		m.submit("move", free, func(a store.Access, token string) error {
			return a.MoveBooking(m.T.Context(), b.ID, b.Version, request, token)
		})
	case n == 5:
		kind, end := "cancel", store.Access.CancelBooking
		if !b.From.After(today) {
			kind, end = "no-show", store.Access.RecordNoShow
		}
		m.submit(kind, true, func(a store.Access, token string) error { return end(a, m.T.Context(), b.ID, b.Version, "", token) })
	case n < 8 && !out:
		m.checkOut(kayak, "", later(to, today))
	case n < 10 && !b.From.After(today):
		if _, out := m.due[b.KayakID]; !out {
			m.checkOut(b.KayakID, b.ID, later(b.To, today))
		}
	case out && n == 10:
		due := later(later(m.due[kayak], today).AddDate(0, 0, m.r.IntN(6)-2), today)
		if m.submit("extend", !due.Equal(m.due[kayak]) && m.isFreeToExtend(kayak, due), func(a store.Access, token string) error {
			return second(a.Extend(m.T.Context(), store.Extension{StoreID: "s0", Kayaks: []string{kayak}, Due: due}, token))
		}) {
			m.due[kayak] = due
		}
	case out:
		m.checkIn(kayak)
	}
	m.refresh()
}

// isFreeToExtend reports whether the rental of a kayak can be extended until due without
// overlapping a booking of the kayak.
func (m *bookingModel) isFreeToExtend(kayak string, due time.Time) bool {
	from := later(m.due[kayak].AddDate(0, 0, 1), m.today())
	for _, b := range m.open {
		if b.KayakID == kayak && !b.From.After(due) && !b.To.Before(from) {
			return false
		}
	}
	return true
}

func (m *bookingModel) checkOut(kayak, bookingID string, due time.Time) {
	kind := "check out"
	if bookingID != "" {
		kind = "check out booking"
	}
	out := store.CheckOut{StoreID: "s0", Person: "c05", KayakIDs: []string{kayak}, Due: due, BookingID: bookingID}
	if m.submit(kind, m.isFree(kayak, m.today(), due, bookingID), func(a store.Access, token string) error {
		return second(a.CheckOut(m.T.Context(), out, token))
	}) {
		m.due[kayak] = due
	}
}

func (m *bookingModel) checkIn(kayak string) {
	quote, err := m.access.QuoteCheckIn(m.T.Context(), "s0", []string{kayak})
	if err != nil {
		m.Fatal(err)
	}
	m.submit("check in", true, func(a store.Access, token string) error {
		return second(a.CheckIn(m.T.Context(), checkIn("s0", quote.Total, []string{kayak}), token))
	})
	delete(m.due, kayak)
}

// endPast ends the rentals and bookings that are left from an earlier month.
func (m *bookingModel) endPast() {
	for kayak := range m.due {
		m.checkIn(kayak)
	}
	for _, id := range m.ids() {
		if err := m.access.RecordNoShow(m.T.Context(), id, m.open[id].Version, "", ""); err != nil {
			m.Fatal(err)
		}
	}
	m.refresh()
}

func (m *bookingModel) ids() []string {
	ids := make([]string, 0, len(m.open))
	for id := range m.open {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (m *bookingModel) refresh() {
	m.open = map[string]*store.Booking{}
	for _, kayak := range servedKayaks {
		bookings, err := m.access.BookingsOfKayak(m.T.Context(), kayak, store.Page{Limit: 200})
		if err != nil {
			m.Fatal(err)
		}
		for i := range bookings.Rows {
			m.open[bookings.Rows[i].ID] = &bookings.Rows[i]
		}
	}
}

// verify checks that the bookings and rentals do not overlap, and compares the bookings
// with the weeks of the store.
func (m *bookingModel) verify() {
	type place struct {
		kayak string
		day   time.Time
	}
	owners := map[place]string{}
	take := func(kayak, owner string, from, to time.Time) {
		for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
			if other := owners[place{kayak, day}]; other != "" {
				m.Fatalf("kayak %s on %s: got the owners %s and %s, want one", kayak, day.Format(time.DateOnly), other, owner)
			}
			owners[place{kayak, day}] = owner
		}
	}
	today := m.today()
	for kayak, due := range m.due {
		take(kayak, "the rental", today, due)
	}
	for id, b := range m.open {
		take(b.KayakID, id, b.From, b.To)
	}
	shown := 0
	for n := range 4 {
		week, err := m.access.StoreWeek(m.T.Context(), "s0", today.AddDate(0, 0, 7*n-7))
		if err != nil {
			m.Fatal(err)
		}
		for _, kind := range week.Kinds {
			for _, row := range kind.Kayaks {
				for _, d := range row.Days {
					if d.Booking == nil {
						continue
					}
					if shown++; owners[place{row.ID, d.Day}] != d.Booking.BookingID {
						m.Fatalf("kayak %s on %s: the week shows the booking %s, want %q", row.ID, d.Day.Format(time.DateOnly), d.Booking.BookingID, owners[place{row.ID, d.Day}])
					}
				}
			}
		}
	}
	want, weeks := 0, today.AddDate(0, 0, -7-(int(today.Weekday())+6)%7)
	for _, b := range m.open {
		for day := b.From; !day.After(b.To); day = day.AddDate(0, 0, 1) {
			if !day.Before(weeks) && day.Before(weeks.AddDate(0, 0, 28)) {
				want++
			}
		}
	}
	if shown != want {
		m.Fatalf("the weeks show %d booked days, want %d", shown, want)
	}
}

// verifyList compares the list of the store's upcoming bookings with the open bookings.
func (m *bookingModel) verifyList() {
	upcoming, err := m.access.BookingsOfStore(m.T.Context(), store.BookingFilter{StoreID: "s0", State: store.BookingUpcoming}, false, store.Page{Limit: 200})
	if err != nil {
		m.Fatal(err)
	}
	got := pick(upcoming.Rows, func(b store.StoreBooking) string { return b.ID }, func(store.StoreBooking) bool { return true })
	slices.Sort(got)
	if !slices.Equal(got, m.ids()) {
		m.Errorf("upcoming bookings: got %v, want %v", got, m.ids())
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

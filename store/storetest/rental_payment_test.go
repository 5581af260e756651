package storetest_test

import (
	"errors"
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

// rentalChanges is the number of check-outs and check-ins of the model test.
var rentalChanges = flag.Int("rental-changes", 300, "how many check-outs and check-ins the model test makes on the embedded engine, such as 5000")

// takingsModel makes random check-outs and check-ins. It adds up the money that each store
// takes.
type takingsModel struct {
	*shore
	unreliable *store.Store // uses a connection that throttles requests and loses responses
	r          *rand.Rand
	taken      map[storetest.StoreDay]store.Amount
	out        map[string]store.Amount // deposits of the kayaks that are out, by kayak ID
	by         map[string]store.PayMethod
	open       []store.RentalPayment // unpaid charges with PayLater

	changes, repeats int
}

// TestTakings_EqualRentals makes random check-outs, check-ins and settlements over an
// unreliable connection, and submits many forms again. Afterwards, the takings of each
// store and day must equal the sum of its rentals, the sum of the model and the stored
// total.
func TestTakings_EqualRentals(t *testing.T) {
	onEachShore(t, func(s *shore) {
		connection := storetest.NewUnreliable(s.db, failPercent, 1)
		m := takingsModel{
			shore: s, unreliable: store.New(connection, s.store.Table(), s.clock.Now), r: rand.New(rand.NewPCG(1, 2)),
			taken: map[storetest.StoreDay]store.Amount{}, out: map[string]store.Amount{}, by: map[string]store.PayMethod{},
		}
		for _, p := range s.Rentals.Payments {
			if p.Method != store.PayLater {
				m.take(p.StoreID, p.Day, p.Method, p.Amount)
			}
		}
		for _, r := range s.Active() {
			m.out[r.KayakID] = store.Amount{}
		}
		for _, b := range s.Bookings { // so that the model can check out every kayak
			if err := s.access.CancelBooking(s.T.Context(), b.ID, b.Version, "", ""); err != nil {
				s.Fatal(err)
			}
		}
		if _, err := s.store.CheckTotals(s.T.Context(), store.TotalsCheck{Rebuild: true}); err != nil { // the shop is loaded without totals
			s.Fatal(err)
		}
		changes := *rentalChanges
		if strings.Contains(s.Name(), "endpoint") {
			changes = min(changes, 200)
		}
		for m.changes < changes {
			m.change()
			s.clock.Advance(time.Duration(1+m.r.IntN(12)) * time.Minute)
		}
		s.Logf("%d check-outs and check-ins, %d forms submitted again, %d requests failed", m.changes, m.repeats, connection.Failed())
		if connection.Failed() == 0 || m.repeats == 0 || len(m.taken) < 4 {
			s.Errorf("got %d failed requests, %d repeated forms and %d takings, want at least 1, 1 and 4", connection.Failed(), m.repeats, len(m.taken))
		}
		m.compare()
	})
}

// change makes one check-out, check-in or settlement.
func (m *takingsModel) change() {
	if len(m.open) > 0 && m.r.IntN(10) == 0 {
		m.settle()
		return
	}
	at := m.Stores[m.r.IntN(len(m.Stores))].ID
	var in, out []string
	for _, k := range m.Kayaks {
		if k.StoreID != at || k.Status == store.KayakRepair || k.Status == store.KayakRetired {
			continue
		}
		if _, rented := m.out[k.ID]; rented {
			out = append(out, k.ID)
		} else {
			in = append(in, k.ID)
		}
	}
	m.r.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
	m.r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	m.changes++
	if len(out) == 0 || len(in) > 0 && m.r.IntN(2) == 0 {
		m.checkOut(at, in[:1+m.r.IntN(min(3, len(in)))])
	} else {
		m.checkIn(at, out[:1+m.r.IntN(min(3, len(out)))])
	}
}

func (m *takingsModel) checkOut(at string, kayaks []string) {
	today := m.today()
	form := store.CheckOut{StoreID: at, Person: fmt.Sprintf("c%02d", m.r.IntN(40)), KayakIDs: kayaks, Due: today.AddDate(0, 0, 1)}
	if m.r.IntN(3) > 0 {
		form.Deposit, form.DepositMethod = store.MinorUnits(int64(1+m.r.IntN(9))*50_00), store.DepositMethods[m.r.IntN(2)]
	}
	m.submit(func(token string) error {
		_, err := m.unreliable.As(admin).CheckOut(m.T.Context(), form, token)
		return err
	})
	for _, id := range kayaks {
		m.out[id], m.by[id] = form.Deposit, form.DepositMethod
		m.take(at, today, form.DepositMethod, form.Deposit)
	}
}

func (m *takingsModel) checkIn(at string, kayaks []string) {
	today := m.today()
	quote, err := m.access.QuoteCheckIn(m.T.Context(), at, kayaks)
	if err != nil {
		m.Fatal(err)
	}
	form := checkIn(at, quote.Total, kayaks)
	form.Method = store.PayMethods[m.r.IntN(3)]
	one := !slices.ContainsFunc(quote.Lines, func(l store.CheckInLine) bool { return l.PersonID != quote.Lines[0].PersonID })
	if quote.Deposit.Sign() > 0 && one && m.r.IntN(4) == 0 {
		form.Keep, form.KeepWhy = store.MinorUnits(30_00), "dent"
	}
	m.submit(func(token string) error {
		_, err := m.unreliable.As(admin).CheckIn(m.T.Context(), form, token)
		return err
	})
	keep := form.Keep
	for _, l := range quote.Lines {
		deposit := m.out[l.KayakID]
		if form.Method != store.PayLater {
			m.take(at, today, form.Method, l.Charge)
		}
		kept := keep
		if kept.Compare(deposit) > 0 {
			kept = deposit
		}
		keep = keep.Minus(kept)
		m.take(at, today, m.by[l.KayakID], kept.Minus(deposit))
		delete(m.out, l.KayakID)
	}
	if form.Method == store.PayLater {
		open, err := m.access.UnpaidCharges(m.T.Context(), at, store.Page{Limit: store.MaxLimit})
		if err != nil {
			m.Fatal(err)
		}
		m.open = open.Rows
	}
}

func (m *takingsModel) settle() {
	charge := m.open[m.r.IntN(len(m.open))]
	form := store.RentalSettlement{StoreID: charge.StoreID, Day: charge.Day, PaymentID: charge.ID, Method: store.DepositMethods[m.r.IntN(2)]}
	m.submit(func(token string) error { return m.unreliable.As(admin).SettleRental(m.T.Context(), form, token) })
	m.take(charge.StoreID, m.today(), form.Method, charge.Amount)
	m.open = slices.DeleteFunc(m.open, func(p store.RentalPayment) bool { return p.ID == charge.ID })
}

// submit submits a form until it gets a response, and sometimes once more. A rejection
// fails the test.
func (m *takingsModel) submit(send func(token string) error) {
	token := m.store.NewToken()
	for range 20 {
		err := send(token)
		var e *store.Error
		if errors.As(err, &e) && (e.Kind == store.Conflict || e.Kind == store.Invalid || e.Kind == store.NotFound) {
			m.Fatalf("change %d: %v", m.changes, err)
		}
		if err != nil {
			continue
		}
		if m.r.IntN(5) == 0 {
			m.repeats++
			if err := send(token); err != nil && !strings.Contains(err.Error(), storetest.ErrLost.Error()) && store.KindOf(err) != store.Unconfirmed {
				var again *store.Error
				if errors.As(err, &again) && (again.Kind == store.Conflict || again.Kind == store.Invalid) {
					m.Fatalf("the same form again: got %v, want success", err)
				}
			}
		}
		return
	}
	m.Fatal("got no response in 20 attempts, want one")
}

func (m *takingsModel) today() time.Time {
	today, err := m.access.Today(m.T.Context())
	if err != nil {
		m.Fatal(err)
	}
	return today
}

func (m *takingsModel) take(at string, day time.Time, method store.PayMethod, amount store.Amount) {
	if amount.Sign() != 0 {
		d := storetest.StoreDay{StoreID: at, Day: day.Format(time.DateOnly), Method: method}
		m.taken[d] = m.taken[d].Plus(amount)
	}
}

// compare compares the takings with the rentals, the sums of the model, the sums of the
// page and the stored totals.
func (m *takingsModel) compare() {
	entities, err := storetest.Entities(m.T.Context(), m.db, m.store.Table())
	if err != nil {
		m.Fatal(err)
	}
	paid := storetest.TakingsFromPayments(entities)
	for _, d := range storetest.TakingsDiffer(paid, m.taken) {
		m.Errorf("payments differ from the sums of the model: %s", d)
	}
	for _, d := range storetest.TakingsDiffer(storetest.TakingsFromRentals(entities, time.UTC), paid) {
		m.Errorf("rentals differ from the payments: %s", d)
	}
	days := map[[2]string]store.Amount{}
	for d, sum := range m.taken {
		days[[2]string{d.StoreID, d.Day}] = days[[2]string{d.StoreID, d.Day}].Plus(sum)
	}
	for d, want := range days {
		day, _ := time.Parse(time.DateOnly, d[1])
		sum, err := m.access.TakingsOfDays(m.T.Context(), d[0], store.DateRange{From: day, To: day})
		if err != nil || !sum.Complete || sum.Total().Compare(want) != 0 {
			m.Errorf("takings of %v: got %+v, %v, want %s", d, sum, err, want)
		}
	}
	result, err := m.store.CheckTotals(m.T.Context(), store.TotalsCheck{Found: func(d store.TotalDifference) { m.Error(d) }})
	if err != nil || result.Different > 0 {
		m.Errorf("totals: got %+v, %v, want no difference", result, err)
	}
}

func TestCheckIn_Payment(t *testing.T) {
	onEachShore(t, func(s *shore) {
		ctx := s.T.Context()
		day := storetest.Day(2026, time.November, 21)
		form := store.CheckOut{StoreID: "s0", Person: "c01", KayakIDs: []string{"k09", "k12"}, Due: monday, Deposit: store.MinorUnits(100_00)}
		s.refused("deposit without a method", second(s.access.CheckOut(ctx, form, "out")), store.Invalid, store.FieldDepositMethod, "how the deposit is paid")
		form.DepositMethod = store.PayByCash
		if _, err := s.access.CheckOut(ctx, form, "out"); err != nil {
			s.Fatal(err)
		}
		quote, err := s.access.QuoteCheckIn(ctx, "s0", []string{"k09", "k12"})
		if err != nil || !same(quote.Deposit, store.MinorUnits(200_00)) {
			s.Fatalf("quote: got %+v, %v, want a deposit of 200", quote, err)
		}
		in := checkIn("s0", quote.Total, []string{"k09", "k12"})
		in.Method = ""
		s.refused("no method", second(s.access.CheckIn(ctx, in, "in")), store.Invalid, store.FieldPayMethod, "how the charge is paid")
		in.Method, in.Keep = store.PayLater, store.MinorUnits(150_00)
		s.refused("kept without a reason", second(s.access.CheckIn(ctx, in, "in")), store.Invalid, store.FieldKeepWhy, "why the deposit is kept")
		in.KeepWhy = "Broken rudder, card 4111 1111 1111 1111"
		in.Keep = store.MinorUnits(201_00)
		s.refused("too much kept", second(s.access.CheckIn(ctx, in, "in")), store.Invalid, store.FieldKeep, "at most the deposit, €200")
		in.Keep = store.MinorUnits(150_00)
		for range 2 {
			if _, err := s.access.CheckIn(ctx, in, "in"); err != nil {
				s.Fatal(err)
			}
		}
		sum, err := s.access.TakingsOfDays(ctx, "s0", store.DateRange{From: day, To: day})
		want := store.TakingsSum{
			Payments: 4, Cash: store.MethodSum{Deposits: store.MinorUnits(200_00), Returned: store.MinorUnits(-50_00)},
			Unpaid: quote.Total, Kept: store.MinorUnits(150_00), Complete: true,
		}
		if err != nil || fmt.Sprintf("%+v", sum) != fmt.Sprintf("%+v", want) {
			s.Errorf("takings: got %+v, %v, want %+v", sum, err, want)
		}
		open, err := s.access.UnpaidCharges(ctx, "s0", store.Page{})
		if err != nil || len(open.Rows) != 1 || len(open.Rows[0].Rentals) != 2 {
			s.Fatalf("unpaid charges: got %+v, %v, want one for two kayaks", open.Rows, err)
		}
		s.clock.Advance(24 * time.Hour)
		settle := store.RentalSettlement{StoreID: "s0", Day: open.Rows[0].Day, PaymentID: open.Rows[0].ID, Method: store.PayByCard}
		for range 2 {
			if err := s.access.SettleRental(ctx, settle, "settle"); err != nil {
				s.Fatal(err)
			}
		}
		s.refused("settled again by another form", s.access.SettleRental(ctx, settle, "other"), store.Conflict, "", "already paid")
		if open, err = s.access.UnpaidCharges(ctx, "s0", store.Page{}); err != nil || len(open.Rows) != 0 {
			s.Errorf("unpaid charges after the payment: got %+v, %v, want none", open.Rows, err)
		}
		next, err := s.access.TakingsOfDays(ctx, "s0", store.DateRange{From: day.AddDate(0, 0, 1), To: day.AddDate(0, 0, 1)})
		if err != nil || !same(next.Card.Charges, quote.Total) || next.Payments != 1 {
			s.Errorf("takings of the next day: got %+v, %v, want %s by card", next, err, quote.Total)
		}
		want.Unpaid = store.Amount{}
		if sum, err = s.access.TakingsOfDays(ctx, "s0", store.DateRange{From: day, To: day}); err != nil || fmt.Sprintf("%+v", sum) != fmt.Sprintf("%+v", want) {
			s.Errorf("takings of the day of the charge after the payment: got %+v, %v, want %+v", sum, err, want)
		}
		both := store.DateRange{From: day, To: day.AddDate(0, 0, 1)}
		want.Payments, want.Card.Charges = want.Payments+1, quote.Total
		if sum, err = s.access.TakingsOfDays(ctx, "s0", both); err != nil || fmt.Sprintf("%+v", sum) != fmt.Sprintf("%+v", want) {
			s.Errorf("takings of both days: got %+v, %v, want %+v", sum, err, want)
		}
		listed, err := s.access.Takings(ctx, "s0", both, store.Page{Limit: 4})
		if err != nil || len(listed.Rows) != 4 || listed.Next == nil {
			s.Fatalf("first page of both days: got %+v, %v, want 4 payments and another page", listed, err)
		}
		listed, err = s.access.Takings(ctx, "s0", both, store.Page{Limit: 4, At: listed.Next})
		if err != nil || len(listed.Rows) != 1 || listed.Rows[0].Settles == "" {
			s.Errorf("second page of both days: got %+v, %v, want the payment of the second day", listed, err)
		}
		for name, days := range map[string]store.DateRange{"32 days": {From: day, To: day.AddDate(0, 0, 31)}, "no days": {From: day, To: day.AddDate(0, 0, -1)}} {
			s.refused(name, second(s.access.Takings(ctx, "s0", days, store.Page{})), store.Invalid, "to", "at most 31 days")
		}
		timeline, err := s.access.Timeline(ctx, "c01", store.Page{})
		if err != nil {
			s.Fatal(err)
		}
		var paid []string
		for _, entry := range timeline.Rows {
			if strings.Contains(entry.About, "4111 1111") {
				s.Errorf("got a card number in the timeline, want none: %+v", entry)
			}
			if entry.Kind == "rentalPayment" {
				paid = append(paid, entry.What)
			}
		}
		slices.Sort(paid)
		if got := strings.Join(paid, ", "); got != "CHARGE CARD, CHARGE INVOICE, DEPOSIT CASH, KEPT CASH, RETURNED CASH" {
			s.Errorf("timeline: got the payments %s, want charge, deposit, kept and returned amounts", got)
		}
	})
}

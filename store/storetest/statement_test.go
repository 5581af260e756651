package storetest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// balances are the balance and the overdue amount of a customer, added up from the orders.
type balances struct{ due, overdue store.Amount }

// TestStatement_Model changes several orders of a customer at random over some weeks. After
// each change, it adds up the invoices, credit notes, payments and refunds of the orders.
// The statements of random periods must have the same balances.
func TestStatement_Model(t *testing.T) {
	shops[2].OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		m := statementModel{selling: &selling{t, s, s.As(admin), storetest.NewShop()}, clock: clock, r: rand.New(rand.NewPCG(8, 9)), seen: map[time.Time]balances{}}
		settings, err := m.admin.CurrentSettings(t.Context())
		m.done("settings", err)
		settings.TimeZone = "Pacific/Auckland"
		m.done("settings", s.SaveSettings(t.Context(), settings, "test"))
		m.zone = settings.Zone()
		m.earlier = m.sum()
		made := map[string]int{}
		for n := range 160 {
			if n%32 == 0 {
				o := &modelInvoices{selling: m.selling, r: m.r, orders: map[string]bool{}, made: made, paid: map[string]store.Amount{}}
				o.place()
				m.orders = append(m.orders, o)
			} else {
				m.orders[m.r.IntN(len(m.orders))].step()
			}
			m.record()
			clock.Advance(time.Duration(m.r.IntN(900)) * time.Minute)
		}
		m.record()
		for _, what := range []string{"pay", "refund", "return", "cancel", "edit"} {
			if made[what] == 0 {
				t.Errorf("got no change %q in %v, want at least one", what, made)
			}
		}
		overdue := 0
		for range 60 {
			first, last := m.r.IntN(len(m.days)), m.r.IntN(len(m.days))
			if m.check(m.days[min(first, last)], m.days[max(first, last)]) {
				overdue++
			}
		}
		m.check(m.days[0], m.days[len(m.days)-1])
		if overdue == 0 {
			t.Error("got no statement with an overdue amount, want at least one")
		}
	})
}

// statementModel is a customer with several orders.
type statementModel struct {
	*selling
	clock   *storetest.Clock
	r       *rand.Rand
	zone    *time.Location
	orders  []*modelInvoices
	earlier store.Amount           // balance of the invoices of the shop, which do not change
	seen    map[time.Time]balances // balances at the end of each day
	days    []time.Time
}

// sum adds up the invoices, payments and credit notes of the orders of customer c07, in
// the shop and in the model.
func (m *statementModel) sum() (sum store.Amount) {
	m.Helper()
	var ids []string
	for i := range m.shop.Orders {
		if o := &m.shop.Orders[i]; o.CustomerID == "c07" {
			ids = append(ids, o.ID)
		}
	}
	for _, o := range m.orders {
		ids = append(ids, o.id)
	}
	for _, id := range ids {
		o := m.order(id)
		for _, i := range o.Invoices {
			sum = sum.Plus(i.Amount)
			for _, p := range i.Payments { // a refund is negative
				sum = sum.Minus(p.Amount)
			}
		}
		for _, n := range o.CreditNotes {
			sum = sum.Minus(n.Amount)
		}
	}
	return sum
}

// record remembers the balances of today.
func (m *statementModel) record() {
	m.Helper()
	now := m.clock.Now().In(m.zone)
	day := storetest.Day(now.Date())
	b := balances{due: m.sum()}
	for _, o := range m.orders {
		for _, i := range m.order(o.id).Invoices {
			if i.IsOverdue(m.clock.Now(), m.zone) {
				b.overdue = b.overdue.Plus(i.BalanceDue())
			}
		}
	}
	if _, ok := m.seen[day]; !ok {
		m.days = append(m.days, day)
	}
	m.seen[day] = b
}

// check compares the statement of a period with the model. It reports whether an amount is
// overdue.
func (m *statementModel) check(from, to time.Time) bool {
	m.Helper()
	s, err := m.admin.Statement(m.Context(), "c07", store.DateRange{From: from, To: to})
	m.done("statement", err)
	opening := m.earlier
	for _, day := range m.days {
		if day.Before(from) {
			opening = m.seen[day].due
		}
	}
	running := opening
	for n, line := range s.Lines {
		if running = running.Plus(line.Amount); line.Balance.Compare(running) != 0 || line.Day.Before(from) || line.Day.After(to) {
			m.Errorf("%s: line %d: got %s on %s, want the balance %s", s.Period(), n, line.Balance, line.Day, running)
		}
		if n > 0 && line.Day.Before(s.Lines[n-1].Day) {
			m.Errorf("%s: got line %d before the line above it, want lines by day", s.Period(), n)
		}
	}
	want := m.seen[to]
	if s.Opening.Compare(opening) != 0 || s.Closing.Compare(want.due) != 0 || running.Compare(want.due) != 0 {
		m.Errorf("%s: got %s to %s, want %s to %s", s.Period(), s.Opening, s.Closing, opening, want.due)
	}
	if got := s.OverdueTotal(); got.Compare(want.overdue) != 0 {
		m.Errorf("%s: got %s overdue, want %s", s.Period(), got, want.overdue)
	}
	return want.overdue.Sign() > 0
}

// TestStatement_Imported makes statements of invoices that only imports have: with
// payments without a date, with a credit but no credit note, and with the status VOID or
// REFUNDED but no credit. Today's closing balance must equal the balances due of the
// invoices.
func TestStatement_Imported(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		day := storetest.Day(2026, time.October, 5)
		invoice := func(id string, status store.InvoiceStatus, change func(*store.Invoice)) *store.Invoice {
			i := &store.Invoice{ID: id, OrderID: "o" + id, CustomerID: "c1", Status: status, Date: day, DueDate: day.AddDate(0, 0, 14), Amount: store.MinorUnits(10_00), Version: 1}
			change(i)
			return i
		}
		pay := func(cents int64, date time.Time) store.Payment {
			return store.Payment{ID: fmt.Sprint(cents), Type: "Visa", Amount: store.MinorUnits(cents), Date: date, Data: "4111 1111 1111 4242"}
		}
		entities := []store.Entity{
			&store.Customer{ID: "c1", Name: "Kim", Version: 1},
			invoice("a", store.InvoicePartial, func(i *store.Invoice) { i.Payments = []store.Payment{pay(3_00, time.Time{})} }),
			invoice("b", store.InvoiceUnpaid, func(i *store.Invoice) { i.Credit = store.MinorUnits(4_00) }),
			invoice("c", store.InvoiceVoid, func(*store.Invoice) {}),
			invoice("d", store.InvoiceRefunded, func(i *store.Invoice) {
				i.Payments = []store.Payment{pay(10_00, day.AddDate(0, 0, 1)), pay(-10_00, day.AddDate(0, 0, 30))}
			}),
			invoice("e", store.InvoicePaid, func(i *store.Invoice) { i.Payments = []store.Payment{pay(12_00, day.AddDate(0, 0, -10))} }),
		}
		if _, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		october := store.DateRange{From: storetest.Day(2026, time.October, 1), To: storetest.Day(2026, time.October, 31)}
		got, err := s.As(admin).Statement(t.Context(), "c1", october)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, l := range got.Lines {
			lines = append(lines, fmt.Sprintf("%s %s %s %s", l.Day.Format("01-02"), l.Kind, l.InvoiceID, l.Amount))
			if strings.Contains(l.Payment.Data, "1111") {
				t.Errorf("got the card number %s, want four digits", l.Payment.Data)
			}
		}
		want := `10-05 invoice a 10
10-05 invoice b 10
10-05 invoice c 10
10-05 invoice d 10
10-05 invoice e 10
10-05 adjustment b -4
10-05 adjustment c -10
10-05 adjustment d -10
10-05 payment a -3
10-06 payment d -10`
		if text := strings.Join(lines, "\n"); text != want {
			t.Errorf("got the lines\n%s\nwant\n%s", text, want)
		}
		if got.Opening.String() != "-12" || got.Closing.String() != "1" || got.OverdueTotal().String() != "13" || len(got.Overdue) != 2 {
			t.Errorf("got %s to %s with %d overdue of %s; want -12 to 1 with 2 overdue of 13", got.Opening, got.Closing, len(got.Overdue), got.OverdueTotal())
		}
		debt, err := s.As(admin).DebtOf(t.Context(), "c1")
		if err != nil {
			t.Fatal(err)
		}
		today, err := s.As(admin).Statement(t.Context(), "c1", store.DateRange{})
		if err != nil || today.Closing.Compare(debt.Owed.Minus(debt.Back)) != 0 || today.Opening.Sign() != 0 {
			t.Errorf("got %+v, %v; want the balance due %s minus %s", today, err, debt.Owed, debt.Back)
		}
		if _, err := s.As(admin).Statement(t.Context(), "c1", store.DateRange{From: storetest.Day(2027, time.January, 1)}); store.KindOf(err) != store.Invalid {
			t.Errorf("a period in the future: got %v, want Invalid", err)
		}
	})
}

// TestStatement_IsBounded checks that a customer can have a statement with the maximum
// number of invoices, but not with one more.
func TestStatement_IsBounded(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var entities []store.Entity
		for n := range store.MaxStatementDocuments {
			date := storetest.Now.Add(-time.Duration(n) * time.Hour)
			entities = append(entities, &store.Invoice{ID: fmt.Sprintf("i%04d", n), OrderID: fmt.Sprintf("o%04d", n), CustomerID: "c1", Status: store.InvoiceUnpaid, Date: date, Amount: store.MinorUnits(1), Version: 1})
		}
		load := func(entities ...store.Entity) {
			t.Helper()
			if _, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		load(entities...)
		trace := &store.Trace{}
		got, err := s.As(admin).Statement(store.WithTrace(t.Context(), trace), "c1", store.DateRange{From: storetest.Day(2026, time.November, 21)})
		if err != nil || got.Closing.String() != "10" || len(got.Lines) != 11 {
			t.Fatalf("got %+v, %v; want 10", got, err)
		}
		if requests := len(trace.Reads()); requests > 8 {
			t.Errorf("got %d requests, want at most 8", requests)
		}
		load(&store.Invoice{ID: "more", OrderID: "more", CustomerID: "c1", Status: store.InvoiceUnpaid, Date: storetest.Now, Amount: store.MinorUnits(1), Version: 1})
		_, err = s.As(admin).Statement(t.Context(), "c1", store.DateRange{})
		if store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), "more than 1,000 invoices") {
			t.Errorf("got %v, want an error about the number of invoices", err)
		}
	})
}

package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// remindedInvoices is the number of unpaid invoices in the tests of reminders.
const remindedInvoices = 110

// loadUnpaid stores unpaid invoices, each of its own customer.
func loadUnpaid(t testing.TB, s *store.Store, n int) {
	t.Helper()
	if err := s.AddUser(t.Context(), *admin, "a long password", "test"); err != nil {
		t.Fatal(err)
	}
	var entities []store.Entity
	for i := range n {
		entities = append(entities, unpaid(i)...)
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

func unpaid(i int) []store.Entity {
	order := fmt.Sprintf("o%04d", i)
	c := &store.Customer{ID: fmt.Sprintf("c%04d", i), Name: fmt.Sprint("Customer ", i), Email: fmt.Sprintf("c%d@example.com", i), Version: 1}
	switch i {
	case 3:
		c.Email = ""
	case 4:
		c.NoNotices = true
	}
	at := storetest.Now.AddDate(0, 0, -20)
	return []store.Entity{
		c,
		&store.Order{ID: order, CustomerID: c.ID, Date: at, Status: store.OrderOpen, Total: store.MinorUnits(1000), PaymentState: store.InvoiceUnpaid, Version: 1},
		&store.Invoice{ID: "i" + order, OrderID: order, CustomerID: c.ID, Date: at, DueDate: due.AddDate(0, 0, -5), Amount: store.MinorUnits(1000), Status: store.InvoiceUnpaid, Version: 1},
	}
}

// preview starts a bulk change, and lists the rows of its preview.
func preview(t testing.TB, s *store.Store, a store.Access, b store.BulkChange, selected ...string) (*store.BulkChange, map[string]store.BulkRow) {
	t.Helper()
	added, err := a.AddBulkChange(t.Context(), b, selected, s.NewToken()+".x")
	if err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), added.ID); err != nil {
		t.Fatal(err)
	}
	return bulkRows(t, a, added.ID)
}

// runBulk confirms the preview of a bulk change, and runs the change to its end.
func runBulk(t testing.TB, s *store.Store, a store.Access, b *store.BulkChange) (*store.BulkChange, map[string]store.BulkRow) {
	t.Helper()
	if _, err := a.StartBulkChange(t.Context(), b.ID, b.Version, ""); err != nil {
		t.Fatal(err)
	}
	if err := runner(t, s, jobs.Record{}, nil).RunBulkChange(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	return bulkRows(t, a, b.ID)
}

// TestBulkChange_RemindsOfInvoicesOncePerDay sends reminders of all overdue invoices. Each
// customer must get one email per invoice and day, even if the run is killed and
// continued, or the reminders are sent again.
func TestBulkChange_RemindsOfInvoicesOncePerDay(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	loadUnpaid(t, s, remindedInvoices)
	a := s.As(admin)
	overdue := store.BulkChange{Kind: store.BulkInvoiceReminder, Invoices: store.InvoiceFilter{Status: store.InvoiceOverdue}}
	b, planned := preview(t, s, a, overdue)
	second, _ := preview(t, s, a, overdue) // this bulk change starts later, on the same day
	if b.State != store.BulkReady || b.Rows != remindedInvoices || b.Skipped != 2 {
		t.Fatalf("got %+v, want a preview of %d invoices with two skipped", b, remindedInvoices)
	}
	for id, want := range map[string]string{"io0003": "Not sent, because there is no email address.", "io0004": "Not sent, because this person does not want reminders."} {
		if row := planned[id+"c"+id[2:]]; row.Outcome != store.BulkSkipped || row.Why != want {
			t.Errorf("%s: got %+v, want %q", id, row, want)
		}
	}
	// One customer pays, and another gets a new address.
	if err := a.RecordPayment(t.Context(), store.PaymentRequest{InvoiceID: "io0007", Version: 1, Voucher: store.Payment{Type: "GiftCard", Amount: store.MinorUnits(1000), Data: "GC-1"}}, ""); err != nil {
		t.Fatal(err)
	}
	c, err := a.CustomerForChange(t.Context(), "c0008")
	if err != nil {
		t.Fatal(err)
	}
	c.Email = "new@example.com"
	if err := a.SaveCustomer(t.Context(), *c, ""); err != nil {
		t.Fatal(err)
	}

	runInterrupted(t, db, clock, a, b.ID)
	b, rows := bulkRows(t, a, b.ID)
	const sent = remindedInvoices - 4
	if b.State != store.BulkDone || b.Changed != sent || b.Failed != 2 {
		t.Errorf("got %+v, want %d sent and two failed", b, sent)
	}
	for id, want := range map[string]string{"io0007c0007": "Not sent, because nothing is due.", "io0008c0008": "Changed after the preview."} {
		if row := rows[id]; row.Outcome != store.BulkFailed || row.Why != want {
			t.Errorf("%s: got %+v, want %q", id, row, want)
		}
	}
	box := outboxOf(t, s)
	for _, row := range rows {
		want := 0
		if row.Outcome == store.BulkChanged {
			want = 1
		}
		if to := "c" + strings.TrimLeft(row.PersonID[1:4], "0") + row.PersonID[4:] + "@example.com"; box[to] != want {
			t.Errorf("%s: got %d emails, want %d for %+v", to, box[to], want, row)
		}
	}
	if len(box) != sent {
		t.Errorf("got emails to %d addresses, want %d", len(box), sent)
	}
	events, err := a.Events(t.Context(), store.EventFilter{About: "o#o0000"}, store.Page{})
	if err != nil || len(events.Rows) != 1 || events.Rows[0].Sentence() != "Email queued: reminder of invoice io0000" || events.Rows[0].Why != "to c0@example.com" {
		t.Errorf("got the events %+v, %v, want the reminder once", events.Rows, err)
	}

	second, rows = runBulk(t, s, a, second)
	if row := rows["io0000c0000"]; second.Changed != 0 || row.Outcome != store.BulkFailed || row.Why != "Not sent, because a reminder was already sent today." {
		t.Errorf("the same day: got %+v and %+v, want nothing sent", second, row)
	}
	if third, rows := preview(t, s, a, overdue); third.ToDo() != 1 || rows["io0008c0008"].Outcome != store.BulkToDo {
		t.Errorf("the same day: got a preview %+v, want only the customer with a new address", third)
	}
	clock.Advance(24 * time.Hour)
	if next, _ := preview(t, s, a, overdue); next.ToDo() != remindedInvoices-3 {
		t.Errorf("the next day: got a preview of %d reminders, want %d", next.ToDo(), remindedInvoices-3)
	}

	// A customer pays before the email is sent.
	if err := a.RecordPayment(t.Context(), store.PaymentRequest{InvoiceID: "io0009", Version: 1, Voucher: store.Payment{Type: "GiftCard", Amount: store.MinorUnits(1000), Data: "GC-1"}}, ""); err != nil {
		t.Fatal(err)
	}
	mail := &mailbox{}
	deliver(t, runner(t, s, jobs.Record{}, mail), jobs.Delivery{Sent: sent - 1, Failed: 1})
	for _, m := range mail.messages {
		if m.To == "c1@example.com" && (!strings.Contains(m.Text, "Invoice io0001, dated 1 Nov 2026, is not fully paid yet.") || !strings.Contains(m.Text, "Balance due: €10.00\n\nDue date: 16 Nov 2026") || len(m.Attachments) != 1) {
			t.Errorf("got the email %q with %d files, want the reminder with the invoice", m.Text, len(m.Attachments))
		}
	}
}

// TestBulkChange_RemindsRentersOncePerDay sends reminders of overdue kayaks. A renter with
// several kayaks must get one email.
func TestBulkChange_RemindsRentersOncePerDay(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	const renters = 60
	entities := []store.Entity{&store.Warehouse{ID: "w1", Name: "North", Version: 1}, &store.RentalStore{ID: "s1", Name: "Brygga", Version: 1}, &store.RentalStore{ID: "s2", Name: "Other", Version: 1}}
	for n := range renters {
		entities = append(entities, rented(n, due.AddDate(0, 0, -2))...)
	}
	entities = append(entities, rental("r0006", "k-left", due.AddDate(0, 0, -1)))
	for _, id := range []string{"k0005", "k0006"} {
		out := rental("r"+id[1:], id, due)
		entities = append(entities, &store.Kayak{ID: id, StoreID: "s1", Name: "Kayak " + id, Status: store.KayakOut, Version: 1}, &store.Rental{ID: out.RentalID, StoreID: "s1", PersonID: out.PersonID, KayakID: id, Out: out.Out, Due: out.Due})
	}
	other := rental("r0000", "k-other", due.AddDate(0, 0, -9))
	other.StoreID = "s2"
	entities = append(entities, rental("r0000", "k-second", due.AddDate(0, 0, -4)), rental("r0000", "k-soon", due.AddDate(0, 0, 1)), rental("r0000", "k-later", due.AddDate(0, 0, 3)), other,
		&store.Person{ID: "silent", Name: "Silent", Email: "silent@example.com", NoNotices: true, Version: 1}, rental("silent", "k-silent", due.AddDate(0, 0, -1)),
		&store.Person{ID: "none", Name: "None", Version: 1}, rental("none", "k-none", due.AddDate(0, 0, -1)))
	noticeStore(t, s, entities...)
	if err := s.AddUser(t.Context(), *admin, "a long password", "test"); err != nil {
		t.Fatal(err)
	}
	addManager(t, s, "mia", false)
	mia := s.As(&store.User{Name: "mia", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}})
	b, planned := preview(t, s, mia, store.BulkChange{Kind: store.BulkRentalReminder})
	if b.Rows != renters+2 || b.ToDo() != renters {
		t.Fatalf("got %+v, want a row for each of %d renters", b, renters+2)
	}
	if got, want := planned["r0000"].Before, "Kayak k-second (Brygga, due 17 Nov 2026), Kayak k0000 (Brygga, due 19 Nov 2026), Kayak k-soon (Brygga, due 22 Nov 2026)"; got != want {
		t.Errorf("got the kayaks %q, want %q", got, want)
	}
	if planned["silent"].Why != "Not sent, because this person does not want reminders." || planned["none"].Why != "Not sent, because there is no email address." {
		t.Errorf("got %+v and %+v, want both skipped", planned["silent"], planned["none"])
	}
	if _, rows := preview(t, s, mia, store.BulkChange{Kind: store.BulkRentalReminder}, "s1#r0000#k0000", "s1#r0000#k-second", "s1#r0001#k0001"); len(rows) != 2 {
		t.Errorf("got the rows %+v for three kayaks of two renters, want two", rows)
	}
	if _, err := mia.AddBulkChange(t.Context(), store.BulkChange{Kind: store.BulkRentalReminder}, []string{"s2#r0000#k-other"}, ""); store.KindOf(err) != store.Invalid {
		t.Errorf("a kayak of another store: got %v, want Invalid", err)
	}
	// A user extends the only rental of one renter, and one of two rentals of another
	// renter.
	if _, err := mia.Extend(t.Context(), store.Extension{StoreID: "s1", Kayaks: []string{"k0005", "k0006"}, Due: due.AddDate(0, 0, 5)}, ""); err != nil {
		t.Fatal(err)
	}
	runInterrupted(t, db, clock, mia, b.ID)
	b, rows := bulkRows(t, mia, b.ID)
	if b.State != store.BulkDone || b.Changed != renters-2 || rows["r0005"].Why != "Not sent, because no kayak is overdue." || rows["r0006"].Why != "Changed after the preview." {
		t.Errorf("got %+v, %+v and %+v, want two failures", b, rows["r0005"], rows["r0006"])
	}
	box := outboxOf(t, s)
	if len(box) != renters-2 || box["r0@example.com"] != 1 {
		t.Errorf("got emails %v, want one to each of %d renters", box, renters-2)
	}
	if next, _ := preview(t, s, mia, store.BulkChange{Kind: store.BulkRentalReminder}); next.ToDo() != 1 {
		t.Errorf("the same day: got a preview of %d reminders, want only the one that failed", next.ToDo())
	}
	run(t, runner(t, s, jobs.Record{}, nil), store.NoticesJob, due)
	if again := outboxOf(t, s); again["r0@example.com"] != 1 {
		t.Errorf("got %d emails after the daily notices, want still one", again["r0@example.com"])
	}
}

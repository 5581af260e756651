package storetest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/storetest"
)

// erasureTest is a shop with a customer who can have records of every kind.
type erasureTest struct {
	*testing.T
	db     *embedded.DB
	folder string
	store  *store.Store
	admin  store.Access
	clock  *storetest.Clock
	id     string // ID of the customer
}

// secrets are strings about the customer that must disappear. The digits of the card are in
// quotes, because IDs and hashes can contain the same digits.
var secrets = []string{"Ottilie", "ottilie", "zweig", "Zweig", "Krantz", "krantz", "99887766", "66778899", "Rosenholm", `"4242"`, "allergic", "TRK-7", "trk7", "cus_zw"}

func (l *erasureTest) must(what string, err error) {
	l.Helper()
	if err != nil {
		l.Fatalf("%s: %v", what, err)
	}
}

// newErasureTest returns the test shop with a customer. It makes the test run in parallel
// with others.
func newErasureTest(t *testing.T) *erasureTest {
	t.Helper()
	t.Parallel()
	l := &erasureTest{T: t, folder: t.TempDir(), clock: storetest.NewClock()}
	l.db = storetest.EmbeddedAt(t, l.folder, l.clock)
	l.store = storetest.OpenTable(t, l.db, storetest.TableName, l.clock)
	l.store.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	l.admin = l.store.As(admin)
	shop := storetest.NewShop()
	shop.Load(t, l.store)
	home := store.Address{Street: "Rosenholmvej", Number: "7", City: "Lund", Country: "Sweden"}
	var err error
	l.id, err = l.admin.AddCustomer(t.Context(), store.Customer{Name: "Ottilie Krantz", Email: "ottilie@krantz.example", Phones: []string{"+46 99887766"}, Address: home}, l.store.NewToken())
	l.must("add", err)
	return l
}

// addRecords adds all kinds of records about the customer. It renames the customer in
// between, so that the records contain two names. It also checks that a customer with
// open records cannot be erased.
func (l *erasureTest) addRecords() {
	l.Helper()
	ctx := l.Context()
	l.rent("k09")
	c, err := l.admin.CustomerForChange(ctx, l.id)
	l.must("read", err)
	c.Name, c.Email = "Ottilie Zweig", "ottilie@zweig.example"
	l.must("rename", l.admin.SaveCustomer(ctx, *c, l.store.NewToken()))
	l.must("note", l.admin.NoteOnCustomer(ctx, l.id, "Ottilie is allergic to wool", l.store.NewToken()))
	l.rent("k12")

	form := store.NewOrder{Basket: store.Basket{Customer: l.id, Lines: []store.BasketLine{{Product: "p10", Quantity: 3}}}, Total: store.MinorUnits(3 * 110)}
	order, err := l.admin.PlaceOrder(ctx, form, l.store.NewToken())
	l.must("order", err)
	o, err := l.admin.ShipToForChange(ctx, order)
	l.must("address", err)
	o.ShipTo.Street = "Rosenholm Allé"
	l.must("address", l.admin.SaveShipTo(ctx, *o, l.store.NewToken()))
	l.must("note", l.admin.NoteOnOrder(ctx, order, "call Zweig first", l.store.NewToken()))

	subscription, err := l.admin.CreateSubscription(ctx, store.NewSubscription{
		AccountID: l.id, SKU: "TEA", Email: "ottilie@zweig.example", Day: 5, Amount: store.MinorUnits(9_00), Token: l.store.NewToken(),
		Details: store.PaymentDetails{Card: "4242", Customer: "cus_zw", Method: "pm_zw"},
	})
	l.must("subscribe", err)
	booking, err := l.admin.Book(ctx, store.BookingRequest{StoreID: "s0", Person: l.id, KayakID: "k15", From: monday, To: monday, Note: "trip of Zweig"}, l.store.NewToken())
	l.must("book", err)

	got, err := l.admin.ErasureOf(ctx, l.id, 0)
	l.must("dry run", err)
	var reasons []string
	for _, b := range got.Blockers {
		reasons = append(reasons, b.Reason+" "+b.Partition)
	}
	for _, want := range []string{"Order " + order, "Subscription " + subscription, "booking is still open", "is not paid"} {
		if !strings.Contains(strings.Join(reasons, "\n"), want) {
			l.Errorf("open records: got the reasons %q, want %q among them", reasons, want)
		}
	}
	before := l.texts()
	if _, err := l.admin.ErasePerson(ctx, l.id); store.KindOf(err) != store.Conflict || !slices.Equal(before, l.texts()) {
		l.Errorf("erase with open records: got %v, want Conflict and unchanged items", err)
	}
	l.must("cancel order", l.admin.CancelOrder(ctx, store.Cancellation{OrderID: order, Version: l.version(order), Why: "Zweig moved"}, l.store.NewToken()))
	l.must("cancel subscription", l.admin.CancelSubscription(ctx, store.SubscriptionForm{AccountID: l.id, ID: subscription, SKU: "TEA", Version: 1, Token: l.store.NewToken()}, "Zweig moved"))
	l.must("cancel booking", l.admin.CancelBooking(ctx, booking.ID, booking.Version, "Zweig is ill", l.store.NewToken()))

	l.loadRecords()
}

func (l *erasureTest) version(order string) int {
	o, err := l.admin.Order(l.Context(), order)
	l.must("read order", err)
	return o.Version
}

// loadRecords inserts records as an import does: a delivered order, a receipt, a sent
// email and an event.
func (l *erasureTest) loadRecords() {
	date := l.clock.Now()
	home := store.Address{Street: "Rosenholmvej", City: "Lund"}
	amount := store.MinorUnits(500)
	entities := []store.Entity{
		&store.Order{ID: "z1", CustomerID: l.id, CustomerName: "Ottilie Zweig", Date: date, Status: store.OrderDelivered, Total: amount, ShipTo: home, ItemCount: 1, PaymentState: store.InvoicePaid, ShipmentState: store.FullyShipped, Version: 1},
		&store.OrderItem{OrderID: "z1", ProductID: "p10", CustomerID: l.id, Date: date, Name: "a-product 10", Price: amount, Quantity: 1, Shipped: 1, Version: 1},
		&store.Invoice{ID: "iz1", OrderID: "z1", CustomerID: l.id, Date: date, Amount: amount, Status: store.InvoicePaid, Payments: []store.Payment{
			{ID: "1", Type: "Visa", Amount: store.MinorUnits(300), Date: date, Data: "4242"},
			{ID: "2", Type: "BankTransfer", Amount: store.MinorUnits(200), Date: date, Data: "From Ottilie Zweig"},
		}, Version: 1},
		&store.Shipment{ID: "sz1", OrderID: "z1", WarehouseID: "w0", Date: date, Type: "Express", Status: store.ShipmentDelivered, Address: home, Tracking: "TRK-7", Version: 1},
		&store.Receipt{AccountID: l.id, SubscriptionID: "sub", SKU: "TEA", DueDate: monday, Email: "ottilie@zweig.example", ProcessedDate: date, ProcessedAmount: amount, Version: 1},
		&store.Email{ID: eventID(date, 2), Kind: store.EmailReminder, To: "ottilie@zweig.example", CustomerID: l.id, Record: "ACC#" + l.id, Status: store.EmailSent, Created: date, At: date, Response: "250 ok Zweig", Version: 1},
		&store.Event{ID: eventID(date, 1), Partition: "c#" + l.id, When: date, By: "old", What: "Sent a letter to Ottilie"},
	}
	_, err := l.store.Load(l.Context(), entities, store.LoadOptions{})
	l.must("load", err)
}

func (l *erasureTest) rent(kayak string) {
	l.Helper()
	ctx := l.Context()
	due := time.Date(l.clock.Now().Year(), l.clock.Now().Month(), l.clock.Now().Day(), 0, 0, 0, 0, time.UTC).AddDate(0, 0, 1)
	_, err := l.admin.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: l.id, KayakIDs: []string{kayak}, Due: due}, l.store.NewToken())
	l.must("check out", err)
	_, err = l.admin.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{kayak}, Due: due.AddDate(0, 0, 1)}, l.store.NewToken())
	l.must("extend", err)
	if b, _ := l.admin.ErasureOf(ctx, l.id, 5); len(b.Blockers) == 0 {
		l.Error("rental out: got no reason, want one")
	}
	quote, err := l.admin.QuoteCheckIn(ctx, "s0", []string{kayak})
	l.must("quote", err)
	_, err = l.admin.CheckIn(ctx, store.CheckIn{StoreID: "s0", Charge: quote.Total, Method: store.PayByCash, Kayaks: []store.ReturnedKayak{{ID: kayak, Condition: "scratched", Damage: "scratch by Ottilie"}}}, l.store.NewToken())
	l.must("check in", err)
	l.clock.Advance(time.Minute)
}

// texts returns all items as JSON, sorted.
func (l *erasureTest) texts() []string {
	l.Helper()
	var texts []string
	in := &dynamodb.ScanInput{TableName: aws.String(l.store.Table())}
	for {
		out, err := l.db.Scan(l.Context(), in)
		l.must("scan", err)
		for _, item := range out.Items {
			text, err := json.Marshal(item)
			l.must("encode", err)
			texts = append(texts, string(text))
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			slices.Sort(texts)
			return texts
		}
	}
}

// killed is a table that fails after a number of transactions, as if the process had been
// killed.
type killed struct {
	store.DB
	left int
}

func (k *killed) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if k.left--; k.left < 0 {
		return nil, errors.New("killed")
	}
	return k.DB.TransactWriteItems(ctx, in, options...)
}

// wantNone fails the test for each secret that text contains.
func (l *erasureTest) wantNone(where, text string) {
	l.Helper()
	for _, secret := range secrets {
		if at := strings.Index(text, secret); at >= 0 {
			l.Errorf("%s: got %q in …%q…", where, secret, text[max(0, at-80):min(len(text), at+80)])
		}
	}
}

// TestErasePerson erases a customer who has records of every kind, some of them from sealed
// days. None of the secrets may be left in an item, a key, a search, an export, a backup or
// a restored store. Amounts, dates and products must stay.
func TestErasePerson(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	l.addRecords()
	l.clock.Advance(48 * time.Hour)
	if _, _, err := l.store.SealDays(ctx, time.Time{}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(l.texts(), "\n")
	for _, secret := range secrets {
		if !strings.Contains(all, secret) {
			t.Errorf("before: got no item with %q, want one", secret)
		}
	}
	plan, err := l.admin.ErasureOf(ctx, l.id, 0)
	if err != nil || len(plan.Blockers) > 0 || plan.Name != "Ottilie Zweig" {
		t.Fatalf("dry run: got %+v, error %v, want no reasons", plan, err)
	}
	done, err := l.admin.ErasePerson(ctx, l.id)
	if err != nil || done.Deleted != 1 || done.Records() != plan.Records() || done.Records() < 20 {
		t.Errorf("got %d records, error %v, want the %d of the dry run", done.Records(), err, plan.Records())
	}
	for _, text := range l.texts() {
		l.wantNone("items", text)
	}
	order, err := l.admin.Order(ctx, "z1")
	if err != nil || order.Total.Compare(store.MinorUnits(500)) != 0 || order.Items[0].Name != "a-product 10" || order.Invoices[0].Paid().Compare(order.Total) != 0 || order.Shipments[0].Date.IsZero() {
		t.Errorf("got order %+v, error %v, want its amounts, dates and products", order, err)
	}
	for _, text := range []string{"Ottilie Zweig", "Krantz", "ottilie@zweig.example", "+46 99887766"} {
		if found, err := l.admin.Search(ctx, text); err != nil || found.Count() != 0 {
			t.Errorf("search for %q: got %d results, error %v, want 0", text, found.Count(), err)
		}
	}
	var exported bytes.Buffer
	err = l.admin.PersonalData(ctx, l.id, func(_ store.PersonalFile, e store.Entity) error { return json.NewEncoder(&exported).Encode(e) })
	l.must("export", err)
	l.wantNone("export", exported.String())
	if n := strings.Count(exported.String(), string(store.EventPersonErased)); n != 1 {
		t.Errorf("got %d events of the erasure, want 1", n)
	}

	// A second erasure must change nothing.
	before := l.texts()
	if again, err := l.admin.ErasePerson(ctx, l.id); err != nil || again.Records() != 0 || !slices.Equal(before, l.texts()) {
		t.Errorf("again: got %+v, error %v, want no change", again, err)
	}
	// The seals must remain valid, and a verification must find a change of a redacted
	// event.
	h := &sealedHistory{t, l.db, l.store, l.clock}
	h.want()
	l.wantSealed(h)

	var backup bytes.Buffer
	l.must("backup", l.db.Backup(ctx, &backup))
	l.wantNone("backup", backup.String())
	restored := t.TempDir()
	l.must("restore", embedded.Restore(ctx, restored, l.clock.Now, "the backup", &backup))
	raw, err := os.ReadFile(filepath.Join(restored, embedded.FileName))
	l.must("read", err)
	l.wantNone("restored file", string(raw))
}

// wantSealed changes a redacted event, and expects that the verification finds it.
func (l *erasureTest) wantSealed(h *sealedHistory) {
	l.Helper()
	for event, err := range store.Each(func(p store.Page) (store.List[store.Event], error) {
		return l.admin.EventsOfCustomer(l.Context(), l.id, p)
	}) {
		l.must("events", err)
		if event.What != store.EventNote {
			continue
		}
		h.set(event.Partition, "event#"+event.ID, map[string]string{"By": "vic", "GSI2-PK": "events#user#vic"})
		if _, found := h.problems(); len(found) != 1 || !strings.Contains(found[0], "at least 1 event was changed") {
			l.Errorf("changed redacted event: got the problems %q, want one", found)
		}
		h.set(event.Partition, "event#"+event.ID, map[string]string{"By": event.By, "GSI2-PK": "events#user#" + event.By})
		h.want()
		return
	}
	l.Error("got no redacted note, want one")
}

// TestErasePerson_Continues interrupts the erasure of one customer again and again: the
// first call after one transaction, the second after two more, and so on. The call that
// is not interrupted must erase everything that is left.
func TestErasePerson_Continues(t *testing.T) {
	l := newErasureTest(t)
	l.addRecords()
	for n := range 200 {
		note := fmt.Sprintf("Zweig %d", n)
		l.must("note", l.admin.NoteOnCustomer(t.Context(), l.id, note, l.store.NewToken()))
	}
	for n := 1; ; n++ {
		interrupted := store.New(&killed{DB: l.db, left: n}, l.store.Table(), l.clock.Now)
		interrupted.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
		_, err := interrupted.As(admin).ErasePerson(t.Context(), l.id)
		if err == nil {
			break
		}
		if n > 30 {
			t.Fatalf("after %d interruptions: got %v, want the end", n, err)
		}
	}
	for _, text := range l.texts() {
		l.wantNone("items", text)
	}
}

// TestErasePerson_Employee erases an employee who has a quota and two names. Someone who
// works at a store must not be erased.
func TestErasePerson_Employee(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	employee, err := l.admin.AddEmployee(ctx, store.Employee{
		Name: "Sigrid Falk", Email: "sigrid@falk.example", Phones: []string{"+46 55443322"}, HireDate: monday, Address: store.Address{Street: "Lindgatan", City: "Lund"},
	}, l.store.NewToken())
	l.must("add employee", err)
	_, err = l.store.Load(ctx, []store.Entity{&store.Quota{EmployeeID: employee, Name: "Sigrid Falk", Period: store.Quarter{Year: 2026, Number: 4}, Orders: 3, OrderTotal: store.MinorUnits(700).Sum(), Version: 1}}, store.LoadOptions{})
	l.must("add quota", err)
	e, err := l.admin.EmployeeForChange(ctx, employee)
	l.must("read employee", err)
	e.Name = "Sigrid Berglund"
	l.must("rename employee", l.admin.SaveEmployee(ctx, *e, l.store.NewToken()))
	own := []string{"Sigrid", "sigrid", "Falk", "falk", "Berglund", "berglund", "55443322", "Lindgatan"}
	count := func() (n int) {
		all := strings.Join(l.texts(), "\n")
		for _, text := range own {
			n += strings.Count(all, text)
		}
		return n
	}
	if before := count(); before < len(own) {
		t.Fatalf("before: got %d texts of the employee, want at least %d", before, len(own))
	}
	plan, err := l.admin.ErasureOf(ctx, employee, 0)
	if err != nil || len(plan.Blockers) > 0 || plan.Name != "Sigrid Berglund" {
		t.Fatalf("dry run: got %+v, error %v, want no reasons", plan, err)
	}
	if done, err := l.admin.ErasePerson(ctx, employee); err != nil || done.Records() != plan.Records() || done.Records() < 3 {
		t.Errorf("got %d records, error %v, want the %d of the dry run", done.Records(), err, plan.Records())
	}
	if after := count(); after != 0 {
		t.Errorf("after: got %d texts of the employee, want none", after)
	}
	if found, err := l.admin.Search(ctx, "Berglund"); err != nil || found.Count() != 0 {
		t.Errorf("search: got %d results, error %v, want 0", found.Count(), err)
	}
	if left, err := l.admin.Employee(ctx, employee); err != nil || !left.HireDate.Equal(monday) {
		t.Errorf("got employee %+v, error %v, want the hire date", left, err)
	}
	if got, err := l.admin.ErasePerson(ctx, "pp0"); store.KindOf(err) != store.Conflict || len(got.Blockers) == 0 || !strings.Contains(got.Blockers[0].Reason, "works at the store") {
		t.Errorf("employee of a store: got %+v, error %v, want Conflict", got, err)
	}
	if _, err := l.admin.ErasePerson(ctx, "nobody"); store.KindOf(err) != store.NotFound {
		t.Errorf("unknown ID: got %v, want NotFound", err)
	}
	support := l.store.As(&store.User{Name: "sam", Role: store.Support})
	if _, err := support.ErasePerson(ctx, l.id); store.KindOf(err) != store.Forbidden {
		t.Errorf("support: got %v, want Forbidden", err)
	}
}

// TestErasePerson_FormerStaff erases a person whose last day at a store has passed, before
// TTL deletes the person's staff entry.
func TestErasePerson_FormerStaff(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	l.must("hire", l.admin.StartEmployment(ctx, store.NewEmployment{StoreID: "s0", Person: l.id, From: monday}, ""))
	l.must("end", l.admin.EndEmployment(ctx, "s0", l.id, monday, ""))
	if got, err := l.admin.ErasePerson(ctx, l.id); store.KindOf(err) != store.Conflict || len(got.Blockers) != 1 || !strings.Contains(got.Blockers[0].Reason, "until 23 Nov 2026") {
		t.Errorf("before the last day: got %+v, error %v, want Conflict", got, err)
	}
	l.clock.Advance(3 * 24 * time.Hour)
	_, err := l.admin.ErasePerson(ctx, l.id)
	l.must("erase", err)
	l.wantNone("items", strings.Join(l.texts(), "\n"))
}

// TestErasePerson_WithdrawnNote withdraws and restores a note on a kayak long after the
// renter has returned the kayak. The note names the renter, whose erasure must also
// redact it. A later note about another person with the same name must stay.
func TestErasePerson_WithdrawnNote(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	l.rent("k09")
	l.must("note", l.admin.NoteOnKayak(ctx, "k09", "Ottilie Krantz left it wet", l.store.NewToken()))
	u := &undoTest{T: t, store: l.store, access: l.admin}
	for range 2 {
		l.clock.Advance(5 * time.Hour)
		events, err := l.admin.EventsOfKayak(ctx, "k09", store.Page{Limit: 1})
		l.must("events", err)
		l.must("undo", u.undo(&events.Rows[0]))
	}
	l.clock.Advance(5 * time.Hour)
	l.must("another note", l.admin.NoteOnKayak(ctx, "k09", "Another Ottilie Krantz asked for it", l.store.NewToken()))
	if _, err := l.admin.ErasePerson(ctx, l.id); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, text := range l.texts() {
		if strings.Contains(text, "Krantz") {
			left = append(left, text)
		}
	}
	if len(left) != 1 || !strings.Contains(left[0], "Another Ottilie Krantz") {
		t.Errorf("got %d items with the name, want only the later note about another person:\n%s", len(left), strings.Join(left, "\n"))
	}
}

// TestErasePerson_Ledger erases a customer whose name is in the reasons of a return and of an
// unpacking. The stock ledger contains these reasons too, and the personal data must include
// them, although the ledger also has an imported entry without a time, whose ID sorts last.
// Entries of other days must not be read.
func TestErasePerson_Ledger(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	moves := []store.Entity{&store.StockMove{ID: "SM-1", ProductID: "p10", WarehouseID: "w1", Reason: "imported"}}
	for n := range 300 {
		at := l.clock.Now().AddDate(0, 0, n%2+1)
		moves = append(moves, &store.StockMove{ID: eventID(at, n), ProductID: "p10", WarehouseID: fmt.Sprintf("w%d", n%2), When: at, Reason: "count"})
	}
	_, err := l.store.Load(ctx, moves, store.LoadOptions{})
	l.must("load", err)
	read := &ledgerReads{DB: l.db}
	counted := store.New(read, l.store.Table(), l.clock.Now).As(admin)
	pack := func() string {
		t.Helper()
		id, err := l.admin.PlaceOrder(ctx, store.NewOrder{Basket: store.Basket{Customer: l.id, Lines: []store.BasketLine{{Product: "p10", Quantity: 2}}}, Total: store.MinorUnits(2 * 110)}, l.store.NewToken())
		l.must("order", err)
		l.must("pack", l.admin.ShipItems(ctx, store.ShipmentRequest{OrderID: id, Version: l.version(id), WarehouseID: "w0", Quantities: map[string]int{"p10": 2}, Service: "Express", Carrier: "DHL"}, l.store.NewToken()))
		return id
	}
	returned := pack()
	sendAll(t, l.admin, returned)
	l.must("return", l.admin.ReturnItems(ctx, store.ReturnRequest{OrderID: returned, Version: l.version(returned), Quantities: map[string]int{"p10": 2}, WarehouseID: "w1", Why: "Ottilie Zweig rang: about the refund"}, l.store.NewToken()))
	unpacked := pack()
	order, err := l.admin.Order(ctx, unpacked)
	l.must("read order", err)
	l.must("unpack", l.admin.UnpackShipment(ctx, store.Unpacking{ShipmentID: order.Shipments[0].ID, Version: order.Shipments[0].Version, Why: "Zweig is away"}, l.store.NewToken()))
	l.must("cancel", l.admin.CancelOrder(ctx, store.Cancellation{OrderID: unpacked, Version: l.version(unpacked), Why: "Zweig is away"}, l.store.NewToken()))

	var reasons []string
	err = counted.PersonalData(ctx, l.id, func(_ store.PersonalFile, e store.Entity) error {
		if m, ok := e.(*store.StockMove); ok {
			reasons = append(reasons, m.Reason)
		}
		return nil
	})
	slices.Sort(reasons)
	if want := []string{"returned: Ottilie Zweig rang: about the refund", "unpacked: Zweig is away"}; err != nil || !slices.Equal(reasons, want) {
		t.Errorf("personal data: got the ledger entries %q, error %v, want %q", reasons, err, want)
	}
	if read.entries > 4 {
		t.Errorf("personal data: got %d ledger entries read, want at most the 4 of the return and of the unpacking, in two warehouses", read.entries)
	}
	plan, err := l.admin.ErasureOf(ctx, l.id, 0)
	if err != nil || len(plan.Blockers) > 0 {
		t.Fatalf("dry run: got %+v, error %v, want no reasons", plan, err)
	}
	if done, err := l.admin.ErasePerson(ctx, l.id); err != nil || done.Records() != plan.Records() {
		t.Errorf("got %d records, error %v, want the %d of the dry run", done.Records(), err, plan.Records())
	}
	l.wantNone("items", strings.Join(l.texts(), "\n"))
	for warehouse, want := range map[string]string{"w0": "unpacked", "w1": "returned"} {
		moves := ledger(t, l.admin, "p10", warehouse)
		if !slices.ContainsFunc(moves, func(m store.StockMove) bool { return m.Reason == want && m.Delta == 2 }) {
			t.Errorf("%s: got no entry of 2 pieces with the reason %q, want one", warehouse, want)
		}
	}
}

// ledgerReads counts the entries of the stock ledger that queries of the table return.
type ledgerReads struct {
	store.DB
	entries int
}

func (r *ledgerReads) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := r.DB.Query(ctx, in, options...)
	if err == nil {
		for _, item := range out.Items {
			if sk, _ := item["SK"].(*types.AttributeValueMemberS); strings.HasPrefix(sk.Value, "stock#") {
				r.entries++
			}
		}
	}
	return out, err
}

// TestErasePerson_FormerNames renames a customer while a kayak is out and while a charge is
// unpaid. The rental and the charge then no longer contain the names in the history of the
// kayaks. An imported history contains a name that no other record has.
func TestErasePerson_FormerNames(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	rename := func(name string) {
		t.Helper()
		l.clock.Advance(10 * time.Minute)
		c, err := l.admin.CustomerForChange(ctx, l.id)
		l.must("read", err)
		c.Name = name
		l.must("rename", l.admin.SaveCustomer(ctx, *c, l.store.NewToken()))
		l.clock.Advance(10 * time.Minute)
	}
	day := time.Date(l.clock.Now().Year(), l.clock.Now().Month(), l.clock.Now().Day(), 0, 0, 0, 0, time.UTC)
	_, err := l.admin.CheckOut(ctx, store.CheckOut{StoreID: "s0", Person: l.id, KayakIDs: []string{"k09"}, Due: day.AddDate(0, 0, 1)}, l.store.NewToken())
	l.must("check out", err)
	_, err = l.admin.Extend(ctx, store.Extension{StoreID: "s0", Kayaks: []string{"k09"}, Due: day.AddDate(0, 0, 2)}, l.store.NewToken())
	l.must("extend", err)
	l.must("note", l.admin.NoteOnKayak(ctx, "k09", "Ottilie Krantz wants a dry bag", l.store.NewToken()))
	rename("Ottilie Zweig")
	rename("Ottilie Rosenholm")
	quote, err := l.admin.QuoteCheckIn(ctx, "s0", []string{"k09"})
	l.must("quote", err)
	rentals, err := l.admin.CheckIn(ctx, store.CheckIn{StoreID: "s0", Charge: quote.Total, Method: store.PayLater, Kayaks: []store.ReturnedKayak{{ID: "k09"}}}, l.store.NewToken())
	l.must("check in", err)
	rename("Ottilie Krantz-Zweig")
	unpaid, err := l.admin.UnpaidCharges(ctx, "s0", store.Page{Limit: 9})
	l.must("charges", err)
	for _, charge := range unpaid.Rows {
		if charge.Rentals[0].RentalID == rentals[0].ID {
			l.must("settle", l.admin.SettleRental(ctx, store.RentalSettlement{StoreID: "s0", Day: charge.Day, PaymentID: charge.ID, Method: store.PayByCash}, l.store.NewToken()))
		}
	}
	rename("Olga")

	out, back := monday.Add(10*time.Hour), monday.Add(14*time.Hour)
	_, err = l.store.Load(ctx, []store.Entity{
		&store.Rental{ID: "r-imported", StoreID: "s0", PersonID: l.id, KayakID: "k12", Out: out, Due: monday, Returned: back, PersonName: "Olga", Version: 1},
		&store.Event{ID: eventID(out, 1), Partition: "v1#inventory#inventoryULID#k12", When: out, By: "old", What: store.EventKayakCheckedOut, Why: "to Zweig until 23 Nov 2026"},
		&store.Event{ID: eventID(out, 2), Partition: "v1#inventory#inventoryULID#k12", When: out.Add(time.Hour), By: "old", What: store.EventKayakExtended, Why: "for Zweig"},
		&store.Event{ID: eventID(back, 3), Partition: "v1#inventory#inventoryULID#k12", When: back, By: "old", What: store.EventKayakCheckedIn, Why: "by Zweig after 1 day"},
		&store.Event{ID: eventID(back, 4), Partition: "v1#inventory#inventoryULID#k12", When: back.Add(time.Second), By: "old", What: store.EventKayakCheckedOut, Why: "to the next renter"},
	}, store.LoadOptions{})
	l.must("load", err)
	plan, err := l.admin.ErasureOf(ctx, l.id, 0)
	if err != nil || len(plan.Blockers) > 0 {
		t.Fatalf("dry run: got %+v, error %v, want no reasons", plan, err)
	}
	done, err := l.admin.ErasePerson(ctx, l.id)
	if err != nil || done.Records() != plan.Records() {
		t.Errorf("got %d records, error %v, want the %d of the dry run", done.Records(), err, plan.Records())
	}
	all := strings.Join(l.texts(), "\n")
	l.wantNone("items", all)
	if !strings.Contains(all, "to the next renter") {
		t.Error("next rental of the kayak: got no reason, want the reason of its check-out")
	}
}

// TestErasePerson_OtherAuditKey seals the history with one key and then with another. An
// erasure without one of these keys must be refused. With both keys it must succeed.
func TestErasePerson_OtherAuditKey(t *testing.T) {
	l := newErasureTest(t)
	ctx := t.Context()
	former, current := store.NewAuditKey("a key of this test with enough characters"), store.NewAuditKey("another key of this test, also long enough")
	l.clock.Advance(48 * time.Hour)
	if _, _, err := l.store.SealDays(ctx, time.Time{}); err != nil {
		t.Fatal(err)
	}
	l.clock.Advance(48 * time.Hour)
	l.store.UseAuditKeys(store.AuditKeys{current, former})
	if _, _, err := l.store.SealDays(ctx, time.Time{}); err != nil {
		t.Fatal(err)
	}
	before := l.texts()
	for name, keys := range map[string]store.AuditKeys{"no key": nil, "new key only": {current}, "former key only": {former}, "unknown key": {store.NewAuditKey("a third key of this test, also long enough")}} {
		l.store.UseAuditKeys(keys)
		if _, err := l.admin.ErasePerson(ctx, l.id); store.KindOf(err) != store.Conflict || !slices.Equal(before, l.texts()) {
			t.Errorf("%s: got %v, want Conflict and unchanged items", name, err)
		}
	}
	l.store.UseAuditKeys(store.AuditKeys{current, former})
	if _, err := l.admin.ErasePerson(ctx, l.id); err != nil {
		t.Error(err)
	}
	h := &sealedHistory{t, l.db, l.store, l.clock}
	h.want()
}

package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestTickClosed_ErasesEachDay runs the daily erasure on two servers, with several
// settings and times. After 03:00, it must erase at most MaxErasedADay customers, once a
// day. A customer with an open order must stay.
func TestTickClosed_ErasesEachDay(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	entities := []store.Entity{
		&store.Customer{ID: "recent", Name: "Recent", Closed: clock.Now(), Version: 1},
		&store.Customer{ID: "open", Name: "Open", Version: 1},
		&store.Order{ID: "o1", CustomerID: "c00", CustomerName: "Customer 0", Date: clock.Now().AddDate(-1, 0, 0), Status: store.OrderOpen, Version: 1},
	}
	const closed = store.MaxErasedADay + 5
	for n := range closed {
		entities = append(entities, &store.Customer{ID: fmt.Sprintf("c%02d", n), Name: fmt.Sprintf("Customer %d", n), Closed: clock.Now().AddDate(0, 0, n-100), Version: 1})
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	r, other := runner(t, s, jobs.Record{}, &mailbox{}), runner(t, s, jobs.Record{}, &mailbox{})
	tick := func(r *jobs.Runner, left, erased, skips int) {
		t.Helper()
		if err := r.TickClosed(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := s.As(admin).ClosedCustomers(t.Context())
		if err != nil || got.Count != left || got.Last.Erased != erased || got.Last.Skips != skips {
			t.Fatalf("%s: got %d closed customers, %+v, %v; want %d, with %d erased and %d skipped", clock.Now(), got.Count, got.Last, err, left, erased, skips)
		}
		if skips > 0 && (got.Last.Skipped[0].ID != "c00" || got.Last.Skipped[0].Reason != "This person can't be erased yet: Order o1 is still open.") {
			t.Errorf("got %+v, want the open order", got.Last.Skipped)
		}
	}
	tick(r, closed+1, 0, 0) // the setting is 0: nobody is erased
	settings, err := s.As(admin).CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.EraseClosedDays = 60
	if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
		t.Fatal(err)
	}
	tick(r, closed+1, 0, 0) // before 03:00: nobody is erased
	clock.Advance(16*time.Hour + 30*time.Minute)
	tick(r, closed+1-store.MaxErasedADay, store.MaxErasedADay, 1)
	tick(r, closed+1-store.MaxErasedADay, store.MaxErasedADay, 1)
	tick(other, closed+1-store.MaxErasedADay, store.MaxErasedADay, 1)
	clock.Advance(24 * time.Hour)
	tick(other, 2, closed-1-store.MaxErasedADay, 1) // two customers remain: one closed too recently, and one with an order
	tick(r, 2, closed-1-store.MaxErasedADay, 1)
	for id, want := range map[string]string{"c00": "Customer 0", "c01": "", "open": "Open", "recent": "Recent"} {
		if c, err := s.As(admin).Customer(t.Context(), id); err != nil || c.Name != want {
			t.Errorf("%s: got %+v, %v; want the name %q", id, c, err, want)
		}
	}
}

// brokenCustomer is a database that fails to write a customer.
type brokenCustomer struct {
	store.DB
	partition string
}

func (b brokenCustomer) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, action := range in.TransactItems {
		if action.Put == nil {
			continue
		}
		if pk, ok := action.Put.Item["PK"].(*types.AttributeValueMemberS); ok && pk.Value == b.partition {
			return nil, errors.New("broken")
		}
	}
	return b.DB.TransactWriteItems(ctx, in, options...)
}

// TestTickClosed_ContinuesAfterErrors erases three customers. The database fails to write one
// of them. The others must be erased, and the error must be returned and be in the report.
func TestTickClosed_ContinuesAfterErrors(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	var entities []store.Entity
	for n := range 3 {
		entities = append(entities, &store.Customer{ID: fmt.Sprintf("c%d", n), Name: "Kim", Closed: clock.Now().AddDate(0, 0, n-100), Version: 1})
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	settings, err := s.As(admin).CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.EraseClosedDays = 60
	if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
		t.Fatal(err)
	}
	clock.Advance(16*time.Hour + 30*time.Minute)
	broken := store.New(brokenCustomer{db, "c#c0"}, storetest.TableName, clock.Now)
	broken.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	if err := runner(t, broken, jobs.Record{}, &mailbox{}).TickClosed(t.Context()); err == nil || !strings.Contains(err.Error(), "erase customer c0: ") {
		t.Errorf("got %v, want the error for c0", err)
	}
	got, err := s.As(admin).ClosedCustomers(t.Context())
	if err != nil || got.Count != 1 || got.Last.Erased != 2 || got.Last.Skips != 1 || got.Last.Skipped[0].ID != "c0" {
		t.Errorf("got %+v, %v; want 2 erased and c0 skipped", got, err)
	}
}

// TestEraseClosed_OnlyWhatIsDue tries to erase one customer who is due, and others who may
// not be erased, for example because they were reopened.
func TestEraseClosed_OnlyWhatIsDue(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	old := clock.Now().AddDate(0, 0, -100)
	entities := []store.Entity{
		&store.Customer{ID: "due", Name: "Due", Closed: old, Version: 1},
		&store.Customer{ID: "reopened", Name: "Reopened", Version: 1},
		&store.Customer{ID: "recent", Name: "Recent", Closed: clock.Now().AddDate(0, 0, -60), Version: 1},
		&store.Customer{ID: "e7", Name: "Ida", Email: "ida@example.com", Closed: old, Version: 1},
		&store.Employee{ID: "e7", Name: "Ida", Email: "ida@example.com", Version: 1},
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	boss := s.As(admin)
	erase := func(id string, want store.Kind) {
		t.Helper()
		_, err := boss.EraseClosed(t.Context(), id)
		if c, _ := boss.Customer(t.Context(), id); store.KindOf(err) != want || (c.Name == "") != (err == nil) {
			t.Errorf("%s: got %v and the name %q, want the error kind %v", id, err, c.Name, want)
		}
	}
	erase("due", store.Conflict) // the setting is 0
	settings, err := boss.CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.EraseClosedDays = 60
	if err := boss.ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]store.Kind{"due": 0, "reopened": store.Conflict, "recent": store.Conflict, "e7": store.Conflict} {
		erase(id, want)
	}
}

// TestTickClosed_TriesAllInTurn closes more customers than the server tries to erase in one
// day. None of them can be erased, except the last one, who must be erased on the next day.
func TestTickClosed_TriesAllInTurn(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	var entities []store.Entity
	const blocked = 5*store.MaxErasedADay + 5
	for n := range blocked {
		id := fmt.Sprintf("c%03d", n)
		entities = append(entities,
			&store.Customer{ID: id, Name: "Blocked", Closed: clock.Now().AddDate(0, 0, -200), Version: 1},
			&store.Order{ID: "o" + id, CustomerID: id, Date: clock.Now().AddDate(-1, 0, 0), Status: store.OrderOpen, Version: 1})
	}
	entities = append(entities, &store.Customer{ID: "last", Name: "Last", Closed: clock.Now().AddDate(0, 0, -100), Version: 1})
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	settings, err := s.As(admin).CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.EraseClosedDays = 60
	if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
		t.Fatal(err)
	}
	r := runner(t, s, jobs.Record{}, &mailbox{})
	clock.Advance(16*time.Hour + 30*time.Minute)
	for day, erased := range []int{0, 1, 0} {
		if err := r.TickClosed(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := s.As(admin).ClosedCustomers(t.Context())
		if err != nil || got.Last.Erased != erased || got.Last.Skips != 5*store.MaxErasedADay-erased {
			t.Errorf("day %d: got %d erased and %d skipped, %v; want %d, and the rest of 100 skipped", day, got.Last.Erased, got.Last.Skips, err, erased)
		}
		clock.Advance(24 * time.Hour)
	}
	if c, err := s.As(admin).Customer(t.Context(), "last"); err != nil || c.Name != "" {
		t.Errorf("got %+v, %v; want the last customer erased", c, err)
	}
}

// TestTickClosed_WhenClocksChange runs the daily erasure on the days on which the clocks
// change: one on which its first hour is missing, and one on which this hour comes twice. It
// must run once on each day.
func TestTickClosed_WhenClocksChange(t *testing.T) {
	const customers = 2*store.MaxErasedADay + 5
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	var entities []store.Entity
	for n := range customers {
		entities = append(entities, &store.Customer{ID: fmt.Sprintf("c%02d", n), Name: "Kim", Closed: clock.Now().AddDate(0, 0, -100), Version: 1})
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	setZone(t, s, "Europe/Helsinki")
	settings, err := s.As(admin).CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.EraseClosedDays = 60
	if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
		t.Fatal(err)
	}
	r := runner(t, s, jobs.Record{}, &mailbox{})
	for _, tick := range []struct {
		at     string
		erased int
	}{
		{"2027-03-28T00:50:00Z", 0},                   // 02:50
		{"2027-03-28T01:10:00Z", store.MaxErasedADay}, // 04:10, because 03:00 to 04:00 is missing
		{"2027-03-28T01:20:00Z", store.MaxErasedADay},
		{"2027-10-31T00:10:00Z", 2 * store.MaxErasedADay}, // 03:10
		{"2027-10-31T01:10:00Z", 2 * store.MaxErasedADay}, // 03:10 again
		{"2027-11-01T01:10:00Z", customers},
	} {
		clock.Advance(timeOf(t, tick.at).Sub(clock.Now()))
		if err := r.TickClosed(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, err := s.As(admin).ClosedCustomers(t.Context()); err != nil || got.Count != customers-tick.erased {
			t.Errorf("at %s: got %d closed customers, %v; want %d", tick.at, got.Count, err, customers-tick.erased)
		}
	}
}

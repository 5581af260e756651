package storetest_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// staleDB is a table with outdated data: while stale is true, eventually consistent reads
// of single items return the response in old.
type staleDB struct {
	store.DB
	stale atomic.Bool
	old   atomic.Pointer[dynamodb.GetItemOutput]
}

func (d *staleDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if old := d.old.Load(); d.stale.Load() && !aws.ToBool(in.ConsistentRead) && old != nil {
		return old, nil
	}
	return d.DB.GetItem(ctx, in, options...)
}

// TestSettings_StaleReadRevertsNothing changes settings while the number of shards
// changes. Outdated results of eventually consistent reads must not revert any
// change.
func TestSettings_StaleReadRevertsNothing(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		stale := &staleDB{DB: db}
		resharding, serving := store.New(db, table, clock.Now), store.New(stale, table, clock.Now)
		if err := resharding.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		settings := store.DefaultSettings()
		settings.Shards, settings.ShardsRead = 1, 1
		if err := resharding.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		old, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: store.Item{"PK": &types.AttributeValueMemberS{Value: "settings"}, "SK": &types.AttributeValueMemberS{Value: "settings"}}})
		if err != nil || len(old.Item) == 0 {
			t.Fatal(old, err)
		}
		stale.old.Store(old)
		waits := 0
		_, err = resharding.Reshard(t.Context(), 30, store.Resharding{Wait: func(ctx context.Context, _ time.Duration) error {
			clock.Advance(time.Minute)
			waits++
			shown, err := serving.As(admin).CurrentSettings(ctx)
			if err != nil {
				return err
			}
			stale.stale.Store(true)
			defer stale.stale.Store(false)
			outdated := shown
			outdated.Currency, outdated.Version = "NOK", shown.Version-1
			if err := serving.As(admin).ChangeSettings(ctx, outdated, serving.NewToken()); store.KindOf(err) != store.Conflict {
				t.Errorf("change of an outdated form: got %v, want Conflict", err)
			}
			edited := shown
			edited.Currency = []string{"", "SEK", "DKK"}[waits]
			if err := serving.As(admin).ChangeSettings(ctx, edited, serving.NewToken()); err != nil {
				t.Errorf("change: got error %v, want the settings saved", err)
			}
			if err := serving.As(admin).SetScheduler(ctx, waits == 1); err != nil {
				t.Errorf("scheduler: got error %v, want the scheduler switched", err)
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := resharding.As(admin).CurrentSettings(t.Context())
		if err != nil || got.Shards != 30 || got.ShardsRead != 30 || got.Moving || got.Currency != "DKK" || !got.SchedulerSince.IsZero() {
			t.Errorf("got %+v, %v; want 30 shards, DKK and no scheduler", got, err)
		}
	})
}

// readingDB is a table that calls a function during the next read of a single item: after
// the table has answered, and before the caller gets the answer.
type readingDB struct {
	store.DB
	during atomic.Pointer[func()]
}

func (d *readingDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := d.DB.GetItem(ctx, in, options...)
	if during := d.during.Swap(nil); during != nil {
		(*during)()
	}
	return out, err
}

// TestSaveSettings_UsesNewSettings saves settings while the same server reads the old ones.
// The server must use the new settings at once, and another server after its cache has
// expired.
func TestSaveSettings_UsesNewSettings(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		paused := &readingDB{DB: db}
		server, other := store.New(paused, table, clock.Now), store.New(db, table, clock.Now)
		if err := server.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		save := func(currency string) {
			settings, err := server.As(admin).CurrentSettings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			settings.Currency = currency
			if err := server.SaveSettings(t.Context(), settings, "test"); err != nil {
				t.Fatal(err)
			}
		}
		currency := func(s *store.Store) string {
			settings, err := s.Settings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return settings.Currency
		}
		save("SEK")
		if got := currency(other); got != "SEK" {
			t.Fatalf("got %s on the other server, want SEK", got)
		}
		clock.Advance(time.Minute)
		during := func() { save("NOK") }
		paused.during.Store(&during)
		if _, err := server.As(admin).CurrentSettings(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := currency(server); got != "NOK" {
			t.Errorf("got %s on the server that saved, want NOK", got)
		}
		clock.Advance(time.Minute)
		if got := currency(other); got != "NOK" {
			t.Errorf("got %s on the other server after a minute, want NOK", got)
		}
	})
}

// TestSettings_KeepCurrencyInUse checks that the currency cannot change while a
// subscription is not cancelled, or an invoice is unpaid or partly paid.
func TestSettings_KeepCurrencyInUse(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx, a := t.Context(), s.As(admin)
		save := func(currency string) error {
			clock.Advance(time.Minute)
			settings, err := a.CurrentSettings(ctx)
			if err != nil {
				t.Fatal(err)
			}
			settings.Currency = currency
			changed, saved := a.ChangeSettings(ctx, settings, s.NewToken()), error(nil)
			if changed != nil {
				saved = s.SaveSettings(ctx, settings, store.Program)
			}
			if store.KindOf(changed) != store.KindOf(saved) && changed != nil {
				t.Errorf("got %v by form and %v by program, want the same", changed, saved)
			}
			return changed
		}
		load := func(e store.Entity) {
			if loaded, err := s.Load(ctx, []store.Entity{e}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
				t.Fatal(err, loaded.Rejected)
			}
		}
		for _, status := range []store.InvoiceStatus{store.InvoicePaid, store.InvoiceRefunded, store.InvoiceVoid} {
			load(&store.Invoice{ID: "i-" + string(status), OrderID: "o1", CustomerID: "c1", Date: storetest.Now, Amount: store.MinorUnits(500), Status: status, Version: 1})
		}
		subscription := func(status store.SubscriptionStatus) *store.Subscription {
			return &store.Subscription{
				ID: "s-" + string(status), AccountID: "c1", SKU: "PLAN", Status: status, PaymentDay: 30, PaymentAmount: store.MinorUnits(500),
				NextPaymentDate: day(2026, 11, 30), NextAttemptDate: day(2026, 11, 30), Version: 1,
			}
		}
		load(subscription(store.SubscriptionCancelled))
		if err := save("SEK"); err != nil {
			t.Fatalf("nothing is due: got error %v, want the currency changed", err)
		}
		var want store.CurrencyInUseError
		check := func() {
			t.Helper()
			var rejected *store.Error
			var inUse *store.CurrencyInUseError
			err := save("NOK")
			if !errors.As(err, &rejected) || rejected.Kind != store.Invalid || rejected.Field != "currency" || !errors.As(err, &inUse) {
				t.Fatalf("got error %v, want Invalid at currency", err)
			}
			if !slices.Equal(inUse.Subscriptions, want.Subscriptions) || !slices.Equal(inUse.Invoices, want.Invoices) {
				t.Errorf("got %+v, want %+v", inUse, want)
			}
		}
		for _, status := range []store.SubscriptionStatus{store.SubscriptionActive, store.SubscriptionPastDue, store.SubscriptionPaused} {
			load(subscription(status))
			want.Subscriptions = append(want.Subscriptions, status)
			check()
		}
		for _, status := range []store.InvoiceStatus{store.InvoiceUnpaid, store.InvoicePartial} {
			load(&store.Invoice{ID: "i-" + string(status), OrderID: "o1", CustomerID: "c1", Date: storetest.Now, Amount: store.MinorUnits(500), Status: status, Version: 1})
			want.Invoices = append(want.Invoices, status)
			check()
		}
		if settings, err := a.CurrentSettings(ctx); err != nil || settings.Currency != "SEK" {
			t.Errorf("got currency %q, error %v; want SEK", settings.Currency, err)
		} else if settings.TimeZone = "Europe/Stockholm"; a.ChangeSettings(ctx, settings, s.NewToken()) != nil {
			t.Error("the time zone was not changed, want it changed")
		}
	})
}

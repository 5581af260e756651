package storetest_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// otherUserDB is a table in which another user makes one change after the first batch
// read, and one before the first transaction.
type otherUserDB struct {
	store.DB
	read, write sync.Once
	afterRead   func()
	beforeWrite func()
}

func (m *otherUserDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	out, err := m.DB.BatchGetItem(ctx, in, options...)
	m.read.Do(m.afterRead)
	return out, err
}

func (m *otherUserDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	m.write.Do(m.beforeWrite)
	return m.DB.TransactWriteItems(ctx, in, options...)
}

// TestUpdate_RejectsWhatOthersChanged makes another user change products between the
// read and the write of an update. These changes must not be lost, and the next
// update must succeed.
func TestUpdate_RejectsWhatOthersChanged(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		admin := &store.User{Name: "kim", Role: store.Admin}
		s := store.New(db, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		a := s.As(admin)
		lamp, desk := &store.Product{ID: "1", Name: "Lamp", Price: store.MinorUnits(100)}, &store.Product{ID: "2", Name: "Desk", Price: store.MinorUnits(100)}
		if _, err := s.Load(t.Context(), []store.Entity{lamp, desk}, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		describe := func(id string) func() {
			return func() {
				p, err := a.ProductForChange(t.Context(), id)
				if err == nil {
					p.Description = "Changed by Kim"
					err = a.SaveProduct(t.Context(), *p, "")
				}
				if err != nil {
					t.Error(err)
				}
			}
		}
		changed := store.New(&otherUserDB{DB: db, afterRead: describe("1"), beforeWrite: describe("2")}, table, clock.Now)
		var updates []store.EntityUpdate
		for _, p := range []*store.Product{lamp, desk} {
			cheaper := *p
			cheaper.Price = store.MinorUnits(50)
			updates = append(updates, store.EntityUpdate{Entity: &cheaper, Paths: [][]string{{"Price"}}})
		}
		for round, want := range []store.Outcome{store.OutcomeRejected, store.OutcomeUpdated, store.OutcomeUnchanged} {
			results, err := changed.Update(t.Context(), updates, store.UpdateOptions{Why: "Price list"})
			if err != nil {
				t.Fatal(err)
			}
			for i, result := range results {
				if result.Outcome != want {
					t.Errorf("round %d, product %d: got %+v, want %d", round+1, i+1, result, want)
				}
			}
		}
		for _, id := range []string{"1", "2"} {
			p, err := a.ProductForChange(t.Context(), id)
			if err != nil || p.Price.String() != "0.5" || p.Description != "Changed by Kim" || p.Version != 3 {
				t.Errorf("product %s: got %+v, %v, want both changes and version 3", id, p, err)
			}
		}
	})
}

func TestUpdate_NeedsAdmin(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	if _, err := s.As(&store.User{Name: "kim", Role: store.Viewer}).Update(t.Context(), nil, store.UpdateOptions{}); store.KindOf(err) != store.Forbidden {
		t.Errorf("got %v, want Forbidden", err)
	}
}

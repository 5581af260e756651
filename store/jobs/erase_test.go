package jobs_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// heldErasure is a table that waits before the first transaction that erases a person.
type heldErasure struct {
	store.DB
	held    chan struct{} // closed when the transaction arrives
	release chan struct{}
	once    sync.Once
}

func (h *heldErasure) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, action := range in.TransactItems {
		if action.Put != nil && isItem(action.Put.Item, "c#c1") || action.Update != nil && isItem(action.Update.Key, "c#c1") {
			h.once.Do(func() {
				close(h.held)
				<-h.release
			})
		}
	}
	return h.DB.TransactWriteItems(ctx, in, options...)
}

func isItem(item store.Item, pk string) bool {
	value, _ := item["PK"].(*types.AttributeValueMemberS)
	return value != nil && value.Value == pk
}

// TestStartErasure_OnceOnOneServer starts the erasure of a person while the same server is
// already erasing this person. The second start must be refused.
func TestStartErasure_OnceOnOneServer(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	held := &heldErasure{DB: db, held: make(chan struct{}), release: make(chan struct{})}
	s := openStore(t, db, clock)
	if loaded, err := s.Load(t.Context(), []store.Entity{&store.Customer{ID: "c1", Name: "Kim", Version: 1}}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	s = store.New(held, "OnlineShop", clock.Now)
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	r := runner(t, s, jobs.Record{}, &mailbox{})
	if err := r.StartErasure(t.Context(), s.As(admin), "c1"); err != nil {
		t.Fatal(err)
	}
	<-held.held
	if err := r.StartErasure(t.Context(), s.As(admin), "c1"); !errors.Is(err, store.ErrLeased) {
		t.Errorf("got %v, want ErrLeased", err)
	}
	close(held.release)
	storetest.WaitFor(t, "end of the erasure", func() bool {
		leased, err := s.IsLeased(t.Context(), store.EraseLease("c1"))
		if err != nil {
			t.Fatal(err)
		}
		return !leased
	})
	if c, err := s.As(admin).Customer(t.Context(), "c1"); err != nil || c.Name != "" {
		t.Errorf("got %+v, %v; want the person erased", c, err)
	}
	if err := r.StartErasure(t.Context(), s.As(admin), "c1"); errors.Is(err, store.ErrLeased) {
		t.Error("got ErrLeased after the end, want the lease released")
	}
}

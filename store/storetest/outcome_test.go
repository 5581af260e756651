package storetest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdkretry "github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

// outcome is what happens to a transaction.
type outcome int

const (
	succeeds  outcome = iota
	throttled         // rejected by the table
	lost              // executed, but the response is lost
	internal          // executed, but the response is an internal error
	tooLate           // executed, but the context ends before the response arrives
	diskFull          // not executed, because the disk of the embedded engine is full
	uncertain         // executed, but the embedded engine cannot confirm it
	canceled          // not executed, because the context ends before the embedded engine accepts it
	overdue           // not executed, because the deadline passes before the embedded engine accepts it
)

// scriptedTable is a table whose transactions have the given outcomes, one after the
// other. The last outcome repeats.
type scriptedTable struct {
	store.DB
	outcomes []outcome
	cancel   context.CancelFunc // ends the context, for the outcome tooLate
}

func (f *scriptedTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	next := succeeds
	if len(f.outcomes) > 0 {
		next = f.outcomes[0]
	}
	if len(f.outcomes) > 1 {
		f.outcomes = f.outcomes[1:]
	}
	if next == throttled {
		return nil, &types.ProvisionedThroughputExceededException{Message: aws.String("too many requests")}
	}
	if next == diskFull {
		return nil, fmt.Errorf("write: %w", embedded.ErrDiskFull)
	}
	if next == canceled || next == overdue {
		deadline := time.Now().Add(time.Hour)
		if next == overdue {
			deadline = time.Now()
		}
		ended, cancel := context.WithDeadline(ctx, deadline)
		cancel()
		return f.DB.TransactWriteItems(ended, in, options...)
	}
	out, err := f.DB.TransactWriteItems(ctx, in, options...)
	switch {
	case err != nil:
		return nil, err
	case next == uncertain:
		return nil, fmt.Errorf("write: %w", embedded.ErrCommitUncertain)
	case next == lost:
		return nil, storetest.ErrLost
	case next == internal:
		return nil, &types.InternalServerError{Message: aws.String("internal error")}
	case next == tooLate:
		f.cancel()
		return nil, ctx.Err()
	}
	return out, nil
}

// TestChange_UnknownOutcome checks that an error says "Nothing was changed" only if
// that is certain.
func TestChange_UnknownOutcome(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		outcomes []outcome
		kind     store.Kind
	}{
		{"throttled", []outcome{throttled}, store.Busy},
		{"lost, then throttled", []outcome{lost, throttled}, store.Unconfirmed},
		{"throttled, then lost", []outcome{throttled, lost}, store.Unconfirmed},
		{"internal error", []outcome{internal}, store.Unconfirmed},
		{"internal error, then throttled", []outcome{internal, throttled}, store.Unconfirmed},
		{"time-out", []outcome{tooLate}, store.Unconfirmed},
		{"time-out before the engine", []outcome{overdue}, store.Busy},
		{"canceled before the engine", []outcome{canceled}, store.Internal},
		{"lost, then canceled", []outcome{lost, canceled}, store.Unconfirmed},
		{"disk full", []outcome{diskFull}, store.Unusable},
		{"not confirmed by the disk", []outcome{uncertain}, store.Unconfirmed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // so that pauses between attempts take no time
				clock := storetest.NewClock()
				db := &scriptedTable{DB: storetest.Embedded(t, clock)}
				s := storetest.OpenTable(t, db, storetest.TableName, clock)
				admin := s.As(&store.User{Name: "admin", Role: store.Admin})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				db.outcomes, db.cancel = tt.outcomes, cancel
				_, err := admin.AddProduct(ctx, store.Product{Name: "Lamp"}, s.NewToken())
				if err == nil || store.KindOf(err) != tt.kind {
					t.Fatalf("got %v of kind %d, want kind %d", err, store.KindOf(err), tt.kind)
				}
				if claims := strings.Contains(err.Error(), "Nothing was changed"); claims != (tt.kind == store.Busy) {
					t.Errorf("got %q, want \"Nothing was changed\" only if that is certain", err)
				}
			})
		})
	}
}

// TestChange_UnknownOutcomeOfSDKRetry checks the error if the response to the SDK's
// first attempt is lost and its other attempts are throttled. The error must not
// claim that nothing was changed.
func TestChange_UnknownOutcomeOfSDKRetry(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	engine := wire.Handler(storetest.Embedded(t, clock))
	var armed atomic.Bool
	var attempts atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !armed.Load() || !strings.Contains(r.Header.Get("X-Amz-Target"), "TransactWriteItems"):
			engine.ServeHTTP(w, r)
		case attempts.Add(1) == 1:
			engine.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		default:
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}`))
		}
	}))
	t.Cleanup(server.Close)
	client := dynamodb.New(storetest.Client(server.URL).Options(), func(o *dynamodb.Options) {
		o.Retryer = sdkretry.NewStandard(func(o *sdkretry.StandardOptions) { o.MaxBackoff = time.Millisecond })
	})
	s := storetest.OpenTable(t, client, storetest.TableName, clock)
	admin := s.As(&store.User{Name: "admin", Role: store.Admin})
	if _, err := s.Settings(t.Context()); err != nil {
		t.Fatal(err)
	}
	armed.Store(true)
	id, err := admin.AddProduct(t.Context(), store.Product{Name: "Lamp"}, s.NewToken())
	if store.KindOf(err) != store.Unconfirmed || strings.Contains(err.Error(), "Nothing was changed") {
		t.Errorf("got %v, want Unconfirmed", err)
	}
	if _, err := admin.Product(t.Context(), id); err != nil {
		t.Errorf("got no product (error %v), want it written", err)
	}
}

// TestRead_BusyClaimsNothing checks that the error of a throttled read does not
// mention changes.
func TestRead_BusyClaimsNothing(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	storetest.OpenTable(t, db, storetest.TableName, clock)
	s := store.New(storetest.NewUnreliable(db, 100, 1), storetest.TableName, clock.Now)
	for range 20 {
		_, err := s.As(&store.User{Role: store.Admin}).Product(t.Context(), "p1")
		if err == nil || strings.Contains(err.Error(), "Nothing was changed") {
			t.Fatalf("got %v, want an error that says nothing about a change", err)
		}
	}
}

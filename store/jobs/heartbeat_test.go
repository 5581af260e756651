package jobs_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// savesOfRun is a table that calls a function after storing the progress of a run. The
// function can delay the response of this write, or return another one. A run claims the
// shard with version 1, stores the number of due subscriptions with version 2, and sends
// its first heartbeat with version 3.
type savesOfRun struct {
	store.DB
	after func(ctx context.Context, version, state string) error
}

func (d *savesOfRun) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	put := in.TransactItems[0].Put
	if len(in.TransactItems) > 1 || put == nil || put.Item["Owner"] == nil || put.Item["State"] == nil {
		return d.DB.TransactWriteItems(ctx, in, options...)
	}
	out, err := d.DB.TransactWriteItems(context.WithoutCancel(ctx), in, options...)
	if err == nil {
		err = d.after(ctx, put.Item["Version"].(*types.AttributeValueMemberN).Value, put.Item["State"].(*types.AttributeValueMemberS).Value)
	}
	return out, err
}

// chargeUntil is a processor whose charges last until a channel is closed.
type chargeUntil struct {
	jobs.Record
	end chan struct{}
}

func (p chargeUntil) Charge(context.Context, jobs.Charge) (jobs.Outcome, error) {
	<-p.end
	return jobs.Outcome{}, nil
}

// wantFinished runs the payments of one subscription. It fails the test unless both the
// payment and the run are stored as done.
func wantFinished(t *testing.T, db store.DB, name string, clock *storetest.Clock, p jobs.Processor, timeout time.Duration) {
	t.Helper()
	s := store.New(db, name, clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	setShards(t, s, 1)
	load(t, s, subscription(1))
	statePayments(t, s, p.Service())
	r := jobs.New(jobs.Config{Store: s, Processor: p, Mail: &mailbox{}, Log: slog.New(slog.DiscardHandler), HeartbeatTimeout: timeout})
	report := run(t, r, store.PaymentsJob, due)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
	if err != nil || len(runs) != 1 || report.Held != 0 || report.Done != 1 || runs[0].State != store.JobDone {
		t.Errorf("got report %+v, runs %+v, error %v; want 1 done and no shard held", report, runs, err)
	}
}

// TestRun_EndsDuringHeartbeat ends the work of a run after a heartbeat is stored, but
// before its response arrives. The run must still finish.
func TestRun_EndsDuringHeartbeat(t *testing.T) {
	storetest.OnEachTableInVirtualTime(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		end := make(chan struct{})
		saves := &savesOfRun{DB: db, after: func(ctx context.Context, version, _ string) error {
			if version != "3" {
				return nil
			}
			close(end)
			select {
			case <-ctx.Done(): // the heartbeat must not be cancelled when the work ends
				return ctx.Err()
			case <-time.After(200 * time.Millisecond):
				return nil
			}
		}}
		wantFinished(t, saves, name, clock, chargeUntil{end: end}, 4*time.Second)
	})
}

// TestRun_LosesResponseOfProgress stores the progress of a run, but returns a timeout as
// its response: once for the number of due subscriptions, and once for a heartbeat during
// the payment. The run must still finish.
func TestRun_LosesResponseOfProgress(t *testing.T) {
	for what, lost := range map[string]string{"number": "2", "heartbeat": "3"} {
		t.Run(what, func(t *testing.T) {
			storetest.OnEachTableInVirtualTime(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
				end := make(chan struct{})
				endCharge := sync.OnceFunc(func() { close(end) }) // a write without a response is repeated
				saves := &savesOfRun{DB: db, after: func(_ context.Context, version, _ string) error {
					if version == "3" {
						endCharge()
					}
					if version == lost {
						return context.DeadlineExceeded
					}
					return nil
				}}
				wantFinished(t, saves, name, clock, chargeUntil{end: end}, 4*time.Second)
			})
		})
	}
}

package jobs_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

const bigDay = 300

func partitionOf(in *dynamodb.QueryInput) string {
	pk, ok := in.ExpressionAttributeValues[":pk"].(*types.AttributeValueMemberS)
	if !ok {
		return ""
	}
	return pk.Value
}

// bigDayTable is a table that counts queries for the results of runs.
type bigDayTable struct {
	store.DB
	resultQueries atomic.Int64
}

func (f *bigDayTable) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if strings.HasPrefix(partitionOf(in), "jobResult#") {
		f.resultQueries.Add(1)
	}
	return f.DB.Query(ctx, in, options...)
}

// TestScheduler_BigDayDoesNotBlockTheNext runs a day with many results, and then the next
// day. A run must not read the results of earlier runs to count them. Reading 2.1 million
// results would take longer than the heartbeat timeout.
func TestScheduler_BigDayDoesNotBlockTheNext(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		counting := &bigDayTable{DB: db}
		s := store.New(counting, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		setShards(t, s, 1)
		if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		next := dueOn(bigDay, due.AddDate(0, 0, 1))
		load(t, s, append(many(bigDay), next)...)
		r := runner(t, s, jobs.Record{}, &mailbox{})
		if err := r.Tick(t.Context()); err != nil {
			t.Errorf("first day: got %v, want no error", err)
		}
		clock.Advance(24 * time.Hour)
		if err := r.Tick(t.Context()); err != nil {
			t.Errorf("next day: got %v, want no error", err)
		}
		if got := counting.resultQueries.Load(); got != 0 {
			t.Errorf("got %d queries of results, want none", got)
		}
		wantCounts(t, s, store.PaymentsJob, due, bigDay)
		if counting.resultQueries.Load() == 0 {
			t.Error("got no query for results, want some")
		}
		runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
		if err != nil || len(runs) != 1 || runs[0].State != store.JobDone || runs[0].Done != bigDay {
			t.Errorf("first day: got %+v, %v; want %d done", runs, err, bigDay)
		}
		if got := paid(t, s, next); !got[0] {
			t.Error("next day: got no payment, want one")
		}
	})
}

func setShards(t *testing.T, s *store.Store, shards int) {
	t.Helper()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Shards, settings.ShardsRead = shards, shards
	if err := s.SaveSettings(t.Context(), settings, admin.Name); err != nil {
		t.Fatal(err)
	}
}

// countingTable is a table that calls a function before each count of due subscriptions.
// After each heartbeat, it sends a value to the channel heartbeats.
type countingTable struct {
	store.DB
	counting   func()
	heartbeats chan struct{}
}

func (f *countingTable) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if in.Select == types.SelectCount && strings.HasPrefix(partitionOf(in), "payment#") {
		f.counting()
	}
	return f.DB.Query(ctx, in, options...)
}

func (f *countingTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := f.DB.TransactWriteItems(ctx, in, options...)
	if put := in.TransactItems[0].Put; err == nil && put != nil {
		if pk, ok := put.Item["PK"].(*types.AttributeValueMemberS); ok && strings.HasPrefix(pk.Value, "job#") {
			select {
			case f.heartbeats <- struct{}{}:
			default: // the test does not wait for this heartbeat
			}
		}
	}
	return out, err
}

// TestRun_KeepsShardsWhileCounting starts a second run while the first one counts due
// subscriptions. The count takes longer than the heartbeat timeout. The first run must
// still keep its shard.
func TestRun_KeepsShardsWhileCounting(t *testing.T) {
	t.Parallel()
	const timeout = 5 * time.Second
	clock := storetest.NewClock()
	table := &countingTable{DB: storetest.Embedded(t, clock), heartbeats: make(chan struct{})}
	s := openStore(t, table, clock)
	setShards(t, s, 1)
	load(t, s, many(3)...)
	statePayments(t, s, store.ServiceRecord)
	newRunner := func() *jobs.Runner {
		return jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Mail: &mailbox{}, Log: slog.New(slog.DiscardHandler), HeartbeatTimeout: timeout})
	}
	first, second := newRunner(), newRunner()
	var other jobs.Report
	var counting atomic.Bool
	table.counting = func() {
		if counting.Swap(true) {
			return // the second run makes this call
		}
		clock.Advance(timeout + time.Second)
		select {
		case <-table.heartbeats:
		case <-time.After(5 * time.Minute): // long enough for a slow machine: there are five heartbeats per timeout
			t.Error("got no heartbeat during the count, want some")
		}
		other = run(t, second, store.PaymentsJob, due)
	}
	report := run(t, first, store.PaymentsJob, due)
	if report.Done != 3 || report.Held != 0 {
		t.Errorf("first run: got %+v, want all done", report)
	}
	if other.Held != 1 || other.Done != 0 {
		t.Errorf("second run: got %+v, want 1 shard held by the first run", other)
	}
	for _, r := range []*jobs.Runner{first, second} {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

package jobs_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// recorder is a table that records the transactions it gets.
type recorder struct {
	store.DB
	mu  sync.Mutex
	txs []*dynamodb.TransactWriteItemsInput
}

func (r *recorder) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := r.DB.TransactWriteItems(ctx, in, options...)
	if err == nil {
		r.mu.Lock()
		r.txs = append(r.txs, in)
		r.mu.Unlock()
	}
	return out, err
}

// chains returns the recorded transactions by partition key. Transactions with the same key
// depend on each other, so each slice is in the order of recording.
func (r *recorder) chains() [][]*dynamodb.TransactWriteItemsInput {
	index := map[string]int{}
	var chains [][]*dynamodb.TransactWriteItemsInput
	for _, in := range r.txs {
		pk := ""
		for _, w := range in.TransactItems {
			if w.Put != nil {
				pk = w.Put.Item["PK"].(*types.AttributeValueMemberS).Value
				break
			}
		}
		i, found := index[pk]
		if !found {
			i, index[pk] = len(chains), len(chains)
			chains = append(chains, nil)
		}
		chains[i] = append(chains[i], in)
	}
	return chains
}

// BenchmarkPayments measures how fast a run charges the payments of a day, with a processor
// that answers immediately. For comparison, it also writes the same transactions to an
// identical table with the same parallelism. A run cannot be faster than this.
func BenchmarkPayments(b *testing.B) {
	all := many(3_000)
	var run recorder
	b.Run("job", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			clock := storetest.NewClock()
			run = recorder{DB: storetest.Embedded(b, clock)}
			s := openStore(b, run.DB, clock)
			load(b, s, all...)
			statePayments(b, s, store.ServiceRecord)
			r := runner(b, store.New(&run, s.Table(), s.Now), jobs.Record{}, &mailbox{})
			b.StartTimer()
			report, err := r.Run(b.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: due})
			if err != nil || report.Done != len(all) {
				b.Fatal(report, err)
			}
		}
		b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds(), "payments/s")
	})
	b.Run("writes only", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			clock := storetest.NewClock()
			db := storetest.Embedded(b, clock)
			load(b, openStore(b, db, clock), all...)
			b.StartTimer()
			var writers errgroup.Group
			writers.SetLimit(15 * 16)
			for _, chain := range run.chains() {
				writers.Go(func() error {
					for _, in := range chain {
						if _, err := db.TransactWriteItems(b.Context(), in); err != nil {
							return fmt.Errorf("%d: %w", len(in.TransactItems), err)
						}
					}
					return nil
				})
			}
			if err := writers.Wait(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds(), "payments/s")
	})
}

// heapMeter is a processor that measures the live heap after every measureInterval charges.
// It keeps the maximum.
type heapMeter struct {
	jobs.Record
	mu      sync.Mutex
	charges int
	max     uint64 // in bytes
}

const measureInterval = 500

func (m *heapMeter) Charge(ctx context.Context, c jobs.Charge) (jobs.Outcome, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.charges++; m.charges%measureInterval == 0 {
		m.max = max(m.max, liveHeap())
	}
	return m.Record.Charge(ctx, c)
}

// liveHeap returns the number of bytes in use after a garbage collection.
func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// BenchmarkMemory measures by how much the live heap grows during a run.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{3_000, 30_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				clock := storetest.NewClock()
				s := openStore(b, storetest.Embedded(b, clock), clock)
				for first := 0; first < n; first += 1_000 {
					page := make([]*store.Subscription, 1_000)
					for i := range page {
						page[i] = subscription(first + i)
					}
					load(b, s, page...)
				}
				var meter heapMeter
				r := runner(b, s, &meter, &mailbox{})
				before := liveHeap()
				b.StartTimer()
				if report, err := r.Run(b.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: due}); err != nil || report.Done != n {
					b.Fatal(report, err)
				}
				b.ReportMetric(float64(meter.max-min(before, meter.max))/(1<<20), "MB-more")
			}
		})
	}
}

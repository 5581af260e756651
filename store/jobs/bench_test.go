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

// recorder keeps the transactions that go through it.
type recorder struct {
	store.DB
	mu   sync.Mutex
	made []*dynamodb.TransactWriteItemsInput
}

func (r *recorder) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := r.DB.TransactWriteItems(ctx, in, options...)
	if err == nil {
		r.mu.Lock()
		r.made = append(r.made, in)
		r.mu.Unlock()
	}
	return out, err
}

// chains are the transactions by what they are about, in the order in which
// they were made: those of one thing depend on each other.
func (r *recorder) chains() [][]*dynamodb.TransactWriteItemsInput {
	place := map[string]int{}
	var chains [][]*dynamodb.TransactWriteItemsInput
	for _, in := range r.made {
		about := ""
		for _, w := range in.TransactItems {
			if w.Put != nil {
				about = w.Put.Item["PK"].(*types.AttributeValueMemberS).Value
				break
			}
		}
		i, found := place[about]
		if !found {
			i, place[about] = len(chains), len(chains)
			chains = append(chains, nil)
		}
		chains[i] = append(chains[i], in)
	}
	return chains
}

// BenchmarkPayments takes the payments of a day by a processor that answers at
// once. Then it makes the very transactions of that run on an equal table, as
// many at once and with nothing else to do: what the run could be at best.
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
			r := runner(b, store.New(&run, s.Table(), s.Now), jobs.Record{}, &post{})
			b.StartTimer()
			report, err := r.Run(b.Context(), jobs.Order{Job: store.PaymentsJob, Date: due})
			if err != nil || report.Done != len(all) {
				b.Fatal(report, err)
			}
		}
		b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds(), "payments/s")
	})
	b.Run("its writes", func(b *testing.B) {
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

// scales is a processor that weighs what is alive in memory now and then, and
// keeps the most.
type scales struct {
	jobs.Record
	mu    sync.Mutex
	asked int
	most  uint64
}

// weighEvery is after how many payments memory is weighed.
const weighEvery = 500

func (s *scales) Charge(ctx context.Context, c jobs.Charge) (jobs.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked++; s.asked%weighEvery == 0 {
		s.most = max(s.most, alive())
	}
	return s.Record.Charge(ctx, c)
}

func alive() uint64 {
	runtime.GC()
	var is runtime.MemStats
	runtime.ReadMemStats(&is)
	return is.HeapAlloc
}

// BenchmarkMemory is how much more is alive in memory while so many payments
// are taken than before.
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
				var weighed scales
				r := runner(b, s, &weighed, &post{})
				before := alive()
				b.StartTimer()
				if report, err := r.Run(b.Context(), jobs.Order{Job: store.PaymentsJob, Date: due}); err != nil || report.Done != n {
					b.Fatal(report, err)
				}
				b.ReportMetric(float64(weighed.most-min(before, weighed.most))/(1<<20), "MB-more")
			}
		})
	}
}

package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/embedded"
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
			run = recorder{DB: engine(b)}
			s := openStore(b, run.DB, storetest.NewClock())
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
			db := engine(b)
			load(b, openStore(b, db, storetest.NewClock()), all...)
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

func engine(b *testing.B) store.DB {
	b.Helper()
	db, err := embedded.Open(b.TempDir(), embedded.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return db
}

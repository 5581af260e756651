package loadsim

import (
	"context"
	"sync"
	"time"

	"stockroom/store"
)

const stepListAll = "list all orders"

// listEvery is the pause before all orders are listed again, while the number of shards
// changes.
const listEvery = 10 * time.Second

// Reshard is like Orders, but changes the number of shards from 15 to 48 and back to 15.
// Meanwhile, a user lists all orders again and again. No order may be missing or appear
// twice.
func Reshard(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Name += ", while the number of shards changes from 15 to 48 and back"
	s.meanwhile = func(ctx context.Context, l *load) error {
		ticker := time.NewTicker(listEvery)
		defer ticker.Stop()
		listing, stop := context.WithCancel(ctx)
		var lists sync.WaitGroup
		lists.Go(func() {
			for listing.Err() == nil {
				_ = l.meter.Do(stepListAll, l.checkOrders)
				select {
				case <-ticker.C:
				case <-listing.Done():
				}
			}
		})
		defer lists.Wait()
		defer stop()
		for _, shards := range []int{48, 15} {
			how := store.Resharding{Wait: func(_ context.Context, d time.Duration) error {
				time.Sleep(d)
				return nil
			}}
			if _, err := l.servers[0].store.Reshard(ctx, shards, how); err != nil {
				return err
			}
		}
		return nil
	}
	return s
}

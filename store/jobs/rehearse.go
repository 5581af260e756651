package jobs

import (
	"context"
	"iter"
	"time"

	"stockroom/store"
)

// Planned is what a run would do with one subscription.
type Planned struct {
	store.Subscription
	Step Step
}

// Rehearse lists what a run would do now, account by account, and changes
// nothing.
func (r *Runner) Rehearse(ctx context.Context, by store.Access, job store.JobName, day time.Time) iter.Seq2[Planned, error] {
	return func(yield func(Planned, error) bool) {
		due := store.Each(func(p store.Page) (store.List[store.Subscription], error) {
			return by.Due(ctx, job, []time.Time{day}, p)
		})
		for s, err := range due {
			plan := Planned{s, next(&s, job, day, r.Store.Now())}
			if err == nil && plan.Step == Pass {
				continue
			}
			if !yield(plan, err) || err != nil {
				return
			}
		}
	}
}

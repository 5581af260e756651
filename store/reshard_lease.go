package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// The lease of Reshard: how long an interrupted run keeps others waiting, and how
// often a run renews it.
const (
	reshardLease = "reshard"
	reshardHold  = time.Minute
	reshardRenew = 20 * time.Second
)

// resharder is one run of Reshard. Its lease keeps other runs waiting. If a run is
// suspended until its lease ends, another one can start; the settings then show
// that it has started, and the suspended run stops.
type resharder struct {
	store  *Store
	shards int
	how    Resharding
	owner  string

	mu sync.Mutex // held while the lease is changed
}

// acquire leases the task until release. The context ends if another run has it.
func (r *resharder) acquire(ctx context.Context) (leased context.Context, release func() error, err error) {
	if r.owner, err = r.store.ids.New(); err != nil {
		return nil, nil, err
	}
	if err := r.renew(ctx); err != nil {
		return nil, nil, err
	}
	leased, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { r.renewUntil(leased, stop) })
	return leased, func() error {
		stop(nil)
		renewing.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.store.ReleaseLease(context.WithoutCancel(ctx), reshardLease, r.owner)
	}, nil
}

// renew extends the lease. It returns Conflict if another run has it.
func (r *resharder) renew(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.store.AcquireLease(ctx, reshardLease, r.owner, r.store.now().Add(reshardHold))
	if errors.Is(err, ErrLeased) {
		return fail(Conflict, "Another 'stockroom table shards -apply' is running, or was killed less than a minute ago. Try again in a minute.")
	}
	return err
}

// renewUntil renews the lease until the context ends.
func (r *resharder) renewUntil(ctx context.Context, stop context.CancelCauseFunc) {
	ticker := time.NewTicker(reshardRenew)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := r.renew(ctx); KindOf(err) == Conflict {
				stop(err)
				return
			}
		}
	}
}

// current reads the settings. It returns Conflict if another run has changed the
// number of shards since.
func (r *resharder) current(ctx context.Context, shards int) (Settings, error) {
	settings, err := r.store.currentSettings(ctx)
	if err != nil {
		return settings, errors.Join(err, context.Cause(ctx))
	}
	if !settings.Moving || settings.Shards != shards || settings.ShardsRead < r.shards {
		return settings, fail(Conflict, "Another 'stockroom table shards -apply' has changed the number of shards to %d.", settings.Shards)
	}
	return settings, nil
}

// saveAndWait saves settings and waits until every server uses them.
func (r *resharder) saveAndWait(ctx context.Context, settings Settings) error {
	if err := r.store.SaveSettings(ctx, settings, Program); err != nil {
		return err
	}
	if err := r.how.Wait(ctx, settleTime); err != nil {
		return err
	}
	return r.renew(ctx)
}

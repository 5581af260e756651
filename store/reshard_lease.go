package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// The lease of Reshard: how long it blocks other runs if the process is killed, and how
// often a run renews it.
const (
	reshardLease = "reshard"
	reshardHold  = time.Minute
	reshardRenew = 20 * time.Second
)

// resharder is one run of Reshard. Its lease blocks other runs. If the process is
// suspended until the lease expires, another run can start. When the suspended run
// continues, it notices that the other run has the lease or has changed the settings, and
// stops.
type resharder struct {
	store  *Store
	shards int
	how    Resharding
	owner  string

	changing chan struct{} // a lock: full while the lease is being changed
}

// acquire acquires the lease. It returns a context that ends if another run acquires
// the lease, and a function that releases it.
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
		r.changing <- struct{}{}
		defer func() { <-r.changing }()
		return r.store.ReleaseLease(context.WithoutCancel(ctx), reshardLease, r.owner)
	}, nil
}

// renew extends the lease. It returns Conflict if another run has the lease.
func (r *resharder) renew(ctx context.Context) error {
	select {
	case r.changing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.changing }()
	err := r.store.AcquireLease(ctx, reshardLease, r.owner, r.store.now().Add(reshardHold))
	if errors.Is(err, ErrLeased) {
		return fail(Conflict, "Another 'stockroom table shards -apply' is running, or was killed less than a minute ago. Try again in a minute.")
	}
	return err
}

// renewUntil renews the lease until the context ends. If another run has acquired the
// lease, it calls stop.
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

// current reads the settings. It returns Conflict if another run has changed the number
// of shards.
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

// saveAndWait saves the settings, waits until every server uses them, and renews the lease.
func (r *resharder) saveAndWait(ctx context.Context, settings Settings) error {
	if err := r.store.SaveSettings(ctx, settings, Program); err != nil {
		return err
	}
	if err := r.how.Wait(ctx, settleTime); err != nil {
		return err
	}
	return r.renew(ctx)
}

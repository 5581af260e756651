package store

import (
	"context"
	"time"

	"stockroom/store/key"
)

// demoLease is the name of the lease that exists while the demo business is being loaded.
// Its end is not an expiry time, but the end of the period that the demo data covers.
const demoLease = "demo"

// StartDemo records that a demo business is being loaded, with data up to the time at. It
// returns Conflict if an earlier load is running or was interrupted.
func (s *Store) StartDemo(ctx context.Context, at time.Time) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.Create(&Lease{Name: demoLease, Until: at, Version: 1})
	return c.Commit(ctx)
}

// UnfinishedDemo returns the time passed to StartDemo if a demo business is being loaded,
// or if the load was interrupted. Otherwise found is false.
func (s *Store) UnfinishedDemo(ctx context.Context) (at time.Time, found bool, err error) {
	lease, err := readConsistently[*Lease](ctx, s, getLease, key.Map{"name": demoLease})
	switch {
	case KindOf(err) == NotFound:
		return time.Time{}, false, nil
	case err != nil:
		return time.Time{}, false, err
	}
	return lease.Until, true, nil
}

// FinishDemo records that the demo business is complete. It does nothing if another
// server has already recorded this.
func (s *Store) FinishDemo(ctx context.Context) error {
	lease, err := readConsistently[*Lease](ctx, s, getLease, key.Map{"name": demoLease})
	if KindOf(err) == NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.DeleteVersion(lease, lease.Version)
	return c.Commit(ctx)
}

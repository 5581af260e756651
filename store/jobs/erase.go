package jobs

import (
	"context"
	"errors"

	"stockroom/store"
)

// StartErasure erases the personal data of a person in the background; see
// store.ErasePerson. It returns ErrLeased if a server is already erasing the data. If the
// erasure fails, the history of the person says why. If the server stops before the end, a
// user must start the erasure again.
func (r *Runner) StartErasure(ctx context.Context, access store.Access, id string) error {
	owner, err := r.leaseErasure(ctx, id)
	if err != nil {
		return err
	}
	r.background.Go(func() {
		result, err := r.eraseLeased(store.WithCostJob(r.ctx, store.CostErasure), access, id, owner, false)
		if err != nil {
			r.Log.Error("personal data not erased", "person", id, "records", result.Records(), "error", err)
			return
		}
		r.Log.Info("personal data erased", "person", id, "records", result.Records())
	})
	return nil
}

// leaseErasure acquires the lease of the erasure of a person, and returns its owner. Each
// erasure has its own owner, so that this server cannot erase a person twice at the same
// time.
func (r *Runner) leaseErasure(ctx context.Context, id string) (owner string, err error) {
	owner = r.id + "/" + r.Store.NewToken()
	return owner, r.Store.AcquireLease(ctx, store.EraseLease(id), owner, r.Store.Now().Add(leaseTime))
}

// eraseLeased erases a person with the lease of the given owner, and ends the lease. If
// the erasure fails and daily is false, it records the reason in the history.
func (r *Runner) eraseLeased(ctx context.Context, access store.Access, id, owner string, daily bool) (store.Erasure, error) {
	lease := store.EraseLease(id)
	leased, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renewLease(leased, lease, owner, cancel)
	erase := access.ErasePerson
	if daily {
		erase = access.EraseClosed
	}
	result, err := erase(leased, id)
	cancel()
	saving, stop := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer stop()
	if err != nil && !daily { // record the failure while the lease lasts, because the page shows it when the lease has ended
		err = errors.Join(err, access.RecordErasureFailure(saving, id, err))
	}
	return result, errors.Join(err, r.Store.DeleteLease(saving, lease, owner))
}

package jobs

import (
	"context"

	"stockroom/store"
)

// SendPasswordLink emails a user a link for choosing a new password; see
// store.QueuePasswordLink. It works in the background, so that the response time does not
// reveal whether the user exists. address is the address of the client.
func (r *Runner) SendPasswordLink(name, address string, allowed func(*store.User) bool) {
	r.background.Go(func() {
		ctx, cancel := context.WithTimeout(store.WithAddress(r.ctx, address), r.RequestTimeout)
		defer cancel()
		queued, err := r.Store.QueuePasswordLink(ctx, name, allowed)
		switch {
		case err != nil && r.ctx.Err() == nil:
			r.Log.Error("password link not queued", "error", err)
		case queued:
			r.StartDelivery()
		}
	})
}

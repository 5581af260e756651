package table

import "context"

type limitKey struct{}

// WithLimit returns a context that allows n concurrent read requests. Further
// requests wait.
func WithLimit(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, limitKey{}, make(chan struct{}, n))
}

// enter waits until the limit of the context allows a request. Call leave on the result
// after the request.
func enter(ctx context.Context) (limit, error) {
	slots, ok := ctx.Value(limitKey{}).(chan struct{})
	if !ok {
		return nil, nil
	}
	select {
	case slots <- struct{}{}:
		return slots, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// limit contains one value for each running request. A nil limit allows any number of
// requests.
type limit chan struct{}

// leave ends a request that enter began.
func (l limit) leave() {
	if l != nil {
		<-l
	}
}

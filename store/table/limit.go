package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type limitKey struct{}

// WithLimit returns a context that allows n concurrent read requests. Further
// requests wait.
func WithLimit(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, limitKey{}, make(chan struct{}, n))
}

// limited makes a request when the limit of the context allows it.
func limited[In, Out any](ctx context.Context, in *In, request func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)) (*Out, error) {
	if slots, ok := ctx.Value(limitKey{}).(chan struct{}); ok {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return request(ctx, in)
}

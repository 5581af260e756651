package table

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// Backoff defines how often an operation is tried, and the pauses between tries.
// Pauses double from First to Longest. Half of each pause is random, so that two
// conflicting writers do not retry at the same time again. See
// https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
type Backoff struct {
	Tries          int // 0 means to try until the operation succeeds or the context ends
	First, Longest time.Duration
}

// The shortest and longest pause between tries of a transaction or batch. A
// conflicting transaction is rejected within milliseconds, and its second try usually
// succeeds.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// tableBackoff gives up after about nine seconds. A transaction may write several index
// entries in the same partition. Even if three of four tries fail, only one transaction in
// 3,000 fails all tries.
var tableBackoff = Backoff{Tries: 28, First: firstPause, Longest: longestPause}

// Retry calls f until it succeeds, returns an error that is not retryable, or has
// been called Tries times. It returns the last error. If the context ends first, it
// returns both the last error and the context's error.
func (b Backoff) Retry(ctx context.Context, retryable func(error) bool, f func() error) error {
	pause := b.First
	for try := 1; ; try++ {
		err := f()
		if err == nil || try == b.Tries || !retryable(err) {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
		pause = min(2*pause, b.Longest)
	}
}

// IsTransient reports whether another try may succeed: the table was busy, the connection
// was lost, or the database had an internal error.
func IsTransient(err error) bool {
	var unconfirmed *Error
	if errors.As(err, &unconfirmed) && unconfirmed.Kind == Unconfirmed {
		return IsTransient(unconfirmed.Err)
	}
	return err != nil && (KindOf(err) == Busy || retryables.IsErrorRetryable(err) == aws.TrueTernary)
}

var retryables = retry.IsErrorRetryables(retry.DefaultRetryables)

package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// How often a transaction is tried, and how long the pauses between the tries
// may become. Two changes that meet on one item are refused within
// milliseconds, and the second succeeds at once; what the SDK's client tried
// eight times already is worth little more.
const (
	transactTries   = 8
	firstPause      = 10 * time.Millisecond
	longestPause    = time.Second
	conflictMessage = "Somebody else changed this first. Nothing was changed; look at it again."
	busyMessage     = "The table is busy. Nothing was changed; please try again in a moment."
)

// passing are failures that the next try may not meet: a busy table, a lost
// connection, an engine's hiccup.
var passing = retry.IsErrorRetryables(retry.DefaultRetryables)

// transact writes all items or none. Every try carries one token, so that a
// try whose answer was lost counts.
func (s *Store) transact(ctx context.Context, items []types.TransactWriteItem) error {
	token, err := s.ids.New()
	if err != nil {
		return err
	}
	in := &dynamodb.TransactWriteItemsInput{TransactItems: items, ClientRequestToken: &token}
	pause := firstPause
	for try := 1; ; try++ {
		_, err = s.db.TransactWriteItems(ctx, in)
		failed := s.cancelled(err)
		again := KindOf(failed) == Busy || passing.IsErrorRetryable(err) == aws.TrueTernary
		if !again || try == transactTries {
			return failed
		}
		// Half of each pause is chance, so that those who met once do not meet
		// again.
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return errors.Join(failed, ctx.Err())
		}
		pause = min(2*pause, longestPause)
	}
}

// cancelled gives a cancelled transaction the kind of its reasons: a condition
// that failed is a conflict, items that others write just now make it busy,
// everything else passes.
func (s *Store) cancelled(err error) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return s.failure(err)
	}
	kind := Internal
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed":
			return &Error{Kind: Conflict, Message: conflictMessage, Err: err}
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			kind = Busy
		}
	}
	if kind == Busy {
		return &Error{Kind: Busy, Message: busyMessage, Err: err}
	}
	return err
}

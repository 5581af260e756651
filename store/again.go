package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// rebuilds is how often a change is put together anew. What many changes meet
// on, such as the stock of the product that everybody wants, is written by
// one of them at a time: the last of sixteen needs sixteen.
const rebuilds = 24

// again makes a change, and reads and makes it anew where something moved
// between reading and writing that the form did not show. What the form did
// show, and what a rule refuses, is for a person to decide.
func again(ctx context.Context, change func() error) error {
	pause := firstPause
	for try := 1; ; try++ {
		err := change()
		if KindOf(err) != Conflict || !errors.As(err, new(*types.TransactionCanceledException)) || try == rebuilds {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
		pause = min(2*pause, longestPause/4)
	}
}

package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// Unreliable is a table with an unreliable connection, on which a percentage of the
// requests fail. Half of these are throttled. The others are executed, but their response
// is lost.
//
// Only GetItem, Query, BatchGetItem, UpdateItem and TransactWriteItems can fail.
type Unreliable struct {
	store.DB
	percent int
	failed  atomic.Int64

	mu     sync.Mutex
	chance *rand.Rand
}

// NewUnreliable returns db with an unreliable connection. With the same seed, the
// same requests fail if they arrive in the same order.
func NewUnreliable(db store.DB, percent int, seed uint64) *Unreliable {
	return &Unreliable{DB: db, percent: percent, chance: rand.New(rand.NewPCG(seed, seed))}
}

// Failed returns the number of failed requests.
func (u *Unreliable) Failed() int { return int(u.failed.Load()) }

// ErrLost is the error of a lost response.
var ErrLost = &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset by peer")}

// fate determines whether the next request is throttled or its response lost.
func (u *Unreliable) fate() (throttled, lost bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.chance.IntN(100) >= u.percent {
		return false, false
	}
	u.failed.Add(1)
	throttled = u.chance.IntN(2) == 0
	return throttled, !throttled
}

func through[In, Out any](ctx context.Context, u *Unreliable, in *In, options []func(*dynamodb.Options), ask func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)) (*Out, error) {
	throttled, lost := u.fate()
	if throttled {
		message := "too many requests"
		return nil, &types.ProvisionedThroughputExceededException{Message: &message}
	}
	out, err := ask(ctx, in, options...)
	if lost {
		return nil, ErrLost
	}
	return out, err
}

func (u *Unreliable) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return through(ctx, u, in, options, u.DB.GetItem)
}

func (u *Unreliable) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return through(ctx, u, in, options, u.DB.Query)
}

func (u *Unreliable) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return through(ctx, u, in, options, u.DB.BatchGetItem)
}

func (u *Unreliable) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return through(ctx, u, in, options, u.DB.UpdateItem)
}

func (u *Unreliable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return through(ctx, u, in, options, u.DB.TransactWriteItems)
}

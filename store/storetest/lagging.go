package storetest

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
)

// Lagging is a table whose indexes and eventually consistent reads can be out of date:
// from Hold until CatchUp, they show the state at Hold.
type Lagging struct {
	store.DB
	Behind store.DB // answers the lagging reads

	mu      sync.Mutex
	held    bool
	pending []func(context.Context) error // writes that Behind does not have yet
}

// NewLagging returns a DB that makes each write twice: first in db, and then in behind. At
// the start, both tables must have the same content.
func NewLagging(db, behind store.DB) *Lagging { return &Lagging{DB: db, Behind: behind} }

// Hold makes lagging reads return the state at this moment until CatchUp is called.
func (l *Lagging) Hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = true
}

// CatchUp makes all writes visible to lagging reads.
func (l *Lagging) CatchUp(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.pending) > 0 {
		if err := l.pending[0](ctx); err != nil {
			return err
		}
		l.pending = l.pending[1:]
	}
	l.held = false
	return nil
}

// repeated makes a write and repeats it on Behind, immediately or in CatchUp. It
// makes one write at a time, so that both tables get the writes in the same order.
func repeated[In, Out any](ctx context.Context, l *Lagging, in *In, write, repeat func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)) (*Out, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out, err := write(ctx, in)
	if err != nil {
		return nil, err
	}
	again := func(ctx context.Context) error {
		_, err := repeat(ctx, in)
		return err
	}
	if l.held {
		l.pending = append(l.pending, again)
		return out, nil
	}
	return out, again(ctx)
}

func (l *Lagging) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return repeated(ctx, l, in, l.DB.TransactWriteItems, l.Behind.TransactWriteItems)
}

func (l *Lagging) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return repeated(ctx, l, in, l.DB.BatchWriteItem, l.Behind.BatchWriteItem)
}

func (l *Lagging) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return repeated(ctx, l, in, l.DB.UpdateItem, l.Behind.UpdateItem)
}

func (l *Lagging) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if aws.ToBool(in.ConsistentRead) {
		return l.DB.GetItem(ctx, in, options...)
	}
	return l.Behind.GetItem(ctx, in, options...)
}

func (l *Lagging) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if aws.ToBool(in.ConsistentRead) {
		return l.DB.Query(ctx, in, options...)
	}
	return l.Behind.Query(ctx, in, options...)
}

func (l *Lagging) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	for _, keys := range in.RequestItems {
		if aws.ToBool(keys.ConsistentRead) {
			return l.DB.BatchGetItem(ctx, in, options...)
		}
	}
	return l.Behind.BatchGetItem(ctx, in, options...)
}

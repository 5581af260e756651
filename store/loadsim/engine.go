// Package loadsim simulates the load of a large business on Amazon DynamoDB. It runs the
// real store in virtual time (testing/synctest), on an engine with DynamoDB's limits. Its
// tests fail if a change of keys causes too much load on one partition, or too many
// conflicts of transactions.
package loadsim

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// Limits of DynamoDB. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
// and .../bp-partition-key-design.html.
const (
	partitionWrites = 1_000 // write units per second of a partition
	partitionReads  = 3_000 // read units per second of a partition

	// DefaultQuota is the number of write units per second that a table may use, until AWS
	// raises the account's quota. It is also the number of read units.
	DefaultQuota = 40_000
)

// Assumptions about what AWS does not publish.
const (
	prepareTime = 8 * time.Millisecond  // median time for which a transaction keeps its items locked
	requestTime = 3 * time.Millisecond  // median time of the rest of a request
	indexTime   = 10 * time.Millisecond // median time until a write is in an index that has no queue
	spread      = 0.5                   // standard deviation of the logarithm of these times

	// maxQueue is how far an index may fall behind. If it falls behind further, writes of
	// the table are throttled.
	maxQueue = time.Second

	// staleShare is the share of eventually consistent reads that do not see the latest
	// writes, because they read another replica.
	staleShare = 1.0 / 3

	// hotShare is the share of a partition's limit above which a key gets a partition of
	// its own. In DynamoDB, this takes some minutes. In the simulation, it happens
	// immediately.
	hotShare = 0.3

	// justChanged is the maximum time between reading items for a change and writing the
	// change.
	justChanged = 5 * time.Second

	tries = 8 // maximum number of times that the SDK sends a throttled request; see handlers/cli/backend.go
)

// Limits describes the size and the quota of the simulated table.
type Limits struct {
	Quota      float64 // write units per second of the table and its indexes together; also the number of read units
	Partitions int     // number of partitions of the table and of each index; on AWS, their warm throughput determines it
}

// Engine is a table with the limits of DynamoDB. It wraps another engine, which executes
// the requests, and adds DynamoDB's delays, conflicts and throttling. Use it in a
// synctest bubble.
type Engine struct {
	store.DB
	Meter  *Meter
	limits Limits

	mu         sync.Mutex
	locked     map[string]bool // primary keys of items that a transaction has locked
	partitions map[string]*partition
	failing    map[string]float64 // share of requests that the partition of a key rejects, by index and key; see Fail
	writes     bucket             // write units of the whole table
	reads      bucket
	recent     history
	written    map[string]time.Time // when each item was last written, by its primary key
}

// NewEngine returns an Engine around another engine.
func NewEngine(db store.DB, limits Limits) *Engine {
	return &Engine{DB: db, Meter: newMeter(), limits: limits, locked: map[string]bool{}, partitions: map[string]*partition{}, failing: map[string]float64{}, recent: history{}, written: map[string]time.Time{}}
}

// Fail makes the partition of a key reject a share of its requests. The partition is
// in the given index, or in the table if index is "".
func (e *Engine) Fail(index, pk string, share float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failing[index+"|"+pk] = share
}

func (e *Engine) fails(index, pk string) bool {
	return rand.Float64() < e.failing[index+"|"+pk]
}

// TransactWriteItems locks the items of a transaction, writes them, and charges its write
// units. Like DynamoDB, it cancels the transaction if another transaction has locked an
// item. It executes a request even if the server that has sent it is killed meanwhile.
func (e *Engine) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	writes, err := e.prepare(ctx, in.TransactItems)
	if err != nil {
		return nil, err
	}
	pause(requestTime)
	if code, at := e.admit(writes, true); code != "" {
		return nil, cancelled(code, at, len(writes))
	}
	pause(prepareTime)
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.unlock(writes)
	// Read the items again. They may have changed before they were locked, but cannot
	// change now.
	if writes, err = e.prepare(ctx, in.TransactItems); err != nil {
		return nil, err
	}
	out, err := e.DB.TransactWriteItems(ctx, in)
	if err == nil {
		err = e.recordWrites(ctx, writes, 2)
		return out, err
	}
	var refused *types.TransactionCanceledException
	if errors.As(err, &refused) {
		conflict := false
		for i, reason := range refused.CancellationReasons {
			conflict = conflict || aws.ToString(reason.Code) == "ConditionalCheckFailed" && e.hasJustChanged(&writes[i])
		}
		e.Meter.failedCondition(writes, conflict)
	}
	return nil, err
}

// hasJustChanged reports whether an item was written less than justChanged ago. If a
// condition on such an item fails, the probable cause is another transaction at the same
// time.
func (e *Engine) hasJustChanged(w *write) bool {
	return e.written[w.id].After(time.Now().Add(-justChanged))
}

// admit charges the write units of a request, and locks the items of a transaction. If
// DynamoDB would reject the request, admit returns the error code and the position of the
// item.
func (e *Engine) admit(writes []write, transaction bool) (code string, at int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	for i := range writes {
		if e.locked[writes[i].id] {
			e.Meter.conflict(writes, i)
			return "TransactionConflict", i
		}
	}
	factor := 1.0
	if transaction {
		factor = 2
	}
	var sum float64
	for i := range writes {
		w := &writes[i]
		units := factor * w.units()
		sum += units + float64(len(w.entries()))
		if p := e.partition("", w.pk); p.writes.rejects(now) || e.fails("", w.pk) {
			e.Meter.throttle("", w.pk)
			return "ThrottlingError", i
		}
		for _, entry := range w.entries() {
			if e.partition(entry.index, entry.pk).writes.queue(now) > maxQueue || e.fails(entry.index, entry.pk) {
				e.Meter.throttle(entry.index, entry.pk)
				return "ThrottlingError", i
			}
		}
	}
	if e.writes.rejects(now) {
		e.Meter.throttle("quota", "of the table")
		return "ThrottlingError", 0
	}
	e.writes.take(now, sum, e.limits.Quota)
	for i := range writes {
		e.charge(now, writes[i].pk, factor*writes[i].units())
		e.locked[writes[i].id] = transaction
	}
	return "", 0
}

func (e *Engine) unlock(writes []write) {
	for i := range writes {
		delete(e.locked, writes[i].id)
	}
}

// charge charges write units to the partition of a key in the table.
func (e *Engine) charge(now time.Time, pk string, units float64) {
	e.Meter.charge(now, "", pk, units)
	e.partition("", pk).writes.take(now, units, partitionWrites)
}

// recordWrites charges the index entries that a committed request has changed. It keeps the
// items before the request, for stale reads. The caller must hold e.mu.
func (e *Engine) recordWrites(ctx context.Context, writes []write, factor float64) error {
	now := time.Now()
	var sum float64
	for i := range writes {
		w := &writes[i]
		sum += factor * w.units()
		if w.check {
			continue
		}
		e.written[w.id] = now
		if err := w.readAfter(ctx, e.DB); err != nil {
			return err
		}
		visible := map[string]time.Time{"": now.Add(random(indexTime))}
		for _, entry := range w.changedEntries() {
			e.Meter.charge(now, entry.index, entry.pk, entry.units)
			sum += entry.units
			p := e.partition(entry.index, entry.pk)
			p.writes.queueUp(now, entry.units, partitionWrites)
			lag := p.writes.queue(now) + random(indexTime)
			e.Meter.lag(lag)
			visible[entry.index] = now.Add(lag)
		}
		e.recent.add(w, visible, now)
	}
	e.Meter.committed(sum)
	return nil
}

// UpdateItem writes one item.
func (e *Engine) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (out *dynamodb.UpdateItemOutput, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	action := types.TransactWriteItem{Update: &types.Update{TableName: in.TableName, Key: in.Key}}
	err = e.writeOne(ctx, action, func() error {
		out, err = e.DB.UpdateItem(ctx, in)
		return err
	})
	return out, err
}

func (e *Engine) writeOne(ctx context.Context, action types.TransactWriteItem, apply func() error) error {
	return e.retry(func() error {
		writes, err := e.prepare(ctx, []types.TransactWriteItem{action})
		if err != nil {
			return err
		}
		pause(requestTime)
		switch code, _ := e.admit(writes, false); code {
		case "TransactionConflict":
			return &types.TransactionConflictException{Message: aws.String("Transaction is ongoing for the item")}
		case "ThrottlingError":
			return throttled()
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		defer e.unlock(writes)
		if err := apply(); err != nil {
			e.Meter.failedCondition(writes, e.hasJustChanged(&writes[0]))
			return err
		}
		return e.recordWrites(ctx, writes, 1)
	})
}

// retry calls the function request until it returns no throttling error, but at most as
// often as the SDK would.
func (e *Engine) retry(request func() error) error {
	for try := 1; ; try++ {
		err := request()
		if !errors.As(err, new(*types.ProvisionedThroughputExceededException)) || try == tries {
			return err
		}
		time.Sleep(rand.N(min(2*time.Second, 50*time.Millisecond<<try)))
	}
}

func throttled() error {
	return &types.ProvisionedThroughputExceededException{Message: aws.String("The level of configured provisioned throughput for the table was exceeded")}
}

func cancelled(code string, at, actions int) error {
	reasons := make([]types.CancellationReason, actions)
	for i := range reasons {
		reasons[i].Code = aws.String("None")
	}
	reasons[at].Code = &code
	return &types.TransactionCanceledException{Message: aws.String("Transaction cancelled"), CancellationReasons: reasons}
}

// random returns a random duration with a lognormal distribution.
func random(median time.Duration) time.Duration {
	return time.Duration(float64(median) * math.Exp(spread*rand.NormFloat64()))
}

func pause(median time.Duration) { time.Sleep(random(median)) }

package embedded

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

const (
	// expiryBatch is how many expired items one transaction removes.
	expiryBatch = 100
	// sweptAtOnce bounds what one round of the background sweep removes.
	sweptAtOnce = 10_000
	// staleAfter is the age beyond which DynamoDB takes a time of expiry for
	// a mistake and leaves the item alone.
	staleAfter = 5 * 365 * 24 * time.Hour
)

// UpdateTimeToLive is DynamoDB's UpdateTimeToLive. What a table holds already
// is put in the order of expiry in the background.
func (db *DB) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	asked := in.TimeToLiveSpecification
	c.present(asked != nil, "timeToLiveSpecification")
	if asked != nil {
		c.present(asked.AttributeName != nil, "timeToLiveSpecification.attributeName")
		c.present(asked.Enabled != nil, "timeToLiveSpecification.enabled")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	err := db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		t, err := tx.catalog.named(*in.TableName)
		if err != nil {
			return nil, err
		}
		return nil, tx.setTimeToLive(t, *asked.AttributeName, *asked.Enabled)
	})
	if err != nil {
		return nil, err
	}
	db.fillSoon()
	return &dynamodb.UpdateTimeToLiveOutput{TimeToLiveSpecification: asked}, nil
}

func (tx *writeTx) setTimeToLive(t *table, attribute string, enabled bool) error {
	d := t.definition
	switch {
	case attribute == "":
		return invalidf("1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1")
	case enabled && d.TTL.Attribute == attribute:
		return invalidf("TimeToLive is already enabled")
	case enabled && d.TTL.Attribute != "":
		return invalidf("TimeToLive is active on a different AttributeName: current AttributeName is %s", d.TTL.Attribute)
	case !enabled && d.TTL.Attribute == "":
		return invalidf("TimeToLive is already disabled")
	case !enabled && d.TTL.Attribute != attribute:
		return invalidf("TimeToLive is active on a different AttributeName: current AttributeName is %s", d.TTL.Attribute)
	case enabled:
		d.TTL = ttlDefinition{Attribute: attribute, Filling: true}
	default:
		d.TTL = ttlDefinition{}
		if err := tx.emptyKeyspace(t.expiry); err != nil {
			return err
		}
	}
	_, err := tx.define(d, t.names)
	return err
}

// DescribeTimeToLive is DynamoDB's DescribeTimeToLive.
func (db *DB) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	if err := c.err(); err != nil {
		return nil, err
	}
	description := &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled}
	err := db.view(ctx, func(r *readTx) error {
		t, err := r.catalog.named(*in.TableName)
		if err != nil || t.TTL.Attribute == "" {
			return err
		}
		description.AttributeName = aws.String(t.TTL.Attribute)
		description.TimeToLiveStatus = types.TimeToLiveStatusEnabled
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &dynamodb.DescribeTimeToLiveOutput{TimeToLiveDescription: description}, nil
}

// wholeSeconds reads a time of expiry from a canonical number. Times before
// 1970 and beyond any calendar are none.
func wholeSeconds(text string) (int64, bool) {
	whole, _, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	return seconds, err == nil && seconds >= 0
}

// SweepExpired removes up to limit items whose time of expiry has passed, in
// small transactions, and returns how many it removed. Until then they are
// read as any other, as in DynamoDB. The store does it by itself, too.
func (db *DB) SweepExpired(ctx context.Context, limit int) (int, error) {
	removed := 0
	for removed < limit {
		count := 0
		err := db.write(ctx, 0, func(tx *writeTx) ([]mutation, error) {
			var mutations []mutation
			var err error
			mutations, count, err = tx.sweep(min(limit-removed, expiryBatch))
			return mutations, err
		})
		if err != nil {
			return removed, err
		}
		if removed += count; count == 0 {
			break
		}
	}
	return removed, nil
}

// sweep stages the removal of some expired items of any table.
func (tx *writeTx) sweep(limit int) (mutations []mutation, count int, err error) {
	for _, t := range tx.catalog.tables {
		if t.TTL.Attribute == "" {
			continue
		}
		entries, err := tx.expired(t, limit-count)
		if err != nil {
			return nil, 0, err
		}
		for _, entry := range entries {
			key := entry[8:]
			old, err := tx.load(t, key, t.maintaining)
			if err != nil {
				return nil, 0, err
			}
			if old.body == nil { // only the entry is left, which Check reports
				mutations = append(mutations, mutation{space: t.expiry, key: entry})
			}
			if mutations, _, err = tx.change(mutations, t, key, old, stored{}); err != nil {
				return nil, 0, err
			}
			count++
		}
	}
	return mutations, count, nil
}

// expired returns the entries of items that have expired, oldest first.
func (tx *writeTx) expired(t *table, limit int) ([][]byte, error) {
	bucket, err := t.expiry.bucket(tx.bolt)
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	oldest := max(0, tx.now.Add(-staleAfter).Unix())
	cursor := bucket.Cursor()
	key, value := cursor.Seek(expiryKey(oldest, nil))
	for ; !atEnd(key) && len(entries) < limit; key, value = cursor.Next() {
		if _, err := t.expiry.unseal(key, value); err != nil {
			return nil, err
		}
		if len(key) <= 8 {
			return nil, t.expiry.damaged(key, codec.ErrMalformed.Error())
		}
		if int64(binary.BigEndian.Uint64(key)) >= tx.now.Unix() {
			break
		}
		entries = append(entries, slices.Clone(key))
	}
	return entries, nil
}

// sweepUntilClosed is the sweeping goroutine.
func (db *DB) sweepUntilClosed(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			// An error is met by the next write of anyone, and told there.
			_, _ = db.SweepExpired(context.Background(), sweptAtOnce)
		case <-db.closing:
			return
		}
	}
}

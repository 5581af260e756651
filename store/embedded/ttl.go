package embedded

import (
	"context"
	"encoding/binary"
	"errors"
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
	// maxExpiredPerTx is the maximum number of expired items that one transaction
	// deletes.
	maxExpiredPerTx = 100
	// maxSweep is the maximum number of items that one background sweep deletes.
	maxSweep = 10_000
	// maxExpiryAge is the maximum age of an expiry time. As in DynamoDB, items with an
	// older expiry time are not deleted. See
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html.
	maxExpiryAge = 5 * 365 * 24 * time.Hour
)

// UpdateTimeToLive sets or removes the TTL attribute. Existing items are added to the
// expiry keyspace in the background.
func (db *DB) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	spec := in.TimeToLiveSpecification
	c.notNull(spec != nil, "timeToLiveSpecification")
	if spec != nil {
		c.notNull(spec.AttributeName != nil, "timeToLiveSpecification.attributeName")
		c.notNull(spec.Enabled != nil, "timeToLiveSpecification.enabled")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	err := db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		t, err := tx.catalog.tableByName(*in.TableName)
		if err != nil {
			return nil, err
		}
		return nil, tx.setTimeToLive(t, *spec.AttributeName, *spec.Enabled)
	})
	if err != nil {
		return nil, err
	}
	db.wakeBackfill()
	return &dynamodb.UpdateTimeToLiveOutput{TimeToLiveSpecification: spec}, nil
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
		d.TTL = ttlDefinition{Attribute: attribute, Backfilling: true}
	default:
		d.TTL = ttlDefinition{}
		if err := tx.clearKeyspace(t.expiry); err != nil {
			return err
		}
	}
	_, err := tx.saveDefinition(d, t.names)
	return err
}

func (db *DB) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	if err := c.err(); err != nil {
		return nil, err
	}
	description := &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled}
	err := db.view(ctx, func(r *readTx) error {
		t, err := r.catalog.tableByName(*in.TableName)
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

// parseEpochSeconds parses an expiry time from a number in canonical form. It
// returns false if the time is before 1970 or does not fit into an int64.
func parseEpochSeconds(text string) (int64, bool) {
	whole, _, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	return seconds, err == nil && seconds >= 0
}

// SweepExpired deletes expired items, at most as many as the argument limit. In each table,
// it begins with those that expired first. It returns how many it deleted. As in DynamoDB,
// reads return expired items until they are deleted. The store also calls SweepExpired in
// the background.
func (db *DB) SweepExpired(ctx context.Context, limit int) (int, error) {
	removed := 0
	for removed < limit {
		count := 0
		err := db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
			var mutations []mutation
			var err error
			mutations, count, err = tx.sweep(min(limit-removed, maxExpiredPerTx))
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

// sweep stages the deletion of up to limit expired items.
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
			old, err := tx.load(t, key, t.derivedFrom)
			if err != nil {
				return nil, 0, err
			}
			if old.body == nil { // the item is missing; Check reports such an entry, so only remove it
				mutations = append(mutations, mutation{space: t.expiry, key: entry})
			}
			if mutations, _, err = tx.change(mutations, t, key, old, storedItem{}); err != nil {
				return nil, 0, err
			}
			if mutations, err = tx.record(mutations, t, old, storedItem{}, true); err != nil {
				return nil, 0, err
			}
			count++
		}
	}
	return mutations, count, nil
}

// expired returns expiry entries of expired items, oldest first.
func (tx *writeTx) expired(t *table, limit int) ([][]byte, error) {
	cursor, err := t.expiry.cursor(tx.bolt)
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	oldest := max(0, tx.now.Add(-maxExpiryAge).Unix())
	key, value, err := cursor.seek(expiryKey(oldest, nil))
	for ; err == nil && !atEnd(key) && len(entries) < limit; key, value, err = cursor.next() {
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
	return entries, err
}

// sweepLoop regularly removes expired items and old stream records until the DB is
// closed.
func (db *DB) sweepLoop(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if _, err := db.SweepExpired(context.Background(), maxSweep); err != nil && !errors.Is(err, ErrClosed) {
				db.log.Error("expired items were not deleted", "error", err)
			}
			if _, err := db.TrimStreams(context.Background(), maxSweep); err != nil && !errors.Is(err, ErrClosed) {
				db.log.Error("old records of streams were not removed", "error", err)
			}
		case <-db.closing:
			return
		}
	}
}

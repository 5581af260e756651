package embedded

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded/stream"
)

// streamDefinition is a stream of a table. A table has at most one enabled stream. A
// disabled stream can be read until its records are trimmed.
type streamDefinition struct {
	ID       uint32
	View     types.StreamViewType
	Created  time.Time
	Disabled *time.Time `json:",omitempty"`
}

// tableStream is a stream definition, together with values derived from it.
type tableStream struct {
	streamDefinition
	arn     string
	records *keyspace // keyspace of the records, by number
}

const maxStreams = 100 // maximum number of streams in a response of ListStreams

func newStreams(d *definition) (streams []*tableStream, enabled *tableStream) {
	id := binary.BigEndian.AppendUint32(nil, d.ID)
	for _, def := range d.Streams {
		name := "stream/" + string(binary.BigEndian.AppendUint32(id, def.ID))
		s := &tableStream{streamDefinition: def, records: newKeyspace(name, "a stream of table "+d.Name)}
		s.records.appended = true
		s.arn = arnPrefix + d.Name + "/stream/" + s.label()
		streams = append(streams, s)
		if def.Disabled == nil {
			enabled = s
		}
	}
	return streams, enabled
}

func (s *streamDefinition) label() string { return s.Created.UTC().Format("2006-01-02T15:04:05.000") }

// shardID returns the ID of the only shard of the stream.
func (s *tableStream) shardID() string {
	return fmt.Sprintf("shardId-%020d-%08x", s.Created.UnixMilli(), s.ID)
}

func (s *tableStream) status() stream.Status {
	if s.Disabled != nil {
		return stream.Disabled
	}
	return stream.Enabled
}

func (c *constraints) streamSpecification(spec *types.StreamSpecification) {
	if spec == nil {
		return
	}
	c.notNull(spec.StreamEnabled != nil, "streamSpecification.streamEnabled")
	enum(c, spec.StreamViewType, "streamSpecification.streamViewType", streamViewTypes)
}

// setStream enables or disables the stream of the table. The argument now is the
// current time.
func (d *definition) setStream(spec *types.StreamSpecification, now time.Time) error {
	enabled := slices.ContainsFunc(d.Streams, func(s streamDefinition) bool { return s.Disabled == nil })
	d.Streams = slices.Clone(d.Streams)
	switch {
	case !*spec.StreamEnabled && spec.StreamViewType != "":
		return invalidParameter("StreamViewType can only be specified when StreamEnabled is true")
	case !*spec.StreamEnabled && !enabled:
		return invalidf("Table has no enabled stream: TableName: %s", d.Name)
	case !*spec.StreamEnabled:
		d.Streams[len(d.Streams)-1].Disabled = &now
		return nil
	case spec.StreamViewType == "":
		return invalidParameter("StreamViewType must be specified when StreamEnabled is true")
	case enabled:
		return invalidf("Table already has an enabled stream: TableName: %s", d.Name)
	}
	created := now.UTC().Truncate(time.Millisecond)
	if n := len(d.Streams); n > 0 && !created.After(d.Streams[n-1].Created) { // the label must be new
		created = d.Streams[n-1].Created.Add(time.Millisecond)
	}
	d.Streams = append(d.Streams, streamDefinition{ID: d.NextStream, View: spec.StreamViewType, Created: created})
	d.NextStream++
	return nil
}

func (tx *writeTx) syncStreams(before []*tableStream, after *table) error {
	for _, s := range after.streams[len(before):] {
		if err := s.records.create(tx.bolt); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) describeStream(d *types.TableDescription) {
	if len(t.streams) == 0 {
		return
	}
	latest := t.streams[len(t.streams)-1]
	d.LatestStreamArn, d.LatestStreamLabel = &latest.arn, aws.String(latest.label())
	if t.enabled != nil {
		d.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: latest.View}
	}
}

func (c *catalog) streamByARN(arn string) (*table, *tableStream, error) {
	rest, own := strings.CutPrefix(arn, arnPrefix)
	name, _, isStream := strings.Cut(rest, "/stream/")
	if !strings.HasPrefix(arn, "arn:") || own && !isStream {
		return nil, nil, invalidf("Invalid StreamArn")
	}
	if t, ok := c.tables[name]; ok && own {
		for _, s := range t.streams {
			if s.arn == arn {
				return t, s, nil
			}
		}
	}
	return nil, nil, &types.ResourceNotFoundException{Message: aws.String("Requested resource not found: Stream: " + arn + " not found")}
}

func (c *constraints) length(text *string, member string, least, most int) {
	if text == nil {
		return
	}
	c.check(len(*text) >= least, *text, member, fmt.Sprintf("Member must have length greater than or equal to %d", least))
	c.check(len(*text) <= most, *text, member, fmt.Sprintf("Member must have length less than or equal to %d", most))
}

func (c *constraints) streamARN(arn *string, member string) { c.length(arn, member, 37, 1024) }

func (c *constraints) shardID(id *string, member string) { c.length(id, member, 28, 65) }

func (c *constraints) most(limit *int32, most int32) {
	c.limit(limit)
	if limit != nil {
		c.check(*limit <= most, *limit, "limit", fmt.Sprintf("Member must have value less than or equal to %d", most))
	}
}

// ListStreams returns a page of the streams of a table, or of all tables, sorted by
// table and age.
func (db *DB) ListStreams(ctx context.Context, in *stream.ListStreamsInput) (*stream.ListStreamsOutput, error) {
	var c constraints
	if in.TableName != nil {
		c.tableName(in.TableName)
	}
	c.streamARN(in.ExclusiveStartStreamArn, "exclusiveStartStreamArn")
	c.most(in.Limit, maxStreams)
	if err := c.err(); err != nil {
		return nil, err
	}
	out := &stream.ListStreamsOutput{Streams: []stream.Stream{}}
	limit := maxStreams
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	return out, db.view(ctx, func(r *readTx) error {
		var all []stream.Stream
		for _, t := range r.catalog.tables {
			for _, s := range t.streams {
				if in.TableName == nil || *in.TableName == t.Name {
					all = append(all, stream.Stream{StreamArn: s.arn, StreamLabel: s.label(), TableName: t.Name})
				}
			}
		}
		if in.TableName != nil {
			if _, err := r.catalog.tableByName(*in.TableName); err != nil {
				return err
			}
		}
		slices.SortFunc(all, func(a, b stream.Stream) int {
			return cmp.Or(strings.Compare(a.TableName, b.TableName), strings.Compare(a.StreamLabel, b.StreamLabel))
		})
		if in.ExclusiveStartStreamArn != nil {
			if _, _, err := r.catalog.streamByARN(*in.ExclusiveStartStreamArn); err != nil {
				return err
			}
			at := slices.IndexFunc(all, func(s stream.Stream) bool { return s.StreamArn == *in.ExclusiveStartStreamArn })
			all = all[at+1:]
		}
		if len(all) > limit {
			all = all[:limit]
			out.LastEvaluatedStreamArn = &all[limit-1].StreamArn
		}
		out.Streams = append(out.Streams, all...)
		return nil
	})
}

// DescribeStream returns a description of a stream, which has one shard.
func (db *DB) DescribeStream(ctx context.Context, in *stream.DescribeStreamInput) (*stream.DescribeStreamOutput, error) {
	var c constraints
	c.notNull(in.StreamArn != nil, "streamArn")
	c.streamARN(in.StreamArn, "streamArn")
	c.shardID(in.ExclusiveStartShardId, "exclusiveStartShardId")
	c.most(in.Limit, 100)
	if err := c.err(); err != nil {
		return nil, err
	}
	out := &stream.DescribeStreamOutput{}
	return out, db.view(ctx, func(r *readTx) error {
		t, s, err := r.catalog.streamByARN(*in.StreamArn)
		if err != nil {
			return err
		}
		out.StreamDescription = &stream.Description{
			StreamArn: s.arn, StreamLabel: s.label(), StreamStatus: s.status(), StreamViewType: s.View, CreationRequestDateTime: &s.Created,
			TableName: t.Name, KeySchema: t.Key.describe(), Shards: []stream.Shard{},
		}
		// A stream has only one shard, so no shard can follow another.
		if in.ExclusiveStartShardId != nil || in.ShardFilter != nil {
			return nil
		}
		shard, err := s.describeShard(r.bolt)
		out.StreamDescription.Shards = append(out.StreamDescription.Shards, shard)
		return err
	})
}

func (s *tableStream) describeShard(tx *bbolt.Tx) (stream.Shard, error) {
	first, next, err := s.bounds(tx)
	if err != nil {
		return stream.Shard{}, err
	}
	numbers := &stream.SequenceNumberRange{StartingSequenceNumber: sequenceNumber(first)}
	if s.Disabled != nil {
		numbers.EndingSequenceNumber = sequenceNumber(max(next-1, first))
	}
	return stream.Shard{ShardId: s.shardID(), SequenceNumberRange: numbers}, nil
}

// bounds returns the number of the oldest record that is not trimmed, and the number
// of the next record that will be added. They are equal if there are no records.
func (s *tableStream) bounds(tx *bbolt.Tx) (first, next uint64, err error) {
	cursor, err := s.records.cursor(tx)
	if err != nil {
		return 0, 0, err
	}
	key, value, err := cursor.first()
	if err != nil {
		return 0, 0, err
	}
	if atEnd(key) {
		return 1, 1, s.records.verifyEnd(key, value)
	}
	first, body, err := s.unsealRecord(key, value)
	if err != nil {
		return 0, 0, err
	}
	if len(body) == 0 {
		first++
	}
	next, err = s.nextNumber(cursor)
	return first, next, err
}

func (s *tableStream) nextNumber(cursor *cursor) (uint64, error) {
	if _, _, err := cursor.seek(filler); err != nil {
		return 0, err
	}
	key, value, err := cursor.prev()
	if err != nil || key == nil {
		return 1, err
	}
	last, _, err := s.unsealRecord(key, value)
	return last + 1, err
}

func (s *tableStream) unsealRecord(key, value []byte) (number uint64, body []byte, err error) {
	if body, err = s.records.unseal(key, value); err != nil {
		return 0, nil, err
	}
	if len(key) != 8 {
		return 0, nil, s.records.damaged(key, "it has the wrong length")
	}
	return binary.BigEndian.Uint64(key), body, nil
}

package embedded

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded/stream"
)

const (
	// Limits of a GetRecords response. See
	// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html.
	maxRecords     = 1000
	maxRecordBytes = 1 << 20

	// iteratorLife is how long a shard iterator can be used.
	iteratorLife = 15 * time.Minute
)

// iterator is a position in a stream: the number of the next record. 0 means the
// oldest record at the time of reading.
type iterator struct {
	arn    string
	number uint64
	issued time.Time
}

const iteratorSeparator = "|1|"

func (i iterator) String() string {
	position := binary.BigEndian.AppendUint64(nil, i.number)
	position = binary.BigEndian.AppendUint64(position, uint64(i.issued.UnixMilli()))
	return i.arn + iteratorSeparator + base64.RawURLEncoding.EncodeToString(position)
}

func parseIterator(text string) (iterator, error) {
	arn, encoded, _ := strings.Cut(text, iteratorSeparator)
	position, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(position) != 16 {
		return iterator{}, invalidf("Invalid ShardIterator")
	}
	return iterator{arn, binary.BigEndian.Uint64(position), time.UnixMilli(int64(binary.BigEndian.Uint64(position[8:])))}, nil
}

// GetShardIterator returns a position in the shard of a stream, for GetRecords.
func (db *DB) GetShardIterator(ctx context.Context, in *stream.GetShardIteratorInput) (*stream.GetShardIteratorOutput, error) {
	var c constraints
	c.notNull(in.StreamArn != nil, "streamArn")
	c.streamARN(in.StreamArn, "streamArn")
	c.notNull(in.ShardId != nil, "shardId")
	c.shardID(in.ShardId, "shardId")
	c.notNull(in.ShardIteratorType != "", "shardIteratorType")
	enum(&c, in.ShardIteratorType, "shardIteratorType", shardIteratorTypes)
	c.length(in.SequenceNumber, "sequenceNumber", 21, 40)
	if err := c.err(); err != nil {
		return nil, err
	}
	takesNumber := in.ShardIteratorType == stream.AtSequenceNumber || in.ShardIteratorType == stream.AfterSequenceNumber
	if takesNumber != (in.SequenceNumber != nil) {
		if takesNumber {
			return nil, invalidf("SequenceNumber must be specified for ShardIteratorType %s", in.ShardIteratorType)
		}
		return nil, invalidf("SequenceNumber can not be specified for ShardIteratorType %s", in.ShardIteratorType)
	}
	out := &stream.GetShardIteratorOutput{}
	return out, db.view(ctx, func(r *readTx) error {
		_, s, err := r.catalog.streamByARN(*in.StreamArn)
		if err != nil {
			return err
		}
		if *in.ShardId != s.shardID() {
			return &types.ResourceNotFoundException{Message: aws.String("Requested resource not found: Shard: " + *in.ShardId + " not found")}
		}
		number, err := s.position(r.bolt, in.ShardIteratorType, aws.ToString(in.SequenceNumber))
		if err == nil {
			out.ShardIterator = aws.String(iterator{s.arn, number, db.clock()}.String())
		}
		return err
	})
}

// position returns the number of the record at which a new iterator of this type starts,
// or 0 for the oldest record.
func (s *tableStream) position(tx *bbolt.Tx, kind stream.IteratorType, sequence string) (uint64, error) {
	first, next, err := s.bounds(tx)
	if err != nil || kind == stream.TrimHorizon {
		return 0, err
	}
	if kind == stream.Latest {
		return next, nil
	}
	number, ok := parseSequenceNumber(sequence)
	if ok && kind == stream.AfterSequenceNumber {
		number++
	}
	if !ok || number == 0 || number > next {
		return 0, invalidf("Invalid SequenceNumber: %s", sequence)
	}
	if number < first {
		return 0, errTrimmed()
	}
	return number, nil
}

func errTrimmed() error {
	return &smithy.GenericAPIError{
		Code: "TrimmedDataAccessException", Fault: smithy.FaultClient,
		Message: "The operation attempted to read past the oldest stream record in a shard. Records are kept for 24 hours.",
	}
}

// GetRecords returns the records of a stream from an iterator on.
func (db *DB) GetRecords(ctx context.Context, in *stream.GetRecordsInput) (*stream.GetRecordsOutput, error) {
	return db.recordsExcept(ctx, in, nil)
}

func (db *DB) recordsExcept(ctx context.Context, in *stream.GetRecordsInput, hidden func(key Item) bool) (*stream.GetRecordsOutput, error) {
	var c constraints
	c.notNull(in.ShardIterator != nil, "shardIterator")
	c.length(in.ShardIterator, "shardIterator", 1, 2048)
	c.most(in.Limit, maxRecords)
	if err := c.err(); err != nil {
		return nil, err
	}
	at, err := parseIterator(*in.ShardIterator)
	if err != nil {
		return nil, err
	}
	if db.clock().Sub(at.issued) > iteratorLife {
		return nil, &smithy.GenericAPIError{
			Code: "ExpiredIteratorException", Fault: smithy.FaultClient,
			Message: "The shard iterator has expired. It can be used for 15 minutes.",
		}
	}
	limit := maxRecords
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &stream.GetRecordsOutput{Records: []stream.Record{}}
	return out, db.view(ctx, func(r *readTx) error {
		t, s, err := r.catalog.streamByARN(at.arn)
		if err != nil {
			return err
		}
		next, ended, err := s.read(r.bolt, t, at.number, limit, func(record stream.Record) {
			if hidden == nil || !hidden(record.Change.Keys) {
				out.Records = append(out.Records, record)
			}
		})
		if err == nil && !(ended && s.Disabled != nil) {
			out.NextShardIterator = aws.String(iterator{s.arn, next, db.clock()}.String())
		}
		return err
	})
}

// read calls the function visit for the records from a number on. It stops when the number
// of visited records is equal to the argument limit, or when they have more than
// maxRecordBytes. It returns the number of the next record. The result ended is true if
// there are no more records.
func (s *tableStream) read(tx *bbolt.Tx, t *table, from uint64, limit int, visit func(stream.Record)) (next uint64, ended bool, err error) {
	first, end, err := s.bounds(tx)
	if err != nil {
		return 0, false, err
	}
	if from == 0 {
		from = first
	}
	if from > end {
		return 0, false, invalidf("Invalid ShardIterator")
	}
	if from < first {
		return 0, false, errTrimmed()
	}
	cursor, err := s.records.cursor(tx)
	if err != nil {
		return 0, false, err
	}
	next = from
	bytes := 0
	key, value, err := cursor.seek(binary.BigEndian.AppendUint64(nil, from))
	for ; err == nil && next < end; key, value, err = cursor.next() {
		if limit == 0 || bytes > maxRecordBytes {
			return next, false, nil
		}
		if atEnd(key) {
			return 0, false, s.records.damaged(nil, "a record is missing")
		}
		number, body, err := s.unsealRecord(key, value)
		if err != nil {
			return 0, false, err
		}
		if number != next {
			return 0, false, s.records.damaged(key, "the record before it is missing")
		}
		record, err := s.decodeRecord(t, number, body)
		if err != nil {
			return 0, false, s.records.damaged(key, err.Error())
		}
		visit(record)
		bytes += int(record.Change.SizeBytes)
		limit--
		next++
	}
	return next, err == nil, err
}

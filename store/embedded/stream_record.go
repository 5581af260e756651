package embedded

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/stream"
)

// A stream record is written in the same transaction as the change. Its key is an 8-byte
// number. The numbers of a stream have no gaps. The body is
//
//	kind   1 byte
//	time   8 bytes: milliseconds since 1970
//	parts  key attributes, old image and new image, each with a length
//	       prefix (uvarint) and in the stored form of items
//
// A part is empty if the view type of the stream does not include it. The key
// attributes are only stored if there is no image, because images contain them. The
// last record of a stream is never deleted, because it has the highest number. When
// it is trimmed, its body becomes empty.
const (
	recordInsert byte = iota
	recordModify
	recordRemove
	recordExpire // Time to Live removed the item

	recordHeader = 9
)

// record appends the mutation that adds a change to the enabled stream of a table, if the
// table has one. The mutation gets its key in numberRecords.
func (w *writeTx) record(mutations []mutation, t *table, old, new storedItem, expired bool) ([]mutation, error) {
	if t.enabled == nil || bytes.Equal(old.body, new.body) {
		return mutations, nil
	}
	value, err := t.enabled.appendRecord(t, w.now, old.body, new.body, expired)
	if err != nil {
		return nil, err
	}
	return append(mutations, mutation{space: t.enabled.records, value: value}), nil
}

// appendRecord returns the value of a record, with free bytes for the seal.
func (s *tableStream) appendRecord(t *table, now time.Time, old, new []byte, expired bool) ([]byte, error) {
	kind := recordModify
	switch {
	case old == nil:
		kind = recordInsert
	case new == nil && expired:
		kind = recordExpire
	case new == nil:
		kind = recordRemove
	}
	anyImage := new
	if new == nil {
		anyImage = old
	}
	if s.View != types.StreamViewTypeNewAndOldImages && s.View != types.StreamViewTypeOldImage {
		old = nil
	}
	if s.View != types.StreamViewTypeNewAndOldImages && s.View != types.StreamViewTypeNewImage {
		new = nil
	}
	var keys []byte
	if old == nil && new == nil {
		item, err := t.keys.Decoder().Item(anyImage)
		if err == nil {
			keys, err = t.names.Encode(nil, item)
		}
		if err != nil {
			return nil, t.items.damaged(nil, err.Error())
		}
	}
	value := make([]byte, sealLen, sealLen+recordHeader+3*binary.MaxVarintLen32+len(keys)+len(old)+len(new))
	value = binary.BigEndian.AppendUint64(append(value, kind), uint64(now.UnixMilli()))
	for _, part := range [][]byte{keys, old, new} {
		value = append(binary.AppendUvarint(value, uint64(len(part))), part...)
	}
	return value, nil
}

// numberRecords sets the keys of the stream records in mutations. Call it in the order in
// which mutations are applied.
func (w *writeTx) numberRecords(mutations []mutation) error {
	for i := range mutations {
		m := &mutations[i]
		if m.key != nil {
			continue
		}
		number, err := w.nextNumber(m.space)
		if err != nil {
			return err
		}
		m.key = binary.BigEndian.AppendUint64(nil, number)
		m.space.sealInPlace(m.key, m.value)
	}
	return nil
}

// nextNumber returns a new number for a record in the keyspace of a stream.
func (w *writeTx) nextNumber(space *keyspace) (uint64, error) {
	next, known := w.numbers[string(space.name)]
	if !known {
		bucket, err := space.bucket(w.bolt)
		if err != nil {
			return 0, err
		}
		if bucket.Root() == 0 { // the bucket is new
			next = 1
		} else {
			s := tableStream{records: space}
			cursor, err := space.cursor(w.bolt)
			if err != nil {
				return 0, err
			}
			if next, err = s.nextNumber(cursor); err != nil {
				return 0, err
			}
		}
	}
	if w.numbers == nil {
		w.numbers = make(map[string]uint64)
	}
	w.numbers[string(space.name)] = next + 1
	return next, nil
}

// parsedRecord is a record whose parts are not decoded yet.
type parsedRecord struct {
	kind           byte
	time           time.Time
	keys, old, new []byte // nil if absent
}

func parseRecord(body []byte) (r parsedRecord, err error) {
	if len(body) < recordHeader || body[0] > recordExpire {
		return r, codec.ErrMalformed
	}
	r.kind, r.time = body[0], time.UnixMilli(int64(binary.BigEndian.Uint64(body[1:])))
	rest := body[recordHeader:]
	for _, part := range []*[]byte{&r.keys, &r.old, &r.new} {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return r, codec.ErrMalformed
		}
		if size > 0 {
			*part = rest[n : n+int(size)]
		}
		rest = rest[n+int(size):]
	}
	if len(rest) > 0 || r.keys == nil && r.old == nil && r.new == nil {
		return r, codec.ErrMalformed
	}
	return r, nil
}

// decodeRecord returns a record in the form of the API.
func (s *tableStream) decodeRecord(t *table, number uint64, body []byte) (record stream.Record, err error) {
	parsed, err := parseRecord(body)
	if err != nil {
		return record, err
	}
	decode := func(part []byte) (item Item) {
		if part == nil || err != nil {
			return nil
		}
		item, err = codec.NewDecoder(t.names).Item(part)
		return item
	}
	change := stream.Change{
		ApproximateCreationDateTime: parsed.time.Truncate(time.Second).UTC(), SequenceNumber: sequenceNumber(number), StreamViewType: s.View,
		Keys: decode(parsed.keys), OldImage: decode(parsed.old), NewImage: decode(parsed.new),
	}
	for _, image := range []Item{change.OldImage, change.NewImage} {
		if image == nil || change.Keys != nil {
			continue
		}
		change.Keys = make(Item)
		for _, name := range t.Key.names() {
			change.Keys[name] = image[name]
		}
	}
	change.SizeBytes = int64(codec.SizeOf(change.Keys) + codec.SizeOf(change.OldImage) + codec.SizeOf(change.NewImage))
	event := map[byte]stream.Event{recordInsert: stream.Insert, recordModify: stream.Modify, recordRemove: stream.Remove, recordExpire: stream.Remove}
	id := sha256.Sum256([]byte(s.arn + change.SequenceNumber))
	record = stream.Record{
		EventID: hex.EncodeToString(id[:16]), EventName: event[parsed.kind], EventVersion: "1.1", EventSource: "aws:dynamodb", AwsRegion: region, Change: change,
	}
	if parsed.kind == recordExpire {
		record.UserIdentity = &stream.Identity{PrincipalId: "dynamodb.amazonaws.com", Type: "Service"}
	}
	return record, err
}

// sequenceNumber formats a sequence number with 21 digits, as in DynamoDB. Sequence
// numbers sort as strings.
func sequenceNumber(number uint64) string { return fmt.Sprintf("1%020d", number) }

func parseSequenceNumber(text string) (uint64, bool) {
	if len(text) != 21 || text[0] != '1' {
		return 0, false
	}
	number, err := strconv.ParseUint(text[1:], 10, 64)
	return number, err == nil
}

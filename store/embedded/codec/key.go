package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/number"
)

// Keys are bytes in whose order a Query is a range:
//
//	partition key   2 bytes of length, then the bytes
//	sort key        the bytes, 0x00 written as 0x00 0xFF, then 0x00 0x01
//
// The order of partition keys among each other means nothing, so a length in
// front keeps them apart without looking into them, and values that share a
// beginning stay neighbours, which keeps what was written together in one page.
// Sort keys must compare as their values do, so they end in a terminator that
// is below whatever may follow; something more can then stand behind them: an
// index key ends in the key of the item it belongs to.
//
// S and B stand as they are (DynamoDB orders strings by their UTF-8 bytes), N
// as the number package orders it.
const (
	escaped    = 0xFF
	terminator = 0x01
)

// AppendPartitionKey appends the partition part of a key. The value is S, N or B.
func AppendPartitionKey(dst []byte, value types.AttributeValue) ([]byte, error) {
	start := len(dst)
	dst, err := appendPlain(append(dst, 0, 0), value)
	if err != nil {
		return dst, err
	}
	binary.BigEndian.PutUint16(dst[start:], uint16(len(dst)-start-2))
	return dst, nil
}

// AppendSortKey appends the sort part of a key. The value is S, N or B.
func AppendSortKey(dst []byte, value types.AttributeValue) ([]byte, error) {
	dst, err := AppendSortKeyPrefix(dst, value)
	return append(dst, 0, terminator), err
}

// AppendSortKeyPrefix appends the beginning that all sort keys share which
// begin with value.
func AppendSortKeyPrefix(dst []byte, value types.AttributeValue) ([]byte, error) {
	start := len(dst)
	dst, err := appendPlain(dst, value)
	if err != nil || bytes.IndexByte(dst[start:], 0) < 0 {
		return dst, err
	}
	plain := bytes.Clone(dst[start:])
	dst = dst[:start]
	for _, b := range plain {
		dst = append(dst, b)
		if b == 0 {
			dst = append(dst, escaped)
		}
	}
	return dst, nil
}

func appendPlain(dst []byte, value types.AttributeValue) ([]byte, error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return append(dst, v.Value...), nil
	case *types.AttributeValueMemberB:
		return append(dst, v.Value...), nil
	case *types.AttributeValueMemberN:
		n, err := number.Parse(v.Value)
		if err != nil {
			return dst, err
		}
		return n.AppendKey(dst), nil
	}
	return dst, fmt.Errorf("a key cannot be made of %T", value)
}

// SplitPartitionKey cuts the partition part, its length included, off a key.
func SplitPartitionKey(key []byte) (partition, rest []byte, err error) {
	if len(key) < 2 {
		return nil, nil, ErrMalformed
	}
	end := 2 + int(binary.BigEndian.Uint16(key))
	if end > len(key) {
		return nil, nil, ErrMalformed
	}
	return key[:end], key[end:], nil
}

// SplitSortKey cuts the sort part, its terminator included, off a key.
func SplitSortKey(key []byte) (sort, rest []byte, err error) {
	for at := 0; ; {
		zero := bytes.IndexByte(key[at:], 0)
		if zero < 0 || at+zero+1 == len(key) {
			return nil, nil, ErrMalformed
		}
		at += zero + 2
		switch key[at-1] {
		case terminator:
			return key[:at], key[at:], nil
		case escaped:
		default:
			return nil, nil, ErrMalformed
		}
	}
}

// After returns the least key that is greater than every key with the given
// beginning; nil when there is none. It changes prefix.
func After(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xFF {
			prefix[i]++
			return prefix[:i+1]
		}
	}
	return nil
}

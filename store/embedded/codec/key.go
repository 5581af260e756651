package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/number"
)

// Keys are encoded so that a Query reads a range of bytes:
//
//	partition key   2 bytes of length, then the bytes
//	sort key        the bytes, 0x00 written as 0x00 0xFF, then 0x00 0x01
//
// Partition keys need no particular order. The length prefix keeps them distinct.
// Values of the same length with a common prefix stay close together, so that items
// written together share pages. Encoded sort keys must compare like their values.
// They end in a terminator that is less than any byte that could follow in the value.
// A key can therefore continue after the terminator: an index key ends in the table
// key of its item.
//
// S and B values are used as they are, because DynamoDB orders strings by their UTF-8
// bytes. N values are encoded by Number.AppendKey.
const (
	escaped    = 0xFF
	terminator = 0x01
)

// AppendPartitionKey appends the partition key part of a key. The argument value must
// be S, N or B.
func AppendPartitionKey(dst []byte, value types.AttributeValue) ([]byte, error) {
	start := len(dst)
	dst, err := appendPlain(append(dst, 0, 0), value)
	if err != nil {
		return dst, err
	}
	binary.BigEndian.PutUint16(dst[start:], uint16(len(dst)-start-2))
	return dst, nil
}

// AppendSortKey appends the sort key part of a key. The argument value must be S, N or
// B.
func AppendSortKey(dst []byte, value types.AttributeValue) ([]byte, error) {
	dst, err := AppendSortKeyPrefix(dst, value)
	return append(dst, 0, terminator), err
}

// AppendSortKeyPrefix appends the common prefix of the encoded sort keys of all
// values that begin with value.
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

// SplitPartitionKey splits a key after the partition key part. It returns
// ErrMalformed if the key is invalid.
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

// SplitSortKey splits a key after the sort key part. It returns ErrMalformed if the
// key is invalid.
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

// After returns the smallest key that is greater than all keys with the given
// prefix, or nil if there is none. It modifies prefix.
func After(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xFF {
			prefix[i]++
			return prefix[:i+1]
		}
	}
	return nil
}

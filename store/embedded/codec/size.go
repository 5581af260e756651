package codec

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// SizeOf returns the size of an item in bytes. Consumed capacity and the limit of
// 400 KB use this size. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html.
func SizeOf(item Item) int {
	size := 0
	for name, value := range item {
		size += len(name) + SizeOfValue(value)
	}
	return size
}

// SizeOfValue returns the size of a value without its name. A number has the same
// size in every notation.
func SizeOfValue(value types.AttributeValue) int {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return sizeOfNumber(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberSS:
		size := 0
		for _, s := range v.Value {
			size += len(s)
		}
		return size
	case *types.AttributeValueMemberNS:
		size := 0
		for _, s := range v.Value {
			size += sizeOfNumber(s)
		}
		return size
	case *types.AttributeValueMemberBS:
		size := 0
		for _, b := range v.Value {
			size += len(b)
		}
		return size
	case *types.AttributeValueMemberL:
		size := containerOverhead
		for _, element := range v.Value {
			size += elementOverhead + SizeOfValue(element)
		}
		return size
	case *types.AttributeValueMemberM:
		size := containerOverhead
		for name, element := range v.Value {
			size += elementOverhead + len(name) + SizeOfValue(element)
		}
		return size
	}
	return 1 // for BOOL and NULL
}

const (
	containerOverhead = 3
	elementOverhead   = 1
)

// sizeOfNumber returns the size of a number: one byte per two significant digits,
// plus one, plus one for a minus sign.
func sizeOfNumber(s string) int {
	size := 1
	if strings.HasPrefix(s, "-") {
		size++
		s = s[1:]
	}
	if e := strings.IndexAny(s, "eE"); e >= 0 {
		s = s[:e]
	}
	digits, trailing := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '0' && digits > 0:
			trailing++
		case '1' <= c && c <= '9':
			digits += trailing + 1
			trailing = 0
		}
	}
	return size + (digits+1)/2
}

package codec

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Encode appends the stored form of an item to dst. The caller must have validated
// the values and normalized the numbers. Encode returns an error if a value has an
// unknown type; the contents of dst are then undefined.
func (n *Names) Encode(dst []byte, item Item) ([]byte, error) {
	return n.EncodeOnly(dst, item, nil)
}

// SizeOfStored returns the size of a stored item in bytes by DynamoDB's rules. It reads
// only the header, and returns 0 if body is too short for one.
func SizeOfStored[T string | []byte](body T) int {
	if len(body) < headerLen {
		return 0
	}
	return int(body[0]) | int(body[1])<<8 | int(body[2])<<16 | int(body[3])<<24
}

// attribute is a top-level attribute to encode. The field id is zero if the dictionary
// lacks the name. Otherwise it is the number of the name in the dictionary, plus one.
type attribute struct {
	id    uint32
	name  string
	value types.AttributeValue
}

// EncodeOnly is like Encode, but encodes only the attributes for which keep returns
// true.
func (n *Names) EncodeOnly(dst []byte, item Item, keep func(name string) bool) ([]byte, error) {
	dst, _, err := n.encode(dst, item, keep)
	return dst, err
}

// EncodeKnown is like Encode, but also reports whether the dictionary is complete for the
// item. If known is false, add the result of Missing to the dictionary, and encode the
// item again.
func (n *Names) EncodeKnown(dst []byte, item Item) (_ []byte, known bool, err error) {
	return n.encode(dst, item, nil)
}

func (n *Names) encode(dst []byte, item Item, keep func(name string) bool) (_ []byte, known bool, err error) {
	known = true
	var room [32]attribute
	attributes := room[:0]
	for name, value := range item {
		if keep != nil && !keep(name) {
			continue
		}
		a := attribute{name: name, value: value}
		if id, ok := n.ids[name]; ok {
			a.id = id + 1
		} else if n.canAdd(name) {
			known = false
		}
		attributes = append(attributes, a)
	}
	slices.SortFunc(attributes, func(a, b attribute) int {
		if a.id != b.id {
			return int(a.id) - int(b.id)
		}
		return strings.Compare(a.name, b.name)
	})

	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.AppendUvarint(dst, uint64(len(attributes)))
	size := 0
	for _, a := range attributes {
		dst = binary.AppendUvarint(dst, uint64(a.id))
		if a.id == 0 {
			dst = appendBytes(dst, a.name)
		}
		var valueSize int
		if dst, valueSize, err = appendValue(dst, a.value); err != nil {
			return dst, known, err
		}
		size += len(a.name) + valueSize
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(size))
	return dst, known, nil
}

func appendBytes[T string | []byte](dst []byte, b T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	return append(dst, b...)
}

// appendValue appends the type tag and the value. It also returns the size of the
// value.
func appendValue(dst []byte, value types.AttributeValue) ([]byte, int, error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return appendBytes(append(dst, tagS), v.Value), len(v.Value), nil
	case *types.AttributeValueMemberN:
		return appendBytes(append(dst, tagN), v.Value), sizeOfNumber(v.Value), nil
	case *types.AttributeValueMemberB:
		return appendBytes(append(dst, tagB), v.Value), len(v.Value), nil
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(dst, tagTrue), 1, nil
		}
		return append(dst, tagFalse), 1, nil
	case *types.AttributeValueMemberNULL:
		return append(dst, tagNull), 1, nil
	case *types.AttributeValueMemberSS:
		return appendSet(dst, tagSS, v.Value), SizeOfValue(v), nil
	case *types.AttributeValueMemberNS:
		return appendSet(dst, tagNS, v.Value), SizeOfValue(v), nil
	case *types.AttributeValueMemberBS:
		return appendSet(dst, tagBS, v.Value), SizeOfValue(v), nil
	case *types.AttributeValueMemberL:
		return appendList(dst, v.Value)
	case *types.AttributeValueMemberM:
		return appendMap(dst, v.Value)
	}
	return dst, 0, fmt.Errorf("an attribute value of type %T cannot be stored", value)
}

func appendSet[T string | []byte](dst []byte, tag byte, elements []T) []byte {
	dst, start := openContainer(dst, tag, len(elements))
	for _, element := range elements {
		dst = appendBytes(dst, element)
	}
	return closeContainer(dst, start)
}

func appendList(dst []byte, elements []types.AttributeValue) ([]byte, int, error) {
	dst, start := openContainer(dst, tagL, len(elements))
	size := containerOverhead
	for _, element := range elements {
		var elementSize int
		var err error
		if dst, elementSize, err = appendValue(dst, element); err != nil {
			return dst, 0, err
		}
		size += elementOverhead + elementSize
	}
	return closeContainer(dst, start), size, nil
}

func appendMap(dst []byte, elements Item) ([]byte, int, error) {
	names := make([]string, 0, len(elements))
	for name := range elements {
		names = append(names, name)
	}
	slices.Sort(names)
	dst, start := openContainer(dst, tagM, len(names))
	size := containerOverhead
	for _, name := range names {
		var elementSize int
		var err error
		if dst, elementSize, err = appendValue(appendBytes(dst, name), elements[name]); err != nil {
			return dst, 0, err
		}
		size += elementOverhead + len(name) + elementSize
	}
	return closeContainer(dst, start), size, nil
}

// openContainer appends a length field of fixed width, which closeContainer sets
// later.
func openContainer(dst []byte, tag byte, count int) ([]byte, int) {
	dst = append(dst, tag, 0, 0, 0, 0)
	start := len(dst)
	return binary.AppendUvarint(dst, uint64(count)), start
}

func closeContainer(dst []byte, start int) []byte {
	binary.LittleEndian.PutUint32(dst[start-headerLen:], uint32(len(dst)-start))
	return dst
}

// Package codec encodes items and keys as bytes. It defines the stored form of items,
// the dictionary that shortens attribute names, item sizes by DynamoDB's rule, and
// keys whose bytes sort in DynamoDB's order. It does not deal with tables, files or
// checksums.
//
// The stored form of an item is
//
//	size   4 bytes, little endian: the item's size by DynamoDB's rule,
//	       so that the cost of a read is known without decoding
//	count  uvarint
//	count times: name, tag, value
//
// A name is a uvarint. If the table's dictionary contains the name, the uvarint is
// its number in the dictionary plus one. Otherwise it is zero, followed by the name
// itself. Attributes are sorted by that uvarint, then by name, so equal items have
// equal bytes. Values of variable length have a length prefix, so a decoder can skip
// them.
package codec

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item in the SDK's types: attribute values by name.
type Item = map[string]types.AttributeValue

// maxDepth is the maximum depth of nested lists and maps in a stored item. It keeps
// malformed bytes from exhausting the stack. DynamoDB's own limit is lower.
const maxDepth = 100

// ErrMalformed means that bytes are not a valid encoding.
var ErrMalformed = errors.New("stored item is malformed")

// Type tags of stored values. They are part of the file format and must not change.
const (
	tagS byte = iota + 1
	tagN
	tagB
	tagFalse
	tagTrue
	tagNull
	tagSS
	tagNS
	tagBS
	tagL
	tagM
)

// headerLen is the length of the size field at the start of an item or container.
const headerLen = 4

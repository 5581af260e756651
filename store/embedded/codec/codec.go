// Package codec turns items and keys into bytes and back: the stored form of
// an item, the dictionary that keeps attribute names short, DynamoDB's item
// size, and keys whose byte order is the order that DynamoDB promises.
//
// It knows neither tables nor files: where bytes lie, and whether they are
// still those that were written (the checksum), is the engine's business.
//
// The stored form of an item is
//
//	size   4 bytes, little endian: the item's size by DynamoDB's rule,
//	       so that a read can be charged without being decoded
//	count  uvarint
//	count times: name, tag, value
//
// A name is a uvarint: a number of the table's dictionary plus one, or zero
// and then the name itself. Attributes stand in the order of those numbers,
// so equal items have equal bytes, which is how an unchanged index entry is
// recognised. Everything of variable length carries its length in front, so
// an attribute that nobody asked for is stepped over without a look inside.
package codec

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item as the SDK has it: attribute names and values.
type Item = map[string]types.AttributeValue

// Depth bounds how deep the lists and maps of a stored item may nest. What a
// caller may store is less; this is so that bytes of unknown origin cannot
// exhaust the stack.
const Depth = 100

// ErrMalformed is the error of every decoding that met bytes which no
// encoding makes.
var ErrMalformed = errors.New("stored item is malformed")

// Tags of the stored form; a file holds them, so a number is never reused.
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

// headerLen is the length of the size in front of an item.
const headerLen = 4

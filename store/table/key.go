package table

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Names of attributes that items of any entity type can have.
const (
	AttrPK      = "PK"
	AttrSK      = "SK"
	AttrTTL     = "TTL" // the attribute that Time to Live uses
	AttrType    = "EntityType"
	AttrVersion = "Version"
)

// IndexCount is the number of global secondary indexes, GSI1 to GSI6. Each is
// overloaded: several entity types share it.
const IndexCount = 6

// TableIndex is the index name of patterns that read the table itself.
const TableIndex = "table"

// IndexName returns the name of index n, or TableIndex for 0.
func IndexName(n int) string {
	if n == 0 {
		return TableIndex
	}
	return "GSI" + strconv.Itoa(n)
}

// indexKeys has the names of the key attributes of each index, by its number.
var indexKeys = func() (names [IndexCount + 1]struct{ pk, sk string }) {
	for n := range names {
		names[n].pk, names[n].sk = KeyAttributes(IndexName(n))
	}
	return names
}()

// KeyAttributes returns the names of the key attributes of the table or of an
// index.
func KeyAttributes(index string) (pk, sk string) {
	if index == TableIndex {
		return AttrPK, AttrSK
	}
	return index + "-PK", index + "-SK"
}

// Key returns a primary key.
func Key(pk, sk string) Item {
	values := [2]types.AttributeValueMemberS{{Value: pk}, {Value: sk}}
	return Item{AttrPK: &values[0], AttrSK: &values[1]}
}

// KeyOf returns the primary key of an item.
func KeyOf(item Item) Item { return Item{AttrPK: item[AttrPK], AttrSK: item[AttrSK]} }

// KeyString returns the item's primary key as a string that can be compared or
// used in a map.
func KeyString(item Item) string { return keyString(RowOf(item)) }

func keyString(r Row) string { return keyText(r.Text(AttrPK), r.Text(AttrSK)) }

func keyText(pk, sk string) string { return pk + "\x00" + sk }

// TextOf returns a string attribute, or "" if the item has no such string.
func TextOf(item Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

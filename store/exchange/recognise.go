package exchange

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// shape is what the items of a kind look like: the prefixes of their keys,
// and what their index keys tell that no attribute does.
type shape struct {
	kind   string
	pk, sk string
	hints  []hint
}

// hint is a key of an index and the prefix that it has to have here. Some
// published samples leave the prefix out, and some the whole key.
type hint struct{ attribute, prefix string }

// payment is the kind of those payments that are items of their own. They
// become part of their invoice.
const payment = "payment"

// shapes are the kinds of the online shop, in the order in which they are
// told apart by their keys.
var shapes = []shape{
	{"customer", "c#", "c#", nil},
	{"product", "p#", "p#", nil},
	{"warehouse", "w#", "w#", nil},
	{"warehouseItem", "p#", "w#", nil},
	{"order", "o#", "c#", nil},
	{"orderItem", "o#", "p#", []hint{{"GSI2-PK", "c#"}}},
	{"invoice", "o#", "i#", []hint{{"GSI2-PK", "c#"}}},
	{"shipment", "o#", "sh#", []hint{{"GSI2-PK", "w#"}}},
	{"shipmentItem", "o#", "shp#", []hint{{"GSI1-PK", "sh#"}, {"GSI1-SK", "p#"}}},
	{payment, "o#", "pmn#", []hint{{"GSI1-PK", "i#"}}},
}

// recognise finds an item's shape: by what it says it is, and where it says
// nothing that is known here, by the prefixes of its keys.
func recognise(item store.Item) (shape, bool) {
	said := text(item, "EntityType")
	for _, s := range shapes {
		if strings.EqualFold(said, s.kind) {
			return s, true
		}
	}
	pk, sk := text(item, "PK"), text(item, "SK")
	for _, s := range shapes {
		if strings.HasPrefix(pk, s.pk) && strings.HasPrefix(sk, s.sk) {
			return s, true
		}
	}
	return shape{}, false
}

// normalise gives an item of a shape the type and the prefixes that readers
// of this table expect, and writes what only a key says into an attribute.
func (s shape) normalise(item store.Item) {
	setText(item, "EntityType", s.kind)
	prefix(item, "PK", s.pk)
	prefix(item, "SK", s.sk)
	for _, h := range s.hints {
		prefix(item, h.attribute, h.prefix)
	}
	if s.kind == "orderItem" || s.kind == "invoice" {
		dateFromKeys(item)
	}
}

// dateFromKeys takes the date from the index keys that end in one, where no
// attribute says it.
func dateFromKeys(item store.Item) {
	for _, name := range []string{"GSI1-SK", "GSI2-SK"} {
		key := text(item, name)
		date := key[strings.LastIndexByte(key, '#')+1:]
		if _, err := store.ParseTime(date); err == nil && text(item, "Date") == "" {
			setText(item, "Date", date)
		}
	}
}

// prefix puts a prefix before a key that has none. A key that is not there
// stays away.
func prefix(item store.Item, name, with string) {
	if value := text(item, name); value != "" && !strings.HasPrefix(value, with) {
		setText(item, name, with+value)
	}
}

// text is an attribute's text, or its number as text.
func text(item store.Item, name string) string {
	switch v := item[name].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

func setText(item store.Item, name, value string) {
	item[name] = &types.AttributeValueMemberS{Value: value}
}

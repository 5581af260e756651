package exchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// shape is what the items of a kind look like: the prefixes of their keys,
// and what their index keys tell that no attribute does.
type shape struct {
	kind   string
	pk, sk string
	hints  []hint
}

// hint is an index key that names another entity, the prefix that it has to
// have here, and the attribute that says the same. Published samples leave
// out now the prefix, now the whole key; some use the attribute instead.
type hint struct{ index, prefix, attribute string }

// The kinds of the online shop, and payments that are items of their own:
// they become part of their invoice.
const (
	kindCustomer      = "customer"
	kindProduct       = "product"
	kindWarehouse     = "warehouse"
	kindWarehouseItem = "warehouseItem"
	kindOrder         = "order"
	kindOrderItem     = "orderItem"
	kindInvoice       = "invoice"
	kindShipment      = "shipment"
	kindShipmentItem  = "shipmentItem"
	kindPayment       = "payment"
	kindSubscription  = "subscription"
	kindReceipt       = "receipt"
)

// shapes are the kinds, in the order in which they are told apart by their
// keys.
var shapes = []shape{
	{kindCustomer, "c#", "c#", nil},
	{kindProduct, "p#", "p#", nil},
	{kindWarehouse, "w#", "w#", nil},
	{kindWarehouseItem, "p#", "w#", nil},
	{kindOrder, "o#", "c#", nil},
	{kindOrderItem, "o#", "p#", []hint{{"GSI2-PK", "c#", "CustomerID"}}},
	{kindInvoice, "o#", "i#", []hint{{"GSI2-PK", "c#", "CustomerID"}}},
	{kindShipment, "o#", "sh#", []hint{{"GSI2-PK", "w#", "WarehouseID"}}},
	{kindShipmentItem, "o#", "shp#", []hint{{"GSI1-PK", "sh#", "ShipmentID"}, {"GSI1-SK", "p#", "ProductID"}}},
	{kindSubscription, accountPrefix, "SUB#", nil},
	{kindReceipt, accountPrefix, "REC#", nil},
	{kindEmployee, "e#", "e#", nil},
	{kindQuota, "e#", "QUOTA#", nil},
	{string(store.Region), "r#", "r#", nil},
	{string(store.Country), "co#", "co#", nil},
	{string(store.Location), "l#", "l#", nil},
	{string(store.Department), "d#", "d#", nil},
	{string(store.Job), "j#", "j#", nil},
	{kindPayment, "o#", "pmn#", []hint{{"GSI1-PK", "i#", "InvoiceID"}}},
}

// recognise finds an item's shape: by what it says it is, and where it says
// nothing, by the prefixes of its keys.
func recognise(item store.Item) (shape, bool) {
	said, pk, sk := text(item, "EntityType"), text(item, "PK"), text(item, "SK")
	for _, s := range shapes {
		if said != "" && strings.EqualFold(said, s.kind) ||
			said == "" && strings.HasPrefix(pk, s.pk) && strings.HasPrefix(sk, s.sk) {
			return s, true
		}
	}
	for i := range store.Definitions {
		if d := &store.Definitions[i]; strings.EqualFold(said, d.Type) && !withheld(d.Type) {
			return shape{kind: d.Type, pk: prefixOf(d.Table.PK), sk: prefixOf(d.Table.SK)}, true
		}
	}
	return shape{}, false
}

// prefixOf is what keys of a template begin with, before the first value.
func prefixOf(t key.Template) string {
	prefix, _, _ := strings.Cut(t.String(), "${")
	return prefix
}

// composed says that keys of the shape hold more than one ID: those are parted
// and checked where an entity is made of them.
func (s shape) composed() bool {
	return !slices.ContainsFunc(shapes, func(other shape) bool { return other.kind == s.kind })
}

// ofOrder says whether the items of a shape lie in an order's partition.
func (s shape) ofOrder() bool { return s.pk == "o#" }

// normalise gives an item of a shape the type and the prefixes that readers
// of this table expect, and writes what only a key says into an attribute.
func (s shape) normalise(item store.Item) {
	for name, value := range item {
		if _, isNull := value.(*types.AttributeValueMemberNULL); isNull || isText(value, "") {
			delete(item, name)
		}
	}
	setText(item, "EntityType", s.kind)
	prefix(item, "PK", s.pk)
	prefix(item, "SK", s.sk)
	for _, h := range s.hints {
		h.normalise(item)
	}
	switch s.kind {
	case kindOrderItem, kindInvoice:
		dateFromKeys(item)
	case kindSubscription:
		normaliseSubscription(item)
	case kindReceipt:
		normaliseReceipt(item)
	}
}

// normalise leaves what the hint tells in the index key, where readers of
// this table look for it.
func (h hint) normalise(item store.Item) {
	for _, name := range []string{h.attribute, strings.TrimSuffix(h.attribute, "ID") + "Id"} {
		if said := text(item, name); said != "" {
			setText(item, h.index, said)
			delete(item, name)
			break
		}
	}
	if value := text(item, h.index); strings.Contains(value, "#") && !strings.HasPrefix(value, h.prefix) {
		delete(item, h.index) // an index of another design, which tells something else
	}
	prefix(item, h.index, h.prefix)
}

// check says which of an item's IDs cannot stand in a key.
func (s shape) check(item store.Item) (reason string) {
	keys := []hint{{index: "PK", prefix: s.pk}}
	if s.pk == accountPrefix {
		if reason := checkAccountKey(item); reason != "" {
			return reason
		}
	} else {
		keys = append(keys, hint{index: "SK", prefix: s.sk})
	}
	for _, h := range append(keys, s.hints...) {
		id := strings.TrimPrefix(text(item, h.index), h.prefix)
		if s.composed() && id != "" {
			continue
		}
		if err := key.CheckID(id); err != nil && (item[h.index] != nil || h.attribute == "") {
			return fmt.Sprintf("The key %s is %q: %v.", h.index, text(item, h.index), err)
		}
	}
	return ""
}

// dateFromKeys takes the date from the index keys that end in one, where no
// attribute says it.
func dateFromKeys(item store.Item) {
	for _, name := range []string{"GSI1-SK", "GSI2-SK"} {
		key := text(item, name)
		date := key[strings.LastIndexByte(key, '#')+1:]
		if _, err := store.ParseTime(date); err == nil && item["Date"] == nil {
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

func isText(value types.AttributeValue, text string) bool {
	s, ok := value.(*types.AttributeValueMemberS)
	return ok && s.Value == text
}

func setText(item store.Item, name, value string) {
	item[name] = &types.AttributeValueMemberS{Value: value}
}

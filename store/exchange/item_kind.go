package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// itemKind describes the items of an entity type by the prefixes of their keys. refs are
// index keys with IDs that no attribute contains.
type itemKind struct {
	name   string
	pk, sk string
	refs   []indexRef
}

// indexRef is an index key that refers to another entity. It consists of a prefix and an
// ID. In published samples, the prefix is missing, or the ID is in an attribute and not in
// the key.
type indexRef struct{ index, prefix, attribute string }

const (
	kindCustomer      = "customer"
	kindProduct       = "product"
	kindWarehouse     = "warehouse"
	kindWarehouseItem = "warehouseItem"
	kindOrder         = "order"
	kindOrderItem     = "orderItem"
	kindInvoice       = "invoice"
	kindCreditNote    = "creditNote"
	kindShipment      = "shipment"
	kindShipmentItem  = "shipmentItem"
	kindSubscription  = "subscription"
	kindReceipt       = "receipt"
	kindEmployee      = "employee"
	kindQuota         = "quota"
	kindEvent         = "event"
	kindStockMove     = "stockMove"

	// kindPayment is a payment that is a separate item, as in published samples. An
	// import adds it to its invoice.
	kindPayment = "payment"
)

// itemKinds lists the kinds that can be recognized by the keys of an item. If several kinds
// match, the first one is used.
var itemKinds = []itemKind{
	{kindCustomer, "c#", "c#", nil},
	{kindProduct, "p#", "p#", nil},
	{kindWarehouse, "w#", "w#", nil},
	{kindWarehouseItem, "p#", "w#", nil},
	{kindOrder, "o#", "c#", nil},
	{kindOrderItem, "o#", "p#", []indexRef{{"GSI2-PK", "c#", "CustomerID"}}},
	{kindInvoice, "o#", "i#", []indexRef{{"GSI2-PK", "c#", "CustomerID"}}},
	{kindCreditNote, "o#", "cn#", []indexRef{{"GSI2-PK", "c#", "CustomerID"}}},
	{kindShipment, "o#", "sh#", []indexRef{{"GSI2-PK", "w#", "WarehouseID"}}},
	{kindShipmentItem, "o#", "shp#", []indexRef{{"GSI1-PK", "sh#", "ShipmentID"}, {"GSI1-SK", "p#", "ProductID"}}},
	{kindSubscription, accountPrefix, "SUB#", nil},
	{kindReceipt, accountPrefix, "REC#", nil},
	{kindEmployee, "e#", "e#", nil},
	{kindQuota, "e#", "QUOTA#", nil},
	{string(store.Region), "r#", "r#", nil},
	{string(store.Country), "co#", "co#", nil},
	{string(store.Location), "l#", "l#", nil},
	{string(store.Department), "d#", "d#", nil},
	{string(store.Job), "j#", "j#", nil},
	{string(store.Category), "cat#", "cat#", nil},
	{kindPayment, "o#", "pmn#", []indexRef{{"GSI1-PK", "i#", "InvoiceID"}}},
}

// findKind returns the kind of an item. It uses the EntityType or, if the item has none,
// the prefixes of the keys. It ignores letter case.
func findKind(item store.Item) (itemKind, bool) {
	entityType, pk, sk := lettersOf(typeOfItem(item)), textFold(item, "PK"), textFold(item, "SK")
	for _, k := range itemKinds {
		if entityType != "" && entityType == lettersOf(k.name) ||
			entityType == "" && hasPrefixFold(pk, k.pk) && hasPrefixFold(sk, k.sk) {
			return k, true
		}
	}
	return definedKind(entityType)
}

// definedKind returns the kind of the entity type whose name consists of these letters; see
// lettersOf.
func definedKind(letters string) (itemKind, bool) {
	for i := range store.Definitions {
		if d := &store.Definitions[i]; letters == lettersOf(d.Type) && !isInternal(d.Type) {
			return itemKind{name: d.Type, pk: prefixOf(d.Table.PK), sk: prefixOf(d.Table.SK)}, true
		}
	}
	return itemKind{}, false
}

func unknownKind(item store.Item) (reason string) {
	entityType := typeOfItem(item)
	if isInternal(entityType) {
		return fmt.Sprintf("Items of the type %s are never imported, because they are valid only in the table that they come from.", entityType)
	}
	return fmt.Sprintf("Unknown kind of item: EntityType %s, PK %s, SK %s.", store.Quoted(entityType), store.Quoted(textFold(item, "PK")), store.Quoted(textFold(item, "SK")))
}

// prefixOf returns the literal text at the start of a key template.
func prefixOf(t key.Template) string {
	prefix, _, _ := strings.Cut(t.String(), "${")
	return prefix
}

// hasComposedKeys reports whether the kind is not in itemKinds. A key of such a kind can
// contain several IDs. Decoding splits the key and checks the IDs.
func (k itemKind) hasComposedKeys() bool {
	return !slices.ContainsFunc(itemKinds, func(other itemKind) bool { return other.name == k.name })
}

// isOrderPart reports whether items of the kind are in the partition of an order.
func (k itemKind) isOrderPart() bool { return k.pk == orderPrefix }

// orderPrefix is the prefix of the partition of an order.
const orderPrefix = "o#"

// normalise sets the entity type, and adds missing prefixes to keys. If only a key contains
// the value of an attribute, normalise sets the attribute.
func (k itemKind) normalise(item store.Item) {
	renameAttributes(item)
	for name, value := range item {
		if _, isNull := value.(*types.AttributeValueMemberNULL); isNull || isText(value, "") {
			delete(item, name)
		}
	}
	setText(item, "EntityType", k.name)
	addPrefix(item, "PK", k.pk)
	addPrefix(item, "SK", k.sk)
	for _, r := range k.refs {
		r.normalise(item)
	}
	switch k.name {
	case kindOrderItem, kindInvoice:
		dateFromKeys(item)
	case kindSubscription:
		normaliseSubscription(item)
	case kindReceipt:
		normaliseReceipt(item)
	}
}

// normalise moves the ID from the attribute to the index key, and adds the prefix.
func (r indexRef) normalise(item store.Item) {
	for _, name := range []string{r.attribute, strings.TrimSuffix(r.attribute, "ID") + "Id"} {
		if id := text(item, name); id != "" {
			setText(item, r.index, id)
			delete(item, name)
			break
		}
	}
	if value := text(item, r.index); strings.Contains(value, "#") && !hasPrefixFold(value, r.prefix) {
		delete(item, r.index) // another program uses this index for other values
	}
	addPrefix(item, r.index, r.prefix)
}

// checkKeys returns a reason to reject an item with an invalid ID in its keys, or "".
func (k itemKind) checkKeys(item store.Item) (reason string) {
	keys := []indexRef{{index: "PK", prefix: k.pk}}
	if k.pk == accountPrefix {
		if reason := checkAccountKey(item); reason != "" {
			return reason
		}
	} else {
		keys = append(keys, indexRef{index: "SK", prefix: k.sk})
	}
	for _, r := range append(keys, k.refs...) {
		id := strings.TrimPrefix(text(item, r.index), r.prefix)
		if k.hasComposedKeys() && id != "" {
			continue
		}
		if err := key.CheckID(id); err != nil && (item[r.index] != nil || r.attribute == "") {
			return fmt.Sprintf("The key %s %s is not valid: %v.", r.index, store.Quoted(text(item, r.index)), err)
		}
	}
	return ""
}

// dateFromKeys sets a missing Date to the date at the end of an index key.
func dateFromKeys(item store.Item) {
	for _, name := range []string{"GSI1-SK", "GSI2-SK"} {
		key := text(item, name)
		date := key[strings.LastIndexByte(key, '#')+1:]
		if _, err := store.ParseTime(date); err == nil && item["Date"] == nil {
			setText(item, "Date", date)
		}
	}
}

// addPrefix adds a prefix to a key that lacks it, or has it in another letter case. It does
// nothing if the key is missing.
func addPrefix(item store.Item, name, prefix string) {
	value := text(item, name)
	if hasPrefixFold(value, prefix) {
		value = value[len(prefix):]
	}
	if text(item, name) != "" {
		setText(item, name, prefix+value)
	}
}

// textFold is like text, but also accepts the name of the attribute in lower case.
func textFold(item store.Item, name string) string {
	return cmp.Or(text(item, name), text(item, strings.ToLower(name)))
}

// text returns a string or number attribute as text, or "".
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

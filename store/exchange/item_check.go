package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// attributeType describes the values that an attribute may have. Decoding would
// drop an attribute with another name or type, so an import rejects the row
// instead.
type attributeType struct {
	types    string                   // DynamoDB's type names, separated by spaces
	expected string                   // for the message about another type
	parts    map[string]attributeType // of a map
	element  *attributeType           // of a list
	required bool
}

// requiredAttributes are the attributes that an entity cannot do without, by
// kind.
var requiredAttributes = map[string][]string{
	kindProduct:       {"Price"},
	kindWarehouseItem: {"Quantity"},
	kindOrderItem:     {"Quantity"},
	kindInvoice:       {"Amount"},
	kindShipment:      {"Date"},
	kindShipmentItem:  {"Quantity"},
	kindPayment:       {"Amount"},
	kindSubscription:  {"PaymentDay", "PaymentAmount", "NextPaymentDate"},
	kindReceipt:       {"ProcessedDate", "ProcessedAmount"},
	kindQuota:         {"OrderTotal", "Orders"},
}

// attributeTypes are the attributes of every kind, from its definition. A payment
// with its own item has the attributes of a payment in an invoice.
var attributeTypes = func() map[string]attributeType {
	all := map[string]attributeType{}
	for i := range store.Definitions {
		d := &store.Definitions[i]
		all[d.Type] = mapType(d.Type, d.Attributes())
	}
	all[kindPayment] = *all[kindInvoice].parts["Detail"].parts["Payments"].element
	return all
}()

func mapType(kind string, attributes []store.Attribute) attributeType {
	t := attributeType{types: "M", expected: "a map", parts: map[string]attributeType{}}
	for _, a := range attributes {
		part := typeOf(a)
		part.required = slices.Contains(requiredAttributes[kind], a.Name)
		t.parts[a.Name] = part
	}
	return t
}

// typeOf returns the types of an attribute that an import accepts. As in published
// samples, numbers and times can be text, text can be a number, and lists can be
// sets.
func typeOf(a store.Attribute) attributeType {
	switch a.Kind {
	case store.Flag:
		return attributeType{types: "BOOL", expected: "true or false"}
	case store.Texts:
		return attributeType{types: "L SS", expected: "a list of texts", element: &attributeType{types: "S", expected: "text"}}
	case store.Group:
		return mapType("", a.Parts)
	case store.Groups:
		kind := ""
		if a.Name == "Payments" {
			kind = kindPayment
		}
		element := mapType(kind, a.Parts)
		return attributeType{types: "L", expected: "a list of " + strings.ToLower(a.Name), element: &element}
	}
	return attributeType{types: "S N", expected: "text or a number"}
}

// isComputed reports whether encoding computes the attribute, for any entity.
func isComputed(name string) bool {
	switch name {
	case "PK", "SK", "EntityType", "Version":
		return true
	}
	return strings.HasPrefix(name, "GSI") && (strings.HasSuffix(name, "-PK") || strings.HasSuffix(name, "-SK"))
}

// checkAttributes returns which attribute of an item cannot be read.
func checkAttributes(kind string, item store.Item) (reason string) {
	return attributeTypes[kind].checkParts("", item)
}

func (t attributeType) checkParts(path string, item store.Item) (reason string) {
	for _, name := range slices.Sorted(maps.Keys(item)) {
		part, known := t.parts[name]
		switch {
		case isEmpty(item[name]), path == "" && isComputed(name):
			continue
		case !known:
			return fmt.Sprintf("Unknown attribute %s. Remove or rename it.", path+name)
		}
		if reason := part.check(path+name, item[name]); reason != "" {
			return reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.parts)) {
		if t.parts[name].required && isEmpty(item[name]) {
			return missing(path + name)
		}
	}
	return ""
}

func (t attributeType) check(path string, value types.AttributeValue) (reason string) {
	name := typeName(value)
	if !slices.Contains(strings.Fields(t.types), name) {
		return fmt.Sprintf("%s has the type %s. It must be %s.", path, name, t.expected)
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return controlCharacter(path, v.Value)
	case *types.AttributeValueMemberM:
		return t.checkParts(path+".", v.Value)
	case *types.AttributeValueMemberL:
		for i, element := range v.Value {
			if reason := t.element.check(fmt.Sprintf("%s[%d]", path, i), element); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// isEmpty reports whether a value is absent, NULL or empty text. DynamoDB tells
// these, but people treat them alike.
func isEmpty(value types.AttributeValue) bool {
	switch v := value.(type) {
	case nil, *types.AttributeValueMemberNULL:
		return true
	case *types.AttributeValueMemberS:
		return v.Value == ""
	case *types.AttributeValueMemberN:
		return v.Value == ""
	}
	return false
}

// typeName returns DynamoDB's name for the type of a value, such as S.
func typeName(value types.AttributeValue) string {
	name := fmt.Sprintf("%T", value)
	return name[strings.LastIndex(name, "Member")+len("Member"):]
}

package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// attributeType describes the values that an attribute can have. Decoding ignores unknown
// attributes, and attributes of another type. An import rejects rows with such attributes,
// so that no value is lost unnoticed.
type attributeType struct {
	types    string                   // names of DynamoDB types, separated by spaces
	expected string                   // description for messages
	parts    map[string]attributeType // types of the parts of a map
	element  *attributeType           // type of the elements of a list
	required bool
}

// requiredAttributes lists the required attributes of each kind of item.
var requiredAttributes = map[string][]string{
	kindProduct:       {"Price"},
	kindWarehouseItem: {"Quantity"},
	kindOrderItem:     {"Quantity"},
	kindInvoice:       {"Amount"},
	kindCreditNote:    {"InvoiceID", "Date", "Amount"},
	kindShipment:      {"Date"},
	kindShipmentItem:  {"Quantity"},
	kindPayment:       {"Amount"},
	kindSubscription:  {"PaymentDay", "PaymentAmount", "NextPaymentDate"},
	kindReceipt:       {"ProcessedDate", "ProcessedAmount"},
	kindQuota:         {"OrderTotal", "Orders"},
}

// attributeTypes contains, for each kind of item, the types of its attributes, from the
// definition of the entity. A payment has the same attributes as a separate item and in an
// invoice.
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

// typeOf returns the types that an import accepts for an attribute. Besides the type in the
// definition, these are types in published samples: strings for numbers and times, numbers
// for strings, and sets for lists.
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

// isComputed reports whether encoding an entity computes the attribute, so that its value
// in a file does not matter.
func isComputed(name string) bool {
	switch name {
	case "PK", "SK", "EntityType", "Version":
		return true
	}
	return strings.HasPrefix(name, "GSI") && (strings.HasSuffix(name, "-PK") || strings.HasSuffix(name, "-SK"))
}

// checkAttributes returns a reason to reject an item, or "". It rejects unknown attributes,
// attributes of the wrong type, control characters, and missing required attributes.
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

// isEmpty reports whether a value is missing, NULL, or an empty string or number, which
// mean the same to users.
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

// typeName returns the DynamoDB name of a value's type, such as S.
func typeName(value types.AttributeValue) string {
	name := fmt.Sprintf("%T", value)
	return name[strings.LastIndex(name, "Member")+len("Member"):]
}

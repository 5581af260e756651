package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// form is how an attribute is written. Readers of the table pass over what
// they cannot read; a row with an attribute of another form, or with one that
// has no place here, would lose it. So it is refused.
type form struct {
	types  string          // the letters of DynamoDB's types
	is     string          // what it is called where a row has something else
	parts  map[string]form // of a group
	each   *form           // of a list
	needed bool
}

// needed are the attributes that no reader can do without, by kind.
var needed = map[string][]string{
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

// forms are the attributes of every kind, as their definitions have them. A
// payment that is an item of its own has those that it has in its invoice.
var forms = func() map[string]form {
	all := map[string]form{}
	for i := range store.Definitions {
		d := &store.Definitions[i]
		all[d.Type] = group(d.Type, d.Attributes())
	}
	payment := *all[kindInvoice].parts["Detail"].parts["Payments"].each
	all[kindPayment] = payment
	return all
}()

func group(kind string, attributes []store.Attribute) form {
	f := form{types: "M", is: "a map", parts: map[string]form{}}
	for _, a := range attributes {
		part := formOf(a)
		part.needed = slices.Contains(needed[kind], a.Name)
		f.parts[a.Name] = part
	}
	return f
}

// formOf is generous where samples are: numbers and times may be texts, texts
// numbers, lists sets.
func formOf(a store.Attribute) form {
	switch a.Kind {
	case store.Flag:
		return form{types: "BOOL", is: "true or false"}
	case store.Texts:
		return form{types: "L SS", is: "a list of texts", each: &form{types: "S", is: "a text"}}
	case store.Group:
		return group("", a.Parts)
	case store.Groups:
		kind := ""
		if a.Name == "Payments" {
			kind = kindPayment
		}
		each := group(kind, a.Parts)
		return form{types: "L", is: "a list of " + strings.ToLower(a.Name), each: &each}
	}
	return form{types: "S N", is: "a text or a number"}
}

// madeAnew holds for what any item may have and this table gives it itself.
func madeAnew(name string) bool {
	switch name {
	case "PK", "SK", "EntityType", "Version":
		return true
	}
	return strings.HasPrefix(name, "GSI") && (strings.HasSuffix(name, "-PK") || strings.HasSuffix(name, "-SK"))
}

// misfit says what of an item cannot be read.
func misfit(kind string, item store.Item) (reason string) {
	return forms[kind].misfitParts("", item)
}

func (f form) misfitParts(path string, item store.Item) (reason string) {
	for _, name := range slices.Sorted(maps.Keys(item)) {
		part, known := f.parts[name]
		switch {
		case saysNothing(item[name]), path == "" && madeAnew(name):
			continue
		case !known:
			return fmt.Sprintf("There is no place here for its %s.", path+name)
		}
		if reason := part.misfit(path+name, item[name]); reason != "" {
			return reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.parts)) {
		if f.parts[name].needed && saysNothing(item[name]) {
			return fmt.Sprintf("It does not say its %s.", path+name)
		}
	}
	return ""
}

func (f form) misfit(path string, value types.AttributeValue) (reason string) {
	letters := letters(value)
	if !slices.Contains(strings.Fields(f.types), letters) {
		return fmt.Sprintf("Its %s is not %s, but of the type %s.", path, f.is, letters)
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		return f.misfitParts(path+".", v.Value)
	case *types.AttributeValueMemberL:
		for i, element := range v.Value {
			if reason := f.each.misfit(fmt.Sprintf("%s[%d]", path, i), element); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// saysNothing holds for what DynamoDB tells apart and nobody else does: no
// attribute, an empty text and NULL.
func saysNothing(value types.AttributeValue) bool {
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

// letters name the type of a value as DynamoDB does.
func letters(value types.AttributeValue) string {
	name := fmt.Sprintf("%T", value)
	return name[strings.LastIndex(name, "Member")+len("Member"):]
}

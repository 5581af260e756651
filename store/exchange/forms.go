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

var (
	word     = form{types: "S", is: "a text"}
	scalar   = form{types: "S N", is: "a text or a number"}
	required = form{types: "S N", is: "a text or a number", needed: true}
	flag     = form{types: "BOOL", is: "true or false"}
	words    = form{types: "L SS", is: "a list of texts", each: &word}

	address = group(map[string]form{"Country": scalar, "County": scalar, "City": scalar, "Street": scalar, "Number": scalar, "ZipCode": scalar})
	paid    = group(map[string]form{"ID": scalar, "Type": scalar, "Amount": required, "Date": scalar, "Data": scalar})
)

func group(parts map[string]form) form {
	return form{types: "M", is: "a map", parts: parts}
}

// forms are the attributes of every kind.
var forms = map[string]form{
	kindCustomer: group(map[string]form{
		"Name": scalar, "Email": scalar, "Phones": words, "Address": address, "AccountRepID": scalar, "Created": scalar,
	}),
	kindProduct: group(map[string]form{
		"Detail": group(map[string]form{"Name": scalar, "Description": scalar}),
		"Price":  required, "SKU": scalar, "Category": scalar,
	}),
	kindWarehouse:     group(map[string]form{"Name": scalar, "Address": address}),
	kindWarehouseItem: group(map[string]form{"Name": scalar, "Quantity": required, "ReorderPoint": scalar, "Bin": scalar}),
	kindOrder: group(map[string]form{
		"Date": scalar, "Status": scalar, "Total": scalar, "AccountRepID": scalar, "ShipTo": address,
		"CustomerName": scalar, "ItemCount": scalar, "PaymentState": scalar, "ShipmentState": scalar,
	}),
	kindOrderItem: group(map[string]form{
		"Name": scalar, "SKU": scalar, "Price": scalar, "Quantity": required,
		"Shipped": scalar, "Returned": scalar, "Cancelled": flag, "Date": scalar,
	}),
	kindInvoice: group(map[string]form{
		"Date": scalar, "DueDate": scalar, "Amount": required, "Status": scalar,
		"Detail": group(map[string]form{"Payments": {types: "L", is: "a list of payments", each: &paid}}),
	}),
	kindShipment: group(map[string]form{
		"Date": required, "Type": scalar, "Address": address, "Status": scalar, "Carrier": scalar, "Tracking": scalar,
	}),
	kindShipmentItem: group(map[string]form{"Name": scalar, "Quantity": required}),
	kindPayment:      paid,
	kindSubscription: group(map[string]form{
		"Email": scalar, "SKU": scalar, "Status": scalar, "PaymentDay": required, "PaymentAmount": required,
		"NextPaymentDate": required, "NextAttemptDate": scalar, "Attempt": scalar, "LastPaymentDate": scalar,
		"NextReminderDate": scalar, "LastReminderDate": scalar, "Created": scalar,
		"PaymentDetails": group(map[string]form{"default-card": scalar, "default-address": scalar, "processor-customer": scalar, "processor-method": scalar}),
		"Asked":          group(map[string]form{"Key": scalar, "Amount": scalar, "At": scalar}),
	}),
	kindEmployee: group(map[string]form{
		"Name": scalar, "Email": scalar, "Phones": words, "HireDate": scalar, "JobID": scalar, "JobTitle": scalar,
		"DepartmentID": scalar, "LocationID": scalar, "WarehouseID": scalar, "ManagerID": scalar,
	}),
	kindQuota:                group(map[string]form{"OrderTotal": required, "Orders": required, "Name": scalar}),
	string(store.Region):     referenceForm(store.Region),
	string(store.Country):    referenceForm(store.Country),
	string(store.Location):   referenceForm(store.Location),
	string(store.Department): referenceForm(store.Department),
	string(store.Job):        referenceForm(store.Job),
	kindReceipt: group(map[string]form{
		"Email": scalar, "SKU": scalar, "ProcessedDate": required, "ProcessedAmount": required, "Reference": scalar, "TTL": scalar,
	}),
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

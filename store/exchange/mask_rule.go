package exchange

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// maskRule returns what a masked export contains instead of the string text. It returns ""
// if the export must omit the attribute.
type maskRule func(m *Masker, of maskedText, text string) string

// maskedText identifies the entity and the map that contain a string to mask.
type maskedText struct {
	entity store.Entity
	parent store.Item
}

// maskRules contains, for each entity, the rule for each attribute. The name of a nested
// attribute is its path. A masked export omits attributes without a rule.
// TestMaskRules_Complete requires a rule for every attribute.
var maskRules = map[string]map[string]maskRule{
	"customer": rules("AccountRepID Created NoNotices Closed", maskRulesOf{
		"Name": personName("id"), "Email": maskEmail, "Phones": maskPhone,
	}, addressRules("Address")),
	"product":          rules("Detail.Name Detail.Description Price SKU Category Weight Archived Unfinished"),
	"warehouse":        rules("Name Archived", addressRules("Address")),
	"warehouseItem":    rules("Name Quantity ReorderPoint Bin Counted"),
	"expectedDelivery": rules("Name Due Quantity Received Cancelled", maskRulesOf{"Supplier": maskText}),
	"transfer":         rules("Source Target Name Sent Quantity Received WrittenOff Returned", maskRulesOf{"Reason": maskText, "By": maskUser}),
	"stockMove":        rules("Name When From To Delta Order Shipment Transfer Delivery Event", maskRulesOf{"Reason": maskText, "By": maskUser}),
	"order": rules("Date Status Total AccountRepID ItemCount PaymentState ShipmentState OpenLines Unfinished", maskRulesOf{
		"CustomerName": personName("customerID"),
	}, addressRules("ShipTo")),
	"orderItem": rules("Name SKU Price Quantity Shipped Returned Cancelled Date"),
	"invoice": rules("Number Date DueDate Amount Credit TaxRate Status Detail.Payments.ID Detail.Payments.Type Detail.Payments.Amount Detail.Payments.Date Detail.Payments.Received Detail.Payments.RefundOf Detail.Payments.ReversalOf Detail.Lines.ProductID Detail.Lines.Name Detail.Lines.Price Detail.Lines.Quantity Supplement", maskRulesOf{
		"Detail.Payments.Data": maskReference,
		"Detail.Payments.By":   maskUser,
		"Detail.Payments.Why":  maskText,
	}),
	"creditNote":             rules("Number InvoiceID InvoiceNumber Date Reason Amount TaxRate Lines.ProductID Lines.Name Lines.Price Lines.Quantity"),
	"shipment":               rules("CustomerID Date Type Status Carrier", maskRulesOf{"Tracking": maskReference}, addressRules("Address")),
	"shipmentItem":           rules("Name Quantity Entry WarehouseID When From", maskRulesOf{"By": maskUser}),
	"storeMetadata":          rules("Name In Out Repair Archived", addressRules("Address")),
	"storeEmployee":          rules("EmploymentID From To Position TTL", maskRulesOf{"Name": personName("personULID")}),
	"storeInventoryItem":     rules("Name Kind Serial DailyRate Status", maskRulesOf{"Condition": maskText}),
	"storeActiveRental":      rules("RentalID Out Due Rate Deposit DepositBy BookingID OtherBookings StoreName ItemName", maskRulesOf{"PersonName": personName("personULID")}),
	"personMetadata":         rules("NoNotices", maskRulesOf{"Name": personName("personULID"), "Email": maskEmail, "Phones": maskPhone}),
	"samePerson":             rules("Others"),
	"employmentRelationship": rules("From To Position StoreName", maskRulesOf{"PersonName": personName("personULID")}),
	"rentalRelationship":     rules("Out Due Returned Rate Charge PaidBy Paid Deposit DepositBy DepositKept StoreName ItemName", maskRulesOf{"PersonName": personName("personULID"), "Damage": maskText}),
	"rentalPayment": rules("StoreID Day At Kind Method Amount SettledBy Settles StoreName Rentals", maskRulesOf{
		"PersonName": personName("personULID"), "Why": maskText, "By": maskUser,
	}),
	"booking":    rules("StoreID PersonID InventoryID Kind From To Status RentalID Created StoreName ItemName", maskRulesOf{"PersonName": personName("personULID"), "Note": maskText}),
	"bookingDay": rules("StoreID InventoryID Day BookingID Kind From To PersonID ItemName", maskRulesOf{"PersonName": personName("personULID"), "Note": maskText}),
	"employee": rules("HireDate JobID JobTitle DepartmentID LocationID WarehouseID ManagerID", maskRulesOf{
		"Name": personName("id"), "Email": maskEmail, "Phones": maskPhone,
	}, addressRules("Address")),
	"quota":                  rules("OrderTotal Orders Target", maskRulesOf{"Name": personName("employeeID")}),
	string(store.Region):     rules("Name"),
	string(store.Country):    rules("Name RegionID"),
	string(store.Location):   rules("Name CountryID"),
	string(store.Department): rules("Name LocationID"),
	string(store.Job):        rules("Title"),
	string(store.Category):   rules("Name Former Archived"),
	"formerCategory":         rules("PresentID"),
	"subscription": rules("SKU PlanName Status PaymentDay PaymentAmount NextPaymentDate NextAttemptDate Attempt LastPaymentDate NextReminderDate LastReminderDate Asked.At Asked.Service Asked.Amount Asked.Resumes Ending Created Cancelled", maskRulesOf{
		"Email": maskEmail, "Asked.Key": maskReference,
		"PaymentDetails.default-card":       func(*Masker, maskedText, string) string { return "0000" },
		"PaymentDetails.default-address":    maskText,
		"PaymentDetails.processor-customer": maskReference, "PaymentDetails.processor-method": maskReference,
	}),
	"receipt": rules("SKU PlanName ProcessedDate ProcessedAmount NextPaymentDate PreviousPaymentDate TTL", maskRulesOf{"Email": maskEmail, "Reference": maskReference}),
	"event": rules("When", maskRulesOf{
		"By": maskUser, "What": maskCode, "Subject": maskSubject, "Why": maskText, "Before": maskState, "After": maskState, "Token": leaveOut,
		"Address": leaveOut, "Attempts": leaveOut, "Rows": leaveOut, "Attempt": leaveOut, "Values": leaveOut, "Undoes": leaveOut, "Audience": leaveOut, "UndoneBy": leaveOut, "Undone": leaveOut, "ImportedBy": leaveOut, "Imported": leaveOut, "Redacted": leaveOut, "TTL": leaveOut,
	}),
	"view":  rules("Email", maskRulesOf{"Name": maskViewName, "Path": maskQuery}),
	"total": rules("Day Count Amount Slot"),
}

type maskRulesOf map[string]maskRule

// rules returns the rules of an entity. The argument keep lists the attributes that are
// not masked, separated by spaces, and replace contains the rules for the others.
func rules(keep string, replace ...maskRulesOf) map[string]maskRule {
	all := map[string]maskRule{"Version": keepText}
	for _, name := range strings.Fields(keep) {
		all[name] = keepText
	}
	for _, rules := range replace {
		for name, rule := range rules {
			all[name] = rule
		}
	}
	return all
}

func keepText(_ *Masker, _ maskedText, text string) string { return text }

func leaveOut(*Masker, maskedText, string) string { return "" }

func maskText(*Masker, maskedText, string) string { return masked }

func maskEmail(m *Masker, _ maskedText, text string) string     { return m.email(text) }
func maskPhone(m *Masker, _ maskedText, text string) string     { return m.phone(text) }
func maskUser(m *Masker, _ maskedText, text string) string      { return m.user(text) }
func maskReference(m *Masker, _ maskedText, text string) string { return m.reference(text) }

// personName returns a rule that replaces the name of a person. The argument keyName is
// the placeholder for the person's ID in the keys.
func personName(keyName string) maskRule {
	return func(m *Masker, of maskedText, _ string) string { return m.person(of.entity.KeyValue(keyName)) }
}

// addressRules returns rules that keep the country of an address and replace the
// rest. Equal streets, cities and addresses get equal pseudonyms.
func addressRules(name string) maskRulesOf {
	address := func(kind string, format func(d *digest) string, parts ...string) maskRule {
		return func(m *Masker, of maskedText, _ string) string {
			values := make([]string, len(parts))
			for i, part := range parts {
				values[i] = text(of.parent, part)
			}
			return format(m.digest(kind, values...))
		}
	}
	word := func(d *digest) string { return d.word() }
	return maskRulesOf{
		name + ".Country": keepText,
		name + ".County":  address("county", word, "Country", "County"),
		name + ".City":    address("city", word, "Country", "City"),
		name + ".Street":  address("street", func(d *digest) string { return d.word() + " Road" }, "Country", "City", "Street"),
		name + ".Number": address("number", func(d *digest) string { return strconv.Itoa(1 + d.take(199)) },
			"Country", "City", "Street", "Number"),
		name + ".ZipCode": address("zip", func(d *digest) string { return strconv.Itoa(10000 + d.take(90000)) },
			"Country", "City", "ZipCode"),
	}
}

// maskCode keeps the code of an event. Events of earlier versions have a sentence instead,
// which it replaces.
func maskCode(_ *Masker, of maskedText, what string) string {
	if hasCode(of.entity) {
		return what
	}
	return masked
}

// maskSubject keeps the subject of an event that has a code. Such a subject is an ID,
// possibly with an amount. maskSubject replaces other subjects.
func maskSubject(_ *Masker, of maskedText, subject string) string {
	if hasCode(of.entity) {
		return subject
	}
	return masked
}

func hasCode(entity store.Entity) bool {
	event, ok := entity.(*store.Event)
	return ok && event.Sentence() != string(event.What)
}

// maskState keeps statuses, and replaces all other values that changed.
func maskState(_ *Masker, _ maskedText, state string) string {
	if slices.Contains(states, state) {
		return state
	}
	return masked
}

// states contains the statuses of all kinds of records.
var states = slices.Concat(
	namesOf(store.OrderStatuses), namesOf(store.InvoiceStatuses), namesOf(store.ShipmentStatuses), namesOf(store.SubscriptionStatuses),
	namesOf(store.ShipmentStates), namesOf(store.KayakStatuses), namesOf(store.BookingStatuses),
)

func namesOf[S ~string](states []S) []string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s)
	}
	return names
}

func maskViewName(m *Masker, of maskedText, name string) string {
	return "View " + m.digest("view", text(of.parent, "PK"), name).letters(12)
}

// maskQuery removes the query of a saved view, because it can contain a name.
func maskQuery(_ *Masker, _ maskedText, path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// mask returns a copy of the entity with pseudonyms.
func (m *Masker) mask(entity store.Entity, shards int) (store.Entity, error) {
	item, err := store.Encode(entity, shards)
	if err != nil {
		return nil, err
	}
	item = m.maskItem(entity, maskRules[entity.EntityType()], "", item)
	if user, found := strings.CutPrefix(text(item, "PK"), userPrefix); found {
		setText(item, "PK", userPrefix+m.user(user))
	}
	return store.Decode(item)
}

// userPrefix is the prefix of the partition with a user's views and events.
const userPrefix = "user#"

func (m *Masker) maskItem(entity store.Entity, rules map[string]maskRule, path string, item store.Item) store.Item {
	result := store.Item{}
	of := maskedText{entity, item}
	for name, value := range item {
		if path == "" && isComputed(name) {
			result[name] = value
		} else if value := m.maskValue(of, rules, path+name, value); value != nil {
			result[name] = value
		}
	}
	return result
}

// maskValue returns the masked value, or nil if the export must omit it.
func (m *Masker) maskValue(of maskedText, rules map[string]maskRule, path string, value types.AttributeValue) types.AttributeValue {
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		return &types.AttributeValueMemberM{Value: m.maskItem(of.entity, rules, path+".", v.Value)}
	case *types.AttributeValueMemberL:
		list := make([]types.AttributeValue, 0, len(v.Value))
		for _, element := range v.Value {
			if element = m.maskValue(of, rules, path, element); element != nil {
				list = append(list, element)
			}
		}
		return &types.AttributeValueMemberL{Value: list}
	case *types.AttributeValueMemberS:
		if rule := rules[path]; rule != nil {
			if text := rule(m, of, v.Value); text != "" {
				return &types.AttributeValueMemberS{Value: text}
			}
		}
		return nil
	}
	if rules[path] == nil {
		return nil
	}
	return value
}

package exchange

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/text/unicode/norm"

	"stockroom/store"
)

// reservedIDs contains, by column, IDs that are not allowed, because a page with the ID in
// its path would conflict with another page. An example is the form /customers/new.
var reservedIDs = map[string][]string{
	"CustomerID": {"new"},
	"ProductID":  {"new"},
	"OrderID":    {"new", "chosen", "ship", "slips"},
}

// invalidPathID returns a reason to reject an ID that cannot be part of a key or of a
// page's URL, or "".
func invalidPathID(name, id string) string {
	if reason := invalidID(name, id); reason != "" {
		return reason
	}
	if slices.Contains(reservedIDs[name], id) || strings.HasSuffix(id, ".json") || strings.HasSuffix(id, ".csv") {
		return fmt.Sprintf("%s %s is not valid: its page would have the same address as another page or a download. Choose another ID.", name, store.Quoted(id))
	}
	return ""
}

// controlCharacter returns a reason to reject text with a control character other than a
// tab or line break, or "".
func controlCharacter(name, text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return fmt.Sprintf("%s has the control character %U. Remove it.", name, c)
		}
	}
	return ""
}

// composed returns the text in Unicode's composed form (NFC), in which IDs that look the
// same are equal: https://unicode.org/reports/tr15/.
func composed(text string) string {
	for i := range len(text) {
		if text[i] > unicode.MaxASCII {
			return norm.NFC.String(text)
		}
	}
	return text
}

// composeTexts converts the strings of an item to their composed form.
func composeTexts(item store.Item) {
	for name, value := range item {
		item[name] = composedValue(value)
	}
}

func composedValue(value types.AttributeValue) types.AttributeValue {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		v.Value = composed(v.Value)
	case *types.AttributeValueMemberM:
		composeTexts(v.Value)
	case *types.AttributeValueMemberL:
		for i := range v.Value {
			v.Value[i] = composedValue(v.Value[i])
		}
	}
	return value
}

// allowedStates contains the allowed values of attributes, by entity and attribute.
var allowedStates = map[string]map[string][]string{
	kindOrder:        {"Status": texts(store.OrderStatuses), "PaymentState": texts(store.InvoiceStatuses), "ShipmentState": texts(store.ShipmentStates)},
	kindInvoice:      {"Status": texts(store.InvoiceStatuses)},
	kindCreditNote:   {"Reason": texts(store.CreditReasons)},
	kindShipment:     {"Status": texts(store.ShipmentStatuses)},
	kindSubscription: {"Status": texts(store.SubscriptionStatuses)},
	kindKayak:        {"Status": texts(store.KayakStatuses)},
}

func texts[S ~string](values []S) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// normaliseStates replaces each status of an item with the allowed value that it equals
// apart from letter case and surrounding spaces. It keeps unknown statuses.
func normaliseStates(entityType string, item store.Item) {
	for name, values := range allowedStates[entityType] {
		written, ok := item[name].(*types.AttributeValueMemberS)
		if !ok {
			continue
		}
		text := strings.TrimSpace(written.Value)
		for _, value := range values {
			if strings.EqualFold(text, value) {
				setText(item, name, value)
			}
		}
	}
}

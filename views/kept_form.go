package views

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// KeptForm is the page with which a user submits a form again: after a sign-in or a proof
// of identity, after adding a record that the form needs, or after the form was refused.
// Values contains the fields of the form.
type KeptForm struct {
	Page
	Path     string
	Values   url.Values
	Order    []string                   // names of the fields in the order of the form, if known
	Specs    map[string]store.FieldSpec // the fields by name, if known
	Name     string                     // name of the form, such as Edit a customer; may be empty
	Username string
	Added    string // message about the added record, such as "Product added."; "" after a sign-in
	Refused  string // why the form was refused; "" if it was not refused
	SendNow  bool   // a script submits the form immediately

	RecordName, RecordPath string // the record that the form is about; "" if there is none
}

// discardPath returns the path of the link that discards the form: the page of the record
// that the form is about, or Today.
func (p *KeptForm) discardPath() string { return nameOr(p.RecordPath, "/") }

// fields returns the names and values of the fields in the order of the form. Fields that
// are not in Order come last, sorted by name.
func (p *KeptForm) fields() [][2]string {
	place := func(name string) int {
		if i := slices.Index(p.Order, name); i >= 0 {
			return i
		}
		if i := slices.Index(p.Order, name+"*"); i >= 0 {
			return i
		}
		return len(p.Order)
	}
	names := slices.SortedFunc(maps.Keys(p.Values), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
	})
	var fields [][2]string
	for _, name := range names {
		for _, value := range p.Values[name] {
			fields = append(fields, [2]string{name, value})
		}
	}
	return fields
}

// entered returns the fields that the user filled in. It omits empty fields, and
// fields that only the program uses.
func (p *KeptForm) entered() [][2]string {
	return slices.DeleteFunc(p.fields(), func(f [2]string) bool {
		name, value := f[0], f[1]
		of, _ := cutLine(name)
		return programFields[of] || value == "" || p.isPick(name, ui.PickedParam("")) || p.isPick(name, ui.PickedTextParam(""))
	})
}

// programFields are the fields that only the program uses. Their names can have the number of
// a line.
var programFields = map[string]bool{
	"once": true, "version": true, "back": true, "base": true, "booking": true, "confirmed": true, "delivery": true, "first": true, "more": true, "page": true, "rows": true, "tab": true, "tabs": true, "unread": true, "was": true,
	FieldReturn: true, FieldSeen: true, SamePhoneParam: true, store.FieldShown: true, store.FieldSimilar: true, ButtonParam: true,
}

// isPick reports whether a PickField sent the parameter with this name in addition to its
// own. The name then consists of the name of a field of the form and the suffix.
func (p *KeptForm) isPick(name, suffix string) bool {
	of, found := strings.CutSuffix(name, suffix)
	return found && p.Values.Has(of)
}

// enteredLabels contains the labels of form fields whose labels cannot be derived from
// their names.
var enteredLabels = map[string]string{
	"access":         "Retention period of sign-ins and downloads",
	"as":             "Role to view",
	"charge-paid":    "Payment method for the charge",
	"chosen":         "Kayak",
	"day":            "Day",
	"due":            "Due back or expected date",
	"from":           "First day",
	"hired":          "Hire date",
	"idle":           "Session idle limit in minutes",
	"last":           "Last day",
	"keep":           "Deposit to keep",
	"keep-why":       "Reason for keeping it",
	"late":           "Late payments",
	"life":           "Session limit in hours",
	"number":         "House number",
	"parent":         "Region, country or location",
	"path":           "List",
	"payment":        "Payment to refund or reverse",
	"period":         "Quarter",
	"phones":         "Phone numbers",
	"rate":           "Daily rate",
	"received":       "Received on",
	"receipt":        "Receipt retention period",
	"rep":            "Account rep",
	"rest":           "Missing pieces",
	"rest-amount":    "Amount paid by this method",
	"rest-method":    "Payment method",
	"rest-reference": "Card digits or reference",
	"retries":        "Retry days",
	"scope":          "Warehouse or store",
	"serial":         "Serial number",
	"sku":            "SKU",
	"source":         "Send from",
	"timezone":       "Time zone",
	"to":             "To",
	"tracking":       "Tracking number",
	"voucher-amount": "Amount used of gift card or discount",
	"voucher-code":   "Code of gift card or discount",
	"voucher-kind":   "Gift card or discount",
	"why":            "Reason",
	"zip":            "Postal code",
}

// label returns the label of a form field. If neither Specs nor enteredLabels contains the
// field, the label is its name in words.
func (p *KeptForm) label(name string) string {
	if label := p.Specs[name].Label; label != "" {
		return label
	}
	name, line := cutLine(name)
	label := enteredLabels[name]
	if label == "" {
		label = capital(strings.ReplaceAll(name, "-", " "))
	}
	return label + line
}

// enteredAmounts are the form fields with amounts that KeptForm.Specs does not contain.
var enteredAmounts = map[string]bool{
	"amount": true, "charge": true, "target": true, "total": true, store.FieldRefundCredit: true, store.FieldVoucherAmount: true, store.FieldRestAmount: true,
	store.FieldDeposit: true, store.FieldKeep: true, store.FieldRate: true,
}

// enteredOptions contains the options of form fields that KeptForm.Specs does not contain.
var enteredOptions = map[string][]ui.Option{
	store.FieldVoucherKind:   kinds(store.VoucherTypes),
	store.FieldRestMethod:    kinds(store.RestTypes),
	store.FieldPayMethod:     payMethods(store.PayMethods),
	store.FieldDepositMethod: payMethods(store.DepositMethods),
	"rest":                   restOptions(),
	"to":                     shipmentOptions(),
}

// shipmentOptions returns the statuses of shipments, for the form that updates one.
func shipmentOptions() []ui.Option {
	options := make([]ui.Option, len(store.ShipmentStatuses))
	for i, s := range store.ShipmentStatuses {
		options[i] = ui.Option{Value: string(s), Text: shipmentBadge(s).Word}
	}
	return options
}

// text returns the value of a form field as pages show it: the text of an option, an amount
// with its currency, or a day. It returns other values, also invalid ones, unchanged.
func (p *KeptForm) text(name, value string) string {
	spec, known := p.Specs[name]
	for _, o := range spec.Options {
		if o.Value == value {
			return o.Label
		}
	}
	for _, o := range enteredOptions[name] {
		if o.Value == value {
			return o.Text
		}
	}
	if spec.Kind == store.InputMoney || !known && enteredAmounts[name] {
		if amount, err := store.ParseMoney(name, value); err == nil {
			return p.money(amount)
		}
	}
	if spec.Kind == store.InputDay || !known {
		if day, err := time.Parse(time.DateOnly, value); err == nil {
			return p.calendar(day)
		}
	}
	return value
}

// cutLine splits the name of a field that belongs to a numbered line: quantity-2 becomes
// "quantity" and " 2".
func cutLine(name string) (of, line string) {
	at := strings.LastIndexByte(name, '-')
	if at < 1 || strings.Trim(name[at+1:], "0123456789") != "" {
		return name, ""
	}
	return name[:at], " " + name[at+1:]
}

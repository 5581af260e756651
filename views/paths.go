package views

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Paths of the pages of records. An ID can contain any character, so it is escaped as one
// segment of the path.

// OrderPath returns the path of an order.
func OrderPath(id string) string { return "/orders/" + ui.Segment(id) }

// InvoicePath returns the path of an invoice.
func InvoicePath(id string) string { return "/invoices/" + ui.Segment(id) }

// ShipmentPath returns the path of a shipment.
func ShipmentPath(id string) string { return "/shipments/" + ui.Segment(id) }

// CustomerPath returns the path of a customer.
func CustomerPath(id string) string { return "/customers/" + ui.Segment(id) }

// ProductPath returns the path of a product.
func ProductPath(id string) string { return "/products/" + ui.Segment(id) }

// StockPath returns the path of a product's stock in a warehouse.
func StockPath(productID, warehouseID string) string {
	return ProductPath(productID) + "/stock/" + ui.Segment(warehouseID)
}

// WarehousePath returns the path of a warehouse.
func WarehousePath(id string) string { return "/warehouses/" + ui.Segment(id) }

// KayakPath returns the path of a kayak.
func KayakPath(id string) string { return "/kayaks/" + ui.Segment(id) }

// EmployeePath returns the path of an employee.
func EmployeePath(id string) string { return "/employees/" + ui.Segment(id) }

// OrderItemPath returns the path of an item of an order.
func OrderItemPath(orderID, productID string) string {
	return OrderPath(orderID) + "/items/" + ui.Segment(productID)
}

// ReferencePath returns the path of an entry of a reference list, such as regions.
func ReferencePath(kind store.ReferenceKind, id string) string {
	return "/reference/" + kind.List() + "/" + ui.Segment(id)
}

// ChoicesPath returns the address from which a PickField requests suggestions for a kind of
// record.
func ChoicesPath(kind string) string { return "/choices/" + ui.Segment(kind) }

// UserPath returns the path of a user.
func UserPath(name string) string { return "/admin/users/" + ui.Segment(name) }

// StorePath returns the path of a rental store.
func StorePath(id string) string { return "/stores/" + ui.Segment(id) }

// PersonPath returns the path of a person.
func PersonPath(id string) string { return "/people/" + ui.Segment(id) }

// CheckOutPath returns the address of a store's check-out form with the given kayaks
// entered.
func CheckOutPath(storeID string, kayakIDs ...string) string {
	return withKayaks(StorePath(storeID)+"/check-out", kayakIDs)
}

// ReturnPath returns the address of a store's check-in form with the given kayaks
// entered.
func ReturnPath(storeID string, kayakIDs ...string) string {
	return withKayaks(StorePath(storeID)+"/return", kayakIDs)
}

// ExtendPath returns the address of a store's form that moves the due day of rentals, with
// the given kayaks entered.
func ExtendPath(storeID string, kayakIDs ...string) string {
	return withKayaks(StorePath(storeID)+"/extend", kayakIDs)
}

// withKayaks adds kayak IDs to an address, in the parameter kayaks with one ID per
// line.
func withKayaks(path string, kayakIDs []string) string {
	if len(kayakIDs) == 0 {
		return path
	}
	return path + "?kayaks=" + url.QueryEscape(strings.Join(kayakIDs, "\n"))
}

// LeavePath returns the address of the form that ends a person's employment at a store.
func LeavePath(storeID, personID string) string {
	return StorePath(storeID) + "/leave?person=" + url.QueryEscape(personID)
}

// With returns the address of the first page of the list, with one parameter changed. If
// value is "", the parameter is removed.
func (l List) With(name, value string) string {
	var a addresses
	a.start(&l, 1)
	return a.with(ui.Param{Name: name, Value: value})
}

// addresses builds addresses of a list with few allocations.
type addresses struct {
	path      string
	extension string // extension of the path
	params    []ui.Param
	text      strings.Builder
}

// start sets the list, and makes room for about n addresses.
func (a *addresses) start(l *List, n int) {
	a.path, a.params = l.Path, l.Params
	size := len(a.path) + len("?status=CANCELLED")
	for _, p := range a.params {
		size += len(p.Name) + len(p.Value) + len("&=")
	}
	a.text.Grow(n * size)
}

// with is like List.With, for several parameters.
func (a *addresses) with(changed ...ui.Param) string {
	start, separator := a.text.Len(), byte('?')
	a.text.WriteString(a.path)
	a.text.WriteString(a.extension)
	for _, p := range a.params {
		if !slices.ContainsFunc(changed, func(c ui.Param) bool { return c.Name == p.Name }) {
			a.add(separator, p)
			separator = '&'
		}
	}
	for _, p := range changed {
		if p.Value != "" {
			a.add(separator, p)
			separator = '&'
		}
	}
	return a.text.String()[start:]
}

func (a *addresses) add(separator byte, p ui.Param) {
	a.text.WriteByte(separator)
	a.escape(p.Name)
	a.text.WriteByte('=')
	a.escape(p.Value)
}

// escape writes text as url.QueryEscape escapes it.
func (a *addresses) escape(text string) {
	const hex = "0123456789ABCDEF"
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~':
			a.text.WriteByte(c)
		case c == ' ':
			a.text.WriteByte('+')
		default:
			a.text.WriteByte('%')
			a.text.WriteByte(hex[c>>4])
			a.text.WriteByte(hex[c&15])
		}
	}
}

// CSV returns the address of the complete list as CSV.
func (l List) CSV() string { return l.as(".csv") }

// JSON returns the address of the complete list as JSON.
func (l List) JSON() string { return l.as(".json") }

func (l *List) as(extension string) string {
	var a addresses
	a.start(l, 1)
	a.extension = extension
	return a.with(ui.Param{Name: "limit"})
}

// BookingPath returns the path of a booking.
func BookingPath(id string) string { return "/bookings/" + ui.Segment(id) }

// WeekPath returns the address of the week of a store that contains a day.
func WeekPath(storeID string, day time.Time) string {
	return StorePath(storeID) + "/week?day=" + day.Format(time.DateOnly)
}

// BookPath returns the address of a store's form for a new booking. The form suggests day
// as the first day, and the kayak unless kayakID is "".
func BookPath(storeID, kayakID string, day time.Time) string {
	path := StorePath(storeID) + "/book?from=" + day.Format(time.DateOnly)
	if kayakID != "" {
		path += "&kayak=" + url.QueryEscape(kayakID)
	}
	return path
}

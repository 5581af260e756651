package views

import (
	"net/url"
	"strings"

	"stockroom/views/ui"
)

// Addresses of things by their IDs. An ID may hold what means something in an
// address, such as / or ?, so each is escaped as one segment of the path.

// OrderPath is the address of an order.
func OrderPath(id string) string { return "/orders/" + url.PathEscape(id) }

// InvoicePath is the address of an invoice.
func InvoicePath(id string) string { return "/invoices/" + url.PathEscape(id) }

// ShipmentPath is the address of a shipment.
func ShipmentPath(id string) string { return "/shipments/" + url.PathEscape(id) }

// CustomerPath is the address of a customer.
func CustomerPath(id string) string { return "/customers/" + url.PathEscape(id) }

// ProductPath is the address of a product.
func ProductPath(id string) string { return "/products/" + url.PathEscape(id) }

// WarehousePath is the address of a warehouse.
func WarehousePath(id string) string { return "/warehouses/" + url.PathEscape(id) }

// With is the address of the list with one parameter set otherwise, from its
// beginning; "" takes the parameter off.
func (l List) With(name, value string) string {
	params := make([]ui.Param, 0, len(l.Params)+1)
	for _, p := range l.Params {
		if p.Name != name {
			params = append(params, p)
		}
	}
	if value != "" {
		params = append(params, ui.Param{Name: name, Value: value})
	}
	return address(l.Path, params)
}

// CSV is the address of the same rows, to the last, for a spreadsheet.
func (l List) CSV() string { return address(l.Path+".csv", l.Params) }

// JSON is the address of the same rows for a program.
func (l List) JSON() string { return address(l.Path+".json", l.Params) }

func address(path string, params []ui.Param) string {
	var b strings.Builder
	b.WriteString(path)
	for i, p := range params {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(p.Name))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(p.Value))
	}
	return b.String()
}

package handlers

import (
	"slices"
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

// search shows the search results. If the text is a unique value of exactly one record,
// such as its ID, email address, phone number, SKU, or tracking or serial number, search
// redirects to the record. It does not redirect requests of htmx, because htmx sends them while the user
// types.
func search(r *request) error {
	q, err := r.query("q")
	if err != nil {
		return err
	}
	text := q.Get("q")
	var found *store.SearchResults
	if text != "" {
		if found, err = r.shop.Search(r.ctx(), text); err != nil {
			return err
		}
		if path := exactMatch(found); path != "" && r.Request().Header.Get("HX-Request") == "" {
			return web.Redirect(r.Context, path)
		}
	}
	if found != nil {
		r.related = found.Related
	}
	page := r.page("Search")
	page.IsSearch = true
	page.Query = text
	return r.show(views.SearchPage(views.Search{Page: page, Found: found}))
}

// exactMatch returns the path of the only result if the text is a unique value, such as
// an ID. It returns "" if there are several results, or if the text is only a name.
func exactMatch(found *store.SearchResults) string {
	if found.Count() != 1 {
		return ""
	}
	text := found.Text
	is := func(values ...string) bool {
		return slices.ContainsFunc(values, func(value string) bool {
			return strings.EqualFold(value, text) || value != "" && value == found.Number || value != "" && key.Code(value) == key.Code(text)
		})
	}
	switch {
	case len(found.Orders) == 1 && is(found.Orders[0].ID):
		return views.OrderPath(found.Orders[0].ID)
	case len(found.Invoices) == 1 && is(found.Invoices[0].ID, found.Invoices[0].NumberText(), strconv.Itoa(found.Invoices[0].Number)):
		return views.InvoicePath(found.Invoices[0].ID)
	case len(found.Shipments) == 1 && is(found.Shipments[0].ID, found.Shipments[0].Tracking):
		return views.ShipmentPath(found.Shipments[0].ID)
	case len(found.Customers) == 1 && (is(found.Customers[0].ID, found.Customers[0].Email) || found.Customers[0].HasPhone(text)):
		return views.CustomerPath(found.Customers[0].ID)
	case len(found.Kayaks) == 1 && is(found.Kayaks[0].ID, found.Kayaks[0].Serial):
		return views.KayakPath(found.Kayaks[0].ID)
	case len(found.Stores) == 1 && is(found.Stores[0].ID):
		return views.StorePath(found.Stores[0].ID)
	case len(found.People) == 1 && (is(found.People[0].ID, found.People[0].Email) || found.People[0].HasPhone(text)):
		return views.PersonPath(found.People[0].ID)
	case len(found.Products) == 1 && is(found.Products[0].ID, found.Products[0].SKU):
		return views.ProductPath(found.Products[0].ID)
	case len(found.Warehouses) == 1 && is(found.Warehouses[0].ID):
		return views.WarehousePath(found.Warehouses[0].ID)
	case len(found.Employees) == 1 && is(found.Employees[0].ID, found.Employees[0].Email):
		return views.EmployeePath(found.Employees[0].ID)
	case len(found.Subscriptions) == 1 && is(found.Subscriptions[0].ID):
		return views.BillingPath(found.Subscriptions[0].AccountID)
	}
	return ""
}

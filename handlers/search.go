package handlers

import (
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// search renders the results. If the text is the ID, email address, phone number
// or SKU of exactly one entity, it redirects to that entity, except for the
// requests that htmx makes while the user types.
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
		if path := exactMatch(found, text); path != "" && r.Request().Header.Get("HX-Request") == "" {
			return web.Redirect(r.Context, path)
		}
	}
	page := r.page("Search")
	page.IsSearch = true
	page.Query = text
	return r.show(views.SearchPage(views.Search{Page: page, Found: found}))
}

// exactMatch returns the path of the entity that the text identifies. It returns ""
// if there are several results, or if the text is only the start of a name.
func exactMatch(found *store.SearchResults, text string) string {
	if found.Count() != 1 {
		return ""
	}
	id := text
	if _, after, prefixed := strings.Cut(text, "#"); prefixed {
		id = after
	}
	switch {
	case len(found.Orders) == 1:
		return views.OrderPath(found.Orders[0].ID)
	case len(found.Invoices) == 1:
		return views.InvoicePath(found.Invoices[0].ID)
	case len(found.Shipments) == 1:
		return views.ShipmentPath(found.Shipments[0].ID)
	case len(found.Customers) == 1 && (found.Customers[0].ID == id || strings.EqualFold(found.Customers[0].Email, text) || found.Customers[0].HasPhone(text)):
		return views.CustomerPath(found.Customers[0].ID)
	case len(found.Kayaks) == 1:
		return views.KayakPath(found.Kayaks[0].ID)
	case len(found.Stores) == 1:
		return views.StorePath(found.Stores[0].ID)
	case len(found.People) == 1:
		return views.PersonPath(found.People[0].ID)
	case len(found.Products) == 1 && (found.Products[0].ID == id || found.Products[0].SKU == text):
		return views.ProductPath(found.Products[0].ID)
	case len(found.Warehouses) == 1 && found.Warehouses[0].ID == id:
		return views.WarehousePath(found.Warehouses[0].ID)
	case len(found.Employees) == 1 && found.Employees[0].ID == id:
		return views.EmployeePath(found.Employees[0].ID)
	}
	return ""
}

package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Note is the form that adds a note to a record.
type Note struct {
	Page
	Form
	On    Noted
	Text  ui.Input
	Roles []store.Role // roles that the user has chosen
}

// NoteRolesParam is the parameter with the roles whose users see the note on Today.
const NoteRolesParam = "for"

func noteField(text ui.Input) ui.Field {
	return ui.Field{Name: "note", Label: "Note", Required: true, Input: text}
}

// Noted is a record to which a note can be added.
type Noted struct {
	ID             string
	Path           string // path of the record's page
	List, ListName string // path and name of the list to which the form links back
}

// The next functions return the records that can have notes.

func NotedOrder(id string) Noted { return Noted{id, OrderPath(id), "/orders", "Orders"} }

func NotedCustomer(id string) Noted { return Noted{id, CustomerPath(id), "/customers", "Customers"} }

func NotedAccount(id string) Noted {
	return Noted{id, BillingPath(id), "/subscriptions", "Subscriptions"}
}

func NotedKayak(id string) Noted   { return Noted{id, KayakPath(id), "/stores", "Stores"} }
func NotedProduct(id string) Noted { return Noted{id, ProductPath(id), "/products", "Products"} }

// NotedStock returns the stock of a product in a warehouse.
func NotedStock(productID, warehouseID string) Noted {
	return Noted{warehouseID, StockPath(productID, warehouseID), ProductPath(productID), productID}
}

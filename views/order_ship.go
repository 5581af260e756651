package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// OrderShip is the form that ships items of an order from one warehouse.
type OrderShip struct {
	Page
	Form
	Order      store.Order
	Lines      []LineForm // a field for each line with open pieces
	Warehouses []store.Warehouse
	From       string // ID of the chosen warehouse; "" if none has stock
	Stock      map[string][]store.WarehouseItem

	CanEditAddress bool // the user may still add or change the delivery address
	CanAddAddress  bool // the delivery address can still be added, by users with the permission

	Service, Carrier, Tracking ui.Input
}

func (p OrderShip) fields() []ui.Field {
	return append(lineFields(p.Lines),
		ui.Field{Name: store.FieldService, Label: "Service", Hint: "For example, Express.", Input: p.Service},
		ui.Field{Name: store.FieldCarrier, Label: "Carrier", Input: p.Carrier},
		ui.Field{Name: store.FieldTracking, Label: "Tracking number", Input: p.Tracking},
	)
}

// path returns the address of the form for another warehouse.
func (p OrderShip) path(warehouseID string) string {
	return List{Path: OrderPath(p.Order.ID) + "/ship"}.With(store.FieldWarehouse, warehouseID)
}

// tabs returns a tab for each warehouse, with the number of pieces that it can ship.
func (p OrderShip) tabs() []ui.Tab {
	tabs := make([]ui.Tab, len(p.Warehouses))
	for i, w := range p.Warehouses {
		tabs[i] = ui.Tab{Name: nameOr(w.Name, w.ID) + " " + strconv.Itoa(p.ready(w.ID)), URL: p.path(w.ID), Current: w.ID == p.From}
	}
	return tabs
}

// ready returns the number of pieces that a warehouse can ship now.
func (p OrderShip) ready(warehouseID string) int {
	sum := 0
	for _, l := range p.Lines {
		sum += min(l.Most, store.QuantityIn(p.Stock[l.Line.ProductID], warehouseID))
	}
	return sum
}

// showsElsewhere reports whether the user may see the stock of other warehouses than the
// chosen one.
func (p OrderShip) showsElsewhere() bool {
	return seesAll(&p.Page) || len(p.User.Warehouses) > 1
}

// elsewhereLabel returns the label of the stock of other warehouses.
func (p OrderShip) elsewhereLabel() string {
	if seesAll(&p.Page) {
		return "Elsewhere"
	}
	return "In your other warehouses"
}

// elsewhere describes the stock of a product in the other warehouses that the user may see.
func (p OrderShip) elsewhere(productID string) string {
	var places []string
	for _, item := range p.Stock[productID] {
		if item.WarehouseID != p.From && item.Quantity > 0 {
			places = append(places, warehouseName(p.Warehouses, item.WarehouseID)+" "+strconv.Itoa(item.Quantity))
		}
	}
	return nameOr(joinNonEmpty(", ", places...), "–")
}

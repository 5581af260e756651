package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// Stock is the page of a product in one warehouse: its ledger, expected deliveries,
// transfers and notes.
type Stock struct {
	Page
	Item      store.WarehouseItem // Item.Version is 0 if the product was never in the warehouse
	Warehouse store.Warehouse
	Archived  bool             // the product is archived, so it can't be received
	Total     int              // stock in all warehouses that the user may see
	Level     store.StockLevel // stock level in all warehouses
	Cover     Single[store.StockCover]
	Ledger    Part[store.StockMove] // newest first
	Expected  Part[store.ExpectedDelivery]
	Transfers Part[store.Transfer] // transfers in transit to the warehouse
	Notes     Part[store.Event]    // newest first
	Token     string               // token of the form that adds a note
	CanChange bool
	Form             // form for the reorder point
	Seen      string // see FieldSeen
}

// inWarehouses returns "in all warehouses", or "in your warehouses" for managers.
func inWarehouses(p *Page) string {
	if seesAll(p) {
		return "in all warehouses"
	}
	return "in your warehouses"
}

// levelNote returns a note for managers: stock levels cover all warehouses, although
// most figures on a manager's pages cover only the manager's warehouses. For other
// users, it returns "".
func levelNote(p *Page) string {
	if seesAll(p) {
		return ""
	}
	return "Stock figures cover all warehouses, not only yours."
}

func notInStock(p *Page) string {
	if seesAll(p) {
		return "Not in stock in any warehouse."
	}
	return "Not in stock in your warehouses."
}

// anyWarehouse returns the name of the filter option for all warehouses that the user
// may see.
func anyWarehouse(p *Page) string {
	if seesAll(p) {
		return "All warehouses"
	}
	return "Your warehouses"
}

// toWarehouses ends a sentence about incoming stock. For managers, it adds "to your
// warehouses", because they do not see what is on its way to other warehouses.
func toWarehouses(p *Page, sentence string) string {
	if seesAll(p) {
		return sentence + "."
	}
	return sentence + " to your warehouses."
}

// coverText says how long the stock will last, or returns "" if this is unknown.
func (p Stock) coverText() string {
	c := p.Cover.Found
	days, ok := c.Days(p.Item.Quantity)
	switch {
	case ok && days == 0:
		return count(c.Shipped, "piece", "pieces") + " shipped in the last " + spanText(c.Hours) + "."
	case ok:
		return "Lasts about " + count(days, "day", "days") + ": " + count(c.Shipped, "piece", "pieces") + " shipped in the last " + spanText(c.Hours) + "."
	case c.Hours > 0:
		return "Nothing shipped in the last " + spanText(c.Hours) + "."
	}
	return ""
}

// spanText formats a number of hours. From 48 hours on, it formats them as days.
func spanText(hours int) string {
	if hours < 48 {
		return count(hours, "hour", "hours")
	}
	return count(hours/24, "day", "days")
}

func (p Stock) formTarget() ui.Change {
	return p.to(StockPath(p.Item.ProductID, p.Item.WarehouseID)+"/"+string(StockReorder), "Save", "")
}

func (p Stock) reorderFields() []ui.Field {
	return reorderFields(ui.Input{Value: strconv.Itoa(p.Item.ReorderPoint)}, ui.Input{Value: p.Item.Bin})
}

func onHand(items []store.WarehouseItem) int {
	sum := 0
	for i := range items {
		sum += items[i].Quantity
	}
	return sum
}

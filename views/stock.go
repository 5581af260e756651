package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// Stock is a product in one warehouse: how much of it, and its ledger.
type Stock struct {
	Page
	Item      store.WarehouseItem // of Version 0 where none of it has ever lain there
	Warehouse store.Warehouse
	Total     int                   // pieces in all warehouses that the user may see
	Ledger    Part[store.StockMove] // newest first
	MayChange bool
	Form      // of the reorder point, where it may be changed
}

// StockChangeKind is a way to change what lies in a warehouse.
type StockChangeKind string

// The ways to change stock, by the last part of their address.
const (
	StockReceive  StockChangeKind = "receive"
	StockAdjust   StockChangeKind = "adjust"
	StockCount    StockChangeKind = "count"
	StockTransfer StockChangeKind = "transfer"
	StockReorder  StockChangeKind = "reorder"
)

// StockChange is the form of a change of stock. It posts quantity and reason,
// for a transfer also to, for the reorder point reorder and bin instead.
type StockChange struct {
	Page
	Form
	Kind       StockChangeKind
	Item       store.WarehouseItem // as it is now
	Warehouse  store.Warehouse
	Warehouses []store.Warehouse // those that a transfer may go to
	Last       store.Event       // after a conflict: what somebody else did, where it is known

	Quantity, To, Reason ui.Input
	Reorder, Bin         ui.Input
}

// Receiving asks which product has arrived in a warehouse. It goes on by GET
// with product.
type Receiving struct {
	Page
	Warehouse store.Warehouse
	Product   ui.Input // an ID or an SKU
}

// words are the heading, the label of the button, and what it asks for.
func (k StockChangeKind) words() (title, submit, quantity, hint string) {
	switch k {
	case StockReceive:
		return "Receive goods", "Receive", "Pieces that arrived", ""
	case StockAdjust:
		return "Adjust stock", "Adjust", "More or fewer by", "3 for three more, -3 for three fewer."
	case StockCount:
		return "Count stock", "Save the count", "Pieces counted", "What lies there, whatever was expected."
	case StockTransfer:
		return "Transfer stock", "Transfer", "Pieces to send", ""
	case StockReorder:
		return "Reorder point and bin", "Save", "", ""
	}
	return string(k), "Save", "Quantity", ""
}

// Title is the heading of the form.
func (k StockChangeKind) Title() string {
	title, _, _, _ := k.words()
	return title
}

func (p StockChange) fields() []ui.Field {
	if p.Kind == StockReorder {
		fields := reorderFields(p.Reorder, p.Bin)
		fields[0].Now = p.now(p.Reorder.Value, strconv.Itoa(p.Item.ReorderPoint))
		fields[1].Now = p.now(p.Bin.Value, p.Item.Bin)
		return fields
	}
	var fields []ui.Field
	if p.Kind == StockTransfer {
		fields = append(fields, ui.Field{Name: "to", Label: "To warehouse", Required: true, Input: p.To})
	}
	_, _, label, hint := p.Kind.words()
	// An adjustment may be negative, and a phone's keyboard of digits has no
	// minus.
	quantity := ui.Field{Name: "quantity", Label: label, Hint: hint, Required: true, Numeric: p.Kind != StockAdjust, Input: p.Quantity}
	if p.Conflict {
		quantity.Now = count(p.Item.Quantity, "piece", "pieces") + " in stock"
	}
	return append(fields, quantity, ui.Field{Name: "reason", Label: "Reason", Hint: "It stays in the ledger.", Required: true, Input: p.Reason})
}

func reorderFields(reorder, bin ui.Input) []ui.Field {
	return []ui.Field{
		{Name: "reorder", Label: "Reorder at", Hint: "At or below it, the stock is low.", Required: true, Numeric: true, Input: reorder},
		{Name: "bin", Label: "Bin", Input: bin},
	}
}

func (p StockChange) options() []ui.Option {
	options := []ui.Option{{Text: "Choose a warehouse"}}
	for _, w := range p.Warehouses {
		if w.ID != p.Item.WarehouseID {
			options = append(options, ui.Option{Value: w.ID, Text: named(w.Name, w.ID)})
		}
	}
	return options
}

func (p StockChange) sent() ui.Change {
	_, submit, _, _ := p.Kind.words()
	path := StockPath(p.Item.ProductID, p.Item.WarehouseID)
	return p.to(path+"/"+string(p.Kind), submit, path)
}

func (p Stock) sent() ui.Change {
	return p.to(StockPath(p.Item.ProductID, p.Item.WarehouseID)+"/"+string(StockReorder), "Save", "")
}

func (p Stock) reorderFields() []ui.Field {
	return reorderFields(ui.Input{Value: strconv.Itoa(p.Item.ReorderPoint)}, ui.Input{Value: p.Item.Bin})
}

// explained is the form with who was first, where somebody was.
func (p StockChange) explained() Form {
	f := p.Form
	if e := p.Last; e.ID != "" {
		f.Problem += " " + joined(", ", capital(e.What)+" by "+named(e.By, "nobody known"), p.time(e.When), e.Why) + "."
	}
	return f
}

// onHand adds up the stock of several warehouses.
func onHand(items []store.WarehouseItem) int {
	sum := 0
	for i := range items {
		sum += items[i].Quantity
	}
	return sum
}

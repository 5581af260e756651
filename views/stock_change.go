package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// StockChangeKind is a kind of stock change.
type StockChangeKind string

// The kinds of stock changes. Each is also the last part of the form's path.
const (
	StockReceive  StockChangeKind = "receive"
	StockAdjust   StockChangeKind = "adjust"
	StockCount    StockChangeKind = "count"
	StockTransfer StockChangeKind = "transfer"
	StockReorder  StockChangeKind = "reorder"
)

// StockChange is the form of a stock change. Its fields are "quantity" and "reason". A
// transfer also has "to". The form for the reorder point has only "reorder" and "bin".
type StockChange struct {
	Page
	Form
	Kind       StockChangeKind
	Item       store.WarehouseItem // current stock
	Warehouse  store.Warehouse
	Warehouses []store.Warehouse // possible destinations of a transfer
	Last       store.Event       // last change of the stock, after a conflict; zero if there is none

	Quantity, To, Reason ui.Input
	Reorder, Bin         ui.Input
	Was                  string // quantity in stock that the form showed at first
	Seen                 string // of a form with the reorder point; see FieldSeen
	ToWarehouse          bool   // the user returns to the page of the warehouse
}

// words returns the title and the button of the form, and the label and the hint of the
// field "quantity".
func (k StockChangeKind) words() (title, submit, quantity, hint string) {
	switch k {
	case StockReceive:
		return "Receive goods", "Receive goods", "Quantity received", ""
	case StockAdjust:
		return "Adjust stock", "Adjust stock", "Change in quantity", "For example, 3 or -3."
	case StockCount:
		return "Count stock", "Save count", "Quantity counted", "The quantity actually on the shelf."
	case StockTransfer:
		return "Transfer immediately", "Transfer immediately", "Quantity to transfer", "The pieces are in the other warehouse immediately, without being in transit."
	case StockReorder:
		return "Reorder point and bin", "Save", "", ""
	}
	return string(k), "Save", "Quantity", ""
}

// Title returns the title of the form.
func (k StockChangeKind) Title() string {
	title, _, _, _ := k.words()
	return title
}

// shownQuantity returns the quantity in stock that the form shows. After a conflict,
// this is the current quantity.
func (p StockChange) shownQuantity() string {
	if p.Conflict {
		return strconv.Itoa(p.Item.Quantity)
	}
	return p.Was
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
	// An adjustment can need a minus sign, which the numeric keyboard of a phone lacks.
	quantity := ui.Field{Name: "quantity", Label: label, Hint: hint, Required: true, Numeric: p.Kind != StockAdjust, Input: p.Quantity}
	if p.Conflict {
		quantity.Now = count(p.Item.Quantity, "piece", "pieces") + " in stock"
		if n, err := strconv.Atoi(p.Was); err == nil && n != p.Item.Quantity {
			quantity.Now += ", " + number(n) + " when you opened the form"
		}
	}
	return append(fields, quantity, ui.Field{Name: "reason", Label: "Reason", Hint: "Shown in the stock ledger.", Required: true, Input: p.Reason})
}

func reorderFields(reorder, bin ui.Input) []ui.Field {
	return []ui.Field{
		{Name: "reorder", Label: "Reorder point", Hint: "Stock at or below this quantity is low.", Required: true, Numeric: true, Input: reorder},
		{Name: "bin", Label: "Bin", Input: bin},
	}
}

func (p StockChange) options() []ui.Option {
	options := []ui.Option{{Text: "Choose a warehouse"}}
	for _, w := range p.Warehouses {
		if w.ID != p.Item.WarehouseID {
			options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
		}
	}
	return options
}

func (p StockChange) formTarget() ui.Change {
	_, submit, _, _ := p.Kind.words()
	path := StockPath(p.Item.ProductID, p.Item.WarehouseID)
	back := path
	if p.ToWarehouse {
		back = WarehousePath(p.Item.WarehouseID)
	}
	return p.to(path+"/"+string(p.Kind), submit, back)
}

// formWithLastChange returns the form. After a conflict, its message describes the last
// change of the stock.
func (p StockChange) formWithLastChange() Form {
	f := p.Form
	if e := p.Last; e.ID != "" {
		f.Problem += " " + joinNonEmpty(", ", capital(e.Sentence())+" by "+nameOr(e.By, "unknown user"), p.time(e.When), e.Why) + "."
	}
	return f
}

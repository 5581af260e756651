package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// LineForm is one line of an order in a form: how many of it, out of how many.
type LineForm struct {
	Line     store.OrderItem
	Most     int // that can leave or come back
	Quantity ui.Input
}

// Shipping is the form that packs a parcel of an order in one warehouse.
type Shipping struct {
	Page
	Form
	Order      store.Order
	Lines      []LineForm // those that are still open
	Warehouses []store.Warehouse
	From       string // the ID of the one that it leaves from; "" where there is none to choose
	Stock      map[string][]store.WarehouseItem

	Service, Carrier, Tracking ui.Input
}

// TakingBack is the form that takes goods back.
type TakingBack struct {
	Page
	Form
	Order      store.Order
	Lines      []LineForm
	Warehouses []store.Warehouse // those that they can be put into

	Warehouse, Why ui.Input
}

// Cancelling is the form that calls off what has not left.
type Cancelling struct {
	Page
	Form
	Order store.OrderDetails
	Why   ui.Input
}

// ProductParam and QuantityParam name the fields of the n-th line of a form,
// from 1: which product it is, and how many of it.
func ProductParam(n int) string { return "product-" + strconv.Itoa(n) }

// QuantityParam: see ProductParam.
func QuantityParam(n int) string { return "quantity-" + strconv.Itoa(n) }

// lineFields ask how many of each line; the n-th field is of the n-th line.
func lineFields(lines []LineForm) []ui.Field {
	fields := make([]ui.Field, len(lines))
	for i, l := range lines {
		fields[i] = ui.Field{
			Name: QuantityParam(i + 1), Label: "Quantity of " + named(l.Line.Name, l.Line.ProductID),
			Numeric: true, Bare: true, Input: l.Quantity,
		}
	}
	return fields
}

func (p Shipping) fields() []ui.Field {
	return append(lineFields(p.Lines),
		ui.Field{Name: store.FieldService, Label: "Service", Hint: "Such as Express.", Input: p.Service},
		ui.Field{Name: store.FieldCarrier, Label: "Carrier", Input: p.Carrier},
		ui.Field{Name: store.FieldTracking, Label: "Tracking", Input: p.Tracking},
	)
}

func (p TakingBack) fields() []ui.Field {
	return append(lineFields(p.Lines),
		ui.Field{Name: store.FieldWarehouse, Label: "Put into the stock of", Input: p.Warehouse},
		whyField(p.Why),
	)
}

// path is the address of the form for another warehouse.
func (p Shipping) path(warehouseID string) string {
	return List{Path: OrderPath(p.Order.ID) + "/ship"}.With(store.FieldWarehouse, warehouseID)
}

// tabs are the warehouses that a parcel may leave from, each with how much of
// what is open lies there.
func (p Shipping) tabs() []ui.Tab {
	tabs := make([]ui.Tab, len(p.Warehouses))
	for i, w := range p.Warehouses {
		tabs[i] = ui.Tab{Name: named(w.Name, w.ID) + " " + strconv.Itoa(p.ready(w.ID)), URL: p.path(w.ID), Current: w.ID == p.From}
	}
	return tabs
}

// ready is how many pieces could leave a warehouse now.
func (p Shipping) ready(warehouseID string) int {
	sum := 0
	for _, l := range p.Lines {
		sum += min(l.Most, store.InWarehouse(p.Stock[l.Line.ProductID], warehouseID))
	}
	return sum
}

// elsewhere is how much of a line lies in the other warehouses.
func (p Shipping) elsewhere(productID string) string {
	var places []string
	for _, item := range p.Stock[productID] {
		if item.WarehouseID != p.From && item.Quantity > 0 {
			places = append(places, warehouseName(p.Warehouses, item.WarehouseID)+" "+strconv.Itoa(item.Quantity))
		}
	}
	return named(joined(", ", places...), "–")
}

func (p TakingBack) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "None: not put back"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: named(w.Name, w.ID)})
	}
	return options
}

package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Deliveries is the list of expected deliveries. It is sorted by warehouse, then by day.
type Deliveries struct {
	Page
	List
	Overdue    bool              // the list contains only overdue deliveries
	Warehouse  ui.Input          // warehouse ID
	Warehouses []store.Warehouse // options of the filter
	Rows       []store.ExpectedDelivery
}

func (p Deliveries) tabs() []ui.Tab {
	return []ui.Tab{
		{Name: "All", URL: p.With("show", ""), Current: !p.Overdue},
		{Name: "Overdue", URL: p.With("show", "overdue"), Current: p.Overdue},
	}
}

// DeliveriesPath is the path of the list of expected deliveries.
const DeliveriesPath = "/deliveries"

const overdueDeliveries = DeliveriesPath + "?show=overdue"

// DeliveryPath returns the path of an expected delivery. The paths of its forms begin with
// it.
func DeliveryPath(d store.ExpectedDelivery) string {
	return StockPath(d.ProductID, d.WarehouseID) + "/deliveries/" + ui.Segment(d.ID)
}

// newDeliveryPath returns the address of the form that adds an expected delivery,
// with the product and the warehouse filled in.
func newDeliveryPath(productID, warehouseID string) string {
	return List{Path: DeliveriesPath + "/new", Params: []ui.Param{{Name: "product", Value: productID}}}.With("warehouse", warehouseID)
}

// deliveryColumns selects the columns of a table of deliveries. All tables show the day,
// the supplier and the quantity.
type deliveryColumns struct {
	product    bool
	warehouses []store.Warehouse // names of the warehouses; nil for no column
	archived   bool              // the product is archived, so the table has no links to receive it
}

// namesRow reports whether the first column contains the product or the warehouse. On a
// phone, this column then also shows the day.
func (c deliveryColumns) namesRow() bool { return c.product || c.warehouses != nil }

// dueBadge returns the badge of a delivery that is overdue or due today. For other
// deliveries, due is false.
func dueBadge(p *Page, d store.ExpectedDelivery) (b ui.Badge, due bool) {
	if late, is := lateBadge(p, d.Due); is {
		return late, true
	}
	year, month, day := p.Now.In(p.zone()).Date()
	return ui.Badge{Word: "Due today", Tone: ui.Waiting}, d.Due.Equal(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// DeliveryChangeKind is a kind of form for an expected delivery. It is also the last
// part of the form's path.
type DeliveryChangeKind string

// The kinds of forms for an expected delivery, besides the form that edits it.
const (
	DeliveryReceive DeliveryChangeKind = "receive"
	DeliveryCancel  DeliveryChangeKind = "cancel"
)

// Title returns the title of the form.
func (k DeliveryChangeKind) Title() string {
	if k == DeliveryCancel {
		return "Cancel expected delivery"
	}
	return "Receive delivery"
}

// Fields returns the names of the form's fields.
func (k DeliveryChangeKind) Fields() []string {
	if k == DeliveryCancel {
		return []string{"reason"}
	}
	return []string{"quantity", "reason", "confirmed"}
}

// DeliveryChange is the form that receives or cancels an expected delivery.
type DeliveryChange struct {
	Page
	Form
	Kind      DeliveryChangeKind
	Delivery  store.ExpectedDelivery
	Warehouse store.Warehouse

	Quantity, Reason ui.Input

	Differing int // the entered quantity, if it differs from the expected one and the user must confirm it; otherwise 0
}

// difference says how the entered quantity differs from the expected one.
func (p *DeliveryChange) difference() string {
	open := p.Delivery.Open()
	if p.Differing > open {
		return count(p.Differing, "piece is", "pieces are") + " " + number(p.Differing-open) + " more than expected. To receive them all, confirm the quantity."
	}
	return count(p.Differing, "piece is", "pieces are") + " " + number(open-p.Differing) + " fewer than expected. To receive them, confirm the quantity. The rest is still expected."
}

// DeliveryReason returns the default value of the field for the reason.
func DeliveryReason(supplier string) string {
	if supplier == "" {
		return "Delivery"
	}
	return "Delivery from " + supplier
}

func (p DeliveryChange) fields() []ui.Field {
	if p.Kind == DeliveryCancel {
		return []ui.Field{{Name: "reason", Label: "Reason (optional)", Input: p.Reason}}
	}
	quantity := ui.Field{Name: "quantity", Label: "Quantity received", Hint: "If fewer pieces arrived, the rest is still expected.", Required: true, Numeric: true, Input: p.Quantity}
	if p.Conflict {
		quantity.Now = count(p.Delivery.Open(), "piece", "pieces") + " expected"
	}
	return []ui.Field{quantity, {Name: "reason", Label: "Reason", Hint: "Shown in the stock ledger.", Required: true, Input: p.Reason}}
}

func (p DeliveryChange) formTarget() ui.Change {
	c := p.to(DeliveryPath(p.Delivery)+"/"+string(p.Kind), p.Kind.Title(), StockPath(p.Delivery.ProductID, p.Delivery.WarehouseID))
	if p.Kind == DeliveryCancel {
		c.Danger, c.Keep = true, "Keep expected delivery"
	}
	if p.Differing > 0 {
		c.Submit = "Confirm and receive"
	}
	return c
}

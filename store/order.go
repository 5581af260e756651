package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// OrderStatus is the status of an order.
type OrderStatus string

// The statuses of an order. A payment changes the status only from open to paid.
const (
	OrderOpen      OrderStatus = "OPEN"
	OrderPaid      OrderStatus = "PAID"
	OrderShipped   OrderStatus = "SHIPPED"
	OrderDelivered OrderStatus = "DELIVERED"
	OrderCancelled OrderStatus = "CANCELLED"
	OrderReturned  OrderStatus = "RETURNED"
)

// OrderStatuses lists all statuses of orders.
var OrderStatuses = []OrderStatus{OrderOpen, OrderPaid, OrderShipped, OrderDelivered, OrderCancelled, OrderReturned}

// ShipmentState says how much of an order has shipped. It is stored in the order, so
// that lists need not read shipments.
type ShipmentState string

// The values of ShipmentState.
const (
	NothingShipped ShipmentState = "NONE"
	PartlyShipped  ShipmentState = "PARTIAL"
	FullyShipped   ShipmentState = "SHIPPED"
)

// ShipmentStates lists all values of ShipmentState.
var ShipmentStates = []ShipmentState{NothingShipped, PartlyShipped, FullyShipped}

// Order is an order of a customer. Its lines, invoices and shipments are separate
// items; see OrderDetails.
type Order struct {
	ID           string
	CustomerID   string
	Date         time.Time
	Status       OrderStatus
	Total        Amount
	AccountRepID string  `json:",omitempty"`
	ShipTo       Address `json:",omitzero"`

	// Values for lists. CustomerName was copied when the order was placed. A transaction
	// that changes lines, invoices or shipments also updates the other values.
	CustomerName  string        `json:",omitempty"`
	ItemCount     int           // sum of all quantities
	PaymentState  InvoiceStatus `json:",omitempty"`
	ShipmentState ShipmentState `json:",omitempty"`
	OpenLines     []string      `json:",omitempty"` // quantity and product ID of each line with items still to ship, such as "2 p10"; nil if unknown

	Unfinished bool `json:",omitempty"` // the cancellation or return needs more transactions; see FinishOrder

	Version int `json:",omitempty"` // 0 if the order comes from a list
}

const attrOpenLines = "OpenLines"

func (*Order) EntityType() string { return "order" }

func (o *Order) KeyValue(name string) string {
	switch name {
	case "id", "shardOf":
		return o.ID
	case "customerID":
		return o.CustomerID
	case "date":
		return key.Time(o.Date)
	case "month":
		return month(o.Date)
	case "status":
		return string(o.Status)
	case "accountRepID":
		return o.AccountRepID
	}
	return ""
}

func (o *Order) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "o#", &o.ID)
	a.FromKey(table.AttrSK, "c#", &o.CustomerID)
	a.Time("Date", &o.Date)
	a.Text("Status", (*string)(&o.Status))
	amountAttribute(a, "Total", &o.Total)
	a.Text("AccountRepID", &o.AccountRepID)
	a.Nested("ShipTo", o.ShipTo.attributes)
	a.Text("CustomerName", &o.CustomerName)
	a.Number("ItemCount", &o.ItemCount)
	a.Text("PaymentState", (*string)(&o.PaymentState))
	a.Text("ShipmentState", (*string)(&o.ShipmentState))
	a.Texts(attrOpenLines, &o.OpenLines)
	a.Flag("Unfinished", &o.Unfinished)
	a.Version(&o.Version)
}

// decodeOrderRow decodes a row of a list of orders. The rows have only the attributes in
// orderRow, and no entity type.
func decodeOrderRow(row Row, to *Order) error { return schema.DecodeProjected(row, to) }

// OrderItem is one line of an order: a product and a quantity.
type OrderItem struct {
	OrderID    string
	ProductID  string
	CustomerID string
	Date       time.Time
	Name       string `json:",omitempty"`
	SKU        string `json:",omitempty"`
	Price      Amount // price per unit when the line was added
	Quantity   int
	Shipped    int
	Returned   int
	Cancelled  bool `json:",omitempty"` // the items that had not shipped were cancelled
	Version    int
}

func (*OrderItem) EntityType() string { return "orderItem" }

// Total returns the total price of the line.
func (i *OrderItem) Total() Amount { return i.Price.Times(i.Quantity) }

func (i *OrderItem) KeyValue(name string) string {
	switch name {
	case "orderID":
		return i.OrderID
	case "productID":
		return i.ProductID
	case "customerID":
		return i.CustomerID
	case "date":
		return key.Time(i.Date)
	case "openDate":
		// Only lines with items still to ship are in this index.
		if i.Shipped < i.Quantity && !i.Cancelled {
			return key.Time(i.Date)
		}
	}
	return ""
}

func (i *OrderItem) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "o#", &i.OrderID)
	a.FromKey(table.AttrSK, "p#", &i.ProductID)
	a.FromKey("GSI2-PK", "c#", &i.CustomerID)
	a.Text("Name", &i.Name)
	a.Text("SKU", &i.SKU)
	amountAttribute(a, "Price", &i.Price)
	a.Number("Quantity", &i.Quantity)
	a.Number("Shipped", &i.Shipped)
	a.Number("Returned", &i.Returned)
	a.Flag("Cancelled", &i.Cancelled)
	a.Time("Date", &i.Date)
	a.Version(&i.Version)
}

func month(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(key.Month)
}

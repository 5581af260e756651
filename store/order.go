package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// OrderStatus is how far an order has come.
type OrderStatus string

// The states of an order. A payment moves only an OPEN one to PAID.
const (
	OrderOpen      OrderStatus = "OPEN"
	OrderPaid      OrderStatus = "PAID"
	OrderShipped   OrderStatus = "SHIPPED"
	OrderDelivered OrderStatus = "DELIVERED"
	OrderCancelled OrderStatus = "CANCELLED"
	OrderReturned  OrderStatus = "RETURNED"
)

// OrderStatuses are all of them, in the order in which an order goes through.
var OrderStatuses = []OrderStatus{OrderOpen, OrderPaid, OrderShipped, OrderDelivered, OrderCancelled, OrderReturned}

// ShipmentState says how much of an order has left, copied onto the order so
// that a list shows it without opening each.
type ShipmentState string

// How much of an order has left.
const (
	NothingShipped ShipmentState = "NONE"
	PartlyShipped  ShipmentState = "PARTIAL"
	FullyShipped   ShipmentState = "SHIPPED"
)

// Order is what a customer asked for.
type Order struct {
	ID           string
	CustomerID   string
	Date         time.Time
	Status       OrderStatus
	Total        Amount
	AccountRepID string  `json:",omitempty"`
	ShipTo       Address `json:",omitzero"`

	// Copied for lists, and written in the same transaction as what they copy.
	CustomerName  string        `json:",omitempty"`
	ItemCount     int           // units over all lines
	PaymentState  InvoiceStatus `json:",omitempty"`
	ShipmentState ShipmentState `json:",omitempty"`

	Version int `json:",omitempty"` // lists leave it out
}

// EntityType implements Entity.
func (*Order) EntityType() string { return "order" }

// KeyValue implements Entity.
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
	a.Version(&o.Version)
}

// decodeOrderRow decodes an order of a list, which is read without its type.
func decodeOrderRow(item Item, to *Order) error { return schema.DecodeProjected(item, to) }

// OrderItem is one line of an order: a product and how many of it.
type OrderItem struct {
	OrderID    string
	ProductID  string
	CustomerID string
	Date       time.Time
	Name       string `json:",omitempty"`
	SKU        string `json:",omitempty"`
	Price      Amount // of one, when it was ordered
	Quantity   int
	Shipped    int
	Returned   int
	Cancelled  bool `json:",omitempty"` // the order was cancelled: nothing more will leave
	Version    int
}

// EntityType implements Entity.
func (*OrderItem) EntityType() string { return "orderItem" }

// Total is the price of the whole line.
func (i *OrderItem) Total() Amount { return i.Price.Times(i.Quantity) }

// KeyValue implements Entity.
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
		// A line stands among the items on order until all of it has left.
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

package store

import (
	"time"

	"stockroom/store/key"
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
	WhollyShipped  ShipmentState = "SHIPPED"
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

func (o *Order) write(a *attributes) {
	a.time("Date", o.Date)
	a.text("Status", string(o.Status))
	a.amount("Total", o.Total)
	a.text("AccountRepID", o.AccountRepID)
	a.nested("ShipTo", o.ShipTo.write)
	a.text("CustomerName", o.CustomerName)
	a.number("ItemCount", o.ItemCount)
	a.text("PaymentState", string(o.PaymentState))
	a.text("ShipmentState", string(o.ShipmentState))
	a.number(attrVersion, o.Version)
}

func decodeOrder(item Item) (Entity, error) {
	o, err := readOrder(item)
	return &o, err
}

func readOrder(item Item) (Order, error) {
	f := fields{item: item}
	o := Order{
		ID:            f.after(attrPK, "o#"),
		CustomerID:    f.after(attrSK, "c#"),
		Date:          f.time("Date"),
		Status:        OrderStatus(f.text("Status")),
		Total:         f.amount("Total"),
		AccountRepID:  f.text("AccountRepID"),
		ShipTo:        f.address("ShipTo"),
		CustomerName:  f.text("CustomerName"),
		ItemCount:     f.number("ItemCount"),
		PaymentState:  InvoiceStatus(f.text("PaymentState")),
		ShipmentState: ShipmentState(f.text("ShipmentState")),
		Version:       f.number(attrVersion),
	}
	return o, f.err
}

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

func (i *OrderItem) write(a *attributes) {
	a.text("Name", i.Name)
	a.text("SKU", i.SKU)
	a.amount("Price", i.Price)
	a.number("Quantity", i.Quantity)
	a.number("Shipped", i.Shipped)
	a.number("Returned", i.Returned)
	a.flag("Cancelled", i.Cancelled)
	a.time("Date", i.Date)
	a.number(attrVersion, i.Version)
}

func decodeOrderItem(item Item) (Entity, error) {
	f := fields{item: item}
	i := &OrderItem{
		OrderID:    f.after(attrPK, "o#"),
		ProductID:  f.after(attrSK, "p#"),
		CustomerID: f.after("GSI2-PK", "c#"),
		Date:       f.time("Date"),
		Name:       f.text("Name"),
		SKU:        f.text("SKU"),
		Price:      f.amount("Price"),
		Quantity:   f.number("Quantity"),
		Shipped:    f.number("Shipped"),
		Returned:   f.number("Returned"),
		Cancelled:  f.flag("Cancelled"),
		Version:    f.number(attrVersion),
	}
	return i, f.err
}

func month(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(key.Month)
}

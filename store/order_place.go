package store

import (
	"context"
	"time"
)

// creditDays is how long a customer has to pay an invoice.
const paymentTermDays = 14

// NewOrder is an order as somebody confirmed it.
type NewOrder struct {
	Basket
	Total Amount // as the quote that was confirmed had it
}

// The fields of a basket, by the names under which their errors come back.
const (
	FieldCustomer = "customer"
	FieldLines    = "lines"
)

// PlaceOrder makes an order of a basket, with prices and names as they are
// now, and its invoice. It returns the order's ID. Where the total is no
// longer the one that was confirmed, there is a conflict and no order.
//
// The order's ID is the token of the form: the same form makes no second one.
// Stock is not moved; it leaves when the order is shipped.
func (a Access) PlaceOrder(ctx context.Context, t NewOrder, once string) (id string, err error) {
	if err := a.require(Sell); err != nil {
		return "", err
	}
	if id, err = a.store.newID(once); err != nil {
		return "", err
	}
	return id, retryOnConflict(ctx, func() error {
		c, err := a.change(ctx, once)
		if err != nil {
			return err
		}
		q, err := a.Quote(ctx, t.Basket)
		if err != nil {
			return err
		}
		if err := q.fits(t.Total); err != nil {
			return a.store.okIfApplied(ctx, "o#"+id, once, err)
		}
		return a.take(ctx, c, id, q)
	})
}

// fits refuses a quote in which something is wrong, or that comes to another
// total than was confirmed.
func (q *Quote) fits(total Amount) error {
	if q.CustomerError != "" {
		return InvalidField(FieldCustomer, "%s", q.CustomerError)
	}
	for i := range q.Lines {
		if line := &q.Lines[i]; !line.isValid() {
			return InvalidField(FieldLines, "%s", line.ProductError+line.QuantityError)
		}
	}
	if len(q.Lines) == 0 {
		return InvalidField(FieldLines, "An order has a line at least.")
	}
	if q.Total.Compare(total) != 0 {
		return &Error{Kind: Conflict, Message: "Prices have changed meanwhile. Look at the new total before the order is taken."}
	}
	return nil
}

// take makes the order that a quote promises.
func (a Access) take(ctx context.Context, c *change, id string, q *Quote) error {
	invoiceID, err := a.store.ids.New()
	if err != nil {
		return err
	}
	customer, now := q.Customer, a.store.now()
	d := OrderDetails{Order: Order{
		ID: id, CustomerID: customer.ID, CustomerName: customer.Name, Date: now, Status: OrderOpen,
		Total: q.Total, AccountRepID: customer.AccountRepID, ShipTo: customer.Address,
		PaymentState: InvoiceUnpaid, ShipmentState: NothingShipped, Version: 1,
	}}
	for i := range q.Lines {
		line := &q.Lines[i]
		d.ItemCount += line.Quantity
		d.Items = append(d.Items, OrderItem{
			OrderID: id, ProductID: line.Product.ID, CustomerID: customer.ID, Date: now,
			Name: line.Product.Name, SKU: line.Product.SKU, Price: line.Product.Price, Quantity: line.Quantity, Version: 1,
		})
	}
	c.recordEvent(Event{Partition: "o#" + id, What: "order taken"})
	c.Create(&d.Order)
	for i := range d.Items {
		c.Create(&d.Items[i])
	}
	c.Create(&Invoice{
		ID: invoiceID, OrderID: id, CustomerID: customer.ID, Date: now, DueDate: invoiceDueDate(now, c.totals.zone),
		Amount: q.Total, Status: InvoiceUnpaid, Version: 1,
	})
	c.Check(customer, customer.Version)
	if err := c.sold(ctx, d.AccountRepID, d.Tally()); err != nil {
		return err
	}
	return c.Commit(ctx)
}

// dueDay is the calendar day on which what is invoiced now is due.
func invoiceDueDate(now time.Time, zone *time.Location) time.Time {
	year, month, day := now.In(zone).Date()
	return time.Date(year, month, day+paymentTermDays, 0, 0, 0, 0, time.UTC)
}

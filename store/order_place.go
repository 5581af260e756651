package store

import (
	"context"
	"time"
)

// paymentTermDays is the number of days until an invoice is due.
const paymentTermDays = 14

// NewOrder is a new order that the user has confirmed.
type NewOrder struct {
	Basket
	Total Amount // total of the quote that the user confirmed
}

// Names of the form fields of a basket, for errors.
const (
	FieldCustomer = "customer"
	FieldLines    = "lines"
)

// PlaceOrder creates an order with its invoice in one transaction, and returns the order's
// ID. It uses current names and prices. The stock on hand changes only when the order
// ships. It returns Invalid if the basket has an error, and Conflict if the total differs
// from the confirmed total.
//
// If the settings require consecutive numbers, the invoice gets the next number of
// SeriesInvoices.
//
// The ID of the order comes from the form token, so a form that is submitted twice creates
// only one order; see orderIDFor.
func (a Access) PlaceOrder(ctx context.Context, n NewOrder, token string) (id string, err error) {
	if err := a.require(Sell); err != nil {
		return "", err
	}
	id, applied, err := a.orderIDFor(ctx, token)
	if applied || err != nil {
		return id, err
	}
	return id, retryOnConflict(ctx, func() error {
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		q, err := a.Quote(ctx, n.Basket)
		if err != nil {
			return err
		}
		if err := q.confirm(n.Total); err != nil {
			return err
		}
		return c.placeOrder(ctx, id, q)
	})
}

// orderIDFor returns the ID for the order that a form creates. If another order has this
// ID, it returns the ID for the SecondToken of the form. applied is true if the form was
// already submitted, and has created the order with the returned ID. orderIDFor returns
// Conflict if the form was submitted with other values, or if both IDs belong to other
// orders.
//
// The condition of the transaction alone cannot prevent two orders with the same ID, because
// the key of an order also contains the customer.
func (a Access) orderIDFor(ctx context.Context, token string) (id string, applied bool, err error) {
	for _, t := range []string{token, SecondToken(token)} {
		if id, err = a.store.newOrderID(t); err != nil {
			return "", false, err
		}
		found, err := a.readOrder(ctx, id)
		switch {
		case KindOf(err) == NotFound:
			return id, false, nil
		case err != nil:
			return "", false, err
		}
		if applied, err := found.isApplied(token); applied || err != nil {
			return id, applied, err
		}
	}
	return "", false, fail(Conflict, "Another order already has the ID of this order. Start a new order.")
}

// confirm returns Invalid if the quote has an error or no lines, and Conflict if its total
// differs from the total that the user confirmed.
func (q *Quote) confirm(total Amount) error {
	if q.CustomerError != "" {
		return InvalidField(FieldCustomer, "%s", q.CustomerError)
	}
	for i := range q.Lines {
		if line := &q.Lines[i]; !line.isValid() {
			return InvalidField(FieldLines, "%s", line.ProductError+line.QuantityError)
		}
	}
	if len(q.Lines) == 0 {
		return InvalidField(FieldLines, "Add at least one line.")
	}
	if q.Total.Compare(total) != 0 {
		return fail(Conflict, "Prices have changed. Check the new total before you place the order.")
	}
	return nil
}

// placeOrder creates the order and its invoice. The ID of the invoice comes from the form
// token. If the same form is submitted with another customer at the same moment, both
// orders have the same ID, and so have both invoices. The second transaction then fails,
// because the invoice exists.
func (c *change) placeOrder(ctx context.Context, id string, q *Quote) error {
	invoiceID, err := c.store.newID(c.token)
	if err != nil {
		return err
	}
	defer c.unlockItems()
	now := c.store.now()
	d := q.order(id, now)
	invoice := &Invoice{
		ID:         invoiceID,
		OrderID:    id,
		CustomerID: d.CustomerID,
		Date:       now,
		DueDate:    invoiceDueDate(now, c.totals.zone),
		Amount:     d.Total,
		TaxRate:    c.taxRate,
		Version:    1,
	}
	invoice.Status = invoice.StatusFromPayments() // without a charge, the invoice is paid
	d.Invoices = []Invoice{*invoice}
	d.updateState()
	c.recordEvent(Event{Partition: orderPartition(id), What: EventOrderPlaced, Audience: newsForAll})
	c.Create(&d.Order)
	for i := range d.Items {
		c.Create(&d.Items[i])
	}
	c.countCommitted(nil, d.Items)
	if err := c.recordSale(ctx, d.AccountRepID, d.Tally()); err != nil {
		return err
	}
	defer c.endNumbering() // deferred, so that other orders can take numbers even after a panic
	if invoice.Number, err = c.takeInvoiceNumber(ctx); err != nil {
		return err
	}
	c.Create(invoice)
	return c.Commit(ctx)
}

// order returns the order without its invoice. updateState sets its PaymentState.
func (q *Quote) order(id string, now time.Time) OrderDetails {
	customer := q.Customer
	d := OrderDetails{Order: Order{
		ID:            id,
		CustomerID:    customer.ID,
		CustomerName:  customer.Name,
		Date:          now,
		Status:        OrderOpen,
		Total:         q.Total,
		ItemCount:     q.ItemCount,
		AccountRepID:  customer.AccountRepID,
		ShipTo:        customer.Address,
		ShipmentState: NothingShipped,
		Version:       1,
	}}
	for i := range q.Lines {
		line := &q.Lines[i]
		d.Items = append(d.Items, OrderItem{
			OrderID:    id,
			ProductID:  line.Product.ID,
			CustomerID: customer.ID,
			Date:       now,
			Name:       line.Product.Name,
			SKU:        line.Product.SKU,
			Price:      line.Product.Price,
			Quantity:   line.Quantity,
			Version:    1,
		})
	}
	d.UpdateOpenLines()
	return d
}

// invoiceDueDate returns the due day, at midnight UTC, of an invoice that is created now.
func invoiceDueDate(now time.Time, zone *time.Location) time.Time {
	year, month, day := now.In(zone).Date()
	return time.Date(year, month, day+paymentTermDays, 0, 0, 0, 0, time.UTC)
}

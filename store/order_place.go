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
// only one order.
func (a Access) PlaceOrder(ctx context.Context, n NewOrder, token string) (id string, err error) {
	if err := a.require(Sell); err != nil {
		return "", err
	}
	if id, err = a.store.newID(token); err != nil {
		return "", err
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
			return a.store.okIfApplied(ctx, orderPartition(id), token, err)
		}
		return c.placeOrder(ctx, id, q)
	})
}

// confirm returns Invalid if the quote has an error, and Conflict if its total
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

func (c *change) placeOrder(ctx context.Context, id string, q *Quote) error {
	invoiceID, err := c.store.ids.New()
	if err != nil {
		return err
	}
	defer c.unlockItems()
	now := c.store.now()
	d := q.order(id, now)
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
	number, err := c.takeInvoiceNumber(ctx)
	if err != nil {
		return err
	}
	c.Create(&Invoice{
		ID:         invoiceID,
		Number:     number,
		OrderID:    id,
		CustomerID: d.CustomerID,
		Date:       now,
		DueDate:    invoiceDueDate(now, c.totals.zone),
		Amount:     d.Total,
		TaxRate:    c.taxRate,
		Status:     InvoiceUnpaid,
		Version:    1,
	})
	return c.Commit(ctx)
}

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
		PaymentState:  InvoiceUnpaid,
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

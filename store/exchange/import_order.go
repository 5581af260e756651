package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"stockroom/store"
)

// maxLines is the maximum number of lines of an imported order. It keeps the forms and
// transactions of the order small.
const maxLines = 80

// orderError names the row of an order that must be corrected, and the reason.
type orderError struct {
	*parsedRow
	reason string
}

func orderErrorf(r *parsedRow, format string, args ...any) *orderError {
	return &orderError{r, fmt.Sprintf(format, args...)}
}

// completeOrder completes each row of an order with values from its other rows. It
// returns the rows that become items.
func (d *dataset) completeOrder(o *orderRows) ([]*parsedRow, *orderError) {
	for _, step := range []func() *orderError{
		o.findOrder, o.checkLines, o.checkShipments, o.completeOwner, o.addPayments, o.completePaymentIDs,
		func() *orderError { return d.completeLines(o) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	o.completeStates()
	if len(o.orders) > 0 {
		o.completeSums(d.customers[o.orders[0].value.CustomerID])
		o.checkSums(len(o.lines) > 0)
	}
	return o.items()
}

// items checks and returns the rows that become items.
func (o *orderRows) items() ([]*parsedRow, *orderError) {
	var rows []*parsedRow
	if len(o.orders) > 0 {
		rows = append(rows, o.orders[0].parsedRow)
	}
	for _, r := range o.all {
		if r.kind.name != kindOrder && r.kind.name != kindPayment {
			rows = append(rows, r)
		}
	}
	for _, r := range rows {
		if reason := r.checkEncoded(); reason != "" {
			return nil, &orderError{r, reason}
		}
	}
	return rows, nil
}

// findOrder finds the row for the order itself. It returns an error if there are several.
// If there is none, it creates the order, with the customer and the earliest date of its
// lines and invoices.
func (o *orderRows) findOrder() *orderError {
	switch {
	case len(o.orders) > 1:
		first := o.orders[0]
		return orderErrorf(o.orders[1].parsedRow, "%s contains the same order, with customer %s. Remove one of the two rows.", capitalize(first.row.String()), first.value.CustomerID)
	case len(o.orders) == 1 || len(o.lines)+len(o.invoices) == 0:
		return nil
	}
	customer, date := o.customerAndDate()
	if customer == "" {
		return orderErrorf(o.all[0], "The row has no customer, and the file does not contain order %s. Add the customer or the order.", o.id())
	}
	order := &store.Order{ID: o.id(), CustomerID: customer, Date: date}
	row := &parsedRow{row: o.all[0].row, kind: itemKind{name: kindOrder}, entity: order}
	row.row.Item, row.row.made, row.row.parts = store.Item{}, true, nil
	o.orders = []rowOf[*store.Order]{{row, order}}
	return nil
}

func (o *orderRows) checkLines() *orderError {
	if len(o.lines) > maxLines {
		return orderErrorf(o.lines[maxLines].parsedRow, "An order can have at most %d lines.", maxLines)
	}
	return nil
}

func (o *orderRows) checkShipments() *orderError {
	lines := map[string]int{}
	for _, i := range o.packed {
		if lines[i.value.ShipmentID]++; lines[i.value.ShipmentID] > store.MaxShipmentLines {
			return orderErrorf(i.parsedRow, "A shipment can have at most %d lines.", store.MaxShipmentLines)
		}
	}
	return nil
}

// customerAndDate returns the first customer and the earliest date among the lines
// and invoices.
func (o *orderRows) customerAndDate() (customer string, date time.Time) {
	for _, l := range o.lines {
		customer, date = cmp.Or(customer, l.value.CustomerID), earlier(date, l.value.Date)
	}
	for _, i := range o.invoices {
		customer, date = cmp.Or(customer, i.value.CustomerID), earlier(date, i.value.Date)
	}
	return customer, date
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// completeOwner copies the customer and date of the order to lines and invoices that lack
// them. An order without a date first gets the earliest date of its lines and invoices.
// completeOwner returns an orderError if the order's rows have different customers, or if
// none has a date.
func (o *orderRows) completeOwner() *orderError {
	customer, date := o.customerAndDate()
	order := &store.Order{CustomerID: customer}
	if len(o.orders) > 0 {
		if order = o.orders[0].value; order.Date.IsZero() {
			order.Date = date
		}
		if order.Date.IsZero() {
			return orderErrorf(o.orders[0].parsedRow, "The order, its lines and its invoices have no date. Add a Date.")
		}
	}
	for _, l := range o.lines {
		if err := copyOwner(order, l.parsedRow, &l.value.CustomerID, &l.value.Date); err != nil {
			return err
		}
	}
	for _, i := range o.invoices {
		if err := copyOwner(order, i.parsedRow, &i.value.CustomerID, &i.value.Date); err != nil {
			return err
		}
	}
	for _, s := range o.shipments { // unlike other rows, a shipment may have no customer
		if s.value.CustomerID != "" && order.CustomerID != "" {
			if err := checkOwner(order, s.parsedRow, s.value.CustomerID); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyOwner(o *store.Order, r *parsedRow, customer *string, date *time.Time) *orderError {
	*customer, *date = cmp.Or(*customer, o.CustomerID), cmp.Or(*date, o.Date)
	return checkOwner(o, r, *customer)
}

func checkOwner(o *store.Order, r *parsedRow, customer string) *orderError {
	if customer != o.CustomerID {
		return orderErrorf(r, "The row has customer %s, but its order has customer %s. Use the same customer in both.", customer, o.CustomerID)
	}
	return nil
}

// addPayments adds payments to their invoices if they are separate items, as in published
// samples.
func (o *orderRows) addPayments() *orderError {
	for _, r := range o.payments {
		invoice := o.invoiceOf(r)
		if invoice == nil {
			return orderErrorf(r, "The payment does not name an invoice of its order. Add the invoice ID.")
		}
		invoice.value.Payments = append(invoice.value.Payments, *r.payment)
		invoice.row.parts = append(invoice.row.parts, part{row: r.row})
	}
	return nil
}

// removePayments makes payments separate rows again, so that they can be rejected. It does
// not remove them from the entities of the invoices.
func (o *orderRows) removePayments() {
	for _, i := range o.invoices {
		i.row.parts = slices.DeleteFunc(i.row.parts, func(p part) bool { return p.kind == partOfItem })
	}
}

// invoiceOf returns the invoice to which a payment refers, or nil if there is none. If
// the payment names no invoice, it belongs to the order's only invoice.
func (o *orderRows) invoiceOf(payment *parsedRow) *rowOf[*store.Invoice] {
	ref := text(payment.row.Item, "GSI1-PK")
	for n := range o.invoices {
		if i := &o.invoices[n]; "i#"+i.value.ID == ref || ref == "" && len(o.invoices) == 1 {
			return i
		}
	}
	return nil
}

// completePaymentIDs numbers the payments that have no ID. Every import gives them the same
// numbers. completePaymentIDs also removes duplicate payments.
func (o *orderRows) completePaymentIDs() *orderError {
	for _, i := range o.invoices {
		byID := map[string]store.Payment{}
		payments := i.value.Payments[:0]
		for n, payment := range i.value.Payments {
			payment.ID = cmp.Or(payment.ID, strconv.Itoa(n+1))
			if other, found := byID[payment.ID]; found && other != payment {
				return orderErrorf(i.parsedRow, "Two different payments have the ID %s.", payment.ID)
			} else if found {
				continue
			}
			byID[payment.ID] = payment
			payments = append(payments, payment)
		}
		i.value.Payments = slices.Clip(payments)
	}
	return nil
}

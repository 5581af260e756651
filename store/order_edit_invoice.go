package store

// changedLines returns the lines whose quantity changes. Their Quantity is the quantity
// after the correction minus the quantity before.
func (q *OrderEditQuote) changedLines() (lines []DocumentLine) {
	for i := range q.Lines {
		line := &q.Lines[i]
		more := line.Quantity - line.Before()
		switch {
		case !line.isValid() || more == 0:
		case line.Stored != nil:
			lines = append(lines, line.Stored.documentLine(more))
		default:
			lines = append(lines, DocumentLine{ProductID: line.Product.ID, Name: line.Product.Name, Price: line.Product.Price, Quantity: more})
		}
	}
	return lines
}

// correctInvoices issues an additional invoice if the total becomes higher, and credit
// notes otherwise. The amounts of existing invoices stay. An invoice that did not list its
// lines, such as the only invoice of an order, gets the lines of the order before the
// correction. correctInvoices does nothing if the lines do not change, or if the order has
// no invoices, as in some imports. It returns Invalid if all invoices are void or refunded.
func (q *OrderEditQuote) correctInvoices() error {
	d := &q.edited
	switch {
	case q.count == 0 || len(d.Invoices) == 0:
		return nil
	case d.lastOpenInvoice() < 0:
		return InvalidField(FieldLines, "The invoices of this order are void or refunded, so its items can't be changed.")
	}
	for i := range d.Invoices {
		if len(d.Invoices[i].Lines) == 0 {
			d.Invoices[i].Lines = documentLines(q.Order.Items)
		}
	}
	lines, more := q.changedLines(), q.Total.Minus(q.Order.Total)
	if more.Sign() > 0 {
		d.Invoices = append(d.Invoices, Invoice{Amount: more, Status: InvoiceUnpaid, Lines: lines, Supplement: d.Invoices[0].ID})
		return nil
	}
	q.credits = credits{reason: CreditEdited, lines: d.addCredits(q.editCredits())}
	return nil
}

// lastOpenInvoice returns the index of the last invoice that is neither void nor
// refunded, or -1.
func (d *OrderDetails) lastOpenInvoice() int {
	for n := len(d.Invoices) - 1; n >= 0; n-- {
		if i := &d.Invoices[n]; i.Status != InvoiceVoid && i.Status != InvoiceRefunded {
			return n
		}
	}
	return -1
}

// Supplement returns the amount of the additional invoice that the correction issues, or 0
// if it issues none.
func (q *OrderEditQuote) Supplement() Amount {
	if n := len(q.Order.Invoices); len(q.edited.Invoices) > n {
		return q.edited.Invoices[n].Amount
	}
	return Amount{}
}

// Credit returns the sum of the credit notes that the correction issues, and whether it
// issues any.
func (q *OrderEditQuote) Credit() (sum Amount, issued bool) {
	for n := range q.Order.Invoices {
		sum = sum.Plus(q.edited.Invoices[n].Credit.Minus(q.Order.Invoices[n].Credit))
	}
	return sum, q.credits.reason != ""
}

package store

import (
	"cmp"
	"slices"
)

// An order can have several invoices, because an edit that raises the total issues another
// invoice. A credit belongs to the invoice that billed the credited items.

// invoiceCredit is what a change of an order credits on one invoice.
type invoiceCredit struct {
	amount Amount
	lines  []DocumentLine // the credited items
}

// kept lists the items that an order still has: those that were neither cancelled nor
// returned. It has one element for each invoice, with the quantities of the items that this
// invoice billed, by product ID. The last element is for items without a known invoice.
type kept []map[string]int

// sortInvoices sorts the invoices of an order by date. Invoices with the same date are
// sorted by ID. IDs alone do not suffice, because imported IDs do not sort by date.
func sortInvoices(invoices []Invoice) {
	slices.SortStableFunc(invoices, func(a, b Invoice) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	})
}

// keptByInvoice returns the items that the order still has, by the invoice that billed
// them. If several invoices billed a product, its remaining items belong to the latest
// invoices, because credits go to the earliest invoices first.
//
// The first pass leaves out the quantities that credit notes of an invoice list as
// cancelled or returned. The second pass no longer leaves them out, and so assigns items
// that the first pass could not assign.
func (d *OrderDetails) keptByInvoice() kept {
	k := make(kept, len(d.Invoices)+1)
	left := map[string]int{}
	for i := range d.Items {
		if n := d.Items[i].Kept(); n > 0 {
			left[d.Items[i].ProductID] = n
		}
	}
	all := d.billedByInvoice()
	for n := range all {
		k[n] = map[string]int{}
	}
	for _, dropped := range [][]map[string]int{d.droppedLines(), make([]map[string]int, len(all))} {
		for n := len(all) - 1; n >= 0; n-- {
			for product, billed := range all[n] {
				if part := min(billed-dropped[n][product]-k[n][product], left[product]); part > 0 {
					k[n][product] += part
					left[product] -= part
				}
			}
		}
	}
	k[len(d.Invoices)] = left
	return k
}

// droppedLines returns, for each invoice, the quantities that its credit notes list as
// cancelled or returned, by product ID.
func (d *OrderDetails) droppedLines() []map[string]int {
	dropped := make([]map[string]int, len(d.Invoices))
	for n := range d.Invoices {
		dropped[n] = map[string]int{}
		for i := range d.CreditNotes {
			note := &d.CreditNotes[i]
			if note.InvoiceID != d.Invoices[n].ID || note.Reason != CreditCancelled && note.Reason != CreditReturned {
				continue
			}
			for _, line := range note.Lines {
				dropped[n][line.ProductID] += line.Quantity
			}
		}
	}
	return dropped
}

// billedByInvoice returns the billed quantities of each invoice, by product ID. It
// subtracts items that a later invoice lists with a negative quantity, and items that an
// edit credited. In imported orders with several invoices, the lines of an invoice can
// contradict its amount. billedByInvoice ignores such lines.
func (d *OrderDetails) billedByInvoice() []map[string]int {
	all := make([]map[string]int, len(d.Invoices))
	for n := range d.Invoices {
		i := &d.Invoices[n]
		all[n] = map[string]int{}
		lines := d.BilledLines(i)
		if len(d.Invoices) > 1 && linesTotal(lines).Compare(i.Amount) != 0 {
			lines = nil
		}
		for _, line := range lines {
			for earlier := n - 1; earlier >= 0 && line.Quantity < 0; earlier-- {
				if part := min(-line.Quantity, all[earlier][line.ProductID]); part > 0 {
					all[earlier][line.ProductID] -= part
					line.Quantity += part
				}
			}
			all[n][line.ProductID] += line.Quantity
		}
	}
	for n := range d.CreditNotes {
		note := &d.CreditNotes[n]
		invoice := slices.IndexFunc(d.Invoices, func(i Invoice) bool { return i.ID == note.InvoiceID })
		if invoice < 0 || note.Reason != CreditEdited {
			continue
		}
		for _, line := range note.Lines {
			all[invoice][line.ProductID] -= line.Quantity
		}
	}
	return all
}

// value returns the value of the items in element n of k.
func (d *OrderDetails) value(k kept, n int) (sum Amount) {
	for i := range d.Items {
		sum = sum.Plus(d.Items[i].Price.Times(k[n][d.Items[i].ProductID]))
	}
	return sum
}

// dropCredits returns the credit on each invoice, for the items that the change cancels or
// returns. before contains the items that the order had before the change.
func (d *OrderDetails) dropCredits(before kept) []invoiceCredit {
	after := d.keptByInvoice()
	credits := make([]invoiceCredit, len(d.Invoices))
	var rest invoiceCredit
	for n := range before {
		credit := &rest
		if n < len(credits) {
			credit = &credits[n]
		}
		for i := range d.Items {
			line := &d.Items[i]
			if dropped := before[n][line.ProductID] - after[n][line.ProductID]; dropped > 0 {
				credit.add(line.documentLine(dropped), dropped)
			}
		}
	}
	return d.limitCredits(credits, rest, d.refundedItems(before), after)
}

// refundedItems returns the value of the items in k that the order still has although they
// were refunded. The net amounts of the invoices do not include this value.
func (d *OrderDetails) refundedItems(k kept) (sum Amount) {
	for n := range k {
		sum = sum.Plus(d.value(k, n))
	}
	for n := range d.Invoices {
		sum = sum.Minus(d.Invoices[n].NetAmount())
	}
	return lesser(greater(Amount{}, sum), d.creditsBecause(CreditRefunded))
}

// limitCredits limits each credit to what can still be credited on its invoice; see
// creditCapacity. The excess goes to other invoices, earliest first, because later invoices
// contain items that replaced earlier ones. Another invoice takes at most what can still be
// credited on it, minus the value of its own items in the argument after. If earlier refunds
// of the invoice have already paid back a part of the excess, this part goes to no other
// invoice.
//
// rest is the credit for items without a known invoice. It is added to the excess. refunded
// is the result of refundedItems. after contains the items that the order has after the
// change.
func (d *OrderDetails) limitCredits(credits []invoiceCredit, rest invoiceCredit, refunded Amount, after kept) []invoiceCredit {
	for n := range credits {
		c, i := &credits[n], &d.Invoices[n]
		excess := c.amount.Minus(i.creditCapacity())
		if excess.Sign() <= 0 {
			continue
		}
		c.amount = i.creditCapacity()
		repaid := lesser(excess, lesser(refunded, d.creditedFor(i.ID, CreditRefunded)))
		if refunded = refunded.Minus(repaid); repaid.Compare(excess) < 0 {
			if rest.amount = rest.amount.Plus(excess).Minus(repaid); c.amount.Sign() == 0 {
				rest.lines = append(rest.lines, c.lines...)
			}
		}
	}
	for n := range credits {
		c := &credits[n]
		part := lesser(rest.amount, d.Invoices[n].creditCapacity().Minus(c.amount).Minus(d.value(after, n)))
		if part.Sign() <= 0 {
			continue
		}
		if len(c.lines) == 0 {
			c.lines = rest.lines
		}
		c.amount, rest.amount = c.amount.Plus(part), rest.amount.Minus(part)
	}
	return credits
}

// editCredits returns the credit on each invoice, for an edit that does not raise the
// total. It credits removed items on the last invoice that billed them, because edits often
// undo an earlier edit. The value of added items reduces the credits. The credit note with
// the largest amount also lists these items.
func (q *OrderEditQuote) editCredits() []invoiceCredit {
	d := &q.edited
	credits, rest, added, more := q.removedItems()
	before := q.Order.keptByInvoice()
	refunded := q.Order.refundedItems(before)
	after := d.keptAfter(before, credits)
	target := d.lastOpenInvoice()
	for n := range credits {
		if a := credits[n].amount; a.Sign() > 0 && a.Compare(credits[target].amount) >= 0 {
			target = n
		}
	}
	for _, line := range added {
		after[target][line.ProductID] -= line.Quantity
	}
	credits[target].lines = append(credits[target].lines, added...)
	more = credits[target].reduce(more)
	for n := range credits {
		more = credits[n].reduce(more)
	}
	rest.reduce(more)
	if rest.amount.Sign() == 0 {
		credits[target].lines = append(credits[target].lines, rest.lines...)
	}
	return d.limitCredits(credits, rest, refunded, after)
}

// removedItems returns the removed items by the invoice that billed them, the removed items
// without a known invoice, and the added items with their value.
func (q *OrderEditQuote) removedItems() (credits []invoiceCredit, rest invoiceCredit, added []DocumentLine, more Amount) {
	billed := q.Order.keptByInvoice()
	credits = make([]invoiceCredit, len(q.Order.Invoices))
	for _, line := range q.changedLines() {
		line.Quantity = -line.Quantity
		if line.Quantity < 0 {
			added, more = append(added, line), more.Minus(line.Total())
			continue
		}
		for n := len(credits) - 1; n >= 0; n-- {
			if part := min(line.Quantity, billed[n][line.ProductID]); part > 0 {
				credits[n].add(line, part)
				line.Quantity -= part
			}
		}
		if line.Quantity > 0 {
			rest.add(line, line.Quantity)
		}
	}
	return credits, rest, added, more
}

// keptAfter subtracts the credited items from k, and returns k.
func (d *OrderDetails) keptAfter(k kept, credits []invoiceCredit) kept {
	for n := range credits {
		for _, line := range credits[n].lines {
			k[n][line.ProductID] -= line.Quantity
		}
	}
	return k
}

func (c *invoiceCredit) add(line DocumentLine, quantity int) {
	line.Quantity = quantity
	c.lines, c.amount = append(c.lines, line), c.amount.Plus(line.Total())
}

// reduce subtracts a value from the amount of the credit, down to 0. It returns the part of
// the value that it could not subtract.
func (c *invoiceCredit) reduce(by Amount) (left Amount) {
	part := lesser(by, c.amount)
	c.amount = c.amount.Minus(part)
	return by.Minus(part)
}

// addCredits adds the credits to the invoices of the order and updates their statuses. It
// returns the credited items by invoice ID.
func (d *OrderDetails) addCredits(credits []invoiceCredit) map[string][]DocumentLine {
	lines := map[string][]DocumentLine{}
	for n := range credits {
		i := &d.Invoices[n]
		if lines[i.ID] = credits[n].lines; credits[n].amount.Sign() > 0 {
			i.Credit = i.Credit.Plus(credits[n].amount)
			i.Status = i.StatusFromPayments()
		}
	}
	return lines
}

func creditedInvoices(credits []invoiceCredit) (count int) {
	for n := range credits {
		if credits[n].amount.Sign() > 0 {
			count++
		}
	}
	return count
}

package store

import "fmt"

// checkCredits checks that the invoices of an order, minus their credits, add up to the
// value of its remaining items. No invoice may be credited for items or refunds of another
// invoice. An import can contain any amounts. checkCredits therefore checks only orders
// whose invoices add up to the total, apart from edits and refunds.
func (d *OrderDetails) checkCredits(item Item) []CheckFinding {
	var total, dropped, credit, invoiced Amount
	for i := range d.Items {
		total, dropped = total.Plus(d.Items[i].Total()), dropped.Plus(d.Items[i].dropped())
	}
	for i := range d.Invoices {
		credit, invoiced = credit.Plus(d.Invoices[i].Credit), invoiced.Plus(d.Invoices[i].Amount)
	}
	refunded := d.creditsBecause(CreditRefunded)
	more := invoiced.Minus(d.creditsBecause(CreditEdited)).Minus(total)
	if more.Sign() < 0 || more.Compare(refunded) > 0 { // imported amounts that refunds do not explain
		return nil
	}
	rest := total.Minus(dropped)                                          // value of the items that the order still has
	least := invoiced.Minus(rest)                                         // lowest correct credit: all refunds were for items that were later cancelled, returned or removed
	most := lesser(invoiced, least.Plus(refunded).Minus(d.repaidItems())) // highest correct credit: no refund was for such items, except for the items in repaidItems
	noted := d.creditsBecause(CreditCancelled).Plus(d.creditsBecause(CreditReturned))
	if len(d.Invoices) == 1 {
		// Earlier program versions issued the credit note for a cancellation only at the
		// refund.
		least = greater(least, most.Minus(lesser(refunded, greater(Amount{}, dropped.Minus(noted)))))
	}
	switch {
	case credit.Compare(least) >= 0 && credit.Compare(most) <= 0:
		return d.checkCreditedItems(item)
	case least.Compare(most) == 0:
		return []CheckFinding{finding(CheckInvoiceCredit, item, fmt.Sprintf("The invoices of order %s have credits of %s. Expected %s for its cancelled, returned, removed and refunded items.", d.ID, credit, most))}
	}
	return []CheckFinding{finding(CheckInvoiceCredit, item, fmt.Sprintf("The invoices of order %s have credits of %s. Expected %s to %s for its cancelled, returned, removed and refunded items.", d.ID, credit, least, most))}
}

// repaidItems returns the value of cancelled and returned items that were already credited
// by refunds of their invoices. It returns 0 for an order with one invoice, because
// checkCredits computes the lower limit of such an order in another way.
func (d *OrderDetails) repaidItems() (sum Amount) {
	if len(d.Invoices) < 2 {
		return sum
	}
	dropped := d.droppedByInvoice()
	for n := range d.Invoices {
		i := &d.Invoices[n]
		refunded := d.creditedFor(i.ID, CreditRefunded)
		without := d.value(dropped, n).Minus(i.Credit.Minus(refunded)) // value that no other credit note covers
		sum = sum.Plus(greater(Amount{}, lesser(refunded, without)))
	}
	return sum
}

// droppedByInvoice returns the items of each invoice that were certainly cancelled or
// returned. A later invoice can also bill items that replace items of an earlier one. It is
// unknown which invoice billed the replaced items, so droppedByInvoice omits them.
func (d *OrderDetails) droppedByInvoice() kept {
	missing, k := make(kept, len(d.Invoices)), d.keptByInvoice()
	replaced := map[string]int{}
	for n, all := range d.billedByInvoice() {
		missing[n] = map[string]int{}
		for product, billed := range all {
			missing[n][product] = max(0, billed-k[n][product])
			replaced[product] += missing[n][product]
		}
	}
	for i := range d.Items {
		line := &d.Items[i]
		replaced[line.ProductID] -= max(0, line.Quantity-line.Kept())
	}
	for n := range missing {
		for product, count := range missing[n] {
			missing[n][product] = max(0, count-max(0, replaced[product]))
		}
	}
	return missing
}

// checkCreditedItems checks that no invoice is credited for items that the order still has.
// Refunds do not count. Earlier program versions credited the first invoice for all items.
// If other invoices have too little credit, this invoice may therefore have too much by the
// same amount.
func (d *OrderDetails) checkCreditedItems(item Item) []CheckFinding {
	if len(d.Invoices) < 2 {
		return nil
	}
	k := d.keptByInvoice()
	var missing, left Amount
	var first *Invoice
	for n := range d.Invoices {
		i := &d.Invoices[n]
		over := i.NetAmount().Minus(d.value(k, n))
		left = left.Plus(greater(Amount{}, over))
		if short := over.Plus(d.creditedFor(i.ID, CreditRefunded)).Plus(d.billedElsewhere(i)); short.Sign() < 0 {
			missing = missing.Minus(short)
			if first == nil {
				first = i
			}
		}
	}
	if missing.Compare(left) <= 0 {
		return nil
	}
	return []CheckFinding{finding(CheckInvoiceCredit, item, fmt.Sprintf("The %s has a credit of %s. This is at least %s too much, because the order still has items that this invoice billed.", labelOf(first), first.Credit, missing.Minus(left)))}
}

// billedElsewhere returns the value of the items on this invoice that replaced items of
// earlier invoices. The earlier invoices already bill this value.
func (d *OrderDetails) billedElsewhere(i *Invoice) (sum Amount) {
	for _, line := range i.Lines {
		if line.Quantity < 0 {
			sum = sum.Minus(line.Total())
		}
	}
	for n := range d.CreditNotes {
		if note := &d.CreditNotes[n]; note.InvoiceID == i.ID && note.Reason == CreditEdited {
			sum = sum.Plus(greater(Amount{}, note.Amount.Minus(linesTotal(note.Lines))))
		}
	}
	return sum
}

// creditedFor returns the sum of an invoice's credit notes that have this reason.
func (d *OrderDetails) creditedFor(invoiceID string, reason CreditReason) (sum Amount) {
	for i := range d.CreditNotes {
		if n := &d.CreditNotes[i]; n.InvoiceID == invoiceID && n.Reason == reason {
			sum = sum.Plus(n.Amount)
		}
	}
	return sum
}

func lesser(a, b Amount) Amount {
	if a.Compare(b) < 0 {
		return a
	}
	return b
}

func greater(a, b Amount) Amount {
	if a.Compare(b) > 0 {
		return a
	}
	return b
}

package demo

import (
	"fmt"
	"slices"
	"time"

	"stockroom/store"
)

// creditInvoice creates the credit note of an invoice whose order was cancelled or
// returned. The method addCreditNotes adds it later.
func (s *orderHistory) creditInvoice() {
	i, o := &s.invoice, &s.order
	if i.Credit.Sign() == 0 {
		return
	}
	n := &store.CreditNote{
		OrderID: o.ID, CustomerID: o.CustomerID, InvoiceID: i.ID, InvoiceNumber: i.Number, Date: o.Date.Add(time.Hour),
		Reason: store.CreditCancelled, Amount: i.Credit, Version: 1,
	}
	if o.Status == store.OrderReturned {
		n.Reason, n.Date = store.CreditReturned, i.Payments[len(i.Payments)-1].Date // date of the refund
	}
	if n.Date.After(s.now) {
		n.Date = s.now
	}
	for _, line := range s.lines {
		n.Lines = append(n.Lines, store.DocumentLine{ProductID: line.ProductID, Name: line.Name, Price: line.Price, Quantity: line.Quantity})
	}
	s.creditNotes = append(s.creditNotes, n)
}

func (g *generator) addCreditNotes() {
	slices.SortStableFunc(g.creditNotes, func(a, b *store.CreditNote) int { return a.Date.Compare(b.Date) })
	for i, n := range g.creditNotes {
		n.ID, n.Number = fmt.Sprint(firstCredit+i), i+1
		g.add(n)
	}
}

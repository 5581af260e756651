package views

import "stockroom/store"

// PDF returns the printed invoice as a PDF.
func (p *InvoicePrint) PDF(logo *store.Logo) ([]byte, error) {
	return p.paper().pdf(&p.Page, &p.Company, logo)
}

// paper returns the text and amounts of the invoice.
func (p *InvoicePrint) paper() *paper {
	d := &paper{
		title:     "Invoice",
		back:      InvoicePath(p.Invoice.ID),
		facts:     p.facts(),
		addressee: addressee(p.Customer, &p.Order.Order),
		caption:   "Items billed",
		bank:      p.Company.Bank,
	}
	d.addLines(&p.Page, p.Order.BilledLines(&p.Invoice), p.Invoice.TaxRate)
	p.addSums(d)
	return d
}

func (p *InvoicePrint) facts() []paperFact {
	facts := []paperFact{{"Number", p.Invoice.NumberText()}, {"Date", p.day(p.Invoice.Date)}, {"Due", p.day(p.Invoice.DueDate)}}
	if supplied := p.supplied(); supplied != "" {
		facts = append(facts, paperFact{"Supplied", supplied})
	}
	for i := range p.Order.Invoices {
		if first := &p.Order.Invoices[i]; p.Invoice.Supplement == first.ID {
			facts = append(facts, paperFact{"Supplement to", first.NumberText()})
		}
	}
	return append(facts, paperFact{"Order", p.Invoice.OrderID})
}

// addressee returns the name and the address to which a document is sent: those of the
// customer, or the name and the delivery address in the order if c is nil.
func addressee(c *store.Customer, o *store.Order) []string {
	if c != nil {
		return append([]string{nameOr(c.Name, c.ID)}, c.Address.Lines()...)
	}
	return append([]string{nameOr(o.CustomerName, o.CustomerID)}, o.ShipTo.Lines()...)
}

// addSums adds the sums below the lines: net amount, VAT, amount, credit, payments and
// balance due.
func (p *InvoicePrint) addSums(d *paper) {
	d.addTax(&p.Page, p.Invoice.Amount, p.Invoice.TaxRate)
	d.addSum("Invoice amount", p.Invoice.Amount)
	rest := p.Invoice.Credit
	for i := range p.Order.CreditNotes {
		if n := &p.Order.CreditNotes[i]; n.InvoiceID == p.Invoice.ID {
			d.addSum(p.includingTax("Credit note "+n.NumberText(), n.Amount), store.Amount{}.Minus(n.Amount))
			rest = rest.Minus(n.Amount)
		}
	}
	if rest.Sign() != 0 {
		d.addSum(p.includingTax("Cancelled or returned", rest), store.Amount{}.Minus(rest))
	}
	for _, payment := range store.WithoutReversed(p.Invoice.Payments) {
		name := joinNonEmpty(", ", paymentName(payment), payment.Reference(), p.calendar(payment.Day(p.zone())))
		d.addSum(name, store.Amount{}.Minus(payment.Amount))
	}
	d.sums = append(d.sums, paperSum{name: owedOnPaper(p.Invoice), amount: owedSum(p.Invoice), due: true})
}

// includingTax adds to the label of a credit how much tax the credit includes.
func (p *InvoicePrint) includingTax(name string, credit store.Amount) string {
	if p.Invoice.TaxRate.IsZero() || credit.Sign() == 0 {
		return name
	}
	_, tax := p.Invoice.TaxRate.Split(credit, p.Currency)
	return name + ", including " + p.money(tax) + " VAT"
}

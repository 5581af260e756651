package views

import "stockroom/store"

// paperFact is a fact at the top of a document, such as its number.
type paperFact struct{ name, value string }

// facts returns the facts at the top of an invoice.
func (p *InvoicePrint) facts() []paperFact {
	facts := []paperFact{{"Number", p.Invoice.NumberText()}, {"Date", p.day(p.Invoice.Date)}, {"Due", p.day(p.Invoice.DueDate)}}
	if supplied := p.supplied(); supplied != "" {
		facts = append(facts, paperFact{"Supplied", supplied})
	}
	return append(facts, paperFact{"Order", p.Invoice.OrderID})
}

// addressee returns the name and the address to which the invoice is sent: those of the
// customer, or the delivery address if the customer was deleted.
func (p *InvoicePrint) addressee() []string {
	if p.Customer != nil {
		return append([]string{nameOr(p.Customer.Name, p.Customer.ID)}, p.Customer.Address.Lines()...)
	}
	return append([]string{nameOr(p.Order.CustomerName, p.Order.CustomerID)}, p.Order.ShipTo.Lines()...)
}

// paperSum is a sum below the lines of an invoice.
type paperSum struct {
	name   string
	amount store.Amount
	due    bool // the last one: what the customer must pay
}

// sums returns the sums of the invoice: net amount and VAT, the amount, the credit, the
// payments and the balance due.
func (p *InvoicePrint) sums() (sums []paperSum) {
	add := func(name string, amount store.Amount) { sums = append(sums, paperSum{name: name, amount: amount}) }
	if p.hasTax() {
		net, tax := p.Invoice.TaxRate.Split(p.Invoice.Amount, p.Currency)
		add("Net amount", net)
		add("VAT "+p.Invoice.TaxRate.String()+" %", tax)
	}
	add("Invoice amount", p.Invoice.Amount)
	if p.Invoice.Credit.Sign() != 0 {
		add(p.creditName(), store.Amount{}.Minus(p.Invoice.Credit))
	}
	for _, payment := range p.Invoice.Payments {
		name := joinNonEmpty(", ", paymentName(payment), store.MaskCardNumbers(payment.Data), p.day(payment.Date))
		add(name, store.Amount{}.Minus(payment.Amount))
	}
	return append(sums, paperSum{name: owedOnPaper(p.Invoice), amount: owedSum(p.Invoice), due: true})
}

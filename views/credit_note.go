package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// CreditNote is the page of a credit note.
type CreditNote struct {
	Page
	Note     store.CreditNote
	CanSend  bool
	Customer *store.Customer // nil if the customer does not exist; the page then shows the ID
}

// CreditNotePrint is a credit note to print.
type CreditNotePrint struct {
	Page
	Note     store.CreditNote
	Order    store.Order     // order of the credit note, for the address; empty if Customer is set
	Customer *store.Customer // nil if the customer does not exist
	Company  store.Company
}

// CreditNotePath returns the path of a credit note.
func CreditNotePath(id string) string { return "/credit-notes/" + ui.Segment(id) }

var creditReasons = map[store.CreditReason]string{
	store.CreditCancelled: "Items cancelled",
	store.CreditReturned:  "Items returned",
	store.CreditEdited:    "Items changed",
	store.CreditRefunded:  "Payment refunded",
}

func creditReason(n *store.CreditNote) string {
	return CreditReasonText(n.Reason)
}

// PDF returns the printed credit note as a PDF.
func (p *CreditNotePrint) PDF(logo *store.Logo) ([]byte, error) {
	return p.paper().pdf(&p.Page, &p.Company, logo)
}

// paper returns the text and amounts of the credit note.
func (p *CreditNotePrint) paper() *paper {
	n := &p.Note
	d := &paper{
		title:     "Credit note",
		back:      CreditNotePath(n.ID),
		addressee: addressee(p.Customer, &p.Order),
		caption:   "Items credited",
		facts: []paperFact{
			{"Number", n.NumberText()},
			{"Date", p.day(n.Date)},
			{"For invoice", n.InvoiceText()},
			{"Order", n.OrderID},
			{"Reason", creditReason(n)},
		},
	}
	lines := n.Lines
	if len(lines) == 0 {
		lines = []store.DocumentLine{{Name: "Refund for invoice " + n.InvoiceText(), Price: n.Amount, Quantity: 1}}
	}
	d.addLines(&p.Page, lines, n.TaxRate)
	if rest := n.Amount.Minus(linesTotal(lines)); rest.Sign() != 0 {
		d.addSum("Already credited by other credit notes", rest)
	}
	d.addTax(&p.Page, n.Amount, n.TaxRate)
	d.sums = append(d.sums, paperSum{name: "Credited amount", amount: n.Amount, due: true})
	return d
}

func linesTotal(lines []store.DocumentLine) (sum store.Amount) {
	for i := range lines {
		sum = sum.Plus(lines[i].Total())
	}
	return sum
}

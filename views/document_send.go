package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// DocumentSend is the form that emails a document.
type DocumentSend struct {
	Page
	Form
	Kind       store.EmailKind
	ID         string          // ID of the document; for a statement, ID of its customer
	Period     store.DateRange // period of a statement
	Name       string          // name of the document, such as Invoice INV-1
	To         ui.Input
	MailServer bool // this server sends emails

	Customer *store.Customer // nil if the customer does not exist
}

// action returns the path to which the form posts.
func (p *DocumentSend) action() string {
	switch p.Kind {
	case store.EmailStatement:
		return statementPath(p.ID, "/send", p.Period)
	case store.EmailConfirmation:
		return ConfirmationPath(p.ID) + "/send"
	}
	return SentFrom(p.Kind, p.ID, p.Period) + "/send"
}

func (p *DocumentSend) list() (path, name string) {
	switch p.Kind {
	case store.EmailConfirmation:
		return "/orders", "Orders"
	case store.EmailStatement:
		return "/customers", "Customers"
	}
	return "/invoices", "Invoices"
}

// SentFrom returns the path of the page that the user sees after sending a document.
func SentFrom(kind store.EmailKind, id string, period store.DateRange) string {
	switch kind {
	case store.EmailStatement:
		return StatementPath(id, period)
	case store.EmailInvoice:
		return InvoicePath(id)
	case store.EmailCreditNote:
		return CreditNotePath(id)
	}
	return OrderPath(id)
}

// hint describes the email, and says where the user can see that it was sent.
func (p *DocumentSend) hint() string {
	if p.Kind == store.EmailStatement {
		return "The statement is attached to the email as a PDF. The timeline of the customer shows when the email was sent."
	}
	return "The document is attached to the email as a PDF. The timeline of the order shows when the email was sent."
}

func (p *DocumentSend) field() ui.Field {
	return ui.Field{Name: store.FieldTo, Label: "Email address", Type: "email", Required: true, Input: p.To}
}

// OrderConfirmation is the printable confirmation of an order.
type OrderConfirmation struct {
	Page
	Order    store.OrderDetails
	Customer *store.Customer // nil if the customer does not exist
	Company  store.Company
	TaxRate  store.TaxRate // tax rate of the order's first invoice
}

// ConfirmationPath returns the path of the confirmation of an order.
func ConfirmationPath(orderID string) string { return OrderPath(orderID) + "/confirmation" }

// NewOrderConfirmation returns the confirmation of an order.
func NewOrderConfirmation(p Page, o store.OrderDetails, customer *store.Customer, c store.Company) OrderConfirmation {
	confirmation := OrderConfirmation{Page: p, Order: o, Customer: customer, Company: c}
	if len(o.Invoices) > 0 {
		confirmation.TaxRate = o.Invoices[0].TaxRate
	}
	return confirmation
}

// PDF returns the confirmation as a PDF.
func (p *OrderConfirmation) PDF(logo *store.Logo) ([]byte, error) {
	return p.paper().pdf(&p.Page, &p.Company, logo)
}

// paper returns the text and amounts of the confirmation. It leaves out cancelled items.
func (p *OrderConfirmation) paper() *paper {
	d := &paper{
		title:     "Order confirmation",
		back:      OrderPath(p.Order.ID),
		addressee: addressee(nil, &p.Order.Order),
		caption:   "Items ordered",
		facts:     []paperFact{{"Order", p.Order.ID}, {"Date", p.day(p.Order.Date)}},
	}
	if p.Customer != nil && len(p.Order.ShipTo.Lines()) == 0 {
		d.addressee = addressee(p.Customer, &p.Order.Order)
	}
	d.addLines(&p.Page, p.Order.ConfirmedLines(), p.TaxRate)
	total := p.Order.ConfirmedTotal()
	d.addTax(&p.Page, total, p.TaxRate)
	d.sums = append(d.sums, paperSum{name: "Total", amount: total, due: true})
	return d
}

// DocumentPDF returns a document to attach to an email, and its file name. The logo may
// be nil. The third argument is the creation time that the PDF states.
func DocumentPDF(settings store.Settings, logo *store.Logo, at time.Time, d *store.EmailedDocument) (name string, file []byte, err error) {
	p := Page{Currency: settings.Currency, Zone: settings.Zone(), Now: at}
	switch {
	case d.Invoice != nil:
		paper := InvoicePrint{Page: p, Invoice: *d.Invoice, Order: d.Order, Customer: d.Customer, Company: settings.Company}
		name = "invoice-" + d.Invoice.NumberText()
		file, err = paper.PDF(logo)
	case d.Statement != nil:
		paper := StatementPrint{Page: p, Statement: *d.Statement, Customer: *d.Customer, Company: settings.Company}
		name = paper.FileName()
		file, err = paper.PDF(logo)
	case d.Note != nil:
		paper := CreditNotePrint{Page: p, Note: *d.Note, Order: d.Order.Order, Customer: d.Customer, Company: settings.Company}
		name = "credit-note-" + d.Note.NumberText()
		file, err = paper.PDF(logo)
	default:
		paper := NewOrderConfirmation(p, d.Order, d.Customer, settings.Company)
		name = "order-" + d.Order.ID
		file, err = paper.PDF(logo)
	}
	return name + ".pdf", file, err
}

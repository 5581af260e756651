package store

import (
	"context"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// DocumentEmail is a request to email a document as a PDF.
type DocumentEmail struct {
	Kind   EmailKind // EmailInvoice, EmailCreditNote, EmailConfirmation or EmailStatement
	ID     string    // ID of the invoice, credit note or order, or of the customer of a statement
	Period DateRange // period of a statement
	To     string
}

// FieldTo is the name of the form field with the email address.
const FieldTo = "to"

// EmailDocument contains the values of an email with a document, as they were when the
// email was created. When the email is sent, DocumentOf updates the amounts that may have
// changed.
type EmailDocument struct {
	Number   string    `json:",omitempty"` // number on the document; for an order its ID, for a statement its period, for a saved view its name
	OrderID  string    `json:",omitempty"`
	Invoice  string    `json:",omitempty"` // number of the invoice that a credit note corrects
	Date     time.Time `json:",omitzero"`
	Due      time.Time `json:",omitzero"` // a calendar day, at midnight UTC
	From     time.Time `json:",omitzero"` // first and last day of a statement, at midnight UTC
	To       time.Time `json:",omitzero"`
	Amount   Amount    `json:",omitzero"` // amount of the document; for a statement, its closing balance
	Balance  Amount    `json:",omitzero"` // balance due of an invoice, or the overdue amount of a statement
	Currency string    `json:",omitempty"`
}

func (d *EmailDocument) attributes(a *table.Attributes) {
	a.Text("Number", &d.Number)
	a.Text("OrderID", &d.OrderID)
	a.Text("Invoice", &d.Invoice)
	a.Time("Date", &d.Date)
	a.Date("Due", &d.Due)
	a.Date("From", &d.From)
	a.Date("To", &d.To)
	optionalAmount(a, "Amount", &d.Amount)
	optionalAmount(a, "Balance", &d.Balance)
	a.Text("Currency", &d.Currency)
}

// SendDocument queues an email with a document. It returns Invalid if the address is not
// valid, or NotFound if the document does not exist. A form that is submitted twice queues
// one email.
func (a Access) SendDocument(ctx context.Context, d DocumentEmail, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	if d.To = strings.TrimSpace(d.To); !isEmail(d.To) {
		return InvalidField(FieldTo, messageEmail)
	}
	e, err := a.documentEmail(ctx, d)
	if err != nil {
		return err
	}
	if err := a.checkRecipient(ctx, &e); err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.identify(&e)
	c.recordEventOnce(e.event(EventEmailQueued, "to "+e.To))
	c.queueEmail(e)
	return c.Commit(ctx)
}

// checkRecipient returns Invalid if the domain of the recipient's address has no dot,
// except if it is the stored address of the customer, which the form suggests.
func (a Access) checkRecipient(ctx context.Context, e *Email) error {
	if isFullEmail(e.To) {
		return nil
	}
	customer, err := a.Customer(ctx, e.CustomerID)
	switch {
	case err != nil && KindOf(err) != NotFound:
		return err
	case err != nil || customer.Email != e.To:
		return InvalidField(FieldTo, messageEmail)
	}
	return nil
}

func (a Access) documentEmail(ctx context.Context, d DocumentEmail) (e Email, err error) {
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return e, err
	}
	e = Email{Kind: d.Kind, To: d.To, Document: d.ID}
	v := &e.Values
	v.Currency = settings.Currency
	switch d.Kind {
	case EmailInvoice:
		i, err := a.Invoice(ctx, d.ID)
		if err != nil {
			return e, err
		}
		e.addInvoice(i)
	case EmailCreditNote:
		n, err := a.CreditNote(ctx, d.ID)
		if err != nil {
			return e, err
		}
		e.CustomerID, v.OrderID, v.Number, v.Invoice, v.Date, v.Amount = n.CustomerID, n.OrderID, n.NumberText(), n.InvoiceText(), n.Date, n.Amount
	case EmailConfirmation:
		o, err := a.Order(ctx, d.ID)
		if err != nil {
			return e, err
		}
		e.CustomerID, v.OrderID, v.Number, v.Date, v.Amount = o.CustomerID, o.ID, o.ID, o.Date, o.ConfirmedTotal()
	case EmailStatement:
		return e, a.addStatement(ctx, &e, d.Period)
	default:
		return e, fail(NotFound, "There is no document of the kind %s.", d.Kind)
	}
	e.Record = orderPartition(v.OrderID)
	return e, nil
}

func (a Access) addStatement(ctx context.Context, e *Email, period DateRange) error {
	customer, err := a.Customer(ctx, e.Document)
	if err != nil {
		return err
	}
	s, err := a.Statement(ctx, customer.ID, period)
	if err != nil {
		return err
	}
	e.CustomerID, e.Record = customer.ID, partitionOf(getCustomer, "customerID", customer.ID)
	v := &e.Values
	v.Number, v.From, v.To, v.Amount, v.Balance = s.Period(), s.From, s.To, s.Closing, s.OverdueTotal()
	if !v.Amount.isStorable() || !v.Balance.isStorable() {
		return fail(Invalid, "The balance of this statement is too large for an email. Download the PDF instead.")
	}
	return nil
}

func (e *Email) addInvoice(i *Invoice) {
	v := &e.Values
	e.CustomerID, v.OrderID, v.Number, v.Date, v.Due, v.Amount, v.Balance = i.CustomerID, i.OrderID, i.NumberText(), i.Date, i.DueDate, i.Amount, i.BalanceDue()
}

// EmailedDocument is the document that is attached to an email, with its current values.
type EmailedDocument struct {
	Order     OrderDetails // empty if the document is a statement
	Invoice   *Invoice     // nil unless the document is an invoice
	Note      *CreditNote  // nil unless the document is a credit note
	Statement *Statement   // nil unless the document is a statement
	Customer  *Customer    // nil if the customer does not exist; never nil for a statement
}

// ConfirmedLines returns the lines of the confirmation of an order, without cancelled
// items.
func (d *OrderDetails) ConfirmedLines() (lines []DocumentLine) {
	for i := range d.Items {
		line := &d.Items[i]
		quantity := line.Quantity
		if line.Cancelled {
			quantity = line.Shipped
		}
		if quantity > 0 {
			lines = append(lines, line.documentLine(quantity))
		}
	}
	return lines
}

// ConfirmedTotal returns the total of the confirmation of an order. For an imported order
// without lines, it returns the order's total.
func (d *OrderDetails) ConfirmedTotal() Amount {
	if len(d.Items) == 0 {
		return d.Total
	}
	return linesTotal(d.ConfirmedLines())
}

// DocumentOf reads the document that is attached to an email. The document includes
// payments and cancellations that were made after the email was created, so DocumentOf
// also updates the amounts of the email. It returns NotFound if the document does not
// exist.
func (s *Store) DocumentOf(ctx context.Context, e *Email) (*EmailedDocument, error) {
	if e.Kind == EmailStatement {
		return s.statementOf(ctx, e)
	}
	order, err := Access{store: s}.readOrder(ctx, e.Values.OrderID)
	if err != nil {
		return nil, err
	}
	d := &EmailedDocument{Order: *order}
	if e.Kind == EmailConfirmation {
		e.Values.Amount = order.ConfirmedTotal()
	}
	d.Customer, err = readConsistently[*Customer](ctx, s, getCustomer, key.Map{"customerID": order.CustomerID})
	if err != nil && KindOf(err) != NotFound {
		return nil, err
	}
	for i := range order.Invoices {
		if (e.Kind == EmailInvoice || e.Kind == EmailInvoiceReminder) && order.Invoices[i].ID == e.Document {
			d.Invoice = &order.Invoices[i]
			e.Values.Balance = d.Invoice.BalanceDue()
		}
	}
	for i := range order.CreditNotes {
		if e.Kind == EmailCreditNote && order.CreditNotes[i].ID == e.Document {
			d.Note = &order.CreditNotes[i]
		}
	}
	if d.Invoice == nil && d.Note == nil && e.Kind != EmailConfirmation {
		return nil, fail(NotFound, "The %s does not exist.", e.Label())
	}
	return d, nil
}

// statementOf computes the statement that is attached to an email, and updates the amounts
// of the email.
func (s *Store) statementOf(ctx context.Context, e *Email) (d *EmailedDocument, err error) {
	d = &EmailedDocument{}
	if d.Customer, err = readConsistently[*Customer](ctx, s, getCustomer, key.Map{"customerID": e.Document}); err != nil {
		return nil, err
	}
	if d.Statement, err = s.statement(ctx, e.Document, DateRange{From: e.Values.From, To: e.Values.To}); err != nil {
		return nil, err
	}
	e.Values.Amount, e.Values.Balance = d.Statement.Closing, d.Statement.OverdueTotal()
	return d, nil
}

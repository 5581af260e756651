package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// CreditReason says why a credit note was issued.
type CreditReason string

// The reasons for credit notes.
const (
	CreditCancelled CreditReason = "CANCELLED"
	CreditReturned  CreditReason = "RETURNED"
	CreditEdited    CreditReason = "EDITED"   // the order was edited
	CreditRefunded  CreditReason = "REFUNDED" // a payment was refunded
)

// CreditReasons lists all reasons.
var CreditReasons = []CreditReason{CreditCancelled, CreditReturned, CreditEdited, CreditRefunded}

// CreditNote reduces the amount of an invoice. It never changes. The transaction that
// increases Invoice.Credit also creates the credit note.
type CreditNote struct {
	ID            string
	Number        int `json:",omitempty"` // number in SeriesCreditNotes; 0 if the settings give no numbers
	OrderID       string
	CustomerID    string
	InvoiceID     string // the invoice that it corrects
	InvoiceNumber int    `json:",omitempty"` // number of this invoice; 0 if the invoice has no number
	Date          time.Time
	Reason        CreditReason
	Amount        Amount
	TaxRate       TaxRate `json:",omitzero"` // the rate of the invoice; Amount includes the tax

	// Lines contains the credited items. Items that replace them have a negative quantity.
	// A refund without items has no lines.
	Lines   []DocumentLine `json:",omitempty"`
	Version int
}

// DocumentLine is a line of an invoice or a credit note.
type DocumentLine struct {
	ProductID string
	Name      string `json:",omitempty"`
	Price     Amount
	Quantity  int
}

// Total returns the value of the line.
func (l *DocumentLine) Total() Amount { return l.Price.Times(l.Quantity) }

func linesTotal(lines []DocumentLine) (sum Amount) {
	for i := range lines {
		sum = sum.Plus(lines[i].Total())
	}
	return sum
}

func (*CreditNote) EntityType() string { return "creditNote" }

// NumberText returns the number as documents show it, such as CN-12. For a credit note
// without a number, it returns the ID.
func (n *CreditNote) NumberText() string { return cmp.Or(SeriesCreditNotes.format(n.Number), n.ID) }

// InvoiceText returns the number of the corrected invoice, as documents show it. For an
// invoice without a number, it returns the ID.
func (n *CreditNote) InvoiceText() string {
	return cmp.Or(SeriesInvoices.format(n.InvoiceNumber), n.InvoiceID)
}

func (n *CreditNote) KeyValue(name string) string {
	switch name {
	case "id":
		return n.ID
	case "orderID":
		return n.OrderID
	case "customerID":
		return n.CustomerID
	case "date":
		return key.Time(n.Date)
	case "number":
		return SeriesCreditNotes.format(n.Number)
	}
	return ""
}

func (n *CreditNote) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "cn#", &n.ID)
	a.FromKey(table.AttrPK, "o#", &n.OrderID)
	a.FromKey("GSI2-PK", "c#", &n.CustomerID)
	a.Count("Number", &n.Number)
	a.Text("InvoiceID", &n.InvoiceID)
	a.Count("InvoiceNumber", &n.InvoiceNumber)
	a.Time("Date", &n.Date)
	a.Text("Reason", (*string)(&n.Reason))
	amountAttribute(a, "Amount", &n.Amount)
	taxRateAttribute(a, "TaxRate", &n.TaxRate)
	table.Slice(a, "Lines", &n.Lines, (*DocumentLine).attributes)
	a.Version(&n.Version)
}

func (l *DocumentLine) attributes(a *table.Attributes) {
	a.Text("ProductID", &l.ProductID)
	a.Text("Name", &l.Name)
	amountAttribute(a, "Price", &l.Price)
	a.Number("Quantity", &l.Quantity)
}

func documentLines(items []OrderItem) []DocumentLine {
	lines := make([]DocumentLine, len(items))
	for i := range items {
		lines[i] = items[i].documentLine(items[i].Quantity)
	}
	return lines
}

func (i *OrderItem) documentLine(quantity int) DocumentLine {
	return DocumentLine{ProductID: i.ProductID, Name: i.Name, Price: i.Price, Quantity: quantity}
}

// BilledLines returns the lines of an invoice of the order. An invoice without lines
// bills all lines of the order.
func (d *OrderDetails) BilledLines(i *Invoice) []DocumentLine {
	if len(i.Lines) > 0 {
		return i.Lines
	}
	return documentLines(d.Items)
}

// creditedBy returns the sum of an invoice's credit notes.
func (d *OrderDetails) creditedBy(invoiceID string) (sum Amount) {
	for i := range d.CreditNotes {
		if n := &d.CreditNotes[i]; n.InvoiceID == invoiceID {
			sum = sum.Plus(n.Amount)
		}
	}
	return sum
}

// creditsBecause returns the sum of the order's credit notes that have this reason.
func (d *OrderDetails) creditsBecause(reason CreditReason) (sum Amount) {
	for i := range d.CreditNotes {
		if n := &d.CreditNotes[i]; n.Reason == reason {
			sum = sum.Plus(n.Amount)
		}
	}
	return sum
}

// CreditNotesOfInvoice returns the credit notes of an invoice, oldest first.
func (a Access) CreditNotesOfInvoice(ctx context.Context, i *Invoice) ([]CreditNote, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getOrderCreditNotes, key.Map{"orderID": i.OrderID}, false)
	notes, err := decodeAll(items, err, decodeAs[CreditNote])
	return slices.DeleteFunc(notes, func(n CreditNote) bool { return n.InvoiceID != i.ID }), err
}

// CreditNotesOfCustomer lists a customer's credit notes in a range of dates, newest
// first.
func (a Access) CreditNotesOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[CreditNote], error) {
	return listOfCustomer(ctx, a, getCustomerCreditNotes, customerID, r, page, decodeAs[CreditNote])
}

// CreditNote returns a credit note, or NotFound.
func (a Access) CreditNote(ctx context.Context, id string) (*CreditNote, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getCreditNote, key.Map{"creditNoteID": id}, false)
	if err == nil && len(items) == 0 {
		err = fail(NotFound, "Credit note %s not found.", id)
	}
	if err != nil {
		return nil, err
	}
	return table.DecodeAs[*CreditNote](schema, items[0], nil)
}

// creditNotesWithNumber returns the credit notes with this number, up to searchLimit.
// Imports can contain a number twice.
func (a Access) creditNotesWithNumber(ctx context.Context, number int) (List[CreditNote], error) {
	q := table.Query{Pattern: getCreditNoteByNumber, Values: key.Map{"number": SeriesCreditNotes.format(number)}}
	return list(ctx, a.store, q, Page{Limit: searchLimit}, decodeAs[CreditNote])
}

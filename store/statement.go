package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxStatementDocuments is the maximum number of invoices, and the maximum number of
// credit notes, that a statement reads. It reads all of a customer's documents,
// because a payment can belong to an invoice of any age.
const MaxStatementDocuments = 1000

// Statement lists the invoices, credit notes, payments and refunds of a customer in a
// period, with the balance after each of them. A positive balance is due from the customer.
type Statement struct {
	CustomerID string
	DateRange         // To is at most today; a zero From includes everything until To
	Opening    Amount // balance before the first day
	Lines      []StatementLine
	Closing    Amount           // balance at the end of the last day
	Overdue    []OverdueInvoice // at the end of the last day, earliest due date first
}

// StatementKind says what a line of a statement is about.
type StatementKind string

// Kinds of lines of a statement.
const (
	StatementInvoice    StatementKind = "invoice"
	StatementCreditNote StatementKind = "credit-note"
	StatementPayment    StatementKind = "payment"
	StatementRefund     StatementKind = "refund"
	StatementReversal   StatementKind = "payment-reversal"

	// StatementAdjustment is a credit without a credit note, for example of an imported
	// invoice. Its day is not known, so it has the day of the invoice.
	StatementAdjustment StatementKind = "adjustment"

	StatementOpening StatementKind = "opening-balance"
	StatementClosing StatementKind = "closing-balance"
)

// statementKinds lists the kinds in the order of lines with the same time.
var statementKinds = []StatementKind{StatementInvoice, StatementAdjustment, StatementCreditNote, StatementPayment, StatementRefund, StatementReversal}

// StatementLine is one line of a statement.
type StatementLine struct {
	Kind         StatementKind
	Day          time.Time // day in the time zone of the business, at midnight UTC
	InvoiceID    string
	Invoice      string  // number of the invoice, as documents show it
	CreditNoteID string  // "" unless the line is a credit note
	CreditNote   string  // number of the credit note
	Payment      Payment // the payment or refund
	Amount       Amount  // what the line adds to the balance
	Balance      Amount  // balance after the line

	at time.Time // sorts the lines
}

// OverdueInvoice is an invoice whose due date has passed.
type OverdueInvoice struct {
	ID      string
	Number  string
	DueDate time.Time
	Balance Amount
}

// OverdueTotal returns the sum of the overdue balances.
func (s *Statement) OverdueTotal() (sum Amount) {
	for i := range s.Overdue {
		sum = sum.Plus(s.Overdue[i].Balance)
	}
	return sum
}

// Rows returns the lines, between a row with the opening balance and one with the closing
// balance. A statement from the beginning has no opening balance.
func (s *Statement) Rows() []StatementLine {
	rows := make([]StatementLine, 0, len(s.Lines)+2)
	if !s.From.IsZero() {
		rows = append(rows, StatementLine{Kind: StatementOpening, Day: s.From, Balance: s.Opening})
	}
	rows = append(rows, s.Lines...)
	return append(rows, StatementLine{Kind: StatementClosing, Day: s.To, Balance: s.Closing})
}

// Period returns the period in words, such as 1 Oct 2026 to 31 Oct 2026.
func (s *Statement) Period() string {
	if s.From.IsZero() {
		return "until " + longDay(s.To)
	}
	return longDay(s.From) + " to " + longDay(s.To)
}

// Statement returns the statement of a customer. The period ends today at the latest.
// Statement returns Invalid if the first day is after today or after the last day. It also
// returns Invalid if the customer has more than MaxStatementDocuments invoices or credit
// notes, because the balance is then not known.
func (a Access) Statement(ctx context.Context, customerID string, r DateRange) (*Statement, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.store.statement(ctx, customerID, r)
}

func (s *Store) statement(ctx context.Context, customerID string, r DateRange) (*Statement, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	today := dayIn(s.now(), settings.Zone())
	if r.To.IsZero() || r.To.After(today) {
		r.To = today
	}
	if r.From.After(r.To) {
		return nil, InvalidField("from", "Enter a first day that is not in the future.")
	}
	var invoices []Invoice
	var notes []CreditNote
	reads, readCtx := errgroup.WithContext(ctx)
	reads.Go(table.Recovering(func() (err error) {
		invoices, err = allOfCustomer(readCtx, s, getCustomerInvoices, customerID, decodeAs[Invoice], "invoices")
		return err
	}))
	reads.Go(table.Recovering(func() (err error) {
		notes, err = allOfCustomer(readCtx, s, getCustomerCreditNotes, customerID, decodeAs[CreditNote], "credit notes")
		return err
	}))
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	return newStatement(customerID, r, settings.Zone(), invoices, notes), nil
}

// allOfCustomer reads all documents of a customer. It returns Invalid if there are more
// than MaxStatementDocuments.
func allOfCustomer[T any](ctx context.Context, s *Store, p *Pattern, customerID string, decode func(Row, *T) error, what string) (all []T, err error) {
	q, err := s.inRange(ctx, p, DateRange{}, key.Map{"customerID": customerID})
	if err != nil {
		return nil, err
	}
	for row, err := range Each(func(page Page) (List[T], error) { return list(ctx, s, q, page, decode) }) {
		if err != nil {
			return nil, err
		}
		if len(all) == MaxStatementDocuments {
			return nil, fail(Invalid, "This customer has more than 1,000 %s. The balance can't be computed, so there is no statement.", what)
		}
		all = append(all, row)
	}
	return all, nil
}

// newStatement computes the statement from all invoices and credit notes of the customer.
func newStatement(customerID string, r DateRange, zone *time.Location, invoices []Invoice, notes []CreditNote) *Statement {
	s := &Statement{CustomerID: customerID, DateRange: r}
	lines := make([]StatementLine, 0, 2*len(invoices)+len(notes))
	credited := map[string]Amount{}
	for n := range notes {
		note := &notes[n]
		credited[note.InvoiceID] = credited[note.InvoiceID].Plus(note.Amount)
		lines = append(lines, StatementLine{
			Kind: StatementCreditNote, at: note.Date, InvoiceID: note.InvoiceID, Invoice: note.InvoiceText(),
			CreditNoteID: note.ID, CreditNote: note.NumberText(), Amount: Amount{}.Minus(note.Amount),
		})
	}
	for n := range invoices {
		lines = append(lines, invoices[n].statementLines(credited[invoices[n].ID], zone)...)
	}
	slices.SortStableFunc(lines, func(a, b StatementLine) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(slices.Index(statementKinds, a.Kind), slices.Index(statementKinds, b.Kind)), cmp.Compare(a.InvoiceID, b.InvoiceID))
	})
	balances := map[string]Amount{} // balances at the end of the last day, by invoice ID
	for _, line := range lines {
		line.Day = dayIn(line.at, zone)
		if line.Day.After(r.To) {
			break // the lines are sorted by time
		}
		s.Closing = s.Closing.Plus(line.Amount)
		balances[line.InvoiceID] = balances[line.InvoiceID].Plus(line.Amount)
		if line.Day.Before(r.From) {
			s.Opening = s.Closing
			continue
		}
		line.Balance = s.Closing
		s.Lines = append(s.Lines, line)
	}
	for n := range invoices {
		i := &invoices[n]
		if balance := balances[i.ID]; balance.Sign() > 0 && LateDays(i.DueDate, r.To, time.UTC) > 0 {
			s.Overdue = append(s.Overdue, OverdueInvoice{ID: i.ID, Number: i.NumberText(), DueDate: i.DueDate, Balance: balance})
		}
	}
	slices.SortStableFunc(s.Overdue, func(a, b OverdueInvoice) int {
		return cmp.Or(a.DueDate.Compare(b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	return s
}

// statementLines returns a line for the invoice, a line for its credit without a credit
// note, and a line for each payment, on the day when the money arrived. The argument credited
// is the sum of the invoice's credit notes. The sum of the lines minus this argument is the
// balance due.
func (i *Invoice) statementLines(credited Amount, zone *time.Location) []StatementLine {
	line := StatementLine{Kind: StatementInvoice, at: i.Date, InvoiceID: i.ID, Invoice: i.NumberText(), Amount: i.Amount}
	lines := []StatementLine{line}
	if rest := i.Amount.Minus(i.Paid()).Minus(credited).Minus(i.BalanceDue()); rest.Sign() != 0 {
		line.Kind, line.Amount = StatementAdjustment, Amount{}.Minus(rest)
		lines = append(lines, line)
	}
	for _, p := range i.Payments {
		line.Kind, line.at, line.Payment, line.Amount = StatementPayment, p.Date, p, Amount{}.Minus(p.Amount)
		switch year, month, day := p.Received.Date(); {
		case !p.Received.IsZero(): // the time is not known, so the line is the last one of the day
			line.at = time.Date(year, month, day+1, 0, 0, 0, -1, zone)
		case p.Date.IsZero(): // an imported payment can have no date
			line.at = i.Date
		}
		switch {
		case p.ReversalOf != "":
			line.Kind = StatementReversal
		case p.Amount.Sign() < 0:
			line.Kind = StatementRefund
		}
		lines = append(lines, line)
	}
	return lines
}

package views

import (
	"net/url"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Statement is the page with the statement of a customer.
type Statement struct {
	Page
	List
	Customer store.Customer
	From, To ui.Input
	Found    *store.Statement // nil if the period is invalid or the balance can't be computed
	CanSend  bool
}

// StatementPrint is the printable statement of a customer.
type StatementPrint struct {
	Page
	Statement store.Statement
	Customer  store.Customer
	Company   store.Company
}

// StatementPath returns the path of the statement of a customer for a period.
func StatementPath(customerID string, days store.DateRange) string {
	return statementPath(customerID, "", days)
}

// statementPath returns the path of a page of the statement. The path ends with the
// second argument, such as "/print", or "" for the statement itself, and the query string
// with the period.
func statementPath(customerID, below string, days store.DateRange) string {
	query := url.Values{}
	for name, day := range map[string]time.Time{"from": days.From, "to": days.To} {
		if !day.IsZero() {
			query.Set(name, day.Format(time.DateOnly))
		}
	}
	path := CustomerPath(customerID) + "/statement" + below
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

func (p *Statement) path(below string) string {
	return statementPath(p.Customer.ID, below, p.Found.DateRange)
}

func (p *Statement) fields() []ui.Field {
	return []ui.Field{
		{Name: "from", Label: "First day", Input: p.From, SharedHint: daysHint, Suggestions: daysList},
		{Name: "to", Label: "Last day", Input: p.To, SharedHint: daysHint, Suggestions: daysList},
	}
}

// monthPresets is the number of links to single months before the last month.
const monthPresets = 3

// months returns the periods to which the page links: the latest months and years.
func (p *Statement) months() []period {
	names := []string{"This month", "Last month"}
	year, month, _ := p.Now.In(p.zone()).Date()
	for n := range time.Month(monthPresets) {
		names = append(names, time.Date(year, month-2-n, 1, 0, 0, 0, 0, time.UTC).Format("Jan 2006"))
	}
	return periodsOf(append(names, "This year", "Last year")...)
}

// StatementLineText describes a line of a statement, as in "Payment for invoice INV-1,
// Visa".
func StatementLineText(l *store.StatementLine) string {
	switch l.Kind {
	case store.StatementOpening:
		return "Opening balance"
	case store.StatementClosing:
		return "Closing balance"
	case store.StatementInvoice:
		return "Invoice " + l.Invoice
	case store.StatementCreditNote:
		return "Credit note " + l.CreditNote + " for invoice " + l.Invoice
	case store.StatementAdjustment:
		if l.Amount.Sign() > 0 {
			return "Correction of invoice " + l.Invoice
		}
		return "Cancelled or returned, invoice " + l.Invoice
	}
	name := "Payment for invoice "
	switch l.Kind {
	case store.StatementRefund:
		name = "Refund for invoice "
	case store.StatementReversal:
		name = "Reversed payment for invoice "
	}
	return joinNonEmpty(", ", name+l.Invoice, kindName(l.Payment.Type), l.Payment.Reference())
}

// statementBalance returns the label and the amount of the closing balance. If the
// business owes the customer money, the label says so and the amount is positive.
func statementBalance(balance store.Amount, on time.Time) (name string, amount store.Amount) {
	if balance.Sign() < 0 {
		return "Balance in your favor on " + calendar(on), store.Amount{}.Minus(balance)
	}
	return "Balance due on " + calendar(on), balance
}

// FileName returns the name of the PDF, without extension.
func (p *StatementPrint) FileName() string {
	parts := []string{"statement"}
	for _, day := range []time.Time{p.Statement.From, p.Statement.To} {
		if !day.IsZero() {
			parts = append(parts, day.Format(time.DateOnly))
		}
	}
	return strings.Join(parts, "-")
}

// PDF returns the printed statement as a PDF.
func (p *StatementPrint) PDF(logo *store.Logo) ([]byte, error) {
	return p.paper().pdf(&p.Page, &p.Company, logo)
}

// paper returns the text and amounts of the statement.
func (p *StatementPrint) paper() *paper {
	s := &p.Statement
	d := &paper{
		title:     "Statement",
		back:      StatementPath(s.CustomerID, s.DateRange),
		facts:     []paperFact{{"Period", s.Period()}, {"Date", p.day(p.Now)}, {"Customer", s.CustomerID}},
		addressee: addressee(&p.Customer, nil),
		caption:   "Invoices and payments",
		columns:   []string{"Document", "Date", "Amount", "Balance"},
		bank:      p.Company.Bank,
	}
	rows := s.Rows()
	for i := range rows[:len(rows)-1] { // the last row is the closing balance, which is added as a sum
		line := &rows[i]
		amount := ""
		if line.Kind != store.StatementOpening {
			amount = p.money(line.Amount)
		}
		d.rows = append(d.rows, []string{StatementLineText(line), p.calendar(line.Day), amount, p.money(line.Balance)})
	}
	name, balance := statementBalance(s.Closing, s.To)
	d.sums = append(d.sums, paperSum{name: name, amount: balance, due: true})
	for _, i := range s.Overdue {
		d.addSum("Overdue: invoice "+i.Number+", due on "+p.calendar(i.DueDate), i.Balance)
	}
	if len(s.Overdue) > 0 {
		d.sums = append(d.sums, paperSum{name: "Overdue on " + p.calendar(s.To), amount: s.OverdueTotal(), due: true})
	}
	return d
}

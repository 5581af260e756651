package handlers

import (
	"cmp"
	"errors"
	"net/http"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// statementReads is the maximum number of table requests of a statement. A statement reads
// all pages of the invoices and of the credit notes.
const statementReads = 2 * (store.MaxStatementDocuments/store.MaxLimit + 1)

// lastDayOfLastMonth is the last day of a month on which a statement shows the previous month
// if the user has entered no period: statements of a month are sent in the first days of the
// next one. Later in the month, a clerk who opens a statement looks for what is due now.
const lastDayOfLastMonth = 10

// defaultPeriod returns the period of a statement if the user has not entered one.
func (r *request) defaultPeriod() string {
	if r.now().Day() <= lastDayOfLastMonth {
		return "last month"
	}
	return "this month"
}

var statementColumns = []web.Column[store.StatementLine]{
	{Name: "Day", Cell: func(l store.StatementLine) web.Cell { return calendarDay(l.Day) }},
	{Name: "Kind", Cell: func(l store.StatementLine) web.Cell { return web.Text(string(l.Kind)) }, Words: func(l store.StatementLine) string { return views.StatementLineText(&l) }},
	{Name: "InvoiceID", Cell: func(l store.StatementLine) web.Cell { return web.Text(l.InvoiceID) }, Minor: true},
	{Name: "InvoiceNumber", Cell: func(l store.StatementLine) web.Cell { return web.Text(l.Invoice) }, Minor: true},
	{Name: "CreditNoteID", Cell: func(l store.StatementLine) web.Cell { return web.Text(l.CreditNoteID) }, Minor: true},
	{Name: "CreditNoteNumber", Cell: func(l store.StatementLine) web.Cell { return web.Text(l.CreditNote) }, Minor: true},
	{Name: "PaymentType", Cell: func(l store.StatementLine) web.Cell { return web.Text(l.Payment.Type) }, Minor: true},
	{Name: "PaymentData", Cell: func(l store.StatementLine) web.Cell { return web.Text(l.Payment.Data) }, Minor: true},
	{Name: "Amount", Cell: func(l store.StatementLine) web.Cell { return amount(l.Amount) }},
	{Name: "Balance", Cell: func(l store.StatementLine) web.Cell { return amount(l.Balance) }},
}

func showStatement(r *request) error {
	q, days, err := r.statementDays()
	if err != nil {
		return err
	}
	rejectSort(q)
	if r.wantsFile() {
		if err := firstError(q); err != nil {
			return err
		}
		s, err := r.shop.Statement(r.ctx(), r.id(), days)
		if err != nil {
			return err
		}
		return sendRows(r, "statement", statementColumns, rowsOf(s.Rows()))
	}
	customer, err := r.shop.Customer(r.ctx(), r.id())
	if err != nil {
		return err
	}
	p := views.Statement{Customer: *customer, From: queryInput(q, "from"), To: queryInput(q, "to"), CanSend: r.user.May(store.Sell)}
	if q.Get("from") == "" && q.Get("to") == "" {
		p.From.Value = r.defaultPeriod() // the field From accepts a period, which then sets both ends
	}
	p.List = views.List{Path: q.Path, Params: params(q), Wrong: errorsWithoutField(q)}
	status := q.Status()
	if status == http.StatusOK {
		p.Found, err = r.shop.Statement(r.ctx(), customer.ID, days)
		var rejected *store.Error
		switch {
		case errors.As(err, &rejected) && rejected.Kind == store.Invalid:
			status = http.StatusUnprocessableEntity
			if p.From.Error = rejected.Message; rejected.Field == "" {
				p.From.Error, p.Wrong = "", append(p.Wrong, rejected.Message)
			}
		case err != nil:
			return err
		}
	}
	p.Page = r.page("Statement of " + cmp.Or(customer.Name, customer.ID))
	return r.site.tools.RenderStatus(r.Context, status, views.StatementPage(p))
}

// statementDays returns the period in the query string, or defaultPeriod.
func (r *request) statementDays() (*web.Query, store.DateRange, error) {
	q, err := r.query("from", "to")
	if err != nil {
		return nil, store.DateRange{}, err
	}
	days := r.days(q)
	if q.Get("from") == "" && q.Get("to") == "" {
		days.From, days.To, _ = web.ParseDays(r.defaultPeriod(), r.now())
	}
	return q, days, nil
}

// statementPeriod returns the period in the query string. It returns an error if the
// period is invalid.
func (r *request) statementPeriod() (store.DateRange, error) {
	q, days, err := r.statementDays()
	if err != nil {
		return days, err
	}
	return days, firstError(q)
}

func printStatement(r *request) error {
	paper, err := r.statementPaper()
	if err != nil {
		return err
	}
	return r.show(views.StatementPrintPage(paper))
}

func sendStatementPDF(r *request) error {
	paper, err := r.statementPaper()
	if err != nil {
		return err
	}
	logo, err := r.shop.PDFLogo(r.ctx(), r.settings.Company)
	if err != nil {
		return err
	}
	file, err := paper.PDF(logo)
	return r.sendPDF(paper.FileName(), file, err)
}

// statementPaper reads the data for printing a statement.
func (r *request) statementPaper() (p views.StatementPrint, err error) {
	days, err := r.statementPeriod()
	if err != nil {
		return p, err
	}
	customer, err := r.shop.Customer(r.ctx(), r.id())
	if err != nil {
		return p, err
	}
	s, err := r.shop.Statement(r.ctx(), customer.ID, days)
	if err != nil {
		return p, err
	}
	return views.StatementPrint{Page: r.page("Statement " + s.Period()), Statement: *s, Customer: *customer, Company: r.settings.Company}, nil
}

var statementSender = documentSender{store.EmailStatement, func(r *request) (name, customerID string, err error) {
	customer, err := r.shop.Customer(r.ctx(), r.id())
	if err != nil {
		return "", "", err
	}
	return "Statement of " + cmp.Or(customer.Name, customer.ID), customer.ID, nil
}}

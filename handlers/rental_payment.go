package handlers

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

var rentalPaymentColumns = []web.Column[store.RentalPayment]{
	{Name: "PaymentID", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.ID) }, Minor: true},
	minorColumn(referColumn("StoreID", func(p store.RentalPayment) string { return p.StoreID })),
	{Name: "PersonID", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.PersonID) }, Minor: true},
	{Name: "PersonName", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.PersonName) }},
	{Name: "Day", Cell: func(p store.RentalPayment) web.Cell { return calendarDay(p.Day) }, Minor: true},
	{Name: "At", Cell: func(p store.RentalPayment) web.Cell { return instant(p.At) }},
	{Name: "Kind", Cell: func(p store.RentalPayment) web.Cell { return web.Text(string(p.Kind)) }, Words: func(p store.RentalPayment) string { return views.RentalPaymentText(p.Kind) }},
	{Name: "Method", Cell: func(p store.RentalPayment) web.Cell { return web.Text(string(p.Method)) }, Words: func(p store.RentalPayment) string { return views.PayMethodName(p.Method) }},
	{Name: "Amount", Cell: func(p store.RentalPayment) web.Cell { return amount(p.Amount) }},
	{Name: "Kayaks", Cell: func(p store.RentalPayment) web.Cell { return web.Text(paidKayaks(&p)) }, Minor: true},
	{Name: "Why", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.Why) }},
	{Name: "By", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.By) }, Minor: true},
	{Name: "SettledBy", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.SettledBy) }, Minor: true},
	{Name: "Settles", Cell: func(p store.RentalPayment) web.Cell { return web.Text(p.Settles) }, Minor: true},
}

// paidKayaks returns the IDs of the kayaks that a payment is for, separated by spaces.
func paidKayaks(p *store.RentalPayment) string {
	ids := make([]string, len(p.Rentals))
	for i := range p.Rentals {
		ids[i] = p.Rentals[i].KayakID
	}
	return strings.Join(ids, " ")
}

// showTakings shows the rental payments of a store on one day, by default today, or on
// several days.
func showTakings(r *request) error {
	q, err := r.query("day", "to")
	if err != nil {
		return err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	today, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	days := r.takingsDays(q, today)
	var sum store.TakingsSum
	if !r.wantsFile() && len(q.Errors) == 0 {
		if sum, err = r.shop.TakingsOfDays(r.ctx(), s.ID, days); err != nil {
			return err
		}
	}
	return respondList(r, q, listPage[store.RentalPayment]{
		file: "takings", columns: rentalPaymentColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.RentalPayment], error) {
			return r.shop.Takings(ctx, s.ID, days, p)
		},
		page: func(l views.List, rows []store.RentalPayment) templ.Component {
			from, to := queryInput(q, "day"), queryInput(q, "to")
			if len(q.Errors) == 0 {
				from.Value, to.Value = days.From.Format(time.DateOnly), ""
				if days.To.After(days.From) {
					to.Value = days.To.Format(time.DateOnly)
				}
			}
			return views.TakingsPage(views.Takings{
				Page: r.page("Takings of " + cmp.Or(s.Name, s.ID)), List: l, Store: *s, Days: days, From: from, To: to, Sum: sum, Rows: rows,
			})
		},
	})
}

// takingsDays returns the days in the query string, by default today. Without a last day,
// the range ends on the last day of the first parameter, which can be a period, such as last
// week.
func (r *request) takingsDays(q *web.Query, today time.Time) store.DateRange {
	days := store.DateRange{From: today, To: today}
	first, last := q.Get("day"), q.Get("to")
	if first != "" || last != "" {
		if last == "" {
			last = first
		}
		var ok, valid bool
		if days.From, _, ok = web.ParseDays(cmp.Or(first, last), r.now()); !ok {
			field := "day"
			if first == "" {
				field = "to"
			}
			q.Fail(field, "Enter a day, such as 2026-11-21 or yesterday.")
		}
		if _, days.To, valid = web.ParseDays(last, r.now()); ok && !valid {
			q.Fail("to", "Enter a day, such as 2026-11-21 or yesterday.")
		}
	}
	if n := days.To.Sub(days.From)/(24*time.Hour) + 1; len(q.Errors) == 0 && (n < 1 || n > store.MaxTakingsDays) {
		q.Fail("to", fmt.Sprintf("Enter at most %d days, the first day first.", store.MaxTakingsDays))
	}
	return days
}

// listUnpaidRentals lists the charges of a store that renters have not paid yet.
func listUnpaidRentals(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return respondList(r, q, listPage[store.RentalPayment]{
		file: "unpaid-rentals", columns: rentalPaymentColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.RentalPayment], error) {
			return r.shop.UnpaidCharges(ctx, s.ID, p)
		},
		page: func(l views.List, rows []store.RentalPayment) templ.Component {
			return views.UnpaidRentalsPage(views.UnpaidRentals{Page: r.page("Unpaid rentals of " + cmp.Or(s.Name, s.ID)), List: l, Store: *s, Rows: rows})
		},
	})
}

func showSettleForm(r *request) error { return r.showForm(r.settleForm) }

// settleRental records the payment of a charge that the renter had left unpaid.
func settleRental(r *request) error {
	form, err := r.readForm("day", "payment", store.FieldPayMethod)
	if err != nil {
		return err
	}
	day, err := r.day(form, "day")
	if err == nil {
		err = r.shop.SettleRental(r.ctx(), store.RentalSettlement{
			StoreID: r.id(), Day: day, PaymentID: form.Get("payment"), Method: store.PayMethod(form.Get(store.FieldPayMethod)),
		}, form.Token())
	}
	return r.finishChange(err, "Payment recorded.", views.UnpaidPath(r.id()), r.rerender(form, r.settleForm))
}

func (r *request) settleForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	dayText, id := form.Get("day"), form.Get("payment")
	if r.Request().Method == http.MethodGet || r.Request().Method == http.MethodHead {
		q, err := r.query("day", "payment")
		if err != nil {
			return nil, err
		}
		dayText, id = q.Get("day"), q.Get("payment")
	}
	day, err := time.Parse(time.DateOnly, dayText)
	if err != nil {
		day = time.Time{} // no charge has this day, so the store returns NotFound
	}
	charge, err := r.shop.UnpaidCharge(r.ctx(), r.id(), day, id)
	if err != nil {
		return nil, err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	return views.RentalSettlePage(views.RentalSettle{
		Page: r.page("Record payment"), Form: r.formState(form, rejected, 0), Store: *s, Charge: *charge,
		Method: formInput(form, rejected, store.FieldPayMethod),
	}), nil
}

// showRentalSlip shows the check-out slip with the kayaks that a person has rented from a
// store.
func showRentalSlip(r *request) error {
	q, err := r.query("person")
	if err != nil {
		return err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	p := views.RentalSlip{Company: r.settings.Company, Store: *s, ID: q.Get("person")}
	if p.ID != "" {
		out, err := r.shop.RentedByPersonFromStore(r.ctx(), p.ID, s.ID, store.Page{Limit: store.MaxLimit})
		if err != nil {
			return err
		}
		p.Rentals = out.Rows
	}
	if len(p.Rentals) > 0 {
		p.Name = p.Rentals[0].PersonName
	}
	p.Page = r.page("Check-out slip")
	return r.show(views.RentalSlipPage(p))
}

func payInputs(form web.Form, rejected *store.Error) views.CheckInPayment {
	return views.CheckInPayment{
		Method: formInput(form, rejected, store.FieldPayMethod), Keep: formInput(form, rejected, store.FieldKeep), KeepWhy: formInput(form, rejected, store.FieldKeepWhy),
	}
}

func depositInputs(form web.Form, rejected *store.Error) (deposit, method ui.Input) {
	return formInput(form, rejected, store.FieldDeposit), formInput(form, rejected, store.FieldDepositMethod)
}

package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// invoicesTable lists invoices with what is owed of each.
func invoicesTable(p *Page, caption string, rows []store.Invoice, by turn) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Invoice</th><th scope="col" class="p2">Order</th>`)
		t.dateHeading("Date", by)
		t.HTML(`<th scope="col" class="p2">Due</th><th scope="col" class="p2">Status</th>` +
			`<th scope="col" class="num p3">Amount</th><th scope="col" class="num">Owed</th></tr></thead><tbody>`)
		for i := range rows {
			t.invoiceRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) invoiceRow(i *store.Invoice) {
	status := t.page.invoiceBadge(i)
	t.HTML(`<tr><td>`)
	t.ID("/invoices/", i.ID)
	t.HTML(`<span class="sub m">`)
	t.day(i.Date)
	t.HTML(`</span></td><td class="p2">`)
	t.ID("/orders/", i.OrderID)
	t.HTML(`</td><td class="p2">`)
	t.day(i.Date)
	t.HTML(`</td><td class="p2">`)
	t.day(i.DueDate)
	t.HTML(`</td><td class="p2">`)
	t.Badge(status)
	t.HTML(`</td><td class="num p3">`)
	t.money(i.Amount)
	t.HTML(`</td><td class="num">`)
	t.money(i.Owed())
	t.HTML(`<span class="sub m">`)
	t.Badge(status)
	t.HTML(`</span></td></tr>`)
}

// invoiceBadge is the invoice's status, or that it should have been paid by
// now: that follows from the day, so no status of the table says it.
func (p *Page) invoiceBadge(i *store.Invoice) ui.Badge {
	if p.overdue(i) {
		return ui.Badge{Word: "Overdue", Tone: ui.Wrong}
	}
	return invoiceBadge(i.Status)
}

func (p *Page) overdue(i *store.Invoice) bool {
	return !i.DueDate.IsZero() && i.Owed().Sign() > 0 && daysBetween(in(p.Now, p.Zone), in(i.DueDate, p.Zone)) < 0
}

// paymentsTable lists payments and their sum.
func paymentsTable(p *Page, caption string, rows []store.Payment) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Payment</th><th scope="col" class="p2">Reference</th><th scope="col" class="p2">Date</th>` +
			`<th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		var paid store.Amount
		for i := range rows {
			payment := &rows[i]
			paid = paid.Plus(payment.Amount)
			t.HTML(`<tr><td><span dir="auto">`)
			t.Text(named(kindName(payment.Type), "Payment"))
			t.HTML(`</span><span class="sub">Payment `)
			t.Text(payment.ID)
			t.HTML(`</span><span class="sub m">`)
			t.day(payment.Date)
			t.HTML(`</span></td><td class="p2" dir="auto">`)
			t.Text(store.LastFour(payment.Data))
			t.HTML(`</td><td class="p2">`)
			t.day(payment.Date)
			t.HTML(`</td><td class="num">`)
			t.money(payment.Amount)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody><tfoot><tr><th scope="row">Paid</th><td class="p2"></td><td class="p2"></td><td class="num">`)
		t.money(paid)
		t.HTML(`</td></tr></tfoot>`)
	})
}

package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// paymentTable lists payments and their sum. It strikes out reversed payments, and shows
// their reversals in the same rows.
func paymentTable(p *Page, caption string, payments []store.Payment) ui.Written {
	return func(m *ui.Markup) {
		m.Table(caption)
		m.HTML(`<thead><tr><th scope="col" class="name">Payment</th><th scope="col" class="p2">Reference</th><th scope="col" class="p2">Date</th>` +
			`<th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range payments {
			if payment := &payments[i]; payment.ReversalOf == "" {
				paymentRow(m, p, payment, store.ReversalOf(payments, payment.ID))
			}
		}
		m.HTML(`</tbody><tfoot><tr><th scope="row">Paid</th><td class="p2"></td><td class="p2"></td><td class="num">`)
		m.Bytes(AppendMoney(m.Scratch(), paidSum(payments), p.Currency))
		m.HTML(`</td></tr></tfoot>`)
		m.EndTable()
	}
}

// paymentRow writes a payment. The argument reversal is the payment that reverses it, or nil.
func paymentRow(m *ui.Markup, p *Page, payment, reversal *store.Payment) {
	m.HTML(`<tr><td class="name"><span dir="auto">`)
	m.Text(paymentName(*payment))
	m.HTML(`</span><span class="sub">Payment `)
	m.Text(payment.ID)
	if reversal != nil {
		m.HTML(`</span><span class="sub" dir="auto">`)
		m.Text(reversedBy(p, reversal))
	}
	m.HTML(`</span><span class="sub m">`)
	m.Bytes(AppendDay(m.Scratch(), payment.Day(p.zone()), time.UTC))
	m.HTML(`</span></td><td class="p2 wrap ref" dir="auto">`)
	m.Text(payment.Reference())
	m.HTML(`</td><td class="p2">`)
	m.Bytes(AppendDay(m.Scratch(), payment.Day(p.zone()), time.UTC))
	if !payment.Received.IsZero() {
		m.HTML(`<span class="sub">recorded `)
		m.Bytes(AppendDay(m.Scratch(), payment.Date, p.Zone))
		m.HTML(`</span>`)
	}
	m.HTML(`</td><td class="num">`)
	if reversal != nil {
		m.HTML(`<s>`)
	}
	m.Bytes(AppendMoney(m.Scratch(), payment.Amount, p.Currency))
	if reversal != nil {
		m.HTML(`</s>`)
	}
	m.HTML(`</td></tr>`)
}

package storetest_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// invoiceModelOrders is the number of random orders of the invoice model test. Use 1000
// after a change to credits.
var invoiceModelOrders = flag.Int("invoice-model-orders", 12, "number of random orders of the invoice model test")

var invoiceModelSeed = flag.Uint64("invoice-model-seed", 5, "seed of the invoice model test")

// modelInvoices is a random order with several invoices, together with a model in memory
// that gets the same changes.
type modelInvoices struct {
	*selling
	r      *rand.Rand
	id     string
	orders map[string]bool // partitions of all orders of the test
	made   map[string]int  // number of changes by name

	lines    []modelLine
	paid     map[string]store.Amount // payments minus refunds, by invoice ID
	refunded bool                    // some refunds were not covered by an earlier credit
	given    store.Amount            // sum of the refunds that earlier credits did not cover
}

// TestInvoiceModel places, edits, ships, pays, refunds, returns and cancels orders at
// random. After each change, it checks the invoices: their credits must equal their
// credit notes, their payments minus refunds must equal those of the model, and the sum
// of their net amounts must be the value of the order's items, minus at most the refunds.
// After every 20 orders and at the end, it runs the check of the business.
func TestInvoiceModel(t *testing.T) {
	sell(t, func(s *selling) {
		r, orders, made := rand.New(rand.NewPCG(*invoiceModelSeed, 6)), map[string]bool{}, map[string]int{}
		count := *invoiceModelOrders
		if strings.Contains(s.Name(), "endpoint") {
			count = min(count, 50)
		}
		for n := range count {
			m := &modelInvoices{selling: s, r: r, orders: orders, made: made, paid: map[string]store.Amount{}}
			m.place()
			if n%2 == 1 {
				m.refundFirst()
			}
			var log []string
			for range 14 {
				what := m.step()
				if log = append(log, what); what == "" {
					continue
				}
				if m.check(); s.Failed() {
					s.Fatalf("order %d: a check failed after %q", n, log)
				}
			}
			if n%20 == 19 || n == count-1 {
				m.checkBooks()
			}
			if s.Failed() {
				s.Fatalf("order %d: the check of the business failed after %q", n, log)
			}
		}
		s.Log(made)
		for _, what := range []string{"edit", "more invoices", "pay", "refund", "reverse", "ship", "return", "cancel"} {
			if made[what] < count/8+1 {
				s.Errorf("got %d changes %q of %d orders, want at least %d", made[what], what, count, count/8+1)
			}
		}
	})
}

func (m *modelInvoices) place() {
	n := store.NewOrder{Basket: store.Basket{Customer: "c07"}}
	var total int64
	for _, i := range m.r.Perm(8)[:2+m.r.IntN(2)] {
		l := newModelLine(i)
		l.ordered = 1 + m.r.IntN(4)
		m.lines, total = append(m.lines, l), total+l.price*int64(l.ordered)
		n.Lines = append(n.Lines, line(l.product, l.ordered))
	}
	n.Total = store.MinorUnits(total)
	id, err := m.admin.PlaceOrder(m.Context(), n, m.store.NewToken())
	m.done("place", err)
	m.id = id
	m.orders["o#"+id] = true
}

func newModelLine(n int) modelLine {
	return modelLine{product: fmt.Sprintf("p%02d", n), price: int64(100 + n)}
}

// step makes one random change and returns its name, or "" if the change is not possible.
func (m *modelInvoices) step() (what string) {
	o := m.order(m.id)
	switch n := m.r.IntN(100); {
	case n < 40:
		what = m.change(o)
	case n < 55:
		what = m.pay(o)
	case n < 68:
		what = m.repay(o)
	case n < 72:
		what = m.reverse(o)
	case n < 83:
		what = m.ship(o)
	case n < 96:
		what = m.recordReturn(o)
	default:
		what = m.cancelAll(o)
	}
	if what != "" {
		m.made[strings.SplitN(what, ":", 2)[0]]++
	}
	return what
}

func (m *modelInvoices) kept(lines []modelLine) (kept, open int) {
	for i := range lines {
		kept, open = kept+lines[i].kept(), open+lines[i].open()
	}
	return kept, open
}

// change edits the order. The store rejects edits of orders without open items or open
// invoices.
func (m *modelInvoices) change(o *store.OrderDetails) string {
	after := slices.Clone(m.lines)
	var lines []store.BasketLine
	set := func(l *modelLine, quantity int) {
		l.ordered = quantity
		lines = append(lines, line(l.product, quantity))
	}
	add := func(quantity int) { // adds a product unless the order has it
		l := newModelLine(m.r.IntN(8))
		if slices.ContainsFunc(m.lines, func(o modelLine) bool { return o.product == l.product }) {
			return
		}
		set(&l, quantity)
		after = append(after, l)
	}
	if i := m.r.IntN(len(after)); m.r.IntN(2) == 0 && !after[i].cancelled && after[i].shipped == 0 {
		add(after[i].ordered) // replaces a product
		if len(lines) > 0 {
			set(&after[i], 0)
		}
	} else {
		for i := range after {
			if l := &after[i]; !l.cancelled && m.r.IntN(3) == 0 {
				set(l, l.shipped+m.r.IntN(4))
			}
		}
		if m.r.IntN(2) == 0 {
			add(1 + m.r.IntN(4))
		}
	}
	after = slices.DeleteFunc(after, func(l modelLine) bool { return l.ordered == 0 })
	kept, _ := m.kept(after)
	if _, open := m.kept(m.lines); open == 0 || kept == 0 {
		return ""
	}
	if err := m.edit(m.id, lines...); err != nil {
		if store.KindOf(err) != store.Invalid {
			m.Fatal(err)
		}
		return ""
	}
	m.lines = after
	if len(m.order(m.id).Invoices) > len(o.Invoices) {
		m.made["more invoices"]++
	}
	return fmt.Sprint("edit: ", lines)
}

func (m *modelInvoices) pay(o *store.OrderDetails) string {
	n := slices.IndexFunc(o.Invoices, func(i store.Invoice) bool { return i.CanPay() })
	if n < 0 {
		return ""
	}
	i := &o.Invoices[n]
	m.payInvoice(m.id, n)
	m.paid[i.ID] = m.paid[i.ID].Plus(i.BalanceDue())
	return fmt.Sprint("pay: ", n, i.BalanceDue())
}

// repay refunds what is left of a payment, or one cent of it.
func (m *modelInvoices) repay(o *store.OrderDetails) string {
	for _, n := range m.r.Perm(len(o.Invoices)) {
		i := &o.Invoices[n]
		for p, left := range i.Refundable() {
			if left.Sign() == 0 {
				continue
			}
			if m.r.IntN(3) == 0 {
				left = store.MinorUnits(1)
			}
			m.refund(i, p, left)
			return fmt.Sprint("refund: ", n, left)
		}
	}
	return ""
}

// reverse reverses a payment.
func (m *modelInvoices) reverse(o *store.OrderDetails) string {
	for _, n := range m.r.Perm(len(o.Invoices)) {
		i := &o.Invoices[n]
		if payments := i.Reversible(); len(payments) > 0 {
			payment := payments[m.r.IntN(len(payments))]
			r := store.ReversalRequest{InvoiceID: i.ID, Version: i.Version, PaymentID: payment.ID, Why: "x"}
			m.done("reverse", m.admin.ReversePayment(m.Context(), r, m.store.NewToken()))
			m.paid[i.ID] = m.paid[i.ID].Minus(payment.Amount)
			return fmt.Sprint("reverse: ", n, payment.Amount)
		}
	}
	return ""
}

func (m *modelInvoices) refund(i *store.Invoice, p int, amount store.Amount) {
	m.Helper()
	r := store.RefundRequest{Confirmed: true, InvoiceID: i.ID, Version: i.Version, PaymentID: i.Payments[p].ID, Amount: amount, Credit: i.RefundCredit(amount), Why: "x"}
	m.done("refund", m.admin.Refund(m.Context(), r, m.store.NewToken()))
	m.paid[i.ID] = m.paid[i.ID].Minus(amount)
	if overpaid := i.Paid().Minus(i.NetAmount()); overpaid.Compare(amount) < 0 {
		if overpaid.Sign() > 0 {
			amount = amount.Minus(overpaid)
		}
		m.refunded, m.given = true, m.given.Plus(amount)
	}
}

// refundFirst adds a product, refunds the first invoice completely, and replaces the
// product with a more expensive one. The second invoice then covers a part of the new
// product's price, and the third invoice only the rest.
func (m *modelInvoices) refundFirst() {
	m.Helper()
	var free []modelLine // in order of price
	for i := range 8 {
		if l := newModelLine(i); !slices.ContainsFunc(m.lines, func(o modelLine) bool { return o.product == l.product }) {
			l.ordered = 1 + m.r.IntN(3)
			free = append(free, l)
		}
	}
	cheap, dear := free[0], free[len(free)-1]
	dear.ordered = cheap.ordered
	m.done("add", m.edit(m.id, line(cheap.product, cheap.ordered)))
	m.pay(m.order(m.id))
	i := m.order(m.id).Invoices[0]
	m.refund(&i, 0, i.Paid())
	m.done("replace", m.edit(m.id, line(cheap.product, 0), line(dear.product, dear.ordered)))
	m.lines = append(m.lines, dear)
}

func (m *modelInvoices) ship(o *store.OrderDetails) string {
	quantities := map[string]int{}
	for i := range m.lines {
		if l := &m.lines[i]; l.open() > 0 && m.r.IntN(2) == 0 {
			quantities[l.product] = 1 + m.r.IntN(l.open())
		}
	}
	if len(quantities) == 0 {
		return ""
	}
	for product, n := range quantities {
		m.fillStock(product, n)
	}
	m.done("ship", m.admin.ShipItems(m.Context(), m.packing(m.id, "w0", quantities), ""))
	for i := range m.lines {
		m.lines[i].shipped += quantities[m.lines[i].product]
	}
	return fmt.Sprint("ship: ", quantities)
}

// fillStock adds stock if less than quantity is in the warehouse, so that the orders of
// a long test can be shipped.
func (m *modelInvoices) fillStock(product string, quantity int) {
	m.Helper()
	item, err := m.admin.StockItem(m.Context(), product, "w0")
	m.done("stock", err)
	if item.Quantity < quantity {
		form := store.StockForm{ProductID: product, WarehouseID: "w0", Seen: item.Version, Token: m.store.NewToken(), Reason: "Found"}
		m.done("adjust", m.admin.AdjustStock(m.Context(), form, 500))
	}
}

func (m *modelInvoices) recordReturn(o *store.OrderDetails) string {
	quantities := map[string]int{}
	for i := range m.lines {
		if l := &m.lines[i]; l.shipped > l.back && m.r.IntN(2) == 0 {
			quantities[l.product] = 1 + m.r.IntN(l.shipped-l.back)
		}
	}
	if len(quantities) == 0 {
		return ""
	}
	m.returnItems(m.id, quantities)
	for i := range m.lines {
		m.lines[i].back += quantities[m.lines[i].product]
	}
	return fmt.Sprint("return: ", quantities)
}

func (m *modelInvoices) cancelAll(o *store.OrderDetails) string {
	if !o.CanCancel() {
		return ""
	}
	wanted := o.InvoicesAfterCancel()
	m.cancel(m.id)
	for n, i := range m.order(m.id).Invoices {
		if got, want := i, wanted[n]; got.Credit.Compare(want.Credit) != 0 || got.Status != want.Status {
			m.Errorf("cancelled: got invoice %s with the credit %s and the status %s, want %s and %s as calculated before", got.ID, got.Credit, got.Status, want.Credit, want.Status)
		}
	}
	for i := range m.lines {
		if l := &m.lines[i]; l.open() > 0 {
			l.cancelled = true
		}
	}
	return "cancel"
}

func (m *modelInvoices) check() {
	m.Helper()
	o := m.order(m.id)
	var kept int64
	for i := range m.lines {
		kept += m.lines[i].price * int64(m.lines[i].kept())
	}
	value := store.MinorUnits(kept)
	var net, edited store.Amount
	invoiced, credits := store.Amount{}, map[string]store.Amount{}
	for i := range o.CreditNotes {
		n := &o.CreditNotes[i]
		if credits[n.InvoiceID] = credits[n.InvoiceID].Plus(n.Amount); n.Reason == store.CreditEdited {
			edited = edited.Plus(n.Amount)
		}
		if sum := linesOf(n); n.Reason == store.CreditRefunded && len(n.Lines) > 0 || !m.refunded && len(o.Invoices) == 1 && sum.Compare(n.Amount) != 0 {
			m.Errorf("got the credit note %s %s with lines of %s, want lines that sum up to the amount, and none for a refund", n.NumberText(), n.Amount, sum)
		}
	}
	paid := map[string]store.Amount{}
	for n := range o.Invoices {
		i := &o.Invoices[n]
		net, invoiced = net.Plus(i.NetAmount()), invoiced.Plus(i.Amount)
		if i.Paid().Sign() != 0 {
			paid[i.ID] = i.Paid()
		}
		if i.Credit.Compare(i.Amount) > 0 || i.Credit.Compare(credits[i.ID]) != 0 {
			m.Errorf("got the invoice %s over %s with the credit %s, and credit notes of %s, want equal sums, at most the amount of the invoice", i.NumberText(), i.Amount, i.Credit, credits[i.ID])
		}
	}
	maps.DeleteFunc(m.paid, func(_ string, a store.Amount) bool { return a.Sign() == 0 })
	if fmt.Sprint(paid) != fmt.Sprint(m.paid) {
		m.Errorf("got the payments %v, want %v", paid, m.paid)
	}
	m.checkCovered(o)
	// The invoices minus their credits have the value of the order's items. Only refunds
	// that no earlier credit covers can make this sum smaller.
	if net.Compare(value) > 0 || net.Compare(value.Minus(m.given)) < 0 || net.Sign() < 0 {
		m.Errorf("got invoices of %s after credits, want %s minus at most %s for refunds", net, value, m.given)
	}
	if total := invoiced.Minus(edited); !m.refunded && total.Compare(o.Total) != 0 {
		m.Errorf("got invoices of %s after edits, want the total %s", total, o.Total)
	}
}

// checkCovered checks that the net amount of each invoice, plus its refunds, covers the
// items that only this invoice billed and that are neither cancelled nor returned. It skips
// invoices with items that replaced other items.
func (m *modelInvoices) checkCovered(o *store.OrderDetails) {
	m.Helper()
	billedBy, several, refunded := map[string]int{}, map[string]bool{}, map[string]store.Amount{}
	isReplacement := func(l store.DocumentLine) bool { return l.Quantity < 0 }
	replacing := map[string]bool{} // invoices whose amounts cover items that replaced items of other invoices
	for n := range o.Invoices {
		for _, l := range o.BilledLines(&o.Invoices[n]) {
			if by, ok := billedBy[l.ProductID]; ok && by != n || l.Quantity < 0 {
				several[l.ProductID] = true
			}
			billedBy[l.ProductID] = n
		}
	}
	for i := range o.CreditNotes {
		n := &o.CreditNotes[i]
		if n.Reason == store.CreditRefunded {
			refunded[n.InvoiceID] = refunded[n.InvoiceID].Plus(n.Amount)
		}
		replacing[n.InvoiceID] = replacing[n.InvoiceID] || slices.ContainsFunc(n.Lines, isReplacement)
		for _, l := range n.Lines {
			several[l.ProductID] = several[l.ProductID] || l.Quantity < 0
		}
	}
	for n := range o.Invoices {
		i := &o.Invoices[n]
		if replacing[i.ID] || slices.ContainsFunc(i.Lines, isReplacement) {
			continue
		}
		var least int64
		for _, l := range m.lines {
			if by, ok := billedBy[l.product]; ok && by == n && !several[l.product] {
				least += l.price * int64(l.kept())
			}
		}
		if net := i.NetAmount().Plus(refunded[i.ID]); net.Compare(store.MinorUnits(least)) < 0 {
			m.Errorf("got %s left of the invoice %s with refunds, want at least %d minor units for items that it billed", net, i.NumberText(), least)
		}
	}
}

func linesOf(n *store.CreditNote) (sum store.Amount) {
	for i := range n.Lines {
		sum = sum.Plus(n.Lines[i].Total())
	}
	return sum
}

// checkBooks runs the check of the business, which also compares the statuses of the
// orders. It reports the findings about orders of the test.
func (m *modelInvoices) checkBooks() {
	m.Helper()
	if _, err := m.store.CheckBusiness(m.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
		if m.orders[f.PK] {
			m.Errorf("%s: %s", f.Rule, f.Text)
		}
	}}); err != nil {
		m.Error(err)
	}
}

package store

import (
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// InvoiceStatus says how much of an invoice has been paid.
type InvoiceStatus string

// The states of an invoice.
const (
	InvoiceUnpaid   InvoiceStatus = "UNPAID"
	InvoicePartial  InvoiceStatus = "PARTIAL"
	InvoicePaid     InvoiceStatus = "PAID"
	InvoiceRefunded InvoiceStatus = "REFUNDED"
	InvoiceVoid     InvoiceStatus = "VOID"
)

// InvoiceStatuses are all of them.
var InvoiceStatuses = []InvoiceStatus{InvoiceUnpaid, InvoicePartial, InvoicePaid, InvoiceRefunded, InvoiceVoid}

// Invoice is what an order costs and what has been paid of it.
type Invoice struct {
	ID         string
	OrderID    string
	CustomerID string
	Date       time.Time
	DueDate    time.Time `json:",omitzero"`
	Amount     Amount
	Credit     Amount `json:",omitzero"` // taken off the amount: what was cancelled or came back
	Status     InvoiceStatus
	Payments   []Payment `json:",omitempty"`
	Version    int
}

// Payment is one payment of an invoice: a gift card or discount code first,
// the rest by card. A refund is a payment below zero.
type Payment struct {
	ID     string `json:",omitempty"`
	Type   string
	Amount Amount
	Date   time.Time `json:",omitzero"`
	Data   string    `json:",omitempty"` // a reference; of a card number at most its last four digits
}

// EntityType implements Entity.
func (*Invoice) EntityType() string { return "invoice" }

// Paid adds up the payments.
func (i *Invoice) Paid() Amount {
	var paid Amount
	for _, p := range i.Payments {
		paid = paid.Plus(p.Amount)
	}
	return paid
}

// NetAmount is what the invoice comes to after what was taken off it.
func (i *Invoice) NetAmount() Amount { return i.Amount.Minus(i.Credit) }

// BalanceDue is what is left to pay; below zero it is what is to be paid back. It is
// computed, never stored, so it cannot disagree with the payments.
func (i *Invoice) BalanceDue() Amount {
	if i.Status == InvoiceVoid || i.Status == InvoiceRefunded {
		return Amount{}
	}
	return i.NetAmount().Minus(i.Paid())
}

// CanPay says whether something is owed.
func (i *Invoice) CanPay() bool { return i.BalanceDue().Sign() > 0 }

// CanRefund says whether something was paid that can be paid back.
func (i *Invoice) CanRefund() bool { return i.Paid().Sign() > 0 }

// StatusFromPayments is the status that the payments alone amount to.
func (i *Invoice) StatusFromPayments() InvoiceStatus {
	paid, due := i.Paid(), i.NetAmount()
	nothing := i.Credit.Sign() > 0 && due.Sign() <= 0 && paid.Sign() <= 0
	switch {
	case nothing && len(i.Payments) == 0:
		return InvoiceVoid
	case nothing:
		return InvoiceRefunded
	case paid.Compare(due) >= 0:
		return InvoicePaid
	case paid.Sign() > 0:
		return InvoicePartial
	}
	return InvoiceUnpaid
}

// credit takes a sum off what an order's invoices come to, as far as they
// come to anything, and settles them.
func credit(invoices []Invoice, sum Amount) {
	for n := range invoices {
		i := &invoices[n]
		part := sum
		if i.NetAmount().Compare(part) < 0 {
			part = i.NetAmount()
		}
		if i.Status == InvoiceVoid || i.Status == InvoiceRefunded || part.Sign() <= 0 {
			continue
		}
		i.Credit, sum = i.Credit.Plus(part), sum.Minus(part)
		i.Status = i.StatusFromPayments()
	}
}

// KeyValue implements Entity.
func (i *Invoice) KeyValue(name string) string {
	switch name {
	case "id", "shardOf":
		return i.ID
	case "orderID":
		return i.OrderID
	case "customerID":
		return i.CustomerID
	case "date":
		return key.Time(i.Date)
	case "month":
		return month(i.Date)
	case "status":
		return string(i.Status)
	}
	return ""
}

func (i *Invoice) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "i#", &i.ID)
	a.FromKey(table.AttrPK, "o#", &i.OrderID)
	a.FromKey("GSI2-PK", "c#", &i.CustomerID)
	a.Time("Date", &i.Date)
	a.Time("DueDate", &i.DueDate)
	amountAttribute(a, "Amount", &i.Amount)
	optionalAmount(a, "Credit", &i.Credit)
	a.Text("Status", (*string)(&i.Status))
	a.Nested("Detail", func(a *table.Attributes) { table.Slice(a, "Payments", &i.Payments, (*Payment).attributes) })
	a.Version(&i.Version)
}

func (p *Payment) attributes(a *table.Attributes) {
	a.Text("ID", &p.ID)
	a.Text("Type", &p.Type)
	amountAttribute(a, "Amount", &p.Amount)
	a.Time("Date", &p.Date)
	maskedText(a, "Data", &p.Data)
}

// maskedText encodes or decodes a text whose card numbers are reduced to their
// last four digits.
func maskedText(a *table.Attributes, name string, v *string) {
	text := MaskCardNumbers(*v)
	a.Text(name, &text)
	if a.Decoding() {
		*v = MaskCardNumbers(text)
	}
}

// MaskCardNumbers leaves of every card number in a text its last four digits. A card
// number is a run of 12 to 19 digits, which blanks and dashes may part.
func MaskCardNumbers(text string) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		end, digits := cardRun(text[start:])
		if digits < 12 || digits > 19 {
			end = max(end, 1)
			b.WriteString(text[start : start+end])
			start += end
			continue
		}
		run := text[start : start+end]
		b.WriteString("•••• ")
		b.WriteString(lastDigits(run, 4))
		start += end
	}
	return b.String()
}

// cardRun measures the run of digits, blanks and dashes that a text begins
// with: it begins and ends with a digit, and no two separators meet.
func cardRun(text string) (end, digits int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
			end = i + 1
		case (c == ' ' || c == '-') && end == i && digits > 0:
		default:
			return end, digits
		}
	}
	return end, digits
}

func lastDigits(run string, n int) string {
	found := make([]byte, 0, n)
	for i := len(run) - 1; i >= 0 && len(found) < n; i-- {
		if run[i] >= '0' && run[i] <= '9' {
			found = append([]byte{run[i]}, found...)
		}
	}
	return string(found)
}

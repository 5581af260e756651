package store

import (
	"cmp"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// InvoiceStatus is the payment status of an invoice.
type InvoiceStatus string

// The statuses of an invoice.
const (
	InvoiceUnpaid   InvoiceStatus = "UNPAID"
	InvoicePartial  InvoiceStatus = "PARTIAL"
	InvoicePaid     InvoiceStatus = "PAID"
	InvoiceRefunded InvoiceStatus = "REFUNDED"
	InvoiceVoid     InvoiceStatus = "VOID"
)

// InvoiceStatuses lists all statuses of invoices.
var InvoiceStatuses = []InvoiceStatus{InvoiceUnpaid, InvoicePartial, InvoicePaid, InvoiceRefunded, InvoiceVoid}

// InvoiceOverdue selects overdue invoices in an InvoiceFilter. It is not a stored status,
// because an invoice becomes overdue without any change.
const InvoiceOverdue InvoiceStatus = "OVERDUE"

// InvoiceDue selects unpaid and partly paid invoices in an InvoiceFilter. It is not a
// stored status.
const InvoiceDue InvoiceStatus = "DUE"

// InvoiceToRefund selects invoices with a negative balance in an InvoiceFilter: the customer
// has paid more than the amount minus the credit. It is not a stored status. These invoices
// have the status InvoicePaid, but another key in the index of statuses; see listedStatus.
const InvoiceToRefund InvoiceStatus = "TO_REFUND"

// InvoiceFilters lists the values by which lists of invoices can be filtered.
var InvoiceFilters = append([]InvoiceStatus{InvoiceDue, InvoiceOverdue, InvoiceToRefund}, InvoiceStatuses...)

// listedStatuses lists the statuses in the index of statuses.
var listedStatuses = append(slices.Clone(InvoiceStatuses), InvoiceToRefund)

// Invoice is the invoice of an order, with its payments.
type Invoice struct {
	ID         string
	Number     int `json:",omitempty"` // consecutive number, as in INV-12; 0 if the invoice has no number
	OrderID    string
	CustomerID string
	Date       time.Time
	DueDate    time.Time `json:",omitzero"`
	Amount     Amount
	Credit     Amount  `json:",omitzero"` // sum of the credits for cancelled, returned and removed items, and for refunds
	TaxRate    TaxRate `json:",omitzero"` // tax rate that the amounts include; the setting at the time of the invoice
	Status     InvoiceStatus
	Payments   []Payment `json:",omitempty"`

	// Lines is empty if the invoice has the same lines as the order. It is set when the
	// order is edited, because the lines of the order then change.
	Lines      []DocumentLine `json:",omitempty"`
	Supplement string         `json:",omitempty"` // if this invoice is for items that were added later: the ID of the order's first invoice
	Version    int
}

// Payment is a payment of an invoice. A refund is a negative payment, and so is the reversal
// of a payment that was recorded by mistake.
type Payment struct {
	ID     string `json:",omitempty"`
	Type   string // one of VoucherTypes or RestTypes; imported payments can have other types
	Amount Amount
	Date   time.Time `json:",omitzero"`  // when the payment was recorded
	Data   string    `json:",omitempty"` // the voucher's code, the last four digits of the card, or a reference

	// Received is the day when the money arrived, at midnight UTC. It is zero if the money
	// arrived on the day of Date; see Day.
	Received time.Time `json:",omitzero"`

	// RefundOf is the ID of the payment that was refunded. Imported refunds may lack it.
	RefundOf string `json:",omitempty"`

	// ReversalOf is the ID of the payment that this payment reverses; see ReversePayment.
	ReversalOf string `json:",omitempty"`
	By         string `json:",omitempty"` // user who reversed the payment
	Why        string `json:",omitempty"` // reason for the reversal
}

func (*Invoice) EntityType() string { return "invoice" }

// NumberText returns the number as printed on the invoice, such as INV-12. If the invoice
// has no number, it returns the ID.
func (i *Invoice) NumberText() string { return cmp.Or(SeriesInvoices.format(i.Number), i.ID) }

// Paid returns the sum of the payments minus refunds and reversals.
func (i *Invoice) Paid() Amount {
	var paid Amount
	for _, p := range i.Payments {
		paid = paid.Plus(p.Amount)
	}
	return paid
}

// NetAmount returns the amount minus the credit.
func (i *Invoice) NetAmount() Amount { return i.Amount.Minus(i.Credit) }

// BalanceDue returns the amount that is left to pay, or 0 for a void or refunded invoice.
// If it is negative, the business must refund the customer. It is computed and not
// stored, so it always agrees with the payments.
func (i *Invoice) BalanceDue() Amount {
	if i.Status == InvoiceVoid || i.Status == InvoiceRefunded {
		return Amount{}
	}
	return i.NetAmount().Minus(i.Paid())
}

// IsOverdue reports whether a balance is due and the due date has passed.
func (i *Invoice) IsOverdue(now time.Time, zone *time.Location) bool {
	return i.CanPay() && LateDays(i.DueDate, now, zone) > 0
}

// CanPay reports whether a balance is due.
func (i *Invoice) CanPay() bool { return i.BalanceDue().Sign() > 0 }

// Refunded returns the sum of all refunds, as a positive amount.
func (i *Invoice) Refunded() Amount {
	var sum Amount
	for _, p := range i.Payments {
		if p.Amount.Sign() < 0 && p.ReversalOf == "" {
			sum = sum.Minus(p.Amount)
		}
	}
	return sum
}

// CanRefund reports whether a part of the payments is not yet refunded.
func (i *Invoice) CanRefund() bool { return i.Paid().Sign() > 0 }

// Refundable returns how much of each payment can still be refunded, in the order of
// Payments. A refund with a RefundOf first reduces that payment. What is left of the
// refunds reduces payments with the same type and data, and then any payments. Nothing of
// reversed payments can be refunded. The sum is therefore Paid, or 0 if Paid is negative.
func (i *Invoice) Refundable() []Amount {
	left := make([]Amount, len(i.Payments))
	var refunds []Payment
	for n, p := range i.Payments {
		switch {
		case isReversed(i.Payments, &p):
		case p.Amount.Sign() > 0:
			left[n] = p.Amount
		default:
			refunds = append(refunds, p)
		}
	}
	for _, matches := range []func(refund, payment Payment) bool{
		func(refund, payment Payment) bool { return refund.RefundOf != "" && refund.RefundOf == payment.ID },
		func(refund, payment Payment) bool { return refund.Type == payment.Type && refund.Data == payment.Data },
		func(Payment, Payment) bool { return true },
	} {
		for r := range refunds {
			for n, p := range i.Payments {
				if !matches(refunds[r], p) {
					continue
				}
				part := Amount{}.Minus(refunds[r].Amount)
				if left[n].Compare(part) < 0 {
					part = left[n]
				}
				left[n], refunds[r].Amount = left[n].Minus(part), refunds[r].Amount.Plus(part)
			}
		}
	}
	return left
}

// StatusFromPayments computes the status from the amount, the credit and the payments.
func (i *Invoice) StatusFromPayments() InvoiceStatus {
	paid, due := i.Paid(), i.NetAmount()
	cleared := i.Credit.Sign() > 0 && due.Sign() <= 0 && paid.Sign() <= 0
	switch {
	case cleared && len(WithoutReversed(i.Payments)) == 0:
		return InvoiceVoid
	case cleared:
		return InvoiceRefunded
	case paid.Compare(due) >= 0:
		return InvoicePaid
	case paid.Sign() > 0:
		return InvoicePartial
	}
	return InvoiceUnpaid
}

// creditCapacity returns how much can still be credited on the invoice: its NetAmount, or
// 0 if it is void, refunded or has no positive NetAmount.
func (i *Invoice) creditCapacity() Amount {
	if i.Status == InvoiceVoid || i.Status == InvoiceRefunded || i.NetAmount().Sign() <= 0 {
		return Amount{}
	}
	return i.NetAmount()
}

// listedStatus returns the status in the index of statuses: the Status, or InvoiceToRefund.
func (i *Invoice) listedStatus() InvoiceStatus {
	if i.Status == InvoicePaid && i.BalanceDue().Sign() < 0 {
		return InvoiceToRefund
	}
	return i.Status
}

// ShownStatus returns the status that pages show at a moment: InvoiceOverdue, InvoiceToRefund,
// or the Status.
func (i *Invoice) ShownStatus(at time.Time, zone *time.Location) InvoiceStatus {
	if i.IsOverdue(at, zone) {
		return InvoiceOverdue
	}
	return i.listedStatus()
}

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
		return string(i.listedStatus())
	case "number":
		return SeriesInvoices.format(i.Number)
	}
	return ""
}

func (i *Invoice) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "i#", &i.ID)
	a.FromKey(table.AttrPK, "o#", &i.OrderID)
	a.FromKey("GSI2-PK", "c#", &i.CustomerID)
	a.Count("Number", &i.Number)
	a.Time("Date", &i.Date)
	a.Time("DueDate", &i.DueDate)
	amountAttribute(a, "Amount", &i.Amount)
	optionalAmount(a, "Credit", &i.Credit)
	taxRateAttribute(a, "TaxRate", &i.TaxRate)
	a.Text("Status", (*string)(&i.Status))
	a.Nested("Detail", func(a *table.Attributes) {
		table.Slice(a, "Payments", &i.Payments, (*Payment).attributes)
		table.Slice(a, "Lines", &i.Lines, (*DocumentLine).attributes)
	})
	a.Text("Supplement", &i.Supplement)
	a.Version(&i.Version)
}

func (p *Payment) attributes(a *table.Attributes) {
	a.Text("ID", &p.ID)
	a.Text("Type", &p.Type)
	amountAttribute(a, "Amount", &p.Amount)
	a.Time("Date", &p.Date)
	data := p.Reference()
	a.Text("Data", &data)
	if a.Decoding() {
		p.Data = data
		p.Data = p.Reference()
	}
	a.Date("Received", &p.Received)
	a.Text("RefundOf", &p.RefundOf)
	a.Text("ReversalOf", &p.ReversalOf)
	a.Text("By", &p.By)
	maskedText(a, "Why", &p.Why)
}

// Day returns the day when the money arrived, in the time zone of the business, at midnight
// UTC. It returns the zero time if the day is not known.
func (p *Payment) Day(zone *time.Location) time.Time {
	if !p.Received.IsZero() || p.Date.IsZero() {
		return p.Received
	}
	return dayIn(p.Date, zone)
}

// Reference returns the Data of the payment, in which only the last four digits of card
// numbers remain. References of bank transfers often contain other long numbers, so
// Reference masks only likely card numbers in them; see MaskLikelyCards.
func (p *Payment) Reference() string {
	if p.Type == BankTransfer {
		return MaskLikelyCards(p.Data)
	}
	return MaskCardNumbers(p.Data)
}

// maskedText encodes or decodes a text attribute, in which only the last four digits of
// card numbers remain.
func maskedText(a *table.Attributes, name string, v *string) {
	text := MaskCardNumbers(*v)
	a.Text(name, &text)
	if a.Decoding() {
		*v = MaskCardNumbers(text)
	}
}

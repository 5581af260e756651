package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// How people pay. A gift card or a discount code comes first, a card takes
// the rest.
var (
	VoucherTypes = []string{"GiftCard", "DiscountCode"}
	CardTypes    = []string{"Visa", "MasterCard", "AmericanExpress"}
)

// PaymentRequest is what was paid of an invoice: by a voucher, by card, or by both. An
// amount of nothing is a payment that was not made.
type PaymentRequest struct {
	InvoiceID string
	Version   int // of the invoice, as the form showed it
	Voucher   Payment
	Card      Payment // Data is the last four digits of its number
}

// The fields of a payment, by the names under which their errors come back.
const (
	FieldVoucherKind   = "voucher-kind"
	FieldVoucherAmount = "voucher-amount"
	FieldVoucherCode   = "voucher-code"
	FieldCardKind      = "card-kind"
	FieldCardAmount    = "card-amount"
	FieldCardDigits    = "card-digits"
)

// RecordPayment takes payments of an invoice. Together they are at most what is owed.
func (a Access) RecordPayment(ctx context.Context, p PaymentRequest, once string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	return a.changeInvoice(ctx, p.InvoiceID, p.Version, once, func(o *orderChange, i *Invoice) error {
		if err := p.fits(i); err != nil {
			return err
		}
		if p.Card.Amount.Sign() > 0 {
			p.Card.Data = "•••• " + p.Card.Data
		}
		return o.pay(i, "payment taken", "", p.Voucher, p.Card)
	})
}

// check looks at what was typed, whatever is owed.
func (p *PaymentRequest) check() error {
	v, c := &p.Voucher, &p.Card
	v.Data, c.Data = strings.TrimSpace(v.Data), strings.TrimSpace(c.Data)
	switch {
	case v.Amount.Sign() < 0:
		return InvalidField(FieldVoucherAmount, "A payment is more than nothing. What is paid back is a refund.")
	case c.Amount.Sign() < 0:
		return InvalidField(FieldCardAmount, "A payment is more than nothing. What is paid back is a refund.")
	case v.Amount.Sign() == 0 && v.Data != "":
		return InvalidField(FieldVoucherAmount, "Say how much is paid with this code.")
	case v.Amount.Sign() == 0 && c.Amount.Sign() == 0:
		return InvalidField(FieldCardAmount, "Say how much was paid.")
	case v.Amount.Sign() > 0 && !slices.Contains(VoucherTypes, v.Type):
		return InvalidField(FieldVoucherKind, "Choose a gift card or a discount code.")
	case v.Amount.Sign() > 0 && (v.Data == "" || len(v.Data) > maxText || MaskCardNumbers(v.Data) != v.Data):
		return InvalidField(FieldVoucherCode, "Write the code that stands on it; a card's number does not belong here.")
	case c.Amount.Sign() > 0 && !slices.Contains(CardTypes, c.Type):
		return InvalidField(FieldCardKind, "Choose the kind of the card.")
	case c.Amount.Sign() > 0 && !fourDigits(c.Data):
		return InvalidField(FieldCardDigits, "Write the last four digits of the card's number, and no more of it.")
	}
	return nil
}

func fourDigits(text string) bool {
	return len(text) == 4 && strings.Trim(text, "0123456789") == ""
}

// fits holds the payments to what is owed, and to their order.
func (p *PaymentRequest) fits(i *Invoice) error {
	owed := i.BalanceDue()
	rest := owed.Minus(p.Voucher.Amount)
	byCard := func(paid Payment) bool { return slices.Contains(CardTypes, paid.Type) && paid.Amount.Sign() > 0 }
	switch {
	case owed.Sign() <= 0:
		return InvalidField(FieldCardAmount, "Nothing is owed of this invoice any more.")
	case p.Voucher.Amount.Sign() > 0 && slices.ContainsFunc(i.Payments, byCard):
		return InvalidField(FieldVoucherAmount, "A gift card or a discount code comes before a card, and a card has paid already.")
	case rest.Sign() < 0:
		return InvalidField(FieldVoucherAmount, "This is more than the %s that are owed.", owed.AppendFixed(nil, 2))
	case p.Card.Amount.Compare(rest) > 0:
		return InvalidField(FieldCardAmount, "This is more than the %s that are left to pay.", rest.AppendFixed(nil, 2))
	}
	return nil
}

// RefundRequest is a sum that is paid back by the way on which another payment of
// the invoice came.
type RefundRequest struct {
	InvoiceID string
	Version   int // of the invoice, as the form showed it
	PaymentID string
	Amount    Amount
	Why       string
}

// Refund pays back some or all of what was paid of an invoice.
func (a Access) Refund(ctx context.Context, r RefundRequest, once string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	if r.Amount.Sign() <= 0 {
		return InvalidField("amount", "Say how much is paid back.")
	}
	why, err := reason(r.Why)
	if err != nil {
		return err
	}
	return a.changeInvoice(ctx, r.InvoiceID, r.Version, once, func(o *orderChange, i *Invoice) error {
		n := slices.IndexFunc(i.Payments, func(p Payment) bool { return p.ID == r.PaymentID && p.Amount.Sign() > 0 })
		if n < 0 {
			return InvalidField("payment", "Choose the payment that is paid back.")
		}
		if paid := i.Paid(); r.Amount.Compare(paid) > 0 {
			return InvalidField("amount", "This is more than the %s that were paid.", paid)
		}
		way := i.Payments[n]
		if r.Amount.Compare(way.Amount) > 0 {
			return InvalidField("amount", "This is more than the %s that came this way.", way.Amount.AppendFixed(nil, 2))
		}
		return o.pay(i, "payment refunded", why, Payment{Type: way.Type, Data: way.Data, Amount: Amount{}.Minus(r.Amount)})
	})
}

// changeInvoice changes an invoice that the form showed in this version. The
// index says of which order it is; what counts is read with the order.
func (a Access) changeInvoice(ctx context.Context, id string, version int, once string, work func(*orderChange, *Invoice) error) error {
	found, err := a.invoice(ctx, getInvoice, id)
	if err != nil {
		return err
	}
	return a.changeOrder(ctx, found.OrderID, once, func(o *orderChange) error {
		n := slices.IndexFunc(o.Invoices, func(i Invoice) bool { return i.ID == id })
		if n < 0 {
			return fail(NotFound, "There is no invoice %s.", id)
		}
		i := &o.Invoices[n]
		if err := requireVersion(version, i.Version); err != nil {
			return err
		}
		return work(o, i)
	})
}

// pay appends payments, each under an ID of its own, and tells what they made
// of the invoice.
func (o *orderChange) pay(i *Invoice, what, why string, payments ...Payment) error {
	before := i.Status
	var sum Amount
	list := slices.Clone(i.Payments)
	for _, p := range payments {
		if p.Amount.Sign() == 0 {
			continue
		}
		id, err := o.store.ids.New()
		if err != nil {
			return err
		}
		p.ID, p.Date = id, o.store.now()
		list, sum = append(list, p), sum.Plus(p.Amount)
	}
	i.Payments = list
	i.Status = i.StatusFromPayments()
	o.recordOrderEvent(Event{What: what + " of invoice " + i.ID + ": " + sum.String(), Why: why, Before: string(before), After: string(i.Status)})
	return nil
}

// InvoiceForChange reads an invoice as it lies in the table just now, for a
// form that leads to a change of it.
func (a Access) InvoiceForChange(ctx context.Context, id string) (*Invoice, error) {
	found, err := a.invoice(ctx, getInvoice, id)
	if err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getOrderInvoices, key.Map{"orderID": found.OrderID}, true)
	invoices, err := decodeAll(items, err, decodeAs[Invoice])
	if err != nil {
		return nil, err
	}
	for i := range invoices {
		if invoices[i].ID == id {
			return &invoices[i], nil
		}
	}
	return nil, fail(NotFound, "There is no invoice %s.", id)
}

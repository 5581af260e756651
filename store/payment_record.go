package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// The types of payments. RestTypes lists the types that pay what vouchers do not. On an
// invoice, gift cards and discount codes must come before a card payment.
var (
	VoucherTypes = []string{"GiftCard", "DiscountCode"}
	CardTypes    = []string{"Visa", "MasterCard", "AmericanExpress"}
	RestTypes    = append(slices.Clone(CardTypes), BankTransfer, "Cash")
)

// BankTransfer is the type of a payment by bank transfer.
const BankTransfer = "BankTransfer"

// PaymentRequest is a payment of an invoice by voucher, by one of RestTypes, or by both.
// The Amount of an unused payment is zero.
type PaymentRequest struct {
	InvoiceID string
	Version   int // version of the invoice that the form showed
	Voucher   Payment
	Rest      Payment   // Data is the last four digits of the card number, or a reference
	Received  time.Time // day when the money arrived, at midnight UTC; zero for today
	Shown     []string  // IDs of the similar payments that the form has shown; see Similar

	Wrong InputErrors // errors of amounts that could not be parsed
}

// Names of the form fields of a payment, for errors.
const (
	FieldVoucherKind   = "voucher-kind"
	FieldVoucherAmount = "voucher-amount"
	FieldVoucherCode   = "voucher-code"
	FieldRestMethod    = "rest-method"
	FieldRestAmount    = "rest-amount"
	FieldRestReference = "rest-reference"
	FieldReceived      = "received"
)

// FieldSimilar is the name of the hidden field with the IDs of the similar records or
// payments that the form has shown, separated by #. If the user must check others, the error
// has this field.
const FieldSimilar = "similar"

// RecordPayment adds payments to an invoice. It returns NotFound, or Conflict if the
// invoice has another version. It returns Invalid if a field is invalid, if the payments
// exceed the balance due, or if the form has not yet shown a similar payment. If the same
// form has already recorded the payments, it records nothing, and sets a.Repeated.
func (a Access) RecordPayment(ctx context.Context, p PaymentRequest, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	p.check()
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	if p.Rest.Amount.Sign() > 0 && p.Rest.isByCard() {
		p.Rest.Data = cardMask + p.Rest.Data
	}
	return p.Wrong.Before(a.changeInvoice(ctx, p.InvoiceID, p.Version, token, func(o *orderChange, i *Invoice) error {
		wrong := slices.Clone(p.Wrong)
		if err := wrong.Add(p.checkReceived(i, dayIn(a.store.now(), settings.Zone()), settings.Zone())); err != nil {
			return err
		}
		if err := wrong.With(p.checkBalance(i, settings.Currency)); err != nil {
			return err
		}
		if err := p.checkSimilar(i, a.store.now(), settings.Zone()); err != nil {
			return err
		}
		p.Voucher.Received, p.Rest.Received = p.Received, p.Received
		return o.addPayments(i, EventPaymentRecorded, "", p.Voucher, p.Rest)
	}))
}

// check checks the rules that do not depend on the invoice, and adds errors to p.Wrong.
// It also trims the Data of both payments.
func (p *PaymentRequest) check() {
	const negative = "Enter an amount above zero. To return money, use Refund."
	v, r, wrong := &p.Voucher, &p.Rest, &p.Wrong
	v.Data, r.Data = strings.TrimSpace(v.Data), strings.TrimSpace(r.Data)
	if v.Amount.Sign() < 0 {
		wrong.Reject(FieldVoucherAmount, negative)
	}
	if r.Amount.Sign() < 0 {
		wrong.Reject(FieldRestAmount, negative)
	}
	if v.Amount.Sign() == 0 && v.Data != "" {
		wrong.Reject(FieldVoucherAmount, "Enter the amount paid with this code.")
	}
	byVoucher := v.Amount.Sign() != 0 || wrong.Has(FieldVoucherAmount)
	paysRest := r.Amount.Sign() != 0 || wrong.Has(FieldRestAmount)
	if !byVoucher && !paysRest {
		wrong.Reject(FieldRestAmount, "Enter the amount paid.")
		return
	}
	if byVoucher && !slices.Contains(VoucherTypes, v.Type) {
		wrong.Reject(FieldVoucherKind, "Choose a gift card or a discount code.")
	}
	if byVoucher && (v.Data == "" || len(v.Data) > maxText || hasCardNumber(v)) {
		wrong.Reject(FieldVoucherCode, "Enter the code of the gift card or discount, not the number of a payment card.")
	}
	switch {
	case !paysRest:
	case !slices.Contains(RestTypes, r.Type):
		wrong.Reject(FieldRestMethod, "Choose a payment method.")
	case r.isByCard() && r.Data == "":
		wrong.Reject(FieldRestReference, "Enter the last four digits of the card.")
	case r.isByCard() && !isFourDigits(r.Data):
		wrong.Reject(FieldRestReference, "Enter only the last four digits of the card number.")
	case hasCardNumber(r):
		wrong.Reject(FieldRestReference, "Enter a reference without a number of %d to %d digits, because this can be a card number.", minCardDigits, maxCardDigits)
	default:
		_ = wrong.Add(checkLine(FieldRestReference, &r.Data)) // Add returns nil, because checkLine returns only Invalid
	}
}

func (p *Payment) isByCard() bool { return slices.Contains(CardTypes, p.Type) }

// hasCardNumber reports whether the Data of a payment contains a card number, or a card
// number that MaskedField has masked.
func hasCardNumber(p *Payment) bool {
	return p.Reference() != p.Data || strings.Contains(p.Data, cardMask)
}

func isFourDigits(text string) bool {
	return len(text) == 4 && strings.Trim(text, "0123456789") == ""
}

// ExcessAdvice says what to do with money that exceeds the balance due of an invoice.
const ExcessAdvice = "If the customer paid more, record the rest on their other invoices, or return it to them."

// checkBalance returns Invalid if the payments exceed the balance due or have too
// many decimals for the currency. It also rejects a voucher after a card payment.
func (p *PaymentRequest) checkBalance(i *Invoice, currency string) error {
	due := i.BalanceDue()
	rest := due.Minus(p.Voucher.Amount)
	byCard := func(paid Payment) bool { return paid.isByCard() && paid.Amount.Sign() > 0 }
	if due.Sign() <= 0 {
		return InvalidField(FieldRestAmount, "This invoice has no balance due. "+ExcessAdvice)
	}
	var wrong InputErrors
	switch {
	case p.Voucher.Amount.Sign() > 0 && slices.ContainsFunc(WithoutReversed(i.Payments), byCard):
		wrong.Reject(FieldVoucherAmount, "This invoice already has a card payment. Gift cards and discount codes can't be used after that.")
	case rest.Sign() < 0:
		wrong.Reject(FieldVoucherAmount, "Enter at most the balance due, %s.", amountText(due, currency))
	case p.Rest.Amount.Compare(rest) > 0:
		wrong.Reject(FieldRestAmount, "Enter at most the rest of the balance due, %s. "+ExcessAdvice, amountText(rest, currency))
	}
	for _, err := range []error{
		CheckDecimals(FieldVoucherAmount, p.Voucher.Amount, due, currency), CheckDecimals(FieldRestAmount, p.Rest.Amount, rest, currency),
	} {
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// checkReceived returns Invalid if the money cannot have arrived on the entered day. It sets
// p.Received to zero if the day is today, because Payment.Date then contains the day.
func (p *PaymentRequest) checkReceived(i *Invoice, today time.Time, zone *time.Location) error {
	switch invoiced := dayIn(i.Date, zone); {
	case p.Received.IsZero():
	case p.Received.After(today):
		return InvalidField(FieldReceived, "Enter today or an earlier day.")
	case p.Received.Before(invoiced):
		return InvalidField(FieldReceived, "Enter a day that is not before the date of the invoice, %[1]s. If the money arrived earlier, enter %[1]s, and add a note with the actual day to the order.", longDay(invoiced))
	case p.Received.Equal(today):
		p.Received = time.Time{}
	}
	return nil
}

// Similar returns the payments of the invoice that may be the same as those of the request:
// they have the same type and amount, and arrived on the same day. Vouchers must also have
// the same code. Similar omits reversed payments.
func (p *PaymentRequest) Similar(i *Invoice, now time.Time, zone *time.Location) []Payment {
	return slices.Concat(p.similarTo(&p.Voucher, i, now, zone), p.similarTo(&p.Rest, i, now, zone))
}

func (p *PaymentRequest) similarTo(paid *Payment, i *Invoice, now time.Time, zone *time.Location) (similar []Payment) {
	day := p.Received
	if day.IsZero() {
		day = dayIn(now, zone)
	}
	if paid.Amount.Sign() <= 0 {
		return nil
	}
	for _, other := range WithoutReversed(i.Payments) {
		sameCode := other.Data == paid.Data || !slices.Contains(VoucherTypes, paid.Type)
		if sameCode && other.Type == paid.Type && other.Amount.Compare(paid.Amount) == 0 && other.Day(zone).Equal(day) {
			similar = append(similar, other)
		}
	}
	return similar
}

// checkSimilar returns Invalid with FieldSimilar if the form has not yet shown one of the
// similar payments.
func (p *PaymentRequest) checkSimilar(i *Invoice, now time.Time, zone *time.Location) error {
	isNew := func(other Payment) bool { return !slices.Contains(p.Shown, other.ID) }
	if slices.ContainsFunc(p.Similar(i, now, zone), isNew) {
		return InvalidField(FieldSimilar, "This payment may already be recorded. Check the payments below before you record it.")
	}
	return nil
}

// changeInvoice changes an invoice and its order. It finds the order of the invoice in an
// index and calls changeOrder, which calls work. It returns Conflict if the form showed
// another version of the invoice.
func (a Access) changeInvoice(ctx context.Context, id string, version int, token string, work func(*orderChange, *Invoice) error) error {
	found, err := a.invoice(ctx, getInvoice, id)
	if err != nil {
		return err
	}
	return a.changeOrder(ctx, found.OrderID, token, func(o *orderChange) error {
		n := slices.IndexFunc(o.Invoices, func(i Invoice) bool { return i.ID == id })
		if n < 0 {
			return invoiceNotFound(id)
		}
		i := &o.Invoices[n]
		if version != i.Version {
			return i.errChanged(o.currency)
		}
		return work(o, i)
	})
}

// errChanged returns the Conflict for a form that showed another version of the invoice. It
// contains the current balance, so that the user does not record the same payment twice.
func (i *Invoice) errChanged(currency string) error {
	balance := i.BalanceDue()
	text := "The balance due is now " + amountText(balance, currency)
	if balance.Sign() < 0 {
		text = "The amount to refund is now " + amountText(Amount{}.Minus(balance), currency)
	}
	return fail(Conflict, "This invoice changed after you opened the form, and nothing was recorded. %s. Check the payments and the amounts before you try again.", text)
}

// maxPayments is the maximum number of payments, refunds and reversals of an invoice. With
// the longest reasons and references, the invoice stays smaller than 400 KB, the limit of
// DynamoDB (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html).
const maxPayments = 100

// addPayments adds the payments whose amount is not zero to an invoice, updates its status
// and records the event. It returns Invalid if the invoice then has more than maxPayments.
// Refunds are accepted even then, because the sum of the payments limits them.
func (o *orderChange) addPayments(i *Invoice, what EventCode, why string, payments ...Payment) error {
	before := i.Status
	var sum Amount
	all := slices.Clone(i.Payments)
	for _, p := range payments {
		if p.Amount.Sign() == 0 {
			continue
		}
		id, err := o.store.ids.New()
		if err != nil {
			return err
		}
		p.ID, p.Date = id, o.store.now()
		all, sum = append(all, p), sum.Plus(p.Amount)
	}
	if len(all) > maxPayments && what != EventPaymentRefunded {
		return InvalidField("", "An invoice can have at most %d payments, refunds and reversals.", maxPayments)
	}
	i.Payments = all
	i.Status = i.StatusFromPayments()
	o.recordOrderEvent(Event{What: what, Subject: i.ID + ": " + sum.String(), Why: why, Before: string(before), After: string(i.Status)})
	return nil
}

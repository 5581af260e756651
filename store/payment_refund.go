package store

import (
	"context"
	"slices"
)

// RefundRequest is a refund to the card or voucher of an earlier payment.
type RefundRequest struct {
	InvoiceID string
	Version   int // version of the invoice that the form showed
	PaymentID string
	Amount    Amount
	Why       string

	Wrong InputErrors // the error of an amount that could not be parsed
}

// Refund records a refund of an invoice. If earlier credits do not cover the refund,
// it credits the rest with a credit note. It returns Invalid if the payment or the
// reason is missing, or if the amount exceeds the rest of the payment or the user's
// limit. It returns Conflict if the invoice has another version, Forbidden if the
// user is not allowed to make refunds, or NotFound.
func (a Access) Refund(ctx context.Context, r RefundRequest, token string) error {
	if err := a.require(Refund); err != nil {
		return err
	}
	if r.Amount.Sign() <= 0 {
		r.Wrong.Reject("amount", "Enter the amount to refund.")
	}
	why, err := checkReason(r.Why)
	if err := r.Wrong.Add(err); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	return r.Wrong.Before(a.changeInvoice(ctx, r.InvoiceID, r.Version, token, func(o *orderChange, i *Invoice) error {
		wrong := slices.Clone(r.Wrong)
		payment, err := r.payment(i, settings.Currency)
		if err := wrong.Add(err); err != nil {
			return err
		}
		if err := wrong.With(a.checkRefundLimit(ctx, o, i, r.Amount)); err != nil {
			return err
		}
		i.creditRefund(r.Amount)
		o.credits = credits{reason: CreditRefunded, invoiceID: i.ID, refunded: r.Amount}
		return o.addPayments(i, EventPaymentRefunded, why, Payment{Type: payment.Type, Data: payment.Data, Amount: Amount{}.Minus(r.Amount), RefundOf: payment.ID})
	}))
}

// payment returns the payment to refund. It returns Invalid if the payment is missing or
// the amount exceeds the rest of the payment.
func (r *RefundRequest) payment(i *Invoice, currency string) (Payment, error) {
	n := slices.IndexFunc(i.Payments, func(p Payment) bool { return p.ID == r.PaymentID && p.Amount.Sign() > 0 })
	if n < 0 {
		return Payment{}, InvalidField("payment", "Choose the payment to refund.")
	}
	left := i.Refundable()[n]
	switch {
	case left.Sign() == 0:
		return Payment{}, InvalidField("payment", "Choose another payment. This one is refunded in full.")
	case r.Amount.Compare(left) > 0:
		return Payment{}, InvalidField("amount", "Enter at most %s, the part of this payment that is not refunded yet.", amountText(left, currency))
	}
	return i.Payments[n], CheckDecimals("amount", r.Amount, left, currency)
}

// creditRefund adds a refund to the credit. A refund of an overpaid amount adds
// nothing, because a return or cancellation has already credited that amount.
func (i *Invoice) creditRefund(amount Amount) {
	overpaid := i.Paid().Minus(i.NetAmount())
	if overpaid.Sign() > 0 {
		amount = amount.Minus(overpaid)
	}
	if amount.Sign() > 0 {
		i.Credit = i.Credit.Plus(amount)
	}
}

// CanRefund reports whether the user may make refunds.
func (u *User) CanRefund(settings Settings) bool {
	return u.May(RefundAny) || u.May(Refund) && settings.RefundLimit.Sign() > 0
}

// checkRefundLimit returns Invalid if this refund would make the refunds of the invoice
// exceed the user's limit. The limit applies to the sum, so that several small refunds
// cannot exceed it. If the limit is 0, checkRefundLimit returns Forbidden.
// The change fails if the settings, which contain the limit, have changed.
func (a Access) checkRefundLimit(ctx context.Context, o *orderChange, i *Invoice, amount Amount) error {
	if a.user.May(RefundAny) {
		return nil
	}
	settings, err := a.store.currentSettings(ctx)
	if err != nil {
		return err
	}
	limit := settings.RefundLimit
	if limit.Sign() == 0 {
		return fail(Forbidden, "Your role doesn't allow refunds. Ask an admin.")
	}
	if i.Refunded().Plus(amount).Compare(limit) > 0 {
		return InvalidField("amount", "You can refund up to %s per invoice. Ask an admin to refund more.", amountText(limit, settings.Currency))
	}
	o.Check(&settings, settings.Version)
	return nil
}

package store

import (
	"context"
	"slices"
)

// FieldRefundCredit is the name of the form field with the confirmed credit of a refund,
// for errors.
const FieldRefundCredit = "credit"

// RefundRequest is a refund of an earlier payment, with the same payment method.
type RefundRequest struct {
	InvoiceID string
	Version   int // version of the invoice that the form showed
	PaymentID string
	Amount    Amount
	Credit    Amount // amount that the user has confirmed to credit; see RefundCredit
	Why       string
	Confirmed bool // the user has just proved their identity; see requireConfirmed

	Wrong InputErrors // error of an amount that could not be parsed
}

// Refund records a refund of an invoice. If a part of the refund was not credited earlier,
// Refund credits this part with a credit note. It returns Forbidden if the user may not make
// refunds, or has not proved their identity for a refund above the limit in the settings; see
// requireConfirmed. It returns Invalid if the payment or the reason is missing, if the amount
// exceeds the rest of the payment or the user's limit, or if the user has not confirmed the
// credit. It returns Conflict if the invoice has another version. It can also return NotFound.
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
		if err := r.requireConfirmed(i, settings); err != nil {
			return err
		}
		credit := i.RefundCredit(r.Amount)
		if credit.Sign() > 0 && r.Credit.Compare(credit) != 0 {
			return InvalidField(FieldRefundCredit, "The amount to refund is only %s. The refund will also credit the invoice with %s and issue a credit note. Check the amount, then confirm the refund.",
				amountText(r.Amount.Minus(credit), settings.Currency), amountText(credit, settings.Currency))
		}
		i.Credit = i.Credit.Plus(credit)
		o.credits = credits{reason: CreditRefunded, invoiceID: i.ID, refunded: r.Amount}
		return o.addPayments(i, EventPaymentRefunded, why, Payment{Type: payment.Type, Data: payment.Data, Amount: Amount{}.Minus(r.Amount), RefundOf: payment.ID})
	}))
}

// CodeNeedsProof is the code of the error for a change that requires a recent proof of
// identity; see IsConfirmed.
const CodeNeedsProof = "needs-proof"

// requireConfirmed returns an error with CodeNeedsProof if the refund would make the sum
// of the invoice's refunds exceed the limit in the settings, and the user has not just
// proved their identity. Like checkRefundLimit, it compares the sum, so several small
// refunds cannot exceed the limit.
func (r *RefundRequest) requireConfirmed(i *Invoice, settings Settings) error {
	if r.Confirmed || i.Refunded().Plus(r.Amount).Compare(settings.RefundLimit) <= 0 {
		return nil
	}
	return &Error{Kind: Forbidden, Code: CodeNeedsProof, Message: "Confirm your identity before you make this refund."}
}

// payment returns the payment to refund. It returns Invalid if the payment is missing or
// the amount exceeds what can still be refunded.
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
		return Payment{}, InvalidField("amount", "Enter at most %s, the part of this payment that has not been refunded yet.", amountText(left, currency))
	}
	return i.Payments[n], CheckDecimals("amount", r.Amount, left, currency)
}

// RefundCredit returns how much a refund of this amount credits the invoice. This does not
// include an amount that the customer has overpaid, because an earlier return or
// cancellation has already credited that amount.
func (i *Invoice) RefundCredit(amount Amount) Amount {
	if overpaid := i.Paid().Minus(i.NetAmount()); overpaid.Sign() > 0 {
		amount = amount.Minus(overpaid)
	}
	if amount.Sign() < 0 {
		return Amount{}
	}
	return amount
}

// CanRefund reports whether the user may refund payments.
func (u *User) CanRefund(settings Settings) bool {
	return u.May(RefundAny) || u.May(Refund) && settings.RefundLimit.Sign() > 0
}

// CanRefundAmount reports whether the user may refund this amount of the invoice.
func (u *User) CanRefundAmount(i *Invoice, amount Amount, settings Settings) bool {
	return u.May(RefundAny) || u.CanRefund(settings) && i.Refunded().Plus(amount).Compare(settings.RefundLimit) <= 0
}

// checkRefundLimit returns Invalid if the refund would make the sum of the invoice's
// refunds exceed the user's limit. The limit applies to the sum, so several small refunds
// cannot exceed it. If the limit is 0, checkRefundLimit returns Forbidden. The change fails
// if the settings, which contain the limit, change before it is committed.
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
	if !a.user.CanRefundAmount(i, amount, settings) {
		return InvalidField("amount", "You can refund up to %s per invoice. Ask an admin to refund more.", amountText(limit, settings.Currency))
	}
	o.Check(&settings, settings.Version)
	return nil
}

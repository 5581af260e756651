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
}

// Refund records a refund of an invoice. It returns NotFound; Invalid if the
// payment or the reason is missing, or the amount exceeds the rest of the payment;
// or Conflict if the invoice has another version.
func (a Access) Refund(ctx context.Context, r RefundRequest, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	if r.Amount.Sign() <= 0 {
		return InvalidField("amount", "Enter the amount to refund.")
	}
	why, err := checkReason(r.Why)
	if err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	return a.changeInvoice(ctx, r.InvoiceID, r.Version, token, func(o *orderChange, i *Invoice) error {
		n := slices.IndexFunc(i.Payments, func(p Payment) bool { return p.ID == r.PaymentID && p.Amount.Sign() > 0 })
		if n < 0 {
			return InvalidField("payment", "Choose the payment to refund.")
		}
		payment, left := i.Payments[n], i.Refundable()[n]
		switch {
		case left.Sign() == 0:
			return InvalidField("payment", "Choose another payment. This one is refunded in full.")
		case r.Amount.Compare(left) > 0:
			return InvalidField("amount", "Enter at most %s, the part of this payment that is not refunded yet.", amountText(left, settings.Currency))
		}
		if err := checkDecimals("amount", r.Amount, left, settings.Currency); err != nil {
			return err
		}
		return o.addPayments(i, EventPaymentRefunded, why, Payment{Type: payment.Type, Data: payment.Data, Amount: Amount{}.Minus(r.Amount), RefundOf: payment.ID})
	})
}

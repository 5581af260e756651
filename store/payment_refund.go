package store

import (
	"context"
	"slices"
)

// RefundRequest is a refund to the card or voucher of an earlier payment.
type RefundRequest struct {
	InvoiceID string
	Version   int // of the invoice, as the form showed it
	PaymentID string
	Amount    Amount
	Why       string
}

// Refund records a refund of an invoice. It returns NotFound, Invalid (no
// payment, no reason, or more than was paid that way) or Conflict (the invoice
// has another version).
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
	return a.changeInvoice(ctx, r.InvoiceID, r.Version, token, func(o *orderChange, i *Invoice) error {
		n := slices.IndexFunc(i.Payments, func(p Payment) bool { return p.ID == r.PaymentID && p.Amount.Sign() > 0 })
		if n < 0 {
			return InvalidField("payment", "Choose the payment to refund.")
		}
		if paid := i.Paid(); r.Amount.Compare(paid) > 0 {
			return InvalidField("amount", "Enter at most %s, the amount paid.", paid.AppendFixed(nil, 2))
		}
		payment := i.Payments[n]
		if r.Amount.Compare(payment.Amount) > 0 {
			return InvalidField("amount", "Enter at most %s, the amount of this payment.", payment.Amount.AppendFixed(nil, 2))
		}
		return o.addPayments(i, EventPaymentRefunded, why, Payment{Type: payment.Type, Data: payment.Data, Amount: Amount{}.Minus(r.Amount)})
	})
}

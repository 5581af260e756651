package store

import (
	"context"
	"fmt"
	"slices"
)

// ReversalRequest reverses a payment that was recorded by mistake. No money is paid back.
type ReversalRequest struct {
	InvoiceID string
	Version   int // version of the invoice that the form showed
	PaymentID string
	Why       string
}

// ReversePayment adds a payment with the negative amount to the invoice, which keeps the
// reversed payment. The balance due and the statuses of the invoice and the order are then
// as without the payment. It returns Invalid if the reason is missing, or if the payment is
// missing, reversed, or refunded in part. It returns Conflict if the invoice has another
// version. It can also return NotFound.
func (a Access) ReversePayment(ctx context.Context, r ReversalRequest, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	why, err := checkReason(r.Why)
	var wrong InputErrors
	if err := wrong.Add(err); err != nil {
		return err
	}
	return wrong.Before(a.changeInvoice(ctx, r.InvoiceID, r.Version, token, func(o *orderChange, i *Invoice) error {
		payment, err := i.toReverse(r.PaymentID)
		if err := wrong.With(err); err != nil {
			return err
		}
		if o.Status == OrderPaid {
			o.Status = OrderOpen // updateState sets it to PAID if the order is still paid
		}
		return o.addPayments(i, EventPaymentReversed, why, Payment{
			Type: payment.Type, Data: payment.Data, Amount: Amount{}.Minus(payment.Amount), ReversalOf: payment.ID, By: a.user.Name, Why: why,
		})
	}))
}

// toReverse returns the payment with an ID. It returns Invalid if there is no such payment,
// or if it cannot be reversed.
func (i *Invoice) toReverse(id string) (Payment, error) {
	n := slices.IndexFunc(i.Payments, func(p Payment) bool { return p.ID == id && id != "" && p.Amount.Sign() > 0 })
	switch {
	case n < 0:
		return Payment{}, InvalidField("payment", "Choose the payment to reverse.")
	case ReversalOf(i.Payments, id) != nil:
		return Payment{}, InvalidField("payment", "This payment is already reversed.")
	case !i.canReverse(n, i.Refundable()):
		return Payment{}, InvalidField("payment", "A part of this payment was refunded, so it can't be reversed.")
	}
	return i.Payments[n], nil
}

// Reversible returns the payments that can be reversed: they are neither reversed nor
// refunded, not even in part.
func (i *Invoice) Reversible() []Payment {
	var all []Payment
	left := i.Refundable()
	for n := range i.Payments {
		if i.canReverse(n, left) {
			all = append(all, i.Payments[n])
		}
	}
	return all
}

// canReverse reports whether payment n can be reversed. left is the result of Refundable,
// which is 0 for reversed payments.
func (i *Invoice) canReverse(n int, left []Amount) bool {
	p := &i.Payments[n]
	return p.ID != "" && p.Amount.Sign() > 0 && left[n].Compare(p.Amount) == 0
}

// ReversalOf returns the payment that reverses the payment with this ID, or nil.
func ReversalOf(payments []Payment, id string) *Payment {
	n := slices.IndexFunc(payments, func(p Payment) bool { return id != "" && p.ReversalOf == id })
	if n < 0 {
		return nil
	}
	return &payments[n]
}

// WithoutReversed returns the payments that are neither reversed nor reversals.
func WithoutReversed(payments []Payment) []Payment {
	if !slices.ContainsFunc(payments, func(p Payment) bool { return p.ReversalOf != "" }) {
		return payments
	}
	return slices.DeleteFunc(slices.Clone(payments), func(p Payment) bool { return isReversed(payments, &p) })
}

// isReversed reports whether a payment is reversed, or is itself a reversal.
func isReversed(payments []Payment, p *Payment) bool {
	return p.ReversalOf != "" || ReversalOf(payments, p.ID) != nil
}

// ReversalProblems describes the reversals that do not have the negative amount of one
// payment, and those of a payment that another reversal already reverses. Each text
// continues a sentence such as "The invoice has".
func (i *Invoice) ReversalProblems() []string {
	var problems []string
	for n := range i.Payments {
		r := &i.Payments[n]
		if r.ReversalOf == "" {
			continue
		}
		at := slices.IndexFunc(i.Payments, func(p Payment) bool { return p.ID == r.ReversalOf })
		switch {
		case at < 0 || i.Payments[at].Amount.Sign() <= 0 || i.Payments[at].Amount.Plus(r.Amount).Sign() != 0:
			problems = append(problems, fmt.Sprintf("the reversal %s of %s. Expected a payment %s with the opposite amount.", r.ID, r.Amount, r.ReversalOf))
		case ReversalOf(i.Payments, r.ReversalOf) != r:
			problems = append(problems, fmt.Sprintf("two reversals of the payment %s. Expected one.", r.ReversalOf))
		}
	}
	return problems
}

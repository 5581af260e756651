package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Names of the form fields of rental payments.
const (
	FieldPayMethod     = "charge-paid"
	FieldDeposit       = "deposit"
	FieldDepositMethod = "deposit-method"
	FieldKeep          = "keep"
	FieldKeepWhy       = "keep-why"
)

// rentalPayments collects the payments of one form. It combines amounts with the same
// person, kind and method into one payment.
type rentalPayments struct {
	change *change
	all    []*RentalPayment
}

// add adds an amount that belongs to one rental.
func (p *rentalPayments) add(r *Rental, kind RentalPaymentKind, method PayMethod, amount Amount, why string) {
	if amount.Sign() == 0 {
		return
	}
	i := slices.IndexFunc(p.all, func(o *RentalPayment) bool {
		return o.PersonID == r.PersonID && o.Kind == kind && o.Method == method
	})
	if i < 0 {
		i = len(p.all)
		p.all = append(p.all, &RentalPayment{
			StoreID: r.StoreID, PersonID: r.PersonID, Kind: kind, Method: method, Why: why, StoreName: r.StoreName, PersonName: r.PersonName,
		})
	}
	o := p.all[i]
	o.Rentals = append(o.Rentals, PaidRental{RentalID: r.ID, KayakID: r.KayakID, Amount: amount})
	o.Amount = o.Amount.Plus(amount)
}

// save adds the payments to the change, and their sums to the totals of the day. It
// returns Invalid if the change would have too many items.
func (p *rentalPayments) save(now time.Time) error {
	for _, o := range p.all {
		id, err := p.change.store.ids.New()
		if err != nil {
			return err
		}
		o.ID, o.At, o.By, o.Version = id, now, p.change.by, 1
		o.Day = dayIn(now, p.change.totals.zone)
		p.change.Create(o)
		if t, counts := o.tally(p.change.totals.zone); counts {
			p.change.addTotal(t)
		}
	}
	if p.change.Len()+len(p.change.totals.totals)+1 > table.MaxActions { // one more item for the counts of the store
		return InvalidField(fieldKayaks, "This form has too many kayaks and people for one change. Use one form per person.")
	}
	return nil
}

// checkDeposit returns Invalid if the deposit of a check-out is negative, has too many
// decimals or has no method. It clears the method if the deposit is zero.
func (out *CheckOut) checkDeposit(currency string) error {
	var wrong InputErrors
	switch {
	case out.Deposit.Sign() == 0:
		out.DepositMethod = ""
		return nil
	case out.Deposit.Sign() < 0:
		wrong.Reject(FieldDeposit, "Enter an amount above zero, or leave the field empty.")
	}
	if !slices.Contains(DepositMethods, out.DepositMethod) {
		wrong.Reject(FieldDepositMethod, "Choose how the deposit is paid.")
	}
	return wrong.With(CheckDecimals(FieldDeposit, out.Deposit, Amount{}, currency))
}

// CheckDeposit returns Invalid if the deposit of a check-out is negative, has no method
// or has too many decimals. It returns NotFound if the user does not manage the store.
func (a Access) CheckDeposit(ctx context.Context, out CheckOut) error {
	if err := a.requireRentals(out.StoreID); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	return out.checkDeposit(settings.Currency)
}

// checkPayment returns Invalid if a check-in has a charge but no method of payment, or if
// checkKept returns Invalid. It also sets in.KeepWhy like checkKept.
func (in *CheckIn) checkPayment(quote *CheckInQuote, currency string) error {
	var wrong InputErrors
	if quote.Total.Sign() > 0 && !slices.Contains(PayMethods, in.Method) {
		wrong.Reject(FieldPayMethod, "Choose how the charge is paid.")
	}
	return wrong.With(in.checkKept(quote, currency))
}

// checkKept returns Invalid if the kept part of the deposits is negative. If a part is
// kept, it also returns Invalid if the part exceeds the deposits or has too many
// decimals, if checkText rejects the reason, or if the kayaks are rented by several
// people. It then also sets in.KeepWhy to the result of checkText.
func (in *CheckIn) checkKept(quote *CheckInQuote, currency string) error {
	switch {
	case in.Keep.Sign() < 0:
		return InvalidField(FieldKeep, "Enter an amount above zero, or leave the field empty.")
	case in.Keep.Sign() == 0:
		return nil
	}
	var wrong InputErrors
	if in.Keep.Compare(quote.Deposit) > 0 {
		wrong.Reject(FieldKeep, "Enter at most the deposit, %s.", amountText(quote.Deposit, currency))
	}
	for i := range quote.Lines {
		if quote.Lines[i].PersonID != quote.Lines[0].PersonID {
			wrong.Reject(FieldKeep, "These kayaks are rented by several people. To keep a deposit, check in the kayaks of one person at a time.")
		}
	}
	why, err := checkText(FieldKeepWhy, in.KeepWhy, "Enter why the deposit is kept.")
	for _, err := range []error{err, CheckDecimals(FieldKeep, in.Keep, quote.Deposit, currency)} {
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	in.KeepWhy = why
	return wrong.Err()
}

// settle sets how the charge and the deposit of a rental are paid, and adds the payments.
// keep is the amount to keep from the deposits of this rental and the rentals after it.
// settle returns the part of keep that exceeds the deposit of this rental.
func (p *rentalPayments) settle(r *Rental, in *CheckIn, keep Amount, now time.Time) Amount {
	if r.Charge.Sign() > 0 {
		r.PaidBy = in.Method
		if in.Method != PayLater {
			r.Paid = now
		}
		p.add(r, RentalCharge, in.Method, r.Charge, "")
	}
	if r.Deposit.Sign() <= 0 {
		return keep
	}
	if r.DepositKept = keep; keep.Compare(r.Deposit) > 0 {
		r.DepositKept = r.Deposit
	}
	p.add(r, DepositKept, r.DepositBy, r.DepositKept, in.KeepWhy)
	p.add(r, DepositReturned, r.DepositBy, r.DepositKept.Minus(r.Deposit), "")
	return keep.Minus(r.DepositKept)
}

// RentalSettlement is the payment of a charge with PayLater.
type RentalSettlement struct {
	StoreID   string
	Day       time.Time // day of the charge
	PaymentID string    // ID of the charge
	Method    PayMethod
}

// SettleRental records that a charge with PayLater is paid. It returns NotFound if the user
// does not manage the store or there is no such charge. It returns Invalid if the method is
// missing, and Conflict if the charge is already paid. It can also return Forbidden.
func (a Access) SettleRental(ctx context.Context, s RentalSettlement, token string) error {
	if err := a.requireRentals(s.StoreID); err != nil {
		return err
	}
	if !slices.Contains(DepositMethods, s.Method) {
		return InvalidField(FieldPayMethod, "Choose how the charge is paid.")
	}
	return retryOnConflict(ctx, func() error {
		charge, err := a.rentalCharge(ctx, s.StoreID, s.Day, s.PaymentID)
		if err != nil {
			return err
		}
		partition := kayakPartition(charge.Rentals[0].KayakID)
		if !charge.IsUnpaid() {
			return a.store.okIfApplied(ctx, partition, token, fail(Conflict, "This charge is already paid. Nothing was recorded."))
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		now := a.store.now().UTC().Truncate(time.Second)
		paid := rentalPayments{change: c}
		rentals, err := a.rentalsOfPayment(ctx, charge)
		if err != nil {
			return err
		}
		for _, r := range rentals {
			r.PaidBy, r.Paid = s.Method, now
			c.saveRental(r)
		}
		settled := *charge
		settled.Method, settled.Settles, settled.SettledBy = s.Method, charge.ID, ""
		paid.all = []*RentalPayment{&settled}
		c.recordEvent(Event{
			Partition: partition, What: EventRentalPaid, Subject: charge.Amount.String(), After: string(s.Method), Why: "by " + charge.Renter(),
		})
		if err := paid.save(now); err != nil {
			return err
		}
		before := charge.Version
		charge.SettledBy, charge.Version = settled.ID, before+1
		c.Replace(charge, before)
		return c.Commit(ctx)
	})
}

// rentalCharge returns a charge with PayLater, even if it is paid. If there is no
// such charge, it returns NotFound.
func (a Access) rentalCharge(ctx context.Context, storeID string, day time.Time, id string) (*RentalPayment, error) {
	values := key.Map{"storeULID": storeID, "day": calendarDay(day), "paymentULID": id}
	if key.CheckID(id) != nil || day.IsZero() {
		return nil, fail(NotFound, "Charge not found.")
	}
	items, err := a.store.table.GetMany(ctx, getRentalPayment, []key.Map{values}, true)
	if err != nil {
		return nil, err
	}
	if items[0] == nil {
		return nil, fail(NotFound, "Charge not found.")
	}
	charge, err := table.DecodeAs[*RentalPayment](schema, items[0], nil)
	if err != nil {
		return nil, err
	}
	if charge.Method != PayLater || len(charge.Rentals) == 0 {
		return nil, fail(NotFound, "Charge not found.")
	}
	return charge, nil
}

// rentalsOfPayment consistently reads the rentals of a payment. It omits rentals that
// do not exist.
func (a Access) rentalsOfPayment(ctx context.Context, p *RentalPayment) ([]*Rental, error) {
	values := make([]key.Map, len(p.Rentals))
	for i := range p.Rentals {
		values[i] = key.Map{"rentalULID": p.Rentals[i].RentalID}
	}
	items, err := a.store.table.GetMany(ctx, getRental, values, true)
	if err != nil {
		return nil, err
	}
	var rentals []*Rental
	for _, item := range items {
		if item == nil {
			continue
		}
		r, err := table.DecodeAs[*Rental](schema, item, nil)
		if err != nil {
			return nil, err
		}
		rentals = append(rentals, r)
	}
	return rentals, nil
}

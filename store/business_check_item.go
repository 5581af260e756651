package store

import (
	"fmt"
	"strings"
	"time"

	"stockroom/store/table"
)

// itemFindings returns the findings about a single item. It returns none if e is nil
// because the item cannot be decoded; itemAgain reports such an item.
func itemFindings(e Entity, item Item, shards int) (found []CheckFinding) {
	if e == nil {
		return nil
	}
	add := func(rule CheckRule, format string, args ...any) {
		found = append(found, finding(rule, item, fmt.Sprintf(format, args...), recordsOf(e)...))
	}
	switch names, err := schema.WrongKeys(e, item, shards); {
	case err != nil:
		add(CheckItemReadable, "The %s can't be saved with its current values: %v", labelOf(e), err)
	case len(names) > 0:
		add(CheckItemKeys, "The %s has keys that do not match its attributes: %s. Run 'stockroom table rekey', which corrects all keys except PK and SK.", labelOf(e), strings.Join(names, ", "))
	}
	switch e := e.(type) {
	case *OrderItem:
		e.check(add)
	case *Invoice:
		e.check(add)
	case *WarehouseItem:
		if e.Quantity < 0 {
			add(CheckStockQuantity, "The %s has the quantity %d, which is negative.", labelOf(e), e.Quantity)
		}
	case *StockMove:
		if e.From+e.Delta != e.To || e.From < 0 || e.To < 0 {
			add(CheckLedgerEntry, "The %s has the quantity %d before, the change %d and the quantity %d after. Expected quantities of 0 or more that add up.", labelOf(e), e.From, e.Delta, e.To)
		}
	case *ShipmentItem:
		switch {
		case e.EntryID == "":
		case e.WarehouseID == "":
			add(CheckLedgerEntry, "The %s is a ledger entry without a warehouse.", labelOf(e))
		case e.From < e.Quantity:
			add(CheckLedgerEntry, "The %s took %d from the stock, but only %d were in stock.", labelOf(e), e.Quantity, e.From)
		}
	case *ExpectedDelivery:
		if e.Quantity < 1 || e.Received < 0 {
			add(CheckDelivery, "The %s has the quantity %d and the received quantity %d. Expected a quantity of 1 or more, and a received quantity of 0 or more.", labelOf(e), e.Quantity, e.Received)
		}
		if e.Due.IsZero() {
			add(CheckDeliveryDay, "The %s has no due date, so lists do not show it.", labelOf(e))
		}
	case *Transfer:
		if e.Quantity < 1 || e.Received < 0 || e.Returned < 0 || e.InTransit() < 0 {
			add(CheckTransfer, "The %s has the quantity %d, %d received, %d written off and %d returned. Expected a quantity of 1 or more, and 0 or more received, returned and in transit.", labelOf(e), e.Quantity, e.Received, e.WrittenOff, e.Returned)
		}
		if e.Sent.IsZero() {
			add(CheckTransfer, "The %s has no sent date, so lists do not show it.", labelOf(e))
		}
	case *Rental:
		if !e.Returned.IsZero() && e.Returned.Before(e.Out) {
			add(CheckRentalDates, "The %s was checked in at %s, before it was checked out at %s.", labelOf(e), e.Returned.Format(time.RFC3339), e.Out.Format(time.RFC3339))
		}
		if e.Charge.Sign() < 0 {
			add(CheckRentalDates, "The %s has the charge %s, which is negative.", labelOf(e), e.Charge)
		}
		if e.DepositKept.Sign() < 0 || e.DepositKept.Compare(e.Deposit) > 0 {
			add(CheckRentalPayment, "The %s has a kept deposit of %s. Expected an amount from 0 to the deposit, %s.", labelOf(e), e.DepositKept, e.Deposit)
		}
	case *RentalPayment:
		e.check(add)
	case *Booking:
		e.check(add)
	case *BookingDay:
		e.check(add)
	case *Subscription:
		e.check(add)
	}
	return found
}

// addFinding adds a finding about the item that is being checked.
type addFinding func(rule CheckRule, format string, args ...any)

func (i *OrderItem) check(add addFinding) {
	if i.Quantity < 1 || i.Shipped < 0 || i.Shipped > i.Quantity || i.Returned < 0 || i.Returned > i.Shipped {
		add(CheckLineQuantity, "The %s has the quantity %d, %d shipped and %d returned. Expected a quantity of 1 or more, and 0 ≤ returned ≤ shipped ≤ quantity.", labelOf(i), i.Quantity, i.Shipped, i.Returned)
	}
}

func (i *Invoice) check(add addFinding) {
	if wanted := i.StatusFromPayments(); i.Status != wanted {
		add(CheckInvoiceStatus, "The %s is %s. Its amount %s, credit %s and payments %s require the status %s.", labelOf(i), i.Status, i.Amount, i.Credit, i.Paid(), wanted)
	}
	if i.Credit.Sign() < 0 || i.Credit.Compare(i.Amount) > 0 {
		add(CheckInvoiceCredit, "The %s has a credit of %s. Expected 0 to %s, the amount of the invoice.", labelOf(i), i.Credit, i.Amount)
	}
	if i.Paid().Sign() < 0 {
		add(CheckRefund, "The %s has refunds that exceed its payments by %s.", labelOf(i), Amount{}.Minus(i.Paid()))
		return
	}
	for _, problem := range i.ReversalProblems() {
		add(CheckReversal, "The %s has %s", labelOf(i), problem)
	}
	refunded := map[string]Amount{}
	for _, p := range i.Payments {
		if p.RefundOf != "" {
			refunded[p.RefundOf] = refunded[p.RefundOf].Minus(p.Amount)
		}
	}
	for id, sum := range refunded {
		var paid Amount
		for _, p := range i.Payments {
			if p.ID == id && p.Amount.Sign() > 0 && !isReversed(i.Payments, &p) {
				paid = paid.Plus(p.Amount)
			}
		}
		if sum.Compare(paid) > 0 {
			add(CheckRefund, "The %s has refunds of %s for the payment %s, which is only %s.", labelOf(i), sum, id, paid)
		}
	}
}

func (s *Subscription) check(add addFinding) {
	if problem := s.StateProblem(); problem != "" {
		add(CheckSubscription, "The %s %s.", labelOf(s), problem)
	}
}

func damagedFinding(item Item, err error) CheckFinding {
	return finding(CheckItemReadable, item, fmt.Sprintf("The item %s / %s can't be read: %v", table.TextOf(item, table.AttrPK), table.TextOf(item, table.AttrSK), err))
}

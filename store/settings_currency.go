package store

import (
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// CurrencyInUseError says why the currency cannot change. It contains the statuses of
// subscriptions and invoices with amounts that are still due.
type CurrencyInUseError struct {
	Subscriptions []SubscriptionStatus
	Invoices      []InvoiceStatus
}

// The statuses of subscriptions and invoices whose amounts are still due, and how messages
// name them.
var (
	subscriptionsInUse = map[SubscriptionStatus]string{
		SubscriptionActive: "active subscriptions", SubscriptionPastDue: "past due subscriptions", SubscriptionPaused: "paused subscriptions",
	}
	invoicesInUse = map[InvoiceStatus]string{
		InvoiceUnpaid: "unpaid invoices", InvoicePartial: "partly paid invoices",
	}
)

// Error returns a list of what is due, such as "active subscriptions, unpaid
// invoices".
func (e *CurrencyInUseError) Error() string {
	var names []string
	for _, status := range e.Subscriptions {
		names = append(names, subscriptionsInUse[status])
	}
	for _, status := range e.Invoices {
		names = append(names, invoicesInUse[status])
	}
	return strings.Join(names, ", ")
}

// checkCurrency returns Invalid if the currency changes while amounts are due. The
// error wraps a CurrencyInUseError. checkCurrency reads indexes, so it can miss an
// amount that was added less than a second ago.
func (s *Store) checkCurrency(ctx context.Context, before, after Settings) error {
	if before.Currency == after.Currency {
		return nil
	}
	inUse, err := s.currencyInUse(ctx)
	if err != nil || inUse == nil {
		return err
	}
	rejected := InvalidField("currency", "You can't change the currency while amounts in %s are due.", before.Currency)
	rejected.Err = inUse
	return rejected
}

// currencyInUse returns nil if no amounts are due. For each status, it reads one row
// of each shard.
func (s *Store) currencyInUse(ctx context.Context) (*CurrencyInUseError, error) {
	var inUse CurrencyInUseError
	exists := func(q table.Query) (bool, error) {
		found, err := s.page(ctx, q, Page{Limit: 1})
		return len(found.Rows) > 0, err
	}
	for _, status := range SubscriptionStatuses {
		if subscriptionsInUse[status] == "" {
			continue
		}
		found, err := exists(table.Query{Pattern: getSubscriptionsInState, Values: key.Map{"status": string(status)}})
		if err != nil {
			return nil, err
		}
		if found {
			inUse.Subscriptions = append(inUse.Subscriptions, status)
		}
	}
	for _, status := range InvoiceStatuses {
		if invoicesInUse[status] == "" {
			continue
		}
		q, err := s.byStatus(ctx, getInvoicesByStatus, DateRange{}, string(status))
		if err != nil {
			return nil, err
		}
		found, err := exists(q)
		if err != nil {
			return nil, err
		}
		if found {
			inUse.Invoices = append(inUse.Invoices, status)
		}
	}
	if len(inUse.Subscriptions)+len(inUse.Invoices) == 0 {
		return nil, nil
	}
	return &inUse, nil
}

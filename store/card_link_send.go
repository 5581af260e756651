package store

import (
	"context"
	"fmt"
)

// SendCardLink emails the customer of a subscription a link for entering a new card. origin
// is the scheme and host of the link. SendCardLink returns Invalid if the subscription has
// no email address, and Conflict if the subscription is cancelled or has changed. It can
// also return Forbidden or NotFound.
func (a Access) SendCardLink(ctx context.Context, f SubscriptionForm, origin string) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	s, err := a.store.subscription(ctx, f.AccountID, f.ID, f.SKU)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	switch {
	case s.Version != f.Version:
		return c.rejectOutdated(ctx, accountPartition(f.AccountID))
	case s.Status == SubscriptionCancelled:
		return fail(Conflict, "A cancelled subscription can't be changed.")
	case s.Email == "":
		return fail(Invalid, "This subscription has no email address. Add one under Edit payment method.")
	}
	id, err := a.store.newID(f.Token)
	if err != nil {
		return err
	}
	link := newCardLink(id, origin, s, a.store.now())
	c.Create(link)
	payment := s.emailPayment(settings.Currency, s.PaymentAmount, s.NextPaymentDate)
	payment.LinkEnd = dayIn(link.Expires, settings.Zone())
	c.queueEmail(Email{Kind: EmailCardLink, To: s.Email, CustomerID: s.AccountID, Record: accountPartition(s.AccountID), CardLink: link.ID, Payment: payment})
	c.recordEvent(Event{
		Partition: accountPartition(s.AccountID), What: EventCardLinkCreated,
		Why: fmt.Sprintf("subscription %s, until %s", s.ID, longDay(payment.LinkEnd)),
	})
	return c.Commit(ctx)
}

package store

import (
	"context"

	"stockroom/store/key"
)

func (s *Store) cardLink(ctx context.Context, id string) (*CardLink, error) {
	return readConsistently[*CardLink](ctx, s, getCardLink, key.Map{"linkID": id})
}

// CardLinkURL returns the address of the card link with this ID, or NotFound. The email
// with the link contains this address.
func (s *Store) CardLinkURL(ctx context.Context, id string) (string, error) {
	l, err := s.cardLink(ctx, id)
	if err != nil {
		return "", err
	}
	return l.URL(), nil
}

// OpenCardLink returns the link with this ID and code, and its subscription. It returns
// NotFound if there is no such link, if the link has expired, or if the subscription is
// cancelled. It also returns a used link, so that the page can say that the link was used.
func (s *Store) OpenCardLink(ctx context.Context, id, code string) (*CardLink, *Subscription, error) {
	l, err := s.cardLink(ctx, id)
	if KindOf(err) == NotFound || err == nil && (!l.hasCode(code) || s.now().After(l.Expires)) {
		return nil, nil, errCardLink()
	}
	if err != nil {
		return nil, nil, err
	}
	sub, err := s.subscriptionOfLink(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	return l, sub, nil
}

// subscriptionOfLink returns the subscription of a link, or NotFound if there is none or it
// is cancelled.
func (s *Store) subscriptionOfLink(ctx context.Context, l *CardLink) (*Subscription, error) {
	sub, err := s.subscription(ctx, l.AccountID, l.SubscriptionID, l.SKU)
	if KindOf(err) == NotFound || err == nil && sub.Status == SubscriptionCancelled {
		return nil, errCardLink()
	}
	return sub, err
}

// errCardLink returns the error for a link that does not work, whatever the reason.
func errCardLink() error {
	return fail(NotFound, "This link no longer works. Please ask for a new one.")
}

// RecordCardSession records the page of the payment service on which the customer enters
// the card. UseCardLink accepts only a card from this page. RecordCardSession returns
// Conflict if the link has changed.
func (s *Store) RecordCardSession(ctx context.Context, l *CardLink, session string) (*CardLink, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	after := *l
	after.Session = session
	after.Sessions++
	after.Version++
	c.Replace(&after, l.Version)
	return &after, c.Commit(ctx)
}

// UseCardLink replaces the card of the link's subscription with the one that the customer
// entered, and marks the link as used. It does nothing if the link was used before. It
// returns NotFound if the subscription is cancelled. It returns Conflict if the link has
// another Session now, or if the outcome of a payment attempt, which needs the old card, is
// unknown.
func (s *Store) UseCardLink(ctx context.Context, l *CardLink, card PaymentDetails) error {
	for try := 1; ; try++ {
		current, err := s.cardLink(ctx, l.ID)
		if err != nil || !current.Used.IsZero() {
			return err
		}
		if current.Session != l.Session {
			return fail(Conflict, "This page is out of date. Open the link in your email again.")
		}
		sub, err := s.subscriptionOfLink(ctx, l)
		if err != nil {
			return err
		}
		if sub.PendingAttempt.Key != "" {
			return fail(Conflict, "A payment with your old card is in progress. Open the link in your email again in an hour.")
		}
		err = s.replaceCard(ctx, current, sub, card)
		if KindOf(err) != Conflict || try == maxSettleTries {
			return err
		}
	}
}

func (s *Store) replaceCard(ctx context.Context, l *CardLink, before *Subscription, card PaymentDetails) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	used, after := *l, *before
	used.Used = c.store.now()
	used.Version++
	after.PaymentDetails.Card, after.PaymentDetails.Customer, after.PaymentDetails.Method = CardDigits(card.Card), card.Customer, card.Method
	after.Version++
	c.Replace(&used, l.Version)
	c.Replace(&after, before.Version)
	c.recordEvent(Event{
		Partition: accountPartition(l.AccountID), What: EventPaymentMethodChanged,
		Why:    "subscription " + l.SubscriptionID + ": entered by the customer, with the link of " + longDay(dayIn(l.Created, c.totals.zone)),
		Before: before.PaymentDetails.String(), After: after.PaymentDetails.String(),
	})
	return c.Commit(ctx)
}

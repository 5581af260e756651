package jobs

import (
	"context"
	"fmt"

	"stockroom/store"
)

// CardCollector is a payment service with pages on which customers enter a card.
type CardCollector interface {
	// CardOrigin returns the scheme and host of the pages.
	CardOrigin() string
	// StartCard creates a page for a request. A second call with the same key returns the
	// same page.
	StartCard(ctx context.Context, r CardRequest) (CardPage, error)
	// FindCard returns the state of the page whose ID is session. It returns an error if
	// the page belongs to another request.
	FindCard(ctx context.Context, r CardRequest, session string) (CardPage, error)
}

// CardRequest says for which link and customer the page is.
type CardRequest struct {
	Key      string // idempotency key
	Link     string // ID of the card link
	Return   string // URL to which the page redirects the customer at the end
	Customer string // ID at the payment service; "" for a new customer
	Email    string
}

// CardPage is a page on which a customer enters a card. It is zero if the page has
// expired, or was made for another customer ID.
type CardPage struct {
	Session string
	URL     string               // set while the customer can enter a card
	Card    store.PaymentDetails // set after the customer has entered the card
}

// CardOrigin returns the origin of the pages on which customers enter a card, or "" if
// the payment service has no such pages.
func (r *Runner) CardOrigin() string {
	if c, ok := r.Processor.(CardCollector); ok {
		return c.CardOrigin()
	}
	return ""
}

// SendCardLink emails the customer of a subscription a link to replace their card; see
// store.Access.SendCardLink. It returns Conflict if CheckPayments does, or if the payment
// service has no page for entering cards.
func (r *Runner) SendCardLink(ctx context.Context, by *store.User, f store.SubscriptionForm, origin string) error {
	shop := r.Store.As(by)
	if _, err := shop.CanRetry(ctx, f); err != nil {
		return err
	}
	if err := r.CheckPayments(ctx); err != nil {
		return err
	}
	if r.CardOrigin() == "" {
		return &store.Error{Kind: store.Conflict, Message: "Customers can enter a card only if Payments is set to Stripe in the settings."}
	}
	if err := shop.SendCardLink(ctx, f, origin); err != nil {
		return err
	}
	r.StartDelivery()
	return nil
}

// CardChange is the state of a card link, for the page of the link. With a card link, a
// customer replaces the card of a subscription.
type CardChange struct {
	Subscription *store.Subscription
	Done         bool   // the card was replaced
	URL          string // page on which the customer enters the card
}

// FinishCardChange returns the state of a card link. If the customer has entered a card on
// the page of the payment service, FinishCardChange replaces the card of the subscription.
//
// FinishCardChange does not trust the customer's browser. It asks the payment service
// whether the customer has entered a card, and which one. It returns NotFound if the link
// is not valid, or Conflict if the card cannot be replaced now.
func (r *Runner) FinishCardChange(ctx context.Context, id, code string) (CardChange, error) {
	_, change, err := r.finishCardChange(ctx, id, code)
	return change, err
}

// finishCardChange is like FinishCardChange, but also returns the link. RecordCardSession
// needs its version, to detect that another request has created a page.
func (r *Runner) finishCardChange(ctx context.Context, id, code string) (*store.CardLink, CardChange, error) {
	l, s, err := r.Store.OpenCardLink(ctx, id, code)
	if err != nil {
		return nil, CardChange{}, err
	}
	change := CardChange{Subscription: s, Done: !l.Used.IsZero()}
	if change.Done || l.Session == "" {
		return l, change, nil
	}
	collector, err := r.cardCollector(ctx)
	if err != nil {
		return l, change, err
	}
	requestCtx, cancel := context.WithTimeout(ctx, r.RequestTimeout)
	defer cancel()
	page, err := collector.FindCard(requestCtx, cardRequest(l, s), l.Session)
	if err != nil || page.Card.Method == "" {
		change.URL = page.URL
		return l, change, err
	}
	change.Done, s.PaymentDetails.Card = true, page.Card.Card
	return l, change, r.Store.UseCardLink(ctx, l, page.Card)
}

// StartCardChange returns the URL of the page on which the customer of a link enters a
// card. If the customer has no open page, it creates one. It returns "" if the card has
// been replaced. It returns NotFound or Conflict like FinishCardChange.
func (r *Runner) StartCardChange(ctx context.Context, id, code string) (string, error) {
	for try := 1; ; try++ {
		l, change, err := r.finishCardChange(ctx, id, code)
		if err != nil || change.Done || change.URL != "" {
			return change.URL, err
		}
		collector, err := r.cardCollector(ctx)
		if err != nil {
			return "", err
		}
		requestCtx, cancel := context.WithTimeout(ctx, r.RequestTimeout)
		page, err := collector.StartCard(requestCtx, cardRequest(l, change.Subscription))
		cancel()
		if err != nil {
			return "", err
		}
		_, err = r.Store.RecordCardSession(ctx, l, page.Session)
		if store.KindOf(err) != store.Conflict || try == maxAttempts { // a Conflict means that another request of the customer has created the page
			return page.URL, err
		}
	}
}

// cardCollector returns the payment service. It returns Conflict if the service has no page
// for cards, or if the settings name another service or none.
func (r *Runner) cardCollector(ctx context.Context) (CardCollector, error) {
	c, ok := r.Processor.(CardCollector)
	switch err := r.CheckPayments(ctx); {
	case err != nil && store.KindOf(err) != store.Conflict:
		return nil, err
	case err != nil || !ok:
		return nil, &store.Error{Kind: store.Conflict, Message: "You cannot enter a card at the moment. Please contact us.", Err: err}
	}
	return c, nil
}

// cardRequest returns the request for the next page of a link. The key stays the same
// until the page is recorded, so that simultaneous requests create only one page.
func cardRequest(l *store.CardLink, s *store.Subscription) CardRequest {
	return CardRequest{
		Key:  fmt.Sprintf("card#%s#%d", l.ID, l.Sessions+1),
		Link: l.ID, Return: l.URL(), Customer: s.PaymentDetails.Customer, Email: s.Email,
	}
}

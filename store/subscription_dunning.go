package store

// isLastAttempt reports whether the next attempt of a declined payment is the last one:
// if it is declined too, the subscription is paused.
func (s *Subscription) isLastAttempt(settings Settings) bool {
	if s.Status != SubscriptionPastDue {
		return false
	}
	_, retry := settings.NextAttempt(s.NextPaymentDate, s.NextAttemptDate, s.Attempt+1)
	return !retry
}

// dunningEmail returns the kind of the email that a decline causes, or "" for none.
// after is the subscription after the decline. The last attempt is announced only
// once, even if a user's retry is declined before the last attempt.
func (s *Subscription) dunningEmail(settings Settings, after *Subscription) EmailKind {
	switch {
	case !s.Live(): // a user has paused or cancelled the subscription during the attempt
		return ""
	case after.Status == SubscriptionPaused:
		return EmailPaused
	case after.Attempt == 1:
		return EmailDeclined
	case after.isLastAttempt(settings) && !(s.isLastAttempt(settings) && s.NextAttemptDate.Equal(after.NextAttemptDate)):
		return EmailLastAttempt
	}
	return ""
}

// queueDunningEmail adds an email about a declined payment of the subscription. The email
// contains no digits of the card.
func (c *change) queueDunningEmail(kind EmailKind, settings Settings, s *Subscription, amount Amount) {
	payment := s.emailPayment(settings.Currency, amount, s.NextPaymentDate)
	payment.Card = ""
	if s.Live() {
		payment.NextAttempt = s.NextAttemptDate
	}
	c.queueEmail(Email{Kind: kind, To: s.Email, CustomerID: s.AccountID, Record: accountPartition(s.AccountID), Payment: payment})
}

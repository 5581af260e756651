package jobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"golang.org/x/net/html"

	"stockroom/store"
)

// Email is an email to one recipient.
type Email struct {
	ID      string // local part of the Message-ID, which identifies the email in all attempts to send it
	To      string
	Subject string
	Text    string
	HTML    string
}

// Mailer sends emails.
type Mailer interface {
	// Service returns store.ServiceSMTP or store.ServiceOutbox.
	Service() store.Service
	Send(ctx context.Context, e Email) error
}

// notice holds the values that a reminder email contains.
type notice struct {
	store.Subscription
	Due      time.Time
	Currency string
	Card     string
}

// longDay is the date format of emails.
const longDay = "2 January 2006"

func (n notice) subject() string {
	return fmt.Sprintf("Your payment of %s on %s", n.amount(), n.Due.Format(longDay))
}

func (n notice) amount() string {
	return string(n.PaymentAmount.AppendFixed(nil, 2)) + " " + n.Currency
}

// reminderEmail returns the reminder of a payment. If a user resends a reminder,
// resendToken gives it another Message-ID, so that mail servers do not drop it as a
// duplicate.
func reminderEmail(ctx context.Context, s *store.Subscription, due time.Time, currency, resendToken string) (Email, error) {
	n := notice{Subscription: *s, Due: due, Currency: currency, Card: s.PaymentDetails.Card}
	var page bytes.Buffer
	if err := reminder(n).Render(ctx, &page); err != nil {
		return Email{}, err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{s.AccountID, s.ID, s.SKU, due.Format(time.DateOnly), resendToken}, "\x00")))
	return Email{
		ID:      "reminder." + hex.EncodeToString(sum[:16]),
		To:      s.Email,
		Subject: n.subject(),
		Text:    plainText(page.Bytes()),
		HTML:    page.String(),
	}, nil
}

// plainText converts the paragraphs of an HTML email to plain text.
func plainText(page []byte) string {
	var text strings.Builder
	tokens := html.NewTokenizer(bytes.NewReader(page))
	inside := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return text.String()
		case html.StartTagToken:
			name, _ := tokens.TagName()
			inside = inside || string(name) == "p"
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == "p" {
				inside = false
				text.WriteString("\n\n")
			}
		case html.TextToken:
			if inside {
				text.Write(tokens.Text())
			}
		}
	}
}

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

// Letter is a mail to one person.
type Letter struct {
	ID      string // of the message: the same letter has the same, so that a repeat is recognised
	To      string
	Subject string
	Text    string
	HTML    string
}

// Mailer sends letters.
type Mailer interface {
	Send(ctx context.Context, l Letter) error
}

// notice is what a reminder says.
type notice struct {
	store.Subscription
	Due      time.Time
	Currency string
	Card     string
}

// longDay is a day as letters write it.
const longDay = "2 January 2006"

func (n notice) subject() string {
	return fmt.Sprintf("Your payment of %s on %s", n.amount(), n.Due.Format(longDay))
}

func (n notice) amount() string {
	return string(n.PaymentAmount.AppendFixed(nil, 2)) + " " + n.Currency
}

// reminderOf writes the reminder of a payment. Again is the token of whoever
// has it sent once more: that one is another letter, which no mail server takes
// for a repeat.
func reminderOf(ctx context.Context, s *store.Subscription, due time.Time, currency, again string) (Letter, error) {
	n := notice{Subscription: *s, Due: due, Currency: currency, Card: s.PaymentDetails.Card}
	var page bytes.Buffer
	if err := reminder(n).Render(ctx, &page); err != nil {
		return Letter{}, err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{s.AccountID, s.ID, due.Format(time.DateOnly), again}, "\x00")))
	return Letter{
		ID: "reminder." + hex.EncodeToString(sum[:16]), To: s.Email, Subject: n.subject(),
		Text: plain(page.Bytes()), HTML: page.String(),
	}, nil
}

// plain is the text of a letter's paragraphs, so that its words stand in one
// place.
func plain(page []byte) string {
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

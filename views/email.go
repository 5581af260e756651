package views

import (
	"bytes"
	"context"
	"strings"
	"time"

	"golang.org/x/net/html"

	"stockroom/store"
	"stockroom/views/ui"
)

// Emails is the list of emails with one status.
type Emails struct {
	Page
	List
	Status     store.EmailStatus
	Rows       []store.Email
	MailServer bool // this server sends emails
}

// Email is the page of an email, with its content.
type Email struct {
	Page
	Email    store.Email
	Subject  string
	Text     string // the plain-text part
	Body     EmailBody
	Problem  string // why the email was not queued again
	CanAgain bool   // the user may send the email again
	Token    string
}

// EmailPath returns the path of the page of an email.
func EmailPath(id string) string { return "/emails/" + id }

func emailBadge(s store.EmailStatus) ui.Badge {
	switch s {
	case store.EmailQueued:
		return ui.Badge{Word: "Queued", Tone: ui.Waiting}
	case store.EmailSending:
		return ui.Badge{Word: "Sending", Tone: ui.Moving}
	case store.EmailSent:
		return ui.Badge{Word: "Sent", Tone: ui.Good}
	case store.EmailFailed:
		return ui.Badge{Word: "Failed", Tone: ui.Wrong}
	case store.EmailUnconfirmed:
		return ui.Badge{Word: "Unconfirmed", Tone: ui.Wrong}
	}
	return unknownBadge(string(s))
}

// emailTime returns the label of the time in Email.At, which depends on the status.
func emailTime(s store.EmailStatus) string {
	switch s {
	case store.EmailQueued:
		return "Next attempt"
	case store.EmailSending:
		return "Outcome expected by"
	}
	return "Outcome"
}

// EmailText is the rendered content of an email.
type EmailText struct {
	Subject string
	Text    string
	HTML    string
}

// EmailBody contains the values for the template of an email.
type EmailBody struct {
	*store.Email
	Company string
	Zone    *time.Location
	Link    string       // address of the personal link or the list; "" on pages, which must not show it
	List    *EmailedView // nil on pages, because the rows are read when the email is sent
}

// RenderEmail returns the content of an email. Dates and money have the format of the
// pages.
//
// The argument link is the address of the card link or the password link in the email, or
// of the list of a saved view. Pages pass "", because staff who read the email must not be
// able to use a personal link. The argument list is the list of a saved view, or nil.
func RenderEmail(ctx context.Context, settings store.Settings, e *store.Email, link string, list *EmailedView) (EmailText, error) {
	b := NewEmailBody(settings, e)
	b.Link, b.List = link, list
	var page bytes.Buffer
	if err := emailDocument(b).Render(ctx, &page); err != nil {
		return EmailText{}, err
	}
	return EmailText{Subject: b.Subject(), Text: textOf(page.Bytes()), HTML: page.String()}, nil
}

// NewEmailBody returns the values for the template of an email.
func NewEmailBody(settings store.Settings, e *store.Email) EmailBody {
	return EmailBody{Email: e, Company: settings.Company.Name, Zone: settings.Zone()}
}

// Subject returns the subject of the email.
func (b EmailBody) Subject() string {
	switch b.Kind {
	case store.EmailReminder:
		return "Your payment of " + b.amount() + " on " + calendar(b.Payment.Due)
	case store.EmailDeclined:
		return "Your payment of " + b.amount() + " was declined"
	case store.EmailLastAttempt:
		return "Last attempt to charge " + b.amount() + " on " + calendar(b.Payment.NextAttempt)
	case store.EmailPaused:
		return "Your subscription is paused"
	case store.EmailCardLink:
		return "Enter a new card for your subscription"
	case store.EmailPasswordLink:
		return "Choose a new password for Stockroom"
	case store.EmailRentalNotice, store.EmailManagerNotice:
		return b.noticeSubject()
	case store.EmailSavedView:
		if b.List != nil {
			return b.List.Name + " on " + calendar(b.Notice.Day)
		}
		return nameOr(b.Values.Number, "Saved view") + " on " + calendar(b.Notice.Day)
	case store.EmailInvoice:
		return "Invoice " + b.Values.Number
	case store.EmailInvoiceReminder:
		return "Reminder: invoice " + b.Values.Number
	case store.EmailCreditNote:
		return "Credit note " + b.Values.Number + " for invoice " + b.Values.Invoice
	case store.EmailStatement:
		return "Statement " + b.Values.Number
	case store.EmailConfirmation:
		return "Confirmation of your order " + b.Values.OrderID
	}
	return capital(b.Label())
}

func (b EmailBody) amount() string {
	return string(AppendMoney(nil, b.Payment.Amount, b.Payment.Currency))
}

func (b EmailBody) money(amount store.Amount) string {
	return string(AppendMoney(nil, amount, b.Values.Currency))
}

func (b EmailBody) day(t time.Time) string { return calendar(t.In(b.Zone)) }

// textOf converts the paragraphs, headings and tables of an HTML email to plain text. Each
// row of a table is a line, with dots between the cells.
func textOf(page []byte) string {
	var text strings.Builder
	tokens := html.NewTokenizer(bytes.NewReader(page))
	inside, cells := false, 0
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return text.String()
		case html.StartTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "p", "h2":
				inside = true
			case "td", "th":
				if inside = true; cells > 0 {
					text.WriteString(" · ")
				}
				cells++
			}
		case html.EndTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "p", "h2":
				inside = false
				text.WriteString("\n\n")
			case "td", "th":
				inside = false
			case "tr":
				cells = 0
				text.WriteString("\n")
			case "table":
				text.WriteString("\n")
			}
		case html.TextToken:
			if inside {
				text.Write(tokens.Text()) // tokens.Text has already unescaped the text
			}
		}
	}
}

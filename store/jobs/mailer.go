package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"stockroom/store"
)

// Message is an email in the form in which it is sent.
type Message struct {
	ID          string // local part of the Message-ID
	To          string
	Subject     string
	Text        string
	HTML        string
	Attachments []Attachment
}

// Attachment is a file that is attached to a Message.
type Attachment struct {
	Name string
	Type string // media type, such as application/pdf
	Data []byte
}

// Mailer connects to a mail server.
type Mailer interface {
	// Connect opens a connection, over which messages are sent one after the other.
	Connect(ctx context.Context) (MailConnection, error)
}

// MailConnection is a connection to a mail server.
type MailConnection interface {
	// Send sends a message and returns the response of the mail server. Its errors are of
	// the type *SendError.
	Send(m Message) (response string, err error)
	Close() error
}

// SendError means that the mail server rejected a message, or may not have accepted it.
type SendError struct {
	Permanent bool // another attempt would also fail
	Unknown   bool // the mail server may have accepted the message
	Reason    string
}

func (e *SendError) Error() string { return e.Reason }

func (m *Message) mime(from string, now time.Time) (*mail.Msg, error) {
	out := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(out.From(from), out.To(m.To)); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(out.GetFrom()[0].Address, "@")
	out.SetMessageIDWithValue(m.ID + "@" + domain)
	out.SetDateWithValue(now)
	out.Subject(m.Subject)
	out.SetBodyString(mail.TypeTextPlain, m.Text)
	out.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	for _, a := range m.Attachments {
		if err := out.AttachReader(a.Name, bytes.NewReader(a.Data), mail.WithFileContentType(mail.ContentType(a.Type))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SMTP is a Mailer that sends with SMTP.
type SMTP struct {
	client *mail.Client
	from   string
	now    func() time.Time
}

// smtpTimeout is the timeout for connecting and for sending one message.
const smtpTimeout = 30 * time.Second

// NewSMTP returns a mailer for a mail server, such as mail.example.com:587. It
// requires TLS, except on loopback. If user is "", it does not authenticate.
func NewSMTP(address, from, user, password string, now func() time.Time) (*SMTP, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("invalid -smtp %q: enter an address with a port, such as mail.example.com:587", address)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("invalid -smtp %q: the port is not a number", address)
	}
	policy := mail.TLSMandatory
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		policy = mail.TLSOpportunistic
	}
	options := []mail.Option{mail.WithPort(number), mail.WithTLSPolicy(policy), mail.WithTimeout(smtpTimeout)}
	if user != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(user), mail.WithPassword(password))
	}
	client, err := mail.NewClient(host, options...)
	if err != nil {
		return nil, fmt.Errorf("invalid -smtp %q: %w", address, err)
	}
	probe := mail.NewMsg()
	if err := probe.From(from); err != nil {
		return nil, fmt.Errorf("invalid -mail-from %q: %w", from, err)
	}
	return &SMTP{client: client, from: from, now: now}, nil
}

// Connect opens a connection to the mail server.
func (s *SMTP) Connect(ctx context.Context) (MailConnection, error) {
	connection, err := s.client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, err
	}
	return &smtpConnection{s, connection}, nil
}

type smtpConnection struct {
	*SMTP
	connection *smtp.Client
}

// Send sends a message.
func (c *smtpConnection) Send(m Message) (string, error) {
	message, err := m.mime(c.from, c.now())
	if err != nil {
		return "", &SendError{Permanent: true, Reason: err.Error()}
	}
	err = c.client.SendWithSMTPClient(c.connection, message)
	if message.IsDelivered() { // the connection may have failed after the message was accepted
		return message.ServerResponse(), nil
	}
	return "", sendError(err)
}

// Close ends the connection.
func (c *smtpConnection) Close() error { return c.client.CloseWithSMTPClient(c.connection) }

// sendError converts the error for a message that was not delivered. Before the end of the
// message is sent, the mail server cannot have accepted it:
// https://www.rfc-editor.org/rfc/rfc5321#section-4.1.1.4. Rejecting the sender does not
// count as permanent, because the mail server would then reject all messages.
func sendError(err error) *SendError {
	var failure *mail.SendError
	if !errors.As(err, &failure) {
		return &SendError{Unknown: true, Reason: err.Error()}
	}
	reason, _, _ := strings.Cut(failure.Error(), ", affected ")
	code := failure.ErrorCode()
	concernsMessage := failure.Reason == mail.ErrSMTPRcptTo || failure.Reason == mail.ErrSMTPData || failure.Reason == mail.ErrSMTPDataClose
	return &SendError{
		Permanent: concernsMessage && code >= 500,
		Unknown:   failure.Reason == mail.ErrSMTPDataClose && code == 0,
		Reason:    reason,
	}
}

// SendsEmails reports whether the runner has a mail server. Otherwise emails stay in the
// outbox.
func (r *Runner) SendsEmails() bool { return r.Mail != nil }

func (r *Runner) emailService() store.Service {
	if r.SendsEmails() {
		return store.ServiceSMTP
	}
	return store.ServiceOutbox
}

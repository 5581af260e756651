package jobs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"stockroom/store"
)

// message returns the email in MIME format.
func (e Email) message(from string, now time.Time) (*mail.Msg, error) {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(from), m.To(e.To)); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(m.GetFrom()[0].Address, "@")
	m.SetMessageIDWithValue(e.ID + "@" + domain)
	m.SetDateWithValue(now)
	m.Subject(e.Subject)
	m.SetBodyString(mail.TypeTextPlain, e.Text)
	m.AddAlternativeString(mail.TypeTextHTML, e.HTML)
	return m, nil
}

// Outbox is a Mailer for a business without a mail server. It writes emails to .eml
// files in a folder. An email that is sent again replaces its file.
type Outbox struct {
	Folder string
	From   string
	Now    func() time.Time
}

// Service returns store.ServiceOutbox.
func (Outbox) Service() store.Service { return store.ServiceOutbox }

// Send writes the email to a file.
func (o Outbox) Send(_ context.Context, e Email) error {
	m, err := e.message(o.From, o.Now())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(o.Folder, "email-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = m.WriteTo(file)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(o.Folder, e.ID+".eml"))
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// SMTP sends emails through a mail server.
type SMTP struct {
	client *mail.Client
	from   string
	now    func() time.Time
}

// smtpTimeout is the timeout for sending one email.
const smtpTimeout = 30 * time.Second

// NewSMTP returns a mailer for a mail server, such as mail.example.com:587. It
// requires TLS, except on loopback. If user is "", it does not authenticate.
func NewSMTP(address, from, user, password string, now func() time.Time) (*SMTP, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("mail server %q has no port: enter an address such as mail.example.com:587", address)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("the port of the mail server is not a number: %q", port)
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
		return nil, err
	}
	probe := mail.NewMsg()
	if err := probe.From(from); err != nil {
		return nil, fmt.Errorf("invalid sender address %q: %w", from, err)
	}
	return &SMTP{client: client, from: from, now: now}, nil
}

// Service returns store.ServiceSMTP.
func (*SMTP) Service() store.Service { return store.ServiceSMTP }

// Send sends the email over a new connection.
func (s *SMTP) Send(ctx context.Context, e Email) error {
	m, err := e.message(s.from, s.now())
	if err != nil {
		return err
	}
	return s.client.DialAndSendWithContext(ctx, m)
}

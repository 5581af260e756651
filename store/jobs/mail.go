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
)

// message is a letter as mail servers take it.
func (l Letter) message(from string, now time.Time) (*mail.Msg, error) {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(from), m.To(l.To)); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(m.GetFrom()[0].Address, "@")
	m.SetMessageIDWithValue(l.ID + "@" + domain)
	m.SetDateWithValue(now)
	m.Subject(l.Subject)
	m.SetBodyString(mail.TypeTextPlain, l.Text)
	m.AddAlternativeString(mail.TypeTextHTML, l.HTML)
	return m, nil
}

// Outbox keeps letters as files that mail programs open, for a business
// without a mail server. A letter that is sent again takes the place of itself.
type Outbox struct {
	Folder string
	From   string
	Now    func() time.Time
}

// Send implements Mailer.
func (o Outbox) Send(_ context.Context, l Letter) error {
	m, err := l.message(o.From, o.Now())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(o.Folder, "letter-*.tmp") // 0600: it says who pays for what
	if err != nil {
		return err
	}
	_, err = m.WriteTo(file)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(o.Folder, l.ID+".eml"))
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// SMTP hands letters to a mail server.
type SMTP struct {
	client *mail.Client
	from   string
	now    func() time.Time
}

// smtpPatience is how long a mail server has to take a letter.
const smtpPatience = 30 * time.Second

// NewSMTP makes a mailer for the server at an address such as
// mail.example.com:587. What is sent is encrypted, except to this machine
// itself. Without a user it does not log in.
func NewSMTP(address, from, user, password string, now func() time.Time) (*SMTP, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("the mail server %q needs a port, such as mail.example.com:587", address)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("the mail server's port is %q, which is no number", port)
	}
	policy := mail.TLSMandatory
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		policy = mail.TLSOpportunistic
	}
	options := []mail.Option{mail.WithPort(number), mail.WithTLSPolicy(policy), mail.WithTimeout(smtpPatience)}
	if user != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(user), mail.WithPassword(password))
	}
	client, err := mail.NewClient(host, options...)
	if err != nil {
		return nil, err
	}
	probe := mail.NewMsg()
	if err := probe.From(from); err != nil {
		return nil, fmt.Errorf("mail cannot come from %q: %w", from, err)
	}
	return &SMTP{client: client, from: from, now: now}, nil
}

// Send implements Mailer.
func (s *SMTP) Send(ctx context.Context, l Letter) error {
	m, err := l.message(s.from, s.now())
	if err != nil {
		return err
	}
	return s.client.DialAndSendWithContext(ctx, m)
}

package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// deliver delivers the outbox. It fails the test unless the result equals want.
func deliver(t testing.TB, r *jobs.Runner, want jobs.Delivery) {
	t.Helper()
	if got, err := r.DeliverEmails(t.Context()); err != nil || got != want {
		t.Errorf("delivery: got %+v, %v; want %+v", got, err, want)
	}
}

func emailsOf(t testing.TB, s *store.Store, customer string) []store.Email {
	t.Helper()
	found, err := s.As(admin).EmailsOfCustomer(t.Context(), customer, store.Page{Limit: store.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Rows
}

// queued returns a store with one queued reminder, and its subscription.
func queued(t *testing.T, clock *storetest.Clock) (*store.Store, *store.Subscription) {
	t.Helper()
	s := storetest.Open(t, clock)
	sub := reminderDue(1)
	load(t, s, sub)
	run(t, runner(t, s, jobs.Record{}, nil), store.RemindersJob, due)
	return s, sub
}

// TestDeliverEmails_KeepsEmailsWithoutMailServer checks that a runner without a mail server
// changes no email. If a runner with a mail server starts too late, it must not send the
// email.
func TestDeliverEmails_KeepsEmailsWithoutMailServer(t *testing.T) {
	clock := storetest.NewClock()
	s, sub := queued(t, clock)
	deliver(t, runner(t, s, jobs.Record{}, nil), jobs.Delivery{})
	if got := emailsOf(t, s, sub.AccountID); len(got) != 1 || got[0].Status != store.EmailQueued || got[0].Attempts != 0 {
		t.Errorf("got %+v, want a queued email", got)
	}
	clock.Advance(store.EmailLife + time.Minute)
	box := &mailbox{}
	deliver(t, runner(t, s, jobs.Record{}, box), jobs.Delivery{Failed: 1})
	if got := emailsOf(t, s, sub.AccountID); len(box.messages) != 0 || got[0].Status != store.EmailFailed || got[0].Response != "Not sent within 5 days." {
		t.Errorf("got %d messages, %+v; want none, and a failed email", len(box.messages), got)
	}
}

// TestDeliverEmails_RetriesWithBackoff checks when an email is sent, if the mail server is
// first offline, then busy, and then accepts it.
func TestDeliverEmails_RetriesWithBackoff(t *testing.T) {
	clock := storetest.NewClock()
	s, sub := queued(t, clock)
	box := &mailbox{offline: true, refuse: func(jobs.Message) error { return &jobs.SendError{Reason: "451 try again later"} }}
	r := runner(t, s, jobs.Record{}, box)
	if _, err := r.DeliverEmails(t.Context()); err == nil {
		t.Error("mail server offline: got no error, want one")
	}
	if got := emailsOf(t, s, sub.AccountID); got[0].Attempts != 0 {
		t.Errorf("got %d attempts while the mail server was offline, want 0", got[0].Attempts)
	}
	box.offline = false
	for _, pause := range []time.Duration{time.Minute, 3 * time.Minute, 9 * time.Minute} {
		deliver(t, r, jobs.Delivery{Retried: 1})
		deliver(t, r, jobs.Delivery{}) // not due yet
		clock.Advance(pause - time.Second)
		deliver(t, r, jobs.Delivery{})
		clock.Advance(time.Second)
	}
	box.refuse = nil
	deliver(t, r, jobs.Delivery{Sent: 1})
	if got := emailsOf(t, s, sub.AccountID); got[0].Status != store.EmailSent || got[0].Attempts != 4 || len(box.messages) != 1 {
		t.Errorf("got %+v and %d messages, want 1 sent with the fourth attempt", got, len(box.messages))
	}
}

// TestDeliverEmails_RecordsRejection checks that a rejected email is not sent again until
// a user asks for it.
func TestDeliverEmails_RecordsRejection(t *testing.T) {
	clock := storetest.NewClock()
	s, sub := queued(t, clock)
	box := &mailbox{refuse: func(jobs.Message) error {
		return &jobs.SendError{Permanent: true, Reason: "550 no mailbox 4111111111111111"}
	}}
	r := runner(t, s, jobs.Record{}, box)
	deliver(t, r, jobs.Delivery{Failed: 1})
	clock.Advance(time.Hour)
	deliver(t, r, jobs.Delivery{})
	failed := emailsOf(t, s, sub.AccountID)[0]
	if failed.Status != store.EmailFailed || !strings.HasPrefix(failed.Response, "550 no mailbox") || strings.Contains(failed.Response, "41111111") {
		t.Errorf("got %+v, want a failed email with the response, without a card number", failed)
	}
	box.refuse = nil
	f := store.EmailForm{ID: failed.ID, Version: failed.Version, Token: s.NewToken()}
	for range 2 {
		if err := s.As(admin).SendEmailAgain(t.Context(), f); err != nil {
			t.Error(err)
		}
	}
	deliver(t, r, jobs.Delivery{Sent: 1})
	if err := s.As(admin).SendEmailAgain(t.Context(), store.EmailForm{ID: failed.ID, Version: emailsOf(t, s, sub.AccountID)[0].Version, Token: s.NewToken()}); store.KindOf(err) != store.Conflict {
		t.Errorf("sent email: got %v, want Conflict", err)
	}
}

// TestDeliverEmails_LeavesUnknownOutcome delivers an email whose attempt was abandoned.
// It must become unconfirmed, and must not be sent. A user then sends it again, and the
// connection breaks. Its delivery must be unconfirmed again.
func TestDeliverEmails_LeavesUnknownOutcome(t *testing.T) {
	clock := storetest.NewClock()
	s, sub := queued(t, clock)
	if _, err := s.BeginEmail(t.Context(), &emailsOf(t, s, sub.AccountID)[0], "killed", clock.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	box := &mailbox{}
	r := runner(t, s, jobs.Record{}, box)
	deliver(t, r, jobs.Delivery{})
	clock.Advance(2 * time.Minute)
	deliver(t, r, jobs.Delivery{Unconfirmed: 1})
	unconfirmed := emailsOf(t, s, sub.AccountID)[0]
	if unconfirmed.Status != store.EmailUnconfirmed || len(box.messages) != 0 {
		t.Errorf("got the email %+v and %d messages, want it unconfirmed and not sent", unconfirmed, len(box.messages))
	}
	if err := s.As(admin).SendEmailAgain(t.Context(), store.EmailForm{ID: unconfirmed.ID, Version: unconfirmed.Version, Token: s.NewToken()}); err != nil {
		t.Fatal(err)
	}
	box.refuse = func(jobs.Message) error { return errors.New("connection reset") }
	deliver(t, r, jobs.Delivery{Unconfirmed: 1})
}

// TestRecordEmailSent_AfterUnconfirmed checks that an outcome which arrives late replaces
// the status unconfirmed.
func TestRecordEmailSent_AfterUnconfirmed(t *testing.T) {
	clock := storetest.NewClock()
	s, sub := queued(t, clock)
	begun, err := s.BeginEmail(t.Context(), &emailsOf(t, s, sub.AccountID)[0], "slow", clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.BeginEmail(t.Context(), &store.Email{ID: begun.ID, Version: begun.Version - 1}, "other", clock.Now()); store.KindOf(err) != store.Conflict {
		t.Errorf("another runner: got %v, want Conflict", err)
	}
	if err := errors.Join(s.RecordEmailUnconfirmed(t.Context(), begun, ""), s.RecordEmailSent(t.Context(), begun, "250 OK")); err != nil {
		t.Fatal(err)
	}
	if got := emailsOf(t, s, sub.AccountID)[0]; got.Status != store.EmailSent {
		t.Errorf("got the email %+v, want it sent", got)
	}
}

// TestDeliverEmails_SpeaksSMTP delivers three emails to a real SMTP server, which rejects
// one recipient permanently and one temporarily.
func TestDeliverEmails_SpeaksSMTP(t *testing.T) {
	clock := storetest.NewClock()
	server := &mailServer{reject: map[string]*smtp.SMTPError{
		"a2@example.com": {Code: 550, Message: "No such mailbox"},
		"a3@example.com": {Code: 451, Message: "Try again later"},
	}}
	bySMTP := serveMail(t, server, clock)
	s := storetest.Open(t, clock)
	load(t, s, reminderDue(1), reminderDue(2), reminderDue(3))
	r := runner(t, s, jobs.Record{}, bySMTP)
	run(t, r, store.RemindersJob, due)
	deliver(t, r, jobs.Delivery{Sent: 1, Retried: 1, Failed: 1})
	for account, want := range map[string]store.EmailStatus{"a00001": store.EmailSent, "a00002": store.EmailFailed, "a00003": store.EmailQueued} {
		if got := emailsOf(t, s, account)[0]; got.Status != want || got.Status != store.EmailSent && !strings.Contains(got.Response, "ailbox") && !strings.Contains(got.Response, "again") {
			t.Errorf("%s: got %+v, want %s", account, got, want)
		}
	}
	if len(server.messages) != 1 || server.from != "shop@example.com" {
		t.Fatalf("got %d messages from %s, want 1", len(server.messages), server.from)
	}
	m, err := mail.ReadMessage(bytes.NewReader(server.messages[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := "<" + emailsOf(t, s, "a00001")[0].MessageID() + "@example.com>"
	if m.Header.Get("To") != "<a1@example.com>" || m.Header.Get("Message-ID") != want || !strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative") {
		t.Errorf("got header %v, want the message ID %s", m.Header, want)
	}
}

// mailServer is an SMTP server that stores the messages in memory. It rejects some
// recipients.
type mailServer struct {
	mu       sync.Mutex
	messages [][]byte
	from     string
	reject   map[string]*smtp.SMTPError
}

func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return m, nil }
func (m *mailServer) Reset()                                      {}
func (m *mailServer) Logout() error                               { return nil }

func (m *mailServer) Rcpt(to string, _ *smtp.RcptOptions) error {
	if rejected := m.reject[to]; rejected != nil {
		return rejected
	}
	return nil
}

func (m *mailServer) Mail(from string, _ *smtp.MailOptions) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.from = from
	return nil
}

func (m *mailServer) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, body)
	return err
}

// serveMail starts a mail server and returns a mailer for it.
func serveMail(t testing.TB, server *mailServer, clock *storetest.Clock) *jobs.SMTP {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := smtp.NewServer(server)
	go func() { _ = serving.Serve(listener) }() // returns when the listener is closed
	t.Cleanup(func() { serving.Close() })
	mailer, err := jobs.NewSMTP(listener.Addr().String(), "Shop <shop@example.com>", "", "", clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	return mailer
}

// TestDeliverEmails_RecordsPanic sends two emails. Rendering one of them panics, so it must
// fail. The other one must be sent.
func TestDeliverEmails_RecordsPanic(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	first, second := reminderDue(1), reminderDue(2)
	load(t, s, first, second)
	run(t, runner(t, s, jobs.Record{}, nil), store.RemindersJob, due)
	box := &mailbox{}
	r := jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Mail: box, Log: slog.New(slog.DiscardHandler), RequestTimeout: time.Minute, Render: func(_ context.Context, e *store.Email) (jobs.Message, error) {
		if e.CustomerID == first.AccountID {
			panic("no glyph for U+0000")
		}
		return jobs.Message{ID: e.MessageID(), To: e.To, Subject: "x", Text: "x"}, nil
	}})
	defer r.Close()
	deliver(t, r, jobs.Delivery{Sent: 1, Failed: 1})
	failed, sent := emailsOf(t, s, first.AccountID), emailsOf(t, s, second.AccountID)
	if want := "The email could not be created because of a bug in Stockroom: no glyph for U+0000"; len(failed) != 1 || failed[0].Status != store.EmailFailed || failed[0].Response != want {
		t.Errorf("got %+v, want a failed email with the response %q", failed, want)
	}
	if len(sent) != 1 || sent[0].Status != store.EmailSent || len(box.messages) != 1 {
		t.Errorf("got %+v, want the other email sent", sent)
	}
}

// addMia adds the manager mia, and a warehouse and a store that they manage.
func addMia(t *testing.T, s *store.Store) {
	t.Helper()
	noticeStore(t, s, &store.Warehouse{ID: "w1", Name: "North", Version: 1}, &store.RentalStore{ID: "s1", Name: "Brygga", Version: 1})
	addManager(t, s, "mia", true)
}

// noticeTo returns a queued daily notice to the manager mia.
func noticeTo(n int, address string) *store.Email {
	return &store.Email{
		ID: fmt.Sprintf("01M80ZZZZZ000000000000000%d", n), Kind: store.EmailManagerNotice, To: address, User: "mia",
		Status: store.EmailQueued, Created: storetest.Now, At: storetest.Now, Notice: store.EmailNotice{Day: due}, Version: 1,
	}
}

// TestDeliverEmails_ContinuesAfterDamagedUser delivers five emails to a user whose record
// cannot be decoded, and one to a customer. The emails to the user must be queued again for
// later, and the email to the customer must be sent.
func TestDeliverEmails_ContinuesAfterDamagedUser(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(db, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		setShards(t, s, 1)
		addMia(t, s)
		sub := reminderDue(1)
		load(t, s, sub)
		emails := []store.Entity{}
		for n := range 5 {
			emails = append(emails, noticeTo(n, "mia@example.com"))
		}
		if loaded, err := s.Load(t.Context(), emails, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		box := &mailbox{}
		r := runner(t, s, jobs.Record{}, box)
		run(t, r, store.RemindersJob, due)
		setType(t, db, name, &store.User{Name: "mia"}, "unknown")
		deliver(t, r, jobs.Delivery{Sent: 1, Retried: 5})
		deliver(t, r, jobs.Delivery{})
		if e := emailsOf(t, s, sub.AccountID); len(e) != 1 || e[0].Status != store.EmailSent {
			t.Errorf("got %+v, want the other email sent", e)
		}
	})
}

// TestDeliverEmails_LimitsTimeOfWriting sends two emails. Rendering one of them times
// out, so it must be queued again. The other one must be sent.
func TestDeliverEmails_LimitsTimeOfWriting(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	first, second := reminderDue(1), reminderDue(2)
	load(t, s, first, second)
	run(t, runner(t, s, jobs.Record{}, nil), store.RemindersJob, due)
	r := jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Mail: &mailbox{}, Log: slog.New(slog.DiscardHandler), RequestTimeout: time.Minute, Render: func(ctx context.Context, e *store.Email) (jobs.Message, error) {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("got a context without a deadline, want one")
		}
		if e.CustomerID == first.AccountID {
			return jobs.Message{}, context.DeadlineExceeded
		}
		return jobs.Message{ID: e.MessageID(), To: e.To, Subject: "x", Text: "x"}, nil
	}})
	defer r.Close()
	deliver(t, r, jobs.Delivery{Sent: 1, Retried: 1})
	if slow := emailsOf(t, s, first.AccountID); len(slow) != 1 || slow[0].Status != store.EmailQueued || slow[0].Response != "The email could not be written: timed out" {
		t.Errorf("got %+v, want a queued email that took too long", slow)
	}
}

// TestSendEmailAgain_UsesPresentAddress queues a notice, and then corrects the address of
// its user. The notice must not be sent to the former address. If a user sends it again, it
// must go to the present one.
func TestSendEmailAgain_UsesPresentAddress(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	addMia(t, s)
	e := noticeTo(1, "mai@example.com")
	if loaded, err := s.Load(t.Context(), []store.Entity{e}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	box := &mailbox{}
	r := runner(t, s, jobs.Record{}, box)
	deliver(t, r, jobs.Delivery{Failed: 1})
	failed, err := s.As(admin).Email(t.Context(), e.ID)
	if err != nil || failed.Response != "Not sent, because the email address of the user has changed." {
		t.Fatalf("got the email %+v, %v; want it not sent", failed, err)
	}
	if err := s.As(admin).SendEmailAgain(t.Context(), store.EmailForm{ID: e.ID, Version: failed.Version, Token: s.NewToken()}); err != nil {
		t.Fatal(err)
	}
	deliver(t, r, jobs.Delivery{Sent: 1})
	messageTo(t, box, "mia@example.com")
}

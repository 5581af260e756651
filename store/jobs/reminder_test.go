package jobs_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// reminderDue returns a subscription whose reminder is due today.
func reminderDue(n int) *store.Subscription {
	s := subscription(n)
	s.PaymentDay, s.NextPaymentDate = 28, due.AddDate(0, 0, 7)
	s.NextAttemptDate, s.NextReminderDate = s.NextPaymentDate, due
	return s
}

func TestRun_SendsRemindersOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first, noAddress, refused := reminderDue(1), reminderDue(2), reminderDue(3)
		noAddress.Email = ""
		load(t, s, first, noAddress, refused)
		box := &mailbox{refuse: func(e jobs.Email) error {
			if e.To == refused.Email {
				return errors.New("no such mailbox")
			}
			return nil
		}}
		r := runner(t, s, jobs.Record{}, box)
		report := run(t, r, store.RemindersJob, due)
		if second := run(t, r, store.RemindersJob, due); second != report || report.Done != 1 || report.Failed != 2 {
			t.Errorf("got %+v, then %+v; want the same report twice, with 1 done and 2 failed", report, second)
		}
		if len(box.emails) != 1 {
			t.Fatalf("got %d emails, want 1", len(box.emails))
		}
		email := box.emails[0]
		for _, want := range []string{"5.01 EUR", "28 November 2026", "ending in 1234", "subscription to Tea every month", "Subscription number: s00001"} {
			if !strings.Contains(email.Text, want) || !strings.Contains(email.HTML, want) {
				t.Errorf("got no %q in\n%s\n%s", want, email.Text, email.HTML)
			}
		}
		after := get(t, s, first)
		if want := time.Date(2026, time.December, 21, 0, 0, 0, 0, time.UTC); !after.NextReminderDate.Equal(want) || !after.NextPaymentDate.Equal(first.NextPaymentDate) {
			t.Errorf("got %+v after the reminder", after)
		}
		if failures := results(t, s, store.RemindersJob, due, true); len(failures) != 2 {
			t.Errorf("got failures %+v, want 2", failures)
		}
	})
}

// TestResend_SendsOnce resends a reminder, and submits the same form again.
func TestResend_SendsOnce(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	sub := reminderDue(1)
	load(t, s, sub)
	box := &mailbox{}
	r := runner(t, s, jobs.Record{}, box)
	run(t, r, store.RemindersJob, due)
	f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: get(t, s, sub).Version, Token: s.NewToken()}
	support := &store.User{Name: "kim", Role: store.Support}
	for range 2 {
		if err := r.Resend(t.Context(), support, f); err != nil {
			t.Error(err)
		}
	}
	if len(box.emails) != 2 || box.emails[0].ID == box.emails[1].ID || box.emails[0].Text != box.emails[1].Text {
		t.Errorf("got emails %+v, want 2 with different IDs", box.emails)
	}
}

// mailServer is an SMTP server that stores the messages in memory.
type mailServer struct {
	mu       sync.Mutex
	messages [][]byte
	from     string
}

func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return m, nil }
func (m *mailServer) Reset()                                      {}
func (m *mailServer) Logout() error                               { return nil }
func (m *mailServer) Rcpt(string, *smtp.RcptOptions) error        { return nil }

func (m *mailServer) Mail(from string, _ *smtp.MailOptions) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.from = from
	return nil
}

func (m *mailServer) Data(r io.Reader) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, err := io.ReadAll(r)
	m.messages = append(m.messages, body)
	return err
}

func TestMailers_SendSameEmail(t *testing.T) {
	clock := storetest.NewClock()
	server := &mailServer{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := smtp.NewServer(server)
	go func() { _ = serving.Serve(listener) }() // returns when the listener is closed
	defer serving.Close()
	bySMTP, err := jobs.NewSMTP(listener.Addr().String(), "Shop <shop@example.com>", "", "", clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "outbox")
	for _, m := range []jobs.Mailer{bySMTP, jobs.Outbox{Folder: folder, From: "Shop <shop@example.com>", Now: clock.Now}} {
		s := storetest.Open(t, clock)
		load(t, s, reminderDue(1))
		if report := run(t, runner(t, s, jobs.Record{}, m), store.RemindersJob, due); report.Done != 1 {
			t.Fatalf("%T: got %+v", m, report)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 || len(server.messages) != 1 || server.from != "shop@example.com" {
		t.Fatalf("got files %v, %v, %d messages from %s", files, err, len(server.messages), server.from)
	}
	saved, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, message := range [][]byte{saved, server.messages[0]} {
		m, err := mail.ReadMessage(bytes.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.Header.Get("Message-ID"))
		if m.Header.Get("To") != "<a1@example.com>" || !strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative") {
			t.Errorf("got header %v", m.Header)
		}
	}
	if ids[0] != ids[1] || !strings.HasSuffix(ids[0], "@example.com>") || !strings.HasSuffix(files[0], ".eml") {
		t.Errorf("got message IDs %v in %v, want them equal", ids, files)
	}
}

func TestNewSMTP_RejectsInvalidAddresses(t *testing.T) {
	clock := storetest.NewClock()
	for _, address := range []string{"mail.example.com", "mail.example.com:smtp"} {
		if _, err := jobs.NewSMTP(address, "shop@example.com", "", "", clock.Now); err == nil {
			t.Errorf("%s: got no error", address)
		}
	}
	if _, err := jobs.NewSMTP("mail.example.com:587", "nobody", "", "", clock.Now); err == nil {
		t.Error("sender nobody: got no error")
	}
}

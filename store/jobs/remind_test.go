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

// reminded is a subscription whose reminder is due today.
func reminded(n int) *store.Subscription {
	s := subscription(n)
	s.PaymentDay, s.NextPaymentDate = 28, due.AddDate(0, 0, 7)
	s.NextAttemptDate, s.NextReminderDate = s.NextPaymentDate, due
	return s
}

func TestRemindersGoOutOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first, nobody, refused := reminded(1), reminded(2), reminded(3)
		nobody.Email = ""
		load(t, s, first, nobody, refused)
		letters := &post{refuse: func(l jobs.Letter) error {
			if l.To == refused.Email {
				return errors.New("no such mailbox")
			}
			return nil
		}}
		r := runner(t, s, jobs.Record{}, letters)
		report := run(t, r, store.RemindersJob, due)
		if again := run(t, r, store.RemindersJob, due); again != report || report.Done != 1 || report.Failed != 2 {
			t.Errorf("%+v, again %+v", report, again)
		}
		if len(letters.letters) != 1 {
			t.Fatalf("%d letters", len(letters.letters))
		}
		l := letters.letters[0]
		for _, want := range []string{"5.01 EUR", "28 November 2026", "ends in 1234", "Subscription s00001"} {
			if !strings.Contains(l.Text, want) || !strings.Contains(l.HTML, want) {
				t.Errorf("the letter lacks %q:\n%s\n%s", want, l.Text, l.HTML)
			}
		}
		is := one(t, s, first)
		if want := time.Date(2026, time.December, 21, 0, 0, 0, 0, time.UTC); !is.NextReminderDate.Equal(want) || !is.NextPaymentDate.Equal(first.NextPaymentDate) {
			t.Errorf("%+v", is)
		}
		if failures := results(t, s, store.RemindersJob, due, true); len(failures) != 2 {
			t.Errorf("failures %+v", failures)
		}
	})
}

// TestResend sends a reminder once more: as another letter, and once however
// often the form is sent.
func TestResend(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	sub := reminded(1)
	load(t, s, sub)
	letters := &post{}
	r := runner(t, s, jobs.Record{}, letters)
	run(t, r, store.RemindersJob, due)
	f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Seen: one(t, s, sub).Version, Once: s.NewToken()}
	support := s.As(&store.User{Name: "kim", Role: store.Support})
	for range 2 {
		if err := r.Resend(t.Context(), support, f); err != nil {
			t.Error(err)
		}
	}
	if len(letters.letters) != 2 || letters.letters[0].ID == letters.letters[1].ID || letters.letters[0].Text != letters.letters[1].Text {
		t.Errorf("letters %+v", letters.letters)
	}
}

// mailServer is a real one that keeps what it gets.
type mailServer struct {
	mu   sync.Mutex
	got  [][]byte
	from string
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
	m.got = append(m.got, body)
	return err
}

// TestMailersSendTheSameLetter sends by a mail server and keeps in a folder.
func TestMailersSendTheSameLetter(t *testing.T) {
	clock := storetest.NewClock()
	server := &mailServer{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := smtp.NewServer(server)
	go func() { _ = serving.Serve(listener) }() // it ends when it is closed
	defer serving.Close()
	byServer, err := jobs.NewSMTP(listener.Addr().String(), "Shop <shop@example.com>", "", "", clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "outbox")
	for _, m := range []jobs.Mailer{byServer, jobs.Outbox{Folder: folder, From: "Shop <shop@example.com>", Now: clock.Now}} {
		s := storetest.Open(t, clock)
		load(t, s, reminded(1))
		if report := run(t, runner(t, s, jobs.Record{}, m), store.RemindersJob, due); report.Done != 1 {
			t.Fatalf("%T: %+v", m, report)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 || len(server.got) != 1 || server.from != "shop@example.com" {
		t.Fatalf("%v, %v, %d letters from %s", files, err, len(server.got), server.from)
	}
	kept, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, letter := range [][]byte{kept, server.got[0]} {
		m, err := mail.ReadMessage(bytes.NewReader(letter))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.Header.Get("Message-ID"))
		if m.Header.Get("To") != "<a1@example.com>" || !strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative") {
			t.Errorf("%v", m.Header)
		}
	}
	if ids[0] != ids[1] || !strings.HasSuffix(ids[0], "@example.com>") || !strings.HasSuffix(files[0], ".eml") {
		t.Errorf("the letter is called %v in %v", ids, files)
	}
}

func TestMailServersThatCannotBe(t *testing.T) {
	clock := storetest.NewClock()
	for _, address := range []string{"mail.example.com", "mail.example.com:smtp"} {
		if _, err := jobs.NewSMTP(address, "shop@example.com", "", "", clock.Now); err == nil {
			t.Errorf("%s was taken for a mail server", address)
		}
	}
	if _, err := jobs.NewSMTP("mail.example.com:587", "nobody", "", "", clock.Now); err == nil {
		t.Error("mail from nobody was taken")
	}
}

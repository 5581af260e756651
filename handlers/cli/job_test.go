package cli

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"stockroom/store"
	"stockroom/store/storetest"
)

const payments = "../../store/exchange/testdata/RecurringPayments.json"

// TestJob_PaymentsRunOnce checks that a second run of the payments job for the same day
// charges nothing.
func TestJob_PaymentsRunOnce(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone, "2 added", "expired receipts with a new expiry date: 1")
	run(t, "job", "payments", "-data", data, "-date", "2023-06-28", "-dry-run").want(t, exitDone, "account 123", "12.99", "1 due, total to charge 12.99")
	for _, want := range []string{"(this run: 1 done, total 12.99)\n", "(this run: 0 done, total 0)\n"} {
		got := run(t, "job", "payments", "-data", data, "-date", "2023-06-28", "-rate", "10", "-payments", "record")
		got.want(t, exitDone, "payments of 2023-06-28: 1 done, 0 declined, 0 failed, 0 unknown; total 12.99 "+want)
		if strings.Contains(got.stdout, "emails") {
			t.Errorf("got %s, want no line about emails, because the outbox is empty", got.stdout)
		}
	}
	run(t, "job", "payments", "-data", data, "-date", "2026-11-28", "-rehearse").want(t, exitDone, "account 123", "1 due") // 28 November is the next day with due payments
	run(t, "job", "payments", "-data", data).want(t, exitDone, "0 done")
}

// TestJob_PaymentsNeedChosenService checks that the payments job charges nothing without a
// payment service in the settings, and then uses only this service.
func TestJob_PaymentsNeedChosenService(t *testing.T) {
	data := t.TempDir()
	withKey := environment{stripeKey: "sk_test_1"}
	job := []string{"job", "payments", "-data", data, "-date", "2023-06-28"}
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, job...).want(t, exitFailed, "No payments are charged", "-payments record")
	runWith(t, withKey, "", job...).want(t, exitFailed, "No payments are charged", "-payments stripe")
	run(t, append(job, "-payments", "cash")...).want(t, exitUsage, `invalid -payments "cash"`)
	run(t, append(job, "-payments", "stripe")...).want(t, exitUsage, stripeKey)
	runWith(t, withKey, "", append(job, "-payments", "record")...).want(t, exitUsage, stripeKey)
	run(t, append(job, "-dry-run")...).want(t, exitDone, "1 due, total to charge 12.99")
	run(t, append(job, "-payments", "record")...).want(t, exitDone, "1 done")
	run(t, job...).want(t, exitDone, "1 done")
	runWith(t, withKey, "", job...).want(t, exitFailed, "Record only", stripeKey)
	runWith(t, withKey, "", append(job, "-payments", "stripe")...).want(t, exitFailed, "Record only", stripeKey)
}

// TestJob_NoticesDryRunListsViews checks that a dry run of the notices lists the emails of
// saved views.
func TestJob_NoticesDryRunListsViews(t *testing.T) {
	folder := createBusiness(t, func(b *storetest.Business) {
		b.StoreManager.Email, b.View.Email = "ole@example.com", store.ViewDaily
	})
	run(t, "job", "notices", "-data", folder, "-dry-run").want(t, exitDone, "ole/v1", "Open, unless the list is empty")
}

// TestJob_DeliversOutbox queues a reminder without a mail server. The next run with a mail
// server must send it.
func TestJob_DeliversOutbox(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, "job", "reminders", "-data", data, "-date", "2023-06-21").want(t, exitDone, "1 done", "emails: kept in the outbox, because -smtp is not set")
	run(t, "job", "emails", "-data", data).want(t, exitUsage, "-smtp")
	run(t, "job", "emails", "-data", data, "-smtp", "127.0.0.1:1").want(t, exitFailed, "emails not delivered")
	server := &mailServer{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := smtp.NewServer(server)
	go func() { _ = serving.Serve(listener) }() // returns when the test closes the server
	defer serving.Close()
	run(t, "job", "emails", "-data", data, "-smtp", listener.Addr().String()).want(t, exitDone, "emails: 1 sent, 0 queued again, 0 failed, 0 unconfirmed")
	run(t, "job", "payments", "-data", data, "-date", "2023-06-21", "-payments", "record", "-smtp", listener.Addr().String()).want(t, exitDone, "emails: 0 sent")
	if !strings.Contains(server.message.String(), "28 Jun 2023") {
		t.Errorf("got message %s, want the date of the payment", server.message.String())
	}
}

// mailServer is a mail server that stores the text of all messages.
type mailServer struct{ message strings.Builder }

func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return m, nil }
func (*mailServer) Reset()                                        {}
func (*mailServer) Logout() error                                 { return nil }
func (*mailServer) Mail(string, *smtp.MailOptions) error          { return nil }
func (*mailServer) Rcpt(string, *smtp.RcptOptions) error          { return nil }

func (m *mailServer) Data(r io.Reader) error {
	_, err := io.Copy(&m.message, r)
	return err
}

func TestJob_RejectsInvalidFlags(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, "job", "payments", "-data", data, "-date", "soon").want(t, exitUsage, "-date")
	run(t, "job", "payments", "-data", data, "-rate", "-1").want(t, exitUsage, "-rate")
	run(t, "job", "payments", "-data", data, "-workers", "0").want(t, exitUsage, "-workers")
	run(t, "job", "payments", "-data", data, "-workers", "101").want(t, exitUsage, "-workers")
	run(t, "job", "payments", "-data", data, "-date", "2999-01-01").want(t, exitFailed, "in the future")
	run(t, "job", "reminders", "-data", data, "-smtp", "mail").want(t, exitUsage, "-smtp")
	run(t, "job", "lunch", "-data", data).want(t, exitUsage, "job lunch")
}

// TestJob_DryRunTotal makes a dry run with a late payment that the run would skip, and a
// payment whose attempt it would look up. The total must not include these payments.
func TestJob_DryRunTotal(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		settings, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.LatePayments = store.LateSkip
		if err := s.SaveSettings(t.Context(), settings, "admin"); err != nil {
			t.Fatal(err)
		}
		day := clock.Now().Truncate(24*time.Hour).AddDate(0, 0, -20)
		sub := &store.Subscription{
			ID: "late", AccountID: "a1", SKU: "PLAN", Status: store.SubscriptionActive, PaymentDay: day.Day(), PaymentAmount: store.MinorUnits(500),
			NextPaymentDate: day, NextAttemptDate: day, NextReminderDate: day, Version: 1,
		}
		pending := *sub
		pending.ID, pending.PendingAttempt = "pending", store.PaymentAttempt{Key: "k", Amount: store.MinorUnits(700), At: day}
		if loaded, err := s.Load(t.Context(), []store.Entity{sub, &pending}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		var out bytes.Buffer
		c := &call{stdout: &out}
		if err := c.previewJob(t.Context(), s, store.PaymentsJob, day); err != nil || !strings.Contains(out.String(), "2 due, 1 skipped, 1 to look up, total to charge 0;") {
			t.Errorf("got %q, %v; want a total of 0", out.String(), err)
		}
	})
}

package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"stockroom/store"
	"stockroom/store/storetest"
)

// long makes TestJobs_Killed use many payments, which takes some minutes.
var long = flag.Bool("long", false, "kill the program 20 times while it charges 5,000 payments")

// clockVariable is the environment variable that sets the clock of a child process. Its
// value is the duration by which that clock is ahead of the clock of the tests.
const clockVariable = "CLI_TEST_CLOCK"

// childClock returns the clock of a child process.
func childClock() *storetest.Clock {
	ahead, err := time.ParseDuration(os.Getenv(clockVariable))
	if err != nil {
		return clock
	}
	return clockAhead(ahead)
}

// clockAhead returns a clock that is ahead of the clock of the tests.
func clockAhead(d time.Duration) *storetest.Clock {
	c := storetest.NewClock()
	c.Advance(d)
	return c
}

// killPoint is a point at which TestJobs_Killed kills the program.
type killPoint int

const (
	killBeforeCharge   killPoint = iota // Stripe has received a request to charge, but has not charged yet
	killAfterCharge                     // Stripe has charged, but not answered
	killBeforeDelivery                  // the mail server has received a message, but not accepted it
	killAfterDelivery                   // the mail server has accepted a message, but not answered
	killAfterAnswer                     // the mail server has answered, and the program is storing the answer
	killPoints
)

// outside simulates Stripe and a mail server. It kills the program at a killPoint.
type outside struct {
	mu         sync.Mutex
	charges    map[string]int  // number of charges by subscription
	answers    map[string]bool // idempotency keys of the requests that Stripe has processed
	deliveries map[string]int  // number of accepted messages by Message-ID
	unanswered []string        // Message-IDs of accepted messages for which the program got no response
	round
}

// round is one execution of the program, from its start to the kill.
type round struct {
	point     killPoint
	remaining int           // number of times that the program still reaches the killPoint, including the kill
	charging  int           // number of requests that Stripe still answers; others wait until the kill
	accepting int           // number of messages that the mail server still accepts; others wait until the kill
	kill      func()        // kills the program; nil in a round without a kill
	over      chan struct{} // closed when the program is dead
}

// begin decrements a quota, and reports whether the caller may continue. If the quota is
// used up, it waits until the program is dead and returns false. It also returns false if
// it kills the program at this point. In a round without a kill, it only returns true.
func (o *outside) begin(quota *int, point killPoint) bool {
	o.mu.Lock()
	over := o.over
	if o.kill == nil {
		o.mu.Unlock()
		return true
	}
	*quota--
	waits := *quota < 0
	o.mu.Unlock()
	if waits {
		<-over
		return false
	}
	return !o.reach(point)
}

// reach counts the calls with the killPoint of the round. At the call at which the
// field remaining becomes 0, it kills the program and returns true. At killAfterAnswer,
// it kills the program up to 3 milliseconds later and returns false.
func (o *outside) reach(point killPoint) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.point != point || o.kill == nil {
		return false
	}
	if o.remaining--; o.remaining != 0 {
		return false
	}
	if point == killAfterAnswer {
		time.AfterFunc(time.Duration(rand.N(3000))*time.Microsecond, o.kill)
		return false
	}
	o.kill()
	return true
}

// declines reports whether Stripe declines the payment of a subscription. It declines
// one in ten.
func declines(id string) bool { return strings.HasSuffix(id, "0") }

// ServeHTTP answers requests like Stripe.
func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet { // the program looks for an earlier attempt to charge
		fmt.Fprint(w, `{"object":"search_result","data":[],"has_more":false}`)
		return
	}
	key, description := r.Header.Get("Idempotency-Key"), r.FormValue("description")
	id, _, _ := strings.Cut(strings.TrimPrefix(description, "Subscription "), ",")
	if !o.begin(&o.charging, killBeforeCharge) {
		return
	}
	status, answer := http.StatusOK, fmt.Sprintf(`{"id":"pi_%s","object":"payment_intent","status":"succeeded"}`, id)
	if declines(id) {
		status, answer = http.StatusPaymentRequired, `{"error":{"type":"card_error","code":"card_declined","message":"Your card was declined."}}`
	}
	o.mu.Lock()
	if !o.answers[key] && !declines(id) {
		o.charges[id]++
	}
	o.answers[key] = true
	o.mu.Unlock()
	o.reach(killAfterCharge)
	w.WriteHeader(status)
	fmt.Fprint(w, answer)
}

// mailSession is one connection to the mail server.
type mailSession struct{ *outside }

func (o *outside) NewSession(*smtp.Conn) (smtp.Session, error) { return mailSession{o}, nil }
func (mailSession) Reset()                                     {}
func (mailSession) Logout() error                              { return nil }
func (mailSession) Mail(string, *smtp.MailOptions) error       { return nil }
func (mailSession) Rcpt(string, *smtp.RcptOptions) error       { return nil }

func (o mailSession) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := mail.ReadMessage(bytes.NewReader(body))
	if err != nil {
		return err
	}
	if !o.begin(&o.accepting, killBeforeDelivery) {
		return &smtp.SMTPError{Code: 451, Message: "not accepted"} // not seen by the program, which was killed
	}
	id := m.Header.Get("Message-ID")
	o.mu.Lock()
	o.deliveries[id]++
	o.mu.Unlock()
	if o.reach(killAfterDelivery) {
		o.mu.Lock()
		o.unanswered = append(o.unanswered, id)
		o.mu.Unlock()
	}
	o.reach(killAfterAnswer)
	return nil
}

// startOutside starts Stripe and the mail server, and returns the flags that contain
// their addresses.
func startOutside(t *testing.T) (*outside, []string) {
	t.Helper()
	o := &outside{charges: map[string]int{}, answers: map[string]bool{}, deliveries: map[string]int{}}
	stripe := httptest.NewServer(o)
	t.Cleanup(stripe.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving := smtp.NewServer(o)
	serving.ErrorLog = log.New(io.Discard, "", 0) // ignore errors of connections that killed programs reset
	go func() { _ = serving.Serve(listener) }()   // returns when the server is closed
	t.Cleanup(func() { serving.Close() })
	return o, []string{"-smtp", listener.Addr().String(), "-stripe-url", stripe.URL}
}

// dueToday creates a store in a folder. The payments of n subscriptions and the
// reminders of n others are due today. The scheduler is on.
func dueToday(t *testing.T, folder string, n int) {
	t.Helper()
	db := storetest.EmbeddedAt(t, folder, clock)
	s := storetest.OpenTable(t, db, "OnlineShop", clock)
	loadDue(t, s, n)
	if err := errors.Join(s.As(administrator).SetScheduler(t.Context(), true), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// loadDue loads n subscriptions with a payment that is due today, and n with a reminder
// that is due today. The settings let Stripe charge the payments.
func loadDue(t *testing.T, s *store.Store, n int) {
	t.Helper()
	today := storetest.Now.Truncate(24 * time.Hour)
	all := make([]store.Entity, 0, 4*n)
	for i := range 2 * n {
		sub := &store.Subscription{
			ID: fmt.Sprintf("s%05d", i), AccountID: fmt.Sprintf("a%05d", i), SKU: "PLAN", PlanName: "Tea every month", Email: fmt.Sprintf("a%d@example.com", i),
			Status: store.SubscriptionActive, PaymentDay: today.Day(), PaymentAmount: store.MinorUnits(int64(500 + i%100)),
			NextPaymentDate: today, NextAttemptDate: today, NextReminderDate: today.AddDate(0, 0, 23), Created: storetest.Now,
			PaymentDetails: store.PaymentDetails{Card: "1234", Customer: "cus_1", Method: "pm_1"}, Version: 1,
		}
		if i >= n {
			sub.PaymentDay, sub.NextPaymentDate = today.Day()+7, today.AddDate(0, 0, 7)
			sub.NextAttemptDate, sub.NextReminderDate = sub.NextPaymentDate, today
		}
		all = append(all, &store.Customer{ID: sub.AccountID, Name: "Customer " + sub.AccountID, Email: sub.Email, Created: storetest.Now, Version: 1}, sub)
	}
	loaded, err := s.Load(t.Context(), all, store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	if err := s.StatePayments(t.Context(), store.ServiceStripe); err != nil {
		t.Fatal(err)
	}
}

// runUntilKilled runs the program in a separate process until o kills it.
func (o *outside) runUntilKilled(t *testing.T, r round, ahead time.Duration, args []string) {
	t.Helper()
	var output bytes.Buffer
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), serveVariable+"="+strings.Join(args, " "), stripeKey+"=sk_test_1", clockVariable+"="+ahead.String())
	c.Stderr = &output
	r.over = make(chan struct{})
	r.kill = func() { _ = c.Process.Kill() }
	o.mu.Lock()
	o.round = r
	err := c.Start()
	o.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	timeout := time.AfterFunc(time.Minute, r.kill)
	err = c.Wait()
	close(r.over)
	o.mu.Lock()
	o.kill = nil
	remaining := o.remaining
	o.mu.Unlock()
	if !timeout.Stop() || remaining > 0 || !strings.Contains(c.ProcessState.String(), "killed") {
		t.Fatalf("%v: ended (%v) before point %d, with %d remaining\n%s", args, err, r.point, remaining, output.String())
	}
}

var administrator = &store.User{Name: "admin", Role: store.Admin}

// TestJobs_Killed runs the program with due payments and reminders. It kills the program
// (SIGKILL) many times, while Stripe charges a payment or while the mail server accepts
// an email. Stripe declines one payment in ten.
//
// At the end, each paid subscription must have one charge and one receipt. Each reminder
// and each declined payment must have one email, delivered at most once. If an attempt
// to send an email was interrupted, the email is unconfirmed. A user then sends it
// again, with the same Message-ID.
func TestJobs_Killed(t *testing.T) {
	t.Parallel()
	due, kills := 100, int(killPoints)
	if *long {
		due, kills = 5_000, 20
	}
	folder := t.TempDir()
	dueToday(t, folder, due)
	o, flags := startOutside(t)
	flags = append(flags, "-data", folder)
	var ahead time.Duration
	for n := range kills {
		ahead += 5 * time.Minute // let the leases of the killed program expire
		r := round{point: killPoint(n % int(killPoints)), charging: due / kills, accepting: due / kills}
		r.remaining = 1 + rand.N(due/kills)
		args := append([]string{"serve", "-addr", "127.0.0.1:0"}, flags...)
		if n%2 == 1 && r.point <= killAfterCharge {
			args = append([]string{"job", "payments"}, flags...)
		}
		o.runUntilKilled(t, r, ahead, args)
	}
	t.Logf("killed %d times: %d payments charged, %d emails delivered so far", kills, len(o.charges), len(o.deliveries))
	later := clockAhead(ahead)
	finishJobs(t, flags, later)

	db := storetest.EmbeddedAt(t, folder, later)
	s := storetest.OpenTable(t, db, "OnlineShop", later)
	unconfirmed := o.wantOnce(t, s, due, kills*4) // kills*4, because the program sends emails over four connections
	for _, e := range unconfirmed {
		if err := s.As(administrator).SendEmailAgain(t.Context(), store.EmailForm{ID: e.ID, Version: e.Version, Token: s.NewToken()}); err != nil {
			t.Fatal(err)
		}
	}
	before := maps.Clone(o.deliveries)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	finishJobs(t, flags, later)
	for _, e := range unconfirmed {
		if id := messageID(&e); o.deliveries[id] != before[id]+1 {
			t.Errorf("%s: sent again: got %d deliveries, want %d", id, o.deliveries[id], before[id]+1)
		}
	}
	run(t, "check", "-business", "-data", folder).want(t, exitDone)
}

// finishJobs runs the payments job until no work is left.
func finishJobs(t *testing.T, flags []string, later *storetest.Clock) {
	t.Helper()
	env := environment{stripeKey: "sk_test_1"}
	for n := 0; ; n++ {
		later.Advance(5 * time.Minute)
		var output bytes.Buffer
		code := Main(t.Context(), append([]string{"job", "payments"}, flags...), env.get, later.Now, strings.NewReader(""), &output, &output)
		if code == exitDone {
			return
		}
		if n == 5 {
			t.Fatalf("got exit code %d after %d runs:\n%s", code, n, output.String())
		}
	}
}

func messageID(e *store.Email) string { return "<" + e.MessageID() + "@localhost>" }

// wantOnce checks the charges, the receipts and the emails of all subscriptions. It
// returns the unconfirmed emails.
func (o *outside) wantOnce(t *testing.T, s *store.Store, due, maxUnconfirmed int) (unconfirmed []store.Email) {
	t.Helper()
	statuses := map[string]store.EmailStatus{}
	for i := range 2 * due {
		id, account := fmt.Sprintf("s%05d", i), fmt.Sprintf("a%05d", i)
		paid, kinds := 1, []store.EmailKind(nil)
		switch {
		case i >= due:
			paid, kinds = 0, []store.EmailKind{store.EmailReminder}
		case declines(id):
			paid, kinds = 0, []store.EmailKind{store.EmailDeclined}
		}
		receipts, err := s.As(administrator).ReceiptsOfAccount(t.Context(), account, store.Page{Limit: 10})
		if err != nil || len(receipts.Rows) != paid || o.charges[id] != paid {
			t.Errorf("%s: got %d receipts and %d charges, %v; want %d", id, len(receipts.Rows), o.charges[id], err, paid)
		}
		emails, err := s.As(administrator).EmailsOfCustomer(t.Context(), account, store.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []store.EmailKind
		for _, e := range emails.Rows {
			got = append(got, e.Kind)
			statuses[messageID(&e)] = e.Status
			n := o.deliveries[messageID(&e)]
			switch e.Status {
			case store.EmailSent:
				if n != 1 {
					t.Errorf("%s: got %d deliveries of a sent email, want 1", e.ID, n)
				}
			case store.EmailUnconfirmed:
				unconfirmed = append(unconfirmed, e)
				if n > 1 {
					t.Errorf("%s: got %d deliveries of an unconfirmed email, want at most 1", e.ID, n)
				}
			default:
				t.Errorf("%s: got status %s, want it sent or unconfirmed", e.ID, e.Status)
			}
		}
		if !slices.Equal(got, kinds) {
			t.Errorf("%s: got emails %v, want %v", id, got, kinds)
		}
	}
	for id := range o.deliveries {
		if statuses[id] == "" {
			t.Errorf("%s was delivered, but is not in the outbox", id)
		}
	}
	for _, id := range o.unanswered {
		if statuses[id] != store.EmailUnconfirmed {
			t.Errorf("%s: got status %s, want it unconfirmed, because the program did not get the answer", id, statuses[id])
		}
	}
	if len(o.unanswered) == 0 || len(unconfirmed) == 0 || len(unconfirmed) > maxUnconfirmed {
		t.Errorf("got %d unconfirmed emails, want 1 to %d", len(unconfirmed), maxUnconfirmed)
	}
	t.Logf("%d emails, of which %d are unconfirmed", len(statuses), len(unconfirmed))
	return unconfirmed
}

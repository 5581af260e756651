package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// due is the day that the jobs of these tests are run for: the clock's.
var due = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

func amount(text string) store.Amount {
	a, err := store.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

// subscription is number n of so many that are due, each of an account of its
// own.
func subscription(n int) *store.Subscription {
	return &store.Subscription{
		ID: fmt.Sprintf("s%05d", n), AccountID: fmt.Sprintf("a%05d", n), SKU: "PLAN", Email: fmt.Sprintf("a%d@example.com", n),
		Status: store.SubscriptionActive, PaymentDay: 21, PaymentAmount: store.MinorUnits(int64(500 + n%100)),
		NextPaymentDate: due, NextAttemptDate: due, NextReminderDate: due.AddDate(0, 0, 23),
		PaymentDetails: store.PaymentDetails{Card: "1234", Customer: "cus_1", Method: "pm_1"}, Version: 1,
	}
}

func load(t testing.TB, s *store.Store, subscriptions ...*store.Subscription) {
	t.Helper()
	entities := make([]store.Entity, len(subscriptions))
	for i := range subscriptions {
		entities[i] = subscriptions[i]
	}
	loaded, err := s.Load(t.Context(), entities, store.Loading{})
	if err != nil || len(loaded.Refused) > 0 {
		t.Fatal(err, loaded.Refused)
	}
}

func many(n int) []*store.Subscription {
	all := make([]*store.Subscription, n)
	for i := range all {
		all[i] = subscription(i)
	}
	return all
}

// bank is a payment processor that other processes ask as well. It knows every
// attempt by its key, and now and then it answers only after the client gave
// up.
type bank struct {
	*httptest.Server
	mu      sync.Mutex
	taken   map[string]int // payments by their key
	asked   int
	decline func(key string) bool
	late    int // every so many requests are answered late; 0 is none
}

func newBank(t testing.TB, late int) *bank {
	b := &bank{taken: map[string]int{}, late: late, decline: func(string) bool { return false }}
	b.Server = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(b.Close)
	return b
}

func (b *bank) serve(w http.ResponseWriter, r *http.Request) {
	key := r.FormValue("key")
	b.mu.Lock()
	b.asked++
	late := b.late > 0 && b.asked%b.late == 0
	declined := b.decline(key)
	_, found := b.taken[key]
	if r.Method == http.MethodPost && !found && !declined {
		b.taken[key] = 1
		found = true
	}
	b.mu.Unlock()
	if late {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * patience):
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]bool{"declined": declined, "found": found || declined}) // the client may be gone
}

// requests is how often the bank was asked.
func (b *bank) requests() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked
}

// payments is how many it took.
func (b *bank) payments() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.taken)
}

// patience is how long the jobs of these tests wait for the bank.
const patience = 300 * time.Millisecond

// teller asks the bank.
type teller struct{ address string }

func (t teller) Charge(ctx context.Context, c jobs.Charge) (jobs.Outcome, error) {
	o, _, err := t.ask(ctx, http.MethodPost, c)
	return o, err
}

func (t teller) Find(ctx context.Context, c jobs.Charge) (jobs.Outcome, bool, error) {
	return t.ask(ctx, http.MethodGet, c)
}

func (t teller) ask(ctx context.Context, method string, c jobs.Charge) (o jobs.Outcome, found bool, err error) {
	r, err := http.NewRequestWithContext(ctx, method, t.address+"?key="+url.QueryEscape(c.Key), http.NoBody)
	if err != nil {
		return o, false, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return o, false, err
	}
	var answer struct{ Declined, Found bool }
	err = errors.Join(json.NewDecoder(response.Body).Decode(&answer), response.Body.Close())
	return jobs.Outcome{Declined: answer.Declined, Why: "insufficient funds", Reference: "ref-" + c.Key}, answer.Found, err
}

// post keeps the letters that it is to send.
type post struct {
	mu      sync.Mutex
	letters []jobs.Letter
	refuse  func(jobs.Letter) error
}

func (p *post) Send(_ context.Context, l jobs.Letter) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse != nil {
		if err := p.refuse(l); err != nil {
			return err
		}
	}
	p.letters = append(p.letters, l)
	return nil
}

func runner(t testing.TB, s *store.Store, p jobs.Processor, m jobs.Mailer) *jobs.Runner {
	t.Helper()
	r := jobs.New(jobs.Config{Store: s, Processor: p, Mail: m, Log: slog.New(slog.DiscardHandler), Patience: patience})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func run(t testing.TB, r *jobs.Runner, job store.JobName, day time.Time) jobs.Report {
	t.Helper()
	report, err := r.Run(t.Context(), jobs.Order{Job: job, Date: day})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// admin may everything.
var admin = &store.User{Name: "admin", Role: store.Admin}

func one(t testing.TB, s *store.Store, like *store.Subscription) store.Subscription {
	t.Helper()
	found, err := s.As(admin).Subscription(t.Context(), like.AccountID, like.ID, like.SKU)
	if err != nil {
		t.Fatal(err)
	}
	return *found
}

func receipts(t testing.TB, s *store.Store, account string) []store.Receipt {
	t.Helper()
	found, err := s.As(admin).ReceiptsOfAccount(t.Context(), account, store.Page{Limit: store.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Rows
}

func events(t testing.TB, s *store.Store, account string) []string {
	t.Helper()
	found, err := s.As(admin).EventsOfAccount(t.Context(), account, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	whats := make([]string, len(found.Rows))
	for i := range found.Rows {
		whats[len(whats)-1-i] = found.Rows[i].What
	}
	return whats
}

// wantPaid holds every subscription to one receipt, one payment at the bank,
// one event, and dates that moved on once; and the totals to their sum.
func wantPaid(t *testing.T, s *store.Store, b *bank, all []*store.Subscription) {
	t.Helper()
	var sum store.Amount
	for _, was := range all {
		is, got, told := one(t, s, was), receipts(t, s, was.AccountID), events(t, s, was.AccountID)
		if len(got) != 1 || !got[0].DueDate.Equal(due) || got[0].ProcessedAmount.Compare(was.PaymentAmount) != 0 || len(told) != 1 || told[0] != "payment taken" {
			t.Fatalf("%s: receipts %+v, events %v", was.ID, got, told)
		}
		if want := due.AddDate(0, 1, 0); !is.NextPaymentDate.Equal(want) || !is.NextAttemptDate.Equal(want) || is.Asked != (store.Asked{}) || is.Status != store.SubscriptionActive {
			t.Fatalf("%s: %+v", was.ID, is)
		}
		sum = sum.Plus(was.PaymentAmount)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, was := range all {
		if b.taken[was.AttemptKey()] != 1 {
			t.Fatalf("%s: the bank took %d payments", was.ID, b.taken[was.AttemptKey()])
		}
	}
	if len(b.taken) != len(all) {
		t.Errorf("the bank took %d payments of %d subscriptions", len(b.taken), len(all))
	}
	totals, err := s.As(admin).Totals(t.Context(), store.TotalPayments, store.DateRange{From: due.AddDate(0, 0, -1), To: due.AddDate(0, 0, 2)})
	if err != nil || len(totals) != 1 || totals[0].Count != len(all) || totals[0].Amount.Compare(sum) != 0 {
		t.Errorf("totals of payments: %+v, %v; want %d, %s", totals, err, len(all), sum)
	}
	owed, err := s.As(admin).Totals(t.Context(), store.TotalDue, store.DateRange{From: due, To: due.AddDate(0, 2, 0)})
	if err != nil || len(owed) != 2 || owed[0].Count != 0 || owed[0].Amount.Sign() != 0 || owed[1].Count != len(all) || owed[1].Amount.Compare(sum) != 0 {
		t.Errorf("totals of what is due: %+v, %v", owed, err)
	}
}

func openStore(t testing.TB, db store.DB, clock *storetest.Clock) *store.Store {
	t.Helper()
	s := store.New(db, "OnlineShop", clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// results are what a day's runs did, or what of it somebody should look at.
func results(t testing.TB, s *store.Store, job store.JobName, day time.Time, failures bool) []store.JobResult {
	t.Helper()
	runs, err := s.As(admin).RunsOfDay(t.Context(), job, day)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.As(admin).JobResults(t.Context(), runs, failures, store.Page{Limit: store.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Rows
}

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
	"strconv"
	"sync"
	"testing"
	"time"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// due is the day for which the tests run jobs: today by the test clock.
var due = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

func amount(text string) store.Amount {
	a, err := store.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

// subscription returns subscription number n, with its own account and a payment due
// today.
func subscription(n int) *store.Subscription {
	return &store.Subscription{
		ID: fmt.Sprintf("s%05d", n), AccountID: fmt.Sprintf("a%05d", n), SKU: "PLAN", PlanName: "Tea every month", Email: fmt.Sprintf("a%d@example.com", n),
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
	loaded, err := s.Load(t.Context(), entities, store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

func many(n int) []*store.Subscription {
	all := make([]*store.Subscription, n)
	for i := range all {
		all[i] = subscription(i)
	}
	return all
}

// bank is a payment service that several processes can use over HTTP. It stores each
// charge by its key. Some responses arrive only after the client's timeout.
type bank struct {
	*httptest.Server
	mu      sync.Mutex
	charges map[string]int // number of charges by key
	calls   int
	decline func(key string) bool
	late    int // one in this many responses is late; 0 means that none is
}

func newBank(t testing.TB, late int) *bank {
	b := &bank{charges: map[string]int{}, late: late, decline: func(string) bool { return false }}
	b.Server = httptest.NewServer(http.HandlerFunc(b.serve))
	storetest.Cleanup(t, b.Close)
	return b
}

func (b *bank) serve(w http.ResponseWriter, r *http.Request) {
	key := r.FormValue("key")
	b.mu.Lock()
	b.calls++
	late := b.late > 0 && b.calls%b.late == 0
	declined := b.decline(key)
	_, found := b.charges[key]
	if r.Method == http.MethodPost && !found && !declined {
		b.charges[key] = 1
		found = true
	}
	b.mu.Unlock()
	if late {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * requestTimeout):
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]bool{"declined": declined, "found": found || declined}) // the client may have disconnected
}

func (b *bank) requests() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls
}

// payments returns the number of charges.
func (b *bank) payments() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.charges)
}

// requestTimeout is the timeout of requests to the bank in the crash tests. Late responses
// of the bank take longer.
const requestTimeout = time.Second

// bankClient is a processor that sends its charges to a bank.
type bankClient struct{ address string }

func (bankClient) Service() store.Service { return store.ServiceStripe }

func (bankClient) CheckAmount(store.Amount, string) error { return nil }

func (c bankClient) Charge(ctx context.Context, charge jobs.Charge) (jobs.Outcome, error) {
	o, _, err := c.request(ctx, http.MethodPost, charge)
	return o, err
}

func (c bankClient) Find(ctx context.Context, charge jobs.Charge) (jobs.Outcome, bool, error) {
	return c.request(ctx, http.MethodGet, charge)
}

func (c bankClient) request(ctx context.Context, method string, charge jobs.Charge) (o jobs.Outcome, found bool, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.address+"?key="+url.QueryEscape(charge.Key), http.NoBody)
	if err != nil {
		return o, false, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return o, false, err
	}
	var answer struct{ Declined, Found bool }
	err = errors.Join(json.NewDecoder(response.Body).Decode(&answer), response.Body.Close())
	return jobs.Outcome{Declined: answer.Declined, Reason: "insufficient funds", Reference: "ref-" + charge.Key}, answer.Found, err
}

// mailbox is a mail server that stores messages in memory.
type mailbox struct {
	mu       sync.Mutex
	messages []jobs.Message
	refuse   func(jobs.Message) error
	offline  bool
}

func (m *mailbox) Connect(context.Context) (jobs.MailConnection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.offline {
		return nil, errors.New("connection refused")
	}
	return m, nil
}

func (*mailbox) Close() error { return nil }

func (m *mailbox) Send(message jobs.Message) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != nil {
		if err := m.refuse(message); err != nil {
			return "", err
		}
	}
	m.messages = append(m.messages, message)
	return "250 OK", nil
}

// render returns a function that renders emails as the server does.
func render(s *store.Store) func(context.Context, *store.Email) (jobs.Message, error) {
	return handlers.RenderEmail(s, handlers.NewViewReader(s), "")
}

func statePayments(t testing.TB, s *store.Store, service store.Service) {
	t.Helper()
	if err := s.StatePayments(t.Context(), service); err != nil {
		t.Fatal(err)
	}
}

// runner returns a runner with processor p and mailer m. It also sets the payment service
// in the settings to the one of p.
func runner(t testing.TB, s *store.Store, p jobs.Processor, m jobs.Mailer) *jobs.Runner {
	t.Helper()
	statePayments(t, s, p.Service())
	r := jobs.New(jobs.Config{Store: s, Processor: p, Mail: m, Render: render(s), Log: slog.New(slog.DiscardHandler), RequestTimeout: time.Minute, PassPause: time.Millisecond})
	storetest.Cleanup(t, func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func run(t testing.TB, r *jobs.Runner, job store.JobName, day time.Time) jobs.Report {
	t.Helper()
	report, err := r.Run(t.Context(), jobs.RunRequest{Job: job, Date: day})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var admin = &store.User{Name: "admin", Role: store.Admin}

func get(t testing.TB, s *store.Store, sub *store.Subscription) store.Subscription {
	t.Helper()
	found, err := s.As(admin).Subscription(t.Context(), sub.AccountID, sub.ID, sub.SKU)
	if err != nil {
		t.Fatal(err)
	}
	return *found
}

func shardOf(t testing.TB, s *store.Store, sub *store.Subscription) int {
	t.Helper()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shard, err := strconv.Atoi(key.Shard(sub.ID, settings.Shards))
	if err != nil {
		t.Fatal(err)
	}
	return shard
}

func receipts(t testing.TB, s *store.Store, account string) []store.Receipt {
	t.Helper()
	found, err := s.As(admin).ReceiptsOfAccount(t.Context(), account, store.Page{Limit: store.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Rows
}

func events(t testing.TB, s *store.Store, account string) []store.EventCode {
	t.Helper()
	found, err := s.As(admin).EventsOfAccount(t.Context(), account, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]store.EventCode, len(found.Rows))
	for i := range found.Rows {
		codes[len(codes)-1-i] = found.Rows[i].What
	}
	return codes
}

// wantCounts fails the test unless the counts of a day's run have the given number of done
// subscriptions, and equal the sums of the results.
func wantCounts(t *testing.T, s *store.Store, job store.JobName, day time.Time, done int) {
	t.Helper()
	runs, err := s.As(admin).RunsOfDay(t.Context(), job, day)
	if err != nil {
		t.Fatal(err)
	}
	var counts, stored store.JobCounts
	for i := range runs {
		counts = counts.Plus(runs[i].JobCounts)
	}
	for result, err := range store.Each(func(p store.Page) (store.List[store.JobResult], error) {
		return s.As(admin).JobResults(t.Context(), runs, false, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		stored = stored.Plus(result.Counts())
	}
	if counts.Done != done || counts.Minus(stored) != (store.JobCounts{Amount: counts.Amount.Minus(stored.Amount)}) || counts.Amount.Compare(stored.Amount) != 0 {
		t.Errorf("got counts %+v, stored results %+v; want %d done in both", counts, stored, done)
	}
}

// wantPaid fails the test unless each subscription has one receipt, one charge and no
// event, and its next payment is a month later. It also checks the totals, and the counts
// of the run.
func wantPaid(t *testing.T, s *store.Store, b *bank, all []*store.Subscription) {
	t.Helper()
	wantCounts(t, s, store.PaymentsJob, due, len(all))
	var sum store.Sum
	for _, before := range all {
		after, got, codes := get(t, s, before), receipts(t, s, before.AccountID), events(t, s, before.AccountID)
		if len(got) != 1 || !got[0].DueDate.Equal(due) || got[0].ProcessedAmount.Compare(before.PaymentAmount) != 0 || len(codes) != 0 {
			t.Fatalf("%s: got receipts %+v, events %v; want one receipt and no event", before.ID, got, codes)
		}
		if want := due.AddDate(0, 1, 0); !after.NextPaymentDate.Equal(want) || !after.NextAttemptDate.Equal(want) || after.PendingAttempt != (store.PaymentAttempt{}) || after.Status != store.SubscriptionActive {
			t.Fatalf("%s: got %+v, want the next month", before.ID, after)
		}
		sum = sum.Plus(before.PaymentAmount.Sum())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, sub := range all {
		if b.charges[sub.AttemptKey()] != 1 {
			t.Fatalf("%s: got %d charges, want 1", sub.ID, b.charges[sub.AttemptKey()])
		}
	}
	if len(b.charges) != len(all) {
		t.Errorf("got %d charges, want one for each of %d subscriptions", len(b.charges), len(all))
	}
	totals, err := s.As(admin).Totals(t.Context(), store.TotalPayments, store.DateRange{From: due.AddDate(0, 0, -1), To: due.AddDate(0, 0, 2)})
	if err != nil || len(totals) != 1 || totals[0].Count != len(all) || totals[0].Amount.Compare(sum) != 0 {
		t.Errorf("payment totals: got %+v, %v; want %d, %s", totals, err, len(all), sum)
	}
	dueTotals, err := s.As(admin).Totals(t.Context(), store.TotalDue, store.DateRange{From: due, To: due.AddDate(0, 2, 0)})
	if err != nil || len(dueTotals) != 2 || dueTotals[0].Count != 0 || dueTotals[0].Amount.Sign() != 0 || dueTotals[1].Count != len(all) || dueTotals[1].Amount.Compare(sum) != 0 {
		t.Errorf("due totals: got %+v, %v; want none today and %d, %s a month later", dueTotals, err, len(all), sum)
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

// results returns the first MaxLimit results of a day's run. If the argument failures is
// true, it returns only those with a failure.
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

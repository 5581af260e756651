package jobs_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
	"stockroom/views"
)

// kindsOf returns the kinds of the emails to an account, oldest first.
func kindsOf(t testing.TB, s *store.Store, account string) []store.EmailKind {
	t.Helper()
	emails := emailsOf(t, s, account)
	kinds := make([]store.EmailKind, len(emails))
	for i := range emails {
		kinds[len(kinds)-1-i] = emails[i].Kind
	}
	return kinds
}

// dunningKinds are the emails about a payment of which all attempts are declined.
var dunningKinds = []store.EmailKind{store.EmailDeclined, store.EmailLastAttempt, store.EmailPaused}

// TestRun_QueuesDunningEmailsOnce checks that the first, third and fourth declined
// attempts of a payment queue one email each, even if each day is run twice. The second
// attempt must queue none.
func TestRun_QueuesDunningEmailsOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		sub, noAddress, paid := subscription(1), subscription(2), subscription(3)
		sub.PlanName, noAddress.Email = `Tea <b>"&amp;"</b><script>`, ""
		load(t, s, sub, noAddress, paid)
		b := newBank(t, 0)
		b.decline = func(key string) bool { return !strings.Contains(key, paid.ID) }
		box := &mailbox{}
		r := runner(t, s, bankClient{b.URL}, box)
		for i, want := range []struct {
			emails  int // total number of emails after this attempt
			subject string
			text    []string
			retry   int // day of the next attempt, counted from the due day
		}{
			{1, "Your payment of €5.01 was declined", []string{"We will try again on 22 Nov 2026."}, 1},
			{1, "", nil, 3},
			{2, "Last attempt to charge €5.01 on 28 Nov 2026", []string{"We will try for the last time on 28 Nov 2026."}, 7},
			{3, "Your subscription is paused", []string{"Your subscription is paused.", "contact us"}, 7},
		} {
			for range 2 {
				run(t, r, store.PaymentsJob, dayOf(clock))
			}
			if got := kindsOf(t, s, sub.AccountID); !slices.Equal(got, dunningKinds[:want.emails]) {
				t.Fatalf("after attempt %d: got emails %v, want %v", i+1, got, dunningKinds[:want.emails])
			}
			if want.subject != "" {
				deliver(t, r, jobs.Delivery{Sent: 1})
				wantDunningEmail(t, box.messages[want.emails-1], want.subject, want.text)
			}
			clock.Advance(due.AddDate(0, 0, want.retry).Sub(dayOf(clock)))
		}
		for _, other := range []*store.Subscription{noAddress, paid} {
			if got := kindsOf(t, s, other.AccountID); len(got) > 0 {
				t.Errorf("%s: got emails %v, want none", other.ID, got)
			}
		}
	})
}

// dayOf returns the calendar day of the test clock.
func dayOf(clock *storetest.Clock) time.Time { return clock.Now().Truncate(24 * time.Hour) }

// wantDunningEmail checks the content of an email about a declined payment. The name of the
// plan in the email contains HTML.
func wantDunningEmail(t *testing.T, m jobs.Message, subject string, texts []string) {
	t.Helper()
	if m.Subject != subject {
		t.Errorf("got subject %q, want %q", m.Subject, subject)
	}
	for _, want := range append(texts, "€5.01", "21 Nov 2026", "Subscription number: s00001") {
		if !strings.Contains(m.Text, want) || !strings.Contains(m.HTML, want) {
			t.Errorf("%s: got no %q, want it in\n%s\n%s", subject, want, m.Text, m.HTML)
		}
	}
	if !strings.Contains(m.Text, `Tea <b>"&amp;"</b><script>`) || !strings.Contains(m.HTML, `Tea &lt;b&gt;&#34;&amp;amp;&#34;&lt;/b&gt;&lt;script&gt;`) || strings.Contains(m.HTML, "<script") {
		t.Errorf("%s: got the name of the plan changed or not escaped, want it escaped in\n%s\n%s", subject, m.Text, m.HTML)
	}
	if strings.Contains(m.Subject+m.Text+m.HTML, "1234") {
		t.Errorf("%s: got digits of the card, want none in\n%s", subject, m.Text)
	}
}

// decliner is a payment service in memory that declines all charges.
type decliner struct{ bankClient }

func (decliner) Charge(_ context.Context, charge jobs.Charge) (jobs.Outcome, error) {
	return jobs.Outcome{Declined: true, Reason: "insufficient funds", Reference: "ref-" + charge.Key}, nil
}

func (d decliner) Find(ctx context.Context, charge jobs.Charge) (jobs.Outcome, bool, error) {
	outcome, err := d.Charge(ctx, charge)
	return outcome, true, err
}

// TestRun_QueuesDunningEmailsOnceOnUnreliableConnection declines all attempts. 10 %
// of the requests to the table are throttled or lose their response. Each attempt
// must queue its email exactly once.
func TestRun_QueuesDunningEmailsOnceOnUnreliableConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testDunningOnUnreliableConnection) // so that pauses between attempts take no time
}

func testDunningOnUnreliableConnection(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	reliable := openStore(t, db, clock)
	all := many(20)
	load(t, reliable, all...)
	connection := storetest.NewUnreliable(db, 10, 5)
	statePayments(t, reliable, store.ServiceStripe)
	r := jobs.New(jobs.Config{
		Store: store.New(connection, reliable.Table(), clock.Now), Processor: decliner{}, Mail: &mailbox{}, Render: render(reliable),
		Log: slog.New(slog.DiscardHandler), RequestTimeout: requestTimeout, PassPause: time.Millisecond,
	})
	for n := 0; !slices.Equal(kindsOf(t, reliable, all[len(all)-1].AccountID), dunningKinds) || !allPaused(t, reliable, all); n++ {
		if n == 100 {
			t.Fatal("got subscriptions that are not paused after 100 runs, want all paused")
		}
		for day := due; !day.After(dayOf(clock)); day = day.AddDate(0, 0, 1) {
			_, err := r.Run(t.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: day})
			if err != nil {
				t.Log(err)
			}
		}
		clock.Advance(12 * time.Hour)
	}
	if err := r.Close(); err != nil {
		t.Log(err)
	}
	if connection.Failed() == 0 {
		t.Error("got no failed requests, want some")
	}
	t.Logf("%d requests failed", connection.Failed())
	for _, sub := range all {
		if got := kindsOf(t, reliable, sub.AccountID); !slices.Equal(got, dunningKinds) {
			t.Errorf("%s: got emails %v, want %v", sub.ID, got, dunningKinds)
		}
		declined := 0
		for _, code := range events(t, reliable, sub.AccountID) {
			if code == store.EventPaymentDeclined || code == store.EventPaymentPaused {
				declined++
			}
		}
		if declined != 4 {
			t.Errorf("%s: got %d declines, want 4", sub.ID, declined)
		}
	}
}

func allPaused(t *testing.T, s *store.Store, all []*store.Subscription) bool {
	t.Helper()
	return !slices.ContainsFunc(all, func(sub *store.Subscription) bool { return get(t, s, sub).Status != store.SubscriptionPaused })
}

// TestRecordDecline_AnnouncesLastAttemptOnce declines the third attempt, and then another
// one before the day of the last attempt. Each decline is recorded twice. The customer
// must get one email that announces the last attempt.
func TestRecordDecline_AnnouncesLastAttemptOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		sub := subscription(1)
		sub.Status, sub.Attempt, sub.NextPaymentDate = store.SubscriptionPastDue, 2, due.AddDate(0, 0, -3)
		load(t, s, sub)
		for range 2 {
			before := get(t, s, sub)
			attempted, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, store.RunContext{})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, err := s.RecordDecline(t.Context(), attempted, "no funds", store.RunContext{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := kindsOf(t, s, sub.AccountID), []store.EmailKind{store.EmailLastAttempt}; !slices.Equal(got, want) {
			t.Errorf("got emails %v, want %v", got, want)
		}
		if after := get(t, s, sub); after.Attempt != 4 || !after.NextAttemptDate.Equal(due.AddDate(0, 0, 4)) {
			t.Errorf("got %+v, want 4 declined attempts and the last one in 4 days", after)
		}
	})
}

func TestRenderEmail_UsesFormatOfBusiness(t *testing.T) {
	e := &store.Email{Kind: store.EmailDeclined, Payment: store.EmailPayment{
		PlanName: "Tea", Amount: amount("1234.5"), Currency: "USD", Due: due, NextAttempt: due.AddDate(0, 0, 1),
	}}
	settings := store.Settings{Company: store.Company{Name: "Tea & Co"}}
	got, err := views.RenderEmail(t.Context(), settings, e, "", nil)
	if err != nil || !strings.Contains(got.Text, "$1,234.50") || !strings.Contains(got.Text, "Tea & Co") || !strings.Contains(got.HTML, "Tea &amp; Co") {
		t.Errorf("got %+v, %v, want the amount and the plan, escaped in HTML", got, err)
	}
}

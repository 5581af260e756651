package jobs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

func reminderDue(n int) *store.Subscription {
	s := subscription(n)
	s.PaymentDay, s.NextPaymentDate = 28, due.AddDate(0, 0, 7)
	s.NextAttemptDate, s.NextReminderDate = s.NextPaymentDate, due
	return s
}

func TestRun_QueuesRemindersOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first, noAddress := reminderDue(1), reminderDue(2)
		noAddress.Email = ""
		load(t, s, first, noAddress)
		box := &mailbox{}
		r := runner(t, s, jobs.Record{}, box)
		report := run(t, r, store.RemindersJob, due)
		if second := run(t, r, store.RemindersJob, due); second.JobCounts != report.JobCounts || report.Done != 1 || report.Failed != 1 {
			t.Errorf("got %+v, then %+v; want the same report twice, with 1 done and 1 failed", report, second)
		}
		deliver(t, r, jobs.Delivery{Sent: 1})
		deliver(t, r, jobs.Delivery{})
		if len(box.messages) != 1 {
			t.Fatalf("got %d messages, want 1", len(box.messages))
		}
		message := box.messages[0]
		for _, want := range []string{"€5.01", "28 Nov 2026", "ending in 1234", "subscription to Tea every month", "Subscription number: s00001"} {
			if !strings.Contains(message.Text, want) || !strings.Contains(message.HTML, want) {
				t.Errorf("got no %q, want it in\n%s\n%s", want, message.Text, message.HTML)
			}
		}
		after := get(t, s, first)
		if want := time.Date(2026, time.December, 21, 0, 0, 0, 0, time.UTC); !after.NextReminderDate.Equal(want) || !after.NextPaymentDate.Equal(first.NextPaymentDate) {
			t.Errorf("after the reminder: got %+v, want the next reminder on 2026-12-21 and the same payment date", after)
		}
		if failures := results(t, s, store.RemindersJob, due, true); len(failures) != 1 {
			t.Errorf("got failures %+v, want 1", failures)
		}
		if got := emailsOf(t, s, first.AccountID); len(got) != 1 || got[0].Status != store.EmailSent || got[0].Response != "250 OK" || got[0].To != first.Email {
			t.Errorf("got emails %+v, want one that is sent", got)
		}
		if got, want := events(t, s, first.AccountID), []store.EventCode{store.EventReminderCreated, store.EventEmailSent}; !slices.Equal(got, want) {
			t.Errorf("got events %v, want %v", got, want)
		}
	})
}

// TestRemind_QueuesOnce submits the same form for a reminder twice. Only one email must be
// queued for it.
func TestRemind_QueuesOnce(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	sub := reminderDue(1)
	load(t, s, sub)
	box := &mailbox{}
	r := runner(t, s, jobs.Record{}, nil)
	run(t, r, store.RemindersJob, due)
	f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: get(t, s, sub).Version, Token: s.NewToken()}
	support := &store.User{Name: "kim", Role: store.Support}
	for range 2 {
		if err := r.Remind(t.Context(), support, f); err != nil {
			t.Error(err)
		}
	}
	deliver(t, runner(t, s, jobs.Record{}, box), jobs.Delivery{Sent: 2})
	if len(box.messages) != 2 || box.messages[0].ID == box.messages[1].ID || box.messages[0].Text != box.messages[1].Text {
		t.Errorf("got messages %+v, want 2 with different IDs", box.messages)
	}
}

func TestNewSMTP_RejectsInvalidAddresses(t *testing.T) {
	clock := storetest.NewClock()
	for _, address := range []string{"mail.example.com", "mail.example.com:smtp"} {
		if _, err := jobs.NewSMTP(address, "shop@example.com", "", "", clock.Now); err == nil {
			t.Errorf("%s: got no error, want one", address)
		}
	}
	if _, err := jobs.NewSMTP("mail.example.com:587", "nobody", "", "", clock.Now); err == nil {
		t.Error("sender nobody: got no error, want one")
	}
}

package jobs_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// paymentServices lists cases in which the settings and the server have different payment
// services.
var paymentServices = map[string]struct {
	setting   store.Service
	processor jobs.Processor
}{
	"not stated, no key": {"", jobs.Record{}},
	"not stated, key":    {"", bankClient{}},
	"stripe, no key":     {store.ServiceStripe, jobs.Record{}},
	"record, key":        {store.ServiceRecord, bankClient{}},
}

// unstatedRunner is like runner, but sets no payment service in the settings.
func unstatedRunner(t *testing.T, s *store.Store, p jobs.Processor, m jobs.Mailer) *jobs.Runner {
	t.Helper()
	other := storetest.Open(t, storetest.NewClock())
	config := runner(t, other, p, m).Config
	config.Store = s
	return jobs.New(config)
}

func TestRun_RefusesOtherPaymentService(t *testing.T) {
	for name, tt := range paymentServices {
		t.Run(name, func(t *testing.T) {
			s := storetest.Open(t, storetest.NewClock())
			sub := subscription(1)
			sub.Status, sub.Attempt = store.SubscriptionPastDue, 1
			load(t, s, sub)
			if tt.setting != "" {
				statePayments(t, s, tt.setting)
			}
			r := unstatedRunner(t, s, tt.processor, &mailbox{})
			if _, err := r.Run(t.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: due}); store.KindOf(err) != store.Conflict {
				t.Errorf("run: got error %v, want Conflict", err)
			}
			form := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: 1, Token: s.NewToken()}
			if _, err := r.Retry(t.Context(), admin, form); store.KindOf(err) != store.Conflict {
				t.Errorf("retry: got error %v, want Conflict", err)
			}
			if after := get(t, s, sub); len(receipts(t, s, sub.AccountID)) > 0 || after.PendingAttempt.Key != "" {
				t.Errorf("got %+v, want no attempt and no receipt", after)
			}
		})
	}
}

// TestScheduler_LeavesPaymentsToMatchingServer runs the scheduler on two servers. Only the
// second one has the payment service in the settings, and may charge payments.
func TestScheduler_LeavesPaymentsToMatchingServer(t *testing.T) {
	for name, tt := range paymentServices {
		t.Run(name, func(t *testing.T) {
			clock := storetest.NewClock()
			s := storetest.Open(t, clock)
			sub, announced := subscription(1), subscription(2)
			announced.NextPaymentDate, announced.NextAttemptDate, announced.NextReminderDate = due.AddDate(0, 0, 7), due.AddDate(0, 0, 7), due
			load(t, s, sub, announced)
			if tt.setting != "" {
				statePayments(t, s, tt.setting)
			}
			if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			box := &mailbox{}
			if err := unstatedRunner(t, s, tt.processor, box).Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
			if err != nil || len(runs) != 0 || len(receipts(t, s, sub.AccountID)) > 0 || get(t, s, sub).PendingAttempt.Key != "" {
				t.Errorf("got %d shards of payment runs, error %v; want none and no payment", len(runs), err)
			}
			if got := emailsOf(t, s, announced.AccountID); len(got) != 1 {
				t.Errorf("got %d reminders, want 1", len(got))
			}
			clock.Advance(time.Minute)
			b := newBank(t, 0)
			processor := map[store.Service]jobs.Processor{"": jobs.Record{}, store.ServiceRecord: jobs.Record{}, store.ServiceStripe: bankClient{b.URL}}[tt.setting]
			matching := runner(t, s, processor, box)
			if err := matching.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			runs, err = s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
			if err != nil || len(runs) == 0 || runs[0].Service != processor.Service() || len(receipts(t, s, sub.AccountID)) != 1 {
				t.Errorf("matching server: got %d shards of runs, error %v; want runs by %s and one payment", len(runs), err, processor.Service())
			}
		})
	}
}

// TestStatePayments_FirstDecides sets the payment service twice. The second call must
// change nothing.
func TestStatePayments_FirstDecides(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		for _, service := range store.PaymentServices {
			if err := s.StatePayments(t.Context(), service); err != nil {
				t.Fatal(err)
			}
		}
		if settings, err := s.Settings(t.Context()); err != nil || settings.Payments != store.ServiceStripe {
			t.Errorf("got %q, error %v; want stripe, which was stated first", settings.Payments, err)
		}
		if err := s.StatePayments(t.Context(), "paypal"); store.KindOf(err) != store.Invalid {
			t.Errorf("unknown service: got %v, want Invalid", err)
		}
	})
}

// TestStatePayments_KeepsOff sets a payment service after an admin has turned
// payments off. Payments must stay off.
func TestStatePayments_KeepsOff(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		statePayments(t, s, store.ServiceRecord)
		settings, err := s.As(admin).CurrentSettings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Payments = store.ServiceOff
		if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		for _, service := range store.PaymentServices {
			if err := s.StatePayments(t.Context(), service); err != nil {
				t.Fatal(err)
			}
		}
		r := unstatedRunner(t, s, jobs.Record{}, &mailbox{})
		if err := r.CheckPayments(t.Context()); store.KindOf(err) != store.Conflict || !strings.Contains(err.Error(), "are off") {
			t.Errorf("got %v, want Conflict because payments are off", err)
		}
	})
}

// TestRun_LeavesAttemptsOfOtherService makes an attempt with Stripe whose outcome is
// unknown. While another payment service is set, a run must leave the outcome unknown. When
// the service is Stripe again, a run must find out the outcome.
func TestRun_LeavesAttemptsOfOtherService(t *testing.T) {
	for name, wait := range map[string]time.Duration{"repeat": time.Hour, "look up": 25 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := storetest.NewClock()
			s := storetest.Open(t, clock)
			sub := subscription(1)
			load(t, s, sub)
			use := func(service store.Service) {
				settings, err := s.As(admin).CurrentSettings(t.Context())
				settings.Payments = service
				if err != nil || s.SaveSettings(t.Context(), settings, admin.Name) != nil {
					t.Fatal("the settings were not saved")
				}
				clock.Advance(wait)
			}
			b := newBank(t, 0)
			stripe, record := runner(t, s, bankClient{"http://127.0.0.1:0"}, &mailbox{}), runner(t, s, jobs.Record{}, &mailbox{})
			if got := run(t, stripe, store.PaymentsJob, due); got.Unknown != 1 {
				t.Fatalf("without a response: got %+v, want 1 unknown", got)
			}
			use(store.ServiceRecord)
			got := run(t, record, store.PaymentsJob, due)
			failures := results(t, s, store.PaymentsJob, due, true)
			if got.Unknown != 1 || len(receipts(t, s, sub.AccountID)) > 0 || len(failures) != 1 || !strings.Contains(failures[0].Why, "Stripe") {
				t.Errorf("record: got %+v and failures %+v; want 1 unknown, made with Stripe, and no receipt", got, failures)
			}
			b.charges[sub.AttemptKey()] = 1
			use(store.ServiceStripe)
			if run(t, runner(t, s, bankClient{b.URL}, &mailbox{}), store.PaymentsJob, due); len(receipts(t, s, sub.AccountID)) != 1 || b.payments() != 1 {
				t.Errorf("stripe again: got %d receipts and %d charges, want 1 of each", len(receipts(t, s, sub.AccountID)), b.payments())
			}
		})
	}
}

func TestRun_StopsWhenPaymentServiceChanges(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	change := func(edit func(*store.Settings)) {
		settings, err := s.As(admin).CurrentSettings(t.Context())
		edit(&settings)
		if err = errors.Join(err, s.SaveSettings(t.Context(), settings, admin.Name)); err != nil {
			t.Error(err)
		}
	}
	change(func(settings *store.Settings) { settings.Shards, settings.ShardsRead = 1, 1 })
	load(t, s, many(150)...)
	b := newBank(t, 0)
	r := runner(t, s, bankClient{b.URL}, &mailbox{})
	b.decline = func(string) bool {
		if b.calls == 1 {
			change(func(settings *store.Settings) { settings.Payments = store.ServiceRecord })
		}
		return false
	}
	_, err := r.Run(t.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: due})
	if store.KindOf(err) != store.Conflict || b.payments() > 32 || !strings.Contains(err.Error(), "The run stopped because") {
		t.Errorf("got %d charges, error %v; want at most 32 charges and Conflict", b.payments(), err)
	}
}

package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestAccountAt_FromReceipts charges four payments in runs, which record receipts but no
// events of the account. It then reads the account as it was between the payments. If the
// receipt of a payment is missing, the state before the payment must be unknown.
func TestAccountAt_FromReceipts(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, clock *storetest.Clock) {
		s := store.New(db, name, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		sub := subscription(1)
		load(t, s, sub)
		b := newBank(t, 0)
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		var paid [4]time.Time
		dueDays := [5]time.Time{due, due.AddDate(0, 1, 0), due.AddDate(0, 2, 0), due.AddDate(0, 3, 0), due.AddDate(0, 4, 0)}
		for n := range paid {
			if n > 0 {
				clock.Advance(dueDays[n].Sub(dueDays[n-1]))
			}
			if report := run(t, r, store.PaymentsJob, dueDays[n]); report.Done != 1 {
				t.Fatalf("payment %d: got %+v, want 1 done", n, report)
			}
			paid[n] = clock.Now()
		}
		clock.Advance(time.Hour)
		account := s.As(admin)
		run(t, r, store.PaymentsJob, dueDays[3]) // charges nothing
		history, err := account.Events(t.Context(), store.EventFilter{About: "job#payments"}, store.Page{})
		if err != nil || len(history.Rows) != len(paid) || history.Rows[0].What != store.EventJobCharged || !strings.HasSuffix(history.Rows[0].Why, ": 1 done, 0 declined, "+sub.PaymentAmount.String()+" charged") {
			t.Errorf("got the history %+v, %v, want one event for each run that charged the payment", history.Rows, err)
		}
		expect := func(what string, after int, gap store.PastGap, since time.Time) {
			t.Helper()
			at := paid[after].Add(24 * time.Hour)
			past, err := account.AccountAt(t.Context(), sub.AccountID, at)
			switch {
			case err != nil:
				t.Errorf("%s, after payment %d: %v", what, after, err)
			case past.Gap != gap || !past.Since.Equal(since):
				t.Errorf("%s, after payment %d: got %+v, want the gap %q at %v", what, after, past.Past, gap, since)
			case gap == store.PastComplete && !past.Subscriptions[0].NextPaymentDate.Equal(dueDays[after+1]):
				t.Errorf("%s, after payment %d: got %+v, want the next payment on %v", what, after, past.Subscriptions[0], dueDays[after+1])
			case past.IsKnown() && (len(past.Later.Events) != 3-after || past.Later.Events[0].Sentence() != "Payment charged"):
				t.Errorf("%s, after payment %d: got later events %+v", what, after, past.Later.Events)
			}
		}
		for n := range 3 {
			expect("with all receipts", n, store.PastComplete, time.Time{})
		}
		deleteReceipt(t, db, name, sub, dueDays[2])
		expect("without a receipt in between", 0, store.PastExpired, paid[2].UTC().Truncate(time.Second))
		expect("without the latest receipt", 1, store.PastExpired, paid[2].UTC().Truncate(time.Second))
		expect("after the missing receipt", 2, store.PastComplete, time.Time{})
		deleteReceipt(t, db, name, sub, dueDays[3])
		expect("without the newest receipts", 2, store.PastExpired, paid[3].UTC().Truncate(time.Second))
		deleteReceipt(t, db, name, sub, dueDays[0])
		deleteReceipt(t, db, name, sub, dueDays[1])
		expect("without receipts", 2, store.PastExpired, paid[3].UTC().Truncate(time.Second))
	})
}

// TestAccountAt_ManyEvents makes more changes than the maximum number of events that
// AccountAt reads. The state before these changes must be reported as unknown.
func TestAccountAt_ManyEvents(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		sub := subscription(1)
		load(t, s, sub)
		run(t, runner(t, s, bankClient{newBank(t, 0).URL}, &mailbox{}), store.PaymentsJob, due)
		clock.Advance(time.Hour)
		at := clock.Now()
		for n := range store.MaxPastEvents + 1 {
			clock.Advance(time.Second)
			now := get(t, s, sub)
			form := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: now.Version, Token: s.NewToken()}
			if err := s.As(admin).ChangeSubscription(t.Context(), form, now.PaymentDay, store.MinorUnits(int64(1000+n))); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(time.Second)
		past, err := s.As(admin).AccountAt(t.Context(), sub.AccountID, at)
		oldest := at.Add(2 * time.Second).UTC().Truncate(time.Second) // time of the oldest event that is read
		if err != nil || past.Gap != store.PastTooMany || !past.Since.Equal(oldest) || !past.Later.Part {
			t.Errorf("got %+v, %v, want the gap %q at %v", past.Past, err, store.PastTooMany, oldest)
		}
	})
}

// TestAccountAt_ManyReceipts makes payments in three runs. AccountAt can read the receipts
// of one run, but not of two. The state after the first run must therefore be reported as
// unknown, and the state after the second run must be known.
func TestAccountAt_ManyReceipts(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(store.MaxPastEvents/2 + 10)
		for _, sub := range all {
			sub.AccountID = all[0].AccountID
		}
		load(t, s, all...)
		r := runner(t, s, bankClient{newBank(t, 0).URL}, &mailbox{})
		days := [3]time.Time{due, due.AddDate(0, 1, 0), due.AddDate(0, 2, 0)}
		var paid [3]time.Time
		for n, day := range days {
			if n > 0 {
				clock.Advance(day.Sub(days[n-1]))
			}
			run(t, r, store.PaymentsJob, day)
			paid[n] = clock.Now().UTC().Truncate(time.Second)
		}
		clock.Advance(time.Hour)
		for n, want := range []store.PastGap{store.PastTooMany, store.PastComplete} {
			past, err := s.As(admin).AccountAt(t.Context(), all[0].AccountID, paid[n].Add(24*time.Hour))
			switch {
			case err != nil:
				t.Fatal(err)
			case past.Gap != want || past.Later.Part != (want == store.PastTooMany):
				t.Errorf("after payment %d: got %q at %v, part %t, want %q", n, past.Gap, past.Since, past.Later.Part, want)
			case want == store.PastTooMany && !past.Since.Equal(paid[1]):
				t.Errorf("after payment %d: got a gap at %v, want %v", n, past.Since, paid[1])
			}
		}
	})
}

// TestOverwritten_ByPayment skips a payment, and charges the next payment in a run. This
// charge has a receipt but no event. After it, an undo of the skip must be neither offered
// nor accepted.
func TestOverwritten_ByPayment(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		sub := subscription(1)
		sub.NextPaymentDate, sub.NextAttemptDate = due.AddDate(0, 1, 0), due.AddDate(0, 1, 0)
		load(t, s, sub)
		form := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: get(t, s, sub).Version, Token: s.NewToken()}
		if err := s.As(admin).SkipPayment(t.Context(), form, "away"); err != nil {
			t.Fatal(err)
		}
		overwritten := func(at string) (paymentOfRun bool) {
			t.Helper()
			found, err := s.As(admin).EventsOfAccount(t.Context(), sub.AccountID, store.Page{})
			if err != nil || len(found.Rows) != 1 || found.Rows[0].What != store.EventPaymentSkipped {
				t.Fatalf("got %+v, %v, want the skip", found.Rows, err)
			}
			skip := found.Rows[0]
			plan, err := s.As(admin).PlanUndo(t.Context(), skip.Partition, skip.ID)
			if err != nil {
				t.Fatal(err)
			}
			all := []*store.Event{&skip}
			payments := store.PaymentEvents(receipts(t, s, sub.AccountID))
			for i := range payments {
				all = append(all, &payments[i])
			}
			later := store.Overwritten(all)[skip.ID]
			if (later != nil) != (plan.Refusal != "") {
				t.Errorf("%s: got the later event %v and the refusal %q, want both or none", at, later, plan.Refusal)
			}
			return later != nil && later.What == store.EventPaymentTaken
		}
		if overwritten("after the skip") {
			t.Error("got a payment after the skip, want none")
		}
		next := get(t, s, sub).NextPaymentDate
		clock.Advance(next.Sub(due))
		run(t, runner(t, s, bankClient{newBank(t, 0).URL}, &mailbox{}), store.PaymentsJob, next)
		if !overwritten("after the payment") {
			t.Error("got no payment after the skip, want that of the run")
		}
	})
}

// TestRun_ReceiptAddedDuringAttempt imports the receipts of three payments after their
// attempts were recorded. The first attempt has reached the processor, the second one has
// not, and the third one was declined. The run must look up the attempts and charge nothing.
// It must complete the first attempt without a second receipt, count it as paid, and write
// its reference to the history. The second attempt must end when the processor cannot
// receive it any more. The third payment must be skipped, without a retry and an email.
func TestRun_ReceiptAddedDuringAttempt(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(3)
		load(t, s, all...)
		b := newBank(t, 0)
		r := runner(t, s, bankClient{b.URL}, &mailbox{})
		charged, declined := all[0], all[2]
		for _, sub := range all {
			before := get(t, s, sub)
			if _, err := s.RecordAttempt(t.Context(), &before, store.ServiceStripe, store.RunContext{Job: store.PaymentsJob, Date: due}); err != nil {
				t.Fatal(err)
			}
			importReceipt(t, s, sub, clock.Now())
		}
		b.charges[charged.AttemptKey()] = 1
		b.decline = func(key string) bool { return key == declined.AttemptKey() }

		report := run(t, r, store.PaymentsJob, due)
		if report.Done != 2 || report.Amount.Compare(charged.PaymentAmount.Sum()) != 0 || report.Unknown != 1 || report.Declined != 0 || report.Failed != 0 {
			t.Errorf("got %+v; want one payment of %s, one skipped and one unknown", report, charged.PaymentAmount)
		}
		clock.Advance(store.AttemptKeyLifetime)
		report = run(t, r, store.PaymentsJob, due)
		if report.Unknown > 0 || report.Failed > 0 || report.Amount.Compare(charged.PaymentAmount.Sum()) != 0 {
			t.Errorf("a day later: got %+v, want known outcomes and %s", report, charged.PaymentAmount)
		}
		if b.payments() != 1 {
			t.Errorf("got %d charges, want only the first", b.payments())
		}
		for _, sub := range all {
			after := get(t, s, sub)
			if after.Status != store.SubscriptionActive || after.Attempt != 0 || after.PendingAttempt != (store.PaymentAttempt{}) || !after.NextPaymentDate.Equal(due.AddDate(0, 1, 0)) || len(receipts(t, s, sub.AccountID)) != 1 {
				t.Errorf("%s: got %+v, want no pending attempt, one receipt and the payment of the next month", sub.ID, after)
			}
		}
		if kinds := kindsOf(t, s, declined.AccountID); len(kinds) > 0 {
			t.Errorf("got the emails %v about the declined attempt, want none", kinds)
		}
		paid := results(t, s, store.PaymentsJob, due, false)[0]
		if paid.Outcome != store.OutcomePaid || paid.Amount.Compare(charged.PaymentAmount) != 0 || paid.Why == "" {
			t.Errorf("got result %+v, want %s paid, and that the payment had a receipt", paid, charged.PaymentAmount)
		}
		found, err := s.As(admin).EventsOfAccount(t.Context(), charged.AccountID, store.Page{})
		if err != nil || len(found.Rows) != 1 || found.Rows[0].What != store.EventPaymentTaken || !strings.Contains(found.Rows[0].Why, "ref-"+charged.AttemptKey()) {
			t.Errorf("got %+v, %v; want one event with the reference", found.Rows, err)
		}
	})
}

// importReceipt imports the receipt of the subscription's next payment.
func importReceipt(t *testing.T, s *store.Store, sub *store.Subscription, now time.Time) {
	t.Helper()
	receipt := &store.Receipt{
		AccountID: sub.AccountID, SubscriptionID: sub.ID, SKU: sub.SKU, DueDate: sub.NextPaymentDate, ProcessedDate: now, ProcessedAmount: sub.PaymentAmount,
		Expires: now.AddDate(1, 0, 0), Version: 1,
	}
	if loaded, err := s.Load(t.Context(), []store.Entity{receipt}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

func deleteReceipt(t *testing.T, db store.DB, name string, sub *store.Subscription, due time.Time) {
	t.Helper()
	deleteItem(t, db, name, "ACC#"+sub.AccountID, "REC#"+due.Format(time.DateOnly)+"#SKU#"+sub.SKU+"#SUB#"+sub.ID)
}

// deleteItem deletes an item of the table, as DynamoDB does after its TTL.
func deleteItem(t *testing.T, db store.DB, name, partition, sort string) {
	t.Helper()
	_, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Delete: &types.Delete{
		TableName:           &name,
		Key:                 store.Item{"PK": &types.AttributeValueMemberS{Value: partition}, "SK": &types.AttributeValueMemberS{Value: sort}},
		ConditionExpression: aws.String("attribute_exists(PK)"),
	}}}})
	if err != nil {
		t.Fatal(err)
	}
}

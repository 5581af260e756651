package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// setType changes the entity type of an item, which Stockroom itself never does.
func setType(t *testing.T, db store.DB, table string, e store.Entity, entityType string) {
	t.Helper()
	item, err := store.Encode(e, 1)
	if err != nil {
		t.Fatal(err)
	}
	expression := "SET EntityType = :type"
	_, err = db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &table, Key: store.Item{"PK": item["PK"], "SK": item["SK"]}, UpdateExpression: &expression,
		ExpressionAttributeValues: store.Item{":type": &types.AttributeValueMemberS{Value: entityType}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRun_ContinuesAfterUnreadableSubscriptions runs a day with two subscriptions that
// cannot be decoded. One has the payment day 0, and the other one an unknown entity type.
// The run must report both, and process all others.
func TestRun_ContinuesAfterUnreadableSubscriptions(t *testing.T) {
	for _, job := range []store.JobName{store.RemindersJob, store.PaymentsJob} {
		t.Run(string(job), func(t *testing.T) {
			storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
				s := store.New(db, table, clock.Now)
				if err := s.CreateTable(t.Context()); err != nil {
					t.Fatal(err)
				}
				setShards(t, s, 1)
				all := many(5)
				for _, sub := range all {
					sub.NextReminderDate = due
					if job == store.RemindersJob {
						sub.NextPaymentDate, sub.NextAttemptDate = due.AddDate(0, 0, 7), due.AddDate(0, 0, 7)
					}
				}
				all[1].PaymentDay = 0
				load(t, s, all...)
				setType(t, db, table, all[3], "unknown")
				r := runner(t, s, jobs.Record{}, &mailbox{})
				for range 2 {
					if got := run(t, r, job, due); got.Done != 3 || got.Failed != 2 {
						t.Errorf("got %+v, want 3 done and 2 failed", got)
					}
				}
				expectUnreadable(t, s, job, map[string]string{"a00001": "PaymentDay", "a00003": "entity type"})
				setType(t, db, table, all[3], "subscription")
				if got := run(t, r, job, due); got.Done != 4 || got.Failed != 1 {
					t.Errorf("after the repair: got %+v, want 4 done and 1 failed", got)
				}
				clock.Advance(time.Minute)
			})
		})
	}
}

// expectUnreadable checks the failures of a day's run. want contains, for each account, a
// part of the reason. Each reason must also contain the key of the item.
func expectUnreadable(t *testing.T, s *store.Store, job store.JobName, want map[string]string) {
	t.Helper()
	runs, err := s.As(admin).RunsOfDay(t.Context(), job, due)
	if err != nil || len(runs) != 1 || runs[0].State != store.JobIncomplete {
		t.Fatalf("got %+v, %v; want one shard with failures left", runs, err)
	}
	failures, err := s.As(admin).JobResults(t.Context(), runs, true, store.Page{})
	if err != nil || len(failures.Rows) != len(want) {
		t.Fatalf("got failures %+v, %v; want %v", failures.Rows, err, want)
	}
	for _, f := range failures.Rows {
		if f.Outcome != store.OutcomeFailed || !strings.Contains(f.Why, want[f.AccountID]) || !strings.Contains(f.Why, "ACC#"+f.AccountID+" / SUB#"+f.SubscriptionID) {
			t.Errorf("got %+v, want a failure whose reason has the key and %q", f, want[f.AccountID])
		}
	}
}

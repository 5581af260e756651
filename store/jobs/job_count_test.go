package jobs_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestRun_KeepsCounts checks that the counts of a run have no TTL, because they must not
// expire before the run.
func TestRun_KeepsCounts(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		setShards(t, s, 1)
		load(t, s, many(20)...)
		run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, due)
		found := 0
		err := s.Everything(t.Context(), func(page []store.Item) error {
			for _, item := range page {
				if pk := item["PK"].(*types.AttributeValueMemberS).Value; strings.HasPrefix(pk, "jobCount#") {
					found++
					if item["TTL"] != nil {
						t.Errorf("count %s: got a TTL, want none", pk)
					}
				}
			}
			return nil
		})
		if err != nil || found == 0 {
			t.Errorf("got %d counts, %v; want some", found, err)
		}
	})
}

// TestRun_KeepsOlderCounts stores counts with a TTL, as earlier versions of the program
// did. A run that adds to such counts must remove the TTL.
func TestRun_KeepsOlderCounts(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		setShards(t, s, 1)
		load(t, s, many(40)...)
		var older []store.Entity
		for slot := range 64 {
			older = append(older, &store.JobCount{Job: store.PaymentsJob, Date: due, Slot: slot, JobCounts: store.JobCounts{Done: 1}, Expires: due.AddDate(0, 3, 0), Version: 1})
		}
		if loaded, err := s.Load(t.Context(), older, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		run(t, runner(t, s, jobs.Record{}, &mailbox{}), store.PaymentsJob, due)
		raised, done := 0, 0
		err := s.Everything(t.Context(), func(page []store.Item) error {
			for _, item := range page {
				e, err := store.Decode(item)
				count, ok := e.(*store.JobCount)
				if err != nil || !ok {
					continue
				}
				done += count.Done
				if count.Version > 1 {
					raised++
					if !count.Expires.IsZero() {
						t.Errorf("slot %d: got a TTL, want none", count.Slot)
					}
				}
			}
			return nil
		})
		if err != nil || raised == 0 || done != 64+40 {
			t.Errorf("got %d counts increased, %d done, %v; want 104 done", raised, done, err)
		}
	})
}

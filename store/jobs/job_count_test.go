package jobs_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestRun_KeepsCounts fails if the counts of a run expire before the run.
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
						t.Errorf("count %s has a TTL", pk)
					}
				}
			}
			return nil
		})
		if err != nil || found == 0 {
			t.Errorf("got %d counts, %v", found, err)
		}
	})
}

package handlers

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// TestJobs_ShowBacklog checks that the page shows the first day whose payments were not
// charged, but no day before the scheduler was turned on, and only while the scheduler is
// on.
func TestJobs_ShowBacklog(t *testing.T) {
	day := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name      string
		since     time.Time
		scheduler int // number of days since the scheduler was turned on; 0 if it is off
		want      string
	}{
		{"behind", day.AddDate(0, 0, -4), 10, "17 Nov 2026"},
		{"turned on later", day.AddDate(0, 0, -4), 2, "19 Nov 2026"},
		{"up to date", day, 10, ""},
		{"scheduler off", day.AddDate(0, 0, -4), 0, ""},
		{"never run", time.Time{}, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var entities []store.Entity
			if !tt.since.IsZero() {
				entities = append(entities, &store.JobBacklog{Job: store.PaymentsJob, Since: tt.since, Version: 1})
			}
			b := open(t, entities...)
			if tt.scheduler > 0 {
				settings, err := b.store.Settings(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				settings.SchedulerSince = b.clock.Now().AddDate(0, 0, -tt.scheduler)
				if err := b.store.SaveSettings(t.Context(), settings, "test"); err != nil {
					t.Fatal(err)
				}
			}
			page := b.as(t, "viewer").get("/jobs").body
			_, fact, found := strings.Cut(page, "Payments not charged since")
			if found != (tt.want != "") || tt.want != "" && !strings.Contains(fact[:200], tt.want) {
				t.Errorf("got the fact %t %.200q, want %q", found, fact, tt.want)
			}
		})
	}
}

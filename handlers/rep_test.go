package handlers

import (
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
)

func TestReps_AreRankedBySales(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	page := browser.get("/reps").body
	if ranked := linked(page, "/employees/"); len(ranked) != 3 || !strings.Contains(page, "Account reps in Q4 2026") {
		t.Errorf("this quarter: got reps %v, want three", ranked)
	}
	if got := browser.get("/reps?period=soon"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "2026-Q4") {
		t.Errorf("invalid quarter: got status %d, want 422 and an example", got.status)
	}
	csv := browser.get("/reps.csv?period=2026-Q3").body
	lines := strings.Split(strings.TrimSpace(csv), "\r\n")
	want := 0
	for _, q := range b.shop.Quotas {
		if q.Period == (store.Quarter{Year: 2026, Number: 3}) {
			want++
		}
	}
	if lines[0] != "EmployeeID,Name,Period,OrderTotal,Orders,Target" || len(lines) != want+1 || want < 3 {
		t.Errorf("CSV: got %q, want %d rows", lines, want)
	}
}

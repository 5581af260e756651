package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestJobs_ShowWhyPaymentsDoNotStart selects a payment service in the settings, while
// the server uses another one. The pages of jobs must say so, and must have no button
// that starts the job.
func TestJobs_ShowWhyPaymentsDoNotStart(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	if page := admin.get("/jobs").body; !strings.Contains(page, "Recorded only, nobody is charged") || strings.Contains(page, "No payments are charged") {
		t.Error("record: got no service or an alert, want the service only")
	}
	form := url.Values{"currency": {"EUR"}, "timezone": {"UTC"}, "payments": {"stripe"}, "reminder": {"7"}, "receipt": {"183"}, "access": {"396"}, "idle": {"30"}, "life": {"12"}, "version": {"1"}, "once": {admin.token("/admin/settings")}}
	if got := admin.post("/admin/settings", form); got.status != http.StatusSeeOther {
		t.Fatalf("changing the settings: got status %d, want 303", got.status)
	}
	if page := admin.get("/jobs").body; !strings.Contains(page, "No payments are charged. The settings say Stripe") {
		t.Error("stripe: got no alert, want one")
	}
	for _, path := range []string{"/jobs/payments/2026-11-21", "/jobs/payments/2026-11-21/dry-run", "/due?span=behind"} {
		if page := admin.get(path).body; !strings.Contains(page, "No payments are charged. The settings say Stripe") || !strings.Contains(page, ">Open settings<") || strings.Contains(page, "tart payment run") {
			t.Errorf("%s: got no alert or a start button, want the alert only", path)
		}
	}
	start := url.Values{"once": {b.store.NewToken()}}
	if got := admin.post("/jobs/payments/2026-11-21/run", start); got.status != http.StatusConflict || !strings.Contains(got.body, "No payments are charged") || !strings.Contains(got.body, "Payments are not set up") {
		t.Errorf("run: got status %d, want 409 with the reason", got.status)
	}
}

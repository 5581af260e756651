package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store/jobs"
)

// pausedPayments is a payment service that answers only after resume is closed, so that a
// test can look at a running job.
type pausedPayments struct {
	jobs.Record
	resume <-chan struct{}
}

func (p pausedPayments) Charge(ctx context.Context, c jobs.Charge) (jobs.Outcome, error) {
	select {
	case <-p.resume:
		return p.Record.Charge(ctx, c)
	case <-ctx.Done():
		return jobs.Outcome{}, ctx.Err()
	}
}

// TestJobRun_DryRunThenRun checks the dry run of today's payments, and the page
// that shows the progress of the job.
func TestJobRun_DryRunThenRun(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			release := make(chan struct{})
			b := open(t, serveStore(t, shopStore(t), pausedPayments{resume: release}), sc)
			b.signIn("admin")
			b.visit("/due")
			b.wantText("PLAN", "c00", "Expected revenue")
			b.link("Dry run")
			b.wantText("No data was changed", "c00", "Payments to charge", "Amount", "€12.99", "Method")
			b.check("dry run", sc)
			b.button("Start payment run")
			b.waitFor(chromedp.Evaluate[bool](`document.querySelector("#progress").innerText.includes("0 of 1")`), "count of due payments")
			b.wantText("Running", "0 of 1")
			b.check("job run", sc)
			close(release)
			b.waitFor(chromedp.Evaluate[bool](`document.querySelector("#progress").innerText.includes("1 of 1")`), "end of the run")
			b.wantText("Done", "1 of 1", "c00", "Paid")
			b.visit("/accounts/c00")
			b.wantText("21 Dec 2026", "23 May 2027")
			b.visit("/jobs")
			b.button("Turn scheduler on")
			b.wantText("Scheduler turned on.")
		})
	}
}

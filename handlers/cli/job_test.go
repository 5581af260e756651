package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const payments = "../../store/exchange/testdata/RecurringPayments.json"

// TestJob_PaymentsRunOnce charges the payments of the published sample twice.
func TestJob_PaymentsRunOnce(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone, "2 added", "expired receipts kept with a new expiry: 1")
	run(t, "job", "payments", "-data", data, "-date", "2023-06-28", "-dry-run").want(t, exitDone, "account 123", "12.99", "1 due, total 12.99")
	for range 2 {
		run(t, "job", "payments", "-data", data, "-date", "2023-06-28", "-rate", "10").want(t, exitDone, "payments of 2023-06-28: 1 done, 0 declined, 0 failed; total 12.99")
	}
	run(t, "job", "payments", "-data", data, "-date", "2023-07-28", "-rehearse").want(t, exitDone, "account 123", "1 due")
	run(t, "job", "payments", "-data", data).want(t, exitDone, "0 done")
}

// TestJob_RemindersGoToOutbox runs without a mail server.
func TestJob_RemindersGoToOutbox(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, "job", "reminders", "-data", data, "-date", "2023-06-21").want(t, exitDone, "1 done")
	emails, err := filepath.Glob(filepath.Join(data, "outbox", "*.eml"))
	if err != nil || len(emails) != 1 {
		t.Fatalf("got emails %v, %v", emails, err)
	}
	email, err := os.ReadFile(emails[0])
	if err != nil || !strings.Contains(string(email), "28 June 2023") {
		t.Errorf("got error %v, email %s", err, email)
	}
}

func TestJob_RejectsInvalidFlags(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, "job", "payments", "-data", data, "-date", "soon").want(t, exitUsage, "-date")
	run(t, "job", "payments", "-data", data, "-rate", "-1").want(t, exitUsage, "-rate")
	run(t, "job", "payments", "-data", data, "-date", "2999-01-01").want(t, exitFailed, "in the future")
	run(t, "job", "reminders", "-data", data, "-smtp", "mail").want(t, exitUsage, "-smtp")
	run(t, "job", "lunch", "-data", data).want(t, exitUsage, "job lunch")
}

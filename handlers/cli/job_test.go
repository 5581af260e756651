package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const payments = "../../store/exchange/testdata/RecurringPayments.json"

// TestPaymentsOfTheSample imports the published sample and bills it, twice.
func TestPaymentsOfTheSample(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone, "2 added", "kept for another life from now on: 1")
	run(t, "job", "payments", "-data", data, "-date", "2023-06-28", "-rehearse").want(t, exitDone, "account 123", "12.99", "1 would be tried, 12.99 in all")
	for range 2 {
		run(t, "job", "payments", "-data", data, "-date", "2023-06-28", "-rate", "10").want(t, exitDone, "payments of 2023-06-28: 1 done, 0 declined, 0 failed; 12.99 in all")
	}
	run(t, "job", "payments", "-data", data, "-date", "2023-07-28", "-rehearse").want(t, exitDone, "account 123", "1 would be tried")
	run(t, "job", "payments", "-data", data).want(t, exitDone, "0 done")
}

// TestRemindersGoToTheOutbox runs the reminders without a mail server.
func TestRemindersGoToTheOutbox(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, "job", "reminders", "-data", data, "-date", "2023-06-21").want(t, exitDone, "1 done")
	letters, err := filepath.Glob(filepath.Join(data, "outbox", "*.eml"))
	if err != nil || len(letters) != 1 {
		t.Fatalf("%v, %v", letters, err)
	}
	letter, err := os.ReadFile(letters[0])
	if err != nil || !strings.Contains(string(letter), "28 June 2023") {
		t.Errorf("%v: %s", err, letter)
	}
}

func TestJobsThatCannotRun(t *testing.T) {
	data := t.TempDir()
	run(t, "import", "-data", data, payments).want(t, exitDone)
	run(t, "job", "payments", "-data", data, "-date", "soon").want(t, exitUsage, "-date")
	run(t, "job", "payments", "-data", data, "-rate", "-1").want(t, exitUsage, "-rate")
	run(t, "job", "payments", "-data", data, "-date", "2999-01-01").want(t, exitFailed, "yet to come")
	run(t, "job", "reminders", "-data", data, "-smtp", "mail").want(t, exitUsage, "-smtp")
	run(t, "job", "lunch", "-data", data).want(t, exitUsage, "job lunch")
}

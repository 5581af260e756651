package embedded

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestCommit_StopsWritesAfterUncertainSync reports failed commits to the engine. After a
// failure before the header was written, later writes must succeed. After a failure of
// the sync that follows, all writes must fail until the store is reopened, but reads must
// continue.
func TestCommit_StopsWritesAfterUncertainSync(t *testing.T) {
	dir := t.TempDir()
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	db, err := Open(dir, clock, Options{})
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("input/output error")
	// fail calls commitFailed in the commit goroutine, with the ID of the current
	// transaction minus behind.
	fail := func(behind int) (result error) {
		err := db.writeAlone(t.Context(), func(tx *writeTx) ([]mutation, error) {
			result = db.commitFailed(tx.bolt.ID()-behind, cause)
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	if err := fail(0); !errors.Is(err, cause) || errors.Is(err, ErrCommitUncertain) {
		t.Errorf("failure before the header: got %v, want %v without ErrCommitUncertain", err, cause)
	}
	if _, err := db.SweepExpired(t.Context(), 1); err != nil {
		t.Errorf("next write: %v", err)
	}
	if err := fail(1); !errors.Is(err, ErrCommitUncertain) || !errors.Is(err, cause) {
		t.Errorf("failure after the header: got %v, want ErrCommitUncertain and %v", err, cause)
	}
	if _, err := db.SweepExpired(t.Context(), 1); !errors.Is(err, ErrCommitUncertain) {
		t.Errorf("next write: got %v, want ErrCommitUncertain", err)
	}
	if _, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{Limit: aws.Int32(1)}); err != nil {
		t.Errorf("next read: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err = Open(dir, clock, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.SweepExpired(t.Context(), 1); err != nil {
		t.Errorf("write after reopening: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

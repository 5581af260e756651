package embedded

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A sync that fails after the header was written leaves it open whether that
// write is there. Nothing is written on top of that until the next opening,
// which decides; reading goes on.
func TestWritingStopsWhenTheLastWriteIsUnsure(t *testing.T) {
	dir := t.TempDir()
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	db, err := Open(dir, clock, Options{})
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("input/output error")
	// A commit fails where commits are made, so far behind the transaction that
	// is being made.
	fail := func(behind int) (answer error) {
		err := db.writeAlone(t.Context(), func(tx *writeTx) ([]mutation, error) {
			answer = db.commitFailed(tx.bolt.ID()-behind, cause)
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if err := fail(0); !errors.Is(err, cause) || errors.Is(err, ErrCommitUncertain) {
		t.Errorf("a write that did not reach the header: %v", err)
	}
	if _, err := db.SweepExpired(t.Context(), 1); err != nil {
		t.Errorf("the write after it: %v", err)
	}
	if err := fail(1); !errors.Is(err, ErrCommitUncertain) || !errors.Is(err, cause) {
		t.Errorf("a write that reached the header: %v", err)
	}
	if _, err := db.SweepExpired(t.Context(), 1); !errors.Is(err, ErrCommitUncertain) {
		t.Errorf("the write after it: %v", err)
	}
	if _, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{Limit: aws.Int32(1)}); err != nil {
		t.Errorf("the read after it: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err = Open(dir, clock, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.SweepExpired(t.Context(), 1); err != nil {
		t.Errorf("a write after opening again: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

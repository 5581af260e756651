package store

import (
	"context"
	"testing"
)

func TestItemLocks_WaitEnds(t *testing.T) {
	var locks itemLocks
	if err := locks.lock(t.Context(), "stock"); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := locks.lock(ended, "stock"); err == nil {
		t.Error("got a lock that another change holds")
	}
	if err := locks.lock(t.Context(), "other stock"); err != nil {
		t.Error(err)
	}
	locks.unlock("stock")
	if err := locks.lock(t.Context(), "stock"); err != nil {
		t.Error(err)
	}
	locks.unlock("stock")
	locks.unlock("other stock")
	if len(locks.locks) > 0 {
		t.Errorf("after the locks were released, got %d", len(locks.locks))
	}
}

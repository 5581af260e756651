package table

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestBackoff_Retry(t *testing.T) {
	errRetryable, errFinal := errors.New("retryable"), errors.New("final")
	for _, tt := range []struct {
		name   string
		errs   []error // the result of each call
		want   error
		wanted int // number of calls
	}{
		{"succeeds with the first try", []error{nil}, nil, 1},
		{"succeeds later", []error{errRetryable, errRetryable, nil}, nil, 3},
		{"final error", []error{errRetryable, errFinal, nil}, errFinal, 2},
		{"tries run out", []error{errRetryable, errRetryable, errRetryable, nil}, errRetryable, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			err := Backoff{Tries: 3, First: 2, Longest: 4}.Retry(t.Context(),
				func(err error) bool { return errors.Is(err, errRetryable) },
				func() error { calls++; return tt.errs[calls-1] })
			if !errors.Is(err, tt.want) || calls != tt.wanted {
				t.Errorf("got %v after %d calls, want %v after %d", err, calls, tt.want, tt.wanted)
			}
		})
	}
}

func TestBackoff_RetryStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	errRetryable := errors.New("retryable")
	err := Backoff{First: time.Hour, Longest: time.Hour}.Retry(ctx, func(error) bool { return true }, func() error {
		cancel()
		return errRetryable
	})
	if !errors.Is(err, errRetryable) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want both the last error and the context's", err)
	}
}

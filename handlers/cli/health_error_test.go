package cli

import (
	"errors"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

// TestNoAnswer_Network checks that the error for an unreachable host contains the cause.
func TestNoAnswer_Network(t *testing.T) {
	cause := &url.Error{Op: "Get", URL: "http://10.0.0.9:8080/readyz", Err: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.EHOSTUNREACH}}
	for err, want := range map[error]string{
		cause:                               "cannot reach 10.0.0.9:8080: dial tcp: no route to host",
		errors.New("malformed HTTP status"): "does not answer like a Stockroom server",
	} {
		if got := noAnswer("10.0.0.9:8080", err).Error(); !strings.Contains(got, want) {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}

package storetest

import (
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// StripeMock starts Stripe's mock server, which validates requests against the published
// API, and returns its URL. The mock server keeps no state: its answers are examples.
func StripeMock(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	program, err := exec.Command("go", "tool", "-n", "stripe-mock").Output() // its path in the build cache
	if err != nil {
		t.Fatalf("go tool -n stripe-mock: %v", err)
	}
	mock := exec.CommandContext(t.Context(), strings.TrimSpace(string(program)), "-http-addr", address)
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mock.Wait() }) // the test kills the mock at its end
	for try := 0; ; try++ {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close() // the mock is running, and the connection is no longer needed
			return "http://" + address
		}
		if try == 600 {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

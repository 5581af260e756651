package storetest

import (
	"context"
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
	program, err := exec.Command("go", "tool", "-n", "stripe-mock").Output() // prints the path of stripe-mock in the build cache
	if err != nil {
		t.Fatalf("go tool -n stripe-mock: %v", err)
	}
	for range 10 { // try again if another program uses the port first
		address := freeAddress(t)
		if startMock(t, strings.TrimSpace(string(program)), address) {
			return "http://" + address
		}
	}
	t.Fatal("stripe-mock does not start")
	return ""
}

// freeAddress returns an address on loopback that no program uses.
func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

// startMock starts the mock server and waits until it accepts connections. It returns
// false if the server ends, for example because the port is in use.
func startMock(t testing.TB, program, address string) bool {
	t.Helper()
	running, end := context.WithCancel(t.Context())
	mock := exec.CommandContext(t.Context(), program, "-http-addr", address)
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = mock.Wait() // the test kills the mock at its end
		end()
		close(ended)
	}()
	t.Cleanup(func() { <-ended })
	for running.Err() == nil {
		if connection, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			_ = connection.Close() // the mock is running, and the connection is no longer needed
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

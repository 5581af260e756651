package cli

import (
	"net"
	"strings"
	"testing"
)

// TestHealth_ServerOnLoopback checks that the command health succeeds while a server runs,
// and fails without one.
func TestHealth_ServerOnLoopback(t *testing.T) {
	t.Parallel()
	running := startServer(t, "-data", t.TempDir())
	addr := strings.TrimPrefix(running.match(t, addressLine), "http://")
	run(t, "health", "-addr", addr).want(t, exitDone, "ready")
	running.stop()
	run(t, "health", "-addr", addr).want(t, exitFailed, "connection refused")
	run(t, "health", "-addr", "nowhere").want(t, exitUsage, "missing port")
}

// TestHealth_ServerOnAllInterfaces checks that the command health reaches a server
// that listens on all interfaces.
func TestHealth_ServerOnAllInterfaces(t *testing.T) {
	t.Parallel()
	running := startServer(t, "-data", t.TempDir())
	_, port, err := net.SplitHostPort(strings.TrimPrefix(running.match(t, addressLine), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"", "0.0.0.0", "[::]"} {
		run(t, "health", "-addr", host+":"+port).want(t, exitDone, "ready")
	}
}

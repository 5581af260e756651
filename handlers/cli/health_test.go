package cli

import (
	"fmt"
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
	run(t, "health", "-addr", addr).want(t, exitFailed, "no server listens on "+addr+": start one with 'stockroom serve'")
	run(t, "health", "-addr", "nowhere").want(t, exitUsage, `invalid -addr "nowhere"`)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go func() {
		for {
			connection, err := other.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(connection, "220 mail.example.com")
			connection.Close()
		}
	}()
	addr = other.Addr().String()
	run(t, "health", "-addr", addr).want(t, exitFailed, "the program at "+addr+" does not answer like a Stockroom server")
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

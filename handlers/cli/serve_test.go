package cli

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/storetest"
)

// server is a running 'stockroom serve'.
type server struct {
	stdout, stderr buffer
	stop           func() int // ends it and returns the exit code
}

// startServer runs serve until the test ends, or stop is called.
func startServer(t *testing.T, args ...string) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &server{}
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), environment{}.get, clock.Now, strings.NewReader(""), &s.stdout, &s.stderr)
	}()
	ended, left := false, 0
	s.stop = func() int {
		cancel()
		if !ended {
			ended, left = true, <-code
		}
		return left
	}
	t.Cleanup(func() { s.stop() })
	for !strings.Contains(s.stdout.String(), "Stockroom is at") {
		select {
		case left = <-code:
			ended = true
			t.Fatalf("serve ended with %d: %s", left, s.stderr.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	return s
}

// said finds what a line of the greeting says.
func (s *server) said(t *testing.T, line string) string {
	t.Helper()
	found := regexp.MustCompile("(?m)^" + line + "$").FindStringSubmatch(s.stdout.String())
	if found == nil {
		t.Fatalf("no line %q in:\n%s", line, s.stdout.String())
	}
	return found[1]
}

const (
	addressLine  = `Stockroom is at (http://\S+)`
	passwordLine = `Log in as admin with the one-time password (\S+)`
	demoPassword = `Log in as admin with the password (\S+)`
)

// business opens what lies in a folder that nobody holds.
func business(t *testing.T, folder string) *store.Store {
	t.Helper()
	return store.New(storetest.EmbeddedAt(t, folder, clock), "OnlineShop", clock.Now)
}

func TestFirstStart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	first := startServer(t, "-data", folder)
	response, err := http.Get(first.said(t, addressLine) + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("/healthz answers %s", response.Status)
	}
	password := first.said(t, passwordLine)
	if code := first.stop(); code != exitDone {
		t.Errorf("stopped with %d: %s", code, first.stderr.String())
	}
	if strings.Contains(first.stderr.String(), password) {
		t.Error("the password is in the log")
	}
	again := startServer(t, "-data", folder)
	again.stop()
	if strings.Contains(again.stdout.String(), "password") {
		t.Errorf("the second start prints a password: %s", again.stdout.String())
	}
	s := business(t, folder)
	admin, err := s.Authenticate(t.Context(), "admin", password)
	if err != nil {
		t.Fatal(err)
	}
	if admin.Role != store.Admin || !admin.MustChange {
		t.Errorf("the first account is %+v", admin)
	}
	settings, err := s.Settings(t.Context())
	if err != nil || settings.Shards != 1 || settings.ShardsRead != 1 {
		t.Errorf("the first settings are %+v, %v", settings, err)
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := startServer(t, "-data", folder, "-demo")
	first.said(t, "(The demo business was loaded .*)")
	password := first.said(t, demoPassword)
	first.stop()
	again := startServer(t, "-data", folder, "-demo")
	again.said(t, "(The demo business was not loaded: the table OnlineShop holds a business already)")
	again.stop()
	s := business(t, folder)
	admin, err := s.Authenticate(t.Context(), "admin", password)
	if err != nil {
		t.Fatal(err)
	}
	if admin.MustChange {
		t.Error("the demo's password must be changed")
	}
	if there, err := s.HasBusiness(t.Context()); !there || err != nil {
		t.Errorf("the demo business is not there: %v", err)
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("a file where a folder is meant"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, embedded.FileName), bytes.Repeat([]byte("nothing of ours"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	held := t.TempDir()
	startServer(t, "-data", held)
	for _, tt := range []struct {
		name string
		args []string
		says []string
	}{
		{"port in use", []string{"-addr", taken.Addr().String(), "-data", t.TempDir()}, []string{taken.Addr().String() + " is in use", "-addr"}},
		{"port of the API in use", []string{"-addr", "127.0.0.1:0", "-dynamodb-addr", taken.Addr().String(), "-data", t.TempDir()}, []string{taken.Addr().String() + " is in use", "-dynamodb-addr"}},
		{"no address", []string{"-addr", "nowhere"}, []string{"cannot listen on nowhere", "-addr"}},
		{"folder held", []string{"-addr", "127.0.0.1:0", "-data", held}, []string{"in use by another process"}},
		{"no folder", []string{"-addr", "127.0.0.1:0", "-data", file}, []string{file, "choose another folder"}},
		{"foreign file", []string{"-addr", "127.0.0.1:0", "-data", foreign}, []string{embedded.FileName, "is not a Stockroom store"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, tt.args...)
			got.want(t, exitFailed, tt.says...)
			if strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
				t.Errorf("says more than one sentence:\n%s%s", got.stderr, got.stdout)
			}
		})
	}
}

// TestStopWaitsForRequests holds a request open while the server is told to
// stop.
func TestStopWaitsForRequests(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arrived, answer := make(chan bool), make(chan bool)
	running := newServers(quiet())
	running.start(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-answer
		w.WriteHeader(http.StatusTeapot)
	}))
	status := make(chan int, 1)
	go func() {
		response, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		response.Body.Close()
		status <- response.StatusCode
	}()
	<-arrived
	closed := make(chan error, 1)
	go func() { closed <- running.Close() }()
	select {
	case err := <-closed:
		t.Fatalf("closed while a request was under way: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(answer)
	if got := <-status; got != http.StatusTeapot {
		t.Errorf("the request was answered %d", got)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

package cli

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
	stop           func() int // stops the server, and returns the exit code
}

// startServer runs 'stockroom serve' until stop is called or the test ends.
func startServer(t *testing.T, args ...string) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &server{}
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), environment{}.get, clock.Now, strings.NewReader(""), &s.stdout, &s.stderr)
	}()
	ended, exitCode := false, 0
	s.stop = func() int {
		cancel()
		if !ended {
			ended, exitCode = true, <-code
		}
		return exitCode
	}
	t.Cleanup(func() { s.stop() })
	for !strings.Contains(s.stdout.String(), "Stockroom is running at") {
		select {
		case exitCode = <-code:
			ended = true
			t.Fatalf("serve: got exit code %d: %s", exitCode, s.stderr.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	return s
}

// match returns the first group of a pattern in the line of the output that matches it.
func (s *server) match(t *testing.T, line string) string {
	t.Helper()
	found := regexp.MustCompile("(?m)^" + line + "$").FindStringSubmatch(s.stdout.String())
	if found == nil {
		t.Fatalf("no line %q in:\n%s", line, s.stdout.String())
	}
	return found[1]
}

const (
	addressLine  = `Stockroom is running at (http://\S+)`
	passwordLine = `Sign in as admin with the one-time password (\S+)`
	demoPassword = `Sign in as admin with the password (\S+)`
)

// openStore opens the store in a folder. The store must not be open.
func openStore(t *testing.T, folder string) *store.Store {
	t.Helper()
	return store.New(storetest.EmbeddedAt(t, folder, clock), "OnlineShop", clock.Now)
}

func TestServe_FirstStart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	first := startServer(t, "-data", folder)
	response, err := http.Get(first.match(t, addressLine) + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("/healthz: got %s, want 200", response.Status)
	}
	password := first.match(t, passwordLine)
	if code := first.stop(); code != exitDone {
		t.Errorf("got exit code %d: %s", code, first.stderr.String())
	}
	if strings.Contains(first.stderr.String(), password) {
		t.Error("log contains the password")
	}
	second := startServer(t, "-data", folder)
	second.stop()
	if strings.Contains(second.stdout.String(), "password") {
		t.Errorf("second start: got a password in %s", second.stdout.String())
	}
	s := openStore(t, folder)
	admin, err := s.Authenticate(t.Context(), "admin", password)
	if err != nil {
		t.Fatal(err)
	}
	if admin.Role != store.Admin || !admin.MustChange {
		t.Errorf("got first user %+v", admin)
	}
	settings, err := s.Settings(t.Context())
	if err != nil || settings.Shards != 1 || settings.ShardsRead != 1 {
		t.Errorf("got first settings %+v, %v", settings, err)
	}
}

// TestServe_WarnsWithoutAdmin starts a server without an admin who can sign in. The log
// must say which commands help. After an admin is added, it must no longer say this.
func TestServe_WarnsWithoutAdmin(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	add := func(user store.User) {
		t.Helper()
		db := storetest.EmbeddedAt(t, folder, clock)
		s := store.New(db, "OnlineShop", clock.Now)
		if user.Role == store.Support {
			if err := s.CreateTable(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.AddUser(t.Context(), user, "a password for tests 1", store.Program); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		user store.User
		want string
	}{
		{store.User{Name: "sue", Role: store.Support}, "run 'stockroom user role NAME admin -data FOLDER' or 'stockroom user add NAME -role admin -data FOLDER'"},
		{store.User{Name: "old", Role: store.Admin, Disabled: true}, "run 'stockroom user unlock \"old\" -data FOLDER', 'stockroom user role NAME admin -data FOLDER' or"},
		{store.User{Name: "ada", Role: store.Admin}, ""},
	} {
		add(step.user)
		server := startServer(t, "-data", folder)
		server.match(t, addressLine)
		server.stop()
		log := strings.ReplaceAll(server.stderr.String(), `\"`, `"`) // the log quotes messages with quotes
		log = strings.ReplaceAll(log, strconv.Quote(folder), "FOLDER")
		if warned := strings.Contains(log, "no active admin"); warned != (step.want != "") || !strings.Contains(log, step.want) {
			t.Errorf("after adding %s: got %s, want the warning %q", step.user.Name, log, step.want)
		}
		if strings.Contains(server.stdout.String(), "password") {
			t.Errorf("after adding %s: got a password in %s", step.user.Name, server.stdout.String())
		}
	}
}

func TestServe_Demo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := startServer(t, "-data", folder, "-demo")
	first.match(t, "(Loaded the demo business .*)")
	password := first.match(t, demoPassword)
	first.stop()
	second := startServer(t, "-data", folder, "-demo")
	second.match(t, "(Table OnlineShop already has data, so .*)")
	second.stop()
	s := openStore(t, folder)
	admin, err := s.Authenticate(t.Context(), "admin", password)
	if err != nil {
		t.Fatal(err)
	}
	if admin.MustChange {
		t.Error("got a one-time password, want a permanent one")
	}
	if loaded, err := s.HasBusiness(t.Context()); !loaded || err != nil {
		t.Errorf("demo business is missing: %v", err)
	}
	if settings, err := s.Settings(t.Context()); err != nil || settings.Payments != store.ServiceRecord {
		t.Errorf("got payments %q, error %v; want record", settings.Payments, err)
	}
	if checked, err := s.CheckBusiness(t.Context(), store.BusinessCheck{}); err != nil || checked.Items < 70_000 || len(checked.Findings) > 0 || checked.Changing > 0 {
		t.Errorf("check: got %+v, %v; want no findings", checked, err)
	}
}

// TestServe_TrustedProxies checks that the log contains the client's address that a trusted
// proxy sent. It also checks that serve rejects invalid flags, such as a wrong
// -trusted-proxies or -public-url.
func TestServe_TrustedProxies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "127.0.0.1"},
		{[]string{"-https"}, "203.0.113.9"},
		{[]string{"-https", "-trusted-proxies", ""}, "127.0.0.1"},
		{[]string{"-https", "-trusted-proxies", "10.0.0.0/8, 127.0.0.1"}, "203.0.113.9"},
		{[]string{"-https", "-trusted-proxies", "10.0.0.0/8"}, "127.0.0.1"},
	} {
		running := startServer(t, append(tt.args, "-data", t.TempDir())...)
		request, err := http.NewRequest(http.MethodGet, running.match(t, addressLine)+"/login", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Forwarded-For", "203.0.113.9")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		running.stop()
		if log := running.stderr.String(); !strings.Contains(log, " from="+tt.want+"\n") {
			t.Errorf("%v: want client %s, got the log\n%s", tt.args, tt.want, log)
		}
	}
	for _, args := range [][]string{
		{"-trusted-proxies", "10.0.0.0/8"},
		{"-https", "-trusted-proxies", "10.0.0.0/33"},
		{"-https", "-trusted-proxies", "0.0.0.0/0"},
		{"-https", "-trusted-proxies", "proxy"},
		{"-public-url", "stock.example.com"},
		{"-public-url", "ftp://stock.example.com"},
		{"-public-url", "http://stock.example.com/path"},
		{"-public-url", "http://kim@stock.example.com"},
		{"-public-url", "https://stock.example.com"},
		{"-https", "-public-url", "http://stock.example.com"},
		{"-security-contact", "security@example.com"},
		{"-security-contact", "http://example.com/report"},
		{"-security-contact", "mailto:a@example.com\nExpires: never"},
		{"-public-url", "http://stock.example.com", "-sso-client-id", "x", "-sso-issuer", "http://id.example.com"},
		{"-sso-issuer", "https://id.example.com"},
		{"-public-url", "http://stock.example.com", "-sso-issuer", "https://id.example.com"},
		{"-sso-only", "admin"},
		{"-request-timeout", "0s"},
		{"-request-timeout", "1m"},
	} {
		run(t, args...).want(t, exitUsage, args[len(args)-2])
	}
}

// TestServe_PublicURL sends requests to a server with a public URL: one with the host of
// this URL, and one with another host, which must be rejected. The log must warn about
// -session-key and must not contain the key.
func TestServe_PublicURL(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef0123456789abcdef"
	running := startServer(t, "-data", t.TempDir(), "-public-url", "http://stock.example.com/", "-security-contact", "mailto:security@example.com", "-session-key", key)
	address := running.match(t, addressLine)
	for host, want := range map[string]int{"stock.example.com": http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		request, err := http.NewRequest(http.MethodGet, address+"/.well-known/security.txt", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("host %s: got %s, want %d", host, response.Status, want)
		}
	}
	running.stop()
	if log := running.stderr.String(); strings.Contains(log, key) || !strings.Contains(log, "set STOCKROOM_SESSION_KEY instead") {
		t.Errorf("got the log\n%s\nwant a warning about -session-key, without the key", log)
	}
}

func TestServe_ExplainsFailure(t *testing.T) {
	t.Parallel()
	occupied, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer occupied.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("a file where a folder is meant"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, embedded.FileName), bytes.Repeat([]byte("nothing of ours"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	emptied := createSample(t)
	if err := os.Truncate(filepath.Join(emptied, embedded.FileName), 0); err != nil {
		t.Fatal(err)
	}
	held := t.TempDir()
	startServer(t, "-data", held)
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"port in use", []string{"-addr", occupied.Addr().String(), "-data", t.TempDir()}, []string{occupied.Addr().String() + " is in use", "-addr"}},
		{"port of the metrics in use", []string{"-addr", "127.0.0.1:0", "-metrics-addr", occupied.Addr().String(), "-data", t.TempDir()}, []string{occupied.Addr().String() + " is in use", "-metrics-addr"}},
		{"port of the API in use", []string{"-addr", "127.0.0.1:0", "-dynamodb-addr", occupied.Addr().String(), "-data", filepath.Join(t.TempDir(), "data")}, []string{occupied.Addr().String() + " is in use", "-dynamodb-addr"}},
		{"foreign address", []string{"-addr", "192.0.2.1:0"}, []string{"192.0.2.1:0 is not an address of this machine", "-addr"}},
		{"folder held", []string{"-addr", "127.0.0.1:0", "-data", held}, []string{"in use by another process"}},
		{"not a folder", []string{"-addr", "127.0.0.1:0", "-data", file}, []string{file, "choose another folder"}},
		{"empty file", []string{"-addr", "127.0.0.1:0", "-data", emptied}, []string{embedded.FileName, "is empty", "restore a backup", "delete it"}},
		{"foreign file", []string{"-addr", "127.0.0.1:0", "-data", foreign}, []string{embedded.FileName, "is not a Stockroom store"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, tt.args...)
			got.want(t, exitFailed, tt.want...)
			if strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
				t.Errorf("got more than one line:\n%s%s", got.stderr, got.stdout)
			}
		})
	}
}

// TestServers_CloseWaitsForRequests closes two servers during a request to the first. Close
// must wait for the response. Meanwhile, the second server must not accept connections.
func TestServers_CloseWaitsForRequests(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	second, err := net.Listen("tcp", "127.0.0.1:0")
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
	running.start(second, http.NotFoundHandler())
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
		t.Fatalf("closed during a request: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		connection, err := net.Dial("tcp", second.Addr().String())
		if err != nil {
			break
		}
		connection.Close()
		if time.Since(began) > shutdownTimeout/2 {
			t.Error("the second server accepts connections while the first one waits")
			break
		}
	}
	close(answer)
	if got := <-status; got != http.StatusTeapot {
		t.Errorf("got status %d, want 418", got)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestServe_Metrics(t *testing.T) {
	s := startServer(t, "-data", t.TempDir(), "-metrics-addr", ":0")
	address := s.match(t, "Metrics are at (http://127.0.0.1:\\S+)/metrics")
	if response, err := http.Get(s.match(t, addressLine) + "/login"); err != nil || response.Body.Close() != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"/metrics":      {`stockroom_http_requests_total{method="GET",route="/login",status="200"} 1`, "stockroom_engine_commits_total ", "stockroom_table_write_units_total", "stockroom_payments_behind_days 0"},
		"/debug/pprof/": {"goroutine"},
	} {
		response, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(string(body), part) {
				t.Errorf("%s: got no %s in\n%s", path, part, body)
			}
		}
	}
	if response, err := http.Get(s.match(t, addressLine) + "/debug/pprof/"); err != nil || response.Request.URL.Path != "/login" {
		t.Errorf("profiles on the address of the site: got %v, %v, want the sign-in page", response, err)
	}
}

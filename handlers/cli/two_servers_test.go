package cli

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

// serveVariable is the environment variable with the arguments of a child process, which
// runs the program so that tests can kill it.
const serveVariable = "CLI_TEST_SERVE"

// startProcess starts a server in a separate process. It returns the process and the
// server's URL.
func startProcess(t *testing.T, args ...string) (*exec.Cmd, string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), serveVariable+"="+strings.Join(append(args, "-addr", "127.0.0.1:0"), " "))
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	address := regexp.MustCompile("^" + addressLine + "$")
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			return c, found[1]
		}
	}
	t.Fatal("the server ended before it printed its address")
	return nil, ""
}

// visitor is a browser that does not follow redirects. It sends the same cookies to all
// servers.
type visitor struct {
	t *testing.T
	http.Client
}

// get returns the status of a page, and the address to which it redirects.
func (v *visitor) get(address string) (int, string) {
	v.t.Helper()
	response, err := v.Get(address)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
}

// token returns a form token of a page.
func (v *visitor) token(address string) string {
	v.t.Helper()
	response, err := v.Get(address)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	found := regexp.MustCompile(`name="once" value="([^"]*)"`).FindSubmatch(page)
	if found == nil {
		v.t.Fatalf("%s: got no form, want one", address)
	}
	return string(found[1])
}

// post submits a form and reports whether the server answered with a redirect.
func (v *visitor) post(address string, form url.Values) bool {
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := v.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusSeeOther
}

// sharedTable creates a table that several processes can use. If STOCKROOM_TEST_ENDPOINT
// is set, it creates the table there.
func sharedTable(t *testing.T) (endpoint, table string) {
	t.Helper()
	pretendAWS(t)
	if endpoint = os.Getenv(storetest.EndpointVariable); endpoint == "" {
		engine := httptest.NewServer(wire.Handler(storetest.Embedded(t, clock)))
		t.Cleanup(engine.Close)
		endpoint = engine.URL
	}
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
	table = fmt.Sprintf("%s-%d", t.Name(), os.Getpid())
	run(t, "table", "create", "-dynamodb", "-table", table).want(t, exitDone, "matches")
	return endpoint, table
}

// newVisitor returns a browser without cookies.
func newVisitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// TestTwoServers runs two servers that use the same table. It kills one of them while a
// user writes notes. If a form gets no answer, the user submits it to the other server.
// Each note must be stored once.
func TestTwoServers(t *testing.T) {
	endpoint, table := sharedTable(t)
	on := func(args ...string) []string { return append(args, "-dynamodb", "-table", table) }
	run(t, on("import", save(t, filepath.Join(t.TempDir(), "shop.json"), modelOf(rolf)))...).want(t, exitDone, "1 added")
	const password = "correct horse battery"
	runWith(t, environment{}, password+"\n", on("user", "add", "kim", "-role", "support", "-password-stdin")...).want(t, exitDone)
	first, one := startProcess(t, on("serve")...)
	_, other := startProcess(t, on("serve")...)

	kim := newVisitor(t)
	if !kim.post(one+"/login", url.Values{"username": {"kim"}, "password": {password}}) {
		t.Fatal("sign-in failed")
	}
	if status, _ := kim.get(other + "/customers/7"); status != http.StatusOK {
		t.Errorf("the other server: got status %d, want 200 with the same session", status)
	}

	s := store.New(storetest.Client(endpoint), table, clock.Now)
	const writers, notes = 4, 12
	tokens := make([]string, writers*notes)
	for i := range tokens {
		tokens[i] = kim.token(one + "/customers/7")
	}
	var answered, repeated atomic.Int64
	var writing sync.WaitGroup
	for writer := range writers {
		writing.Go(func() {
			for n := range notes {
				form := url.Values{"note": {fmt.Sprintf("note %d of writer %d", n, writer)}, "once": {tokens[writer*notes+n]}}
				if !kim.post(one+"/customers/7/notes", form) {
					repeated.Add(1)
					if !kim.post(other+"/customers/7/notes", form) {
						t.Errorf("%s: got no redirect from either server", form.Get("note"))
					}
				}
				if answered.Add(1) == writers*notes/2 {
					if err := first.Process.Kill(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	writing.Wait()
	if repeated.Load() == 0 {
		t.Error("got no form that the other server had to answer")
	}
	events, err := s.As(&store.User{Name: "kim", Role: store.Support}).EventsOfCustomer(t.Context(), "7", store.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, e := range events.Rows {
		found[e.Why]++
	}
	for writer := range writers {
		for n := range notes {
			if note := fmt.Sprintf("note %d of writer %d", n, writer); found[note] != 1 {
				t.Errorf("%s: got the note %d times, want once", note, found[note])
			}
		}
	}

	if !kim.post(other+"/logout", nil) {
		t.Error("sign-out failed")
	}
	_, third := startProcess(t, on("serve")...)
	if status, to := kim.get(third + "/customers/7"); status != http.StatusSeeOther || !strings.HasPrefix(to, "/login") {
		t.Errorf("a new server after sign-out: got status %d to %q, want the sign-in page", status, to)
	}
}

// TestTwoServers_Job kills a server while it charges payments. A user starts the run
// again on the other server, which must finish it. Each payment must have one charge and
// one receipt.
func TestTwoServers_Job(t *testing.T) {
	endpoint, table := sharedTable(t)
	on := func(args ...string) []string { return append(args, "-dynamodb", "-table", table) }
	s := store.New(storetest.Client(endpoint), table, clock.Now)
	const due = 50
	loadDue(t, s, due)
	const password = "correct horse battery"
	runWith(t, environment{}, password+"\n", on("user", "add", "kim", "-role", "admin", "-password-stdin")...).want(t, exitDone)
	o, flags := startOutside(t)
	o.round = round{point: killAfterCharge, remaining: due / 3, charging: due, over: make(chan struct{})}
	t.Setenv(stripeKey, "sk_test_1")
	first, one := startProcess(t, append(on("serve"), flags...)...)
	t.Setenv(clockVariable, "5m") // after five minutes, the leases of the first server have expired
	_, other := startProcess(t, append(on("serve"), flags...)...)
	o.mu.Lock()
	o.kill = func() { _ = first.Process.Kill() }
	o.mu.Unlock()

	kim := newVisitor(t)
	if !kim.post(one+"/login", url.Values{"username": {"kim"}, "password": {password}}) {
		t.Fatal("sign-in failed")
	}
	start := func(server string) {
		t.Helper()
		if !kim.post(server+"/jobs/payments/2026-11-21/run", url.Values{"once": {kim.token(server + "/admin/settings")}}) {
			t.Fatal("the run did not start")
		}
	}
	start(one)
	_ = first.Wait()
	close(o.over)
	o.mu.Lock()
	o.kill = nil
	charged := len(o.charges)
	o.mu.Unlock()
	if charged == 0 || charged >= due*9/10 {
		t.Fatalf("got %d charges before the server was killed", charged)
	}
	start(other)
	for done := 0; done < due; {
		runs, err := s.As(administrator).RunsOfDay(t.Context(), store.PaymentsJob, storetest.Now.Truncate(24*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		done = 0
		for i := range runs {
			done += runs[i].Done + runs[i].Declined
		}
		time.Sleep(20 * time.Millisecond)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range due {
		id, want := fmt.Sprintf("s%05d", i), 1
		if declines(id) {
			want = 0
		}
		receipts, err := s.As(administrator).ReceiptsOfAccount(t.Context(), fmt.Sprintf("a%05d", i), store.Page{Limit: 10})
		if err != nil || len(receipts.Rows) != want || o.charges[id] != want {
			t.Errorf("%s: got %d receipts and %d charges, %v; want %d", id, len(receipts.Rows), o.charges[id], err, want)
		}
	}
}

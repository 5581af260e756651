package cli

import (
	"bufio"
	"fmt"
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

	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

// serveVariable is the environment variable with the arguments of a child process. The
// child is a server that tests can kill.
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

// visitor is a browser that does not follow redirects. It sends its cookies to all
// servers.
type visitor struct {
	t *testing.T
	http.Client
}

// get returns the status of a page, and where it redirects to.
func (v *visitor) get(address string) (int, string) {
	v.t.Helper()
	response, err := v.Get(address)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
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

// TestTwoServers runs two servers on one table and kills one of them while users
// write notes. A user who gets no answer submits the form again to the other server.
// The table is on the engine in STOCKROOM_TEST_ENDPOINT, if set.
func TestTwoServers(t *testing.T) {
	pretendAWS(t)
	endpoint := os.Getenv(storetest.EndpointVariable)
	if endpoint == "" {
		engine := httptest.NewServer(wire.Handler(storetest.Embedded(t, clock)))
		t.Cleanup(engine.Close)
		endpoint = engine.URL
	}
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
	table := fmt.Sprintf("servers-%d", os.Getpid())
	on := func(args ...string) []string { return append(args, "-dynamodb", "-table", table) }
	run(t, on("table", "create")...).want(t, exitDone, "matches")
	run(t, on("import", save(t, filepath.Join(t.TempDir(), "shop.json"), modelOf(rolf)))...).want(t, exitDone, "1 added")
	const password = "correct horse battery"
	runWith(t, environment{}, password+"\n", on("user", "add", "kim", "-role", "support", "-password-stdin")...).want(t, exitDone)
	first, one := startProcess(t, on("serve")...)
	_, other := startProcess(t, on("serve")...)

	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	kim := &visitor{t, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if !kim.post(one+"/login", url.Values{"username": {"kim"}, "password": {password}}) {
		t.Fatal("sign-in failed")
	}
	if status, _ := kim.get(other + "/customers/7"); status != http.StatusOK {
		t.Errorf("the other server: got status %d, want 200 with the same session", status)
	}

	s := store.New(storetest.Client(endpoint), table, clock.Now)
	const writers, notes = 4, 12
	var answered, repeated atomic.Int64
	var writing sync.WaitGroup
	for writer := range writers {
		writing.Go(func() {
			for n := range notes {
				form := url.Values{"note": {fmt.Sprintf("note %d of writer %d", n, writer)}, "once": {s.NewToken()}}
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
				t.Errorf("%s: got it %d times, want once", note, found[note])
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

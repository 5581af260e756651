package web_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/web"
)

const password = "correct horse battery"

// site is a test server with a few routes.
type site struct {
	*httptest.Server
	store *store.Store
	clock *storetest.Clock
	log   *logBuffer
}

func serve(t testing.TB) site {
	t.Helper()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	for _, u := range []store.User{{Name: "kim", Role: store.Viewer}, {Name: "root", Role: store.Admin}, {Name: "new", Role: store.Viewer, MustChange: true}} {
		if err := s.AddUser(t.Context(), u, password, "test"); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := s.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log := &logBuffer{}
	tools := web.New(web.Config{Store: s, Keys: keys, Log: slog.New(slog.NewTextHandler(log, nil)), Problem: problem})
	e := tools.Router()
	page := func(c echo.Context) error {
		return tools.Render(c, text(strings.Repeat("a page of some length. ", 100)))
	}
	e.POST("/login", func(c echo.Context) error {
		form, err := web.ReadForm(c, "username", "password")
		if err != nil {
			return err
		}
		user, err := s.Authenticate(c.Request().Context(), form.Get("username"), form.Get("password"))
		if err != nil {
			return err
		}
		if err := tools.SignIn(c, user, store.NoFactor); err != nil {
			return err
		}
		return web.Redirect(c, "/")
	}, tools.Require(store.Anyone))
	e.POST("/logout", func(c echo.Context) error { return tools.SignOut(c) }, tools.Require(store.SignedIn))
	e.GET("/", page, tools.Require(store.Browse), web.Offer(web.JSON))
	e.GET("/admin", page, tools.Require(store.Administer))
	e.GET("/forgotten", page, tools.Require(store.Nobody))
	e.GET("/panics", func(echo.Context) error { panic("a secret") }, tools.Require(store.Anyone))
	e.GET("/fails", func(echo.Context) error { return errors.New("a secret") }, tools.Require(store.Anyone))
	e.GET("/half", func(c echo.Context) error {
		rows := func(yield func(int, error) bool) {
			for i := range 100_000 {
				if !yield(i, nil) {
					return
				}
			}
			yield(0, errors.New("a secret"))
		}
		return web.SendRows(c, "half", 2, []web.Column[int]{}, rows)
	}, tools.Require(store.Anyone))
	server := httptest.NewServer(tools.Protect(e))
	t.Cleanup(server.Close)
	return site{server, s, clock, log}
}

func text(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, templ.EscapeString(s))
		return err
	})
}

// addUser adds a viewer, and returns the user that Authenticate returns.
func addUser(t testing.TB, s *store.Store, name string) *store.User {
	t.Helper()
	if err := s.AddUser(t.Context(), store.User{Name: name, Role: store.Viewer}, password, "test"); err != nil {
		t.Fatal(err)
	}
	user, err := s.Authenticate(t.Context(), name, password)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// logBuffer is a log that a test can read while a server writes to it.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func problem(_ echo.Context, p web.Problem) templ.Component {
	return text(p.Message + " " + p.Reference)
}

func serveRoutes(t testing.TB, add func(*web.Tools, *echo.Echo)) (*httptest.Server, *logBuffer) {
	t.Helper()
	return serveProblems(t, problem, add)
}

// serveProblems is like serveRoutes, but with the given error page.
func serveProblems(t testing.TB, problem func(echo.Context, web.Problem) templ.Component, add func(*web.Tools, *echo.Echo)) (*httptest.Server, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	logger := slog.New(slog.NewTextHandler(log, nil))
	tools := web.New(web.Config{Store: storetest.Open(t, storetest.NewClock()), Keys: [][]byte{[]byte("key")}, Log: logger, Problem: problem})
	e := tools.Router()
	add(tools, e)
	server := httptest.NewUnstartedServer(tools.Protect(e))
	server.Config = web.NewServer(server.Config.Handler, logger)
	server.Start()
	t.Cleanup(server.Close)
	return server, log
}

// browser returns a client that keeps its own cookies and does not follow redirects.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// fetch returns the response and its body.
func fetch(t *testing.T, client *http.Client, method, address string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// get returns the status, the Location header and the body.
func (s site) get(t *testing.T, client *http.Client, path string) (status int, location, body string) {
	t.Helper()
	response, body := fetch(t, client, http.MethodGet, s.URL+path)
	return response.StatusCode, response.Header.Get("Location"), body
}

func (s site) post(t *testing.T, client *http.Client, path string, form url.Values) *http.Response {
	t.Helper()
	response, err := client.PostForm(s.URL+path, form)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func (s site) signIn(t *testing.T, client *http.Client, name string) *http.Response {
	t.Helper()
	response := s.post(t, client, "/login", url.Values{"username": {name}, "password": {password}})
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing in as %s: got status %s, want 303", name, response.Status)
	}
	return response
}

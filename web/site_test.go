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
	"testing"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/web"
)

const password = "correct horse battery"

// site is a server with a few routes that use the tools as handlers do.
type site struct {
	*httptest.Server
	store *store.Store
	clock *storetest.Clock
	log   *strings.Builder
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
	log := &strings.Builder{}
	tools := web.New(web.Config{
		Store: s, Keys: keys, Log: slog.New(slog.NewTextHandler(log, nil)),
		Problem: func(_ echo.Context, p web.Problem) templ.Component { return text(p.Message + " " + p.Reference) },
	})
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
		if err := tools.LogIn(c, user); err != nil {
			return err
		}
		return web.Redirect(c, "/")
	}, tools.Require(store.Anyone))
	e.POST("/logout", func(c echo.Context) error { return tools.LogOut(c) }, tools.Require(store.SignedIn))
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
		return web.SendRows(c, "half", []web.Column[int]{}, rows)
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

// browser is a client with cookies of its own, which follows no redirect.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// get answers with status, where it leads to, and the body.
func (s site) get(t *testing.T, client *http.Client, path string) (status int, location, body string) {
	t.Helper()
	response, err := client.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Location"), string(content)
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

func (s site) logIn(t *testing.T, client *http.Client, name string) *http.Response {
	t.Helper()
	response := s.post(t, client, "/login", url.Values{"username": {name}, "password": {password}})
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("logging in as %s: %s", name, response.Status)
	}
	return response
}

package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/web"
)

func TestEveryErrorHasItsStatus(t *testing.T) {
	said := func(kind store.Kind) error {
		return fmt.Errorf("while at it: %w", &store.Error{Kind: kind, Message: "A sentence.", Err: errors.New("a secret")})
	}
	errs := map[string]struct {
		err    error
		status int
		words  string
	}{
		"unknown":   {errors.New("a secret"), 500, "not your fault"},
		"internal":  {said(store.Internal), 500, "not your fault"},
		"damaged":   {said(store.Damaged), 500, "A sentence."},
		"notfound":  {said(store.NotFound), 404, "A sentence."},
		"forbidden": {said(store.Forbidden), 403, "A sentence."},
		"invalid":   {said(store.Invalid), 422, "A sentence."},
		"conflict":  {said(store.Conflict), 409, "A sentence."},
		"busy":      {said(store.Busy), 503, "A sentence."},
		"wrapped":   {fmt.Errorf("while at it: %w", echo.ErrNotFound), 404, "no page at this address"},
		"inner":     {echo.NewHTTPError(400).SetInternal(errors.New("a secret")), 400, "cannot be answered"},
		"nosecret":  {echo.NewHTTPError(500, errors.New("a secret")), 500, "not your fault"},
	}
	server, log := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		for name, tt := range errs {
			e.Match([]string{"GET", "HEAD"}, "/"+name, func(echo.Context) error { return tt.err })
		}
	})
	for name, tt := range errs {
		page, words := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/"+name)
		file, content := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/"+name+".json")
		head, nothing := fetch(t, http.DefaultClient, http.MethodHead, server.URL+"/"+name)
		if page.StatusCode != tt.status || file.StatusCode != tt.status || head.StatusCode != tt.status {
			t.Errorf("%s: %d, %d, %d, want %d", name, page.StatusCode, file.StatusCode, head.StatusCode, tt.status)
		}
		var answer struct{ Error, Reference string }
		if err := json.Unmarshal([]byte(content), &answer); err != nil {
			t.Errorf("%s as JSON: %v in %s", name, err, content)
		}
		if !strings.Contains(words, tt.words) || !strings.Contains(answer.Error, tt.words) || nothing != "" {
			t.Errorf("%s says %q, %q, %q", name, words, content, nothing)
		}
		if strings.Contains(words+content, "secret") {
			t.Errorf("%s tells a secret: %q, %q", name, words, content)
		}
		if ours := tt.status >= 500; ours != (answer.Reference != "") || ours && strings.Count(log.String(), "reference="+answer.Reference) != 1 {
			t.Errorf("%s has the reference %q, which the log has to tell of once", name, answer.Reference)
		}
		if busy := tt.status == 503; busy != (page.Header.Get("Retry-After") != "") {
			t.Errorf("%s: to be tried again after %q", name, page.Header.Get("Retry-After"))
		}
	}
	if response, _ := fetch(t, http.DefaultClient, http.MethodDelete, server.URL+"/busy"); response.StatusCode != 405 || response.Header.Get("Allow") == "" {
		t.Errorf("another method: %s, %v", response.Status, response.Header)
	}
}

func TestHalfAPageNeverLeaves(t *testing.T) {
	server, _ := serveRoutes(t, func(tools *web.Tools, e *echo.Echo) {
		e.GET("/half", func(c echo.Context) error { return tools.Render(c, breaking("the first half")) })
	})
	response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/half")
	if response.StatusCode != 500 || strings.Contains(body, "first half") {
		t.Errorf("%s %q", response.Status, body)
	}
}

// breaking is a page that breaks off.
func breaking(begins string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, _ = io.WriteString(w, begins)
		return errors.New("a secret")
	})
}

func TestAProblemThatCannotBeDrawnIsSaidInWords(t *testing.T) {
	server, log := serveProblems(t, func(echo.Context, web.Problem) templ.Component { return breaking("a problem") }, func(_ *web.Tools, e *echo.Echo) {
		e.GET("/fails", func(echo.Context) error { return errors.New("a secret") })
	})
	for path, status := range map[string]int{"/fails": 500, "/nowhere": 404} {
		response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+path)
		words := strings.Fields(body)
		if response.StatusCode != status || len(words) == 0 || strings.Contains(body, "secret") || strings.Contains(body, "a problem") {
			t.Fatalf("%s: %s %q", path, response.Status, body)
		}
		if reference := words[len(words)-1]; !strings.Contains(log.String(), "reference="+reference) {
			t.Errorf("%s: the log does not tell of %q", path, reference)
		}
	}
}

func TestWhoeverLeavesIsNoFault(t *testing.T) {
	asked, answered := make(chan struct{}), make(chan struct{})
	server, log := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				close(asked)
				<-c.Request().Context().Done()
				return fmt.Errorf("reading the table: %w", c.Request().Context().Err())
			}
		})
		e.GET("/slow", func(echo.Context) error { return nil })
	})
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/slow", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(answered)
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
		}
	}()
	<-asked
	leave()
	<-answered
	server.Close() // which waits for the handler
	if strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "status=499") {
		t.Errorf("the log has:\n%s", log)
	}
}

func TestHalfSentHeadersAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	server, _ := serveRoutes(t, func(*web.Tools, *echo.Echo) {})
	if c := server.Config; c.ReadTimeout <= 0 || c.WriteTimeout <= 0 || c.IdleTimeout <= 0 || c.MaxHeaderBytes <= 0 {
		t.Errorf("a limit is not set: %+v", c)
	}
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "GET / HTTP/1.1\r\nHost: "); err != nil {
		t.Fatal(err)
	}
	limit := server.Config.ReadHeaderTimeout
	if err := connection.SetReadDeadline(time.Now().Add(limit + 5*time.Second)); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, err := io.ReadAll(connection); err != nil || time.Since(began) < limit/2 {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/web"
)

func TestError_StatusAndMessage(t *testing.T) {
	storeError := func(kind store.Kind) error {
		return fmt.Errorf("reading: %w", &store.Error{Kind: kind, Message: "A sentence.", Err: errors.New("a secret")})
	}
	errs := map[string]struct {
		err    error
		status int
		words  string
	}{
		"unknown":     {errors.New("a secret"), 500, "went wrong on our side"},
		"internal":    {storeError(store.Internal), 500, "went wrong on our side"},
		"damaged":     {storeError(store.Damaged), 500, "A sentence."},
		"unconfirmed": {storeError(store.Unconfirmed), 500, "A sentence."},
		"notfound":    {storeError(store.NotFound), 404, "A sentence."},
		"forbidden":   {storeError(store.Forbidden), 403, "A sentence."},
		"invalid":     {storeError(store.Invalid), 422, "A sentence."},
		"conflict":    {storeError(store.Conflict), 409, "A sentence."},
		"busy":        {storeError(store.Busy), 503, "A sentence."},
		"wrapped":     {fmt.Errorf("reading: %w", echo.ErrNotFound), 404, "no page at this address"},
		"inner":       {echo.NewHTTPError(400).SetInternal(errors.New("a secret")), 400, "be completed"},
		"nosecret":    {echo.NewHTTPError(500, errors.New("a secret")), 500, "went wrong on our side"},
	}
	server, log := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		for name, tt := range errs {
			e.Match([]string{"GET", "HEAD"}, "/"+name, func(echo.Context) error { return tt.err })
		}
	})
	for name, tt := range errs {
		page, text := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/"+name)
		data, content := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/"+name+".json")
		head, headBody := fetch(t, http.DefaultClient, http.MethodHead, server.URL+"/"+name)
		if page.StatusCode != tt.status || data.StatusCode != tt.status || head.StatusCode != tt.status {
			t.Errorf("%s: got %d as HTML, %d as JSON, %d for HEAD, want %d", name, page.StatusCode, data.StatusCode, head.StatusCode, tt.status)
		}
		var answer struct{ Error, Reference string }
		if err := json.Unmarshal([]byte(content), &answer); err != nil {
			t.Errorf("%s as JSON: got error %v in %s", name, err, content)
		}
		if !strings.Contains(text, tt.words) || !strings.Contains(answer.Error, tt.words) || headBody != "" {
			t.Errorf("%s: got %q as HTML, %q as JSON, %q for HEAD; want %q", name, text, content, headBody, tt.words)
		}
		if strings.Contains(text+content, "secret") {
			t.Errorf("%s: got a secret in %q or %q", name, text, content)
		}
		if internal := tt.status >= 500; internal != (answer.Reference != "") || internal && strings.Count(log.String(), "reference="+answer.Reference) != 1 {
			t.Errorf("%s: got reference %q; want it in the log once", name, answer.Reference)
		}
		if busy := tt.status == 503; busy != (page.Header.Get("Retry-After") != "") {
			t.Errorf("%s: got Retry-After %q", name, page.Header.Get("Retry-After"))
		}
	}
	if response, _ := fetch(t, http.DefaultClient, http.MethodDelete, server.URL+"/busy"); response.StatusCode != 405 || response.Header.Get("Allow") == "" {
		t.Errorf("wrong method: got %s, %v; want 405 with Allow", response.Status, response.Header)
	}
}

func TestRender_ErrorSendsNoPartialPage(t *testing.T) {
	server, _ := serveRoutes(t, func(tools *web.Tools, e *echo.Echo) {
		e.GET("/half", func(c echo.Context) error { return tools.Render(c, failingPage("the first half")) })
	})
	response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/half")
	if response.StatusCode != 500 || strings.Contains(body, "first half") {
		t.Errorf("got %s %q, want 500 without the page", response.Status, body)
	}
}

// failingPage returns a page that writes prefix and then fails.
func failingPage(prefix string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, _ = io.WriteString(w, prefix)
		return errors.New("a secret")
	})
}

func TestError_FailingErrorPageFallsBackToText(t *testing.T) {
	server, log := serveProblems(t, func(echo.Context, web.Problem) templ.Component { return failingPage("a problem") }, func(_ *web.Tools, e *echo.Echo) {
		e.GET("/fails", func(echo.Context) error { return errors.New("a secret") })
	})
	for path, status := range map[string]int{"/fails": 500, "/nowhere": 404} {
		response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+path)
		words := strings.Fields(body)
		if response.StatusCode != status || len(words) == 0 || strings.Contains(body, "secret") || strings.Contains(body, "a problem") {
			t.Fatalf("%s: got status %s and %q, want %d and a text without the cause", path, response.Status, body, status)
		}
		if reference := words[len(words)-1]; !strings.Contains(log.String(), "reference="+reference) {
			t.Errorf("%s: log has no reference %q", path, reference)
		}
	}
}

func TestError_ClientDisconnectIsNotLogged(t *testing.T) {
	started, finished := make(chan struct{}), make(chan struct{})
	server, log := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		e.GET("/slow", func(c echo.Context) error {
			close(started)
			<-c.Request().Context().Done()
			return fmt.Errorf("reading the table: %w", c.Request().Context().Err())
		})
	})
	ctx, disconnect := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/slow", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(finished)
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
		}
	}()
	<-started
	disconnect()
	<-finished
	server.Close() // waits until the handler has returned
	if strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "status=499") {
		t.Errorf("got an error, or no status 499, in the log:\n%s", log)
	}
}

// TestNewServer_TimesOutSlowHeaders checks that the server closes a connection at the time
// limit for headers. The test sends half a header, and uses the fake clock of synctest.
func TestNewServer_TimesOutSlowHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := web.NewServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
		if server.ReadTimeout <= 0 || server.WriteTimeout <= 0 || server.IdleTimeout <= 0 || server.MaxHeaderBytes <= 0 {
			t.Errorf("got a server without all limits: %+v", server)
		}
		listener := newPipeListener()
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(listener) })
		client := listener.dial()
		start := time.Now()
		if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: "); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(client); err != nil || time.Since(start) != server.ReadHeaderTimeout {
			t.Errorf("got %v, %v; want the connection closed after %v", time.Since(start), err, server.ReadHeaderTimeout)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		serving.Wait()
	})
}

// pipeListener is a net.Listener for connections in memory.
type pipeListener struct {
	connections chan net.Conn
	closed      chan struct{}
	closeOnce   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{connections: make(chan net.Conn), closed: make(chan struct{})}
}

// dial returns the client's end of a new connection.
func (l *pipeListener) dial() net.Conn {
	client, server := net.Pipe()
	l.connections <- server
	return client
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.connections:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.closeOnce.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

package handlers

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stockroom/web"
)

// TestSlowBody_IsNotLoggedAsError submits forms whose body does not arrive in time. The
// client must get an error page, and the log must not contain an error.
func TestSlowBody_IsNotLoggedAsError(t *testing.T) {
	b := open(t)
	cookie := b.as(t, "admin").sessionCookie()
	b.sendSlowBodies(t, []string{
		"POST /login HTTP/1.1\r\nContent-Length: 100\r\n\r\nusername=",
		"POST /login HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nusername=\r\n",
		"POST /customers/c01/notes HTTP/1.1\r\nCookie: " + cookie.String() + "\r\nContent-Length: 100\r\n\r\nnote=",
		"POST /theme HTTP/1.1\r\nCookie: " + cookie.String() + "\r\nContent-Length: 100\r\n\r\n",
		"POST /orders/new HTTP/1.1\r\nContent-Length: 100\r\n\r\n", // without a session, so the program would keep the form for the sign-in page
	})
}

// TestSlowBody_AfterRequestTimeout is like TestSlowBody_IsNotLoggedAsError, but the
// request times out before its body does, as in production.
func TestSlowBody_AfterRequestTimeout(t *testing.T) {
	b := open(t)
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	site, err := newSite(Config{
		Store: b.store, Imports: b.imports, Jobs: b.site.jobs, Log: slog.New(slog.NewTextHandler(b.log, nil)), SessionKeys: keys,
		RequestTimeout: time.Nanosecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Config.Handler = site.tools.Protect(site.router)
	b.sendSlowBodies(t, []string{
		"POST /login HTTP/1.1\r\nContent-Length: 100\r\n\r\n",
		"POST /orders/new HTTP/1.1\r\nContent-Length: 100\r\n\r\nnote=",
	})
}

// sendSlowBodies sends requests whose body never ends. Each must get the status 408 on
// a connection that is then closed, and the log must contain no errors.
func (b *backOffice) sendSlowBodies(t *testing.T, heads []string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.Config = web.NewServer(b.Config.Handler, slog.New(slog.DiscardHandler))
	server.Config.ReadTimeout = 300 * time.Millisecond
	server.Start()
	defer server.Close()
	for _, head := range heads {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		request := strings.Replace(head, "\r\n", fmt.Sprintf("\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\n", server.Listener.Addr()), 1)
		if _, err := io.WriteString(connection, request); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Errorf("%.40q: got no response: %v", head, err)
			continue
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != http.StatusRequestTimeout || !response.Close || !strings.Contains(string(body), "arrived too slowly") {
			t.Errorf("%.40q: got %s, closed %v, error %v, want 408 and a closed connection: %s", head, response.Status, response.Close, err, content(string(body)))
		}
	}
	if log := b.log.String(); strings.Contains(log, "level=ERROR") || strings.Count(log, "status=408") != len(heads) {
		t.Errorf("got the log\n%s\nwant requests with status 408 and no errors", log)
	}
}

// TestSlowBody_DoesNotDelayAnswers sends requests that the server refuses without
// reading their body. The body never arrives. The response must not wait for it.
func TestSlowBody_DoesNotDelayAnswers(t *testing.T) {
	b := open(t)
	server := httptest.NewUnstartedServer(nil)
	server.Config = web.NewServer(b.Config.Handler, slog.New(slog.DiscardHandler))
	server.Config.ReadTimeout = time.Hour
	server.Start()
	defer server.Close()
	for head, want := range map[string]int{
		"POST /nothing HTTP/1.1\r\n":                               http.StatusSeeOther,
		"POST /account/password HTTP/1.1\r\n":                      http.StatusSeeOther,
		"POST /login HTTP/1.1\r\nOrigin: https://evil.example\r\n": http.StatusForbidden,
		"POST /login HTTP/1.1\r\nContent-Type: text/plain\r\n":     http.StatusUnsupportedMediaType,
	} {
		for _, length := range []int{1000, 100_000} {
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fprintf(connection, "%sHost: %s\r\nContent-Length: %d\r\n\r\n", head, server.Listener.Addr(), length); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				t.Errorf("%q: got no response: %v", head, err)
				continue
			}
			_ = response.Body.Close()
			if response.StatusCode != want || !response.Close {
				t.Errorf("%q: got %s, closed %v, want %d and a closed connection", head, response.Status, response.Close, want)
			}
		}
	}
}

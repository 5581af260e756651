package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/web"
)

// pair is a row of the test lists.
type pair struct {
	Name   string
	Amount string
}

var pairColumns = []web.Column[pair]{
	{Name: "Name", Cell: func(p pair) web.Cell { return web.Text(p.Name) }},
	{Name: "Amount", Cell: func(p pair) web.Cell { return web.Money(p.Amount) }},
}

// TestDownload_WaitsForRecords downloads a file with two records, each of which takes a minute
// to find. If an error occurs instead of the first record, the response must be an error page.
// The test uses the fake clock of synctest.
func TestDownload_WaitsForRecords(t *testing.T) {
	for path, want := range map[string]struct {
		status int
		body   string
	}{
		"/file":   {http.StatusOK, "foundfound"},
		"/broken": {http.StatusNotFound, "There is no page at this address."},
	} {
		t.Run(path, func(t *testing.T) { testSlowDownload(t, path, want.status, want.body) })
	}
}

func testSlowDownload(t *testing.T, path string, status int, body string) {
	synctest.Test(t, func(t *testing.T) {
		logger := slog.New(slog.DiscardHandler)
		tools := web.New(web.Config{Keys: [][]byte{[]byte("key")}, Log: logger, Problem: problem})
		e := tools.Router()
		e.GET("/*", func(c echo.Context) error {
			file := web.Download(c, "file.txt", "text/plain")
			for range 2 {
				select {
				case <-c.Request().Context().Done():
					return context.Cause(c.Request().Context())
				case <-time.After(time.Minute):
				}
				if c.Request().URL.Path == "/broken" {
					return echo.ErrNotFound
				}
				if _, err := io.WriteString(file, "found"); err != nil {
					return err
				}
			}
			return nil
		})
		server, listener := web.NewServer(tools.Protect(e), logger), newPipeListener()
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(listener) })
		defer func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			serving.Wait()
		}()
		client := listener.dial()
		if _, err := io.WriteString(client, "GET "+path+" HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(response.Body); err != nil || response.StatusCode != status || !strings.Contains(string(got), body) {
			t.Errorf("got status %d, %v and %q, want %d and %q", response.StatusCode, err, got, status, body)
		}
	})
}

func TestSendRows(t *testing.T) {
	server, _ := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		rows := func(yield func(pair, error) bool) {
			_ = yield(pair{"=1+1", "-12.50"}, nil) && yield(pair{`<a>, "b"`, "3"}, nil)
		}
		empty := func(func(pair, error) bool) {}
		failing := func(yield func(pair, error) bool) { yield(pair{}, errors.New("a secret")) }
		e.GET("/pairs", func(c echo.Context) error { return web.SendRows(c, "pairs", 2, pairColumns, rows) })
		e.GET("/empty", func(c echo.Context) error { return web.SendRows(c, "empty", 2, pairColumns, empty) })
		e.GET("/failing", func(c echo.Context) error { return web.SendRows(c, "failing", 2, pairColumns, failing) })
		e.GET("/one", func(c echo.Context) error { return web.SendJSON(c, pair{"a", "1"}) })
	})
	for path, want := range map[string]struct {
		status            int
		contentType, body string
	}{
		"/pairs.csv":    {200, "text/csv; charset=utf-8; header=present", "Name,Amount\r\n'=1+1,-12.50\r\n\"<a>, \"\"b\"\"\",3.00\r\n"},
		"/empty.csv":    {200, "text/csv; charset=utf-8; header=present", "Name,Amount\r\n"},
		"/pairs.json":   {200, "application/json", `{"rows":[{"Name":"=1+1","Amount":"-12.50"},{"Name":"\u003ca\u003e, \"b\"","Amount":"3"}]}`},
		"/empty.json":   {200, "application/json", `{"rows":[]}`},
		"/one.json":     {200, "application/json", `{"Name":"a","Amount":"1"}`},
		"/failing.csv":  {500, "application/json", ""},
		"/failing.json": {500, "application/json", ""},
	} {
		response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+path)
		if strings.HasSuffix(path, ".json") {
			var all any
			if err := json.Unmarshal([]byte(body), &all); err != nil {
				t.Errorf("%s: got no JSON: %v in %s", path, err, body)
			}
			body = strings.ReplaceAll(strings.TrimSpace(body), "\n", "")
		}
		if response.StatusCode != want.status || response.Header.Get("Content-Type") != want.contentType || want.body != "" && body != want.body {
			t.Errorf("%s: got %s, %s, %s; want %+v", path, response.Status, response.Header.Get("Content-Type"), body, want)
		}
		disposition := response.Header.Get("Content-Disposition")
		if csv := want.status == 200 && strings.HasSuffix(path, ".csv"); csv != (disposition == "attachment; filename="+strings.TrimPrefix(path, "/")) {
			t.Errorf("%s: got Content-Disposition %q", path, disposition)
		}
	}
}

// TestSendRows_OutlivesWriteTimeout checks that a client gets all rows of a download that
// takes longer than the write timeout.
func TestSendRows_OutlivesWriteTimeout(t *testing.T) {
	const writeTimeout = 50 * time.Millisecond
	server, _ := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		e.GET("/slow", func(c echo.Context) error {
			if err := http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
				return err
			}
			return web.SendRows(c, "slow", 2, pairColumns, func(yield func(pair, error) bool) {
				for range 3 {
					time.Sleep(writeTimeout)
					if !yield(pair{"a", "1"}, nil) {
						return
					}
				}
			})
		})
	})
	response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+"/slow.csv")
	if response.StatusCode != 200 || strings.Count(body, "a,1.00\r\n") != 3 {
		t.Errorf("got %s %q, want 3 rows", response.Status, body)
	}
}

func TestNegotiate_Suffixes(t *testing.T) {
	server, _ := serveRoutes(t, func(_ *web.Tools, e *echo.Echo) {
		e.GET("/things/:id", func(c echo.Context) error {
			return c.String(http.StatusOK, c.Param("id")+" as "+string(web.FormatOf(c)))
		})
	})
	for path, want := range map[string]string{
		"/things/a":              "a as ",
		"/things/a.json":         "a as json",
		"/things/a.csv":          "a as csv",
		"/things/a.JSON":         "a.JSON as ",
		"/things/a%2Ejson":       "a%2Ejson as ",
		"/things/a%2Ejson.csv":   "a%2Ejson as csv",
		"/things/a.json.json":    "a.json as json",
		"/things/a%2Fb.json":     "a%2Fb as json",
		"/things/a?b=/x.json":    "a as ",
		"/things/a.xml":          "a.xml as ",
		"/things/%C3%A5%20.json": "å  as json",
	} {
		if response, body := fetch(t, http.DefaultClient, http.MethodGet, server.URL+path); response.StatusCode != 200 || body != want {
			t.Errorf("%s: got %s %q, want %q", path, response.Status, body, want)
		}
	}
}

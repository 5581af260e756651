package handlers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store/demo"
	"stockroom/web"
)

const (
	servedConnections = 32
	servedTime        = 250 * time.Millisecond // duration of a measurement, per server and round
	servedGCPercent   = 400                    // the value that handlers/cli sets for a server
)

// BenchmarkServed measures pages per second over loopback TCP, signed in and with all
// middleware. Each round also measures a server that only writes the same bytes. The
// results are the medians of all rounds. Use -benchtime 15x for 15 rounds.
func BenchmarkServed(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(servedGCPercent))
	for _, page := range []struct {
		name, path string
		size       demo.Size
		changing   bool // the table changes before each request
	}{
		{"order list", orderListPath, demo.Small, false},
		{"order list after change", orderListPath, demo.Small, true},
		{"order detail", orderPath(), demo.Small, false},
		{"order detail after change", orderPath(), demo.Small, true},
		{"Today", "/", demo.Full, false},
	} {
		b.Run(page.name, func(b *testing.B) {
			office := serveDemo(b, page.size, 1)
			if page.changing {
				office.changeBeforeRequests()
			}
			benchmarkServed(b, office, page.path)
		})
	}
}

// changeBeforeRequests makes the table seem changed before each request. Call it before
// the first request.
func (b *backOffice) changeBeforeRequests() {
	served := b.Config.Handler
	b.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.db.changed.Add(1)
		served.ServeHTTP(w, r)
	})
}

func benchmarkServed(b *testing.B, office *backOffice, path string) {
	browser := office.as(b, "viewer")
	request := browser.request(http.MethodGet, path, "")
	request.AddCookie(browser.sessionCookie())
	var raw bytes.Buffer
	if err := request.Write(&raw); err != nil {
		b.Fatal(err)
	}
	canned := cannedServer(browser.get(path).body)
	b.Cleanup(canned.Close)
	pages := newLoad(b, office.Listener.Addr(), raw.Bytes())
	limit := newLoad(b, canned.Listener.Addr(), raw.Bytes())
	var rates, ratios []float64
	for b.Loop() {
		page, most := pages.perSecond(b), limit.perSecond(b)
		rates, ratios = append(rates, page), append(ratios, page/most)
	}
	b.ReportMetric(median(rates), "pages/s")
	b.ReportMetric(median(ratios), "of-canned")
	b.ReportMetric(0, "ns/op")
}

// cannedServer returns a server that answers each request with the same page.
func cannedServer(page string) *httptest.Server {
	canned, body := httptest.NewUnstartedServer(nil), []byte(page)
	canned.Config = web.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body) // ignore the error, because the client reports failures
	}), slog.New(slog.DiscardHandler))
	canned.Start()
	return canned
}

// load sends the same request over several connections that stay open.
type load struct {
	request     []byte
	connections []*connection
}

type connection struct {
	net.Conn
	in *bufio.Reader
}

func newLoad(b *testing.B, server net.Addr, request []byte) *load {
	l := &load{request: request}
	for range servedConnections {
		c, err := net.Dial(server.Network(), server.String())
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = c.Close() })
		l.connections = append(l.connections, &connection{c, bufio.NewReaderSize(c, 64<<10)})
	}
	return l
}

// perSecond sends requests for servedTime. On each connection, it sends them one after
// the other. It returns the number of responses per second.
func (l *load) perSecond(b *testing.B) float64 {
	var responses atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for _, c := range l.connections {
		group.Go(func() {
			for time.Since(began) < servedTime {
				if err := c.get(l.request); err != nil {
					b.Error(err)
					return
				}
				responses.Add(1)
			}
		})
	}
	group.Wait()
	return float64(responses.Load()) / time.Since(began).Seconds()
}

// get sends a request and reads the response. It parses only the status and the lengths, so
// that the client takes little of the measured time.
func (c *connection) get(request []byte) error {
	if _, err := c.Write(request); err != nil {
		return err
	}
	status, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("got %q, want status 200", status)
	}
	length, chunked := -1, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = lengthOf(value, 10); err != nil {
				return err
			}
		}
		chunked = chunked || bytes.HasPrefix(line, []byte("Transfer-Encoding: chunked"))
		if len(line) == len("\r\n") {
			break
		}
	}
	switch {
	case chunked:
		return c.skipChunks()
	case length < 0:
		return errors.New("the response has no length")
	}
	_, err = c.in.Discard(length)
	return err
}

// skipChunks discards a body with chunked encoding. Each chunk consists of its length in
// hexadecimal and the data. The last chunk is empty.
func (c *connection) skipChunks() error {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		length, err := lengthOf(line, 16)
		if err != nil {
			return err
		}
		if _, err := c.in.Discard(length + len("\r\n")); err != nil || length == 0 {
			return err
		}
	}
}

func lengthOf(line []byte, base int) (int, error) {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), base, 32)
	return int(n), err
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

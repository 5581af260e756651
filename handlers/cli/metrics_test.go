package cli

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stockroom/handlers/metrics"
)

// addressed is a listener that only has an address.
type addressed struct {
	net.Listener
	address string
}

func (a addressed) Addr() net.Addr {
	tcp, err := net.ResolveTCPAddr("tcp", a.address)
	if err != nil {
		panic(err)
	}
	return tcp
}

// TestMetrics_Hosts checks who can read metrics and profiles. On loopback, a web page must
// not be able to read them, even if its domain resolves to this machine. On other
// addresses, there must be no profiles.
func TestMetrics_Hosts(t *testing.T) {
	for _, c := range []struct {
		address, host, path string
		want                int
	}{
		{"127.0.0.1:9100", "127.0.0.1:9100", "/metrics", http.StatusOK},
		{"127.0.0.1:9100", "localhost:9100", "/debug/pprof/", http.StatusOK},
		{"127.0.0.1:9100", "localhost:9100", "/debug/pprof/cmdline", http.StatusNotFound},
		{"127.0.0.1:9100", "evil.example:9100", "/metrics", http.StatusForbidden},
		{"[::1]:9100", "evil.example:9100", "/debug/pprof/", http.StatusForbidden},
		{"10.0.3.7:9100", "stockroom.example:9100", "/metrics", http.StatusOK},
		{"10.0.3.7:9100", "10.0.3.7:9100", "/debug/pprof/", http.StatusNotFound},
		{"[::]:9100", "localhost:9100", "/debug/pprof/goroutine", http.StatusNotFound},
	} {
		m := &metricsServer{Metrics: metrics.New(), listener: addressed{address: c.address}}
		request := httptest.NewRequest(http.MethodGet, c.path, nil)
		request.Host = c.host
		response := httptest.NewRecorder()
		m.handler().ServeHTTP(response, request)
		if response.Code != c.want {
			t.Errorf("%s of %s on %s: got status %d, want %d", c.path, c.host, c.address, response.Code, c.want)
		}
	}
}

func TestCached_ReadsOncePerLifetime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0.0
		value := cached(30*time.Second, func() float64 { reads++; return reads })
		expect := func(want float64) {
			t.Helper()
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if got := value(); got != want {
						t.Errorf("got value of read %v, want %v", got, want)
					}
				})
			}
			all.Wait()
		}
		expect(1)
		time.Sleep(29 * time.Second)
		expect(1)
		time.Sleep(time.Second)
		expect(2)
	})
}

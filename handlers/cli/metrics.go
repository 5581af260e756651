package cli

import (
	"context"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"stockroom/handlers/metrics"
	"stockroom/store/embedded/wire"
	"stockroom/store/jobs"
)

// metricsServer counts what this process does, and serves the counts as metrics. A nil
// metricsServer does nothing.
type metricsServer struct {
	*metrics.Metrics
	listener net.Listener
}

// listenForMetrics listens on the address of -metrics-addr. It returns nil without the
// flag.
func (c *call) listenForMetrics() (*metricsServer, error) {
	if c.metricsAddr == "" {
		return nil, nil
	}
	address := c.metricsAddr
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	listener, err := listen("-metrics-addr", address)
	if err != nil {
		return nil, err
	}
	return &metricsServer{Metrics: metrics.New(), listener: listener}, nil
}

// countTable counts all requests to the backend from now on.
func (m *metricsServer) countTable(b *backend) {
	if m == nil {
		return
	}
	b.DB = m.Table(b.DB)
	if engine := b.engine; engine != nil {
		m.Gauge("stockroom_engine_file_bytes", func() float64 { return float64(engine.Stats().FileBytes) })
		m.Gauge("stockroom_engine_commits_total", func() float64 { return float64(engine.Stats().Commits) })
		m.Gauge("stockroom_engine_commit_seconds_total", func() float64 { return engine.Stats().CommitTime.Seconds() })
	}
}

// behindTimeout limits the time for reading how far payments are behind. The other
// metrics are thus served even if the table does not respond.
const behindTimeout = 2 * time.Second

// behindLifetime is the time after which the table is read again, however often the
// metrics are requested.
const behindLifetime = 30 * time.Second

// countJobs counts the steps of all job runs from now on.
func (m *metricsServer) countJobs(runner *jobs.Runner) {
	if m == nil {
		return
	}
	runner.Observe = m.Step
	m.Gauge("stockroom_payments_behind_days", cached(behindLifetime, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), behindTimeout)
		defer cancel()
		days, err := runner.PaymentsBehind(ctx)
		if err != nil {
			return math.NaN()
		}
		return float64(days)
	}))
}

// cached returns a function that calls read at most once per lifetime, and otherwise
// returns the last value. Concurrent callers wait for the same call.
func cached(lifetime time.Duration, read func() float64) func() float64 {
	var mu sync.Mutex
	var value float64
	var expires time.Time
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); !now.Before(expires) {
			value = read()
			expires = now.Add(lifetime)
		}
		return value
	}
}

// counted returns the metrics, or nil if there is no metrics server.
func (m *metricsServer) counted() *metrics.Metrics {
	if m == nil {
		return nil
	}
	return m.Metrics
}

// start serves the metrics, and returns the line that serve prints about it.
func (m *metricsServer) start(running *servers) (greeting []string) {
	if m == nil {
		return nil
	}
	running.start(m.listener, m.handler())
	return []string{"Metrics are at " + urlOf(m.listener.Addr()) + "/metrics"}
}

// handler serves the metrics. On loopback, it also serves profiles. It then accepts only
// requests whose Host is loopback. Otherwise a web page could read the profiles through a
// domain name that resolves to this machine (DNS rebinding).
func (m *metricsServer) handler() http.Handler {
	local := wire.IsLoopback(m.listener.Addr().String())
	handler := m.Handler(local)
	if !local {
		return handler
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !wire.IsLoopback(r.Host) {
			http.Error(w, "Only loopback hosts are served", http.StatusForbidden)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// Close stops listening.
func (m *metricsServer) Close() error {
	if m == nil {
		return nil
	}
	return m.listener.Close()
}

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
	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/jobs"
)

// metricsServer collects the metrics of this process and serves them. The methods of a nil
// metricsServer do nothing.
type metricsServer struct {
	*metrics.Metrics
	listener net.Listener
}

// listenForMetrics listens on the address of -metrics-addr. Without this flag, it
// returns nil.
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

// countTable makes the metrics count all requests to the table. It also adds the metrics of
// the embedded store.
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

// countCosts makes the metrics count the costs of all requests by page, job and role.
func (m *metricsServer) countCosts(s *store.Store) {
	if m != nil {
		s.ObserveCosts(m.Cost)
	}
}

// behindTimeout is the maximum time that the metric about late payments waits for the
// table. If the table does not respond, the other metrics are still available.
const behindTimeout = 2 * time.Second

// behindLifetime is the time for which the metric about late payments is cached.
const behindLifetime = 30 * time.Second

// countJobs makes the metrics count the steps of all jobs. It also adds the metric about
// late payments.
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

// cached returns a function that returns the value of read. It caches the value for the
// given lifetime. Concurrent callers share one call of read.
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

// start starts serving the metrics. It returns a line with their address, which the server
// prints.
func (m *metricsServer) start(running *servers) (greeting []string) {
	if m == nil {
		return nil
	}
	running.start(m.listener, m.handler())
	return []string{"Metrics are at " + urlOf(m.listener.Addr()) + "/metrics"}
}

// handler serves the metrics. On a loopback address, it also serves profiles, and accepts
// only requests whose Host header is a loopback name or address. This prevents DNS
// rebinding: a web page could otherwise read the profiles through a domain name that
// resolves to this machine.
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

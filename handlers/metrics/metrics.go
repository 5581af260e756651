// Package metrics counts what a running server does, such as requests and table reads, and
// provides the counts to Prometheus. Labels have only a few values, such as routes, access
// patterns, operations and outcomes. They never contain IDs, names or addresses.
package metrics

import (
	"fmt"
	"net/http"
	"net/http/pprof"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"stockroom/store"
)

// Metrics contains the metrics of one server. Its methods are safe for concurrent use.
type Metrics struct {
	set       *metrics.Set
	counters  kept[*metrics.Counter]
	sums      kept[*metrics.FloatCounter]
	durations kept[*histogram]
	sessions  sessions
}

// New returns metrics without any values.
func New() *Metrics {
	m := &Metrics{set: metrics.NewSet()}
	m.Gauge("stockroom_sessions", func() float64 { return float64(m.sessions.count(time.Now())) })
	return m
}

// Handler serves the metrics at /metrics, in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/). If profiles is true,
// it also serves Go's profiles at /debug/pprof/. It does not serve the command line of
// the process, because arguments can be secret.
func (m *Metrics) Handler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
	if profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// Request counts a response and its duration. The argument route is the path of the route,
// or "" if no route matched.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	default:
		method = "other"
	}
	m.count(`stockroom_http_requests_total{method=%q,route=%q,status=%q}`, method, route, strconv.Itoa(status)).Inc()
	m.observe("stockroom_http_request_duration_seconds", "route", route, took)
}

// Reads counts the requests and read units of reads, by access pattern.
func (m *Metrics) Reads(reads []store.Read) {
	for i := range reads {
		pattern := reads[i].Pattern.Name
		m.count(`stockroom_pattern_requests_total{pattern=%q}`, pattern).Add(reads[i].Requests)
		m.sum(`stockroom_pattern_read_units_total{pattern=%q}`, pattern).Add(reads[i].Units)
	}
}

// Cost adds a cost to the counts of its source and of a role. The argument source is the
// route of a page, such as GET /orders/:id, or a job.
func (m *Metrics) Cost(source, _ string, role store.Role, n store.Cost) {
	m.sum(`stockroom_cost_read_units_total{source=%q}`, source).Add(n.ReadUnits())
	m.count(`stockroom_cost_write_units_total{source=%q}`, source).Add(n.WriteUnits)
	m.sum(`stockroom_cost_role_read_units_total{role=%q}`, string(role)).Add(n.ReadUnits())
	m.count(`stockroom_cost_role_write_units_total{role=%q}`, string(role)).Add(n.WriteUnits)
}

// Step counts a step of a job, such as a charged payment or a sent reminder.
func (m *Metrics) Step(job store.JobName, outcome store.JobOutcome) {
	m.count(`stockroom_job_steps_total{daily_job=%q,outcome=%q}`, string(job), string(outcome)).Inc()
}

// Gauge adds a metric. It calls value each time Prometheus reads the metrics.
func (m *Metrics) Gauge(name string, value func() float64) { m.set.NewGauge(name, value) }

// series identifies a metric: the format of its name with labels, and the values of the
// labels.
type series struct {
	format string
	labels [3]string
}

func seriesOf(format string, labels []string) (s series) {
	s.format = format
	copy(s.labels[:], labels)
	return s
}

func (s series) name() string {
	values := make([]any, strings.Count(s.format, "%q"))
	for i := range values {
		values[i] = s.labels[i]
	}
	return fmt.Sprintf(s.format, values...)
}

// kept contains the metrics that were used before, so that counting does not format their
// names each time.
type kept[T any] struct {
	mu    sync.RWMutex
	known map[series]T
}

// get returns the metric of a series. At the first use, it calls create.
func (k *kept[T]) get(s series, create func(series) T) T {
	k.mu.RLock()
	metric, found := k.known[s]
	k.mu.RUnlock()
	if found {
		return metric
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[series]T{}
	}
	if metric, found = k.known[s]; !found {
		metric = create(s)
		k.known[s] = metric
	}
	return metric
}

func (m *Metrics) count(format string, labels ...string) *metrics.Counter {
	return m.counters.get(seriesOf(format, labels), func(s series) *metrics.Counter { return m.set.GetOrCreateCounter(s.name()) })
}

func (m *Metrics) sum(format string, labels ...string) *metrics.FloatCounter {
	return m.sums.get(seriesOf(format, labels), func(s series) *metrics.FloatCounter { return m.set.GetOrCreateFloatCounter(s.name()) })
}

// bounds are the upper bounds of a histogram's buckets, in seconds. Most pages take
// less than a millisecond with the embedded store, and about ten milliseconds with
// Amazon DynamoDB.
var bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

// histogram is a Prometheus histogram. Each bucket counts the values up to its upper
// bound.
type histogram struct {
	buckets [len(bounds)]*metrics.Counter
	all     *metrics.Counter // the bucket without an upper bound
	count   *metrics.Counter
	sum     *metrics.FloatCounter
}

// observe adds a duration to the histogram with this name and label.
func (m *Metrics) observe(name, label, value string, took time.Duration) {
	h := m.durations.get(series{name, [3]string{label, value}}, func(series) *histogram { return m.newHistogram(name, label+"="+strconv.Quote(value)) })
	for i, bound := range bounds {
		if took.Seconds() <= bound {
			h.buckets[i].Inc()
		}
	}
	h.all.Inc()
	h.count.Inc()
	h.sum.Add(took.Seconds())
}

func (m *Metrics) newHistogram(name, labels string) *histogram {
	h := &histogram{
		all:   m.set.GetOrCreateCounter(fmt.Sprintf(`%s_bucket{%s,le="+Inf"}`, name, labels)),
		count: m.set.GetOrCreateCounter(fmt.Sprintf(`%s_count{%s}`, name, labels)),
		sum:   m.set.GetOrCreateFloatCounter(fmt.Sprintf(`%s_sum{%s}`, name, labels)),
	}
	for i, bound := range bounds {
		h.buckets[i] = m.set.GetOrCreateCounter(fmt.Sprintf(`%s_bucket{%s,le="%g"}`, name, labels, bound))
	}
	return h
}

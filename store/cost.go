package store

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Cost is the number of requests to the table and the capacity that they consumed.
type Cost struct {
	Requests   int // requests to the table that succeeded
	HalfReads  int // read units, in halves: an eventually consistent read of up to 4 KB is half a unit
	WriteUnits int
}

// ReadUnits returns the read units.
func (c Cost) ReadUnits() float64 { return float64(c.HalfReads) / 2 }

// IsZero reports whether there were no requests.
func (c Cost) IsZero() bool { return c == Cost{} }

// Plus returns c + d.
func (c Cost) Plus(d Cost) Cost {
	return Cost{c.Requests + d.Requests, c.HalfReads + d.HalfReads, c.WriteUnits + d.WriteUnits}
}

// CostJob is a task of the program that reads or writes the table outside of HTTP requests.
type CostJob string

// The tasks. The table contains these values, so they must not change.
const (
	CostCheck     CostJob = "check"
	CostCosts     CostJob = "costs" // writing the costs themselves
	CostEmails    CostJob = "emails"
	CostImports   CostJob = "imports"
	CostNotices   CostJob = "notices"
	CostPayments  CostJob = "payments"
	CostReminders CostJob = "reminders"
	CostScheduler CostJob = "scheduler"
	CostSeals     CostJob = "seals"
	CostTotals    CostJob = "totals"
	CostBulk      CostJob = "bulk changes"
	CostErasure   CostJob = "erasures"
)

// CostJobs lists all tasks.
var CostJobs = []CostJob{CostBulk, CostCheck, CostCosts, CostEmails, CostErasure, CostImports, CostNotices, CostPayments, CostReminders, CostScheduler, CostSeals, CostTotals}

// Costs are costs by source, access pattern and role. The costs of each map add up to the
// total of all requests.
type Costs struct {
	Sources  map[string]Cost // costs by SourceOfPage or SourceOfJob; "" for the start of a server and for requests without a page
	Patterns map[string]Cost // costs by name of the pattern; "" for writes and for reads without a pattern
	Roles    map[Role]Cost   // costs by role of the signed-in user; "" for jobs and for pages before sign-in
}

func newCosts() Costs {
	return Costs{Sources: map[string]Cost{}, Patterns: map[string]Cost{}, Roles: map[Role]Cost{}}
}

func (c Costs) add(source, pattern string, role Role, n Cost) {
	c.Sources[source] = c.Sources[source].Plus(n)
	c.Patterns[pattern] = c.Patterns[pattern].Plus(n)
	c.Roles[role] = c.Roles[role].Plus(n)
}

func (c Costs) merge(d Costs) {
	for name, n := range d.Sources {
		c.Sources[name] = c.Sources[name].Plus(n)
	}
	for name, n := range d.Patterns {
		c.Patterns[name] = c.Patterns[name].Plus(n)
	}
	for name, n := range d.Roles {
		c.Roles[name] = c.Roles[name].Plus(n)
	}
}

// Total returns the sum of all costs.
func (c Costs) Total() Cost {
	var sum Cost
	for n := range maps.Values(c.Sources) {
		sum = sum.Plus(n)
	}
	return sum
}

// SourceOfPage returns the source of a page. route is the path of the page's route, such
// as /orders/:id.
func SourceOfPage(method, route string) string { return method + " " + route }

// SourceOfJob returns the source of a task of the program.
func SourceOfJob(job CostJob) string { return "job " + string(job) }

// Spending collects the costs of one HTTP request. The costs are counted at the end of the
// request, when the role of the user is known.
type Spending struct {
	mu    sync.Mutex
	ended bool
	costs map[string]Cost // costs by pattern
}

type (
	spendingKey struct{}
	costJobKey  struct{}
)

// WithSpending returns a context whose requests to the table are added to the spending.
func WithSpending(ctx context.Context, s *Spending) context.Context {
	return context.WithValue(ctx, spendingKey{}, s)
}

// WithCostJob returns a context whose requests to the table belong to a task of the
// program.
func WithCostJob(ctx context.Context, job CostJob) context.Context {
	return context.WithValue(context.WithValue(ctx, spendingKey{}, (*Spending)(nil)), costJobKey{}, SourceOfJob(job))
}

// EndSpending adds the cost of an HTTP request to the totals. Later requests to the
// table with the same context count as requests without a page.
func (s *Store) EndSpending(of *Spending, source string, role Role) {
	of.mu.Lock()
	costs := of.costs
	of.costs, of.ended = nil, true
	of.mu.Unlock()
	for pattern, n := range costs {
		s.costs.add(s.now(), source, pattern, role, n)
	}
}

// add keeps a cost until the request ends. It returns false if the request has ended.
func (s *Spending) add(pattern string, n Cost) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	if s.costs == nil {
		s.costs = map[string]Cost{}
	}
	s.costs[pattern] = s.costs[pattern].Plus(n)
	return true
}

// maxPendingDays is the maximum number of days whose costs wait in memory to be written. If
// the table cannot be written for longer, the costs of the oldest day are added to the next
// day.
const maxPendingDays = 3

// costMeter counts the costs of one server. Its methods are safe for concurrent use.
type costMeter struct {
	mu      sync.Mutex
	pending map[string]Costs // costs that are not in a batch yet, by day (UTC)
	hot     hotKeys
	observe func(source, pattern string, role Role, n Cost) // may be nil

	writing chan struct{} // full while WriteCosts runs
	server  string        // identifies this server in the items
	batch   *costBatch    // a batch that is not known to be stored; nil if there is none
	batches int           // number of batches so far
	stored  *DayCosts     // the item that was last written, or nil
}

func newCostMeter(server string) *costMeter {
	return &costMeter{pending: map[string]Costs{}, hot: newHotKeys(), writing: make(chan struct{}, 1), server: server}
}

// ObserveCosts calls observe with each cost, for metrics. Call it before the first
// request.
func (s *Store) ObserveCosts(observe func(source, pattern string, role Role, n Cost)) {
	s.costs.observe = observe
}

// consumed counts the cost of a request to the table. Package table calls it after each
// successful request.
func (s *Store) consumed(ctx context.Context, c table.Consumption) {
	n := Cost{Requests: 1, HalfReads: int(math.Round(2 * c.ReadUnits)), WriteUnits: int(math.Ceil(c.WriteUnits))}
	pattern := ""
	if c.Pattern != nil {
		pattern = c.Pattern.Name
	}
	s.costs.addKeys(s.now(), c.Keys)
	if spending, _ := ctx.Value(spendingKey{}).(*Spending); spending != nil && spending.add(pattern, n) {
		return
	}
	source, _ := ctx.Value(costJobKey{}).(string)
	s.costs.add(s.now(), source, pattern, "", n)
}

func (m *costMeter) add(now time.Time, source, pattern string, role Role, n Cost) {
	if m.observe != nil {
		m.observe(source, pattern, role, n)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var memory [len(key.Day)]byte
	day := now.UTC().AppendFormat(memory[:0], key.Day)
	found, ok := m.pending[string(day)]
	if !ok {
		found = newCosts()
		m.pending[string(day)] = found
		if days := slices.Sorted(maps.Keys(m.pending)); len(days) > maxPendingDays {
			m.pending[days[1]].merge(m.pending[days[0]])
			delete(m.pending, days[0])
		}
	}
	found.add(source, pattern, role, n)
}

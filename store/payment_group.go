package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// maxGroup is the maximum number of payments in a group. A transactional write of the
// JobTotal takes two write units, which is a quarter of a unit for each of 8 payments.
// Larger transactions conflict more often with other changes.
const maxGroup = 8

// maxGroupWait is how long the first payment of a group waits for others.
const maxGroupWait = 40 * time.Millisecond

// maxGroupCommit is how long a group tries to write its transaction. If DynamoDB
// throttles one item, it rejects the whole transaction. Without this limit, a single item
// could therefore delay all payments of the group for as long as it is throttled.
const maxGroupCommit = time.Second

// PaymentGroups records payments of a shard's run in groups. Each group is one transaction,
// which adds to the JobTotal only once. This saves write units. Each payment keeps its
// conditions. If the transaction of a group fails, each payment is recorded in a
// transaction of its own. The zero PaymentGroups is ready to use.
type PaymentGroups struct {
	mu      sync.Mutex
	working int                      // number of payments that may still join a group
	waiting map[string]*paymentGroup // groups that other payments can still join, by JobTotal.name
}

// paymentGroup is a group of payments with the same JobTotal.
type paymentGroup struct {
	name     string // see JobTotal.name
	changes  []*runChange
	complete chan struct{} // closed when no other payment will join
	ended    chan struct{} // closed when the transaction has ended; err is then set
	err      error
}

// GroupedPayment is a payment in progress. It can join one group.
type GroupedPayment struct {
	groups *PaymentGroups
	done   bool // has joined a group, or has ended
}

// Begin begins a payment. Groups wait for it until it joins a group or ends. The caller
// must call End.
func (g *PaymentGroups) Begin() *GroupedPayment {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.working++
	return &GroupedPayment{groups: g}
}

// End ends the payment. Groups no longer wait for it.
func (p *GroupedPayment) End() {
	p.groups.mu.Lock()
	defer p.groups.mu.Unlock()
	if !p.done {
		p.leave()
	}
}

// leave records that groups no longer wait for the payment. If they wait for no other
// payment, they are complete.
func (p *GroupedPayment) leave() {
	p.done = true
	if p.groups.working--; p.groups.working > 0 {
		return
	}
	for _, group := range p.groups.waiting {
		p.groups.completeGroup(group)
	}
}

func (g *PaymentGroups) completeGroup(group *paymentGroup) {
	if g.waiting[group.name] == group {
		delete(g.waiting, group.name)
		close(group.complete)
	}
}

// join adds the change of the payment to a group, and returns the group. first is true if
// the caller must commit the group. The group is nil if the payment has already joined a
// group.
func (p *GroupedPayment) join(c *runChange) (group *paymentGroup, first bool) {
	g := p.groups
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.done {
		return nil, false
	}
	name := c.jobTotal.name()
	group = g.waiting[name]
	if first = group == nil; first {
		group = &paymentGroup{name: name, complete: make(chan struct{}), ended: make(chan struct{})}
		if g.waiting == nil {
			g.waiting = map[string]*paymentGroup{}
		}
		g.waiting[name] = group
	}
	if group.changes = append(group.changes, c); len(group.changes) == maxGroup {
		g.completeGroup(group)
	}
	p.leave()
	return group, first
}

// wait waits until the group is complete or maxGroupWait has passed. After that, no payment
// can join the group.
func (g *PaymentGroups) wait(ctx context.Context, group *paymentGroup) {
	timer := time.NewTimer(maxGroupWait)
	defer timer.Stop()
	select {
	case <-group.complete:
	case <-timer.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.completeGroup(group)
}

// commitInGroup commits the change, in one transaction with other payments if possible.
func (c *runChange) commitInGroup(ctx context.Context, settings Settings) error {
	if c.jobTotal == nil || c.run.Payment == nil {
		return c.Commit(ctx)
	}
	group, first := c.run.Payment.join(c)
	switch {
	case group == nil:
		return c.Commit(ctx)
	case first:
		c.run.Payment.groups.wait(ctx, group)
		if len(group.changes) == 1 {
			return c.Commit(ctx)
		}
		group.commit(ctx, c.store, settings)
	default:
		<-group.ended
	}
	if group.err == nil {
		return nil
	}
	return c.Commit(ctx)
}

func (group *paymentGroup) commit(ctx context.Context, s *Store, settings Settings) {
	defer close(group.ended)
	group.err = errors.New("the transaction of the group did not end") // replaced below, unless Commit panics
	ctx, cancel := context.WithTimeout(ctx, maxGroupCommit)
	defer cancel()
	all := s.newChange(settings)
	total := *group.changes[0].jobTotal
	total.Count, total.Amount = 0, Sum{}
	for _, c := range group.changes {
		all.Append(c.Tx)
		total.Count, total.Amount = total.Count+c.jobTotal.Count, total.Amount.Plus(c.jobTotal.Amount)
	}
	all.jobTotal = &total
	group.err = all.Commit(ctx)
}

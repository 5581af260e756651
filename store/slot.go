package store

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// maxSlotWait is the maximum time that a change waits for slots that no other change of
// this server is using. A conflict would take longer, and would cost write units. Changes
// do not wait if the table has one shard, as with the embedded engine, which has no such
// conflicts.
const maxSlotWait = 100 * time.Millisecond

// counter is a number, such as a total, that is stored in several items called slots. It is
// the sum of its slots.
type counter struct {
	name  string
	slots int // number of slots, at most paymentSlots
	first int // the lowest slot
}

// openSlot is a slot to which an open transaction adds.
type openSlot struct {
	counter string
	slot    int
}

// openSlots counts the open transactions of this server that add to each slot. DynamoDB
// cancels one of two concurrent transactions that write the same item, so each transaction
// gets slots that few others are using. The method take chooses a number for the
// transaction, and the number determines the slot of each counter.
//
// The open transactions of other servers are unknown. Each server prefers one number, and
// prefers another one after a conflict. After conflicts, servers therefore prefer
// different numbers.
type openSlots struct {
	mu        sync.Mutex
	open      map[openSlot]int
	preferred int
	released  chan struct{} // closed when a transaction ends
}

func newOpenSlots() *openSlots {
	return &openSlots{open: map[openSlot]int{}, preferred: rand.N(paymentSlots), released: make(chan struct{})}
}

// avoidConflict makes the server prefer a random number. It is called after a conflict.
func (s *openSlots) avoidConflict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.preferred = rand.N(paymentSlots)
}

// take chooses a number that no open transaction uses, if possible the preferred one. If
// there is none, it waits for one, but not longer than the argument wait. It then chooses the
// number with the fewest open transactions. The number determines the slots of all counters,
// so that two transactions conflict either in all counters or in none. The caller must call
// release with the same counters when its transaction has ended.
func (s *openSlots) take(ctx context.Context, counters []counter, wait time.Duration) (number int) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		number, released := s.tryTake(counters, ctx.Err() != nil)
		if released == nil {
			return number
		}
		select {
		case <-released:
		case <-ctx.Done():
		}
	}
}

// tryTake takes the number with the fewest open transactions. However, if this number has
// open transactions, and the argument always is false, it takes no number. It then returns
// a channel that is closed when a transaction ends.
func (s *openSlots) tryTake(counters []counter, always bool) (number int, released chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fewest := -1
	for i := range paymentSlots {
		n := (s.preferred + i) % paymentSlots
		uses := 0
		for _, c := range counters {
			uses += s.open[c.slot(n)]
		}
		if fewest < 0 || uses < fewest {
			number, fewest = n, uses
		}
		if fewest == 0 {
			break
		}
	}
	if fewest > 0 && !always {
		return 0, s.released
	}
	for _, c := range counters {
		s.open[c.slot(number)]++
	}
	return number, nil
}

// release ends the use of a number that take returned.
func (s *openSlots) release(counters []counter, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range counters {
		slot := c.slot(number)
		if s.open[slot]--; s.open[slot] == 0 {
			delete(s.open, slot)
		}
	}
	close(s.released)
	s.released = make(chan struct{})
}

// slot returns the slot that a number from take determines.
func (c counter) slot(number int) openSlot { return openSlot{c.name, c.first + number%c.slots} }

// addToSlots adds the totals and counts of the change to the transaction. Call the
// returned function after the transaction has ended.
func (c *change) addToSlots(ctx context.Context) (release func()) {
	counters := slices.Concat(c.totalCounters(), c.stockCounters(), c.quotaCounters(), c.jobCounters(), c.jobTotalCounters())
	var wait time.Duration
	if c.totals.slotted {
		wait = maxSlotWait
	}
	number := c.store.slots.take(ctx, counters, wait)
	c.updateTotals(number)
	c.updateStockCounts(number)
	c.updateQuotaSlots(number)
	c.updateJobCounts(number)
	c.updateJobTotal(number)
	return func() {
		c.store.slots.release(counters, number)
		c.store.ranked.setSlots(c.slotted)
	}
}

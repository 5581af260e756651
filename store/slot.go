package store

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// maxSlotWait is how long a change waits for slots that no other change of this
// server is using. A conflict takes longer than this wait, and costs write units.
// Changes do not wait if the table has one shard, as with the embedded engine, which
// has no such conflicts.
const maxSlotWait = 100 * time.Millisecond

// counter is a number that is the sum of several items, called slots.
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
// cancels one of two concurrent transactions that write the same item, so each
// transaction gets slots that few others are using.
//
// The open transactions of other servers are unknown. Each server prefers the slots
// of one number, and prefers another number after a conflict. Servers therefore soon
// prefer different slots.
type openSlots struct {
	mu        sync.Mutex
	open      map[openSlot]int
	preferred int
	released  chan struct{} // closed when a transaction ends
}

func newOpenSlots() *openSlots {
	return &openSlots{open: map[openSlot]int{}, preferred: rand.N(paymentSlots), released: make(chan struct{})}
}

// avoidConflict makes the server prefer the slots of another number after a conflict.
func (s *openSlots) avoidConflict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.preferred = rand.N(paymentSlots)
}

// take chooses a number without open transactions, if possible the preferred one. It
// waits for such a number. When the time wait has passed, it chooses the number with
// the fewest open transactions. A transaction adds to the slots that belong to this
// number, so that two transactions conflict either in all counters or in none. The
// caller must call release with the same counters when its transaction has ended.
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

// tryTake takes a number if it has no open transactions, or if always is set. Otherwise
// it returns a channel that is closed when a transaction ends.
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

// slot returns the slot that belongs to a number.
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

package store

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// counter is a number that is the sum of several items, called slots.
type counter struct {
	name  string
	slots int // number of slots, at most paymentSlots
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
// The slots of other servers are unknown. Each server prefers the slots of one number,
// and prefers another number after a conflict. A few servers thus soon prefer different
// slots.
type openSlots struct {
	mu        sync.Mutex
	open      map[openSlot]int
	preferred int
}

func newOpenSlots() *openSlots {
	return &openSlots{open: map[openSlot]int{}, preferred: rand.N(paymentSlots)}
}

// avoidConflict makes the server prefer the slots of another number.
func (s *openSlots) avoidConflict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.preferred = rand.N(paymentSlots)
}

// take chooses a number with the fewest open transactions, if possible the preferred one. A
// transaction adds to the slots that belong to this number, so that two transactions
// conflict either in all counters or in none. The caller must call release with the same
// arguments when its transaction has ended.
func (s *openSlots) take(counters []counter) (number int) {
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
	for _, c := range counters {
		s.open[c.slot(number)]++
	}
	return number
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
}

// slot returns the slot that belongs to a number.
func (c counter) slot(number int) openSlot { return openSlot{c.name, number % c.slots} }

// addToSlots adds the totals and counts of the change to the transaction. Call the
// function that it returns after the transaction has ended.
func (c *change) addToSlots() (release func()) {
	counters := slices.Concat(c.totalCounters(), c.stockCounters(), c.quotaCounters(), c.jobCounters(), c.jobTotalCounters())
	number := c.store.slots.take(counters)
	c.updateTotals(number)
	c.updateStockCounts(number)
	c.updateQuotaSlots(number)
	c.updateJobCounts(number)
	c.updateJobTotal(number)
	return func() { c.store.slots.release(counters, number) }
}

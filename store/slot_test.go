package store

import "testing"

func TestOpenSlots_PreferFreeSlots(t *testing.T) {
	var slots openSlots
	stock, total := counter{"p#7", 4}, counter{"total#orders#2026-11-21#0", 16}
	both := []counter{stock, total}
	var taken []int
	for uses := 1; uses <= 3; uses++ {
		for range stock.slots {
			taken = append(taken, slots.take(both))
		}
		for n := range stock.slots {
			if got := slots.open[stock.slot(n)]; got != uses {
				t.Errorf("slot %d after %d transactions: got %d uses, want %d", n, len(taken), got, uses)
			}
		}
	}
	slots.release(both, taken[0])
	if got := slots.take([]counter{stock}); stock.slot(got) != stock.slot(taken[0]) {
		t.Errorf("got the slot of %d, want that of %d, which was released", got, taken[0])
	} else {
		slots.release([]counter{stock}, got)
	}
	for _, number := range taken[1:] {
		slots.release(both, number)
	}
	if len(slots.open) > 0 {
		t.Errorf("after the release of all slots, got %v", slots.open)
	}
}

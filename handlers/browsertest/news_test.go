package browsertest

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestNews_OnToday checks that a manager sees the news since the last visit on every
// screen, and can dismiss them with and without JavaScript.
func TestNews_OnToday(t *testing.T) {
	event := func(id, partition string, what store.EventCode, audience string) *store.Event {
		return &store.Event{ID: "01M80ZZZZZ00000000000000" + id, Partition: partition, When: storetest.Now.Add(-time.Hour), By: "kim", What: what, Audience: audience}
	}
	note := event("01", "o#o0001", store.EventNote, "role#manager")
	note.Why = "The customer called: please ship the last two chairs on Monday, not before, because nobody is at the warehouse in Göteborg. <b>שלום</b>"
	counted := event("02", "p#p01", store.EventStockCounted, "w#w1")
	counted.Before, counted.After = "w1: 12", "w1: 9"
	entities := []store.Entity{
		&store.Visit{User: "manager", Began: storetest.Now.Add(-26 * time.Hour), Version: 1},
		note, counted, event("03", "v1#inventory#inventoryULID#k10", store.EventKayakCheckedIn, "store#s1"),
	}
	for n := range 9 {
		entities = append(entities, event("1"+string(rune('0'+n)), "o#o000"+string(rune('0'+n)), store.EventOrderPlaced, "all"))
	}
	for _, sc := range []screen{{width: 1280}, {width: 1280, dark: true}, {width: 390}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t, entities...), sc)
			b.signIn("manager")
			b.visit("/")
			b.wantText("Since your last visit", "1 note for your role", "9 orders placed", "and 4 more", "1 count that differed", "warehouse w1, 12 → 9", "1 kayak checked in", "please ship the last two chairs on Monday")
			b.check("news on "+sc.String(), sc)
			b.button("Dismiss")
			b.wantText("Dismissed.", "Nothing new since your last visit")
			b.visit("/orders/o0001/notes?for=support&for=admin")
			b.wantText("Show on Today for")
			b.check("note on "+sc.String(), sc)
		})
	}
}

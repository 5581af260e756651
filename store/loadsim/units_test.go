package loadsim_test

import (
	"maps"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/loadsim"
)

// TestWriteUnits_OfOrder checks the write units of each step of an order with three lines
// and an account rep. A transaction costs two units for each item in the table, and one for
// each changed entry of an index. The order adds to a slot of the rep's quota, because the
// quota itself changed less than a minute ago.
func TestWriteUnits_OfOrder(t *testing.T) {
	want := map[string]float64{"place an order": 42, "record its payment": 18, "ship it": 61, "mark it sent": 10, "mark it delivered": 17}
	shop := loadsim.Orders(1)
	shop.Products, shop.Customers, shop.Warehouses, shop.Reps = 3, 1, 1, 1
	onEngine(t, 15, shop.Limits, shop.Entities(today), func(t *testing.T, _ *store.Store, e *loadsim.Engine) {
		server := opener(e)()
		open := func() *store.Store { return server }
		shop.PlaceOne(t.Context(), e, open) // creates the totals and the quota, so that the next order only changes them
		e.Meter.Take()
		shop.PlaceOne(t.Context(), e, open)
		counts := e.Meter.Take()
		if got := counts.UnitsByStep(); !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// TestWriteUnits_OfPayment checks how many write units a run consumes for each payment.
func TestWriteUnits_OfPayment(t *testing.T) {
	due := loadsim.Due{Limits: loadsim.DueOnTheFirst(1, 1).Limits, Shards: 1, Subscriptions: 100, ChargeTime: time.Millisecond}
	counts, _ := simulateDue(t, &due)
	if got := counts.Written() / 100; got < 15 || got >= 16 { // 15.25 with groups of 8 payments, and less than one for the run itself
		t.Errorf("got %.2f write units per payment, want less than 16", got)
	}
}

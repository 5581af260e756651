package handlers

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// peopleShards is the number of shards of the names of people.
const peopleShards = 3

// crowdedIDs returns IDs that are all in the first store.MaxRepeats shards of a list. A page of
// 200 rows queries each of these shards again, because it has more rows of the page than the
// first query reads. With more such shards, the page would end early.
func crowdedIDs(prefix string, shards int) (ids []string) {
	for n := 0; len(ids) <= store.MaxLimit; n++ {
		id := fmt.Sprintf("%s%05d", prefix, n)
		if shard, _ := strconv.Atoi(key.Shard(id, shards)); shard < store.MaxRepeats {
			ids = append(ids, id)
		}
	}
	return ids
}

// crowdedShards returns records of all lists that are divided into shards, with crowdedIDs.
// Most have a date in September. Subscriptions and rentals are due on the day in
// the argument due, or in September.
func crowdedShards(shards int, due time.Time) (records []store.Entity) {
	september := storetest.Day(2026, time.September, 15)
	expires := september.AddDate(1, 0, 0)
	for _, id := range crowdedIDs("u", shards) {
		shard, _ := strconv.Atoi(key.Shard(id, shards))
		records = append(
			records,
			&store.Order{ID: id, CustomerID: "c01", Date: september, Status: store.OrderOpen, Version: 1},
			&store.Invoice{ID: id, OrderID: id, CustomerID: "c01", Date: september, DueDate: september, Amount: store.MinorUnits(100), Status: store.InvoiceUnpaid, Version: 1},
			&store.Shipment{ID: id, OrderID: id, CustomerID: "c01", WarehouseID: "w1", Date: september, Status: store.ShipmentPacked, Version: 1},
			&store.Email{ID: id, Kind: store.EmailInvoice, To: "a@example.com", CustomerID: "c01", Status: store.EmailSent, Created: september, At: september, Expires: expires, Version: 1},
			&store.Event{ID: id, Partition: "c#c01", When: september, By: "test", What: store.EventOrderPlaced},
			&store.JobResult{Job: store.PaymentsJob, Date: september, Shard: shard, AccountID: "c01", SubscriptionID: id, SKU: "PLAN", Outcome: store.OutcomeFailed, Expires: expires},
		)
	}
	for prefix, day := range map[string]time.Time{"due": due, "late": september} {
		for _, id := range crowdedIDs(prefix, shards) {
			records = append(
				records,
				&store.Subscription{
					ID: id, AccountID: "c01", SKU: "PLAN", Status: store.SubscriptionActive, PaymentDay: 1, PaymentAmount: store.MinorUnits(100),
					NextPaymentDate: day, NextAttemptDate: day, NextReminderDate: day, Version: 1,
				},
				&store.ActiveRental{StoreID: "s1", PersonID: "c01", KayakID: id, RentalID: id, Out: september, Due: day, Version: 1},
			)
		}
	}
	for _, id := range crowdedIDs("p", peopleShards) {
		records = append(records, &store.Customer{ID: id, Name: "Crowded", Version: 1})
	}
	for shard := range shards {
		records = append(records, &store.JobRun{Job: store.PaymentsJob, Date: september, Shard: shard, State: store.JobDone, Version: 1})
	}
	return records
}

// TestLists_KeepRequestBoundsInCrowdedShards requests one page of each list that is divided
// into shards. The page must query as many shards again as it may, and keep the bound in its
// route. The page Today must keep its bound too.
func TestLists_KeepRequestBoundsInCrowdedShards(t *testing.T) {
	for _, shards := range boundedShards {
		t.Run(strconv.Itoa(shards), func(t *testing.T) { testCrowdedShards(t, shards) })
	}
}

func testCrowdedShards(t *testing.T, shards int) {
	// With few shards, a list by month or day first reads two partitions without rows.
	due, month, day := storetest.Day(2026, time.November, 21), "2026-09-30", "2026-09-15"
	if shards == key.DefaultShards {
		due, month, day = due.AddDate(0, 0, 2), "2026-11-21", "2026-09-17"
	}
	b := open(t)
	b.load(t, shards, crowdedShards(shards, due)...)
	admin := b.as(t, "admin")
	admin.get("/views") // caches the saved views for the tabs of lists
	for address, ofList := range map[string]int{
		"/orders?status=OPEN&limit=200":                                              shards,
		"/orders?status=OPEN&stock=READY&limit=200":                                  shards,
		"/orders?limit=200&to=" + month:                                              shards,
		"/orders/slips?all=yes&status=OPEN":                                          shards,
		"/orders/pick?all=yes&status=OPEN&stock=READY&warehouse=w1":                  shards,
		"/invoices?status=UNPAID&limit=200":                                          shards,
		"/invoices?status=OVERDUE&limit=200":                                         shards,
		"/invoices?limit=200&to=" + month:                                            shards,
		"/invoices/print?all=yes&status=OVERDUE":                                     shards,
		"/shipments?status=PACKED&limit=200":                                         shards,
		"/shipments?status=PACKED&warehouse=w2&limit=200":                            shards,
		"/shipments?status=ALL&limit=200":                                            shards,
		"/stores":                                                                    shards,
		"/rentals/overdue?limit=200":                                                 shards,
		"/rentals/overdue/print?all=yes":                                             shards,
		"/subscriptions?limit=200":                                                   shards,
		"/due?span=week&limit=200":                                                   shards,
		"/due?span=week&kind=reminder&limit=200":                                     shards,
		"/due?span=behind&limit=200":                                                 shards,
		"/jobs/payments/2026-09-15?limit=200":                                        shards,
		"/jobs/payments/2026-09-15?show=failures&limit=200":                          shards,
		"/jobs/payments/" + due.Format(time.DateOnly) + "/dry-run?limit=200":         shards,
		"/jobs/reminders/" + due.Format(time.DateOnly) + "/dry-run?limit=200":        shards,
		"/jobs/notices/" + due.Format(time.DateOnly) + "/dry-run?limit=200":          shards,
		"/emails?status=SENT&limit=200":                                              shards,
		"/data/patterns/getOrdersByStatusForDateRange?try=yes&status=OPEN&limit=200": shards,
		"/admin/events?limit=200&to=" + day:                                          shards,
		"/customers?name=crowded&limit=200":                                          peopleShards,
	} {
		row := b.routeOf(address)
		if row == nil {
			t.Fatalf("%s: got no route", address)
		}
		before := b.db.requests.Load()
		got := admin.get(address)
		requests := int(b.db.requests.Load() - before)
		least, most := ofList+store.MaxRepeats, row.reads.requests+row.reads.shard*shards
		if got.status != http.StatusOK || requests < least || requests > most {
			t.Errorf("%s: got status %d and %d table requests, want 200 and %d to %d", address, got.status, requests, least, most)
		}
	}
	for view := range 14 {
		b.clock.Advance(time.Minute)
		before := b.db.requests.Load()
		got := admin.get("/")
		if n := b.db.requests.Load() - before; got.status != http.StatusOK || n > todayRequests {
			t.Errorf("Today, view %d: got status %d and %d table requests, want 200 and at most %d", view, got.status, n, todayRequests)
		}
	}
}

package loadsim

import (
	"time"

	"stockroom/store"
)

// largePartitions is the number of partitions of a table with a billion items of 400 bytes,
// if each partition has 10 GB.
const largePartitions = 40

// Sums and counts at the start of the scenario, like those of a business with a billion
// items.
const (
	largeCount = 1_000_000_000
	largeSum   = "20000000000000.00"
)

// BillionItems returns a shop whose table behaves as if it had a billion items: it has as
// many partitions, and its sums and counts are as large.
func BillionItems(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Name += " in a table with a billion items"
	s.Limits = Limits{Quota: DefaultQuota, Partitions: largePartitions}
	s.large = true
	return s
}

// largeSums returns the totals, quotas and stock levels of a large business on a day.
func (s *Scenario) largeSums(day time.Time) []store.Entity {
	sum, err := store.ParseSum(largeSum)
	if err != nil {
		panic(err)
	}
	var all []store.Entity
	for shard := range s.Shards {
		all = append(all, &store.Total{Kind: store.TotalOrders, Day: day, Shard: shard, Count: largeCount, Amount: sum, Version: largeCount})
	}
	for rep := range s.Reps {
		all = append(all, &store.Quota{EmployeeID: repID(rep), Period: store.QuarterOf(day), OrderTotal: sum, Orders: largeCount, Version: largeCount})
	}
	for n := range s.Products {
		all = append(all, &store.StockCount{ProductID: productID(n), OnHand: largeCount, Version: largeCount})
	}
	return all
}

package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// checkPageSize is the number of items of one read.
const checkPageSize = 500

// totalKey identifies a daily total (the sum of all shards), a quota, or the stock
// level of a product.
type totalKey struct {
	kind     TotalKind // "" for a quota or a stock level
	day      string
	rep      string
	quarter  Quarter
	calendar time.Time // the day as a time
	product  string    // product ID of a stock level
}

// countedSums are the sums of a total or quota, or the stock level of a product.
type countedSums struct {
	Count  int
	Amount Sum
	Stock  StockLevel
}

// totalsPass contains the sums of one pass over the table.
type totalsPass struct {
	mu            sync.Mutex
	rows, counted map[totalKey]countedSums
	versions      map[totalKey]int // sum of the versions of all items of the total, which increases with every change
}

func (p *totalsPass) addTo(sums map[totalKey]countedSums, k totalKey, added countedSums) {
	sum := sums[k]
	sum.Count, sum.Amount = sum.Count+added.Count, sum.Amount.Plus(added.Amount)
	sum.Stock = sum.Stock.plus(added.Stock)
	sums[k] = sum
}

func newTotalsPass() *totalsPass {
	return &totalsPass{rows: map[totalKey]countedSums{}, counted: map[totalKey]countedSums{}, versions: map[totalKey]int{}}
}

func dayKey(kind TotalKind, day time.Time) totalKey {
	return totalKey{kind: kind, day: day.Format(key.Day), calendar: day}
}

// read reads the whole table and adds up its records.
func (c *totalsChecker) read(ctx context.Context, p *totalsPass) error {
	group, ctx := errgroup.WithContext(ctx)
	for segment := range table.ScanSegments {
		group.Go(func() error {
			// A scan returns the items of a partition one after the other, so the pass
			// collects one order at a time.
			var order OrderDetails
			var partition string
			finish := func() {
				if order.ID != "" {
					c.addOrder(p, &order)
				}
				order = OrderDetails{}
			}
			return c.store.table.ScanFrom(ctx, segment, checkPageSize, nil, func(page table.ScanPage) error {
				p.mu.Lock()
				defer p.mu.Unlock()
				for _, item := range page.Items {
					if pk := table.TextOf(item, table.AttrPK); pk != partition {
						finish()
						partition = pk
					}
					if err := c.addItem(p, &order, item); err != nil {
						return err
					}
				}
				if page.Next == nil {
					finish()
				}
				if c.items += len(page.Items); c.how.Progress != nil {
					c.how.Progress(c.items)
				}
				return c.limit.Wait(ctx, page.Units)
			})
		})
	}
	return group.Wait()
}

// addItem adds one item to the sums of a pass. It collects the items of an order
// until the order is complete.
func (c *totalsChecker) addItem(p *totalsPass, order *OrderDetails, item Item) error {
	switch table.TextOf(item, table.AttrType) {
	case "order", "orderItem", "subscription", "receipt", "total", "jobTotal", "quota", "quotaSlot", "warehouseItem", "expectedDelivery", "transfer", "stockCount", "stockSlot", "rentalPayment":
	default:
		return nil
	}
	entity, err := Decode(item)
	if c.skipDamaged && KindOf(err) == Damaged {
		return nil
	}
	if err != nil {
		return err
	}
	if k, stock := stockKey(entity); k.product != "" {
		p.addTo(p.rows, k, countedSums{Stock: stock})
	}
	switch e := entity.(type) {
	case *Order:
		order.Order = *e
	case *OrderItem:
		order.Items = append(order.Items, *e)
	case *Subscription:
		for _, t := range e.tallies(c.settings.Zone()) {
			c.addTally(p, t)
		}
	case *Receipt:
		c.addTally(p, e.tally())
	case *RentalPayment:
		if t, counts := e.tally(c.settings.Zone()); counts {
			c.addTally(p, t)
		}
	case *Total:
		if e.Shard < c.settings.ShardsRead {
			p.addTo(p.counted, dayKey(e.Kind, e.Day), countedSums{Count: e.Count, Amount: e.Amount})
			p.versions[dayKey(e.Kind, e.Day)] += e.Version
		}
	case *JobTotal:
		if e.Shard < c.settings.ShardsRead && slices.Contains(c.store.jobTotalMonths(c.settings), e.Day.Format(key.Month)) {
			for _, t := range e.totals() {
				p.addTo(p.counted, dayKey(t.Kind, t.Day), countedSums{Count: t.Count, Amount: t.Amount})
				p.versions[dayKey(t.Kind, t.Day)] += e.Version
			}
		}
	case *Quota:
		k := totalKey{rep: e.EmployeeID, quarter: e.Period}
		p.addTo(p.counted, k, countedSums{Count: e.Orders, Amount: e.OrderTotal})
		p.versions[k] += e.Version
	case *QuotaSlot:
		k := totalKey{rep: e.EmployeeID, quarter: e.Period}
		p.addTo(p.counted, k, countedSums{Count: e.Orders, Amount: e.OrderTotal})
		p.versions[k] += e.Version
	}
	if n, ok := stockCountOf(entity); ok && n.Slot < stockSlots(c.settings.ShardsRead) {
		k := totalKey{product: n.ProductID}
		p.addTo(p.counted, k, countedSums{Stock: n.level()})
		p.versions[k] += n.Version
	}
	return nil
}

func (c *totalsChecker) addTally(p *totalsPass, t Tally) { c.add(p, t, "") }

func (c *totalsChecker) addOrder(p *totalsPass, d *OrderDetails) { c.add(p, d.Tally(), d.AccountRepID) }

func (c *totalsChecker) add(p *totalsPass, t Tally, repID string) {
	for _, k := range totalKeys(c.settings, t, repID) {
		p.addTo(p.rows, k, countedSums{Count: t.Count, Amount: t.Amount.Sum()})
	}
}

// stockKey returns the key of the stock level to which an entity adds, and what it
// adds. The product in the key is "" if the entity adds nothing.
func stockKey(e Entity) (totalKey, StockLevel) {
	product, level := stockOf(e)
	if level == (StockLevel{}) {
		return totalKey{}, level
	}
	return totalKey{product: product}, level
}

// totalKeys returns the total and, unless repID is "", the quota to which a tally
// belongs. For an empty tally, it returns nil.
func totalKeys(settings Settings, t Tally, repID string) []totalKey {
	if t.Count == 0 && t.Amount.Sign() == 0 {
		return nil
	}
	year, month, day := t.At.In(settings.Zone()).Date()
	keys := []totalKey{dayKey(t.Kind, time.Date(year, month, day, 0, 0, 0, 0, time.UTC))}
	if repID != "" {
		keys = append(keys, totalKey{rep: repID, quarter: QuarterOf(t.At.In(settings.Zone()))})
	}
	return keys
}

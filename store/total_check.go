package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// TotalsCheck are the options of CheckTotals.
type TotalsCheck struct {
	Rebuild  bool                  // correct totals and quotas that differ
	Progress func(items int)       // called after each page that was read; may be nil
	Found    func(TotalDifference) // called for each difference; may be nil
}

// TotalsResult holds the counts of CheckTotals.
type TotalsResult struct {
	Compared  int // totals of days, and quotas
	Different int
	Rebuilt   int
	Changing  int // totals and quotas that kept changing and could not be compared
}

// TotalDifference is a total or quota that differs from the records that it counts.
type TotalDifference struct {
	Kind   TotalKind // "" for a quota
	Day    string    // 2006-01-02; "" for a quota
	RepID  string
	Period string // 2006-Q1

	Count, Rows         int // the stored count, and the correct one
	Amount, AmountOfRow Sum
}

// String describes the difference in one line.
func (d TotalDifference) String() string {
	name := fmt.Sprintf("%s of %s", d.Kind, d.Day)
	if d.Kind == "" {
		name = fmt.Sprintf("quota of %s for %s", d.RepID, d.Period)
	}
	return fmt.Sprintf("%s: counted %d (%s), rows %d (%s)", name, d.Count, d.Amount, d.Rows, d.AmountOfRow)
}

// CheckTotals compares totals and quotas with the orders, subscriptions and
// receipts that they count, and with Rebuild corrects them. Servers can keep
// running. A total counts as different only if its version shows that its records
// did not change while they were read. For other differences, CheckTotals reads the
// table again, up to four times. Its memory depends on the number of days and
// quotas, not of records. It can be interrupted and run again at any time.
//
// A total of payments may be larger than the sum of the receipts, because receipts
// expire. CheckTotals returns Conflict while the number of shards changes.
func (s *Store) CheckTotals(ctx context.Context, how TotalsCheck) (TotalsResult, error) {
	settings, err := s.currentSettings(ctx)
	if err != nil {
		return TotalsResult{}, err
	}
	if settings.Moving {
		return TotalsResult{}, fail(Conflict, "The number of shards is changing. Finish 'stockroom table shards -apply %d' first.", settings.Shards)
	}
	c := totalsChecker{store: s, settings: settings, how: how, found: map[totalKey]bool{}}
	var before *totalsPass
	for range checkPasses {
		pass := &totalsPass{rows: map[totalKey]DayTotal{}, counted: map[totalKey]DayTotal{}, versions: map[totalKey]int{}}
		if err := c.read(ctx, pass); err != nil {
			return c.result, err
		}
		if err := c.compare(ctx, pass, before); err != nil || c.result.Changing == 0 {
			return c.result, err
		}
		before = pass
	}
	return c.result, nil
}

// checkPasses is the maximum number of times that the table is read.
const checkPasses = 5

// checkPageSize is how many items one read returns.
const checkPageSize = 500

// totalKey identifies the total of a day over all shards, or a quota.
type totalKey struct {
	kind     TotalKind // "" for a quota
	day      string
	rep      string
	quarter  Quarter
	calendar time.Time // the parsed day
}

// totalsPass holds the sums of one reading of the table.
type totalsPass struct {
	mu            sync.Mutex
	rows, counted map[totalKey]DayTotal
	versions      map[totalKey]int // the sum over all shards: every change raises it
}

func (p *totalsPass) addTo(sums map[totalKey]DayTotal, k totalKey, count int, amount Sum) {
	sum := sums[k]
	sum.Count, sum.Amount = sum.Count+count, sum.Amount.Plus(amount)
	sums[k] = sum
}

type totalsChecker struct {
	store    *Store
	settings Settings
	how      TotalsCheck
	found    map[totalKey]bool // differences that were already reported
	items    int
	result   TotalsResult
}

func dayKey(kind TotalKind, day time.Time) totalKey {
	return totalKey{kind: kind, day: day.Format(key.Day), calendar: day}
}

// read reads the whole table.
func (c *totalsChecker) read(ctx context.Context, p *totalsPass) error {
	group, ctx := errgroup.WithContext(ctx)
	for segment := range table.ScanSegments {
		group.Go(func() error {
			// A scan returns the items of a partition one after the other.
			var order OrderDetails
			var partition string
			finish := func() {
				if order.ID != "" {
					c.addOrder(p, &order)
				}
				order = OrderDetails{}
			}
			return c.store.table.ScanFrom(ctx, segment, checkPageSize, nil, func(items []Item, next Item) error {
				p.mu.Lock()
				defer p.mu.Unlock()
				for _, item := range items {
					if pk := table.TextOf(item, table.AttrPK); pk != partition {
						finish()
						partition = pk
					}
					if err := c.addItem(p, &order, item); err != nil {
						return err
					}
				}
				if next == nil {
					finish()
				}
				if c.items += len(items); c.how.Progress != nil {
					c.how.Progress(c.items)
				}
				return nil
			})
		})
	}
	return group.Wait()
}

// addItem adds one item to the sums of a pass. It keeps the lines of an order until
// the order is complete.
func (c *totalsChecker) addItem(p *totalsPass, order *OrderDetails, item Item) error {
	switch table.TextOf(item, table.AttrType) {
	case "order", "orderItem", "subscription", "receipt", "total", "quota":
	default:
		return nil
	}
	entity, err := Decode(item)
	if err != nil {
		return err
	}
	switch e := entity.(type) {
	case *Order:
		order.Order = *e
	case *OrderItem:
		order.Items = append(order.Items, *e)
	case *Subscription:
		if t, counts := e.dueTally(c.settings.Zone()); counts {
			c.addTally(p, t)
		}
	case *Receipt:
		c.addTally(p, e.tally())
	case *Total:
		if e.Shard < c.settings.ShardsRead {
			p.addTo(p.counted, dayKey(e.Kind, e.Day), e.Count, e.Amount)
			p.versions[dayKey(e.Kind, e.Day)] += e.Version
		}
	case *Quota:
		k := totalKey{rep: e.EmployeeID, quarter: e.Period}
		p.addTo(p.counted, k, e.Orders, e.OrderTotal)
		p.versions[k] += e.Version
	}
	return nil
}

func (c *totalsChecker) addTally(p *totalsPass, t Tally) {
	year, month, day := t.At.In(c.settings.Zone()).Date()
	p.addTo(p.rows, dayKey(t.Kind, time.Date(year, month, day, 0, 0, 0, 0, time.UTC)), t.Count, t.Amount.Sum())
}

func (c *totalsChecker) addOrder(p *totalsPass, d *OrderDetails) {
	t := d.Tally()
	if t.Count == 0 && t.Amount.Sign() == 0 {
		return
	}
	c.addTally(p, t)
	if d.AccountRepID != "" {
		p.addTo(p.rows, totalKey{rep: d.AccountRepID, quarter: QuarterOf(t.At.In(c.settings.Zone()))}, t.Count, t.Amount.Sum())
	}
}

// wanted returns the correct value of a total. same reports whether the stored
// value is correct.
func (k totalKey) wanted(rows, counted DayTotal) (wanted DayTotal, same bool) {
	if k.kind == TotalPayments {
		rows.Count = max(rows.Count, counted.Count)
		if rows.Amount.Compare(counted.Amount) < 0 {
			rows.Amount = counted.Amount
		}
	}
	return rows, rows.Count == counted.Count && rows.Amount.Compare(counted.Amount) == 0
}

// compare compares the sums of a pass with the stored totals and settles each
// difference.
func (c *totalsChecker) compare(ctx context.Context, p, before *totalsPass) error {
	keys := map[totalKey]bool{}
	for k := range p.rows {
		keys[k] = true
	}
	for k := range p.counted {
		keys[k] = true
	}
	c.result.Compared, c.result.Changing = len(keys), 0
	sorted := slices.SortedFunc(maps.Keys(keys), func(a, b totalKey) int {
		return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(a.day, b.day), cmp.Compare(a.quarter.String(), b.quarter.String()), cmp.Compare(a.rep, b.rep))
	})
	for _, k := range sorted {
		if _, same := k.wanted(p.rows[k], p.counted[k]); same || c.found[k] && !c.how.Rebuild {
			continue
		}
		settled, err := c.settle(ctx, k, p, before)
		if err != nil {
			return err
		}
		if !settled {
			c.result.Changing++
		}
	}
	return nil
}

// settle reads a total again, and reports or corrects it. It returns false if there
// was no pass before, or if the total's version has changed since then.
func (c *totalsChecker) settle(ctx context.Context, k totalKey, p, before *totalsPass) (settled bool, err error) {
	if before == nil {
		return false, nil
	}
	var day dayShards
	var quota Quota
	counted, version := DayTotal{}, 0
	if k.kind != "" {
		if day, err = c.store.readDay(ctx, Total{Kind: k.kind, Day: k.calendar}, c.settings.ShardsRead); err != nil {
			return false, err
		}
		counted = day.sum()
		for i := range day.totals {
			version += day.totals[i].Version
		}
	} else {
		if quota, err = c.readQuota(ctx, k); err != nil {
			return false, err
		}
		counted, version = DayTotal{Count: quota.Orders, Amount: quota.OrderTotal}, quota.Version
	}
	if version != before.versions[k] {
		return false, nil
	}
	wanted, same := k.wanted(p.rows[k], counted)
	if same {
		return true, nil
	}
	if !c.found[k] {
		c.found[k] = true
		c.result.Different++
		if c.how.Found != nil {
			c.how.Found(TotalDifference{
				Kind: k.kind, Day: k.day, RepID: k.rep, Period: k.quarter.String(),
				Count: counted.Count, Amount: counted.Amount, Rows: wanted.Count, AmountOfRow: wanted.Amount,
			})
		}
	}
	if !c.how.Rebuild {
		return true, nil
	}
	change := c.store.newChange(c.settings)
	if k.kind != "" {
		change.rebuildDay(day, wanted)
	} else {
		quota.Orders, quota.OrderTotal = wanted.Count, wanted.Amount
		if quota.Version == 0 {
			quota.Version = 1
			change.Create(&quota)
		} else {
			change.replaceNext(&quota, &quota.Version)
		}
	}
	if err := change.Commit(ctx); table.ConditionFailed(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	c.result.Rebuilt++
	return true, nil
}

func (c *totalsChecker) readQuota(ctx context.Context, k totalKey) (Quota, error) {
	items, err := c.store.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": k.rep}, true)
	quotas, err := decodeAll(items, err, decodeAs[Quota])
	if err != nil {
		return Quota{}, err
	}
	for _, q := range quotas {
		if q.Period == k.quarter {
			return q, nil
		}
	}
	quota := Quota{EmployeeID: k.rep, Period: k.quarter}
	rep, err := readOne[*Employee](ctx, c.store, getEmployee, key.Map{"employeeID": k.rep})
	if err == nil {
		quota.Name = rep.Name
	} else if KindOf(err) != NotFound {
		return quota, err
	}
	return quota, nil
}

// rebuildDay sets the total of a day: the first shard gets the whole value, the
// others zero. It requires that no shard has changed.
func (c *change) rebuildDay(day dayShards, wanted DayTotal) {
	for shard := range day.totals {
		t := day.totals[shard]
		next := DayTotal{}
		if shard == 0 {
			next = wanted
		}
		switch same := t.Count == next.Count && t.Amount.Compare(next.Amount) == 0; {
		case t.Version == 0 && same:
			c.CheckAbsent(&t)
		case same:
			c.Check(&t, t.Version)
		default:
			t.Count, t.Amount = next.Count, next.Amount
			if t.Version == 0 {
				t.Version = 1
				c.Create(&t)
			} else {
				c.replaceNext(&t, &t.Version)
			}
		}
	}
}

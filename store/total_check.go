package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"stockroom/store/table"
)

// TotalsCheck contains the options of CheckTotals.
type TotalsCheck struct {
	Rebuild  bool                  // correct totals, quotas and stock levels that differ
	Progress func(items int)       // called after each page of items; may be nil
	Found    func(TotalDifference) // called for each difference; may be nil
}

// TotalsResult holds the counts of CheckTotals.
type TotalsResult struct {
	Compared  int // number of compared totals (one per day), quotas and stock levels (one per product)
	Different int
	Rebuilt   int
	Changing  int // number of totals, quotas and stock levels that could not be compared because they kept changing

	// NotChecked counts the daily totals of payments before the last change of the time
	// zone. They cannot be compared, because the new time zone assigns their receipts to
	// other days.
	NotChecked int
}

// TotalDifference is a total, a quota or a stock level that differs from the records
// that it counts.
type TotalDifference struct {
	Kind      TotalKind // "" for a quota or a stock level
	Day       string    // 2006-01-02; "" for a quota or a stock level
	RepID     string
	Period    string // 2006-Q1
	ProductID string // ID of a stock level's product; otherwise ""

	Count, Rows         int // the stored and the correct count
	Amount, AmountOfRow Sum
	Stock, StockOfRows  StockLevel
}

// totalNames contains the names of kinds of totals in messages, if the name differs from
// the kind.
var totalNames = map[TotalKind]string{
	TotalDue:       "payments due",
	TotalDueAfter:  "later payments due",
	TotalRecurring: "current subscriptions",
	TotalStarted:   "created subscriptions",
	TotalCancelled: "cancelled subscriptions",
	TotalRentals:   "rental charges",
}

// String describes the difference in one line.
func (d TotalDifference) String() string {
	if d.ProductID != "" {
		return fmt.Sprintf("stock level of %s: stored %d on hand, %d committed and %d incoming, correct %d, %d and %d",
			d.ProductID, d.Stock.OnHand, d.Stock.Committed, d.Stock.Incoming, d.StockOfRows.OnHand, d.StockOfRows.Committed, d.StockOfRows.Incoming)
	}
	name := cmp.Or(totalNames[d.Kind], string(d.Kind))
	switch {
	case d.Kind == "":
		name = fmt.Sprintf("quota of %s for %s", d.RepID, d.Period)
	case d.Day != calendarDay(firstDay):
		name += " of " + d.Day
	}
	return fmt.Sprintf("%s: stored %d (%s), correct %d (%s)", name, d.Count, d.Amount, d.Rows, d.AmountOfRow)
}

// CheckTotals compares totals, quotas and stock levels with the records that they count.
// With Rebuild, it corrects those that differ. Servers can keep running. CheckTotals
// reports a difference only if the version of the total shows that no counted record
// changed while the table was read. Otherwise it reads the table again, up to four times.
// It needs memory for each day, quota and product, but not for other records. It can be
// interrupted and run again at any time.
//
// A total of payments may be larger than the sum of the receipts, because receipts expire.
// CheckTotals returns Conflict if the number of shards or the time zone changes.
func (s *Store) CheckTotals(ctx context.Context, how TotalsCheck) (TotalsResult, error) {
	settings, err := s.currentSettings(ctx)
	if err != nil {
		return TotalsResult{}, err
	}
	if settings.Moving {
		return TotalsResult{}, errShardsChanging(settings)
	}
	c := totalsChecker{store: s, settings: settings, how: how, found: map[totalKey]bool{}}
	err = c.run(ctx, nil, checkPasses)
	return c.result, err
}

// run first compares the stored totals with the sums of an earlier pass (before),
// unless before is nil. It then reads the table, at most passes times, until all
// differences are settled.
func (c *totalsChecker) run(ctx context.Context, before *totalsPass, passes int) error {
	if before != nil {
		if err := c.compare(ctx, before, nil); err != nil || c.result.Changing == 0 {
			return err
		}
	}
	for range passes {
		pass := newTotalsPass()
		if err := c.read(ctx, pass); err != nil {
			return err
		}
		if err := c.compare(ctx, pass, before); err != nil || c.result.Changing == 0 {
			return err
		}
		before = pass
	}
	return nil
}

// checkPasses is the maximum number of times that CheckTotals reads the table.
const checkPasses = 5

// totalsChecker is one run of CheckTotals.
type totalsChecker struct {
	store       *Store
	settings    Settings
	how         TotalsCheck
	limit       *table.ReadLimit  // nil for no limit
	skipDamaged bool              // skip items that cannot be decoded instead of stopping
	found       map[totalKey]bool // differences that have already been reported
	items       int
	result      TotalsResult
}

// wanted returns the correct value of a total, and whether the stored value is correct.
// rows are the sums that were computed from the records. For a total of payments, a stored
// sum that is larger than the sum of the receipts is correct, because receipts expire.
func (k totalKey) wanted(rows, stored countedSums) (wanted countedSums, same bool) {
	if k.kind == TotalPayments {
		rows.Count = max(rows.Count, stored.Count)
		if rows.Amount.Compare(stored.Amount) < 0 {
			rows.Amount = stored.Amount
		}
	}
	return rows, rows.Count == stored.Count && rows.Amount.Compare(stored.Amount) == 0 && rows.Stock == stored.Stock
}

// earliestZone is the time zone in which days begin first. In other zones, a time is
// on the same day or the day before.
var earliestZone = time.FixedZone("", 14*60*60)

// isBeforeZoneChange reports whether a total counts the payments of a day up to the last
// change of the time zone. Such a total cannot be rebuilt, because the new time zone
// assigns the receipts to other days.
func (c *totalsChecker) isBeforeZoneChange(k totalKey) bool {
	changed := c.settings.ZoneChanged
	return k.kind == TotalPayments && !changed.IsZero() && !k.calendar.After(dayIn(changed, earliestZone))
}

// compare compares the sums of a pass with the stored totals, and settles each
// difference.
func (c *totalsChecker) compare(ctx context.Context, p, before *totalsPass) error {
	keys := map[totalKey]bool{}
	for k := range p.rows {
		keys[k] = true
	}
	for k := range p.counted {
		keys[k] = true
	}
	all := len(keys)
	maps.DeleteFunc(keys, func(k totalKey, _ bool) bool { return c.isBeforeZoneChange(k) })
	c.result.Compared, c.result.Changing, c.result.NotChecked = len(keys), 0, all-len(keys)
	sorted := slices.SortedFunc(maps.Keys(keys), func(a, b totalKey) int {
		return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(a.day, b.day), cmp.Compare(a.quarter.String(), b.quarter.String()), cmp.Compare(a.rep, b.rep), cmp.Compare(a.product, b.product))
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

// settle reads a total again, and reports or corrects it. settled is false if the next pass
// must look at the total again: if there was no earlier pass (before), if the total has
// changed since then, or if settle had to add its slots before it can be corrected.
func (c *totalsChecker) settle(ctx context.Context, k totalKey, p, before *totalsPass) (settled bool, err error) {
	if before == nil {
		return false, nil
	}
	stored, err := c.readStored(ctx, k)
	if err != nil {
		return false, err
	}
	counted := stored.sums
	if stored.version != before.versions[k] {
		return false, nil
	}
	wanted, same := k.wanted(p.rows[k], counted)
	if same {
		return true, nil
	}
	if err := c.requireSettings(ctx); err != nil {
		return false, err
	}
	if !c.found[k] {
		c.found[k] = true
		c.result.Different++
		if c.how.Found != nil {
			c.how.Found(TotalDifference{
				Kind: k.kind, Day: k.day, RepID: k.rep, Period: k.quarter.String(), ProductID: k.product,
				Count: counted.Count, Amount: counted.Amount, Rows: wanted.Count, AmountOfRow: wanted.Amount,
				Stock: counted.Stock, StockOfRows: wanted.Stock,
			})
		}
	}
	if !c.how.Rebuild {
		return true, nil
	}
	if stored.fold != nil {
		return false, stored.fold(ctx) // add the slots now; the next pass corrects the total
	}
	change := c.store.newChange(c.settings)
	change.checkSettings(c.settings)
	stored.rebuild(change, wanted)
	if err := change.Commit(ctx); table.ConditionFailed(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	c.result.Rebuilt++
	return true, nil
}

// requireSettings returns Conflict if the number of shards or the time zone has changed
// since the settings were read, or if the number of shards is being changed. Otherwise, it
// sets c.settings to the current settings. Call it after reading totals. Each write of a
// total also fails if the settings have changed.
func (c *totalsChecker) requireSettings(ctx context.Context) error {
	current, err := c.store.currentSettings(ctx)
	switch {
	case err != nil:
		return err
	case current.Moving:
		return errShardsChanging(current)
	case current.Shards != c.settings.Shards || current.ShardsRead != c.settings.ShardsRead:
		return fail(Conflict, "The number of shards has changed from %d to %d. Start the check again.", c.settings.Shards, current.Shards)
	case current.TimeZone != c.settings.TimeZone:
		return fail(Conflict, "The time zone has changed from %s to %s. Start the check again.", c.settings.TimeZone, current.TimeZone)
	}
	c.settings = current
	return nil
}

// checkSettings makes the change fail if the settings have changed.
func (c *change) checkSettings(settings Settings) {
	if settings.Version == 0 {
		c.CheckAbsent(&settings)
	} else {
		c.Check(&settings, settings.Version)
	}
}

// storedSums are the stored sums of a total, a quota or a stock level.
type storedSums struct {
	sums    countedSums
	version int                         // sum of the versions of the items
	fold    func(context.Context) error // adds the slots to the total, so that it can be rebuilt; nil if there are no slots
	rebuild func(*change, countedSums)  // corrects the items if they have not changed
}

// readStored makes a consistent read of the items of a total, a quota or a stock level.
func (c *totalsChecker) readStored(ctx context.Context, k totalKey) (storedSums, error) {
	switch {
	case k.kind != "":
		return c.readStoredDay(ctx, k)
	case k.product != "":
		slots, err := c.store.readSlotsOf(ctx, k.product, c.settings.ShardsRead)
		stored := storedSums{rebuild: func(c *change, wanted countedSums) { c.rebuildStock(slots, wanted.Stock) }}
		for _, slot := range slots {
			stored.sums.Stock, stored.version = stored.sums.Stock.plus(slot.level()), stored.version+slot.Version
		}
		return stored, err
	}
	return c.readStoredQuota(ctx, quotaKey{k.rep, k.quarter})
}

// readStoredDay makes consistent reads of the total of a day, the slots of the total, and
// the JobTotals that are not yet in the total.
func (c *totalsChecker) readStoredDay(ctx context.Context, k totalKey) (storedSums, error) {
	day, err := c.store.readDay(ctx, Total{Kind: k.kind, Day: k.calendar}, c.settings.ShardsRead)
	if err != nil {
		return storedSums{}, err
	}
	total := day.sum()
	stored := storedSums{sums: countedSums{Count: total.Count, Amount: total.Amount}, rebuild: func(c *change, wanted countedSums) { c.rebuildDay(day, wanted) }}
	for _, t := range slices.Concat(day.totals, day.slots) {
		stored.version += t.Version
	}
	if len(day.slots) > 0 {
		stored.fold = func(ctx context.Context) error {
			_, err := c.store.foldSlots(ctx, c.settings, day.slots)
			return err
		}
	}
	return stored, c.addOpenJobTotals(ctx, k, &stored)
}

// addOpenJobTotals adds to stored the JobTotals that are not yet in the total.
func (c *totalsChecker) addOpenJobTotals(ctx context.Context, k totalKey, stored *storedSums) error {
	if k.kind != TotalPayments && k.kind != TotalDue && k.kind != TotalDueAfter {
		return nil
	}
	for shard := range c.settings.ShardsRead {
		open, err := c.store.readJobTotals(ctx, c.settings, shard)
		if err != nil {
			return err
		}
		for i := range open {
			for _, t := range open[i].totals() {
				if dayKey(t.Kind, t.Day) == k {
					stored.sums.Count, stored.sums.Amount = stored.sums.Count+t.Count, stored.sums.Amount.Plus(t.Amount)
					stored.version += open[i].Version
					stored.fold = func(ctx context.Context) error { return c.store.addAllJobTotals(ctx, c.settings) }
				}
			}
		}
	}
	return nil
}

// readStoredQuota makes consistent reads of a quota and its slots.
func (c *totalsChecker) readStoredQuota(ctx context.Context, k quotaKey) (storedSums, error) {
	quota, err := c.store.readQuota(ctx, k)
	if err != nil {
		return storedSums{}, err
	}
	slots, err := c.store.readQuotaSlots(ctx, k, true)
	stored := storedSums{version: quota.Version, rebuild: func(c *change, wanted countedSums) { c.rebuildQuota(quota, wanted) }}
	sold := quota
	for i := range slots {
		sold.add(slots[i].Orders, slots[i].OrderTotal)
		stored.version += slots[i].Version
		if slots[i].Orders != 0 || slots[i].OrderTotal.Sign() != 0 {
			stored.fold = func(ctx context.Context) error { return c.store.foldQuota(ctx, k) }
		}
	}
	stored.sums = countedSums{Count: sold.Orders, Amount: sold.OrderTotal}
	return stored, err
}

// rebuildDay corrects the total of a day. The first shard gets the whole value, the others
// become zero. The change fails if a shard has changed since it was read.
func (c *change) rebuildDay(day dayShards, wanted countedSums) {
	for shard := range day.totals {
		t := day.totals[shard]
		next := countedSums{}
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

// rebuildQuota sets the sums of a quota. The change fails if the quota has changed since it
// was read.
func (c *change) rebuildQuota(quota Quota, wanted countedSums) {
	quota.Orders, quota.OrderTotal = wanted.Count, wanted.Amount
	c.saveQuota(&quota, quota.Version)
}

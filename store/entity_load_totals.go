package store

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// loadTotals compares the totals and quotas of a file with the sums that Load has
// counted:
//
//   - A total must equal the counted sum. Otherwise it is rejected.
//   - The total of payments may also be larger than the counted sum, because receipts
//     expire. The larger total then replaces the counted sum.
//   - A quota may also be larger, because it may include orders that are not in
//     this table.
//
// Values of the file are never added to counted sums, so loading a file again changes
// nothing.
func (l *loader) loadTotals(ctx context.Context, rows []loadRow) error {
	if len(rows) > 0 && !l.options.DryRun { // complete the counted sums, with which the totals are compared
		if err := l.store.addAllJobTotals(ctx, l.settings); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	days := map[Total][]loadRow{}
	for _, row := range rows {
		switch e := row.entity.(type) {
		case *Total:
			day := Total{Kind: e.Kind, Day: e.Day}
			days[day] = append(days[day], row)
		case *Quota:
			group.Go(table.Recovering(func() error {
				return l.retry(ctx, []loadRow{row}, func() (loadOutcome, error) { return l.loadQuota(ctx, row, *e) })
			}))
		}
	}
	for day, ofDay := range days {
		group.Go(table.Recovering(func() error {
			return l.retry(ctx, ofDay, func() (loadOutcome, error) { return l.loadDay(ctx, day, ofDay) })
		}))
	}
	return group.Wait()
}

// loadOutcome is the outcome of loading a quota or the totals of a day.
type loadOutcome struct {
	added       map[string]bool // rows whose item did not exist, by key
	notCompared bool            // a dry run cannot compare the values
	updated     bool            // a larger value replaced the counted sum
	reason      string          // reason for a rejection; "" if accepted
}

// retry calls load until it succeeds without a conflict, and records the outcome of
// the rows.
func (l *loader) retry(ctx context.Context, rows []loadRow, load func() (loadOutcome, error)) error {
	var outcome loadOutcome
	err := retryLoad(ctx, func() (err error) {
		outcome, err = load()
		return err
	})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if outcome.reason != "" {
			l.reject(row.index, row.describe()+" "+outcome.reason)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range rows {
		switch {
		case outcome.reason != "":
		case outcome.notCompared:
			l.settle(&row, OutcomeNotCompared)
		case outcome.added[row.place]:
			l.settle(&row, OutcomeAdded)
		case outcome.updated:
			l.settle(&row, OutcomeUpdated)
		default:
			l.settle(&row, OutcomeUnchanged)
		}
	}
	l.progress(len(rows))
	return nil
}

// loadQuota compares a loaded quota with the stored one, including its slots. It adds a
// missing quota, and updates the stored one unless its sales exceed the loaded ones.
func (l *loader) loadQuota(ctx context.Context, row loadRow, loaded Quota) (loadOutcome, error) {
	k := quotaKey{loaded.EmployeeID, loaded.Period}
	var slots []QuotaSlot
	var err error
	if l.options.DryRun {
		slots, err = l.store.readQuotaSlots(ctx, k, true)
	} else {
		err = l.store.foldQuota(ctx, k)
	}
	if err != nil {
		return loadOutcome{}, err
	}
	found, err := l.existing(ctx, []loadRow{row})
	if err != nil {
		return loadOutcome{}, err
	}
	item := found[row.place]
	if item == nil {
		return loadOutcome{added: map[string]bool{row.place: true}}, l.commit(ctx, func(c *change) { c.CreateItem(row.item) })
	}
	var counted Quota
	if err := decodeAs(table.RowOf(item), &counted); err != nil {
		return loadOutcome{}, err
	}
	counted.addSlots(slots)
	wanted := counted
	wanted.OrderTotal, wanted.Orders = loaded.OrderTotal, max(loaded.Orders, counted.Orders)
	if wanted.Name == "" {
		wanted.Name = loaded.Name
	}
	if wanted.Target.Sign() == 0 {
		wanted.Target = loaded.Target
	}
	switch {
	case wanted.Orders == counted.Orders && wanted.Name == counted.Name && wanted.Target.Compare(counted.Target) == 0 && wanted.OrderTotal.Compare(counted.OrderTotal) == 0:
		return loadOutcome{}, nil
	case l.options.DryRun:
		return loadOutcome{notCompared: true}, nil
	case loaded.OrderTotal.Compare(counted.OrderTotal) < 0:
		return loadOutcome{reason: fmt.Sprintf("is %s in the file, but the orders in the table add up to %s. The stored value was not changed.", loaded.OrderTotal, counted.OrderTotal)}, nil
	}
	return loadOutcome{updated: true}, l.commit(ctx, func(c *change) { c.replaceNext(&wanted, &wanted.Version) })
}

// loadDay compares the totals of one day, in all shards, with the counted sums.
func (l *loader) loadDay(ctx context.Context, day Total, rows []loadRow) (loadOutcome, error) {
	shards := l.settings.Shards
	wanted := newDayShards(day, shards)
	for _, row := range rows {
		// The file may have been exported from a table with more shards, so this table may
		// not have the shard of the total.
		t := row.entity.(*Total)
		wanted.add(t.Shard%shards, t)
	}
	counted, err := l.store.readDay(ctx, day, max(shards, l.settings.ShardsRead))
	if err == nil && len(counted.slots) > 0 && !l.options.DryRun {
		// Fold the slots, then read again. The fold changes the totals, and orders can be placed
		// during it, so only values that were read after it can be compared and replaced.
		if _, err = l.store.foldSlots(ctx, l.settings, counted.slots); err == nil {
			counted, err = l.store.readDay(ctx, day, max(shards, l.settings.ShardsRead))
		}
	}
	if err != nil {
		return loadOutcome{}, err
	}
	outcome := loadOutcome{added: map[string]bool{}}
	for _, row := range rows {
		if t := row.entity.(*Total); t.Shard < shards && counted.totals[t.Shard].Version == 0 {
			outcome.added[row.place] = true
		}
	}
	has, counts := wanted.sum(), counted.sum()
	same := has.Count == counts.Count && has.Amount.Compare(counts.Amount) == 0
	larger := has.Count >= counts.Count && has.Amount.Compare(counts.Amount) >= 0
	mayBeLarger := day.Kind == TotalPayments
	switch {
	case !same && l.options.DryRun:
		return loadOutcome{notCompared: true}, nil
	case !same && !(larger && mayBeLarger):
		return loadOutcome{reason: fmt.Sprintf("differs from the table: the file says %d (%s) for %s, but the records in the table add up to %d (%s). The stored total was not changed.",
			has.Count, has.Amount, day.Day.Format(key.Day), counts.Count, counts.Amount)}, nil
	}
	outcome.updated = !same
	return outcome, l.commit(ctx, func(c *change) { counted.replace(c, wanted) })
}

// nameQuotas adds the names of loaded employees to quotas without a name, which Load
// created before the employees were loaded. It does nothing with the option
// TotalsIncluded.
func (l *loader) nameQuotas(ctx context.Context, entities []Entity) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, entity := range entities {
		e, ok := entity.(*Employee)
		if !ok || e.Name == "" || l.options.TotalsIncluded {
			continue
		}
		group.Go(table.Recovering(func() error {
			return retryLoad(ctx, func() error {
				items, err := l.store.table.Partition(ctx, getQuotasOfEmployee, key.Map{"employeeID": e.ID}, true)
				quotas, err := decodeAll(items, err, decodeAs[Quota])
				if err != nil {
					return err
				}
				return l.commit(ctx, func(c *change) {
					for i := range quotas {
						if q := &quotas[i]; q.Name == "" && c.Len() < table.MaxActions {
							q.Name = e.Name
							c.replaceNext(q, &q.Version)
						}
					}
				})
			})
		}))
	}
	return group.Wait()
}

// commit calls the function work with an empty change, and then commits the change.
// In a dry run it does nothing.
func (l *loader) commit(ctx context.Context, work func(*change)) error {
	if l.options.DryRun {
		return nil
	}
	c := l.store.newChange(l.settings)
	if work(c); c.Len() == 0 {
		return nil
	}
	return c.Commit(ctx)
}

// dayShards contains the totals of one day by shard. A missing total has Version 0.
type dayShards struct {
	totals []Total
	slots  []Total // totals in slots other than the first
}

func newDayShards(day Total, shards int) dayShards {
	d := dayShards{totals: make([]Total, shards)}
	for shard := range d.totals {
		d.totals[shard] = Total{Kind: day.Kind, Day: day.Day, Shard: shard}
	}
	return d
}

func (d dayShards) add(shard int, t *Total) {
	d.totals[shard].Count += t.Count
	d.totals[shard].Amount = d.totals[shard].Amount.Plus(t.Amount)
	d.totals[shard].Version = 1
}

func (d dayShards) sum() (sum DayTotal) {
	for _, t := range slices.Concat(d.totals, d.slots) {
		sum.Count += t.Count
		sum.Amount = sum.Amount.Plus(t.Amount)
	}
	return sum
}

// replace replaces the stored totals d with the totals in others. Shards that are missing
// in others become zero. replace writes only the first slot of each shard. The other slots
// stay as they are, so it subtracts them from the new total.
func (d dayShards) replace(c *change, others dayShards) {
	for shard, read := range d.totals {
		next := Total{Kind: read.Kind, Day: read.Day, Shard: shard}
		if shard < len(others.totals) {
			next = others.totals[shard]
		}
		for i := range d.slots {
			if slot := &d.slots[i]; slot.Shard == shard {
				next.Count -= slot.Count
				next.Amount = next.Amount.Minus(slot.Amount)
			}
		}
		switch {
		case next.Count == read.Count && next.Amount.Compare(read.Amount) == 0 && (read.Version > 0 || next.Version == 0):
		case read.Version == 0:
			next.Version = 1
			c.Create(&next)
		default:
			next.Version = read.Version
			c.replaceNext(&next, &next.Version)
		}
	}
}

// readDay makes a consistent read of the totals of a day.
func (s *Store) readDay(ctx context.Context, day Total, shards int) (dayShards, error) {
	d := newDayShards(day, shards)
	totals, err := s.readTotals(ctx, day.Kind, day.Day, shards, day.Day.Format("02"))
	for _, t := range totals {
		if t.Slot == 0 {
			d.totals[t.Shard] = t
		} else {
			d.slots = append(d.slots, t)
		}
	}
	return d, err
}

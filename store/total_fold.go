package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// totalSlots is the number of slots of a day in each shard, if the table has several
// shards; see openSlots. Payments and the counts of jobs have paymentSlots, because
// a run makes many changes at once.
const (
	totalSlots   = 16
	paymentSlots = 64
)

// slots returns the number of slots of a day in each shard.
func (k TotalKind) slots() int {
	if k == TotalPayments || k == TotalDue {
		return paymentSlots
	}
	return totalSlots
}

// slottedKinds are the kinds of totals that use several slots.
var slottedKinds = []TotalKind{TotalOrders, TotalPayments, TotalDue}

// firstSlottedDay returns the first day whose changes use several slots: yesterday.
// Later changes of earlier days are rare, so their totals stay in one slot.
func firstSlottedDay(now time.Time, zone *time.Location) time.Time {
	return dayIn(now, zone).AddDate(0, 0, -1)
}

// FoldTotals adds the slots of each day to the first slot of their shard, so that charts
// read one item per day and shard. It processes the months from 35 days ago to 35 days
// ahead, except yesterday and today, which still change. It first adds the payments in
// JobTotals, for example of runs that were killed. It does nothing while Reshard is
// running. It returns the number of slots that it deleted. It can be interrupted and run at
// any time, by several servers.
func (s *Store) FoldTotals(ctx context.Context) (folded int, err error) {
	settings, err := s.currentSettings(ctx)
	if err != nil || settings.Moving {
		return 0, err
	}
	if err := s.addAllJobTotals(ctx, settings); err != nil {
		return 0, err
	}
	today := dayIn(s.now(), settings.Zone())
	for _, kind := range slottedKinds {
		for _, month := range monthsBetween(today.AddDate(0, 0, -35), today.AddDate(0, 0, 35)) {
			totals, err := s.readTotals(ctx, kind, month, settings.ShardsRead, "")
			if err != nil {
				return folded, err
			}
			open := firstSlottedDay(s.now(), settings.Zone())
			for day, slots := range slotsByDay(totals) {
				if day.Before(open) || day.After(today) {
					n, err := s.foldSlots(ctx, settings, slots)
					if folded += n; err != nil {
						return folded, err
					}
				}
			}
		}
	}
	return folded, nil
}

// AddOpenSums adds the slots of account reps' sales to the quotas, and the payments of runs
// to the totals, so that an export is complete.
func (s *Store) AddOpenSums(ctx context.Context) error {
	settings, err := s.currentSettings(ctx)
	if err != nil {
		return err
	}
	return errors.Join(s.FoldQuotas(ctx), s.addAllJobTotals(ctx, settings))
}

// monthsBetween returns the first day of each month from the month of one day to the month
// of another.
func monthsBetween(from, to time.Time) (months []time.Time) {
	for month := from.AddDate(0, 0, 1-from.Day()); !month.After(to); month = month.AddDate(0, 1, 0) {
		months = append(months, month)
	}
	return months
}

// slotsByDay returns the totals that are not in the first slot, by day.
func slotsByDay(totals []Total) map[time.Time][]Total {
	days := map[time.Time][]Total{}
	for _, t := range totals {
		if t.Slot > 0 {
			days[t.Day] = append(days[t.Day], t)
		}
	}
	return days
}

// readTotals makes consistent reads of the totals of a month, in all shards. If the
// argument day is not "", it returns only the totals of this day of the month, such as
// 21.
func (s *Store) readTotals(ctx context.Context, kind TotalKind, month time.Time, shards int, day string) ([]Total, error) {
	perShard := make([][]Total, shards)
	group, ctx := errgroup.WithContext(ctx)
	for shard := range shards {
		group.Go(func() error {
			t := Total{Kind: kind, Day: month, Shard: shard}
			values := key.Map{"kind": string(kind), "month": t.KeyValue("month"), "shard": t.KeyValue("shard")}
			rows, err := s.table.Partition(ctx, getTotals, values, true)
			rows = slices.DeleteFunc(rows, func(row Row) bool { return !strings.HasPrefix(row.Text(table.AttrSK), day) })
			perShard[shard], err = decodeAll(rows, err, decodeAs[Total])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(perShard...), nil
}

// foldSlots adds slots to the first slots of their shards, with one transaction for each
// shard. It skips a shard if a slot has changed since it was read. The version of the first
// slot increases by the versions of the others, so that CheckTotals notices every addition.
func (s *Store) foldSlots(ctx context.Context, settings Settings, slots []Total) (folded int, err error) {
	byShard := map[int][]Total{}
	for _, t := range slots {
		byShard[t.Shard] = append(byShard[t.Shard], t)
	}
	for shard, ofShard := range byShard {
		c := s.newChange(settings)
		c.checkSettings(settings) // the number of shards must not change during the write
		into := Total{Kind: ofShard[0].Kind, Day: ofShard[0].Day, Shard: shard}
		for i := range ofShard {
			slot := &ofShard[i]
			into.Count += slot.Count
			into.Amount = into.Amount.Plus(slot.Amount)
			into.Version += slot.Version
			c.DeleteWith(slot, isUnchanged(slot.Version, slot.Count, slot.Amount))
		}
		addition := into.addition()
		addition.Counts[table.AttrVersion] = into.Version
		c.Add(&into, addition)
		if err := c.Commit(ctx); KindOf(err) == Conflict {
			continue
		} else if err != nil {
			return folded, err
		}
		folded += len(ofShard)
	}
	return folded, nil
}

// isUnchanged returns the condition that a slot still has these values. The version alone
// is not enough: another server can add the slot to the first slot and delete it, and a
// later addition then starts again at version 1.
func isUnchanged(version, count int, amount Sum) table.Condition {
	return table.Condition{
		Expression: "#version = :version AND #count = :count AND #amount = :amount",
		Names:      map[string]string{"#version": table.AttrVersion, "#count": "Count", "#amount": "Amount"},
		Values: Item{
			":version": table.NumberValue(strconv.Itoa(version)), ":count": table.NumberValue(strconv.Itoa(count)),
			":amount": table.NumberValue(amount.String()),
		},
	}
}

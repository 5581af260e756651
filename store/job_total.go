package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// JobTotal is the sum of payments of a run that are not yet in the totals. The payments
// have the same run, shard, day of charge, due day and next due day. The sum has several
// items, called slots, so that concurrent transactions write different items. The
// transaction of a payment writes one JobTotal instead of at least four items: a total of
// payments, two totals of due payments, a JobCount and, after a short month, a TotalDueAfter.
// Later, AddJobTotals adds the JobTotals to these items.
type JobTotal struct {
	Day     time.Time // day of the charge in the time zone of the business; all days are at midnight UTC
	Shard   int       // shard of the run
	Slot    int
	Run     time.Time // day of the run
	Due     time.Time // due day of the payments
	Next    time.Time // due day of the next payments
	Count   int
	Amount  Sum
	Version int
}

func (*JobTotal) EntityType() string { return "jobTotal" }

func (t *JobTotal) KeyValue(name string) string {
	switch name {
	case "month":
		return t.Day.Format(key.Month)
	case "shard":
		return strconv.Itoa(t.Shard)
	case "day":
		return t.Day.Format("02")
	case "slot":
		return strconv.Itoa(t.Slot)
	case "date":
		return calendarDay(t.Run)
	case "dueDate":
		return calendarDay(t.Due)
	case "nextDate":
		return calendarDay(t.Next)
	}
	return ""
}

func (t *JobTotal) attributes(a *table.Attributes) {
	a.Count("Count", &t.Count)
	sumAttribute(a, "Amount", &t.Amount)
	a.Version(&t.Version)
	if a.Decoding() && !t.decodeKey(a) {
		a.Damaged(table.AttrSK, "the key of a total of a run")
	}
}

func (t *JobTotal) decodeKey(a *table.Attributes) bool {
	month, shard, _ := strings.Cut(a.AfterPrefix(table.AttrPK, "jobTotal#"), "#")
	parts := strings.Split(a.Read(table.AttrSK), "#")
	if len(parts) != 5 {
		return false
	}
	var errs [6]error
	t.Shard, errs[0] = strconv.Atoi(shard)
	t.Slot, errs[1] = strconv.Atoi(parts[1])
	for i, day := range []struct {
		to   *time.Time
		text string
	}{{&t.Day, month + "-" + parts[0]}, {&t.Run, parts[2]}, {&t.Due, parts[3]}, {&t.Next, parts[4]}} {
		*day.to, errs[2+i] = time.Parse(key.Day, day.text)
	}
	return !slices.ContainsFunc(errs[:], func(err error) bool { return err != nil })
}

// totals returns what the payments add to the totals. At least one of two consecutive months
// has 31 days, so the larger of the two days of the month is usually the payment day.
// gatherTotals makes no JobTotal for payments to which this does not apply, for example after
// the payment day was changed.
func (t *JobTotal) totals() []*Total {
	all := []*Total{{Kind: TotalPayments, Day: t.Day, Shard: t.Shard, Count: t.Count, Amount: t.Amount}}
	paymentDay := max(t.Due.Day(), t.Next.Day())
	add := func(due time.Time, count int, amount Sum) {
		all = append(all, &Total{Kind: TotalDue, Day: due, Shard: t.Shard, Count: count, Amount: amount})
		if after, moved := dueAfter(due, paymentDay); moved {
			all = append(all, &Total{Kind: TotalDueAfter, Day: after, Count: count, Amount: amount})
		}
	}
	add(t.Due, -t.Count, t.Amount.Negative())
	add(t.Next, t.Count, t.Amount)
	return all
}

// counts returns what the payments add to the counts of their run.
func (t *JobTotal) counts() JobCounts { return JobCounts{Done: t.Count, Amount: t.Amount} }

// sameItem reports whether two JobTotals have the same key.
func (t *JobTotal) sameItem(o JobTotal) bool { return t.Slot == o.Slot && t.sameSums(o) }

// sameSums reports whether two JobTotals are slots of the same sum.
func (t *JobTotal) sameSums(o JobTotal) bool {
	return t.Shard == o.Shard && t.Day.Equal(o.Day) && t.Run.Equal(o.Run) && t.Due.Equal(o.Due) && t.Next.Equal(o.Next)
}

// gatherTotals replaces the totals and counts of a payment in a run by a JobTotal, so that
// the transaction writes one item instead of several. It changes nothing if the totals and
// counts differ from those of a JobTotal, for example because the price changed during the
// charge.
func (c *runChange) gatherTotals(before, after *Subscription, receipt *Receipt) {
	total := JobTotal{
		Day: dayIn(receipt.ProcessedDate, c.totals.zone), Shard: c.run.Shard, Run: c.run.Date, Due: before.NextPaymentDate, Next: after.NextPaymentDate,
		Count: 1, Amount: receipt.ProcessedAmount.Sum(),
	}
	if len(c.counts) != 1 || !c.counts[0].JobCounts.equals(total.counts()) || !sameTotals(c.totals.totals, total.totals()) {
		return
	}
	c.totals.totals, c.counts, c.jobTotal = nil, nil, &total
}

// sameTotals reports whether a and b add the same values to the same totals.
func sameTotals(a, b []*Total) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(t *Total) bool {
		return !slices.ContainsFunc(b, func(o *Total) bool {
			return t.Kind == o.Kind && t.Day.Equal(o.Day) && t.Shard == o.Shard && t.Count == o.Count && t.Amount.Compare(o.Amount) == 0
		})
	})
}

func (c *change) jobTotalCounters() []counter {
	if c.jobTotal == nil {
		return nil
	}
	return []counter{{c.jobTotal.name(), paymentSlots, 0}}
}

// name identifies the JobTotal without its slot.
func (t *JobTotal) name() string {
	name := "jobTotal#" + strconv.Itoa(t.Shard)
	for _, day := range []time.Time{t.Day, t.Run, t.Due, t.Next} {
		name += "#" + day.Format(key.Day)
	}
	return name
}

// updateJobTotal adds the JobTotal to the transaction. number determines its slot; see
// openSlots.
func (c *change) updateJobTotal(number int) {
	for _, counter := range c.jobTotalCounters() {
		t := c.jobTotal
		t.Slot = counter.slot(number).slot
		c.Add(t, table.Addition{
			Set:    Item{table.AttrType: table.StringValue(t.EntityType())},
			Counts: map[string]int{"Count": t.Count},
			Sums:   map[string]string{"Amount": t.Amount.String()},
		})
	}
	c.jobTotal = nil
}

// jobTotalDays is the number of past days in which AddJobTotals looks for JobTotals. Older
// JobTotals exist only if a run was killed and then no server ran for this many days.
const jobTotalDays = 35

// jobTotalMonths returns the months in which AddJobTotals looks for JobTotals.
func (s *Store) jobTotalMonths(settings Settings) (months []string) {
	today := dayIn(s.now(), settings.Zone())
	for _, month := range monthsBetween(today.AddDate(0, 0, -jobTotalDays), today.AddDate(0, 0, 1)) {
		months = append(months, month.Format(key.Month))
	}
	return months
}

// readJobTotals makes consistent reads of the JobTotals of a shard.
func (s *Store) readJobTotals(ctx context.Context, settings Settings, shard int) ([]JobTotal, error) {
	var all []JobTotal
	for _, month := range s.jobTotalMonths(settings) {
		rows, err := s.table.Partition(ctx, getJobTotals, key.Map{"month": month, "shard": strconv.Itoa(shard)}, true)
		totals, err := decodeAll(rows, err, decodeAs[JobTotal])
		if err != nil {
			return nil, err
		}
		all = append(all, totals...)
	}
	return all, nil
}

// AddJobTotals adds the JobTotals of a shard to the totals and to the counts of their runs,
// and deletes them. Several servers can run it at the same time. If it is interrupted, call
// it again.
func (s *Store) AddJobTotals(ctx context.Context, shard int) error {
	return retryOnConflict(ctx, func() error {
		settings, err := s.currentSettings(ctx)
		if err != nil {
			return err
		}
		open, err := s.readJobTotals(ctx, settings, shard)
		if err != nil {
			return err
		}
		for len(open) > 0 {
			first := open[0]
			var together []JobTotal
			open = slices.DeleteFunc(open, func(t JobTotal) bool {
				if len(together) == stepItems || !t.sameSums(first) {
					return false
				}
				together = append(together, t)
				return true
			})
			c := s.newChange(settings)
			c.checkSettings(settings) // the number of shards must not change during the write
			c.settleJobTotals(together, settings.Shards)
			if err := c.Commit(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// settleJobTotals adds the given slots of one sum to the totals and to the counts of the
// run, and deletes the slots. The change fails if a slot has changed since it was read. The
// version of each total increases by the versions of the slots, so that CheckTotals notices
// payments that were counted during the check.
func (c *change) settleJobTotals(together []JobTotal, shards int) {
	sum := together[0]
	sum.Count, sum.Amount, sum.Version = 0, Sum{}, 0
	for i := range together {
		t := &together[i]
		sum.Count, sum.Amount, sum.Version = sum.Count+t.Count, sum.Amount.Plus(t.Amount), sum.Version+t.Version
		c.DeleteWith(t, isUnchanged(t.Version, t.Count, t.Amount))
	}
	for _, total := range sum.totals() {
		total.Shard %= shards // the number of shards may have become smaller
		addition := total.addition()
		addition.Counts[table.AttrVersion] = sum.Version
		c.Add(total, addition)
	}
	c.addJobCounts(PaymentsJob, sum.Run, sum.Shard, sum.counts())
}

func (s *Store) addAllJobTotals(ctx context.Context, settings Settings) error {
	for shard := range settings.ShardsRead {
		if err := s.AddJobTotals(ctx, shard); err != nil {
			return err
		}
	}
	return nil
}

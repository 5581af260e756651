package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// JobCount is one of the items that together count the results of a day's run in one shard.
// There are up to paymentSlots such items, called slots, so that concurrent transactions
// write different items. The counts are the sum of the slots and, for PaymentsJob, of the
// JobTotals of the run. A single slot can be negative.
type JobCount struct {
	Job   JobName
	Date  time.Time
	Shard int
	Slot  int
	JobCounts
	Expires time.Time `json:"-"` // TTL; only in items of earlier program versions; see updateJobCounts
	Version int
}

func (*JobCount) EntityType() string { return "jobCount" }

func (n *JobCount) KeyValue(name string) string {
	switch name {
	case "job":
		return string(n.Job)
	case "date":
		return calendarDay(n.Date)
	case "shard":
		return strconv.Itoa(n.Shard)
	case "slot":
		return strconv.Itoa(n.Slot)
	}
	return ""
}

func (n *JobCount) attributes(a *table.Attributes) {
	n.JobCounts.attributes(a)
	a.Seconds(table.AttrTTL, &n.Expires)
	a.Version(&n.Version)
	if !a.Decoding() {
		return
	}
	parts := strings.Split(a.AfterPrefix(table.AttrPK, "jobCount#"), "#")
	slot, errSlot := strconv.Atoi(a.Read(table.AttrSK))
	if len(parts) != 3 || errSlot != nil {
		a.Damaged(table.AttrPK, "the key of a count")
		return
	}
	day, err := time.Parse(key.Day, parts[1])
	shard, errShard := strconv.Atoi(parts[2])
	if err != nil || errShard != nil {
		a.Damaged(table.AttrPK, "the key of a count")
	}
	n.Job, n.Date, n.Shard, n.Slot = JobName(parts[0]), day, shard, slot
}

// addJobCounts adds counts to the counts of a day's run in one shard. Call it on the change
// that stores these results.
func (c *change) addJobCounts(job JobName, day time.Time, shard int, n JobCounts) {
	if n.equals(JobCounts{}) {
		return
	}
	c.counts = append(c.counts, &JobCount{Job: job, Date: day, Shard: shard, JobCounts: n})
}

func (c *change) jobCounters() (counters []counter) {
	for _, n := range c.counts {
		counters = append(counters, n.counter())
	}
	return counters
}

func (n *JobCount) counter() counter {
	return counter{"jobCount#" + string(n.Job) + "#" + calendarDay(n.Date) + "#" + strconv.Itoa(n.Shard), paymentSlots, 0}
}

// updateJobCounts adds the counts to the transaction. number determines their slots; see
// openSlots.
func (c *change) updateJobCounts(number int) {
	for _, n := range c.counts {
		n.Slot = n.counter().slot(number).slot
		c.Add(n, table.Addition{
			Set:    Item{table.AttrType: table.StringValue(n.EntityType())},
			Remove: []string{table.AttrTTL}, // remove the TTL that earlier program versions set, because the counts would expire before their run
			Counts: map[string]int{"Done": n.Done, "Declined": n.Declined, "Failed": n.Failed, "Unknown": n.Unknown},
			Sums:   map[string]string{"Amount": n.Amount.String()},
		})
	}
	c.counts = nil
}

// countsOfShard makes consistent reads of the counts of a day's run in one shard. It adds
// the JobTotals of the run, which are not yet in the JobCounts. If a JobTotal is moved to
// the JobCounts between the reads, countsOfShard reads again.
func (s *Store) countsOfShard(ctx context.Context, job JobName, day time.Time, shard int) (JobCounts, error) {
	if job != PaymentsJob {
		return s.jobCountsOfShard(ctx, job, day, shard)
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return JobCounts{}, err
	}
	open, err := s.readJobTotals(ctx, settings, shard)
	for try := 1; err == nil; try++ {
		counts, errCounts := s.jobCountsOfShard(ctx, job, day, shard)
		now, errNow := s.readJobTotals(ctx, settings, shard)
		if err = errors.Join(errCounts, errNow); err == nil && (containsAll(now, open) || try == maxCountTries) {
			for i := range now {
				if now[i].Run.Equal(day) {
					counts = counts.Plus(now[i].counts())
				}
			}
			return counts, nil
		}
		open = now
	}
	return JobCounts{}, err
}

const maxCountTries = 4

// containsAll reports whether each of the earlier JobTotals still exists, with the same or
// a higher version. A missing JobTotal was moved to the JobCounts.
func containsAll(now, earlier []JobTotal) bool {
	return !slices.ContainsFunc(earlier, func(t JobTotal) bool {
		return !slices.ContainsFunc(now, func(o JobTotal) bool { return t.sameItem(o) && t.Version <= o.Version })
	})
}

// jobCountsOfShard makes a consistent read of the JobCounts of a day's run in one shard,
// and returns their sum.
func (s *Store) jobCountsOfShard(ctx context.Context, job JobName, day time.Time, shard int) (JobCounts, error) {
	values := dueValues(day, shard)
	values["job"] = string(job)
	items, err := s.table.Partition(ctx, getJobCounts, values, true)
	slots, err := decodeAll(items, err, decodeAs[JobCount])
	var sum JobCounts
	for i := range slots {
		sum = sum.Plus(slots[i].JobCounts)
	}
	return sum, err
}

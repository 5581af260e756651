package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ErrLeased means that another server or command has the lease; see Lease.
var ErrLeased = errors.New("leased by another server")

// DueSubscription is a subscription that a job must process.
type DueSubscription struct {
	Subscription
	Err error // a Damaged error if the subscription cannot be decoded; then only the IDs are set
}

// DueInShard returns the subscriptions of one shard that are due for a job on a day, at
// most limit of them. from is the key after which to start, or nil to start at the
// beginning. next is the value of from for the next call, or nil at the end. The index is
// updated with a delay, so the result may include subscriptions that were just processed.
func (s *Store) DueInShard(ctx context.Context, job JobName, day time.Time, shard, limit int, from Item) (due []DueSubscription, next Item, err error) {
	rows, next, err := s.table.QueryOnce(ctx, table.Request{Pattern: dueOn(job), Values: dueValues(day, shard), Limit: limit, From: from})
	due = make([]DueSubscription, len(rows))
	for i, row := range rows {
		if due[i].Err = decodeAs(row, &due[i].Subscription); due[i].Err != nil {
			due[i].Subscription = subscriptionKey(row)
		}
	}
	return due, next, err
}

// subscriptionKey returns a subscription with only the IDs from the key of the row.
func subscriptionKey(row Row) Subscription {
	pk, sk := row.Text(table.AttrPK), row.Text(table.AttrSK)
	id, sku, _ := strings.Cut(strings.TrimPrefix(sk, "SUB#"), "#SKU#")
	return Subscription{AccountID: strings.TrimPrefix(pk, "ACC#"), ID: id, SKU: sku}
}

// CountDueInShard counts the subscriptions of one shard that are due for a job on a
// day.
func (s *Store) CountDueInShard(ctx context.Context, job JobName, day time.Time, shard int) (int, error) {
	return s.table.Count(ctx, dueOn(job), dueValues(day, shard))
}

func dueValues(day time.Time, shard int) key.Map {
	return key.Map{"date": calendarDay(day), "shard": strconv.Itoa(shard)}
}

// Counts returns what the result adds to the counts of its run.
func (r *JobResult) Counts() JobCounts {
	switch r.Outcome {
	case OutcomePaid:
		return JobCounts{Done: 1, Amount: r.Amount.Sum()}
	case OutcomeReminded, OutcomeQueued, OutcomeSkipped:
		return JobCounts{Done: 1}
	case OutcomeDeclined, OutcomePaused, OutcomeDropped:
		return JobCounts{Declined: 1}
	case OutcomeUnknown:
		return JobCounts{Unknown: 1}
	}
	return JobCounts{Failed: 1}
}

// LeaseShard starts or continues a day's run of a job in one shard. It leases the shard to
// the process run.Owner until run.Until. It returns ErrLeased if another process has the
// lease.
func (s *Store) LeaseShard(ctx context.Context, run JobRun) (*JobRun, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.runOfShard(ctx, &run)
	run.Began, run.Version = s.now(), 0
	switch {
	case err == nil && found.State == JobRunning && found.Owner != run.Owner && found.Until.After(s.now()):
		return nil, ErrLeased
	case err == nil:
		run.Began, run.Due, run.JobCounts, run.Version = found.Began, found.Due, found.JobCounts, found.Version
		if found.Leased.IsZero() { // a run of an earlier program version, which stored no JobCount items
			c.addJobCounts(run.Job, run.Date, run.Shard, found.JobCounts)
		}
	case KindOf(err) != NotFound:
		return nil, err
	}
	run.State, run.Leased = JobRunning, s.now()
	leased, err := s.saveRun(ctx, c, run)
	if KindOf(err) == Conflict {
		return nil, ErrLeased
	}
	return leased, err
}

// SaveRun stores the progress of a run in one shard, with the current counts. It returns
// Conflict if another process has leased the shard. If an earlier call by the same process
// was stored but its response was lost, SaveRun continues from the stored version.
func (s *Store) SaveRun(ctx context.Context, run JobRun) (*JobRun, error) {
	for try := 1; ; try++ {
		c, err := s.change(ctx)
		if err != nil {
			return nil, err
		}
		if run.JobCounts, err = s.countsOfShard(ctx, run.Job, run.Date, run.Shard); err != nil {
			return nil, err
		}
		saved, err := s.saveRun(ctx, c, run)
		if KindOf(err) != Conflict || try == maxSaveTries {
			return saved, err
		}
		found, errFound := s.runOfShard(ctx, &run)
		switch {
		case errFound != nil:
			return nil, errFound
		case found.Owner != run.Owner:
			return nil, err
		}
		run.Version = found.Version
	}
}

const maxSaveTries = 4

// runOfShard makes a consistent read of the stored run of the same job, day and
// shard.
func (s *Store) runOfShard(ctx context.Context, run *JobRun) (*JobRun, error) {
	return readConsistently[*JobRun](ctx, s, getJobRun, key.Map{"job": string(run.Job), "date": calendarDay(run.Date), "shard": run.KeyValue("shard")})
}

func (s *Store) saveRun(ctx context.Context, c *change, run JobRun) (*JobRun, error) {
	before := run.Version
	run.Version++
	run.Updated = s.now()
	if before == 0 {
		c.Create(&run)
	} else {
		c.Replace(&run, before)
	}
	return &run, c.Commit(ctx)
}

// AcquireLease acquires or extends the lease with this name until the given time. A lease
// lets only one server do a task at a time. AcquireLease returns ErrLeased if another
// server has the lease.
func (s *Store) AcquireLease(ctx context.Context, name, owner string, until time.Time) error {
	found, err := readConsistently[*Lease](ctx, s, getLease, key.Map{"name": name})
	if KindOf(err) == NotFound {
		found, err = &Lease{Name: name}, nil
	}
	switch {
	case err != nil:
		return err
	case found.Owner != owner && found.Until.After(s.now()):
		return ErrLeased
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	before := found.Version
	found.Owner, found.Until, found.Version = owner, until, before+1
	if before == 0 {
		c.Create(found)
	} else {
		c.Replace(found, before)
	}
	if err := c.Commit(ctx); KindOf(err) != Conflict {
		return err
	}
	return ErrLeased
}

// IsLeased reports whether a server has the lease with this name.
func (s *Store) IsLeased(ctx context.Context, name string) (bool, error) {
	lease, err := readConsistently[*Lease](ctx, s, getLease, key.Map{"name": name})
	return err == nil && lease.Owner != "" && lease.Until.After(s.now()), ignoreNotFound(err)
}

// ReleaseLease ends a lease early, so that another server can acquire it. It does
// nothing if another server has the lease.
func (s *Store) ReleaseLease(ctx context.Context, name, owner string) error {
	err := s.AcquireLease(ctx, name, owner, s.now())
	if errors.Is(err, ErrLeased) {
		return nil
	}
	return err
}

// DeleteLease ends a lease and deletes its item. It does nothing if another server has the
// lease.
func (s *Store) DeleteLease(ctx context.Context, name, owner string) error {
	lease, err := readConsistently[*Lease](ctx, s, getLease, key.Map{"name": name})
	if err != nil || lease.Owner != owner {
		return ignoreNotFound(err)
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.DeleteVersion(lease, lease.Version)
	return c.Commit(ctx)
}

// RunsOfDay returns the runs of a job for a day, one for each shard that was started.
func (a Access) RunsOfDay(ctx context.Context, job JobName, day time.Time) ([]JobRun, error) {
	return a.JobRuns(ctx, job, day, day)
}

// JobRuns returns the runs of a job in a range of days, newest first. The range includes
// from and to.
func (a Access) JobRuns(ctx context.Context, job JobName, from, to time.Time) ([]JobRun, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.store.runsOf(ctx, job, from, to, false)
}

func (s *Store) runsOf(ctx context.Context, job JobName, from, to time.Time, consistent bool) ([]JobRun, error) {
	items, err := s.table.Partition(ctx, getJobRuns, key.Map{"job": string(job), "from": calendarDay(from), "to": calendarDay(to) + "#"}, consistent)
	return decodeAll(items, err, decodeAs[JobRun])
}

// JobResults lists the results of a day's run by account, or only its failures. It reads as
// many shards as the run had, because the table may have a different number of shards now.
func (a Access) JobResults(ctx context.Context, runs []JobRun, failures bool, page Page) (List[JobResult], error) {
	if len(runs) == 0 {
		return List[JobResult]{}, a.require(Browse)
	}
	q := table.Query{Pattern: getJobResults, Values: key.Map{"job": string(runs[0].Job), "date": calendarDay(runs[0].Date)}}
	if failures {
		q.Pattern = getJobFailures
	}
	for i := range runs {
		q.Shards = max(q.Shards, runs[i].Shard+1)
	}
	return listReadable(ctx, a, q, page, decodeAs[JobResult])
}

// RecordJobStart records the event that the user has started a job for a day. It returns
// Forbidden unless the user is an admin.
func (a Access) RecordJobStart(ctx context.Context, job JobName, day time.Time, token string) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: partitionOf(getJobRuns, "job", string(job)), What: EventJobStarted, Subject: string(job), Why: "for " + calendarDay(day)})
	return c.Commit(ctx)
}

// RecordCharged records an event with the results of a day's run of the payments job. It
// adds up the results of all servers so far. Most payments of a run have no event of their
// own; see setEvent. The argument named by is the user who started the run, or "" for the
// program.
func (s *Store) RecordCharged(ctx context.Context, day time.Time, by string) error {
	runs, err := s.runsOf(ctx, PaymentsJob, day, day, true)
	if err != nil {
		return err
	}
	var counts JobCounts
	for i := range runs {
		counts = counts.Plus(runs[i].JobCounts)
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.by = cmp.Or(by, Program)
	c.recordEvent(Event{
		Partition: partitionOf(getJobRuns, "job", string(PaymentsJob)), What: EventJobCharged, Subject: string(PaymentsJob),
		Why: fmt.Sprintf("so far for %s: %d done, %d declined, %s charged", calendarDay(day), counts.Done, counts.Declined, counts.Amount),
	})
	return c.Commit(ctx)
}

// SetScheduler turns the scheduler of the daily jobs on or off.
func (a Access) SetScheduler(ctx context.Context, on bool) error {
	if err := a.requireChange(Administer); err != nil {
		return err
	}
	settings, err := a.store.currentSettings(ctx)
	if err != nil || on == !settings.SchedulerSince.IsZero() {
		return err
	}
	settings.SchedulerSince = time.Time{}
	if on {
		settings.SchedulerSince = a.store.now().UTC().Truncate(time.Second)
	}
	return a.store.SaveSettings(ctx, settings, a.user.Name)
}

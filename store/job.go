package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ErrHeld says that another runner works on a shard, or another server holds a
// lease.
var ErrHeld = errors.New("another server is at it")

// DueInShard reads some of what a job has to do on a day from one shard,
// starting after from; after is nil at the end. The index is eventually
// consistent, so it may still have what was just done.
func (s *Store) DueInShard(ctx context.Context, job JobName, day time.Time, shard, limit int, from Item) (due []Subscription, after Item, err error) {
	items, after, err := s.table.QueryOnce(ctx, table.Request{Pattern: dueOn(job), Values: dueValues(day, shard), Limit: limit, From: from})
	due, err = decodeAll(items, err, decodeAs[Subscription])
	return due, after, err
}

// CountDueInShard counts what a job has to do on a day in one shard.
func (s *Store) CountDueInShard(ctx context.Context, job JobName, day time.Time, shard int) (int, error) {
	return s.table.Count(ctx, dueOn(job), dueValues(day, shard))
}

func dueValues(day time.Time, shard int) key.Map {
	return key.Map{"date": calendarDay(day), "shard": strconv.Itoa(shard)}
}

// CountResultsInShard adds up what a day's run did in one shard so far.
func (s *Store) CountResultsInShard(ctx context.Context, job JobName, day time.Time, shard int) (JobCounts, error) {
	values := dueValues(day, shard)
	values["job"] = string(job)
	var counts JobCounts
	err := s.table.EachInPartition(ctx, getJobResults, values, func(items []Item) error {
		results, err := decodeAll(items, nil, decodeAs[JobResult])
		for i := range results {
			counts = counts.Plus(results[i].counts())
		}
		return err
	})
	return counts, err
}

func (r *JobResult) counts() JobCounts {
	switch r.Outcome {
	case OutcomePaid:
		return JobCounts{Done: 1, Amount: r.Amount}
	case OutcomeReminded:
		return JobCounts{Done: 1}
	case OutcomeDeclined, OutcomePaused, OutcomeDropped:
		return JobCounts{Declined: 1}
	}
	return JobCounts{Failed: 1}
}

// HoldShard takes a shard of a day's run for a runner, so that no other works on
// it until the runner lets go or its time is over. It fails with ErrHeld where
// another has it.
func (s *Store) HoldShard(ctx context.Context, run JobRun) (*JobRun, error) {
	found, err := readConsistently[*JobRun](ctx, s, getJobRun, key.Map{"job": string(run.Job), "date": calendarDay(run.Date), "shard": run.KeyValue("shard")})
	seen := 0
	switch {
	case err == nil && found.State == JobRunning && found.Owner != run.Owner && found.Until.After(s.now()):
		return nil, ErrHeld
	case err == nil:
		seen = found.Version
		run.Began, run.JobCounts = found.Began, found.JobCounts
	case KindOf(err) != NotFound:
		return nil, err
	default:
		run.Began = s.now()
	}
	run.State, run.Version = JobRunning, seen
	held, err := s.SaveRun(ctx, run)
	if KindOf(err) == Conflict {
		return nil, ErrHeld
	}
	return held, err
}

// SaveRun notes how far a shard has come. Conflict means that another runner has
// taken it over.
func (s *Store) SaveRun(ctx context.Context, run JobRun) (*JobRun, error) {
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	seen := run.Version
	run.Version++
	run.Updated = s.now()
	if seen == 0 {
		c.Create(&run)
	} else {
		c.Replace(&run, seen)
	}
	return &run, c.Commit(ctx)
}

// TakeLease takes or keeps something that one server at a time does, until a
// moment. It fails with ErrHeld where another has it.
func (s *Store) TakeLease(ctx context.Context, name, owner string, until time.Time) error {
	found, err := readConsistently[*Lease](ctx, s, getLease, key.Map{"name": name})
	if KindOf(err) == NotFound {
		found, err = &Lease{Name: name}, nil
	}
	switch {
	case err != nil:
		return err
	case found.Owner != owner && found.Until.After(s.now()):
		return ErrHeld
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	seen := found.Version
	found.Owner, found.Until, found.Version = owner, until, seen+1
	if seen == 0 {
		c.Create(found)
	} else {
		c.Replace(found, seen)
	}
	if err := c.Commit(ctx); KindOf(err) != Conflict {
		return err
	}
	return ErrHeld
}

// RunsOfDay lists the shards of a day's run as far as they have begun.
func (a Access) RunsOfDay(ctx context.Context, job JobName, day time.Time) ([]JobRun, error) {
	return a.JobRuns(ctx, job, day, day)
}

// JobRuns lists the runs of a job on some days, newest first.
func (a Access) JobRuns(ctx context.Context, job JobName, from, to time.Time) ([]JobRun, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getJobRuns, key.Map{"job": string(job), "from": calendarDay(from), "to": calendarDay(to) + "#"}, false)
	return decodeAll(items, err, decodeAs[JobRun])
}

// JobResults lists what a day's runs did, account by account, or only what
// somebody should look at. Results lie in the shards that the runs went
// through, however many the table has by now.
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

// BeginJob says whether this user may have a job run, and tells that they had.
func (a Access) BeginJob(ctx context.Context, job JobName, day time.Time, once string) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: partitionOf(getJobRuns, "job", string(job)), What: string(job) + " run", Why: "for " + calendarDay(day)})
	return c.Commit(ctx)
}

// SwitchScheduler has the daily jobs run by themselves from now on, or no
// longer.
func (a Access) SwitchScheduler(ctx context.Context, on bool) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil || on == !settings.SchedulerSince.IsZero() {
		return err
	}
	settings.SchedulerSince = time.Time{}
	if on {
		settings.SchedulerSince = a.store.now().UTC().Truncate(time.Second)
	}
	return a.store.SaveSettings(ctx, settings, a.user.Name)
}

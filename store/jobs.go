package store

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// ErrHeld says that another runner works on a shard, or another server holds a
// lease.
var ErrHeld = errors.New("another server is at it")

// Passes says whether an error may be gone when one asks again.
func Passes(err error) bool {
	return err != nil && (KindOf(err) == Busy || passing.IsErrorRetryable(err) == aws.TrueTernary)
}

// DueInShard reads some of what a job has to do on a day from one shard, from a
// place on; after is nil at the end. The index may be behind: what was done a
// moment ago may still be in it.
func (s *Store) DueInShard(ctx context.Context, job JobName, day time.Time, shard, limit int, from Item) (due []Subscription, after Item, err error) {
	in, err := s.shardQuery(dueOn(job), key.Map{"date": calendarDay(day)}, shard)
	if err != nil {
		return nil, nil, err
	}
	in.Limit, in.ExclusiveStartKey = aws.Int32(int32(limit)), from
	out, err := s.db.Query(ctx, in)
	if err != nil {
		return nil, nil, s.failure(err)
	}
	due, err = decodeAll(out.Items, nil, decoded[Subscription])
	if len(out.LastEvaluatedKey) == 0 {
		return due, nil, err
	}
	return due, out.LastEvaluatedKey, err
}

// CountDueInShard counts what a job has to do on a day in one shard.
func (s *Store) CountDueInShard(ctx context.Context, job JobName, day time.Time, shard int) (int, error) {
	in, err := s.shardQuery(dueOn(job), key.Map{"date": calendarDay(day)}, shard)
	if err != nil {
		return 0, err
	}
	in.Select, in.ProjectionExpression = types.SelectCount, nil
	count := 0
	for {
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return 0, s.failure(err)
		}
		count += int(out.Count)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return count, nil
		}
	}
}

// CountResultsInShard adds up what a day's run did in one shard so far.
func (s *Store) CountResultsInShard(ctx context.Context, job JobName, day time.Time, shard int) (JobCounts, error) {
	in, err := s.shardQuery(getJobResults, key.Map{"job": string(job), "date": calendarDay(day)}, shard)
	if err != nil {
		return JobCounts{}, err
	}
	in.ConsistentRead = aws.Bool(true)
	var counts JobCounts
	for {
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return JobCounts{}, s.failure(err)
		}
		results, err := decodeAll(out.Items, nil, decoded[JobResult])
		if err != nil {
			return JobCounts{}, err
		}
		for i := range results {
			counts = counts.Plus(results[i].counts())
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return counts, nil
		}
	}
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
		c.create(&run)
	} else {
		c.replace(&run, seen)
	}
	return &run, c.commit(ctx)
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
		c.create(found)
	} else {
		c.replace(found, seen)
	}
	if err := c.commit(ctx); KindOf(err) != Conflict {
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
	if err := a.may(Browse); err != nil {
		return nil, err
	}
	items, err := a.partition(ctx, getJobRuns, key.Map{"job": string(job), "from": calendarDay(from), "to": calendarDay(to) + "#"})
	return decodeAll(items, err, decoded[JobRun])
}

// JobResults lists what a day's runs did, account by account, or only what
// somebody should look at. Results lie in the shards that the runs went
// through, however many the table has by now.
func (a Access) JobResults(ctx context.Context, runs []JobRun, failures bool, page Page) (List[JobResult], error) {
	if len(runs) == 0 {
		return List[JobResult]{}, a.may(Browse)
	}
	q := question{pattern: getJobResults, values: key.Map{"job": string(runs[0].Job), "date": calendarDay(runs[0].Date)}}
	if failures {
		q.pattern = getJobFailures
	}
	for i := range runs {
		q.shards = max(q.shards, runs[i].Shard+1)
	}
	return readable(ctx, a, q, page, decoded[JobResult])
}

// BeginJob says whether this user may have a job run, and tells that they had.
func (a Access) BeginJob(ctx context.Context, job JobName, day time.Time, once string) error {
	if err := a.may(Administer); err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.tell(Event{Partition: partitionOf(getJobRuns, "job", string(job)), What: string(job) + " run", Why: "for " + calendarDay(day)})
	return c.commit(ctx)
}

// SwitchScheduler has the daily jobs run by themselves from now on, or no
// longer.
func (a Access) SwitchScheduler(ctx context.Context, on bool) error {
	if err := a.may(Administer); err != nil {
		return err
	}
	settings, err := a.Settings(ctx)
	if err != nil || on == !settings.SchedulerSince.IsZero() {
		return err
	}
	settings.SchedulerSince = time.Time{}
	if on {
		settings.SchedulerSince = a.now().UTC().Truncate(time.Second)
	}
	return a.SaveSettings(ctx, settings, a.user.Name)
}

package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// JobBacklog stores the first day that the scheduler has not finished for a job. The
// scheduler never runs earlier days again. If an import adds a subscription that is due on
// an earlier day, an admin must start a run for that day.
type JobBacklog struct {
	Job     JobName
	Since   time.Time // calendar day at midnight UTC
	Version int
}

func (*JobBacklog) EntityType() string { return "jobBacklog" }

func (b *JobBacklog) KeyValue(name string) string {
	if name == "job" {
		return string(b.Job)
	}
	return ""
}

func (b *JobBacklog) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "job#", (*string)(&b.Job))
	a.Date("Since", &b.Since)
	a.Version(&b.Version)
}

// Backlog returns the backlog of a job. Its field Since is zero if no backlog is stored.
func (s *Store) Backlog(ctx context.Context, job JobName) (JobBacklog, error) {
	found, err := readConsistently[*JobBacklog](ctx, s, getJobBacklog, key.Map{"job": string(job)})
	if KindOf(err) == NotFound {
		return JobBacklog{Job: job}, nil
	}
	if err != nil {
		return JobBacklog{}, err
	}
	return *found, nil
}

// MoveBacklog moves the first unfinished day to a later day, the argument named since. The
// caller has computed this day from the given settings. MoveBacklog returns Conflict if the
// backlog or the settings have changed after the caller read them.
func (s *Store) MoveBacklog(ctx context.Context, settings Settings, before JobBacklog, since time.Time) error {
	c := s.newChange(settings)
	c.checkSettings(settings)
	c.setBacklog(before, since)
	return c.Commit(ctx)
}

// moveBacklogBack moves a backlog of payments that begins after today back to today. A
// change of the time zone can require this, because an earlier day can then become today
// again.
func (c *change) moveBacklogBack(ctx context.Context, today time.Time) error {
	backlog, err := c.store.Backlog(ctx, PaymentsJob)
	switch {
	case err != nil:
		return err
	case backlog.Since.After(today):
		c.setBacklog(backlog, today)
	case backlog.Version == 0:
		c.CheckAbsent(&backlog)
	default:
		c.Check(&backlog, backlog.Version)
	}
	return nil
}

func (c *change) setBacklog(before JobBacklog, since time.Time) {
	after := before
	after.Since, after.Version = since, before.Version+1
	if before.Version == 0 {
		c.Create(&after)
	} else {
		c.Replace(&after, before.Version)
	}
}

// PaymentsBehindSince returns the first day whose payments the scheduler has not
// finished, or the zero time if all days before today are finished. It also returns the
// zero time if the scheduler is off or has not stored a backlog.
func (a Access) PaymentsBehindSince(ctx context.Context) (time.Time, error) {
	if err := a.require(Browse); err != nil {
		return time.Time{}, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil || settings.SchedulerSince.IsZero() {
		return time.Time{}, err
	}
	backlog, err := a.store.Backlog(ctx, PaymentsJob)
	if err != nil || backlog.Since.IsZero() {
		return time.Time{}, err
	}
	if since := backlog.FirstDay(settings); since.Before(dayIn(a.store.now(), settings.Zone())) {
		return since, nil
	}
	return time.Time{}, nil
}

// FirstDay returns the first day that the scheduler runs: the first unfinished day, but no
// day before the scheduler was turned on. If the scheduler is turned on after an import, it
// therefore does not charge old payments.
func (b JobBacklog) FirstDay(settings Settings) time.Time {
	return later(dayIn(settings.SchedulerSince, settings.Zone()), b.Since)
}

package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// JobBacklog is the first day of a job that is not finished. The scheduler runs no
// earlier day again. Subscriptions are therefore never scheduled on a day before
// today. Imported ones can be, and only runs by hand process them.
type JobBacklog struct {
	Job     JobName
	Since   time.Time // calendar day, at midnight UTC
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

// Backlog returns the first day of a job that is not finished. Its Since is zero
// if none is known.
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

// MoveBacklog moves the backlog to a later first day. It returns Conflict if the
// backlog has changed since it was read.
func (s *Store) MoveBacklog(ctx context.Context, before JobBacklog, since time.Time) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	after := before
	after.Since, after.Version = since, before.Version+1
	if before.Version == 0 {
		c.Create(&after)
	} else {
		c.Replace(&after, before.Version)
	}
	return c.Commit(ctx)
}

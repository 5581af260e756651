package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// VisitPause is the time from the beginning of a visit after which opening Today begins
// another one.
const VisitPause = 30 * time.Minute

// Visit records when a user opened the page Today. It decides which News are new to the
// user.
type Visit struct {
	User      string
	Began     time.Time // when the present visit began
	Last      time.Time // when the previous visit began; zero if there was none
	Dismissed string    // newsKey of the newest event that the user dismissed
	Version   int

	DismissedNotes []string // IDs of dismissed notes that are at most newsOverlap older than Dismissed; at most MaxNews
}

func (*Visit) EntityType() string { return "visit" }

func (v *Visit) KeyValue(name string) string {
	if name == "name" {
		return v.User
	}
	return ""
}

func (v *Visit) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "user#", &v.User)
	a.Time("Began", &v.Began)
	a.Time("Last", &v.Last)
	a.Text("Dismissed", &v.Dismissed)
	a.Texts("DismissedNotes", &v.DismissedNotes)
	a.Version(&v.Version)
}

// readVisit returns the visit of the user, or a new one with version 0.
func (a Access) readVisit(ctx context.Context) (*Visit, error) {
	v, err := readConsistently[*Visit](ctx, a.store, getVisit, key.Map{"user": a.user.Name})
	if KindOf(err) == NotFound {
		return &Visit{User: a.user.Name}, nil
	}
	return v, err
}

// visit returns the present visit of the user. It stores a visit that begins now,
// unless the user views the site as someone else. If another server stores a visit
// at the same time, visit returns that visit.
func (a Access) visit(ctx context.Context) (*Visit, error) {
	v, err := a.readVisit(ctx)
	if err != nil || a.readOnly || a.store.now().Sub(v.Began) < VisitPause {
		return v, err
	}
	v.Last, v.Began = v.Began, a.store.now().UTC().Truncate(time.Second)
	writing, cancel := context.WithTimeout(ctx, a.store.touchTimeout) // leaves time to read the news
	defer cancel()
	err = a.saveVisit(writing, v)
	if KindOf(err) == Conflict {
		return a.readVisit(ctx)
	}
	return v, err
}

// saveVisit stores a visit, on the condition that it has not changed since it was read.
func (a Access) saveVisit(ctx context.Context, v *Visit) error {
	c, err := a.change(ctx, "")
	if err != nil {
		return err
	}
	seen := v.Version
	v.Version++
	if seen == 0 {
		c.Create(v)
	} else {
		c.Replace(v, seen)
	}
	return c.Commit(ctx)
}

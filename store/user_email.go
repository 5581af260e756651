package store

import (
	"context"
	"strings"
)

// OwnUser makes a consistent read of the signed-in user.
func (a Access) OwnUser(ctx context.Context) (*User, error) {
	if err := a.require(SignedIn); err != nil {
		return nil, err
	}
	return a.store.userForChange(ctx, a.user.Name)
}

// OwnEmail is the form with which users say where and whether they get emails.
type OwnEmail struct {
	Email   string // "" for no emails
	Notices bool   // send daily notices, to managers
	Version int    // the version of the user that the form showed
	Token   string
}

// ChangeOwnEmail changes the address of the signed-in user, and whether they get
// daily notices, and returns the user. It returns Invalid if the address is not
// valid, or Conflict if the user has changed. A change ends all sessions of the
// user, because a session is valid for one version of the user only.
func (a Access) ChangeOwnEmail(ctx context.Context, f OwnEmail) (*User, error) {
	before, err := a.OwnUser(ctx)
	if err != nil {
		return nil, err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return nil, err
	}
	if f.Email = strings.TrimSpace(f.Email); f.Email != "" && f.Email != before.Email && !isFullEmail(f.Email) {
		return nil, InvalidField("email", messageEmail)
	}
	if before.Version != f.Version {
		return before, c.rejectOutdated(ctx, before.Partition())
	}
	after := *before
	after.Email, after.NoNotices = f.Email, !f.Notices
	if after.Email == before.Email && after.NoNotices == before.NoNotices {
		return before, nil
	}
	after.Version++
	c.Replace(&after, before.Version)
	c.recordEvent(Event{Partition: before.Partition(), What: EventUserEmailChanged, Before: before.describeEmail(), After: after.describeEmail()})
	if err := c.Commit(ctx); err != nil {
		return nil, err
	}
	a.store.endChangedSessions(ctx, after.Name)
	return &after, nil
}

// describeEmail describes where the user gets emails, for events.
func (u *User) describeEmail() string {
	switch {
	case u.Email == "":
		return "no address"
	case u.NoNotices:
		return u.Email + ", no daily notices"
	}
	return u.Email
}

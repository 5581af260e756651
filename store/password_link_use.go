package store

import (
	"context"
	"crypto/rand"

	"stockroom/store/key"
)

// QueuePasswordLink queues an email with a link to choose a new password. It does nothing
// if the user does not exist, is locked, has no email address or signs in with the identity
// provider. It also does nothing if the function allowed returns false for the user. queued
// reports whether it queued an email. Do not show queued to the person who asked for the
// link, because it reveals whether the user exists.
func (s *Store) QueuePasswordLink(ctx context.Context, name string, allowed func(*User) bool) (queued bool, err error) {
	if key.CheckID(userName(name)) != nil {
		return false, nil
	}
	user, err := s.userForChange(ctx, name)
	if err != nil {
		return false, ignoreNotFound(err)
	}
	if user.Disabled || user.Email == "" || user.Identity != "" || !allowed(user) {
		return false, nil
	}
	c, err := s.change(ctx)
	if err != nil {
		return false, err
	}
	id, err := s.ids.New()
	if err != nil {
		return false, err
	}
	link := &PasswordLink{ID: id, User: user.Name, UserVersion: user.Version, Expires: s.now().UTC().Add(PasswordLinkLife), Version: 1}
	c.Create(link)
	c.Check(user, user.Version)
	c.queueEmail(Email{Kind: EmailPasswordLink, To: user.Email, User: user.Name, Record: user.Partition(), PasswordLink: link.ID})
	c.recordEvent(Event{Partition: user.Partition(), What: EventPasswordLinkRequested})
	return true, c.Commit(ctx)
}

// passwordLink makes consistent reads of a link and its user. It returns NotFound if the
// link no longer works.
func (s *Store) passwordLink(ctx context.Context, id string) (*PasswordLink, *User, error) {
	l, err := readConsistently[*PasswordLink](ctx, s, getPasswordLink, key.Map{"linkID": id})
	if err == nil && s.now().After(l.Expires) || KindOf(err) == NotFound {
		return nil, nil, errPasswordLink()
	}
	if err != nil {
		return nil, nil, err
	}
	user, err := s.userForChange(ctx, l.User)
	if err == nil && (user.Version != l.UserVersion || user.Disabled) || KindOf(err) == NotFound {
		return nil, nil, errPasswordLink()
	}
	return l, user, err
}

func errPasswordLink() error {
	return fail(NotFound, "This link no longer works. A link works only once and expires after 30 minutes. Request another link.")
}

// NewPasswordCode creates and returns the secret part of a password link. Call it just
// before the email is sent. If an earlier attempt to send the email created another secret
// part, that part stops working.
func (s *Store) NewPasswordCode(ctx context.Context, id string) (code string, err error) {
	l, _, err := s.passwordLink(ctx, id)
	if err != nil {
		return "", err
	}
	c, err := s.change(ctx)
	if err != nil {
		return "", err
	}
	code = rand.Text()
	l.Code = hashID(code)
	c.replaceNext(l, &l.Version)
	return code, c.Commit(ctx)
}

// OpenPasswordLink returns the user of a password link. It returns NotFound if the link no
// longer works, or if code is not its secret part.
func (s *Store) OpenPasswordLink(ctx context.Context, id, code string) (*User, error) {
	_, user, err := s.openPasswordLink(ctx, id, code)
	return user, err
}

func (s *Store) openPasswordLink(ctx context.Context, id, code string) (*PasswordLink, *User, error) {
	l, user, err := s.passwordLink(ctx, id)
	if err == nil && !l.hasCode(code) {
		err = errPasswordLink()
	}
	return l, user, err
}

// UsePasswordLink sets a new password for the user of a link. This ends the user's
// sessions, and the link stops working. UsePasswordLink returns NotFound like
// OpenPasswordLink, and Invalid if the password is not accepted.
func (s *Store) UsePasswordLink(ctx context.Context, id, code, password string) error {
	l, user, err := s.openPasswordLink(ctx, id, code)
	if err != nil {
		return err
	}
	if err := checkPassword("password", password); err != nil {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.by = user.Name
	c.DeleteVersion(l, l.Version)
	before := *user
	s.setPassword(user, password, false)
	return s.saveUser(ctx, c, before, user, Event{What: EventUserPasswordChanged, Why: "With an emailed link."})
}

// passwordLinkOutdated returns why the email with a password link must not be sent, or ""
// if the link still works.
func (s *Store) passwordLinkOutdated(ctx context.Context, id string) (why string, err error) {
	_, _, err = s.passwordLink(ctx, id)
	if KindOf(err) == NotFound {
		return "Not sent, because the link no longer works.", nil
	}
	return "", err
}

package store

import (
	"context"
	"time"
)

// ConfirmedLife is how long users can make sensitive changes after they proved their
// identity. See OWASP ASVS 5.0, 7.5.
const ConfirmedLife = 10 * time.Minute

// IsConfirmed reports whether the user of the session has proved their identity within
// the last ConfirmedLife, as a sensitive change requires.
func (s *Store) IsConfirmed(session *Session) bool {
	return session != nil && s.now().Sub(session.Confirmed) < ConfirmedLife
}

// ConfirmSession records that the user of a session proved their identity again. It
// replaces the session with a new one that has this ID, and returns the new session.
// The ID must be unguessable. It returns NotFound if the session has ended.
func (s *Store) ConfirmSession(ctx context.Context, hash, id string, factor Factor) (*Session, error) {
	var confirmed *Session
	err := retryOnConflict(ctx, func() error {
		session, err := s.SessionOf(ctx, hash)
		if err != nil {
			return err
		}
		if _, err := s.checkUser(ctx, session); err != nil {
			return err
		}
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		renewed := *session
		renewed.Hash, renewed.Version = hashID(id), 1
		renewed.Seen = s.now().UTC().Truncate(time.Second)
		renewed.Confirmed = renewed.Seen
		c.DeleteVersion(session, session.Version)
		c.Create(&renewed)
		c.Check(&session.User, session.UserVersion)
		c.recordEvent(Event{Partition: session.User.Partition(), By: session.User.Name, What: EventConfirmed, Why: factor.describe()})
		confirmed = &renewed
		return c.Commit(ctx)
	})
	return confirmed, err
}

// ConfirmPassword checks the password of a signed-in user. It returns Forbidden if the
// password is wrong.
func (s *Store) ConfirmPassword(ctx context.Context, name, password string) error {
	_, _, err := s.checkUserPassword(ctx, name, password) // a change of the hash would end the session
	return err
}

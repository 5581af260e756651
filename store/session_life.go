package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"
	"unicode/utf8"

	"stockroom/store/key"
)

// A session ends after Settings.SessionMinutes without a request, and at the latest
// Settings.SessionHours after sign-in. Every read checks both, because Time to Live may
// delete the item days later.
const (
	SessionIdle  = 30 * time.Minute       // default of Settings.SessionMinutes
	SessionLife  = 12 * time.Hour         // default of Settings.SessionHours
	sessionTouch = time.Minute            // minimum time between two writes of Seen
	touchTimeout = 250 * time.Millisecond // timeout for a write of Session.Seen, AccessToken.Used or a Visit, for which a request waits
	touchPause   = 10 * time.Second       // pause after a failed write of Seen
	maxAgent     = 200                    // bytes
)

// StartSession creates a session with this ID, which must be unguessable. A one-time
// password can open only one session. StartSession returns Conflict if the user has
// changed since authentication. It returns Forbidden if the user has a second factor
// but did not use it.
func (s *Store) StartSession(ctx context.Context, user *User, factor Factor, id, agent string) (*Session, error) {
	return s.startSession(ctx, user, Session{Factor: factor}, id, agent)
}

// StartProviderSession is like StartSession, for a user whom the identity provider has
// authenticated.
func (s *Store) StartProviderSession(ctx context.Context, user *User, factor Factor, id, agent string) (*Session, error) {
	return s.startSession(ctx, user, Session{Factor: factor, Provider: true}, id, agent)
}

// ContinueSession replaces a session that a change of its user has ended. The new session
// has another ID, but keeps the old session's expiry and the time at which the user
// proved their identity. ContinueSession returns Forbidden unless the user may stay
// signed in and has changed exactly once since the old session began. Another change,
// such as a lock, ends the session permanently.
func (s *Store) ContinueSession(ctx context.Context, user *User, old *Session, factor Factor, id, agent string) (*Session, error) {
	if err := s.checkSignedIn(user, old.UserVersion+1); err != nil {
		return nil, err
	}
	return s.startSession(ctx, user, Session{FirstHash: old.FirstHash, Factor: factor, Provider: old.Provider, Created: old.Created, Confirmed: old.Confirmed, Expires: old.Expires}, id, agent)
}

// startSession creates a session. The argument how contains the factor, the provider and
// the times. If it has no times, the session starts now.
func (s *Store) startSession(ctx context.Context, user *User, how Session, id, agent string) (*Session, error) {
	factor := how.Factor
	if user.SecondFactor && factor == NoFactor {
		return nil, fail(Forbidden, "Enter a code or use a passkey to sign in.")
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	now := s.now().UTC().Truncate(time.Second)
	version := user.Version
	if user.MustChange {
		used := *user
		used.OneTimeUntil, used.Version = now, version+1
		user = &used
	}
	if how.Created.IsZero() {
		how.Created, how.Confirmed, how.Expires = now, now, now.Add(time.Duration(settings.SessionHours)*time.Hour)
	}
	session := &Session{
		Hash: hashID(id), FirstHash: cmp.Or(how.FirstHash, hashID(id)), User: *user, UserVersion: user.Version,
		Created: how.Created, Seen: now, Confirmed: how.Confirmed, Expires: how.Expires, Idle: settings.SessionMinutes,
		Factor: factor, Provider: how.Provider, Agent: shortenAgent(agent), Version: 1,
	}
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.Create(session)
	c.recordEvent(Event{Partition: user.Partition(), By: user.Name, What: EventSignedIn, Why: how.describeSignIn()})
	if user.Version == version {
		c.Check(user, version)
	} else {
		c.Replace(user, version)
	}
	return session, c.Commit(ctx)
}

// Session returns the session with this ID, or NotFound if it has ended or expired. With
// the embedded engine, it keeps the session in memory until the table changes.
func (s *Store) Session(ctx context.Context, id string) (*Session, error) {
	hash := hashID(id)
	changes, known := s.Changes()
	if known {
		kept, found := s.sessions.Get(changes, hash)
		if found && !s.isOver(&kept) && !s.mustTouch(&kept) {
			return &kept, nil
		}
	}
	session, err := s.SessionOf(ctx, hash)
	if err == nil && s.mustTouch(session) {
		session, err = s.touch(ctx, session)
	}
	if err == nil && known {
		s.sessions.Put(changes, hash, *session)
	}
	return session, err
}

func (s *Store) mustTouch(session *Session) bool {
	return s.now().Sub(session.Seen) >= sessionTouch
}

// SessionOf returns the session with this hash, or NotFound if it has ended or expired.
func (s *Store) SessionOf(ctx context.Context, hash string) (*Session, error) {
	session, err := readConsistently[*Session](ctx, s, getSession, key.Map{"hash": hash})
	if err == nil && s.isOver(session) {
		return nil, fail(NotFound, "You have been signed out.")
	}
	return session, err
}

func (s *Store) isOver(session *Session) bool {
	now := s.now()
	return !now.Before(session.Expires) || now.Sub(session.Seen) >= time.Duration(session.Idle)*time.Minute
}

// touch stores the current time in Seen. It returns NotFound if the user has changed since
// sign-in. A change of a user ends the user's sessions, but can miss a new session, because
// the index of sessions is updated with a delay. Such a session therefore works only until
// the next touch.
func (s *Store) touch(ctx context.Context, session *Session) (*Session, error) {
	if s.now().UnixNano() < s.touchAfter.Load() {
		return s.checkUser(ctx, session)
	}
	untouched, seen := *session, session.Version
	session.Seen = s.now().UTC().Truncate(time.Second)
	session.Version++
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.Replace(session, seen)
	c.Check(&session.User, session.UserVersion)
	writeCtx, cancel := context.WithTimeout(s.table.Uncounted(ctx), s.touchTimeout)
	defer cancel()
	err = c.Commit(writeCtx)
	if err == nil {
		return session, nil
	}
	if KindOf(err) != Conflict {
		s.touchAfter.Store(s.now().Add(touchPause).UnixNano())
		return s.checkUser(ctx, &untouched)
	}
	// The condition failed: another request has updated the session, or the user has
	// changed.
	again, err := readConsistently[*Session](ctx, s, getSession, key.Map{"hash": session.Hash})
	if err == nil && again.Version == seen {
		err = fail(NotFound, "You have been signed out.")
	}
	return again, err
}

// WaitForTouches makes requests wait up to a minute for writes of Session.Seen,
// AccessToken.Used and visits. Tests with a slow engine need this, because they advance the
// clock between requests.
func (s *Store) WaitForTouches() { s.touchTimeout = time.Minute }

// checkUser returns NotFound if the user has changed since sign-in, and otherwise the
// session. touch calls it while the table rejects writes, so that users can still read
// pages.
func (s *Store) checkUser(ctx context.Context, session *Session) (*Session, error) {
	user, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": session.User.Name})
	if err == nil && user.Version != session.UserVersion {
		err = fail(NotFound, "You have been signed out.")
	}
	if err != nil {
		return nil, err
	}
	return session, nil
}

// EndSession ends the session of a user who signs out. It returns nil if the session
// has already ended.
func (s *Store) EndSession(ctx context.Context, id string) error {
	session, err := readConsistently[*Session](ctx, s, getSession, key.Map{"hash": hashID(id)})
	if err != nil {
		return ignoreNotFound(err)
	}
	return s.endSession(ctx, session, EventSignedOut)
}

// endSession ends a session. The argument what is the code of the event to record, or ""
// for none.
func (s *Store) endSession(ctx context.Context, session *Session, what EventCode) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.Delete(session)
	if what != "" {
		c.recordEvent(Event{Partition: session.User.Partition(), By: session.User.Name, What: what})
	}
	if err := c.Commit(ctx); KindOf(err) != Conflict {
		return err
	}
	return nil
}

// SessionsOf returns the active sessions of a user.
func (s *Store) SessionsOf(ctx context.Context, user string) ([]Session, error) {
	items, err := s.table.Partition(ctx, getSessionsByUser, key.Map{"user": userName(user)}, false)
	all, err := decodeAll(items, err, decodeAs[Session])
	var open []Session
	for _, session := range all {
		if !s.isOver(&session) {
			open = append(open, session)
		}
	}
	return open, err
}

// EndOwnSession ends the session with this hash, or returns NotFound if it has
// ended or belongs to another user.
func (s *Store) EndOwnSession(ctx context.Context, user, hash string) error {
	session, err := readConsistently[*Session](ctx, s, getSession, key.Map{"hash": hash})
	if err != nil || session.User.Name != userName(user) {
		if err == nil || KindOf(err) == NotFound {
			return fail(NotFound, "This session has already ended.")
		}
		return err
	}
	return s.endSession(ctx, session, EventSessionEnded)
}

// endSessionsOf ends all sessions of a user. It records no event for the end of a session.
func (s *Store) endSessionsOf(ctx context.Context, user string) error {
	items, err := s.table.Partition(ctx, getSessionsByUser, key.Map{"user": user}, false)
	all, err := decodeAll(items, err, decodeAs[Session])
	for i := range all {
		err = errors.Join(err, s.endSession(ctx, &all[i], ""))
	}
	return err
}

// endChangedSessions ends the sessions of a user who was changed. It ignores errors,
// because the change of the user is already saved. It continues if the client disconnects.
// A session that it misses stops working within a minute, because touch requires that the
// user is unchanged.
func (s *Store) endChangedSessions(ctx context.Context, user string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changedSessionsTimeout)
	defer cancel()
	_ = s.endSessionsOf(ctx, user)
}

// changedSessionsTimeout is how long a change of a user waits until the user's sessions are
// ended.
const changedSessionsTimeout = 5 * time.Second

// sessionKeyBytes is the length in bytes of a key that signs cookies and cursors.
const sessionKeyBytes = 32

// SessionKeys returns the keys that sign cookies and cursors, newest first. If no
// key is stored, it creates a key.
func (s *Store) SessionKeys(ctx context.Context) ([][]byte, error) {
	stored, err := readConsistently[*SessionKeys](ctx, s, getSessionKeys, nil)
	if KindOf(err) == NotFound {
		random := make([]byte, sessionKeyBytes)
		_, _ = rand.Read(random) // never returns an error; see crypto/rand
		stored = &SessionKeys{Keys: []string{base64.StdEncoding.EncodeToString(random)}, Version: 1}
		var c *change
		if c, err = s.change(ctx); err != nil {
			return nil, err
		}
		c.Create(stored)
		if err = c.Commit(ctx); KindOf(err) == Conflict {
			return s.SessionKeys(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	keys := make([][]byte, len(stored.Keys))
	for i, text := range stored.Keys {
		if keys[i], err = base64.StdEncoding.DecodeString(text); err != nil || len(keys[i]) < sessionKeyBytes {
			return nil, fail(Damaged, "Session key %d in the table is damaged.", i+1)
		}
	}
	return keys, nil
}

func hashID(id string) string {
	var memory [64]byte // large enough for a session ID
	sum := sha256.Sum256(append(memory[:0], id...))
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], sum[:])
	return string(text[:])
}

func shortenAgent(agent string) string {
	if len(agent) <= maxAgent {
		return agent
	}
	end := maxAgent
	for !utf8.RuneStart(agent[end]) {
		end--
	}
	return agent[:end]
}

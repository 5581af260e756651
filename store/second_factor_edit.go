package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store/key"
)

const recoveryCodes = 10

// SecondFactorOf returns the second factor of a user, or an empty one if the user has
// none.
func (s *Store) SecondFactorOf(ctx context.Context, name string) (*SecondFactor, error) {
	_, factor, err := s.userAndFactor(ctx, name)
	return factor, err
}

// userAndFactor makes consistent reads of a user and their second factor. If the user has
// none, it returns an empty second factor. Its Version is that of the stored item, or 0 if
// there is no item.
func (s *Store) userAndFactor(ctx context.Context, name string) (*User, *SecondFactor, error) {
	user, err := s.userForChange(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	factor, err := readConsistently[*SecondFactor](ctx, s, getSecondFactor, key.Map{"user": user.Name})
	if KindOf(err) == NotFound {
		factor, err = &SecondFactor{User: user.Name}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !user.SecondFactor {
		factor = &SecondFactor{User: user.Name, Version: factor.Version}
	}
	return user, factor, nil
}

// AddApp sets up an authenticator app and ends the user's sessions. It returns the user
// and, if this is the first second factor, new recovery codes. It returns Invalid if the
// code does not match the secret, or Conflict if an app is already set up.
func (s *Store) AddApp(ctx context.Context, session *Session, secret, code string) (*User, []string, error) {
	return s.changeFactor(ctx, session, EventSecondFactorAdded, "Authenticator app", func(f *SecondFactor) error {
		if f.Secret != "" {
			return fail(Conflict, "An authenticator app is already set up. Remove it first.")
		}
		step := appStepOf(secret, code, s.now(), time.Time{})
		if step.IsZero() {
			return InvalidField("code", "This code is not correct. Enter the six digits that the app shows now.")
		}
		f.Secret, f.LastCode = secret, step
		return nil
	})
}

// RemoveApp removes the authenticator app, which ends the user's sessions. It returns
// NotFound if there is no app.
func (s *Store) RemoveApp(ctx context.Context, session *Session) (*User, error) {
	user, _, err := s.changeFactor(ctx, session, EventSecondFactorRemoved, "Authenticator app", func(f *SecondFactor) error {
		if f.Secret == "" {
			return fail(NotFound, "The authenticator app is already removed.")
		}
		f.Secret, f.LastCode = "", time.Time{}
		return nil
	})
	return user, err
}

// NewHandle returns a random user handle for the passkeys of a user.
func NewHandle() string {
	handle := make([]byte, 32)
	_, _ = rand.Read(handle) // never fails
	return base64.RawURLEncoding.EncodeToString(handle)
}

// AddPasskey adds a passkey and ends the user's sessions. handle is the user handle with
// which the passkey was created. AddPasskey returns the user and, if this is the first
// second factor, new recovery codes. It returns Invalid if the name is missing or too
// long or the user has MaxPasskeys passkeys. It returns Conflict if the passkey is
// already added or the user has another handle.
func (s *Store) AddPasskey(ctx context.Context, session *Session, handle string, p Passkey) (*User, []string, error) {
	p.Name = strings.TrimSpace(p.Name)
	if n := utf8.RuneCountInString(p.Name); n == 0 || n > maxPasskeyName {
		return nil, nil, InvalidField("name", "Enter a name of 1 to %d characters.", maxPasskeyName)
	}
	p.Created = s.now().UTC()
	return s.changeFactor(ctx, session, EventSecondFactorAdded, "Passkey "+p.Name, func(f *SecondFactor) error {
		switch {
		case len(f.Passkeys) >= MaxPasskeys:
			return fail(Invalid, "You have %d passkeys, which is the maximum. Remove one first.", MaxPasskeys)
		case f.passkey(p.ID) != nil:
			return fail(Conflict, "This passkey is already added.")
		case f.Handle == "":
			f.Handle = handle
		case f.Handle != handle:
			return fail(Conflict, "Your passkeys have just changed. Try again.")
		}
		f.Passkeys = append(f.Passkeys, p)
		return nil
	})
}

// RemovePasskey removes a passkey, which ends the user's sessions. It returns NotFound if
// there is no such passkey.
func (s *Store) RemovePasskey(ctx context.Context, session *Session, id string) (*User, error) {
	user, _, err := s.changeFactor(ctx, session, EventSecondFactorRemoved, "Passkey", func(f *SecondFactor) error {
		if f.passkey(id) == nil {
			return fail(NotFound, "This passkey is already removed.")
		}
		f.Passkeys = slices.DeleteFunc(f.Passkeys, func(p Passkey) bool { return p.ID == id })
		return nil
	})
	return user, err
}

// RenewRecoveryCodes replaces all recovery codes, which ends the user's sessions. It
// returns the user and the new codes, or Invalid if the user has neither an app nor a
// passkey.
func (s *Store) RenewRecoveryCodes(ctx context.Context, session *Session) (*User, []string, error) {
	return s.changeFactor(ctx, session, EventRecoveryCodesRenewed, "", func(f *SecondFactor) error {
		if !f.IsSet() {
			return fail(Invalid, "Set up an authenticator app or a passkey first.")
		}
		f.Recovery = nil
		return nil
	})
}

// changeFactor changes the second factor of a user, in one transaction with the user
// and the event. It returns Forbidden if the user has changed since the session began or may
// not stay signed in; see checkSignedIn. It creates recovery codes if there are none. If the
// factor is empty afterwards, it deletes the item.
func (s *Store) changeFactor(ctx context.Context, session *Session, what EventCode, subject string, change func(*SecondFactor) error) (*User, []string, error) {
	user, factor, err := s.userAndFactor(ctx, session.User.Name)
	if err != nil {
		return nil, nil, err
	}
	if err := s.checkSignedIn(user, session.UserVersion); err != nil {
		return nil, nil, err
	}
	before, wasSet := *user, factor.IsSet()
	if err := change(factor); err != nil {
		return nil, nil, err
	}
	c, err := s.change(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.by = user.Name
	var codes []string
	if user.SecondFactor = factor.IsSet(); user.SecondFactor {
		if !wasSet || factor.Recovery == nil {
			codes, factor.Recovery = newRecoveryCodes()
		}
		c.saveFactor(factor)
	}
	return user, codes, s.saveUser(ctx, c, before, user, Event{What: what, Subject: subject})
}

func (c *change) saveFactor(f *SecondFactor) {
	f.Version++
	if f.Version == 1 {
		c.Create(f)
		return
	}
	c.Replace(f, f.Version-1)
}

// newRecoveryCodes returns new recovery codes and their hashes. The codes have more than
// 112 random bits, so a fast hash is enough; see OWASP ASVS 5.0, 6.5.2.
func newRecoveryCodes() (codes, hashes []string) {
	for range recoveryCodes {
		code := OneTimePassword()
		codes, hashes = append(codes, code), append(hashes, hashID(code))
	}
	return codes, hashes
}

// deleteFactor adds the deletion of a user's second factor to the change.
func (s *Store) deleteFactor(ctx context.Context, c *change, user string) error {
	factor, err := readConsistently[*SecondFactor](ctx, s, getSecondFactor, key.Map{"user": user})
	if err != nil {
		return ignoreNotFound(err)
	}
	c.DeleteVersion(factor, factor.Version)
	return nil
}

// ResetSecondFactor removes the second factor of another user and ends the user's sessions.
// It returns NotFound, Conflict if the version is outdated, or Invalid if the user has no
// second factor or is the acting user.
func (a Access) ResetSecondFactor(ctx context.Context, name string, version int, token string) error {
	return a.changeOtherUser(ctx, name, version, token, EventSecondFactorReset, func(u *User) error {
		if !u.SecondFactor {
			return fail(Invalid, "The user has no second factor.")
		}
		u.SecondFactor = false
		return nil
	})
}

// ResetSecondFactor removes the second factor of a user, without checking permissions. The
// command line uses it. The argument by is the user name in the event.
func (s *Store) ResetSecondFactor(ctx context.Context, name, by string) error {
	return s.changeUser(ctx, name, by, EventSecondFactorReset, func(u *User) error {
		u.SecondFactor = false
		return nil
	})
}

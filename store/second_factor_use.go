package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
)

// ChallengeLife is how long the challenge for a passkey is valid.
const ChallengeLife = 15 * time.Minute

// maxAnswered is the maximum number of answered challenges that are stored with a second
// factor.
const maxAnswered = 100

// UserAtStep returns the user who entered the right password in the first step of a
// sign-in. It returns Forbidden if the user has changed since, no longer exists or may not
// stay signed in; see checkSignedIn.
func (s *Store) UserAtStep(ctx context.Context, name string, version int) (*User, error) {
	user, err := s.userForChange(ctx, name)
	switch {
	case KindOf(err) == NotFound:
		return nil, errSignInAgain
	case err != nil:
		return nil, err
	}
	if err := s.checkSignedIn(user, version); err != nil {
		return nil, err
	}
	return user, nil
}

var errSignInAgain = fail(Forbidden, "Sign in again.")

// checkSignedIn returns Forbidden if the user may not stay signed in, or has changed
// since the given version.
func (s *Store) checkSignedIn(user *User, version int) error {
	if user.Version != version || user.Disabled || user.isExpired(s.now()) {
		return errSignInAgain
	}
	return nil
}

// UseCode checks a code of the authenticator app or a recovery code, and makes sure
// that it does not work again. It returns Forbidden if the code is wrong.
func (s *Store) UseCode(ctx context.Context, name, code string) (Factor, error) {
	used := NoFactor
	err := retryOnConflict(ctx, func() error {
		_, factor, err := s.userAndFactor(ctx, name)
		if err != nil {
			return err
		}
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		used = factor.use(code, s.now())
		switch used {
		case NoFactor:
			return fail(Forbidden, "This code is wrong or was already used.")
		case FactorRecovery:
			user := User{Name: factor.User}
			c.recordEvent(Event{Partition: user.Partition(), By: user.Name, What: EventRecoveryCodeUsed, Subject: strconv.Itoa(len(factor.Recovery))})
		}
		c.saveFactor(factor)
		return c.Commit(ctx)
	})
	return used, err
}

// use marks a code as used, and returns what kind of code it is, or NoFactor if it is
// wrong.
func (f *SecondFactor) use(code string, now time.Time) Factor {
	code = strings.ToLower(strings.TrimSpace(code))
	if f.Secret != "" {
		if step := appStepOf(f.Secret, code, now, f.LastCode); !step.IsZero() {
			f.LastCode = step
			return FactorApp
		}
	}
	if at := slices.Index(f.Recovery, hashID(code)); at >= 0 {
		f.Recovery = slices.Delete(slices.Clone(f.Recovery), at, at+1)
		return FactorRecovery
	}
	return NoFactor
}

// FactorByHandle returns the second factor with this user handle. It returns Forbidden
// if there is none.
func (s *Store) FactorByHandle(ctx context.Context, handle string) (*SecondFactor, error) {
	if key.CheckID(handle) != nil {
		return nil, errUnknownPasskey()
	}
	items, err := s.table.Partition(ctx, getSecondFactorByHandle, key.Map{"handle": handle}, false)
	all, err := decodeAll(items, err, decodeAs[SecondFactor])
	switch {
	case err != nil:
		return nil, err
	case len(all) != 1:
		return nil, errUnknownPasskey()
	}
	_, factor, err := s.userAndFactor(ctx, all[0].User)
	if err == nil && (factor.Handle != handle) || KindOf(err) == NotFound {
		return nil, errUnknownPasskey()
	}
	return factor, err
}

func errUnknownPasskey() error {
	return fail(Forbidden, "This passkey is unknown. It may have been removed. Use another one.")
}

// UsePasskey records that a challenge was answered with a passkey, so that the same answer
// does not work again. p contains the new signature counter of the passkey. UsePasskey
// returns the user, or Forbidden if the challenge was already answered, if the user is
// locked, or if the user has no such passkey.
func (s *Store) UsePasskey(ctx context.Context, name string, p Passkey, challenge string) (*User, error) {
	var user *User
	err := retryOnConflict(ctx, func() error {
		found, factor, err := s.userAndFactor(ctx, name)
		if err != nil {
			return err
		}
		passkey, now := factor.passkey(p.ID), s.now()
		if passkey == nil || found.Disabled {
			return errUnknownPasskey()
		}
		if err := factor.answer(challenge, now); err != nil {
			return err
		}
		passkey.Count, passkey.Used = p.Count, now.UTC()
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		user = found
		c.saveFactor(factor)
		return c.Commit(ctx)
	})
	return user, err
}

// answer records an answered challenge, and removes expired challenges. It returns
// Forbidden if the challenge was already answered, or if maxAnswered challenges are already
// stored.
func (f *SecondFactor) answer(challenge string, now time.Time) error {
	hash := hashID(challenge)
	f.Answered = slices.DeleteFunc(slices.Clone(f.Answered), func(entry string) bool {
		expires, _, _ := strings.Cut(entry, " ")
		seconds, err := strconv.ParseInt(expires, 10, 64)
		return err != nil || now.Unix() > seconds
	})
	if len(f.Answered) >= maxAnswered || slices.ContainsFunc(f.Answered, func(entry string) bool { return strings.HasSuffix(entry, " "+hash) }) {
		return fail(Forbidden, "This passkey was already used on this page. Try again.")
	}
	f.Answered = append(f.Answered, fmt.Sprintf("%d %s", now.Add(ChallengeLife).Unix(), hash))
	return nil
}

package store

import (
	"cmp"
	"context"
	"time"

	"stockroom/store/key"
)

// tokenTouch is the minimum time between two writes of AccessToken.Used.
const tokenTouch = time.Hour

// TokenUse is a valid access token and the user it acts for.
type TokenUse struct {
	User  User // the owner, with the role and scope that the token and its owner have in common
	Token AccessToken
}

// UseAccessToken verifies an access token and returns the user it acts for. Changes of the
// owner's role or scope take effect at once.
//
// It returns NotFound if the token is invalid, expired or revoked, or if its owner is
// locked. After too many failures from one network, it returns how long the client must
// wait. A valid token never waits: nobody can guess a token, so the limit only keeps
// failures from filling the table.
//
// It returns Forbidden if the owner must first choose a password or set up a second factor.
// It also returns Forbidden if the owner's role has changed and no longer fits the role of
// the token; see limitedTo.
func (s *Store) UseAccessToken(ctx context.Context, text, network string) (use *TokenUse, wait time.Duration, err error) {
	token, owner, err := s.verifyAccessToken(ctx, text)
	if KindOf(err) == NotFound {
		attempt := SignInAttempt{Network: network, Token: true}
		if owner != nil {
			attempt.Name = owner.Name
		}
		wait, countErr := s.countTokenFailure(ctx, attempt)
		return nil, wait, cmp.Or(countErr, err)
	}
	if err != nil {
		return nil, 0, err
	}
	if err := s.checkTokenOwner(ctx, owner); err != nil {
		return nil, 0, err
	}
	user := token.limitedTo(owner)
	if user == nil {
		return nil, 0, fail(Forbidden, "Your role has changed. Create another access token.")
	}
	s.touchAccessToken(ctx, token)
	return &TokenUse{User: *user, Token: *token}, 0, nil
}

// verifyAccessToken returns the token with this text and its owner. If the token has
// expired or its owner is locked, it returns both the owner and NotFound.
func (s *Store) verifyAccessToken(ctx context.Context, text string) (*AccessToken, *User, error) {
	invalid := fail(NotFound, "This access token is not valid. It may have expired or been revoked.")
	id, secret, ok := parseTokenText(text)
	if !ok {
		return nil, nil, invalid
	}
	token, err := readConsistently[*AccessToken](ctx, s, getAccessToken, key.Map{"tokenID": id})
	switch {
	case KindOf(err) == NotFound || err == nil && !token.hasSecret(secret):
		return nil, nil, invalid
	case err != nil:
		return nil, nil, err
	}
	owner, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": token.Owner})
	switch {
	case KindOf(err) == NotFound:
		return nil, nil, invalid
	case err != nil:
		return nil, nil, err
	case owner.Disabled || token.HasExpired(s.now()):
		return nil, owner, invalid
	}
	return token, owner, nil
}

func (s *Store) checkTokenOwner(ctx context.Context, owner *User) error {
	if owner.MustChange {
		return fail(Forbidden, "Sign in and choose a password. Until then, your access tokens don't work.")
	}
	if owner.SecondFactor {
		return nil
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	if settings.RequiresFactor(owner.Role) {
		return fail(Forbidden, "Your role requires a second factor. Sign in and set one up. Until then, your access tokens don't work.")
	}
	return nil
}

// countTokenFailure counts a failed use of an access token and records it in the history.
// After too many failures from one network, it records nothing and returns how long the
// client must wait.
func (s *Store) countTokenFailure(ctx context.Context, a SignInAttempt) (time.Duration, error) {
	wait, err := s.AttemptSignIn(ctx, a)
	if err == nil && wait.Now == 0 {
		_, err = s.SignInFailed(ctx, a, wait.Next)
	}
	return wait.Now, err
}

// touchAccessToken stores the time of use, at most once an hour. It returns no error,
// because a later use stores the time. A Conflict means that another request has just
// stored the time or revoked the token. After any other error of the write, this server
// stores no times for touchPause.
func (s *Store) touchAccessToken(ctx context.Context, token *AccessToken) {
	now := s.now()
	if now.Sub(token.Used) < tokenTouch || now.UnixNano() < s.touchAfter.Load() {
		return
	}
	c, err := s.change(ctx)
	if err != nil {
		return
	}
	seen := token.Version
	token.Used = now.UTC().Truncate(time.Second)
	token.Version++
	c.Replace(token, seen)
	ctx, cancel := context.WithTimeout(ctx, s.touchTimeout)
	defer cancel()
	if err := c.Commit(ctx); err != nil && KindOf(err) != Conflict {
		s.touchAfter.Store(now.Add(touchPause).UnixNano())
	}
}

package web

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/labstack/echo/v4"
	"golang.org/x/oauth2"

	"stockroom/store"
)

// clockSkew is how much the clocks of the provider and of this server may differ.
const clockSkew = time.Minute

// Messages for users whose sign-in failed. The cause is only in the log.
const (
	messageUnreachable = "The sign-in service does not respond. Try again in a minute."
	messageOtherTab    = "This sign-in took too long, or another one was started in this browser. Try again."
	messageRefused     = "The sign-in service refused the sign-in. Try again, or ask an admin."
	messageInvalid     = "The sign-in service sent an invalid response. Try again."
	messageNotRecent   = "The sign-in service did not ask you to sign in again. Try again, or ask an admin."
)

// ProviderAnswer is the verified answer of the provider.
type ProviderAnswer struct {
	SignOn SignOn
	User   store.ProviderUser
	Factor store.Factor // FactorProvider if the provider checked a second factor
}

// SignOnError is a failed sign-in at the provider. Message is for the user, and Cause is
// for the log.
type SignOnError struct {
	Message string
	Cause   error
	SignOn  *SignOn // the sign-in that failed; nil if the browser had not started one
}

func (e *SignOnError) Error() string { return e.Message + " Cause: " + e.Cause.Error() }
func (e *SignOnError) Unwrap() error { return e.Cause }

func (t *Tools) signOnError(message string, cause error) error {
	return &SignOnError{Message: message, Cause: cause}
}

// LogSignOn logs a failed sign-in at the provider. It logs a warning instead of an error,
// because clients can cause such failures.
func (t *Tools) LogSignOn(c echo.Context, err error) {
	var failed *SignOnError
	if errors.As(err, &failed) {
		err = failed.Cause
	}
	t.config.Log.Warn("single sign-on failed", slog.String("address", c.RealIP()), slog.String("error", shorten(err.Error())))
}

// FinishSignOn verifies the provider's answer, which the browser sends in the redirect.
// It returns a *SignOnError if the answer is invalid, does not match the sign-in that
// began in this browser, or is a refusal, and if the provider does not respond.
func (t *Tools) FinishSignOn(c echo.Context) (*ProviderAnswer, error) {
	started := t.takeSignOn(c)
	if started == nil {
		return nil, t.signOnError(messageOtherTab, errors.New("no sign-in began in this browser"))
	}
	answer, err := t.verifyAnswer(c, started)
	var failed *SignOnError
	if errors.As(err, &failed) {
		failed.SignOn = started
	}
	return answer, err
}

func (t *Tools) verifyAnswer(c echo.Context, started *SignOn) (*ProviderAnswer, error) {
	query := c.QueryParams()
	if subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(started.State)) != 1 {
		return nil, t.signOnError(messageOtherTab, errors.New("the state does not match"))
	}
	// The parameter iss prevents mix-up attacks; see
	// https://datatracker.ietf.org/doc/html/rfc9207
	if issuer := query.Get("iss"); issuer != "" && issuer != t.provider.config.Issuer {
		return nil, t.signOnError(messageInvalid, errors.New("the answer is from another issuer"))
	}
	if code := query.Get("error"); code != "" {
		return nil, t.signOnError(messageRefused, fmt.Errorf("the provider answered %q: %q", code, query.Get("error_description")))
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(c.Request().Context(), t.provider.client), providerTimeout)
	defer cancel()
	found, err := t.provider.discover(ctx)
	if err != nil {
		return nil, t.signOnError(messageUnreachable, err)
	}
	tokens, err := t.oauth(found).Exchange(ctx, query.Get("code"), oauth2.VerifierOption(started.Verifier))
	if err != nil {
		return nil, t.exchangeError(err)
	}
	token, claims, err := t.verifyToken(ctx, found, tokens, started)
	if err != nil {
		return nil, t.signOnError(messageInvalid, err)
	}
	if err := t.addUserInfo(ctx, found, tokens, token, claims); err != nil {
		return nil, t.signOnError(messageInvalid, err)
	}
	if started.Session != "" && claims.time("auth_time").Before(started.Began.Add(-clockSkew)) {
		return nil, t.signOnError(messageNotRecent, errors.New("the claim auth_time is missing or too old"))
	}
	config := &t.provider.config
	p := &ProviderAnswer{SignOn: *started, User: store.ProviderUser{
		Issuer: token.Issuer, Subject: token.Subject, Role: config.RoleOf(claims.texts(config.GroupsClaim)),
		Names: []string{claims.text("preferred_username"), claims.text("email")}, Taken: config.EmergencyUser,
	}}
	for _, value := range slices.Concat(claims.texts("amr"), claims.texts("acr")) {
		if slices.Contains(config.SecondFactor, value) {
			p.Factor = store.FactorProvider
		}
	}
	return p, nil
}

// exchangeError returns the error for a failed exchange of the code. Its message says
// whether the provider refused the code or did not respond.
func (t *Tools) exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response.StatusCode < 500 {
		return t.signOnError(messageRefused, fmt.Errorf("the provider refused the code: status %d, %q", refused.Response.StatusCode, refused.ErrorCode))
	}
	return t.signOnError(messageUnreachable, err)
}

// verifyToken verifies the ID token: signature, issuer, audience, expiry and nonce. See
// https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
func (t *Tools) verifyToken(ctx context.Context, found *discovered, tokens *oauth2.Token, started *SignOn) (*oidc.IDToken, claims, error) {
	raw, _ := tokens.Extra("id_token").(string)
	config := &t.provider.config
	token, err := found.Verifier(&oidc.Config{ClientID: config.ClientID, Now: config.Now}).Verify(ctx, raw)
	if err != nil {
		return nil, nil, err
	}
	all := claims{}
	if err := token.Claims(&all); err != nil {
		return nil, nil, err
	}
	switch {
	case token.Subject == "":
		return nil, nil, errors.New("the ID token has no subject")
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(started.Nonce)) != 1:
		return nil, nil, errors.New("the nonce does not match")
	case len(token.Audience) > 1 && all.text("azp") != config.ClientID:
		return nil, nil, errors.New("the ID token is for another client")
	case token.AccessTokenHash != "" && token.VerifyAccessToken(tokens.AccessToken) != nil:
		return nil, nil, errors.New("the access token does not belong to the ID token")
	}
	return token, all, nil
}

// addUserInfo requests the provider's user info and adds its claims. It does nothing if
// the ID token contains the groups and a name, or if the provider has no user info.
func (t *Tools) addUserInfo(ctx context.Context, found *discovered, tokens *oauth2.Token, token *oidc.IDToken, all claims) error {
	_, hasGroups := all[t.provider.config.GroupsClaim]
	hasName := all.text("preferred_username") != "" || all.text("email") != ""
	if hasGroups && hasName || found.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil {
		return err
	}
	if info.Subject != token.Subject {
		return errors.New("the user info is about another subject")
	}
	more := claims{}
	if err := info.Claims(&more); err != nil {
		return err
	}
	for name, value := range more {
		if _, ok := all[name]; !ok {
			all[name] = value
		}
	}
	return nil
}

// claims contains what the provider says about a person, by name of the claim.
type claims map[string]any

func (c claims) text(name string) string {
	text, _ := c[name].(string)
	return text
}

// texts returns the values of a claim that is a string or a list of strings.
func (c claims) texts(name string) (texts []string) {
	switch value := c[name].(type) {
	case string:
		return []string{value}
	case []any:
		for _, v := range value {
			if text, ok := v.(string); ok {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// time returns a claim that is a time in seconds, or the zero time.
func (c claims) time(name string) time.Time {
	seconds, ok := c[name].(float64)
	if !ok {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0)
}

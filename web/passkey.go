package web

import (
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// PasskeyRequest asks the browser for a passkey. A script passes Options to the browser's
// WebAuthn API. The form then submits the browser's response together with State.
// The zero PasskeyRequest means that the browser cannot use passkeys at this address.
type PasskeyRequest struct {
	Options string // JSON for parseRequestOptionsFromJSON or parseCreationOptionsFromJSON
	State   string // signed text that contains the challenge
}

// passkeyState is the signed part of a PasskeyRequest.
type passkeyState struct {
	Purpose string // purposeUse or purposeAdd
	Session webauthn.SessionData
}

const (
	purposeUse = "use"
	purposeAdd = "add"
)

// errPasskey returns the error for an invalid response of the browser.
func errPasskey(message string) error { return &store.Error{Kind: store.Forbidden, Message: message} }

const (
	passkeyTooLate = "This page was open for too long. Try again."
	passkeyInvalid = "The passkey was not accepted. Try again."
)

func passkeyCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codecs[i] = newCodec(key, "passkey", int(store.ChallengeLife.Seconds()))
	}
	return codecs
}

// relyingParty returns the WebAuthn settings for the address of this request, or nil if
// browsers allow no passkeys there. Passkeys need a host name; see
// https://www.w3.org/TR/webauthn-3/#relying-party-identifier
func (t *Tools) relyingParty(c echo.Context) (*webauthn.WebAuthn, error) {
	origin := t.Origin(c)
	address, err := url.Parse(origin)
	if err != nil {
		return nil, nil
	}
	host := address.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || host == "" || address.Scheme != "https" && host != "localhost" {
		return nil, nil
	}
	return webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Stockroom", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
}

// RequestPasskey returns a request for any passkey of this site, to sign in or to confirm
// an identity.
func (t *Tools) RequestPasskey(c echo.Context) (PasskeyRequest, error) {
	party, err := t.relyingParty(c)
	if party == nil || err != nil {
		return PasskeyRequest{}, err
	}
	options, session, err := party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return PasskeyRequest{}, err
	}
	return t.passkeyRequest(options.Response, passkeyState{purposeUse, *session})
}

// RequestNewPasskey returns a request to create a passkey for the user. The argument handle
// is the user handle of the user's passkeys.
func (t *Tools) RequestNewPasskey(c echo.Context, factor *store.SecondFactor, handle string) (PasskeyRequest, error) {
	party, err := t.relyingParty(c)
	if party == nil || err != nil {
		return PasskeyRequest{}, err
	}
	user := passkeyUser{factor, handle}
	existing := webauthn.Credentials(user.WebAuthnCredentials()).CredentialDescriptors()
	options, session, err := party.BeginRegistration(user, webauthn.WithExclusions(existing))
	if err != nil {
		return PasskeyRequest{}, err
	}
	return t.passkeyRequest(options.Response, passkeyState{purposeAdd, *session})
}

func (t *Tools) passkeyRequest(options any, state passkeyState) (PasskeyRequest, error) {
	text, err := json.Marshal(options)
	if err != nil {
		return PasskeyRequest{}, err
	}
	signed, err := json.Marshal(state)
	if err != nil {
		return PasskeyRequest{}, err
	}
	value, err := securecookie.EncodeMulti("passkey", signed, t.passkeys...)
	return PasskeyRequest{Options: string(text), State: value}, err
}

func (t *Tools) readPasskeyState(purpose, text string) (*webauthn.SessionData, error) {
	var signed []byte
	if securecookie.DecodeMulti("passkey", text, &signed, t.passkeys...) != nil {
		return nil, errPasskey(passkeyTooLate)
	}
	var state passkeyState
	if json.Unmarshal(signed, &state) != nil || state.Purpose != purpose {
		return nil, errPasskey(passkeyInvalid)
	}
	return &state.Session, nil
}

// UsePasskey verifies the browser's response to RequestPasskey, and returns the user of the
// passkey. It returns Forbidden if the response is invalid or was used before, or if the
// user is locked.
func (t *Tools) UsePasskey(c echo.Context, state, response string) (*store.User, error) {
	session, err := t.readPasskeyState(purposeUse, state)
	if err != nil {
		return nil, err
	}
	party, err := t.relyingParty(c)
	if err != nil {
		return nil, err
	}
	answer, parseErr := protocol.ParseCredentialRequestResponseBytes([]byte(response))
	if party == nil || parseErr != nil {
		return nil, errPasskey(passkeyInvalid)
	}
	var factor *store.SecondFactor
	var failed error
	find := func(_, handle []byte) (webauthn.User, error) {
		text := base64.RawURLEncoding.EncodeToString(handle)
		if factor, failed = t.config.Store.FactorByHandle(c.Request().Context(), text); failed != nil {
			return nil, failed
		}
		return passkeyUser{factor, text}, nil
	}
	_, credential, err := party.ValidatePasskeyLogin(find, *session, answer)
	switch {
	case failed != nil:
		return nil, failed
	case err != nil || credential.Authenticator.CloneWarning:
		return nil, errPasskey(passkeyInvalid)
	}
	return t.config.Store.UsePasskey(c.Request().Context(), factor.User, passkeyOf(credential), session.Challenge)
}

// ReadNewPasskey verifies the browser's response to RequestNewPasskey, and returns the
// user handle and the passkey. It returns Forbidden if the response is invalid.
func (t *Tools) ReadNewPasskey(c echo.Context, factor *store.SecondFactor, state, response string) (handle string, p store.Passkey, err error) {
	session, err := t.readPasskeyState(purposeAdd, state)
	if err != nil {
		return "", p, err
	}
	party, err := t.relyingParty(c)
	if err != nil {
		return "", p, err
	}
	answer, parseErr := protocol.ParseCredentialCreationResponseBytes([]byte(response))
	if party == nil || parseErr != nil {
		return "", p, errPasskey(passkeyInvalid)
	}
	handle = base64.RawURLEncoding.EncodeToString(session.UserID)
	credential, err := party.CreateCredential(passkeyUser{factor, handle}, *session, answer)
	if err != nil {
		return "", p, errPasskey(passkeyInvalid)
	}
	return handle, passkeyOf(credential), nil
}

func passkeyOf(c *webauthn.Credential) store.Passkey {
	return store.Passkey{
		ID: base64.RawURLEncoding.EncodeToString(c.ID), PublicKey: c.PublicKey,
		Count: c.Authenticator.SignCount, Synced: c.Flags.BackupEligible,
	}
}

// passkeyUser is a user as the WebAuthn library needs it.
type passkeyUser struct {
	factor *store.SecondFactor
	handle string // base64url
}

func (u passkeyUser) WebAuthnID() []byte {
	id, _ := base64.RawURLEncoding.DecodeString(u.handle)
	return id
}

func (u passkeyUser) WebAuthnName() string        { return u.factor.User }
func (u passkeyUser) WebAuthnDisplayName() string { return u.factor.User }

func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential {
	credentials := make([]webauthn.Credential, len(u.factor.Passkeys))
	for i, p := range u.factor.Passkeys {
		id, _ := base64.RawURLEncoding.DecodeString(p.ID)
		credentials[i] = webauthn.Credential{
			ID: id, PublicKey: p.PublicKey,
			Flags:         webauthn.CredentialFlags{BackupEligible: p.Synced},
			Authenticator: webauthn.Authenticator{SignCount: p.Count},
		}
	}
	return credentials
}

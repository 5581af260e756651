package web

import (
	"crypto/rand"
	"encoding/json"
	"net"
	"net/netip"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"
	"golang.org/x/oauth2"
)

// signOnCookie is the name of the cookie that binds a sign-in at the provider to the
// browser in which it began. A second sign-in in the same browser replaces the first one.
const signOnCookie = "sso"

// signOnLife is how long, in seconds, a user can take to sign in at the provider.
const signOnLife = 15 * 60

// maxSignOnNext limits the length of SignOn.Next in bytes, because browsers do not store
// cookies that are too long.
const maxSignOnNext = 1500

// SignOn describes a sign-in, or the confirmation of an identity, at the provider.
type SignOn struct {
	Next    string // path of the page to open afterwards
	Session string // hash of the session to confirm; "" to sign in

	State    string // parameter that the provider returns
	Nonce    string // value in the ID token
	Verifier string // verifier of PKCE; see RFC 7636
	Began    time.Time
}

// signOnCodecs returns codecs that encrypt and sign the cookie, because it contains the
// PKCE verifier.
func signOnCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codec := securecookie.New(deriveKey(key, "single sign-on"), deriveKey(key, "single sign-on encryption"))
		codecs[i] = codec.SetSerializer(securecookie.NopEncoder{}).MaxAge(signOnLife)
	}
	return codecs
}

// StartSignOn returns the URL of the provider to which the browser must go, and sets the
// cookie that FinishSignOn needs. If s.Session is set, the provider must authenticate the
// user again, even if the user is signed in there. StartSignOn returns *SignOnError if
// the provider does not respond.
func (t *Tools) StartSignOn(c echo.Context, s SignOn) (string, error) {
	found, err := t.provider.discover(c.Request().Context())
	if err != nil {
		return "", t.signOnError(messageUnreachable, err)
	}
	s.State, s.Nonce, s.Verifier, s.Began = rand.Text(), rand.Text(), oauth2.GenerateVerifier(), t.provider.config.Now()
	if len(s.Next) > maxSignOnNext {
		s.Next = ""
	}
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	value, err := securecookie.EncodeMulti(signOnCookie, text, t.signOns...)
	if err != nil {
		return "", err
	}
	c.SetCookie(t.cookie(signOnCookie, value, signOnLife))
	options := []oauth2.AuthCodeOption{oidc.Nonce(s.Nonce), oauth2.S256ChallengeOption(s.Verifier)}
	if s.Session != "" {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return t.oauth(found).AuthCodeURL(s.State, options...), nil
}

// takeSignOn returns the content of the cookie, and deletes the cookie, so that the same
// answer of the provider is not accepted twice. It returns nil if there is no valid cookie.
func (t *Tools) takeSignOn(c echo.Context) *SignOn {
	cookie, err := t.readCookie(c, signOnCookie)
	if err != nil {
		return nil
	}
	c.SetCookie(t.cookie(signOnCookie, "", -1))
	var text []byte
	s := &SignOn{}
	if securecookie.DecodeMulti(signOnCookie, cookie.Value, &text, t.signOns...) != nil || json.Unmarshal(text, s) != nil {
		return nil
	}
	return s
}

// SafeProviderURL reports whether a URL of the provider uses HTTPS or points to this
// machine.
func SafeProviderURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && net.IP(ip.AsSlice()).IsLoopback())
}

func withQuery(address, name, value string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}

package store

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// The parameters of RFC 6238 that all authenticator apps support: SHA-1, six digits,
// thirty seconds. See https://datatracker.ietf.org/doc/html/rfc6238
const (
	appDigits      = 6
	appStep        = 30 * time.Second
	appSecretBytes = 20 // the length of a SHA-1 hash, which RFC 4226 recommends
)

// NewAppSecret returns a random secret for an authenticator app, in base32.
func NewAppSecret() string {
	secret := make([]byte, appSecretBytes)
	_, _ = rand.Read(secret) // never fails
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// AppURL returns the URL that an authenticator app reads from a QR code. See
// https://github.com/google/google-authenticator/wiki/Key-Uri-Format
func AppURL(user, secret string) string {
	values := url.Values{"secret": {secret}, "issuer": {"Stockroom"}}
	return "otpauth://totp/Stockroom:" + url.PathEscape(user) + "?" + values.Encode()
}

// appStepOf returns the start of the time step whose code was entered, or zero. It accepts
// the current step, and one step before and after, because clocks differ. It accepts only
// steps after the step that starts at the argument last, so that each code works once.
func appStepOf(secret, code string, now, last time.Time) (found time.Time) {
	code = strings.ReplaceAll(code, " ", "")
	current := now.Unix() / int64(appStep.Seconds())
	for step := current - 1; step <= current+1; step++ {
		start := time.Unix(step*int64(appStep.Seconds()), 0).UTC()
		want, err := hotp.GenerateCodeCustom(secret, uint64(step), hotp.ValidateOpts{Digits: appDigits, Algorithm: otp.AlgorithmSHA1})
		if err == nil && start.After(last) && subtle.ConstantTimeCompare([]byte(code), []byte(want)) == 1 {
			found = start
		}
	}
	return found
}

package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

// A form token is a ULID, a hyphen and a signature of the session and the ULID. A form
// is therefore accepted only in the session in which its page was opened. The ULID
// identifies the form; see Form.Token.

// formTokenPattern matches form tokens. The signature is missing in tokens of earlier
// versions of the program, which are refused as those of other sessions.
var formTokenPattern = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}(-[0-9A-Za-z_-]{22})?$`)

// ForeignForm is the error of a form with a token of another session, or with a forged
// or outdated one.
type ForeignForm struct{}

func (*ForeignForm) Error() string { return "the form was not opened in this session" }

func formTokenKeys(keys [][]byte) [][]byte {
	derived := make([][]byte, len(keys))
	for i, key := range keys {
		derived[i] = deriveKey(key, "form token")
	}
	return derived
}

// NewFormToken returns a token for a new form on a page of the request's session.
func (t *Tools) NewFormToken(c echo.Context) string {
	return t.SignFormToken(c, t.config.Store.NewToken())
}

// SignFormToken returns the token with the ULID of another token for the request's session.
// Use it only for a form that the program has kept or that the user reviews.
func (t *Tools) SignFormToken(c echo.Context, token string) string {
	id := formID(token)
	return id + "-" + formSignature(t.formKeys[0], c, id)
}

func formID(token string) string {
	id, _, _ := strings.Cut(token, "-")
	return id
}

// hasFormToken reports whether a token was signed for the request's session.
func (t *Tools) hasFormToken(c echo.Context, token string) bool {
	id, signature, _ := strings.Cut(token, "-")
	for _, key := range t.formKeys {
		if hmac.Equal([]byte(signature), []byte(formSignature(key, c, id))) {
			return true
		}
	}
	return false
}

// formSignature signs the session of the request and the ULID of a token. Pages that need
// no sign-in have no session.
func formSignature(key []byte, c echo.Context, id string) string {
	mac := hmac.New(sha256.New, key)
	if session := Session(c); session != nil {
		mac.Write([]byte(session.FirstHash))
	}
	mac.Write([]byte("\x00" + id))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:signatureBytes])
}

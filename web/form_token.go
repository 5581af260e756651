package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// A form token consists of a ULID and two signatures: one of the session and the ULID, and
// one of the user and the ULID. With the first one, a form is accepted only in the session
// in which its page was opened. With the second one, what a user entered is not shown to
// another user. The ULID identifies the form; see Form.Token.

// formTokenPattern matches form tokens, with the signatures in groups. Tokens of earlier
// versions of the program lack the second signature or both. Without the first one, they
// are refused like those of other sessions.
var formTokenPattern = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}(?:-([0-9A-Za-z_-]{22})(?:-([0-9A-Za-z_-]{11}))?)?$`)

const userSignatureBytes = 8

// ForeignForm is the error of a form whose token is from another session, or forged, or
// from an earlier version of the program.
type ForeignForm struct {
	SameUser bool     // the user opened the form, in another session; also true if the token has no signature of a user
	Fields   []string // the names of the fields, in the order of the form
}

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

// SignFormToken returns a token for the request's session that has the ULID of another
// token. Use it only for a form that the program has kept or that the user reviews.
func (t *Tools) SignFormToken(c echo.Context, token string) string {
	id, key := formID(token), t.formKeys[0]
	return id + "-" + formSignature(key, sessionOf(c), id) + "-" + userSignature(key, userOf(c), id)
}

func formID(token string) string {
	id, _, _ := strings.Cut(token, "-")
	return id
}

// hasFormToken reports whether a token was signed for the request's session.
func (t *Tools) hasFormToken(c echo.Context, token string) bool {
	return t.isSigned(token, 1, func(key []byte, id string) string { return formSignature(key, sessionOf(c), id) })
}

// HasOpened reports whether the user opened the form with this token, in any session.
func (t *Tools) HasOpened(user, token string) bool {
	return t.isSigned(token, 2, func(key []byte, id string) string { return userSignature(key, user, id) })
}

// IsOfAnother reports whether another user than this one opened the form with this token.
// It returns false if the form was opened without a session, or if the token has no
// signature of a user.
func (t *Tools) IsOfAnother(user, token string) bool {
	parts := formTokenPattern.FindStringSubmatch(token)
	return parts != nil && parts[2] != "" && !t.HasOpened(user, token) && !t.HasOpened("", token)
}

// namesUser reports whether a token has the signature of a user. Tokens of earlier versions
// of the program have no such signature.
func namesUser(token string) bool {
	parts := formTokenPattern.FindStringSubmatch(token)
	return parts != nil && parts[2] != ""
}

// isSigned reports whether a signature of a token is valid for one of the keys. The
// argument n is the group of the signature in formTokenPattern. The function sign makes the
// signature that is expected.
func (t *Tools) isSigned(token string, n int, sign func(key []byte, id string) string) bool {
	parts := formTokenPattern.FindStringSubmatch(token)
	return parts != nil && slices.ContainsFunc(t.formKeys, func(key []byte) bool {
		return hmac.Equal([]byte(parts[n]), []byte(sign(key, formID(token))))
	})
}

// sessionOf returns the hash of the ID with which the request's session began, or "" if
// nobody is signed in. It stays the same when the session gets another ID.
func sessionOf(c echo.Context) string {
	if session := Session(c); session != nil {
		return session.FirstHash
	}
	return ""
}

// userOf returns the name of the user who is signed in, or "".
func userOf(c echo.Context) string {
	if user := SignedInUser(c); user != nil {
		return user.Name
	}
	return ""
}

func userSignature(key []byte, user, id string) string {
	return formSignature(key, "user\x00"+user, id)[:base64.RawURLEncoding.EncodedLen(userSignatureBytes)]
}

// formSignature signs a ULID together with a session or a user.
func formSignature(key []byte, of, id string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(of + "\x00" + id))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:signatureBytes])
}

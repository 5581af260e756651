package web

import (
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"net/url"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"
)

// A draft contains what a user entered in a form of several steps. If the user goes back to
// an earlier step, the page shows the values of the draft. The draft is in an encrypted
// cookie, because it can contain personal data. A browser has one draft at a time.

const (
	draftCookie = "draft"
	draftMaxAge = 60 * 60 // maximum age in seconds
	maxDraft    = 2000    // maximum size in bytes, compressed; the cookie is then shorter than 4096 bytes
)

func draftCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codec := securecookie.New(deriveKey(key, "draft"), deriveKey(key, "draft encryption"))
		codecs[i] = codec.SetSerializer(securecookie.NopEncoder{}).MaxAge(draftMaxAge)
	}
	return codecs
}

// Names of values in a draft. Fields of forms have no names like these.
const (
	draftKey  = "\x00key"
	draftUser = "\x00user"
)

// SaveDraft saves a form as the draft of the browser. The key identifies the form. If the
// form is too long for a cookie, SaveDraft deletes the earlier draft and returns false.
func (t *Tools) SaveDraft(c echo.Context, key string, form Form) (saved bool, err error) {
	values := url.Values(maps.Clone(form.values))
	values.Set(FieldToken, form.TokenID())
	values.Set(draftKey, key)
	values.Set(draftUser, userOf(c))
	var text bytes.Buffer
	w, err := flate.NewWriter(&text, flate.BestCompression)
	if err != nil {
		return false, err
	}
	if _, err := io.WriteString(w, values.Encode()); err != nil {
		return false, err
	}
	if err := w.Close(); err != nil {
		return false, err
	}
	if text.Len() > maxDraft {
		c.SetCookie(t.cookie(draftCookie, "", -1))
		return false, nil
	}
	value, err := securecookie.EncodeMulti(draftCookie, text.Bytes(), t.drafts...)
	if err != nil {
		return false, err
	}
	c.SetCookie(t.cookie(draftCookie, value, draftMaxAge))
	return true, nil
}

// Draft returns the form that the same user saved as the draft with this key. Its token has
// the ULID of the saved form, and is valid in the session of the request. Draft returns an
// empty form if there is none.
func (t *Tools) Draft(c echo.Context, key string) Form {
	cookie, err := t.readCookie(c, draftCookie)
	if err != nil {
		return Form{}
	}
	var compressed []byte
	if securecookie.DecodeMulti(draftCookie, cookie.Value, &compressed, t.drafts...) != nil {
		return Form{}
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(compressed)))
	if err != nil {
		return Form{}
	}
	values, err := url.ParseQuery(string(text))
	if err != nil || values.Get(draftKey) != key || values.Get(draftUser) != userOf(c) {
		return Form{}
	}
	values.Del(draftKey)
	values.Del(draftUser)
	values.Set(FieldToken, t.SignFormToken(c, values.Get(FieldToken)))
	return Form{values: values}
}

// DeleteDraft deletes the draft with this key.
func (t *Tools) DeleteDraft(c echo.Context, key string) {
	if !t.Draft(c, key).IsEmpty() {
		c.SetCookie(t.cookie(draftCookie, "", -1))
	}
}

package web

import (
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"
)

// A draft contains what a user entered in a form of several steps. If the user goes back to
// an earlier step, the page shows the values of the draft. The drafts of all forms, such as
// the forms in two tabs, are in one encrypted cookie, because they can contain personal data.

const (
	draftCookie = "draft"
	draftMaxAge = 60 * 60 // maximum age of a draft in seconds, and of the cookie after each change of a draft
	maxDraft    = 2000    // maximum size of all drafts in bytes, compressed; the cookie is then shorter than 4096 bytes
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
	draftKey   = "\x00key"
	draftUser  = "\x00user"
	draftSaved = "\x00saved" // Unix time
)

// SaveDraft saves a form as the draft with this key, which identifies the form. If the
// cookie would be too long, SaveDraft deletes the oldest drafts. If the form alone is too
// long, SaveDraft deletes its earlier draft and returns false.
func (t *Tools) SaveDraft(c echo.Context, key string, form Form) (saved bool, err error) {
	values := url.Values(maps.Clone(form.values))
	values.Set(FieldToken, form.TokenID())
	values.Set(draftKey, key)
	values.Set(draftUser, userOf(c))
	values.Set(draftSaved, strconv.FormatInt(t.config.Store.Now().Unix(), 10))
	others := t.draftsExcept(c, key)
	alone, err := t.encodeDrafts([]url.Values{values})
	if err != nil {
		return false, err
	}
	if alone == "" {
		return false, t.setDrafts(c, others)
	}
	return true, t.setDrafts(c, append([]url.Values{values}, others...))
}

// setDrafts sets the cookie with the drafts. If the cookie would be too long, it omits the
// oldest ones.
func (t *Tools) setDrafts(c echo.Context, drafts []url.Values) error {
	for ; len(drafts) > 0; drafts = drafts[:len(drafts)-1] {
		value, err := t.encodeDrafts(drafts)
		if err != nil {
			return err
		}
		if value != "" {
			c.SetCookie(t.cookie(draftCookie, value, draftMaxAge))
			return nil
		}
	}
	c.SetCookie(t.cookie(draftCookie, "", -1))
	return nil
}

// encodeDrafts returns the value of the cookie, or "" if it would be too long.
func (t *Tools) encodeDrafts(drafts []url.Values) (string, error) {
	var text bytes.Buffer
	w, err := flate.NewWriter(&text, flate.BestCompression)
	if err != nil {
		return "", err
	}
	for _, d := range drafts {
		if _, err := io.WriteString(w, d.Encode()+"\n"); err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if text.Len() > maxDraft {
		return "", nil
	}
	return securecookie.EncodeMulti(draftCookie, text.Bytes(), t.drafts...)
}

// readDrafts returns the drafts of the user, newest first.
func (t *Tools) readDrafts(c echo.Context) []url.Values {
	cookie, err := t.readCookie(c, draftCookie)
	if err != nil {
		return nil
	}
	var compressed []byte
	if securecookie.DecodeMulti(draftCookie, cookie.Value, &compressed, t.drafts...) != nil {
		return nil
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(compressed)))
	if err != nil {
		return nil
	}
	var drafts []url.Values
	for line := range strings.Lines(string(text)) {
		values, err := url.ParseQuery(strings.TrimSuffix(line, "\n"))
		if err != nil || values.Get(draftUser) != userOf(c) {
			continue
		}
		saved, err := strconv.ParseInt(values.Get(draftSaved), 10, 64)
		if err != nil || t.config.Store.Now().Sub(time.Unix(saved, 0)) > draftMaxAge*time.Second {
			continue
		}
		drafts = append(drafts, values)
	}
	return drafts
}

func (t *Tools) draftsExcept(c echo.Context, key string) []url.Values {
	return slices.DeleteFunc(t.readDrafts(c), func(d url.Values) bool { return d.Get(draftKey) == key })
}

// Draft returns the form that the same user saved as the draft with this key. Its token has
// the ULID of the saved form, and is valid in the session of the request. Draft returns an
// empty form if there is none.
func (t *Tools) Draft(c echo.Context, key string) Form {
	for _, values := range t.readDrafts(c) {
		if values.Get(draftKey) == key {
			values.Del(draftKey)
			values.Del(draftUser)
			values.Del(draftSaved)
			values.Set(FieldToken, t.SignFormToken(c, values.Get(FieldToken)))
			return Form{values: values}
		}
	}
	return Form{}
}

// DeleteDraft deletes the draft with this key. If it cannot keep the other drafts, it
// deletes them too, because its caller has already saved the form.
func (t *Tools) DeleteDraft(c echo.Context, key string) {
	if !t.Draft(c, key).IsEmpty() && t.setDrafts(c, t.draftsExcept(c, key)) != nil {
		c.SetCookie(t.cookie(draftCookie, "", -1))
	}
}

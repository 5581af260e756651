package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

const token = "01JD3W8G9QK5T0Q7M7Z8Z5N0XB"

var oldKey, newKey = []byte("old key"), []byte("new key")

// formRequest returns tools with these keys, and a request that submits a form. The session
// of the request can be nil.
func formRequest(form url.Values, session *store.Session, keys ...[]byte) (*Tools, echo.Context) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(form.Encode()))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	c := echo.New().NewContext(r, httptest.NewRecorder())
	if session != nil {
		c.Set(contextSession, session)
	}
	return &Tools{formKeys: formTokenKeys(keys)}, c
}

// signedToken returns the token signed for a session with the old key.
func signedToken(session *store.Session) string {
	tools, c := formRequest(nil, session, oldKey)
	return tools.SignFormToken(c, token)
}

func readChange(form url.Values) (Form, error) {
	tools, c := formRequest(form, nil, newKey, oldKey)
	return tools.ReadChange(c, "name", "boxes*")
}

// TestForm_RefusesForeignToken checks that a form is refused if its token was not signed
// for the session of the request.
func TestForm_RefusesForeignToken(t *testing.T) {
	kim, other := &store.Session{Hash: "renewed", FirstHash: "kim"}, &store.Session{Hash: "kim", FirstHash: "other"}
	read := func(once string, keys ...[]byte) error {
		tools, c := formRequest(url.Values{"once": {once}}, kim, keys...)
		_, err := tools.ReadChange(c)
		return err
	}
	own := signedToken(kim)
	for _, keys := range [][][]byte{{oldKey}, {newKey, oldKey}} {
		if err := read(own, keys...); err != nil {
			t.Errorf("own token: got %v, want no error", err)
		}
	}
	_, signature, _ := strings.Cut(own, "-")
	for name, foreign := range map[string]string{
		"forged":                token + "-" + strings.Repeat("A", 22) + "-" + strings.Repeat("A", 11),
		"for another form":      "01JD3W8G9QK5T0Q7M7Z8Z5N0XC-" + signature,
		"of another session":    signedToken(other),
		"without a session":     signedToken(nil),
		"of an earlier version": token,
	} {
		var refused *ForeignForm
		if err := read(foreign, newKey, oldKey); !errors.As(err, &refused) {
			t.Errorf("token %s: got %v, want it refused", name, err)
		}
	}
	var refused *ForeignForm
	if err := read(own, newKey); !errors.As(err, &refused) {
		t.Errorf("token of a removed key: got %v, want it refused", err)
	}
}

// TestForm_KnowsUserOfForeignToken checks that the error for a refused token says whether
// the same user opened the form.
func TestForm_KnowsUserOfForeignToken(t *testing.T) {
	session := func(hash, user string) *store.Session {
		return &store.Session{FirstHash: hash, User: store.User{Name: user}}
	}
	kim := session("now", "kim")
	for name, row := range map[string]struct {
		once string
		want bool
	}{
		"an earlier session":          {signedToken(session("then", "kim")), true},
		"another user":                {signedToken(session("then", "mia")), false},
		"no user":                     {signedToken(nil), false},
		"without a user's signature":  {signedToken(session("then", "kim"))[:27+22], true},
		"of an earlier version":       {token, true},
		"forged":                      {"<forged>", true},
		"with the ULID of other form": {"01JD3W8G9QK5T0Q7M7Z8Z5N0XC" + signedToken(session("then", "kim"))[26:], false},
	} {
		tools, c := formRequest(url.Values{"once": {row.once}, "name": {"x"}}, kim, oldKey)
		_, err := tools.ReadChange(c, "name")
		var refused *ForeignForm
		if !errors.As(err, &refused) || refused.SameUser != row.want {
			t.Errorf("%s: got %+v, %v; want SameUser %v", name, refused, err, row.want)
		}
	}
}

func TestForm_TokenCoversFields(t *testing.T) {
	once := func(form url.Values) string {
		form.Set("once", signedToken(nil))
		read, err := readChange(form)
		if err != nil {
			t.Fatal(err)
		}
		return read.Token()
	}
	first := once(url.Values{"name": {"Mia"}, "boxes": {"1", "2"}})
	if first != once(url.Values{"name": {"Mia"}, "boxes": {"1", "2"}}) || !strings.HasPrefix(first, token+".") {
		t.Errorf("got %q, then another value for the same form", first)
	}
	for _, other := range []url.Values{{"name": {"Mia"}, "boxes": {"1"}}, {"name": {"Mie"}, "boxes": {"1", "2"}}, {"name": {"Mia"}, "boxes": {"1", "2"}, "version": {"2"}}} {
		if once(other) == first {
			t.Errorf("%v: got the same value as the first form", other)
		}
	}
	var refused *echo.HTTPError
	if _, err := readChange(url.Values{"name": {"Mia"}}); !errors.As(err, &refused) || refused.Code != http.StatusBadRequest || refused.Message != messageNoToken {
		t.Errorf("form without token: got %v, want 400", err)
	}
	for _, invalid := range []string{"x", signedToken(nil) + "0", token + "-", strings.ToLower(token), "\x00" + token[1:]} {
		if _, err := readChange(url.Values{"once": {invalid}}); err == nil {
			t.Errorf("token %q: got no error", invalid)
		}
	}
}

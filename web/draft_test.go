package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store/storetest"
	"stockroom/web"
)

// TestDraft saves a draft. Only the same form may read it, until it is deleted.
func TestDraft(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	tools := newTools(s, false, "key")
	form := readForm(t, url.Values{"customer": {"Åsa"}, "once": {"token"}}).With("quantity-1", "3")
	c, response := newRequest(tools)
	if saved, err := tools.SaveDraft(c, "one", form); !saved || err != nil {
		t.Fatalf("got %t, %v; want the draft saved", saved, err)
	}
	cookie := response.Result().Cookies()[0]
	if strings.Contains(cookie.Value, "customer") || !cookie.HttpOnly || cookie.MaxAge <= 0 {
		t.Errorf("got cookie %v, want an encrypted one that expires", cookie)
	}
	c, _ = newRequest(newTools(s, false, "newer", "key"), cookie)
	got := newTools(s, false, "newer", "key").Draft(c, "one")
	if got.Get("customer") != "Åsa" || got.Get("quantity-1") != "3" || got.TokenID() != "token" || got.Get("once") == "token" {
		t.Errorf("got draft %v, want the fields, and a token with the same ID and a signature", got)
	}
	if !tools.Draft(c, "two").IsEmpty() {
		t.Error("another form: got the draft, want none")
	}
	if !newTools(s, false, "another").Draft(c, "one").IsEmpty() {
		t.Error("removed key: got the draft, want none")
	}
	c, response = newRequest(tools, cookie)
	tools.DeleteDraft(c, "two")
	if got := response.Header().Get("Set-Cookie"); got != "" {
		t.Errorf("delete the draft of another form: got cookie %s, want none", got)
	}
	tools.DeleteDraft(c, "one")
	if got := response.Header().Get("Set-Cookie"); !strings.HasPrefix(got, "draft=;") || !strings.Contains(got, "Max-Age=0") {
		t.Errorf("got cookie %s, want the draft deleted", got)
	}
}

// TestDraft_PerForm saves the drafts of several forms. Each form must have its own draft
// for an hour. If they do not fit into the cookie, the newest must remain.
func TestDraft_PerForm(t *testing.T) {
	clock := storetest.NewClock()
	tools := newTools(storetest.Open(t, clock), true, "key")
	var cookie *http.Cookie
	request := func() (echo.Context, *httptest.ResponseRecorder) {
		if cookie == nil {
			return newRequest(tools)
		}
		return newRequest(tools, cookie)
	}
	save := func(key, value string) {
		t.Helper()
		c, response := request()
		if saved, err := tools.SaveDraft(c, key, readForm(t, url.Values{"quantity-1": {value}})); !saved || err != nil {
			t.Fatalf("%s: got %t, %v; want the draft saved", key, saved, err)
		}
		cookie = response.Result().Cookies()[0]
		if n := len(response.Header().Get("Set-Cookie")); n > 4096 {
			t.Fatalf("%s: got a cookie of %d bytes, want at most 4096", key, n)
		}
	}
	want := func(when string, values map[string]string) {
		t.Helper()
		c, _ := request()
		for key, value := range values {
			if got := tools.Draft(c, key).Get("quantity-1"); got != value {
				t.Errorf("%s: draft %s: got %q, want %q", when, key, got, value)
			}
		}
	}
	save("one", "1")
	clock.Advance(40 * time.Minute)
	save("two", "2")
	want("two forms", map[string]string{"one": "1", "two": "2"})
	save("two", "3")
	want("one form again", map[string]string{"one": "1", "two": "3"})
	clock.Advance(40 * time.Minute)
	save("three", "4")
	want("after an hour", map[string]string{"one": "", "two": "3", "three": "4"})
	c, response := request()
	tools.DeleteDraft(c, "two")
	cookie = response.Result().Cookies()[0]
	want("after a draft was deleted", map[string]string{"two": "", "three": "4"})
	for n := range 20 {
		save(fmt.Sprint(n), longText(n, 8))
	}
	want("many long forms", map[string]string{"three": "", "0": "", "18": longText(18, 8), "19": longText(19, 8)})
	c, response = request()
	if saved, err := tools.SaveDraft(c, "19", readForm(t, url.Values{"quantity-1": {longText(0, 100)}})); saved || err != nil {
		t.Fatalf("got %t, %v; want a form that is too long", saved, err)
	}
	cookie = response.Result().Cookies()[0]
	want("one form is too long", map[string]string{"18": longText(18, 8), "19": ""})
}

// longText returns text that can't be compressed much. It has 64 bytes for each part.
func longText(seed, parts int) string {
	var text strings.Builder
	for n := range parts {
		sum := sha256.Sum256([]byte{byte(seed), byte(n)})
		text.WriteString(hex.EncodeToString(sum[:]))
	}
	return text.String()
}

// TestSaveDraft_Limit checks that the cookie of the longest draft is one that browsers
// accept, and that longer drafts are not saved.
func TestSaveDraft_Limit(t *testing.T) {
	tools := newTools(storetest.Open(t, storetest.NewClock()), true, "key")
	form := readForm(t, url.Values{})
	longest, saved := 0, true
	for n := 0; saved; n++ {
		sum := sha256.Sum256([]byte{byte(n), byte(n >> 8)})
		form = form.With(fmt.Sprintf("product-%d", n), hex.EncodeToString(sum[:]))
		c, response := newRequest(tools)
		var err error
		if saved, err = tools.SaveDraft(c, "key", form); err != nil {
			t.Fatal(err)
		}
		cookie := response.Result().Cookies()[0]
		if !saved {
			if cookie.MaxAge >= 0 {
				t.Errorf("got cookie %v, want the earlier draft deleted", cookie)
			}
			break
		}
		longest = len(response.Header().Get("Set-Cookie"))
	}
	if longest < 3000 || longest > 4096 {
		t.Errorf("got a cookie of at most %d bytes, want 3000 to 4096", longest)
	}
}

// readForm returns a submitted form with these values.
func readForm(t *testing.T, values url.Values) web.Form {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(values.Encode()))
	request.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	var fields []string
	for name := range values {
		fields = append(fields, name)
	}
	form, err := web.ReadForm(echo.New().NewContext(request, httptest.NewRecorder()), fields...)
	if err != nil {
		t.Fatal(err)
	}
	return form
}

package web_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/web"
)

// newRequest returns the context and the response of a request with cookies.
func newRequest(tools *web.Tools, cookies ...*http.Cookie) (echo.Context, *httptest.ResponseRecorder) {
	request, response := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
	for _, c := range cookies {
		request.AddCookie(c)
	}
	return tools.Router().NewContext(request, response), response
}

func newTools(s *store.Store, tls bool, keys ...string) *web.Tools {
	config := web.Config{Store: s, TLS: tls, Log: slog.New(slog.DiscardHandler)}
	for _, key := range keys {
		config.Keys = append(config.Keys, []byte(key))
	}
	return web.New(config)
}

func TestFlash_ShownOnce(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	tools := newTools(s, false, "key")
	c, response := newRequest(tools)
	if err := tools.SetFlash(c, "The order was shipped.", nil); err != nil {
		t.Fatal(err)
	}
	cookie := response.Result().Cookies()[0]
	c, response = newRequest(tools, cookie)
	if got := tools.Flash(c); got != "The order was shipped." {
		t.Errorf("got flash %q, want the message", got)
	}
	if cookies := response.Result().Cookies(); len(cookies) != 1 || cookies[0].MaxAge >= 0 {
		t.Errorf("got cookies %v, want the flash deleted", cookies)
	}
	if err := tools.SetFlash(c, strings.Repeat("å", web.MaxMessage/2), nil); err != nil {
		t.Errorf("message of the maximum length: %v", err)
	}
	c, _ = newRequest(newTools(s, false, "newer", "key"), cookie)
	if got := tools.Flash(c); got == "" {
		t.Error("got no flash signed with the older key")
	}
	for name, forged := range map[string]string{
		"unsigned": "You have won", "changed": cookie.Value + "A", "empty": "",
		"removed key": cookie.Value,
	} {
		tools := tools
		if name == "removed key" {
			tools = newTools(s, false, "another")
		}
		c, _ := newRequest(tools, &http.Cookie{Name: "flash", Value: forged})
		if got := tools.Flash(c); got != "" {
			t.Errorf("%s: got flash %q, want none", name, got)
		}
	}
}

func TestTheme_UnknownIgnored(t *testing.T) {
	tools := newTools(storetest.Open(t, storetest.NewClock()), false, "key")
	for chosen, want := range map[string]string{"light": "light", "dark": "dark", "": "", "pink": "", `"><script>`: ""} {
		c, response := newRequest(tools)
		tools.SetTheme(c, chosen)
		c, _ = newRequest(tools, response.Result().Cookies()...)
		if got := tools.Theme(c); got != want {
			t.Errorf("SetTheme(%q): got %q, want %q", chosen, got, want)
		}
		c, _ = newRequest(tools, &http.Cookie{Name: "theme", Value: chosen})
		if got := tools.Theme(c); got != want {
			t.Errorf("cookie %q: got %q, want %q", chosen, got, want)
		}
	}
}

// TestSessionCookie checks the attributes of the session cookie, and that the cookie works
// only as long as its signing key is in use, with and without TLS.
func TestSessionCookie(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	user := addUser(t, s, "kim")
	for tls, name := range map[bool]string{false: "stockroom", true: "__Host-stockroom"} {
		tools := newTools(s, tls, "key")
		c, response := newRequest(tools)
		if err := tools.SignIn(c, user, store.NoFactor); err != nil {
			t.Fatal(err)
		}
		cookie := response.Result().Cookies()[0]
		if cookie.Name != name || cookie.Secure != tls || !cookie.HttpOnly || cookie.Path != "/" || cookie.Domain != "" || cookie.SameSite != http.SameSiteLaxMode {
			t.Errorf("TLS %v: got cookie %v", tls, cookie)
		}
		for keys, signedIn := range map[string]bool{"key": true, "newer key": true, "key older": true, "newer": false} {
			tools := newTools(s, tls, strings.Fields(keys)...)
			c, _ := newRequest(tools, cookie)
			handler := tools.Require(store.Browse)(func(echo.Context) error { return nil })
			if err := handler(c); err != nil || (web.User(c) != nil) != signedIn {
				t.Errorf("keys %s: got user %v, %v; want signed in %v", keys, web.User(c), err, signedIn)
			}
		}
	}
}

// TestCookies_HavePrefixBehindHTTPS checks each cookie with and without HTTPS. With
// HTTPS, its name must have the prefix, and the server must ignore the theme and the
// flash in cookies without the prefix.
func TestCookies_HavePrefixBehindHTTPS(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	for _, tls := range []bool{false, true} {
		tools := newTools(s, tls, "key")
		c, response := newRequest(tools)
		tools.SetTheme(c, "dark")
		if err := tools.SetFlash(c, "Saved.", nil); err != nil {
			t.Fatal(err)
		}
		if err := tools.SignIn(c, addUser(t, s, fmt.Sprint("kim", tls)), store.NoFactor); err != nil {
			t.Fatal(err)
		}
		tools.EndViewAs(c)
		cookies := response.Result().Cookies()
		if len(cookies) != 5 {
			t.Fatalf("got %d cookies, want theme, flash, session, device and view", len(cookies))
		}
		for _, cookie := range cookies {
			if strings.HasPrefix(cookie.Name, "__Host-") != tls || cookie.Secure != tls || cookie.Path != "/" || cookie.Domain != "" || !cookie.HttpOnly {
				t.Errorf("HTTPS %v: got the cookie %s", tls, cookie)
			}
		}
		c, _ = newRequest(tools, cookies...)
		if tools.Theme(c) != "dark" || tools.Flash(c) != "Saved." {
			t.Errorf("HTTPS %v: got theme %q, flash %q, want those that were set", tls, tools.Theme(c), tools.Flash(c))
		}
		for _, cookie := range cookies {
			cookie.Name = strings.TrimPrefix(cookie.Name, "__Host-")
		}
		if c, _ = newRequest(tools, cookies...); tls && (tools.Theme(c) != "" || tools.Flash(c) != "") {
			t.Error("got the values of cookies without the prefix, want none")
		}
	}
}

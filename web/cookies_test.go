package web_test

import (
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

// visit is a request with cookies, and what answers it.
func visit(tools *web.Tools, cookies ...*http.Cookie) (echo.Context, *httptest.ResponseRecorder) {
	request, answer := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	return tools.Router().NewContext(request, answer), answer
}

func newTools(s *store.Store, tls bool, keys ...string) *web.Tools {
	config := web.Config{Store: s, TLS: tls, Log: slog.New(slog.DiscardHandler)}
	for _, key := range keys {
		config.Keys = append(config.Keys, []byte(key))
	}
	return web.New(config)
}

func TestMessagesAreSaidOnce(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	tools := newTools(s, false, "key")
	c, answer := visit(tools)
	if err := tools.SetFlash(c, "The order was shipped."); err != nil {
		t.Fatal(err)
	}
	given := answer.Result().Cookies()[0]
	c, answer = visit(tools, given)
	if said := tools.Flash(c); said != "The order was shipped." {
		t.Errorf("the next page says %q", said)
	}
	if taken := answer.Result().Cookies(); len(taken) != 1 || taken[0].MaxAge >= 0 {
		t.Errorf("the message stays: %v", taken)
	}
	c, _ = visit(newTools(s, false, "newer", "key"), given)
	if said := tools.Flash(c); said == "" {
		t.Error("a new key silences what an older one signed")
	}
	for name, forged := range map[string]string{
		"garbage": "You have won", "another's": given.Value + "A", "nothing": "",
		"a message of a dropped key": given.Value,
	} {
		tools := tools
		if strings.HasPrefix(name, "a message") {
			tools = newTools(s, false, "another")
		}
		c, _ := visit(tools, &http.Cookie{Name: "flash", Value: forged})
		if said := tools.Flash(c); said != "" {
			t.Errorf("%s: the page says %q", name, said)
		}
	}
}

func TestThemesAreKnownOnes(t *testing.T) {
	tools := newTools(storetest.Open(t, storetest.NewClock()), false, "key")
	for chosen, want := range map[string]string{"light": "light", "dark": "dark", "": "", "pink": "", `"><script>`: ""} {
		c, answer := visit(tools)
		tools.SetTheme(c, chosen)
		c, _ = visit(tools, answer.Result().Cookies()...)
		if kept := web.Theme(c); kept != want {
			t.Errorf("%q is kept as %q", chosen, kept)
		}
		c, _ = visit(tools, &http.Cookie{Name: "theme", Value: chosen})
		if read := web.Theme(c); read != want {
			t.Errorf("%q is read as %q", chosen, read)
		}
	}
}

// TestSessionCookies has keys changed while somebody is logged in, with TLS
// and without.
func TestSessionCookies(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	user := added(t, s, "kim")
	for tls, name := range map[bool]string{false: "stockroom", true: "__Host-stockroom"} {
		tools := newTools(s, tls, "key")
		c, answer := visit(tools)
		if err := tools.LogIn(c, user); err != nil {
			t.Fatal(err)
		}
		given := answer.Result().Cookies()[0]
		if given.Name != name || given.Secure != tls || !given.HttpOnly || given.Path != "/" || given.Domain != "" || given.SameSite != http.SameSiteLaxMode {
			t.Errorf("with TLS %v the cookie is %v", tls, given)
		}
		for keys, opens := range map[string]bool{"key": true, "newer key": true, "key older": true, "newer": false} {
			tools := newTools(s, tls, strings.Fields(keys)...)
			c, _ := visit(tools, given)
			handler := tools.Require(store.Browse)(func(echo.Context) error { return nil })
			if err := handler(c); err != nil || (web.User(c) != nil) != opens {
				t.Errorf("with the keys %s: %v, %v, want %v", keys, web.User(c), err, opens)
			}
		}
	}
}

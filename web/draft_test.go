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

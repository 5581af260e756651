package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

func sent(form url.Values) (Form, error) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(form.Encode()))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	return ReadChange(echo.New().NewContext(r, httptest.NewRecorder()), "name", "boxes*")
}

// TestAFormIsKnownByItsTokenAndWhatItSays compares forms with one token.
func TestAFormIsKnownByItsTokenAndWhatItSays(t *testing.T) {
	const token = "01JD3W8G9QK5T0Q7M7Z8Z5N0XB"
	once := func(form url.Values) string {
		form.Set("once", token)
		read, err := sent(form)
		if err != nil {
			t.Fatal(err)
		}
		return read.Once()
	}
	first := once(url.Values{"name": {"Mia"}, "boxes": {"1", "2"}})
	if first != once(url.Values{"name": {"Mia"}, "boxes": {"1", "2"}}) || !strings.HasPrefix(first, token+".") {
		t.Errorf("the same form is known as %q, then otherwise", first)
	}
	for _, other := range []url.Values{{"name": {"Mia"}, "boxes": {"1"}}, {"name": {"Mie"}, "boxes": {"1", "2"}}, {"name": {"Mia"}, "boxes": {"1", "2"}, "version": {"2"}}} {
		if once(other) == first {
			t.Errorf("%v is taken for the first form", other)
		}
	}
	if read, err := sent(url.Values{"name": {"Mia"}}); err != nil || read.Once() != "" {
		t.Errorf("a form without a token: %q, %v", read.Once(), err)
	}
	for _, wrong := range []string{"x", token + "0", strings.ToLower(token), "\x00" + token[1:]} {
		if _, err := sent(url.Values{"once": {wrong}}); err == nil {
			t.Errorf("the token %q is taken", wrong)
		}
	}
}

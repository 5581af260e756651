package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

func readChange(form url.Values) (Form, error) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(form.Encode()))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationForm)
	return ReadChange(echo.New().NewContext(r, httptest.NewRecorder()), "name", "boxes*")
}

func TestForm_TokenCoversFields(t *testing.T) {
	const token = "01JD3W8G9QK5T0Q7M7Z8Z5N0XB"
	once := func(form url.Values) string {
		form.Set("once", token)
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
	for _, invalid := range []string{"x", token + "0", strings.ToLower(token), "\x00" + token[1:]} {
		if _, err := readChange(url.Values{"once": {invalid}}); err == nil {
			t.Errorf("token %q: got no error", invalid)
		}
	}
}

package views_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"stockroom/static"
	"stockroom/views"
)

// TestHTMX_IsConfigured checks that htmx sends requests only to this site and stores no
// copies of pages, and that the sign-in page uses no attributes of htmx that run scripts.
// No setting of htmx 4 forbids such attributes. Only the Content-Security-Policy does.
func TestHTMX_IsConfigured(t *testing.T) {
	page := markup(t, views.SignInPage(views.SignIn{}))
	const want = `<meta name="htmx-config" content="mode:same-origin history:reload includeIndicatorCSS:false">`
	if strings.Count(page, "htmx-config") != 1 || !strings.Contains(page, want) {
		t.Errorf("got no %s in the page, want it once", want)
	}
	for _, attribute := range []string{"hx-on", "hx-vals", "hx-headers"} {
		if strings.Contains(page, attribute) {
			t.Errorf("got %s in the page, which evaluates scripts, want none", attribute)
		}
	}
	path := regexp.MustCompile(`src="(/static/htmx[^"]*)"`).FindStringSubmatch(page)
	if path == nil {
		t.Fatal("got no htmx in the page, want it")
	}
	assets, err := static.NewServer()
	if err != nil {
		t.Fatal(err)
	}
	response := httptest.NewRecorder()
	assets.ServeHTTP(response, httptest.NewRequest(http.MethodGet, path[1], nil))
	script, err := io.ReadAll(response.Body)
	if err != nil || response.Code != http.StatusOK {
		t.Fatalf("got status %d, error %v", response.Code, err)
	}
	for _, setting := range []string{`mode:"same-origin"`, `.mode`, "htmx-config"} {
		if !strings.Contains(string(script), setting) {
			t.Errorf("got no %s in htmx, want a version that has this setting", setting)
		}
	}
}

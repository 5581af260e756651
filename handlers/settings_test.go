package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSettings_ApplyToEveryPage(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	save := func(version, currency, zone string) answer {
		return browser.post("/admin/settings", url.Values{"currency": {currency}, "timezone": {zone}, "version": {version}, "once": {browser.token("/admin/settings")}})
	}
	if got := save("0", "SEK", "Europe/Stockholm"); got.location != "/admin/settings" {
		t.Fatalf("got status %d, want 303: %s", got.status, got.body)
	}
	if page := browser.get("/orders").body; !strings.Contains(page, "SEK\u00a0") {
		t.Error("got no amount in SEK, want one")
	}
	if got := save("1", "SEK", "Mars"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `value="Mars"`) {
		t.Errorf("unknown time zone: got status %d, want 422 and the input", got.status)
	}
	if got := save("0", "NOK", "UTC"); got.status != http.StatusConflict || !strings.Contains(got.body, "Now saved as: <b dir=\"auto\">SEK</b>") {
		t.Errorf("form of an old version: got status %d, want 409: %s", got.status, got.body)
	}
}

package views_test

import (
	"testing"

	"stockroom/store"
	"stockroom/views"
)

func TestAccountPage_NamesBrowser(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0":                                                        "Firefox on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15":                   "Safari on macOS",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36":                         "Chrome on Android",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0":           "Edge on Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1": "Safari on iPhone",
		"": "Unknown browser", "curl/8.9.1": "curl", "Scanner 3": "Scanner 3",
	} {
		page := rendered(t, views.AccountPage(views.Account{Page: signedIn(), Sessions: []store.Session{{Hash: "h1", Agent: agent}}}))
		if got := page.one(t, "aria-label", "Your sessions").cells()[1][0]; got != want {
			t.Errorf("%s: got %q, want %q", agent, got, want)
		}
	}
}

package handlers

import (
	"net/http"
	"strings"
	"testing"
)

// TestHost_RefusesLongNames requests a page with QR codes, which contain the Host
// header. The server must reject a Host header that is longer than any domain name.
func TestHost_RefusesLongNames(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	for host, want := range map[string]int{strings.Repeat("a", 200) + ".example": http.StatusOK, strings.Repeat("a", 3000): http.StatusBadRequest} {
		r := browser.request(http.MethodGet, "/stores/s1/labels", "")
		r.Host = host
		for _, cookie := range []*http.Cookie{browser.sessionCookie()} {
			r.AddCookie(cookie)
		}
		if got := browser.do(r); got.status != want {
			t.Errorf("host of %d bytes: got status %d, want %d", len(host), got.status, want)
		}
	}
}

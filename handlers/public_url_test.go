package handlers

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestPublicURL_RefusesOtherHosts requests pages with the host of the public URL, and
// with other hosts. Only health checks may have another host. The file security.txt must
// contain the public URL.
func TestPublicURL_RefusesOtherHosts(t *testing.T) {
	b := open(t)
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	handler, err := New(Config{
		Store: b.store, Log: slog.New(slog.DiscardHandler), SessionKeys: keys, SecurityContact: "mailto:security@example.com",
		PublicURL: &url.URL{Scheme: "http", Host: "stock.example.com"},
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Config.Handler = handler
	browser := b.as(t, "admin")
	send := func(method, host, path string) answer {
		r := browser.request(method, path, "")
		r.Host = host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.AddCookie(browser.sessionCookie())
		return browser.do(r)
	}
	for _, tt := range []struct {
		method, host, path string
		want               int
	}{
		{http.MethodGet, "stock.example.com", "/orders", 200},
		{http.MethodGet, "STOCK.example.com", "/orders", 200},
		{http.MethodGet, "stock.example.com:80", "/orders", 200},
		{http.MethodGet, "stock.example.com:8080", "/orders", 421},
		{http.MethodGet, "stock.example.com.evil.example", "/orders", 421},
		{http.MethodGet, "evil.example", "/orders", 421},
		{http.MethodGet, "127.0.0.1:1", "/login", 421},
		{http.MethodPost, "evil.example", "/login", 421},
		{http.MethodGet, "10.0.0.1", "/healthz", 200},
		{http.MethodGet, "10.0.0.1", "/readyz", 200},
		{http.MethodGet, "10.0.0.1", "/healthz/../orders", 421},
	} {
		got := send(tt.method, tt.host, tt.path)
		if got.status != tt.want || got.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s of host %s: got status %d, want %d with security headers", tt.method, tt.path, tt.host, got.status, tt.want)
		}
	}
	text := send(http.MethodGet, "stock.example.com", "/.well-known/security.txt")
	for _, line := range []string{
		"Contact: mailto:security@example.com\n",
		"Expires: " + b.clock.Now().UTC().Truncate(24*time.Hour).AddDate(0, 6, 0).Format(time.RFC3339) + "\n",
		"Canonical: http://stock.example.com/.well-known/security.txt\n",
	} {
		if text.status != http.StatusOK || text.header.Get("Content-Type") != "text/plain; charset=UTF-8" || !strings.Contains(text.body, line) {
			t.Errorf("security.txt: got status %d, %s:\n%s\nwant the line %s", text.status, text.header.Get("Content-Type"), text.body, line)
		}
	}
}

// TestSecurityText_WithoutContact checks that security.txt does not exist if no contact
// is set.
func TestSecurityText_WithoutContact(t *testing.T) {
	b := open(t)
	b.browser(t).expect(http.MethodGet, "/.well-known/security.txt", http.StatusNotFound)
}

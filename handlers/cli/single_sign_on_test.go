package cli

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/web"
)

// TestServe_SingleSignOn checks that a server starts while the identity provider does
// not respond. The settings are in the environment, and the secret is in a file.
func TestServe_SingleSignOn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("very secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	running := startServer(t, "-data", filepath.Join(folder, "data"), "-public-url", "http://stock.example.com", "-session-key", strings.Repeat("k", 32),
		"-sso-issuer", "http://127.0.0.1:1", "-sso-client-id", "stockroom", "-sso-secret-file", secret, "-sso-name", "Example ID", "-sso-roles", "admins=admin")
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{"/login", http.StatusOK, "Sign in with Example ID"},
		{"/login/sso", http.StatusServiceUnavailable, "The sign-in service does not respond."},
	} {
		request, err := http.NewRequest(http.MethodGet, running.match(t, addressLine)+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "stock.example.com"
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != tt.status || !strings.Contains(string(page), tt.want) {
			t.Errorf("%s: got %s (%v), want %d and %q", tt.path, response.Status, err, tt.status, tt.want)
		}
	}
	running.stop()
	if log := running.stderr.String(); strings.Contains(log, "very secret") {
		t.Errorf("got the secret in the log\n%s", log)
	}
}

func TestParseGroupRoles(t *testing.T) {
	got, err := parseGroupRoles(" cn=Stock Admins=admin, sales=support,")
	want := []web.GroupRole{{Group: "cn=Stock Admins", Role: store.Admin}, {Group: "sales", Role: store.Support}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
	for _, text := range []string{"", ",", "sales", "=admin", "sales=boss", "sales="} {
		if got, err := parseGroupRoles(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}

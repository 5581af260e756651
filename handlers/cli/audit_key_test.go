package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitKeys(t *testing.T) {
	long, spaced := strings.Repeat("k", 32), strings.Repeat("a ", 20)+"b"
	for _, tt := range []struct {
		list string
		want []string
	}{
		{"", nil},
		{long, []string{long}},
		{spaced + ", " + long + ",", []string{spaced, long}},
	} {
		if got, err := splitKeys("KEYS", tt.list, 32); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, %v, want %q", tt.list, got, err, tt.want)
		}
	}
	if _, err := splitKeys("KEYS", long+",short", 32); err == nil || !strings.Contains(err.Error(), "key 2 of KEYS has 5 characters, but needs at least 32: generate one with 'openssl rand -base64 32'") {
		t.Errorf("got %v, want an error about the second key", err)
	}
}

// TestServe_NamesSessionKeys checks that errors name the variable or flag that was used.
func TestServe_NamesSessionKeys(t *testing.T) {
	runWith(t, environment{"STOCKROOM_SESSION_KEY": "short"}, "", "serve", "-data", t.TempDir()).want(t, exitUsage, "key 1 of STOCKROOM_SESSION_KEY has 5 characters")
	run(t, "serve", "-session-key", "short", "-data", t.TempDir()).want(t, exitUsage, "key 1 of -session-key has 5 characters")
}

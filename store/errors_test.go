package store

import (
	"strings"
	"testing"
)

func TestMessagesRepeatOfWhatWasTypedWhatHelps(t *testing.T) {
	for typed, want := range map[string]string{
		"K10001":                `"K10001" is no day.`,
		"a\x00b\nc":             `"a b c" is no day.`,
		strings.Repeat("ü", 61): `"` + strings.Repeat("ü", 60) + `…" is no day.`,
		strings.Repeat("ü", 60): `"` + strings.Repeat("ü", 60) + `" is no day.`,
	} {
		if got := InvalidField("due", "%q is no day.", typed).Message; got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
	if got := fail(Damaged, "The item %s is damaged.", strings.Repeat("k", 99)).Message; len(got) < 99 {
		t.Errorf("the log lacks the whole key: %s", got)
	}
}

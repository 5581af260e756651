package table

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestInvalidField_QuotesInputLegibly(t *testing.T) {
	for input, want := range map[string]string{
		"K10001":                `"K10001" is not a date.`,
		"a\x00b\nc":             `"a b c" is not a date.`,
		strings.Repeat("ü", 61): `"` + strings.Repeat("ü", 60) + `…" is not a date.`,
		strings.Repeat("ü", 60): `"` + strings.Repeat("ü", 60) + `" is not a date.`,
	} {
		if got := InvalidField("due", "%q is not a date.", input).Message; got != want {
			t.Errorf("input %q: got %s, want %s", input, got, want)
		}
	}
}

func TestErrorf_KeepsKeysWhole(t *testing.T) {
	key := strings.Repeat("k", 99)
	if got := Errorf(Damaged, "The item %s is damaged.", key).Message; !strings.Contains(got, key) {
		t.Errorf("got %s, want the whole key", got)
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want Kind
	}{
		{nil, Internal},
		{errors.New("x"), Internal},
		{fmt.Errorf("reading: %w", Errorf(Busy, "Busy.")), Busy},
	} {
		if got := KindOf(tt.err); got != tt.want {
			t.Errorf("KindOf(%v): got %d, want %d", tt.err, got, tt.want)
		}
	}
}

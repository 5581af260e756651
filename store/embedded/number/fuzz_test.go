package number

import (
	"bytes"
	"errors"
	"math/big"
	"testing"
)

// ordered contains numbers in ascending order. Tests compare each pair of them.
var ordered = []string{
	"-" + largest, "-1e100", "-123.5", "-123.45", "-123", "-12", "-10", "-9", "-1.01", "-1", "-0.99", "-0.1", "-0.099", "-1e-130",
	"0", "1e-130", "2e-130", "0.099", "0.1", "0.99", "1", "1.01", "9", "10", "12", "123", "123.45", "123.5", "1e100", largest,
}

func TestCompare(t *testing.T) {
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i != j {
				want = 1 - 2*b2i(i < j)
			}
			checkOrder(t, mustParse(t, a), mustParse(t, b), want)
		}
	}
}

func TestAppendKey_NoPrefixes(t *testing.T) {
	for i, a := range ordered {
		for j, b := range ordered {
			key, other := mustParse(t, a).AppendKey(nil), mustParse(t, b).AppendKey(nil)
			if i != j && bytes.HasPrefix(other, key) {
				t.Errorf("key of %s has the key of %s as prefix, want no key to be a prefix of another", b, a)
			}
			if len(key) > 22 {
				t.Errorf("key of %s: got %d bytes, want at most 22", a, len(key))
			}
		}
	}
}

func checkOrder(t *testing.T, a, b Number, want int) {
	t.Helper()
	if got := a.Compare(b); got != want {
		t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
	}
	if got := bytes.Compare(a.AppendKey(nil), b.AppendKey(nil)); got != want {
		t.Errorf("order of the keys of %s and %s: got %d, want %d", a, b, got, want)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func FuzzNumber(f *testing.F) {
	for i, s := range ordered {
		f.Add(s, ordered[len(ordered)-1-i])
	}
	f.Add("1e", ".")
	f.Add("001.50", "1E+3")
	f.Fuzz(func(t *testing.T, s, u string) {
		a, errA := Parse(s)
		b, errB := Parse(u)
		if errA != nil || errB != nil {
			checkError(t, errA)
			checkError(t, errB)
			return
		}
		text := a.String()
		if again, err := Normalize(text); err != nil || again != text {
			t.Fatalf("Normalize(%q) = %q, %v; want it unchanged", text, again, err)
		}
		ra, rb := rational(t, s), rational(t, u)
		if rational(t, text).Cmp(ra) != 0 {
			t.Fatalf("String of %q: got %q, want the same value", s, text)
		}
		checkOrder(t, a, b, ra.Cmp(rb))
		if (a == b) != (ra.Cmp(rb) == 0) {
			t.Fatalf("%s == %s: got %v, want %v", a, b, a == b, a != b)
		}
		checkExact(t, a.Add, b, new(big.Rat).Add(ra, rb))
		checkExact(t, a.Sub, b, new(big.Rat).Sub(ra, rb))
	})
}

func checkExact(t *testing.T, operation func(Number) (Number, error), b Number, want *big.Rat) {
	t.Helper()
	got, err := operation(b)
	if err != nil {
		checkError(t, err)
		return
	}
	if rational(t, got.String()).Cmp(want) != 0 {
		t.Fatalf("got %s, want %s", got, want.FloatString(200))
	}
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if want := new(Error); err != nil && !errors.As(err, &want) {
		t.Fatalf("got %v, want an *Error", err)
	}
}

func rational(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("math/big cannot parse %q", s)
	}
	return r
}

func BenchmarkNormalize(b *testing.B) {
	for _, s := range []string{"1234", "-12.50", "1E+3"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Normalize(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package exchange

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, text string, comma byte) (all [][]string, failed error) {
	t.Helper()
	r := records{in: bufio.NewReader(strings.NewReader(text)), comma: comma}
	for {
		cells, err := r.next()
		if err == io.EOF {
			return all, failed
		}
		if err != nil {
			failed = err
		}
		all = append(all, cells)
	}
}

func TestRecordsComeBackAsTheyWent(t *testing.T) {
	want := [][]string{
		{"a", "", "c"},
		{`quoted "twice"`, "a,b;c", "two\r\nlines\n\r"},
		{""},
		{" blanks ", "\ttab", "'=quoted"},
	}
	var text []byte
	for _, record := range want {
		text = appendRecord(text, record)
	}
	got, err := read(t, string(text), ',')
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q came back as %q (%v)", want, got, err)
	}
}

func TestRecordsAsSpreadsheetsWriteThem(t *testing.T) {
	for _, tt := range []struct {
		text  string
		comma byte
		want  []string
		err   error
	}{
		{"a;b\n", ';', []string{"a", "b"}, nil},
		{"a\tb", '\t', []string{"a", "b"}, nil},
		{`5" pipe,b`, ',', []string{`5" pipe`, "b"}, nil},
		{`"a"b,c`, ',', []string{"ab", "c"}, errQuote},
		{`"open`, ',', []string{"open"}, errQuote},
		{"caf\xe9,b", ',', []string{"caf\xe9", "b"}, errNoUTF8},
	} {
		got, err := read(t, tt.text, tt.comma)
		if len(got) != 1 || !slices.Equal(got[0], tt.want) || err != tt.err {
			t.Errorf("%q is read as %q (%v), want %q (%v)", tt.text, got, err, tt.want, tt.err)
		}
	}
	if _, err := read(t, `"`+strings.Repeat("x", maxRecord+2), ','); err != errLongRecord {
		t.Errorf("a quote that is never closed: %v", err)
	}
	for header, want := range map[string]byte{"a,b": ',', "a;b;c,d\n": ';', "a\tb\n": '\t', "a": ','} {
		if got := separator(bufio.NewReader(strings.NewReader(header))); got != want {
			t.Errorf("between the cells of %q stands %q, want %q", header, got, want)
		}
	}
}

func TestListsInOneCell(t *testing.T) {
	for _, want := range [][]string{
		{"+46 70 1", "+46 70 2"}, {""}, {"", ""}, {"a;b", `say "x"`, " blanks "}, {"two\nlines"}, {`"`},
	} {
		if got, ok := parted(asTyped(harmless(joined(want)))); !ok || !slices.Equal(got, want) {
			t.Errorf("%q came back as %q from %q", want, got, joined(want))
		}
	}
	if got, ok := parted("a;b ; c"); !ok || !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("as people write it: %q", got)
	}
	for _, wrong := range []string{`"a`, `"a"b`, `a;"b" c`} {
		if got, ok := parted(wrong); ok {
			t.Errorf("%q was read as %q", wrong, got)
		}
	}
}

func FuzzCell(f *testing.F) {
	f.Add("=1+1", "'=x")
	f.Add("a;b", "\r\n\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := asTyped(harmless(a)); got != a {
			t.Errorf("%q came back as %q", a, got)
		}
		if bare := harmless(a); bare != "" && strings.IndexByte(formulas, bare[0]) >= 0 {
			t.Errorf("%q would be calculated", bare)
		}
		if got, ok := parted(joined([]string{a, b})); !ok || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q and %q came back as %q", a, b, got)
		}
	})
}

func TestDecimalsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"12.50": "12.5", "12,50": "12.5", "1 234,50": "1234.5", "1,234.50": "1234.5", "1.234,50": "1234.5", "1'234.50": "1234.5",
		"1,234,567": "1234567", "1.234.567": "1234567", "-5": "-5", "+5": "5", "0": "0", ".5": "", "5.": "5", "1234.567": "1234.567",
		"1,234": "", "1,23,456.7": "", "much": "", "": "", "1e3": "", "--5": "", "1.2,3.4": "", "€ 5": "",
	} {
		if got := decimal(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestMomentsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-21": "2026-11-21T00:00:00Z", "2026-11-21 14:30": "2026-11-21T14:30:00Z", "2026-11-21T14:30:00+01:00": "2026-11-21T13:30:00Z",
		"21.11.2026": "2026-11-21T00:00:00Z", "1.2.2026 08:05": "2026-02-01T08:05:00Z",
	} {
		if got, err := moment(text); err != nil || got.Format("2006-01-02T15:04:05Z07:00") != want {
			t.Errorf("%q is read as %v (%v)", text, got, err)
		}
	}
	for _, text := range []string{"03/04/2026", "soon", "2026-13-01"} {
		if got, err := moment(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

package csvfile

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"
)

func readAll(t *testing.T, text string) (records [][]string, failed error) {
	t.Helper()
	r := NewReader(bufio.NewReader(strings.NewReader(text)))
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return records, failed
		}
		if err != nil {
			failed = err
		}
		records = append(records, cells)
	}
}

func TestReader_ReadsWhatAppendRecordWrote(t *testing.T) {
	want := [][]string{
		{"a", "", "c"},
		{`quoted "twice"`, "a,b;c", "two\r\nlines\n\r"},
		{""},
		{" blanks ", "\ttab", "'=quoted"},
	}
	var text []byte
	for _, record := range want {
		var cells []Cell
		for _, value := range record {
			cells = append(cells, Plain(value))
		}
		text = AppendRecord(text, cells)
	}
	got, err := readAll(t, string(text))
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestReader_Read(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
		err  error
	}{
		{"a;b\n", []string{"a", "b"}, nil},
		{"\ufeffa;b\n", []string{"a", "b"}, nil},
		{"a\tb", []string{"a", "b"}, nil},
		{"a;b;c,d\n", []string{"a", "b", "c,d"}, nil},
		{`5" pipe,b`, []string{`5" pipe`, "b"}, nil},
		{`"a"b,c`, []string{"ab", "c"}, ErrQuote},
		{`"open`, []string{"open"}, ErrQuote},
		{"caf\xe9,b", []string{"caf\xe9", "b"}, ErrEncoding},
	} {
		got, err := readAll(t, tt.text)
		if len(got) != 1 || !slices.Equal(got[0], tt.want) || err != tt.err {
			t.Errorf("Read of %q: got %q, %v, want %q, %v", tt.text, got, err, tt.want, tt.err)
		}
	}
	if _, err := readAll(t, `"`+strings.Repeat("x", maxRecord+2)); err != ErrTooLong {
		t.Errorf("Read of a quote that is never closed: got %v, want %v", err, ErrTooLong)
	}
	if _, err := readAll(t, strings.Repeat(",", maxRecord+2)); err != ErrTooLong {
		t.Errorf("Read of a row of separators: got %v, want %v", err, ErrTooLong)
	}
}

func TestSplitList(t *testing.T) {
	for _, want := range [][]string{
		{"+46 70 1", "+46 70 2"}, {""}, {"", ""}, {"a;b", `say "x"`, " blanks "}, {"two\nlines"}, {`"`},
	} {
		if got, ok := SplitList(Unescape(Text(JoinList(want)).value)); !ok || !slices.Equal(got, want) {
			t.Errorf("SplitList of %q: got %q, want %q", JoinList(want), got, want)
		}
	}
	if got, ok := SplitList("a;b ; c"); !ok || !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("SplitList of %q: got %q, want [a b c]", "a;b ; c", got)
	}
	for _, invalid := range []string{`"a`, `"a"b`, `a;"b" c`} {
		if got, ok := SplitList(invalid); ok {
			t.Errorf("SplitList of %q: got %q, want an error", invalid, got)
		}
	}
}

func TestText_EscapesFormulas(t *testing.T) {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "\x00", "＝", "＋", "－", "＠"} {
		text := start + "1+1"
		if got := Text(text).value; got != "'"+text {
			t.Errorf("%q: got %q, want an apostrophe before it", text, got)
		}
		if got := Unescape("'" + text); got != text {
			t.Errorf("Unescape of %q: got %q, want %q", "'"+text, got, text)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("=1+1", "'=x")
	f.Add("a;b", "\r\n\"")
	f.Add("\x00@", "a,b")
	f.Fuzz(func(t *testing.T, a, b string) {
		cell := Text(a)
		if got := Unescape(cell.value); got != a {
			t.Errorf("Unescape of %q: got %q, want %q", cell.value, got, a)
		}
		if startsFormula(cell.value) {
			t.Errorf("Text(%q): got the formula %q, want it escaped", a, cell.value)
		}
		if got, ok := SplitList(JoinList([]string{a, b})); !ok || !slices.Equal(got, []string{a, b}) {
			t.Errorf("SplitList of JoinList: got %q, want %q and %q", got, a, b)
		}
		record := AppendRecord(nil, []Cell{cell, Text(b), Plain("-12.50")})
		got, err := csv.NewReader(strings.NewReader(string(record))).Read()
		// Reader keeps \r\n within a cell, but encoding/csv converts it to \n.
		want := []string{strings.ReplaceAll(cell.value, "\r\n", "\n"), strings.ReplaceAll(Text(b).value, "\r\n", "\n"), "-12.50"}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("encoding/csv reads %q as %q, %v, want %q", record, got, err, want)
		}
	})
}

func TestCell_WithDecimals(t *testing.T) {
	for _, tt := range []struct {
		cell     Cell
		decimals int
		want     string
	}{
		{Money("153"), 2, "153.00"},
		{Money("-431.7"), 2, "-431.70"},
		{Money("9.9999"), 2, "9.9999"},
		{Money("153"), 0, "153"},
		{Money("1.5"), 3, "1.500"},
		{Money(""), 2, ""},
		{Plain("153"), 2, "153"},
		{Text("153"), 2, "153"},
	} {
		if got := tt.cell.WithDecimals(tt.decimals).value; got != tt.want {
			t.Errorf("%v with %d decimals: got %q, want %q", tt.cell, tt.decimals, got, tt.want)
		}
	}
}

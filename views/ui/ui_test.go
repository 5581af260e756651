package ui_test

import (
	"bytes"
	"encoding/xml"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"stockroom/views/ui"
)

func rendered(t testing.TB, component templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := component.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func FuzzText_IsEscapedLikeTempl(f *testing.F) {
	for _, text := range []string{
		"", "plain", `<script>alert("1")</script>`, `'"&<>`, `&lt;&amp;`, "<", "a<", "<a", "\x00\xff<\xfe", "名<前>", strings.Repeat("<>", 100), "\u202e\u2028",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := templ.EscapeString(text)
		if got := rendered(t, ui.Written(func(m *ui.Markup) { m.Text(text) })); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := rendered(t, ui.Written(func(m *ui.Markup) { m.Bytes([]byte(text)) })); got != want {
			t.Errorf("%q as bytes: got %q, want %q", text, got, want)
		}
		if got := rendered(t, ui.Badge{Word: text, Tone: ui.Tone(text)}); got != `<span class="state `+want+`">`+want+`</span>` {
			t.Errorf("%q in a badge: got %q, want it escaped", text, got)
		}
	})
}

func TestAddress_RejectsOtherSites(t *testing.T) {
	for address, want := range map[string]string{
		"/orders?a=b&c=d":     "/orders?a=b&amp;c=d",
		"":                    "/",
		"//evil.example":      "/",
		`/\evil.example`:      "/",
		"javascript:alert(1)": "/",
		"https://evil":        "/",
		`/"><b>`:              "/&#34;&gt;&lt;b&gt;",
	} {
		if got := rendered(t, ui.Written(func(m *ui.Markup) { m.Address(address) })); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

func TestID_MarksLongIDs(t *testing.T) {
	short := rendered(t, ui.Written(func(m *ui.Markup) { m.ID("/orders/", "12345") }))
	long := rendered(t, ui.Written(func(m *ui.Markup) { m.ID("/orders/", "01JD3K8V5WQ2M9Z7X4T1R6Y0B3") }))
	if short != `<a href="/orders/12345" dir="auto">12345</a>` || !strings.Contains(long, `class="long"`) {
		t.Errorf("got %s and %s, want class long for the second only", short, long)
	}
}

// TestIcons_MatchSprite checks that icons.svg contains exactly the icons of this
// package.
func TestIcons_MatchSprite(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "icon.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.ValueSpec); ok && len(c.Names) == 1 && strings.HasPrefix(c.Names[0].Name, "Icon") {
			literal, ok := c.Values[0].(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s: got no string literal, want one", c.Names[0].Name)
			}
			name, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		return true
	})
	source, err := os.ReadFile("../../static/icons.svg")
	if err != nil {
		t.Fatal(err)
	}
	var sprite struct {
		Symbols []struct {
			ID string `xml:"id,attr"`
		} `xml:"symbol"`
	}
	if err := xml.Unmarshal(source, &sprite); err != nil {
		t.Fatal(err)
	}
	var symbols []string
	for _, symbol := range sprite.Symbols {
		symbols = append(symbols, symbol.ID)
	}
	slices.Sort(names)
	slices.Sort(symbols)
	if !slices.Equal(symbols, names) {
		t.Errorf("got symbols %q, want %q", symbols, names)
	}
}

func TestTextField_ShowsError(t *testing.T) {
	f := ui.Field{Name: "from", Label: "From", Hint: "A day.", SharedHint: "days", Suggestions: "words", Required: true, Input: ui.Input{Value: `"x`, Error: "No day."}}
	want := `<div class="field set"><label for="field-from">From</label>` +
		`<input class="ctl" id="field-from" name="from" required aria-invalid="true" aria-describedby="field-from-error field-from-hint days" type="text" value="&#34;x" autocomplete="off" list="words">` +
		`<p class="error" id="field-from-error">No day.</p><p class="hint" id="field-from-hint">A day.</p></div>`
	if got := rendered(t, ui.TextField(f)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := rendered(t, ui.ErrorSummary(ui.Field{Name: "to"})); got != "" {
		t.Errorf("summary without errors: got %s, want nothing", got)
	}
}

func TestPickField_IsOptionalWithNewRecord(t *testing.T) {
	f := ui.Field{Name: "person", Label: "Customer", Required: true, Pick: &ui.Pick{}}
	if got := rendered(t, ui.PickField(f)); !strings.Contains(got, `name="person" required`) {
		t.Errorf("got %s, want a required input", got)
	}
	if got := rendered(t, ui.PickField(f, ui.Field{Name: "person-email"})); strings.Contains(got, "required") {
		t.Errorf("got %s, want an optional input", got)
	}
}

func TestChangeForm_HasTokenAndVersion(t *testing.T) {
	field := ui.Field{Name: "count", Label: "Count", Now: "<7>", Numeric: true, Input: ui.Input{Value: "9", Error: "Look again."}}
	fields := templ.WithChildren(t.Context(), ui.TextField(field))
	var b bytes.Buffer
	if err := (ui.Change{Action: "//evil", Token: "a<b", Version: 3, Submit: "Save", Danger: true, Back: "/orders"}).Form().Render(fields, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`action="/"`, `name="once" value="a&lt;b"`, `name="version" value="3"`, `<button class="btn danger">Save`, `href="/orders"`,
		`aria-describedby="field-count-error field-count-now "`, `inputmode="numeric"`, `value="9"`, `&lt;7&gt;`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got no %s in the form, want it:\n%s", want, b.String())
		}
	}
	for want, component := range map[string]templ.Component{
		">a&lt;b</textarea>":                             ui.TextArea(ui.Field{Name: "note", Label: "Note", Input: ui.Input{Value: "a<b"}}),
		`value="yes" id="field-all" name="all" checked>`: ui.CheckField(ui.Field{Name: "all", Label: "All", Input: ui.Input{Value: "yes"}}),
	} {
		if got := rendered(t, component); !strings.Contains(got, want) {
			t.Errorf("got %s, want it to contain %s", got, want)
		}
	}
}

func TestChart_HasRoundScale(t *testing.T) {
	chart := rendered(t, ui.Chart("Orders a day", "Day", "orders", strconv.Itoa, []ui.Bar{{Label: "<7>", Value: 0}, {Label: "8", Value: 37, Now: true}, {Label: "9", Value: -2}}))
	for _, part := range []string{
		`viewBox="0 0 30 100"`, `<li>40</li><li>30</li><li>20</li><li>10</li><li>0</li>`,
		`class="bar now" x="11.6" y="7.5" width="6.8" height="92.5"`, `class="bar" x="1.6" y="100" width="6.8" height="0"`,
		`aria-label="Orders a day. Bar chart: lowest -2 orders at 9, highest 37 at 8"`, `<td dir="auto">&lt;7&gt;</td><td class="num">0</td>`,
	} {
		if !strings.Contains(chart, part) {
			t.Errorf("got no %s in the chart, want it:\n%s", part, chart)
		}
	}
	for value, top := range map[int]string{0: "4", 4: "4", 5: "8", 40: "40", 41: "80", 1203: "2000"} {
		if chart := rendered(t, ui.Chart("", "", "", strconv.Itoa, []ui.Bar{{Value: value}})); !strings.Contains(chart, `<ol class="ys" aria-hidden="true"><li>`+top+`</li>`) {
			t.Errorf("chart of %d: got %s, want a scale up to %s", value, chart, top)
		}
	}
	rendered(t, ui.Chart("Nothing", "", "", strconv.Itoa, nil))
}

func TestChart_LabelsDaysByWeek(t *testing.T) {
	days := make([]ui.Bar, 28)
	for i := range days {
		days[i].Label = "day " + strconv.Itoa(i)
	}
	axis := rendered(t, ui.Chart("Orders", "Day", "orders", strconv.Itoa, days))
	axis = axis[strings.Index(axis, `<ol class="xs`):strings.Index(axis, "<details")]
	if got := strings.Count(axis, "<li"); got != 4 || !strings.Contains(axis, "day 21") {
		t.Errorf("four weeks: got %d labels, want 4", got)
	}
}

func TestSegment_EscapesIDs(t *testing.T) {
	for id, want := range map[string]string{
		"12345": "12345", "a/b?c": "a%2Fb%3Fc", "p.json": "p%2Ejson", "p.csv": "p%2Ecsv", "p.json.txt": "p.json.txt", "Åsa": "%C3%85sa",
	} {
		if got := ui.Segment(id); got != want {
			t.Errorf("Segment(%q) = %s, want %s", id, got, want)
		}
	}
}

func TestQR_HasQuietZone(t *testing.T) {
	code, err := ui.NewQR("http://shop.example/kayaks/k1", "Code of <Heron>")
	if err != nil {
		t.Fatal(err)
	}
	// A QR code of version 3 has 29 modules per side, and a quiet zone of four modules
	// on each side. The first row of a finder pattern is seven dark modules.
	if code.Size != 37 || !strings.HasPrefix(code.Path, "M4 4h7v1h-7z") {
		t.Errorf("got size %d, path %.20s; want 37, M4 4h7v1h-7z", code.Size, code.Path)
	}
	if got := rendered(t, code); !strings.Contains(got, `viewBox="0 0 37 37"`) || !strings.Contains(got, `aria-label="Code of &lt;Heron&gt;"`) {
		t.Errorf("got %.200s, want the view box and the escaped label", got)
	}
	if _, err := ui.NewQR(strings.Repeat("x", 5000), ""); err == nil {
		t.Error("NewQR of 5,000 characters: got no error, want one")
	}
}

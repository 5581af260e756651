package views_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stockroom/views"
)

// hostile lists strings that would change a page if they were not escaped.
var hostile = []string{
	`"><script>alert(1)</script><img src=x onerror=alert(2)>`,
	`'><svg/onload=alert(1)><a href="javascript:alert(2)">&lt;b&gt;</a></textarea></title>`,
	`javascript:alert(1)`,
	`//evil.example/?a=b&c=d#e`,
	"\x00\xff\u202e{{.}} ${x} <!-- ]]>",
}

func TestPages_EscapeText(t *testing.T) {
	for _, text := range hostile {
		everyPage(t, text, func(t *testing.T, page node) {
			for _, e := range page.all("") {
				if e.Data == "img" && e.attr("class") == "logo" && strings.HasPrefix(e.attr("src"), views.LogoPath) {
					continue
				}
				if slices.Contains([]string{"img", "iframe", "style", "object", "embed", "base"}, e.Data) || e.Data == "textarea" && !strings.HasPrefix(e.attr("id"), "field-") {
					t.Errorf("got a <%s>, want none", e.Data)
				}
				if e.Data == "script" && (e.text() != "" || !strings.HasPrefix(e.attr("src"), "/static/")) {
					t.Errorf("got a script %q from %q, want files of this site only", e.text(), e.attr("src"))
				}
				for _, a := range e.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(a.Key, "hx-on") {
						t.Errorf("<%s>: got an attribute %s, want none", e.Data, a.Key)
					}
					if slices.Contains([]string{"href", "src", "action", "hx-get"}, a.Key) && !isSafeLink(a.Val) {
						t.Errorf("<%s %s>: got %q, want an address of this site", e.Data, a.Key, a.Val)
					}
				}
			}
		})
	}
}

var phoneLink = regexp.MustCompile(`^tel:[+0-9]+$`)

// isSafeLink reports whether a link leads to this site, to an email address or to a phone
// number.
func isSafeLink(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	return u.Scheme == "mailto" || phoneLink.MatchString(address) || u.Scheme == "" && u.Host == "" && !strings.HasPrefix(address, "//")
}

func TestLinks_EscapeIDs(t *testing.T) {
	for _, id := range []string{"a/b", "a?b=c", "a#b", "../x", "a b", "100%", "日本", "a&b;c", `"<>'`, "a:b@c"} {
		f := filler{text: id, rows: 1}
		page := rendered(t, pages["OrdersPage"](f.fill))
		found := false
		for _, a := range page.all("a") {
			if a.text() != id || !strings.HasPrefix(a.attr("href"), "/orders/") {
				continue
			}
			found = true
			u, err := url.Parse(a.attr("href"))
			if err != nil || u.Path != "/orders/"+id || u.RawQuery != "" || u.Fragment != "" {
				t.Errorf("%q: got link %q (%v), want the ID as one segment", id, a.attr("href"), err)
			}
			if segments := strings.Count(u.EscapedPath(), "/"); segments != 2 {
				t.Errorf("%q: got %d segments, want 2", a.attr("href"), segments)
			}
		}
		if !found {
			t.Errorf("got no link to the order %q, want one", id)
		}
	}
}

// TestSources_UseNoUnsafeMarkup searches the source files for code that writes text
// without escaping.
func TestSources_UseNoUnsafeMarkup(t *testing.T) {
	for _, pattern := range []string{"*.templ", "*.go", "ui/*.templ", "ui/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, forbidden := range []string{"templ.Raw", "SafeURL", "hx-on", " style=", "formaction", "js:", "data:", "unsafe"} {
				if strings.Contains(string(source), forbidden) {
					t.Errorf("%s: got %q, want none", name, forbidden)
				}
			}
		}
	}
}

package handlers

import (
	"html"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// items returns all items of the table by key, except sessions, visits and access events.
func (b *backOffice) items(t *testing.T) map[string]map[string]types.AttributeValue {
	t.Helper()
	all := map[string]map[string]types.AttributeValue{}
	table := b.store.Table()
	in := &dynamodb.ScanInput{TableName: &table}
	for {
		out, err := b.db.DB.Scan(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			pk, sk := item["PK"].(*types.AttributeValueMemberS).Value, item["SK"].(*types.AttributeValueMemberS).Value
			if !strings.HasPrefix(pk, "session#") && sk != "visit" && !isAccessEvent(item) {
				all[pk+" "+sk] = item
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return all
		}
	}
}

// isAccessEvent reports whether an item is an event of a sign-in or a download. These
// are the only events that expire.
func isAccessEvent(item map[string]types.AttributeValue) bool {
	kind, _ := item["EntityType"].(*types.AttributeValueMemberS)
	return kind != nil && kind.Value == "event" && item["TTL"] != nil
}

var (
	postForm = regexp.MustCompile(`<form[^>]*method="post"[^>]*>`) // matches a form that makes a change; no link may lead to its action
	anID     = regexp.MustCompile(`[a-z]+\d+`)
)

// TestLinks_ChangeNothing follows links and submits GET forms as an admin. No link
// may change the table; see expectItems.
func TestLinks_ChangeNothing(t *testing.T) {
	b := open(t)
	before := b.items(t)
	b.as(t, "admin").crawl()
	b.expectItems(t, before)
}

// crawl follows links and submits GET forms. It requests at most three addresses of
// each kind: with the same path, except for IDs, and the same parameters. Each request
// must succeed, and each link must lead to this site.
func (browser *browser) crawl() {
	t := browser.t
	t.Helper()
	seen, kinds := map[string]bool{}, map[string]int{}
	for queue := []string{"/", "/account", "/search?q=a"}; len(queue) > 0; {
		address := queue[0]
		queue = queue[1:]
		got := browser.get(address)
		if got.status != http.StatusOK && got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d from a link, want 200 or 303", address, got.status)
		}
		if !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			continue
		}
		for link := range links(postForm.ReplaceAllString(got.body, "")) {
			to := html.UnescapeString(link)
			if seen[to] {
				continue
			}
			seen[to] = true
			u, err := url.Parse(to)
			if err != nil {
				t.Fatalf("%s: got the link %s, want a valid URL: %v", address, to, err)
			}
			if u.Scheme == "mailto" || u.Scheme == "tel" || strings.HasPrefix(to, "#") {
				continue
			}
			if query := u.Query(); query.Get("category") != "" && query.Has("bucket") && query.Get("bucket") < "a" {
				continue // no index supports this filter, so the page shows an error
			}
			kind := anID.ReplaceAllString(u.Path, "*") + "?" + strings.Join(sortedNames(u.Query()), "&")
			if u.Host != "" || kinds[kind] >= 3 {
				if u.Host != "" {
					t.Errorf("%s: got the link %s, want links to this site only", address, to)
				}
				continue
			}
			kinds[kind]++
			queue = append(queue, to)
		}
	}
	if len(kinds) < 60 {
		t.Errorf("got %d kinds of address, want at least 60", len(kinds))
	}
}

// links returns the addresses in the links and forms of a page, still HTML-escaped.
func links(page string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for before, rest, ok := strings.Cut(page, `="`); ok; before, rest, ok = strings.Cut(rest, `="`) {
			if strings.HasSuffix(before, "href") || strings.HasSuffix(before, "src") || strings.HasSuffix(before, "action") {
				if link, _, _ := strings.Cut(rest, `"`); !yield(link) {
					return
				}
			}
		}
	}
}

// expectItems fails the test if the table contains other items than before. It ignores
// sessions, visits of Today, and events of sign-ins and downloads.
func (b *backOffice) expectItems(t *testing.T, before map[string]map[string]types.AttributeValue) {
	t.Helper()
	after := b.items(t)
	for key, item := range after {
		if !reflect.DeepEqual(item, before[key]) {
			t.Errorf("%s: got a changed item, want the same", key)
		}
	}
	if len(after) != len(before) {
		t.Errorf("got %d items, want %d", len(after), len(before))
	}
}

func sortedNames(values url.Values) []string {
	names := make([]string, 0, len(values))
	for name := range maps.Keys(values) {
		names = append(names, name)
	}
	return names
}

// TestResponses_HaveSecurityHeaders requests each page as an anonymous user and as an
// admin, and submits each form as an anonymous user. Each response must have the
// security headers and no inline styles, even if the request is rejected.
func TestResponses_HaveSecurityHeaders(t *testing.T) {
	b := open(t)
	for _, user := range []string{nobody, "admin"} {
		browser := b.as(t, user)
		for route, want := range matrix {
			method, _, _ := strings.Cut(route, " ")
			var got answer
			if method == http.MethodPost {
				got = b.browser(t).post(want.address, url.Values{"x": {"y"}})
			} else {
				got = browser.get(want.address)
			}
			for name, value := range map[string]string{
				"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
				"X-Content-Type-Options":  "nosniff",
				"Referrer-Policy":         "same-origin",

				"Cross-Origin-Opener-Policy":   "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin",
				"Cache-Control":                "no-store",

				"Permissions-Policy": "accelerometer=(), camera=(self), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
			} {
				if got.header.Get(name) != value {
					t.Errorf("%s: got %s %q, want %q", route, name, got.header.Get(name), value)
				}
			}
			if strings.Contains(got.body, " style=") || strings.Contains(got.body, "<style") {
				t.Errorf("%s: got inline styles, want none", route)
			}
		}
	}
	style := regexp.MustCompile(`href="(/static/app-[^"]*)"`).FindStringSubmatch(b.browser(t).get("/login").body)
	if got := b.browser(t).get(style[1]); got.status != http.StatusOK || !strings.Contains(got.header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s: got status %d, Cache-Control %q; want 200, immutable", style[1], got.status, got.header.Get("Cache-Control"))
	}
}

// TestServer_OverHTTPS checks the cookies and headers that differ over HTTPS.
func TestServer_OverHTTPS(t *testing.T) {
	b := open(t)
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	handler, err := New(Config{Store: b.store, Log: slog.New(slog.DiscardHandler), SessionKeys: keys, TLS: true})
	if err != nil {
		t.Fatal(err)
	}
	b.Config.Handler = handler
	got := b.browser(t).signIn("viewer", password)
	cookie := got.header.Get("Set-Cookie")
	for _, want := range []string{"__Host-stockroom=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("got cookie %s, want it to contain %s", cookie, want)
		}
	}
	if hsts := got.header.Get("Strict-Transport-Security"); hsts != "max-age=31536000; includeSubDomains" {
		t.Errorf("got Strict-Transport-Security %q, want a year with subdomains", hsts)
	}
	if _, err := New(Config{Store: b.store, Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("New without session keys: got no error, want one")
	}
}

func TestLog_OmitsSecrets(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	cookie := browser.sessionCookie().Value
	browser.get("/customers?email=customer7@example.com")
	browser.get("/search?q=customer7%40example.com")
	browser.get("/nowhere/customer7@example.com%0Alevel=ERROR")
	browser.signIn("admin", "a secret\nlevel=ERROR")
	for _, secret := range []string{password, cookie, "customer7", "a secret", "level=ERROR"} {
		if strings.Contains(b.log.String(), secret) {
			t.Errorf("got %q in the log, want none:\n%s", secret, b.log)
		}
	}
	if !strings.Contains(b.log.String(), "route=/customers") {
		t.Error("got no route in the log, want one")
	}
}

package handlers

import (
	"html"
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

// items are all that lies in the table, by key, sessions apart.
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
			if !strings.HasPrefix(pk, "session#") {
				all[pk+" "+sk] = item
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return all
		}
	}
}

var (
	anyLink  = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	postForm = regexp.MustCompile(`<form[^>]*method="post"[^>]*>`) // where these lead, nobody gets by a link
	anID     = regexp.MustCompile(`[a-z]+\d+`)
)

// TestFollowingEveryLinkChangesNothing goes wherever links and forms of GET
// lead, as an admin, a few times for each kind of address, and then compares
// the table with what it was.
func TestFollowingEveryLinkChangesNothing(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	before := b.items(t)
	seen, kinds := map[string]bool{}, map[string]int{}
	for waiting := []string{"/", "/account", "/search?q=a"}; len(waiting) > 0; {
		address := waiting[0]
		waiting = waiting[1:]
		got := browser.get(address)
		if got.status != http.StatusOK && got.status != http.StatusSeeOther {
			t.Errorf("a link leads to %s, which is %d", address, got.status)
		}
		if !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, link := range anyLink.FindAllStringSubmatch(postForm.ReplaceAllString(got.body, ""), -1) {
			to := html.UnescapeString(link[1])
			u, err := url.Parse(to)
			if err != nil {
				t.Fatalf("%s links to %s: %v", address, to, err)
			}
			if u.Scheme == "mailto" || u.Scheme == "tel" || strings.HasPrefix(to, "#") {
				continue
			}
			if query := u.Query(); query.Get("category") != "" && query.Has("bucket") && query.Get("bucket") < "a" {
				continue // no key serves it, and the page says so
			}
			kind := anID.ReplaceAllString(u.Path, "*") + "?" + strings.Join(sortedNames(u.Query()), "&")
			if u.Host != "" || seen[to] || kinds[kind] >= 3 {
				if u.Host != "" {
					t.Errorf("%s leads away to %s", address, to)
				}
				continue
			}
			seen[to] = true
			kinds[kind]++
			waiting = append(waiting, to)
		}
	}
	if len(kinds) < 60 {
		t.Errorf("only %d kinds of address were found", len(kinds))
	}
	after := b.items(t)
	for key, item := range after {
		if !reflect.DeepEqual(item, before[key]) {
			t.Errorf("%s has changed", key)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d items were %d", len(after), len(before))
	}
}

func sortedNames(values url.Values) []string {
	names := make([]string, 0, len(values))
	for name := range maps.Keys(values) {
		names = append(names, name)
	}
	return names
}

// TestEveryAnswerHasItsHeaders looks at each route, also where it refuses.
func TestEveryAnswerHasItsHeaders(t *testing.T) {
	b := open(t)
	for _, who := range []string{"", "admin"} {
		browser := b.as(t, who)
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
				"Cache-Control":           "no-store",
			} {
				if got.header.Get(name) != value {
					t.Errorf("%s: %s is %q", route, name, got.header.Get(name))
				}
			}
			if strings.Contains(got.body, " style=") || strings.Contains(got.body, "<style") {
				t.Errorf("%s has styles inline", route)
			}
		}
	}
	style := regexp.MustCompile(`href="(/static/app-[^"]*)"`).FindStringSubmatch(b.browser(t).get("/login").body)
	if got := b.browser(t).get(style[1]); got.status != http.StatusOK || !strings.Contains(got.header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s is %d, %s", style[1], got.status, got.header.Get("Cache-Control"))
	}
}

// TestByHTTPS looks at what is different where pages are reached by https.
func TestByHTTPS(t *testing.T) {
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
	got := b.browser(t).logIn("viewer", password)
	cookie := got.header.Get("Set-Cookie")
	for _, want := range []string{"__Host-stockroom=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %s lacks %s", cookie, want)
		}
	}
	if got.header.Get("Strict-Transport-Security") == "" {
		t.Error("browsers are not told to come back by https")
	}
	if _, err := New(Config{Store: b.store, Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("a server without a key starts")
	}
}

// TestLogsHoldNoSecret looks through what was logged for what must not be.
func TestLogsHoldNoSecret(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	cookie := browser.sessionCookie().Value
	browser.get("/customers?email=customer7@example.com")
	browser.get("/search?q=customer7%40example.com")
	browser.get("/nowhere/customer7@example.com%0Alevel=ERROR")
	browser.logIn("admin", "a secret\nlevel=ERROR")
	for _, secret := range []string{password, cookie, "customer7", "a secret", "level=ERROR"} {
		if strings.Contains(b.log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, b.log)
		}
	}
	if !strings.Contains(b.log.String(), "route=/customers") {
		t.Error("the log holds nothing")
	}
}

package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/web"
)

func TestRequire(t *testing.T) {
	s := serve(t)
	kim, root, newUser, anonymous := browser(t), browser(t), browser(t), browser(t)
	s.signIn(t, kim, "kim")
	s.signIn(t, root, "root")
	s.signIn(t, newUser, "new")
	for _, tt := range []struct {
		who      string
		client   *http.Client
		path     string
		status   int
		location string
	}{
		{"anonymous", anonymous, "/?q=1", 303, "/login?next=%2F%3Fq%3D1"},
		{"anonymous", anonymous, "/.json", 401, ""},
		{"kim", kim, "/", 200, ""},
		{"kim", kim, "/admin", 403, ""},
		{"root", root, "/admin", 200, ""},
		{"root", root, "/forgotten", 403, ""}, // a route without a permission
		{"new user", newUser, "/", 303, "/account/password"},
		{"root", root, "/admin.csv", 200, ""}, // every format is allowed on a route without the middleware Offer
		{"kim", kim, "/.csv", 404, ""},
		{"kim", kim, "/nowhere", 404, ""},
	} {
		status, location, _ := s.get(t, tt.client, tt.path)
		if status != tt.status || location != tt.location {
			t.Errorf("%s at %s: got %d to %q, want %d to %q", tt.who, tt.path, status, location, tt.status, tt.location)
		}
	}
}

func TestSignIn_ReplacesSession(t *testing.T) {
	s := serve(t)
	client := browser(t)
	first := cookie(s.signIn(t, client, "kim"))
	second := cookie(s.signIn(t, client, "kim"))
	if first.Value == "" || first.Value == second.Value {
		t.Errorf("got the same cookie %q twice", first.Value)
	}
	if !first.HttpOnly || first.SameSite != http.SameSiteLaxMode || first.Path != "/" || first.MaxAge != 0 {
		t.Errorf("got cookie %+v, want HttpOnly, SameSite=Lax, Path=/ and no MaxAge", first)
	}
	old := browser(t)
	address, _ := url.Parse(s.URL)
	old.Jar.SetCookies(address, []*http.Cookie{first})
	if status, _, _ := s.get(t, old, "/"); status != 303 {
		t.Errorf("previous session: got %d, want 303", status)
	}
}

func TestSignOut_EndsSession(t *testing.T) {
	s := serve(t)
	client, thief := browser(t), browser(t)
	stolen := cookie(s.signIn(t, client, "kim"))
	address, _ := url.Parse(s.URL)
	thief.Jar.SetCookies(address, []*http.Cookie{stolen})
	if status, _, _ := s.get(t, thief, "/"); status != 200 {
		t.Fatalf("copied cookie before sign-out: got %d, want 200", status)
	}
	s.post(t, client, "/logout", nil)
	for name, c := range map[string]*http.Client{"browser": client, "copied cookie": thief} {
		if status, _, _ := s.get(t, c, "/"); status != 303 {
			t.Errorf("%s after sign-out: got %d, want 303", name, status)
		}
	}
}

func TestSession_EndsWhenIdleOrLocked(t *testing.T) {
	s := serve(t)
	client := browser(t)
	s.signIn(t, client, "kim")
	s.clock.Advance(store.SessionIdle)
	if status, _, _ := s.get(t, client, "/"); status != 303 {
		t.Errorf("after the idle time: got %d, want 303", status)
	}
	s.signIn(t, client, "kim")
	if err := s.store.LockUser(t.Context(), "kim", "test"); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := s.get(t, client, "/"); status != 303 {
		t.Errorf("after the user was locked: got %d, want 303", status)
	}
}

func TestSession_TableHoldsNoSecrets(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := store.New(db, "sessions", clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	user := addUser(t, s, "kim")
	const id = "a-secret-session-id"
	if _, err := s.StartSession(t.Context(), user, store.NoFactor, id, ""); err != nil {
		t.Fatal(err)
	}
	table := s.Table()
	all, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil || len(all.Items) < 2 {
		t.Fatalf("got %d items and error %v, want at least 2", len(all.Items), err)
	}
	for _, item := range all.Items {
		for name, value := range item {
			if dump := dump(value); strings.Contains(dump, id) || strings.Contains(dump, password) {
				t.Errorf("%s contains a secret: %s", name, dump)
			}
		}
	}
}

func FuzzSessionCookie(f *testing.F) {
	f.Add("")
	f.Add("MTYwfHx8")
	f.Add(strings.Repeat("A", 5000))
	s := serve(f)
	f.Fuzz(func(t *testing.T, value string) {
		request, err := http.NewRequest(http.MethodGet, s.URL+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.AddCookie(&http.Cookie{Name: "stockroom", Value: value})
		response, err := browser(t).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusSeeOther {
			t.Errorf("cookie %q: got %s, want 303", value, response.Status)
		}
	})
}

func TestLocalPath(t *testing.T) {
	for next, want := range map[string]string{
		"/orders?status=OPEN": "/orders?status=OPEN", "/": "/", "/search?q=%2F%2Fevil": "/search?q=%2F%2Fevil",
		"": "/", "//evil": "/", "/\\evil": "/", "\\evil": "/", "/\t/evil": "/", "/%09/evil": "/", "https://evil": "/", "evil": "/",
		"/%5cevil": "/", "javascript:alert(1)": "/", "/ /evil": "/", "/%2F/evil": "/",
	} {
		if got := web.LocalPath(next); got != want {
			t.Errorf("LocalPath(%q) = %q, want %q", next, got, want)
		}
	}
}

func FuzzLocalPath(f *testing.F) {
	f.Add("//evil")
	f.Add("/\\/evil")
	base, _ := url.Parse("http://stockroom.test/login")
	f.Fuzz(func(t *testing.T, next string) {
		target, err := base.Parse(web.LocalPath(next))
		if err != nil || target.Host != base.Host || target.Scheme != base.Scheme {
			t.Errorf("LocalPath(%q): got %v (%v), want a path of this site", next, target, err)
		}
	})
}

func cookie(r *http.Response) *http.Cookie {
	for _, c := range r.Cookies() {
		if c.Name == "stockroom" && c.Value != "" {
			return c
		}
	}
	return &http.Cookie{}
}

// TestRouter_TrustedProxies checks that X-Forwarded-For is used only from
// trusted proxies.
func TestRouter_TrustedProxies(t *testing.T) {
	for _, tt := range []struct {
		trusted      string
		from, header string
		want         string
	}{
		{"", "127.0.0.1:1", "203.0.113.9", "127.0.0.1"},
		{"127.0.0.0/8", "127.0.0.1:1", "203.0.113.9", "203.0.113.9"},
		{"127.0.0.0/8", "127.0.0.1:1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		{"127.0.0.0/8", "203.0.113.5:1", "198.51.100.1", "203.0.113.5"},
		{"127.0.0.0/8", "10.0.0.8:1", "198.51.100.1", "10.0.0.8"},
		{"10.0.0.0/8", "10.0.0.8:1", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.0/8", "10.0.0.8:1", "203.0.113.10", "203.0.113.10"},
		{"10.0.0.0/8", "10.0.0.8:1", "198.51.100.1, 203.0.113.9, 10.1.1.1", "203.0.113.9"},
		{"10.0.0.0/8", "[::ffff:10.0.0.8]:1", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.0/8", "10.0.0.8:1", "nonsense", "10.0.0.8"},
		{"10.0.0.0/8", "127.0.0.1:1", "203.0.113.9", "127.0.0.1"},
		{"2001:db8::/32", "[2001:db8::1]:1", "2001:db9::7", "2001:db9::7"},
		{"2001:db8::/32", "[2001:db9::1]:1", "2001:db9::7", "2001:db9::1"},
	} {
		var trusted []netip.Prefix
		if tt.trusted != "" {
			trusted = append(trusted, netip.MustParsePrefix(tt.trusted))
		}
		tools := web.New(web.Config{Store: storetest.Open(t, storetest.NewClock()), Keys: [][]byte{[]byte("key")}, TLS: true, TrustedProxies: trusted})
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.from
		r.Header.Set("X-Forwarded-For", tt.header)
		if got := tools.Router().NewContext(r, httptest.NewRecorder()).RealIP(); got != tt.want {
			t.Errorf("trusting %q, from %s, X-Forwarded-For %s: got %s, want %s", tt.trusted, tt.from, tt.header, got, tt.want)
		}
	}
}

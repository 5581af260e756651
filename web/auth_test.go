package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/web"
)

func TestWhoMayOpenWhat(t *testing.T) {
	s := serve(t)
	kim, root, fresh, nobody := browser(t), browser(t), browser(t), browser(t)
	s.logIn(t, kim, "kim")
	s.logIn(t, root, "root")
	s.logIn(t, fresh, "new")
	for _, tt := range []struct {
		who      string
		client   *http.Client
		path     string
		status   int
		location string
	}{
		{"nobody", nobody, "/?q=1", 303, "/login?next=%2F%3Fq%3D1"},
		{"nobody", nobody, "/.json", 401, ""},
		{"kim", kim, "/", 200, ""},
		{"kim", kim, "/admin", 403, ""},
		{"root", root, "/admin", 200, ""},
		{"root", root, "/forgotten", 403, ""}, // a route that names no permission is open to nobody
		{"a new account", fresh, "/", 303, "/account/password"},
		{"root", root, "/admin.csv", 200, ""}, // offered formats are the route's matter
		{"kim", kim, "/.csv", 404, ""},
		{"kim", kim, "/nowhere", 404, ""},
	} {
		status, location, _ := s.get(t, tt.client, tt.path)
		if status != tt.status || location != tt.location {
			t.Errorf("%s at %s: %d to %q, want %d to %q", tt.who, tt.path, status, location, tt.status, tt.location)
		}
	}
}

func TestLogInGivesANewID(t *testing.T) {
	s := serve(t)
	client := browser(t)
	first := cookie(s.logIn(t, client, "kim"))
	second := cookie(s.logIn(t, client, "kim"))
	if first.Value == "" || first.Value == second.Value {
		t.Errorf("the cookie stayed %q", first.Value)
	}
	if !first.HttpOnly || first.SameSite != http.SameSiteLaxMode || first.Path != "/" || first.MaxAge != 0 {
		t.Errorf("the cookie is %+v", first)
	}
	old := browser(t)
	address, _ := url.Parse(s.URL)
	old.Jar.SetCookies(address, []*http.Cookie{first})
	if status, _, _ := s.get(t, old, "/"); status != 303 {
		t.Errorf("the cookie of before the log-in still opens: %d", status)
	}
}

func TestLogOutEndsTheSession(t *testing.T) {
	s := serve(t)
	client, thief := browser(t), browser(t)
	stolen := cookie(s.logIn(t, client, "kim"))
	address, _ := url.Parse(s.URL)
	thief.Jar.SetCookies(address, []*http.Cookie{stolen})
	if status, _, _ := s.get(t, thief, "/"); status != 200 {
		t.Fatalf("a copied cookie does not open even before: %d", status)
	}
	s.post(t, client, "/logout", nil)
	for name, c := range map[string]*http.Client{"the browser": client, "a copied cookie": thief} {
		if status, _, _ := s.get(t, c, "/"); status != 303 {
			t.Errorf("%s still opens after the log-out: %d", name, status)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	s := serve(t)
	client := browser(t)
	s.logIn(t, client, "kim")
	s.clock.Advance(store.SessionIdle)
	if status, _, _ := s.get(t, client, "/"); status != 303 {
		t.Errorf("after the idle time: %d", status)
	}
	s.logIn(t, client, "kim")
	if err := s.store.DisableUser(t.Context(), "kim", "test"); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := s.get(t, client, "/"); status != 303 {
		t.Errorf("after the account was disabled: %d", status)
	}
}

func TestNoCookieLiesInTheTable(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := store.New(db, "sessions", clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	user := added(t, s, "kim")
	const id = "a-secret-session-id"
	if _, err := s.StartSession(t.Context(), user, id, ""); err != nil {
		t.Fatal(err)
	}
	table := s.Table()
	all, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil || len(all.Items) < 2 {
		t.Fatalf("%d items, %v", len(all.Items), err)
	}
	for _, item := range all.Items {
		for name, value := range item {
			if dump := dump(value); strings.Contains(dump, id) || strings.Contains(dump, password) {
				t.Errorf("%s holds a secret: %s", name, dump)
			}
		}
	}
}

func FuzzGarbageCookies(f *testing.F) {
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
			t.Errorf("the cookie %q: %s", value, response.Status)
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
		led, err := base.Parse(web.LocalPath(next))
		if err != nil || led.Host != base.Host || led.Scheme != base.Scheme {
			t.Errorf("%q leads to %v (%v)", next, led, err)
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

// TestWhoseAddressCounts has somebody say to be somebody else: that counts
// only where a proxy on this machine says it.
func TestWhoseAddressCounts(t *testing.T) {
	for _, tt := range []struct {
		tls          bool
		from, header string
		want         string
	}{
		{false, "127.0.0.1:1", "203.0.113.9", "127.0.0.1"},
		{true, "127.0.0.1:1", "203.0.113.9", "203.0.113.9"},
		{true, "127.0.0.1:1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		{true, "203.0.113.5:1", "198.51.100.1", "203.0.113.5"},
		{true, "10.0.0.8:1", "198.51.100.1", "10.0.0.8"},
	} {
		tools := web.New(web.Config{Store: storetest.Open(t, storetest.NewClock()), Keys: [][]byte{[]byte("key")}, TLS: tt.tls})
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.from
		r.Header.Set("X-Forwarded-For", tt.header)
		if got := tools.Router().NewContext(r, httptest.NewRecorder()).RealIP(); got != tt.want {
			t.Errorf("from %s, which says %s, with a proxy %v: %s, want %s", tt.from, tt.header, tt.tls, got, tt.want)
		}
	}
}

package handlers

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/exchange"
)

// bearer is a transport that adds an access token to each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// program returns a client that has an access token and no cookies.
func (b *backOffice) program(t testing.TB, token string) *browser {
	t.Helper()
	client := b.browser(t)
	client.Jar, client.Transport = nil, bearer{token}
	return client
}

// newToken creates an access token for a user, and returns the token.
func (b *backOffice) newToken(t testing.TB, owner string, n store.NewAccessToken) string {
	t.Helper()
	user, err := b.store.As(&store.User{Role: store.Admin}).User(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	n.Days = 30
	text, err := b.store.As(user).CreateAccessToken(t.Context(), n, b.store.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRoutes_LimitAccessTokens requests every route that needs a permission, with
// tokens of each role and scope. The tokens must read the files that their role may
// read, and must not open pages or submit forms. All tokens belong to the admin, so
// that only the role and scope of the token limit them.
func TestRoutes_LimitAccessTokens(t *testing.T) {
	b := open(t, append(openOrder(), openCount()...)...)
	for _, user := range users {
		t.Run(user.Name, func(t *testing.T) {
			client := b.program(t, b.newToken(t, "admin", store.NewAccessToken{Name: user.Name, Role: user.Role, Warehouses: user.Warehouses, Stores: user.Stores}))
			for _, want := range matrix {
				path, query, _ := strings.Cut(want.address, "?")
				if want.permission == store.Anyone {
					continue // this route ignores tokens
				}
				if want.form != nil {
					if got := client.post(want.address, want.form); got.status != http.StatusForbidden || !strings.Contains(got.body, "can't change anything") {
						t.Errorf("POST %s: got %d, want 403: %s", want.address, got.status, got.body)
					}
					continue
				}
				if got := client.get(want.address); got.status != http.StatusForbidden || !strings.Contains(got.body, `{"error":"Access tokens can't open pages.`) {
					t.Errorf("GET %s: got %d, want 403 as JSON: %s", want.address, got.status, got.body)
				}
				client.expect(http.MethodGet, path+".json?"+query, want.file(user.Name, 1))
				client.expect(http.MethodGet, path+".csv?"+query, want.file(user.Name, 2))
			}
		})
	}
	if strings.Contains(b.log.String(), store.AccessTokenPrefix) {
		t.Error("got a token in the log, want only IDs")
	}
}

// TestAccessToken_LimitedAtOnce lowers the role of a token's owner, and then locks the
// owner. Each change must limit the next request with the token.
func TestAccessToken_LimitedAtOnce(t *testing.T) {
	b := open(t)
	client, admin := b.program(t, b.newToken(t, "auditor", store.NewAccessToken{Name: "Audit", Role: store.Auditor})), b.as(t, "admin")
	client.expect(http.MethodGet, "/admin/events.json", http.StatusOK)
	if got := admin.post("/admin/users/auditor/role", url.Values{"role": {"viewer"}, "version": {"1"}}); got.status != http.StatusSeeOther {
		t.Fatalf("changing the role: got status %d, want 303: %s", got.status, got.body)
	}
	client.expect(http.MethodGet, "/admin/events.json", http.StatusForbidden)
	client.expect(http.MethodGet, "/orders.json", http.StatusOK)
	if got := admin.post("/admin/users/auditor/disable", url.Values{"version": {"2"}}); got.status != http.StatusSeeOther {
		t.Fatalf("locking: got status %d, want 303: %s", got.status, got.body)
	}
	got := client.get("/orders.json")
	if got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` || !strings.Contains(got.body, "not valid") {
		t.Errorf("locked owner: got status %d, %q, %s, want 401", got.status, got.header.Get("WWW-Authenticate"), got.body)
	}
	if got := b.browser(t).get("/orders.json"); got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("no token: got status %d, %q, want 401", got.status, got.header.Get("WWW-Authenticate"))
	}
}

var (
	shownToken = regexp.MustCompile(`<code class="secret" dir="ltr">(stockroom_[^<]+)</code>`)
	tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)
)

// TestAccessToken_CreatedOnce creates a token in the browser, more than ten minutes after
// sign-in. The program must ask for the password, keep the form, and show the token only
// once. A client with the token must be able to read lists. The history must record the
// creation of the token and the downloads.
func TestAccessToken_CreatedOnce(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	if page := support.get("/account/tokens").body; !strings.Contains(page, `<option value="viewer" selected>`) {
		t.Errorf("got a wider role selected, want the narrowest: %s", page)
	}
	b.clock.Advance(store.ConfirmedLife)
	form := url.Values{"name": {"Nightly report"}, "role": {"viewer"}, "days": {"90"}, "once": {b.store.NewToken()}}
	asked := support.post("/account/tokens", form)
	if asked.status != http.StatusForbidden || !strings.Contains(asked.body, "Confirm your identity") {
		t.Fatalf("ten minutes after sign-in: got status %d, want 403 and the page that confirms the identity: %s", asked.status, asked.body)
	}
	kept := regexp.MustCompile(`name="form" value="([^"]+)"`).FindStringSubmatch(asked.body)
	if kept == nil {
		t.Fatal("got no kept form, want one")
	}
	if got := support.post("/account/confirm", url.Values{"secret": {password}, "form": {html.UnescapeString(kept[1])}}); got.status != http.StatusOK || !strings.Contains(got.body, "Nightly report") {
		t.Fatalf("confirming: got status %d, want the form: %s", got.status, got.body)
	}
	page := support.post("/account/tokens", form)
	token := shownToken.FindStringSubmatch(page.body)
	if page.status != http.StatusOK || token == nil {
		t.Fatalf("got status %d and no token: %s", page.status, page.body)
	}
	if got := support.post("/account/tokens", form); got.status != http.StatusConflict || shownToken.MatchString(got.body) {
		t.Errorf("same form again: got status %d, want 409 and no token", got.status)
	}
	list := support.get("/account/tokens").body
	if strings.Contains(list, token[1]) || strings.Contains(list, token[1][len(token[1])-64:]) || !strings.Contains(list, "Nightly report") || !strings.Contains(list, "Never used") {
		t.Errorf("got a list with the token or without its name: %s", list)
	}
	client := b.program(t, token[1])
	client.expect(http.MethodGet, "/orders.json?status=OPEN", http.StatusOK)
	client.expect(http.MethodGet, "/customers.csv", http.StatusOK) // in a browser, the user would have to confirm their identity first
	b.expectHistory(t, "by=support", []string{"user.token", "file."},
		"support | Access token created: Nightly report | 127.0.0.1 | viewer, until 19 Feb 2027",
		"support | Downloaded /orders.json?status=OPEN | 127.0.0.1 | 50 rows | With access token Nightly report",
		"support | Downloaded /customers.csv | 127.0.0.1 | 40 rows | With access token Nightly report")
	if got := support.get("/account/tokens").body; !strings.Contains(got, "Last used") {
		t.Errorf("got no last use, want it: %s", got)
	}
	if log := b.log.String(); strings.Contains(log, token[1]) || !strings.Contains(log, "user=support") || !strings.Contains(log, "token="+token[1][len(store.AccessTokenPrefix):][:26]) {
		t.Errorf("got a log with the token or without its ID: %s", log)
	}
}

// TestAccessToken_NamesPlaces checks that the lists of access tokens show the names of the
// warehouses and stores of a token.
func TestAccessToken_NamesPlaces(t *testing.T) {
	b := open(t)
	manager := store.User{Name: "manager", Role: store.Manager}
	for _, u := range users {
		if u.Name == manager.Name {
			manager = u
		}
	}
	n := store.NewAccessToken{Name: "Report", Role: store.Manager, Warehouses: manager.Warehouses[:1], Stores: manager.Stores[:1], Days: 7}
	if _, err := b.store.As(&manager).CreateAccessToken(t.Context(), n, b.store.NewToken()); err != nil {
		t.Fatal(err)
	}
	places := map[string]string{}
	for _, w := range b.shop.Warehouses {
		places[w.ID] = w.Name
	}
	for _, s := range b.shop.Rentals.Stores {
		places[s.ID] = s.Name
	}
	want := "Manager of Warehouse " + places[n.Warehouses[0]] + ", Store " + places[n.Stores[0]]
	for user, path := range map[string]string{"manager": "/account/tokens", "admin": "/admin/users/manager"} {
		if page := b.as(t, user).get(path); !strings.Contains(page.body, want) {
			t.Errorf("%s: got no %q: %s", path, want, content(page.body))
		}
	}
}

// TestAccessToken_Revoked checks that users can revoke their own tokens, and that admins
// can revoke the tokens of others.
func TestAccessToken_Revoked(t *testing.T) {
	b := open(t)
	for user, path := range map[string]string{"support": "/account/tokens", "admin": "/admin/users/support"} {
		client := b.program(t, b.newToken(t, "support", store.NewAccessToken{Name: "Report", Role: store.Support}))
		client.expect(http.MethodGet, "/orders.json", http.StatusOK)
		browser := b.as(t, user)
		field := tokenField.FindStringSubmatch(browser.get(path).body)
		if field == nil {
			t.Fatalf("%s: got no form to revoke the token on %s", user, path)
		}
		to := map[string]string{"support": "/account/tokens/revoke", "admin": "/admin/users/support/tokens"}[user]
		if got := browser.post(to, url.Values{"token": {field[1]}}); got.status != http.StatusSeeOther || got.location != path {
			t.Errorf("%s: got status %d to %s, want 303 to %s", user, got.status, got.location, path)
		}
		client.expect(http.MethodGet, "/orders.json", http.StatusUnauthorized)
	}
	admin := b.as(t, "admin")
	b.clock.Advance(store.ConfirmedLife)
	if got := admin.post("/admin/users/support/tokens", url.Values{"token": {"x"}}); got.status != http.StatusForbidden || !strings.Contains(got.body, "Confirm your identity") {
		t.Errorf("ten minutes after sign-in: got status %d, want 403 and the page that confirms the identity", got.status)
	}
}

// TestAccessToken_IgnoresOtherTokens sends a token that Stockroom has not issued, such as
// one that a proxy adds. With a session, the request must succeed. Without a session, it
// must be rejected.
func TestAccessToken_IgnoresOtherTokens(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	support.Transport = bearer{"eyJhbGciOiJSUzI1NiJ9.e30.c2ln"}
	if got := support.get("/orders"); got.status != http.StatusOK {
		t.Errorf("got status %d with a session, want 200", got.status)
	}
	support.Jar = nil
	support.expect(http.MethodGet, "/orders.json", http.StatusUnauthorized)
}

// TestAccessToken_HidesFromFiles creates a token, and requests pages, files and exports
// with records of users. The token and its hash must not be in pages and files, and its
// hash and ID must not be in exports.
func TestAccessToken_HidesFromFiles(t *testing.T) {
	b := open(t)
	text := b.newToken(t, "admin", store.NewAccessToken{Name: "Secret report", Role: store.Admin})
	admin := b.as(t, "admin")
	tokens, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).AccessTokens(t.Context())
	if err != nil || len(tokens) != 1 {
		t.Fatalf("got %d tokens, %v, want 1", len(tokens), err)
	}
	for _, path := range []string{"/admin/users.json", "/admin/users.csv", "/admin/users/admin.json", "/admin/users/admin", "/account/tokens", "/data/partitions?index=table&key=token%23" + tokens[0].ID, "/data/partitions?index=GSI1&key=tokens%23admin"} {
		if got := admin.get(path).body; strings.Contains(got, tokens[0].Hash) || strings.Contains(got, text) {
			t.Errorf("%s: got the token or its hash, want neither", path)
		}
	}
	for _, format := range []exchange.Format{exchange.FormatLines, exchange.FormatModel} {
		files, err := exchange.FileNames(format, nil)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d files, %v, want some", format, len(files), err)
		}
		for i, file := range files {
			masked := []string{"", "yes"}[i%2]
			got := admin.post("/data/export", url.Values{"format": {string(format)}, "file": {file}, "masked": {masked}})
			if got.status != http.StatusOK || strings.Contains(got.body, tokens[0].Hash) || strings.Contains(got.body, tokens[0].ID) {
				t.Errorf("export of %s, masked %q: got status %d or the token", file, masked, got.status)
			}
		}
	}
}

// TestAccessToken_LimitsFailures sends 55 invalid tokens from one network. The program
// must refuse the last ones for some time, but accept a valid token from the same
// network.
func TestAccessToken_LimitsFailures(t *testing.T) {
	b := open(t)
	valid := b.program(t, b.newToken(t, "viewer", store.NewAccessToken{Name: "Report", Role: store.Viewer}))
	wrong, statuses := b.program(t, "stockroom_wrong"), map[int]int{}
	for range 55 {
		got := wrong.get("/orders.json")
		statuses[got.status]++
		if got.status == http.StatusTooManyRequests && got.header.Get("Retry-After") == "" {
			t.Error("429: got no Retry-After, want it")
		}
	}
	if statuses[http.StatusUnauthorized] < 50 || statuses[http.StatusTooManyRequests] == 0 || len(statuses) != 2 {
		t.Errorf("got statuses %v, want about 50 times 401 and then 429", statuses)
	}
	valid.expect(http.MethodGet, "/orders.json", http.StatusOK)
	b.clock.Advance(time.Hour)
	wrong.expect(http.MethodGet, "/orders.json", http.StatusUnauthorized)
	var body struct{ Error string }
	if err := json.Unmarshal([]byte(wrong.get("/orders.csv").body), &body); err != nil || !strings.Contains(body.Error, "expired or been revoked") {
		t.Errorf("got %+v, %v, want a message", body, err)
	}
}

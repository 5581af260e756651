package handlers

import (
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stockroom/handlers/ssotest"
	"stockroom/store"
	"stockroom/web"
)

// useSignOn configures single sign-on for a server. The public URL is the URL of the
// server.
func (b *backOffice) useSignOn(t testing.TB, config web.SingleSignOn) {
	t.Helper()
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	public, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	if config.Roles == nil {
		config.Roles = []web.GroupRole{{Group: "stock-admins", Role: store.Admin}, {Group: "sales", Role: store.Support}, {Group: "stores", Role: store.Manager}}
	}
	config.Name, config.ClientID, config.ClientSecret, config.GroupsClaim = "Example ID", ssotest.ClientID, ssotest.ClientSecret, "groups"
	config.Scopes = []string{"profile", "email"}
	b.site, err = newSite(Config{
		Store: b.store, Imports: b.imports, Jobs: b.site.jobs, Log: slog.New(slog.NewTextHandler(b.log, nil)), SessionKeys: keys,
		RequestTimeout: requestTimeout, PublicURL: public, SingleSignOn: &config,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Config.Handler = b.site.tools.Protect(b.site.router)
}

// atProvider signs in at the provider, at the address to which this site has redirected the
// browser. It returns the path on this site to which the provider redirects back.
func (b *browser) atProvider(address, name, password string) string {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	home, _ := url.Parse(b.home)
	client := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Host == home.Host {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	response, err := client.Get(address)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = response.Body.Close()
	form := url.Values{"id": {response.Request.URL.Query().Get("authRequestID")}, "username": {name}, "password": {password}}
	response, err = client.PostForm(response.Request.URL.String(), form)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = response.Body.Close()
	back, found := strings.CutPrefix(response.Header.Get("Location"), b.home)
	if !found {
		b.t.Fatalf("sign-in of %s at the provider: got status %d to %q, want a redirect to the site", name, response.StatusCode, response.Header.Get("Location"))
	}
	return back
}

// signOn signs in with single sign-on, and returns the last response.
func (b *browser) signOn(next, name, password string) answer {
	b.t.Helper()
	return b.get(b.atProvider(b.get("/login/sso?next="+url.QueryEscape(next)).location, name, password))
}

func providerUsers() map[string]ssotest.User {
	return map[string]ssotest.User{
		"kim":   {Subject: "1001", Password: "one", Groups: []string{"everyone", "sales"}},
		"ada":   {Subject: "1002", Password: "two", Groups: []string{"sales", "stock-admins"}},
		"eve":   {Subject: "1003", Password: "three", Groups: []string{"everyone"}},
		"admin": {Subject: "1004", Password: "four", Groups: []string{"sales"}},
		"sten":  {Subject: "1005", Password: "five", Groups: []string{"stores"}},
	}
}

// TestSignOn_WithProvider signs in with a real provider. The groups of the user at the
// provider determine the role.
func TestSignOn_WithProvider(t *testing.T) {
	b := open(t)
	p := ssotest.Start(t, b.URL+web.CallbackPath, providerUsers())
	b.useSignOn(t, web.SingleSignOn{Issuer: p.Issuer})
	user := func(name string) *store.User {
		t.Helper()
		found, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).User(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}

	kim := b.browser(t)
	if page := kim.get("/login?next=/orders").body; !strings.Contains(page, `href="/login/sso?next=%2Forders">Sign in with Example ID`) {
		t.Error("got no link to the provider on the sign-in page")
	}
	if got := kim.signOn("/orders?status=PAID", "kim", "one"); got.status != http.StatusSeeOther || got.location != "/orders?status=PAID" {
		t.Fatalf("first sign-in: got status %d to %q and %s, want a redirect to the page", got.status, got.location, b.log)
	}
	if got := kim.get("/orders"); got.status != http.StatusOK {
		t.Errorf("after sign-in: got status %d, want 200", got.status)
	}
	if got := user("kim"); got.Role != store.Support || got.MustChange {
		t.Errorf("got user %+v, want role support", got)
	}
	events := b.eventCodes(t, "user#kim")
	if !events[store.EventUserFromProvider] || !events[store.EventSignedIn] {
		t.Errorf("got events %v, want one for the new user and one for the sign-in", events)
	}

	// After the groups have changed, the next sign-in must change the role.
	changed := providerUsers()
	changed["kim"] = ssotest.User{Subject: "1001", Password: "one", Groups: []string{"stock-admins"}}
	p.SetUsers(t, changed)
	again := b.browser(t)
	if got := again.signOn("/admin/users", "kim", "one"); got.location != "/admin/users" {
		t.Fatalf("with other groups: got status %d to %q, want a redirect", got.status, got.location)
	}
	if got := again.get("/admin/users"); got.status != http.StatusOK {
		t.Errorf("as the new role: got status %d, want 200", got.status)
	}
	if got := kim.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("earlier session: got status %d, want a redirect to the sign-in page", got.status)
	}
	if !b.eventCodes(t, "user#kim")[store.EventUserRoleFromProvider] {
		t.Error("got no event for the new role")
	}
	saved := user("kim")
	if _, err := b.store.As(saved).ChangeOwnEmail(t.Context(), store.OwnEmail{Email: "kim@example.com", Notices: true, Version: saved.Version, Token: b.store.NewToken()}); err != nil {
		t.Fatal(err)
	}
	again.signOn("/", "kim", "one")
	if got := again.get("/orders"); got.status != http.StatusOK || user("kim").Email != "kim@example.com" {
		t.Fatalf("after the email settings: got status %d, want 200 and the address", got.status)
	}
	changed["kim"] = ssotest.User{Subject: "1001", Password: "one"}
	p.SetUsers(t, changed)
	if got := b.browser(t).signOn("/", "kim", "one"); got.status != http.StatusForbidden || !strings.Contains(got.body, "You are not in a group with access to Stockroom.") {
		t.Errorf("without groups: got status %d, want 403 and the reason", got.status)
	}
	if got := again.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("session after the groups are gone: got status %d, want a redirect to the sign-in page", got.status)
	}
	if got := user("kim").Email; got != "" {
		t.Errorf("after the groups are gone: got address %q, want none", got)
	}
	b.as(t, "admin").get("/admin/events.json?about=user%23kim").want(t, http.StatusOK, "kim@example.com", "no address", "Not in a group with access")
	if got := b.browser(t).signOn("/", "kim", "one"); got.status != http.StatusForbidden {
		t.Errorf("second sign-in without groups: got status %d, want 403", got.status)
	}

	// No user may be added for a person without a group. If a user name is taken, the new
	// user's name must get a number.
	if got := b.browser(t).signOn("/", "eve", "three"); got.status != http.StatusForbidden || !strings.Contains(got.body, "You are not in a group with access to Stockroom.") {
		t.Errorf("without a group: got status %d, want 403 and the reason", got.status)
	}
	if got := b.browser(t).signOn("/", "admin", "four"); got.status != http.StatusSeeOther {
		t.Errorf("taken name: got status %d, want a redirect", got.status)
	}
	if got := user("admin-2"); got.Role != store.Support {
		t.Errorf("got role %s for the person with a taken name, want support", got.Role)
	}
	if got := user("admin"); got.Identity != "" {
		t.Error("the local user of the same name was connected with the identity")
	}

	// A manager must keep the scope that an admin has set.
	sten := b.browser(t)
	sten.signOn("/", "sten", "five")
	admin := b.as(t, "admin")
	if page := admin.get("/admin/users/sten").body; !strings.Contains(page, "Each sign-in with single sign-on sets the role") {
		t.Error("the page of the user does not say where the role comes from")
	}
	if got := admin.post("/admin/users/sten/role", url.Values{"version": {"1"}, "role": {"manager"}, "scope": {"w#w1"}}); got.status != http.StatusSeeOther {
		t.Fatalf("scope: got status %d, want 303", got.status)
	}
	sten.signOn("/", "sten", "five")
	if got := user("sten"); got.Role != store.Manager || got.Scope() != "w#w1" {
		t.Errorf("got role %s and scope %q, want manager of w#w1", got.Role, got.Scope())
	}
	if got := sten.get("/warehouses/w1"); got.status != http.StatusOK {
		t.Errorf("own warehouse: got status %d, want 200", got.status)
	}
	if got := b.browser(t).post("/login", url.Values{"username": {"sten"}, "password": {"five"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("password of the provider at this site: got status %d, want 422", got.status)
	}
}

// TestSignOn_IsBoundToBrowser sends the same answer of the provider twice, and from
// browsers that did not start this sign-in. Only the first request of the right browser
// may sign in.
func TestSignOn_IsBoundToBrowser(t *testing.T) {
	b := open(t)
	p := ssotest.Start(t, b.URL+web.CallbackPath, providerUsers())
	b.useSignOn(t, web.SingleSignOn{Issuer: p.Issuer})
	kim, thief := b.browser(t), b.browser(t)
	back := kim.atProvider(kim.get("/login/sso").location, "kim", "one")
	for name, other := range map[string]*browser{"without a sign-in": b.browser(t), "with another sign-in": thief} {
		if other == thief {
			thief.get("/login/sso")
		}
		if got := other.get(back); got.status != http.StatusForbidden || !strings.Contains(got.body, "another one was started in this browser") {
			t.Errorf("browser %s: got status %d, want 403", name, got.status)
		}
		if got := other.get("/orders"); got.status != http.StatusSeeOther {
			t.Errorf("browser %s: got status %d, want no session", name, got.status)
		}
	}
	started := kim.Jar.Cookies(mustParse(t, b.URL))
	if got := kim.get(back); got.status != http.StatusSeeOther || got.location != "/" {
		t.Fatalf("own browser: got status %d, want a redirect", got.status)
	}
	if got := kim.get(back); got.status != http.StatusForbidden {
		t.Errorf("the same answer again: got status %d, want 403", got.status)
	}
	copied := b.browser(t)
	copied.Jar.SetCookies(mustParse(t, b.URL), started)
	if got := copied.get(back); got.status != http.StatusForbidden || !strings.Contains(got.body, "refused the sign-in") {
		t.Errorf("the same answer with a copy of the cookie: got status %d, want 403, because the provider refuses the code", got.status)
	}
	if !strings.Contains(b.log.String(), "single sign-on failed") {
		t.Error("got no log line about the failures")
	}
}

func mustParse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestSignOn_KeepsForm submits a form after the session has ended. The form must stay in
// its tab while the user signs in at the provider in another tab.
func TestSignOn_KeepsForm(t *testing.T) {
	b := open(t)
	p := ssotest.Start(t, b.URL+web.CallbackPath, providerUsers())
	b.useSignOn(t, web.SingleSignOn{Issuer: p.Issuer})
	ada := b.browser(t)
	ada.signOn("/", "ada", "two")
	b.clock.Advance(store.SessionIdle)
	asked := ada.post("/admin/users", url.Values{"name": {"nora"}, "role": {"viewer"}})
	if asked.status != http.StatusUnauthorized || !strings.Contains(asked.body, `target="_blank">Sign in with Example ID`) {
		t.Fatalf("form after the session: got status %d, want 401 and a link that opens a new tab", asked.status)
	}
	ada.signOn("/account/confirm", "ada", "two")
	got := ada.post("/account/confirm?after=sign-in", url.Values{"form": {valueOfField(t, asked.body, "form")}})
	if fields := hiddenFields(got.body); got.status != http.StatusOK || fields.Get("name") != "nora" || strings.Contains(got.body, "data-send") {
		t.Errorf("after sign-in: got status %d and fields %v, want the form, which the user must send", got.status, fields)
	}
}

// TestSignOn_ConfirmsAtProvider makes a sensitive change more than ten minutes after
// sign-in. The user must then confirm their identity at the provider.
func TestSignOn_ConfirmsAtProvider(t *testing.T) {
	b := open(t)
	p := ssotest.Start(t, b.URL+web.CallbackPath, providerUsers())
	b.useSignOn(t, web.SingleSignOn{Issuer: p.Issuer})
	ada := b.browser(t)
	ada.signOn("/", "ada", "two")
	b.clock.Advance(store.ConfirmedLife)
	asked := ada.post("/admin/users", url.Values{"name": {"nora"}, "role": {"viewer"}})
	if asked.status != http.StatusForbidden || !strings.Contains(asked.body, "Confirm with Example ID") || strings.Contains(asked.body, `type="password"`) {
		t.Fatalf("sensitive change: got status %d, want 403 and a link to the provider", asked.status)
	}
	kept := url.Values{"form": {valueOfField(t, asked.body, "form")}}
	if got := ada.post("/account/confirm", kept); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "You have not confirmed your identity with Example ID yet.") {
		t.Errorf("before the confirmation: got status %d, want 422", got.status)
	}
	address := ada.get("/account/confirm/sso?next=/account/confirm").location
	query := mustParse(t, address).Query()
	if query.Get("prompt") != "login" || query.Get("max_age") != "0" || query.Get("code_challenge_method") != "S256" || query.Get("nonce") == "" {
		t.Errorf("got query %v, want prompt=login, max_age=0, PKCE and a nonce", query)
	}
	if got := ada.get(ada.atProvider(address, "kim", "one")); got.status != http.StatusForbidden || !strings.Contains(got.body, "as a different user") {
		t.Errorf("another person: got status %d, want 403", got.status)
	}
	if got := ada.post("/account/confirm", kept); got.status != http.StatusUnprocessableEntity {
		t.Errorf("after another person confirmed: got status %d, want 422", got.status)
	}
	if got := ada.get(ada.atProvider(ada.get("/account/confirm/sso?next=/account/confirm").location, "ada", "two")); got.location != "/account/confirm" {
		t.Fatalf("confirmation: got status %d to %q, want a redirect to the page", got.status, got.location)
	}
	if got := ada.get("/account/confirm").body; !strings.Contains(got, "Your identity is confirmed.") {
		t.Error("got no page that says that the identity is confirmed")
	}
	offered := ada.post("/account/confirm", kept)
	if offered.status != http.StatusOK || !strings.Contains(offered.body, "data-send") {
		t.Fatalf("kept form: got status %d, want the form, which a script submits", offered.status)
	}
	if got := ada.post("/admin/users", hiddenFields(offered.body)); got.status != http.StatusOK || !strings.Contains(got.body, "One-time password") {
		t.Errorf("after the confirmation: got status %d, want the new user", got.status)
	}
	if !b.eventCodes(t, "user#ada")[store.EventConfirmed] {
		t.Error("got no event for the confirmation")
	}

	// Signing out must end the session of this site, and offer to sign out at the
	// provider.
	out := ada.post("/logout", nil)
	page := ada.get(out.location)
	if !strings.Contains(page.body, "You are signed out.") || !strings.Contains(page.body, "Sign out of Example ID too") {
		t.Errorf("after sign-out: got %q without the link to sign out of the provider", out.location)
	}
	if got := ada.get("/login/sso/sign-out").location; !regexp.MustCompile(`^` + regexp.QuoteMeta(p.Issuer) + `/end_session\?client_id=stockroom$`).MatchString(got) {
		t.Errorf("got the address %q for the sign-out at the provider", got)
	}
	if got := ada.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("after sign-out: got status %d, want a redirect to the sign-in page", got.status)
	}
}

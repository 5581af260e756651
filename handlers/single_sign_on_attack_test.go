package handlers

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/handlers/ssotest"
	"stockroom/store"
	"stockroom/web"
)

// falseProvider is an identity provider whose responses the test chooses, including invalid
// ones.
type falseProvider struct {
	*httptest.Server
	key    *rsa.PrivateKey
	answer func(w http.ResponseWriter) // writes the response of the token endpoint
}

// providerKeys are the key of all false providers, and another one. Generating a key takes
// a tenth of a second.
var providerKeys = sync.OnceValue(func() (keys [2]*rsa.PrivateKey) {
	for i := range keys {
		keys[i], _ = rsa.GenerateKey(rand.Reader, 2048) // never returns an error; see crypto/rand
	}
	return keys
})

func newFalseProvider(t testing.TB) *falseProvider {
	t.Helper()
	p := &falseProvider{key: providerKeys()[0]}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/auth", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "kid": "1", "alg": "RS256", "use": "sig", "e": "AQAB", "n": encode(p.key.N.Bytes())}}})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) { p.answer(w) })
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func sendJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func encode(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

// signToken returns an ID token with these claims. The key is an *rsa.PrivateKey for RS256,
// a []byte for HS256, or nil for a token without a signature.
func signToken(alg string, key any, claims map[string]any) string {
	header, _ := json.Marshal(map[string]string{"alg": alg, "kid": "1"})
	payload, _ := json.Marshal(claims)
	text := encode(header) + "." + encode(payload)
	var signature []byte
	switch key := key.(type) {
	case *rsa.PrivateKey:
		sum := sha256.Sum256([]byte(text))
		signature, _ = rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	case []byte:
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		signature = mac.Sum(nil)
	}
	return text + "." + encode(signature)
}

// TestSignOn_RefusesFalseAnswers sends invalid answers of the provider. For each of
// them, there must be an error page and a line in the log, and no session.
func TestSignOn_RefusesFalseAnswers(t *testing.T) {
	b := open(t)
	p := newFalseProvider(t)
	b.useSignOn(t, web.SingleSignOn{Issuer: p.URL, Now: b.clock.Now})
	other := providerKeys()[1]
	type attack struct {
		alg    string
		key    any
		claims map[string]any
		answer func(w http.ResponseWriter)
		query  url.Values
	}
	for name, tt := range map[string]struct {
		change func(*attack)
		want   int
		log    string
	}{
		"valid":                  {func(*attack) {}, 303, ""},
		"wrong signature":        {func(a *attack) { a.key = other }, 403, "failed to verify"},
		"algorithm none":         {func(a *attack) { a.alg, a.key = "none", nil }, 403, "malformed"},
		"signed with the secret": {func(a *attack) { a.alg, a.key = "HS256", []byte(ssotest.ClientSecret) }, 403, "malformed"},
		"wrong audience":         {func(a *attack) { a.claims["aud"] = "other" }, 403, "audience"},
		"second audience":        {func(a *attack) { a.claims["aud"] = []string{ssotest.ClientID, "other"} }, 403, "another client"},
		"other issuer":           {func(a *attack) { a.claims["iss"] = "https://id.example.com" }, 403, "different provider"},
		"issuer in the query":    {func(a *attack) { a.query.Set("iss", "https://id.example.com") }, 403, "another issuer"},
		"expired":                {func(a *attack) { a.claims["exp"] = b.clock.Now().Add(-time.Minute).Unix() }, 403, "expired"},
		"other nonce":            {func(a *attack) { a.claims["nonce"] = "x" }, 403, "nonce"},
		"no nonce":               {func(a *attack) { delete(a.claims, "nonce") }, 403, "nonce"},
		"other state":            {func(a *attack) { a.query.Set("state", "x") }, 403, "state"},
		"no subject":             {func(a *attack) { delete(a.claims, "sub") }, 403, "subject"},
		"no groups":              {func(a *attack) { delete(a.claims, "groups") }, 403, "not in a group with access"},
		"refused by the user":    {func(a *attack) { a.query = url.Values{"state": a.query["state"], "error": {"access_denied"}} }, 403, "access_denied"},
		"no ID token": {func(a *attack) {
			a.answer = func(w http.ResponseWriter) { sendJSON(w, map[string]any{"access_token": "x"}) }
		}, 403, "malformed"},
		"refused code": {func(a *attack) {
			a.answer = func(w http.ResponseWriter) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				sendJSON(w, map[string]any{"error": "invalid_grant"})
			}
		}, 403, "invalid_grant"},
		"failing provider": {func(a *attack) {
			a.answer = func(w http.ResponseWriter) { http.Error(w, "x", http.StatusBadGateway) }
		}, 403, "502"},
		"redirect": {func(a *attack) {
			a.answer = func(w http.ResponseWriter) {
				w.Header().Set("Location", p.URL+"/keys")
				w.WriteHeader(http.StatusTemporaryRedirect)
			}
		}, 403, "307"},
		"endless answer": {func(a *attack) {
			a.answer = func(w http.ResponseWriter) { sendJSON(w, map[string]any{"access_token": strings.Repeat("x", 3<<20)}) }
		}, 403, "cannot parse"},
	} {
		browser := b.browser(t)
		query := mustParse(t, browser.get("/login/sso?next=/orders").location).Query()
		a := attack{alg: "RS256", key: p.key}
		a.query = url.Values{"state": {query.Get("state")}, "code": {"x"}}
		a.claims = map[string]any{
			"iss": p.URL, "aud": ssotest.ClientID, "sub": "42", "nonce": query.Get("nonce"), "groups": []string{"sales"}, "email": "lee@example.com",
			"iat": b.clock.Now().Unix(), "exp": b.clock.Now().Add(time.Hour).Unix(),
		}
		tt.change(&a)
		p.answer = a.answer
		if p.answer == nil {
			p.answer = func(w http.ResponseWriter) {
				sendJSON(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": signToken(a.alg, a.key, a.claims)})
			}
		}
		b.log.Reset()
		got := browser.get("/login/sso/callback?" + a.query.Encode())
		if got.status != tt.want {
			t.Errorf("%s: got status %d, want %d; log: %s", name, got.status, tt.want, b.log)
		}
		if tt.want == http.StatusSeeOther {
			if got.location != "/orders" {
				t.Errorf("%s: got a redirect to %q, want /orders", name, got.location)
			}
			continue
		}
		if log := b.log.String(); !strings.Contains(log, `level=WARN msg="single sign-on failed"`) || !strings.Contains(log, tt.log) {
			t.Errorf("%s: got the log\n%s\nwant a line with %q", name, log, tt.log)
		}
		if !strings.Contains(got.body, "Sign in with Example ID") || got.location != "" {
			t.Errorf("%s: got no sign-in page, or a redirect to %q", name, got.location)
		}
		if got := browser.get("/orders"); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d for a page, want no session", name, got.status)
		}
	}
}

// signOnAs starts a sign-in at the path in start, and finishes it with finishSignOnAs.
func (b *browser) signOnAs(p *falseProvider, start string, now time.Time, more map[string]any) answer {
	b.t.Helper()
	return b.finishSignOnAs(p, mustParse(b.t, b.get(start).location).Query(), now, more)
}

// finishSignOnAs makes the provider return an ID token, and opens the callback. The
// argument query contains the parameters that the provider got, and more contains claims
// that replace the valid ones.
func (b *browser) finishSignOnAs(p *falseProvider, query url.Values, now time.Time, more map[string]any) answer {
	b.t.Helper()
	claims := map[string]any{
		"iss": p.URL, "aud": ssotest.ClientID, "sub": "42", "nonce": query.Get("nonce"), "groups": "stock-admins", "preferred_username": "lee",
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
	maps.Copy(claims, more)
	p.answer = func(w http.ResponseWriter) {
		sendJSON(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": signToken("RS256", p.key, claims)})
	}
	return b.get("/login/sso/callback?" + url.Values{"state": {query.Get("state")}, "code": {"x"}}.Encode())
}

// TestSignOn_ConfirmationMustBeRecent checks that old sign-ins at the provider do not
// confirm an identity.
func TestSignOn_ConfirmationMustBeRecent(t *testing.T) {
	b := open(t)
	p := newFalseProvider(t)
	b.useSignOn(t, web.SingleSignOn{Issuer: p.URL, Now: b.clock.Now})
	lee := b.browser(t)
	lee.signOnAs(p, "/login/sso", b.clock.Now(), nil)
	b.clock.Advance(store.ConfirmedLife)
	const start = "/account/confirm/sso?next=/account/second-factor"
	for name, more := range map[string]map[string]any{
		"no auth_time":  nil,
		"old auth_time": {"auth_time": b.clock.Now().Add(-2 * time.Minute).Unix()},
	} {
		if got := lee.signOnAs(p, start, b.clock.Now(), more); got.status != http.StatusForbidden || !strings.Contains(got.body, "did not ask you to sign in again") {
			t.Errorf("%s: got status %d, want 403", name, got.status)
		}
		if got := lee.get("/account/second-factor"); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d for a sensitive page, want a redirect to the confirmation", name, got.status)
		}
	}
	if got := lee.signOnAs(p, start, b.clock.Now(), map[string]any{"auth_time": b.clock.Now().Unix()}); got.location != "/account/second-factor" {
		t.Errorf("recent auth_time: got status %d to %q, want a redirect", got.status, got.location)
	}
	if got := lee.get("/account/second-factor"); got.status != http.StatusOK {
		t.Errorf("after the confirmation: got status %d, want 200", got.status)
	}
}

// TestSignOn_SecondFactor signs in with the provider as a user who has an authenticator
// app. The program must accept the provider's second factor instead of a code only if the
// claim amr or acr has a configured value.
func TestSignOn_SecondFactor(t *testing.T) {
	b := open(t)
	p := newFalseProvider(t)
	b.useSignOn(t, web.SingleSignOn{Issuer: p.URL, Now: b.clock.Now, SecondFactor: []string{"mfa", "urn:example:two"}})
	lee := b.browser(t)
	lee.signOnAs(p, "/login/sso", b.clock.Now(), nil)
	secret, _ := b.addApp(t, lee)

	again := b.browser(t)
	step := again.signOnAs(p, "/login/sso?next=/orders", b.clock.Now(), map[string]any{"amr": []string{"pwd"}})
	if step.status != http.StatusOK || !strings.Contains(step.body, "Enter your code") {
		t.Fatalf("without a second factor of the provider: got status %d, want the page for the code", step.status)
	}
	if got := again.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("before the code: got status %d, want no session", got.status)
	}
	form := url.Values{"step": {valueOfField(t, step.body, "step")}, "code": {b.appCode(t, secret)}}
	if got := again.post("/login/code?next=/orders", form); got.location != "/orders" {
		t.Fatalf("code: got status %d to %q, want a redirect to /orders", got.status, got.location)
	}
	b.clock.Advance(store.ConfirmedLife)
	if got := again.get("/account/confirm").body; strings.Contains(got, "Example ID") || !strings.Contains(got, "The six digits that your authenticator app shows") {
		t.Error("the confirmation does not ask for the user's second factor")
	}
	if got := again.get("/account/confirm/sso?next=/orders"); got.location != "/account/confirm?next=%2Forders" {
		t.Errorf("confirmation by the provider: got status %d to %q, want the page that asks for the second factor", got.status, got.location)
	}
	for _, more := range []map[string]any{{"amr": []string{"pwd", "mfa"}}, {"acr": "urn:example:two"}} {
		if got := b.browser(t).signOnAs(p, "/login/sso?next=/orders", b.clock.Now(), more); got.location != "/orders" {
			t.Errorf("%v: got status %d, want no question for a code", more, got.status)
		}
	}
}

// TestSignOn_ConfirmationNeedsOwnFactor checks that a user with a second factor on
// this site cannot confirm their identity at the provider. Because the pages do not
// offer this, the test starts the confirmation itself.
func TestSignOn_ConfirmationNeedsOwnFactor(t *testing.T) {
	b := open(t)
	p := newFalseProvider(t)
	b.useSignOn(t, web.SingleSignOn{Issuer: p.URL, Now: b.clock.Now})
	lee := b.browser(t)
	lee.signOnAs(p, "/login/sso", b.clock.Now(), nil)
	b.addApp(t, lee)
	b.clock.Advance(store.ConfirmedLife)
	sessions, err := b.store.SessionsOf(t.Context(), "lee")
	if err != nil || len(sessions) != 1 {
		t.Fatalf("got sessions %v, %v; want one", sessions, err)
	}
	request, response := lee.request(http.MethodGet, "/account/confirm/sso", ""), httptest.NewRecorder()
	start, err := b.site.tools.StartSignOn(echo.New().NewContext(request, response), web.SignOn{Next: "/account/second-factor", Session: sessions[0].Hash})
	if err != nil {
		t.Fatal(err)
	}
	lee.Jar.SetCookies(request.URL, response.Result().Cookies())
	got := lee.finishSignOnAs(p, mustParse(t, start).Query(), b.clock.Now(), map[string]any{"auth_time": b.clock.Now().Unix()})
	got.want(t, http.StatusForbidden, "Confirm your identity with your own second factor, not with Example ID.")
	if got := lee.get("/account/second-factor"); got.location != "/account/confirm?next=%2Faccount%2Fsecond-factor" {
		t.Errorf("got status %d to %q for a sensitive page, want a redirect to the confirmation", got.status, got.location)
	}
}

// TestSignOn_ProviderOnly checks that only the emergency user can sign in with a password
// if passwords are turned off.
func TestSignOn_ProviderOnly(t *testing.T) {
	b := open(t)
	b.useSignOn(t, web.SingleSignOn{Issuer: newFalseProvider(t).URL, EmergencyUser: "admin"})
	if page := b.browser(t).get("/login").body; !strings.Contains(page, "<summary>Sign in without Example ID</summary>") {
		t.Error("the form for the password is not folded")
	}
	for name, want := range map[string]int{"support": http.StatusUnprocessableEntity, "admin": http.StatusSeeOther, "nobody": http.StatusUnprocessableEntity} {
		browser := b.browser(t)
		got := browser.post("/login", url.Values{"username": {name}, "password": {password}})
		if got.status != want || want != http.StatusSeeOther && !strings.Contains(got.body, "Wrong user name or password.") {
			t.Errorf("password of %s: got status %d, want %d", name, got.status, want)
		}
		if got := browser.get("/orders"); (got.status == http.StatusOK) != (want == http.StatusSeeOther) {
			t.Errorf("page for %s: got status %d", name, got.status)
		}
	}
	if !b.failedSignIn(t, "support") {
		t.Error("the history has no failed sign-in of support")
	}
}

// TestSignOn_PasskeyAlone checks which users may sign in with a passkey alone, or after the
// password or the provider.
func TestSignOn_PasskeyAlone(t *testing.T) {
	ofProvider, own := &store.User{Name: "lee", Identity: "hash"}, &store.User{Name: "mia"}
	without, with := &site{}, &site{signOn: &web.SingleSignOn{}}
	only := &site{signOn: &web.SingleSignOn{EmergencyUser: "mia"}}
	alone, password, provider := web.Step{}, web.Step{Name: "lee"}, web.Step{Name: "lee", Provider: true}
	for _, c := range []struct {
		site  *site
		user  *store.User
		first web.Step
		want  bool
	}{
		{without, ofProvider, alone, true},
		{with, ofProvider, alone, false},
		{with, ofProvider, password, true},
		{with, ofProvider, provider, true},
		{with, own, alone, true},
		{only, ofProvider, alone, false},
		{only, ofProvider, password, false},
		{only, ofProvider, provider, true},
		{only, own, alone, true},
	} {
		if got := c.site.mayUsePasskey(c.user, c.first); got != c.want {
			t.Errorf("%s, single sign-on %+v, first step %+v: got %t, want %t", c.user.Name, c.site.signOn, c.first, got, c.want)
		}
	}
}

// TestSignOn_FailuresAreBounded sends many invalid answers from one network. The history
// must not count all of them. A valid sign-in must still work. The new user, who has the
// same name as the emergency user, must get another name.
func TestSignOn_FailuresAreBounded(t *testing.T) {
	b := open(t)
	p := newFalseProvider(t)
	b.useSignOn(t, web.SingleSignOn{Issuer: p.URL, EmergencyUser: "Lee", Now: b.clock.Now})
	wrong := map[string]any{"aud": "somebody else"}
	for range 80 {
		if got := b.browser(t).signOnAs(p, "/login/sso", b.clock.Now(), wrong); got.status != http.StatusForbidden {
			t.Fatalf("got status %d, want 403", got.status)
		}
	}
	found, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Events(t.Context(), store.EventFilter{By: store.UnknownUser}, store.Page{Limit: 10})
	if err != nil || len(found.Rows) != 1 || found.Rows[0].Attempts >= 60 {
		t.Errorf("got events %+v, error %v; want one that counts fewer than 60 failures", found.Rows, err)
	}
	lee := b.browser(t)
	if got := lee.signOnAs(p, "/login/sso", b.clock.Now(), nil); got.status != http.StatusSeeOther {
		t.Errorf("valid sign-in after the failures: got status %d, want 303", got.status)
	}
	if page := lee.get("/account").body; !strings.Contains(page, "lee-2") {
		t.Error("the new user got the name of the emergency user")
	}
}

// failedSignIn reports whether the history has a failed sign-in of this user.
func (b *backOffice) failedSignIn(t testing.TB, name string) bool {
	t.Helper()
	found, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Events(t.Context(), store.EventFilter{By: name}, store.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found.Rows {
		if e.What == store.EventSignInFailed {
			return true
		}
	}
	return false
}

// TestSignOn_ProviderDown starts a server while the provider cannot be reached. Users
// must be able to sign in with a password.
func TestSignOn_ProviderDown(t *testing.T) {
	b := open(t)
	p := newFalseProvider(t)
	p.Close()
	b.useSignOn(t, web.SingleSignOn{Issuer: p.URL})
	browser := b.browser(t)
	for range 2 {
		if got := browser.get("/login/sso?next=/orders"); got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "does not respond") || !strings.Contains(got.body, "next=%2Forders") {
			t.Errorf("got status %d, want 503 and the sign-in page", got.status)
		}
	}
	if !strings.Contains(b.log.String(), "single sign-on failed") {
		t.Error("got no line in the log")
	}
	if got := browser.post("/login", url.Values{"username": {"support"}, "password": {password}}); got.status != http.StatusSeeOther {
		t.Errorf("password: got status %d, want 303", got.status)
	}
}

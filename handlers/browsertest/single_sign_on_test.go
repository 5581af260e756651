package browsertest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/handlers"
	"stockroom/handlers/ssotest"
	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
	"stockroom/web"
)

// TestSignOn_OpensThePage opens a page, signs in at a real identity provider, and must
// return to that page. It also confirms the user's identity at the provider, and signs
// out.
func TestSignOn_OpensThePage(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 390, dark: true}} {
		t.Run(sc.String(), func(t *testing.T) { signOnWith(t, sc) })
	}
}

func signOnWith(t *testing.T, sc screen) {
	chromium(t)
	clock := storetest.NewClock()
	s := store.New(shopImage.Embedded(t, clock), "OnlineShop", clock.Now)
	s.WeakenPasswords()
	var p *ssotest.Provider
	b := open(t, serveConfigured(t, s, jobs.Record{}, func(address string, c *handlers.Config) {
		public, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		p = ssotest.Start(t, address+web.CallbackPath, map[string]ssotest.User{"ada": {Subject: "1002", Password: "two", Groups: []string{"stock-admins"}}})
		c.PublicURL = public
		c.SingleSignOn = &web.SingleSignOn{
			Issuer: p.Issuer, ClientID: ssotest.ClientID, ClientSecret: ssotest.ClientSecret, Name: "Example ID", Scopes: []string{"profile", "email"},
			GroupsClaim: "groups", Roles: []web.GroupRole{{Group: "stock-admins", Role: store.Admin}}, EmergencyUser: "admin",
		}
	}), sc)
	atProvider := func() {
		t.Helper()
		if at := run(b, chromedp.Location()); !strings.HasPrefix(at, p.Issuer) {
			t.Fatalf("got %s, want a page of the provider", at)
		}
		b.do(typeKeys(chromedp.CSS("#username"), "ada"), typeKeys(chromedp.CSS("#password"), "two"))
		b.follow(chromedp.Submit(chromedp.CSS("#password")))
	}
	b.visit("/orders?status=PAID")
	b.check("sign-in page with single sign-on", sc)
	b.link("Sign in with Example ID")
	atProvider()
	if at := b.path(); at != "/orders?status=PAID" {
		t.Fatalf("after sign-in: got %s, want the page that was asked for first", at)
	}
	b.visit("/account")
	b.wantText("ada", "You signed in with Example ID.")
	b.check("account page with single sign-on", sc)

	clock.Advance(store.ConfirmedLife)
	b.visit("/account/second-factor")
	b.check("confirmation with single sign-on", sc)
	b.link("Confirm with Example ID")
	atProvider()
	if at := b.path(); at != "/account/second-factor" {
		t.Fatalf("after the confirmation: got %s, want the page", at)
	}
	b.signOut()
	b.wantText("Sign out of Example ID too")
}

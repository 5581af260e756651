package browsertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// openSecondFactor opens a tab at localhost, because browsers do not allow passkeys at
// an IP address. The tab has a virtual authenticator that verifies the user.
func openSecondFactor(t *testing.T, sc screen) (*tab, *store.Store, *storetest.Clock) {
	t.Helper()
	chromium(t)
	clock := storetest.NewClock()
	s := store.New(shopImage.Embedded(t, clock), "OnlineShop", clock.Now)
	s.WeakenPasswords()
	b := open(t, strings.Replace(serveStore(t, s, jobs.Record{}), "127.0.0.1", "localhost", 1), sc)
	b.do(command(webauthn.Enable, webauthn.EnableParams{}), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		return err
	}))
	return b, s, clock
}

// signOut signs out with the form in the account menu.
func (b *tab) signOut() {
	b.Helper()
	b.follow(chromedp.Submit(chromedp.CSS(`form[action="/logout"] button`)))
	b.wantText("You are signed out.")
}

// TestPasskey_SignsIn adds a passkey, signs in with only the passkey, and confirms the
// user's identity with it. After a reset of the second factor, the program must refuse the
// passkey.
func TestPasskey_SignsIn(t *testing.T) {
	b, s, clock := openSecondFactor(t, screen{width: 1280})
	b.signIn("admin")
	b.visit("/account/second-factor")
	b.fill("name", "Laptop")
	b.button("Add passkey")
	b.wantText("Passkey added.", "Save these 10 codes")
	b.audit("recovery codes")
	b.link("I have saved them")
	b.visit("/account/second-factor")
	b.wantText("1 passkey", "Laptop", "10 recovery codes left")
	b.audit("second factor with a passkey")
	b.signOut()
	b.audit("sign-in with a passkey")
	if !retry(b, chromedp.Evaluate[bool](`(() => {
		const form = document.querySelector("form[data-passkey]"), button = form.querySelector("button");
		form.elements.credential.value = "used";
		button.disabled = true;
		dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
		return !button.disabled && form.elements.credential.value === "";
	})()`)) {
		t.Error("page shown again after Back: got a form that can't be submitted")
	}

	b.button("Sign in with a passkey")
	if at := b.path(); at != "/" {
		b.Fatalf("after sign-in: got %s, want /; the page says:\n%s", at, b.text("main"))
	}
	clock.Advance(store.ConfirmedLife)
	b.visit("/account/second-factor")
	b.wantText("Confirm your identity")
	b.audit("confirmation")
	b.button("Use a passkey")
	b.wantText("Laptop", "last used")
	b.signOut()

	if err := s.ResetSecondFactor(t.Context(), "admin", "test"); err != nil {
		t.Fatal(err)
	}
	b.button("Sign in with a passkey")
	b.wantText("This passkey is unknown.")
	if at := b.path(); !strings.HasPrefix(at, "/login") {
		t.Errorf("after the reset: got %s, want the sign-in page", at)
	}
}

// TestApp_SignsIn checks that a user can set up an authenticator app and sign in
// with the password and a code.
func TestApp_SignsIn(t *testing.T) {
	for _, sc := range []screen{{width: 1280, dark: true}, {width: 390}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b, _, clock := openSecondFactor(t, sc)
			code := func(secret string) string {
				code, err := totp.GenerateCode(secret, clock.Now())
				if err != nil {
					t.Fatal(err)
				}
				return code
			}
			b.signIn("manager")
			b.visit("/account/second-factor")
			b.check("second factor", sc)
			secret := strings.ReplaceAll(b.text("main code"), " ", "")
			b.fill("code", code(secret))
			b.button("Set up app")
			b.wantText("Authenticator app set up.", "Save these 10 codes")
			b.check("recovery codes", sc)
			clock.Advance(time.Minute)
			b.visit("/account/second-factor")
			b.wantText("Remove app")
			b.signOut()

			b.do(typeKeys(field("username"), "manager"), typeKeys(field("password"), password))
			b.follow(chromedp.Submit(field("password")))
			b.wantText("Enter your code")
			b.check("code", sc)
			b.fill("code", "000000")
			b.button("Sign in")
			b.wantText("This code is wrong or was already used.")
			b.fill("code", code(secret))
			b.button("Sign in")
			if at := b.path(); at != "/" {
				b.Fatalf("after the code: got %s, want /; the page says:\n%s", at, b.text("main"))
			}
		})
	}
}

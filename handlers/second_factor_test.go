package handlers

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"stockroom/store"
)

// valueOfField returns the value of a hidden field on a page.
func valueOfField(t testing.TB, page, name string) string {
	t.Helper()
	match := regexp.MustCompile(`type="hidden" name="` + name + `" value="([^"]*)"`).FindStringSubmatch(page)
	if match == nil {
		t.Fatalf("got no field %s", name)
	}
	return html.UnescapeString(match[1])
}

// appCode returns the code that an authenticator app shows now.
func (b *backOffice) appCode(t testing.TB, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, b.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// addApp sets up an authenticator app on the pages. A wrong code must be rejected.
// addApp returns the app's secret and the recovery codes. It then waits until the app
// shows another code.
func (b *backOffice) addApp(t testing.TB, user *browser) (secret string, recovery []string) {
	t.Helper()
	page := user.get("/account/second-factor").body
	match := regexp.MustCompile(`<code dir="ltr">([A-Z2-7 ]+)</code>`).FindStringSubmatch(page)
	if match == nil {
		t.Fatal("got no secret on the page")
	}
	secret = strings.ReplaceAll(match[1], " ", "")
	form := url.Values{"secret": {valueOfField(t, page, "secret")}, "code": {"000000"}}
	if got := user.post("/account/second-factor", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "This code is not correct") {
		t.Fatalf("wrong code: got status %d, want 422", got.status)
	}
	form.Set("code", b.appCode(t, secret))
	got := user.post("/account/second-factor", form)
	for _, code := range regexp.MustCompile(`<code class="secret">([a-z2-7-]+)</code>`).FindAllStringSubmatch(got.body, -1) {
		recovery = append(recovery, code[1])
	}
	if got.status != http.StatusOK || len(recovery) != 10 || len(strings.ReplaceAll(recovery[0], "-", ""))*5 < 128 {
		t.Fatalf("right code: got status %d and recovery codes %q, want 200 and 10 with at least 128 bits", got.status, recovery)
	}
	b.clock.Advance(time.Minute)
	return secret, recovery
}

// TestSignIn_AsksForCode signs in with a password and a code. Without the code, there
// must be no session. A code must not work twice.
func TestSignIn_AsksForCode(t *testing.T) {
	b := serveOnly(t)
	secret, recovery := b.addApp(t, b.as(t, "support"))

	user := b.browser(t)
	step := user.post("/login?next=/orders", url.Values{"username": {"support"}, "password": {password}})
	if step.status != http.StatusOK || !strings.Contains(step.body, "Enter your code") || strings.Contains(step.header.Get("Set-Cookie"), "stockroom") {
		t.Fatalf("password: got status %d and cookie %q, want the page for the code and no session", step.status, step.header.Get("Set-Cookie"))
	}
	if got := user.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("before the code: got status %d, want a redirect", got.status)
	}
	form := url.Values{"step": {valueOfField(t, step.body, "step")}, "code": {b.appCode(t, secret)}}
	if got := user.post("/login/code?next=/orders", form); got.status != http.StatusSeeOther || got.location != "/orders" {
		t.Fatalf("code: got status %d to %q, want a redirect to /orders", got.status, got.location)
	}
	if got := user.get("/orders"); got.status != http.StatusOK {
		t.Errorf("after the code: got status %d, want 200", got.status)
	}
	if got := b.browser(t).post("/login/code", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "already used") {
		t.Errorf("the same code again: got status %d, want 422", got.status)
	}
	form.Set("code", strings.ToUpper(recovery[3]))
	if got := b.browser(t).post("/login/code", form); got.status != http.StatusSeeOther {
		t.Errorf("recovery code: got status %d, want 303", got.status)
	}
	if got := b.browser(t).post("/login/code", form); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the same recovery code again: got status %d, want 422", got.status)
	}
	for _, wrong := range []url.Values{{"step": {"x"}, "code": {recovery[4]}}, {"step": {form.Get("step") + "x"}, "code": {recovery[4]}}, {"code": {recovery[4]}}} {
		if got := b.browser(t).post("/login/code", wrong); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "took too long") {
			t.Errorf("without the password: got status %d, want 422 and the sign-in page", got.status)
		}
	}
	if err := b.store.SetPassword(t.Context(), "support", "another long one", false, "test"); err != nil {
		t.Fatal(err)
	}
	form.Set("code", recovery[5])
	if got := b.browser(t).post("/login/code", form); !strings.Contains(got.body, "took too long") {
		t.Errorf("after a new password: got status %d, want the sign-in page", got.status)
	}
	events := b.eventCodes(t, "user#support")
	for _, want := range []store.EventCode{store.EventSecondFactorAdded, store.EventRecoveryCodeUsed} {
		if !events[want] {
			t.Errorf("got no event %s", want)
		}
	}
}

// eventCodes returns the codes of the events about a record.
func (b *backOffice) eventCodes(t *testing.T, about string) map[store.EventCode]bool {
	t.Helper()
	found, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Events(t.Context(), store.EventFilter{About: about}, store.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	codes := map[store.EventCode]bool{}
	for _, e := range found.Rows {
		codes[e.What] = true
	}
	return codes
}

// TestSignIn_LimitsCodes enters the right password and guesses codes. The right password
// must not reset the count of wrong codes.
func TestSignIn_LimitsCodes(t *testing.T) {
	b := serveOnly(t)
	b.addApp(t, b.as(t, "support"))
	for try := 1; ; try++ {
		guesser := b.browser(t)
		step := guesser.signIn("support", password)
		if step.status == http.StatusTooManyRequests {
			if try != 6 {
				t.Errorf("got a wait before try %d, want it before try 6", try)
			}
			return
		}
		if try > 6 {
			t.Fatal("got no wait after six wrong codes")
		}
		form := url.Values{"step": {valueOfField(t, step.body, "step")}, "code": {fmt.Sprintf("%06d", try)}}
		if got := guesser.post("/login/code", form); got.status != http.StatusUnprocessableEntity {
			t.Fatalf("wrong code %d: got status %d, want 422", try, got.status)
		}
	}
}

// TestSecondFactor_RequiredByRole requires a second factor for admins. Until it is set
// up, admins must be able to open only their own account.
func TestSecondFactor_RequiredByRole(t *testing.T) {
	b := serveOnly(t)
	settings, err := b.store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.SecondFactor = store.FactorAdmins
	if err := b.store.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	admin := b.as(t, "admin")
	for _, path := range []string{"/", "/orders.json", "/admin/users"} {
		if got := admin.get(path); got.location != "/account/second-factor" {
			t.Errorf("%s: got status %d to %q, want a redirect to /account/second-factor", path, got.status, got.location)
		}
	}
	if got := admin.post("/admin/users/support/disable", url.Values{"version": {"1"}}); got.location != "/account/second-factor" {
		t.Errorf("change: got status %d to %q, want a redirect", got.status, got.location)
	}
	if got := b.as(t, "support").get("/orders"); got.status != http.StatusOK {
		t.Errorf("support: got status %d, want 200", got.status)
	}
	if got := admin.get("/account/second-factor"); !strings.Contains(got.body, "Your role requires a second factor") {
		t.Error("got no reason on the page, want it")
	}
	b.addApp(t, admin)
	if got := admin.get("/admin/users"); got.status != http.StatusOK {
		t.Errorf("after setting it up: got status %d, want 200", got.status)
	}
	if got := admin.post("/account/second-factor/remove", nil); got.location != "/account/second-factor" {
		t.Errorf("removing it: got status %d, want 303", got.status)
	}
	if got := admin.get("/admin/users"); got.location != "/account/second-factor" {
		t.Errorf("after removing it: got status %d to %q, want a redirect", got.status, got.location)
	}
}

// TestResetSecondFactor_EndsSessions checks that an admin can reset the second factor of a
// user, which ends the user's sessions.
func TestResetSecondFactor_EndsSessions(t *testing.T) {
	b := serveOnly(t)
	user := b.as(t, "support")
	secret, recovery := b.addApp(t, user)
	if got := user.get("/orders"); got.status != http.StatusOK {
		t.Fatalf("before: got status %d, want 200", got.status)
	}
	step := b.browser(t).signIn("support", password)
	admin := b.as(t, "admin")
	page := admin.get("/admin/users/support").body
	if got := admin.post("/admin/users/support/second-factor", url.Values{"version": {valueOfField(t, page, "version")}}); got.status != http.StatusSeeOther {
		t.Fatalf("reset: got status %d, want 303", got.status)
	}
	if got := user.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("session after the reset: got status %d, want a redirect", got.status)
	}
	for _, code := range []string{b.appCode(t, secret), recovery[0]} {
		form := url.Values{"step": {valueOfField(t, step.body, "step")}, "code": {code}}
		if got := b.browser(t).post("/login/code", form); got.status != http.StatusUnprocessableEntity {
			t.Errorf("old code: got status %d, want 422", got.status)
		}
	}
	if got := b.browser(t).signIn("support", password); got.status != http.StatusSeeOther {
		t.Errorf("password alone: got status %d, want 303", got.status)
	}
	for key := range b.items(t) {
		if strings.Contains(key, "second-factor") {
			t.Errorf("got item %s, want the second factor deleted", key)
		}
	}
}

// TestConfirm_BeforeSensitiveChanges waits eleven minutes after sign-in, and requests
// each sensitive page, form and file. The program must ask for a proof of identity, and
// must not make a change.
func TestConfirm_BeforeSensitiveChanges(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	b.clock.Advance(11 * time.Minute)
	before := b.items(t)
	checked := 0
	for route := range sensitive {
		method, path, _ := strings.Cut(route, " ")
		row := matrix[route]
		if row.address == "" {
			t.Errorf("got the sensitive route %s, want one of the matrix", route)
			continue
		}
		checked++
		var got answer
		if method == http.MethodGet {
			got = admin.get(row.address)
		} else {
			got = admin.post(row.address, withToken(route, row.form))
		}
		if got.status != http.StatusForbidden && !strings.HasPrefix(got.location, "/account/confirm?next=") || got.status == http.StatusForbidden && !strings.Contains(got.body, "Confirm your identity") {
			t.Errorf("%s %s: got status %d to %q, want the page that confirms the identity", method, path, got.status, got.location)
		}
	}
	for route := range sensitiveFiles {
		path, _, _ := strings.Cut(matrix["GET "+route].address, "?")
		for _, suffix := range []string{".csv", ".json"} {
			if got := admin.get(path + suffix); !strings.HasPrefix(got.location, "/account/confirm?next=") {
				t.Errorf("%s%s: got status %d, want a redirect", path, suffix, got.status)
			}
		}
		if got := admin.get(path); got.status != http.StatusOK {
			t.Errorf("page %s: got status %d, want 200", path, got.status)
		}
	}
	if checked != len(sensitive) {
		t.Errorf("checked %d routes, want %d", checked, len(sensitive))
	}
	after := b.items(t)
	for key := range before {
		if !strings.HasPrefix(key, "session#") && !reflect.DeepEqual(after[key], before[key]) {
			t.Errorf("got a change of the item %s, want none before the confirmation", key)
		}
	}
}

// TestConfirm_KeepsForm submits a form more than ten minutes after sign-in, and confirms
// the identity: once with the password, and once with a code. The page after that must
// offer to send the kept form, and the change must then be accepted.
func TestConfirm_KeepsForm(t *testing.T) {
	b := serveOnly(t)
	admin := b.as(t, "admin")
	for _, with := range []string{"password", "code"} {
		secret := ""
		if with == "code" {
			secret, _ = b.addApp(t, admin)
		}
		b.clock.Advance(11 * time.Minute)
		page := admin.get("/admin/users/viewer").body
		lock := url.Values{"version": {valueOfField(t, page, "version")}}
		action := "disable"
		if with == "code" {
			action = "enable"
		}
		asked := admin.post("/admin/users/viewer/"+action, lock)
		if asked.status != http.StatusForbidden {
			t.Fatalf("got status %d, want 403", asked.status)
		}
		form := url.Values{"form": {valueOfField(t, asked.body, "form")}, "secret": {"wrong"}}
		if got := admin.post("/account/confirm", form); got.status != http.StatusUnprocessableEntity {
			t.Errorf("wrong %s: got status %d, want 422", with, got.status)
		}
		form.Set("secret", password)
		if with == "code" {
			if got := admin.post("/account/confirm", form); got.status != http.StatusUnprocessableEntity {
				t.Errorf("password instead of a code: got status %d, want 422", got.status)
			}
			form.Set("secret", b.appCode(t, secret))
		}
		offered := admin.post("/account/confirm", form)
		if offered.status != http.StatusOK || !strings.Contains(offered.body, "Send form") || !strings.Contains(offered.body, "data-send") {
			t.Fatalf("right %s: got status %d, want a form that a script sends", with, offered.status)
		}
		if got := admin.sendAgain(offered); got.location != "/admin/users/viewer" {
			t.Errorf("after confirming with the %s: got status %d to %q, want a redirect to the user: %s", with, got.status, got.location, content(got.body))
		}
		if page := admin.get("/admin/users/viewer").body; strings.Contains(page, `/viewer/`+action+`"`) {
			t.Errorf("after confirming with the %s: got a user that can still be changed with %s, want the change to be made", with, action)
		}
	}
	if !b.eventCodes(t, "user#admin")[store.EventConfirmed] {
		t.Error("got no event of the confirmation")
	}
}

// TestConfirm_ReplacesSession confirms the identity. The earlier cookie must no longer
// work, and the time when the session ends must not change.
func TestConfirm_ReplacesSession(t *testing.T) {
	b := serveOnly(t)
	support := b.as(t, "support")
	old := support.sessionCookie()
	support.post("/account/confirm", url.Values{"secret": {"wrong"}}).want(t, http.StatusUnprocessableEntity)
	if got := support.sessionCookie().Value; got != old.Value {
		t.Error("a wrong password replaced the session")
	}
	b.clock.Advance(11 * time.Minute)
	before, err := b.store.SessionsOf(t.Context(), "support")
	if err != nil || len(before) != 1 {
		t.Fatalf("got %d sessions, error %v, want 1", len(before), err)
	}
	support.post("/account/confirm", url.Values{"secret": {password}}).want(t, http.StatusSeeOther)
	after, err := b.store.SessionsOf(t.Context(), "support")
	if err != nil || len(after) != 1 || after[0].Hash == before[0].Hash || !after[0].Expires.Equal(before[0].Expires) || !after[0].Created.Equal(before[0].Created) {
		t.Errorf("got sessions %+v, error %v, want one with another hash and the times of %+v", after, err, before)
	}
	support.expect(http.MethodGet, "/customers", http.StatusOK)
	if got := support.getWithCookie(old, "/customers"); got.status != http.StatusSeeOther {
		t.Errorf("cookie from before the confirmation: got status %d, want 303 to the sign-in page", got.status)
	}
}

// TestConfirm_KeepsEmailSettings submits email settings eleven minutes after sign-in. The
// submitted settings must be kept during the confirmation.
func TestConfirm_KeepsEmailSettings(t *testing.T) {
	b := serveOnly(t)
	support := b.as(t, "support")
	b.clock.Advance(11 * time.Minute)
	form := url.Values{"email": {"support@example.com"}, "version": {"1"}}
	asked := support.post("/account/email", form)
	asked.want(t, http.StatusForbidden, "Confirm your identity")
	kept := url.Values{"form": {valueOfField(t, asked.body, "form")}, "secret": {password}}
	support.post("/account/confirm", kept).want(t, http.StatusOK, "Send form", "support@example.com")
	support.post("/account/email", form).want(t, http.StatusSeeOther)
}

// TestEmailSettings_OfAnotherVersion submits email settings with a newer version of the
// user than the session has, as if someone had changed the user during the request. The
// change must be rejected with a conflict.
func TestEmailSettings_OfAnotherVersion(t *testing.T) {
	b := serveOnly(t)
	b.as(t, "support").post("/account/email", url.Values{"email": {"x@example.com"}, "version": {"2"}}).want(t, http.StatusConflict, "Your account has just been changed. Sign in again.")
}

// wantSessionEnd uses a session that began eleven minutes ago. It checks that the session
// works until twelve hours after the sign-in, and no longer.
func (b *backOffice) wantSessionEnd(t *testing.T, user *browser) {
	t.Helper()
	for range 24 {
		b.clock.Advance(29 * time.Minute)
		user.get("/account").want(t, http.StatusOK)
	}
	b.clock.Advance(29 * time.Minute)
	if got := user.get("/account"); got.status == http.StatusOK {
		t.Error("got status 200 twelve hours after sign-in, want the sign-in page")
	}
}

// TestConfirm_IsNotRenewedByChanges changes the email settings, which starts a new
// session. The confirmation must still end ten minutes after the sign-in, and the
// session after twelve hours.
func TestConfirm_IsNotRenewedByChanges(t *testing.T) {
	b := serveOnly(t)
	support := b.as(t, "support")
	form := func(version string) url.Values {
		return url.Values{"email": {"support" + version + "@example.com"}, "version": {version}}
	}
	b.clock.Advance(9 * time.Minute)
	support.post("/account/email", form("1")).want(t, http.StatusSeeOther)
	b.clock.Advance(2 * time.Minute)
	support.post("/account/email", form("2")).want(t, http.StatusForbidden, "Confirm your identity")
	b.wantSessionEnd(t, support)
}

// TestConfirm_IsNotRenewedByPassword changes the password of a user with an authenticator
// app eleven minutes after the sign-in. The password must not replace the code, and the
// session must still end twelve hours after the sign-in.
func TestConfirm_IsNotRenewedByPassword(t *testing.T) {
	b := serveOnly(t)
	support := b.as(t, "support")
	b.addApp(t, support)
	b.clock.Advance(11 * time.Minute)
	form := url.Values{"old": {password}, "password": {"another long one"}, "again": {"another long one"}}
	support.post("/account/password", form).want(t, http.StatusSeeOther)
	support.get("/account").want(t, http.StatusOK, "Password changed.")
	if got := support.get("/account/second-factor"); !strings.HasPrefix(got.location, "/account/confirm") {
		t.Errorf("after the new password: got status %d to %q, want the page that confirms the identity", got.status, got.location)
	}
	b.wantSessionEnd(t, support)
}

// TestConfirm_LimitsCodesDespitePasswords guesses codes in an open session, and changes the
// password after each fourth code, with and without the device cookie. The changes must not
// reset the count of wrong codes, or make the browser another device.
func TestConfirm_LimitsCodesDespitePasswords(t *testing.T) {
	for _, hasCookie := range []bool{true, false} {
		b := serveOnly(t)
		support := b.as(t, "support")
		b.addApp(t, support)
		home, err := url.Parse(b.URL)
		if err != nil {
			t.Fatal(err)
		}
		old, limited := password, false
		for try := 1; try <= 30 && !limited; try++ {
			got := support.post("/account/confirm", url.Values{"secret": {fmt.Sprintf("%06d", try)}})
			if limited = got.status == http.StatusTooManyRequests; limited {
				continue
			}
			got.want(t, http.StatusUnprocessableEntity)
			if try%4 == 0 {
				if !hasCookie {
					support.Jar.SetCookies(home, []*http.Cookie{{Name: "device", Path: "/", MaxAge: -1}})
				}
				next := fmt.Sprint("another long one ", try)
				support.post("/account/password", url.Values{"old": {old}, "password": {next}, "again": {next}}).want(t, http.StatusSeeOther)
				old = next
			}
		}
		if !limited {
			t.Errorf("device cookie %v: got no wait after 30 wrong codes, want one", hasCookie)
		}
	}
}

// TestConfirm_BeforeLargeRefunds waits eleven minutes after sign-in. For a refund above
// the limit, the program must ask for a proof of identity. A refund up to the limit must
// be recorded, unless the sum of the refunds is above the limit.
func TestConfirm_BeforeLargeRefunds(t *testing.T) {
	b := open(t, openOrder()...)
	settings, err := b.store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.RefundLimit = store.MinorUnits(4)
	if err := b.store.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	admin := b.as(t, "admin")
	b.clock.Advance(11 * time.Minute)
	refund := func(amount string) answer {
		page := admin.get("/invoices/iopen/refund").body
		form := url.Values{"payment": {"1"}, "amount": {amount}, "credit": {amount}, "why": {"Damaged"}, "version": {valueOfField(t, page, "version")}}
		return admin.post("/invoices/iopen/refund", withToken("POST /invoices/:id/refund", form))
	}
	const invoice = "o#open i#iopen"
	before := b.items(t)[invoice]
	if before == nil {
		t.Fatalf("got no item %s", invoice)
	}
	asked := refund("0.05")
	if asked.status != http.StatusForbidden || !strings.Contains(asked.body, "Confirm your identity") {
		t.Fatalf("above the limit: got status %d, want 403 and the page that confirms the identity", asked.status)
	}
	if !reflect.DeepEqual(b.items(t)[invoice], before) {
		t.Error("above the limit: the invoice has changed")
	}
	if got := refund("0.04"); got.status != http.StatusSeeOther {
		t.Errorf("up to the limit: got status %d, want 303", got.status)
	}
	if got := refund("0.01"); got.status != http.StatusForbidden {
		t.Errorf("the sum of two refunds above the limit: got status %d, want 403", got.status)
	}
	if got := admin.post("/account/confirm", url.Values{"secret": {password}}); got.status != http.StatusSeeOther {
		t.Fatalf("password: got status %d, want 303", got.status)
	}
	if got := refund("0.05"); got.status != http.StatusSeeOther {
		t.Errorf("above the limit after confirming: got status %d, want 303", got.status)
	}
}

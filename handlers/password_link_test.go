package handlers

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
)

// linkMailer is a mail server that passes each message to the test.
type linkMailer struct {
	sent   chan jobs.Message
	runner *jobs.Runner
}

func (m *linkMailer) Connect(context.Context) (jobs.MailConnection, error) { return m, nil }

func (m *linkMailer) Send(message jobs.Message) (string, error) {
	m.sent <- message
	return "250 OK", nil
}

func (m *linkMailer) Close() error { return nil }

// emailPasswordLinks sets email addresses for the users, and a mail server and a public
// URL for the site. It returns the mail server, which keeps the messages for the test.
func (b *backOffice) emailPasswordLinks(t *testing.T, users ...string) *linkMailer {
	t.Helper()
	for _, name := range users {
		b.setAddress(t, name, name+"@example.com")
	}
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	public, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	mailer := &linkMailer{sent: make(chan jobs.Message, 10)}
	mailer.runner = jobs.New(jobs.Config{Store: b.store, Processor: jobs.Record{}, Mail: mailer, Render: RenderEmail(b.store, NewViewReader(b.store), b.URL), Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := mailer.runner.Close(); err != nil {
			t.Error(err)
		}
	})
	b.site, err = newSite(Config{
		Store: b.store, Imports: b.imports, Jobs: mailer.runner, Log: slog.New(slog.NewTextHandler(b.log, nil)), SessionKeys: keys,
		RequestTimeout: requestTimeout, PublicURL: public,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Config.Handler = b.site.tools.Protect(b.site.router)
	return mailer
}

func (b *backOffice) setAddress(t *testing.T, name, address string) {
	t.Helper()
	user, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).User(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.As(user).ChangeOwnEmail(t.Context(), store.OwnEmail{Email: address, Version: user.Version, Token: b.store.NewToken()}); err != nil {
		t.Fatal(err)
	}
}

// linkPath requests a link, and returns the path in the email.
func (m *linkMailer) linkPath(t *testing.T, b *backOffice, name string) string {
	t.Helper()
	b.browser(t).post("/login/forgot", url.Values{"username": {name}}).want(t, http.StatusSeeOther)
	var message jobs.Message
	for message.To == "" {
		select {
		case message = <-m.sent:
		default: // the link is not queued yet, or an earlier delivery has not ended yet
			if _, err := m.runner.DeliverEmails(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	match := regexp.MustCompile(regexp.QuoteMeta(b.URL) + `(/login/reset/\S+)`).FindStringSubmatch(message.Text)
	if message.To != strings.ToLower(strings.TrimSpace(name))+"@example.com" || match == nil {
		t.Fatalf("got an email to %s without a link of this site: %s", message.To, message.Text)
	}
	return match[1]
}

var newPassword = url.Values{"password": {"another long one"}, "again": {"another long one"}}

// TestPasswordLink_ChangesPassword requests a link, opens it, and chooses a new
// password. The link must work only once, the user's sessions must end, and the sign-in
// must still ask for a code. The table, the log and the page of the email must not
// contain the link.
func TestPasswordLink_ChangesPassword(t *testing.T) {
	b := serveOnly(t)
	mailer := b.emailPasswordLinks(t, "support")
	support := b.as(t, "support")
	b.addApp(t, support)
	b.browser(t).get("/login").want(t, http.StatusOK, `href="/login/forgot"`)
	b.browser(t).get("/login/forgot").want(t, http.StatusOK, "Enter your user name")
	b.browser(t).post("/login/forgot", url.Values{"username": {" "}}).want(t, http.StatusUnprocessableEntity, "Enter your user name.")
	path := mailer.linkPath(t, b, " Support ")

	visitor := b.browser(t)
	visitor.get(path).want(t, http.StatusOK, "<bdi>support</bdi>")
	for text, form := range map[string]url.Values{
		"do not match":  {"password": {"another long one"}, "again": {"something else"}},
		"at least 8":    {"password": {"short"}, "again": {"short"}},
		"easy to guess": {"password": {"password123"}, "again": {"password123"}},
	} {
		visitor.post(path, form).want(t, http.StatusUnprocessableEntity, text)
	}
	wrong := path[:len(path)-1] + "x"
	visitor.get(wrong).want(t, http.StatusNotFound, "This link no longer works", "Request another link")
	visitor.post(wrong, newPassword).want(t, http.StatusNotFound)
	support.expect(http.MethodGet, "/customers", http.StatusOK)

	visitor.post(path, newPassword).want(t, http.StatusSeeOther)
	visitor.get("/login").want(t, http.StatusOK, "Password changed. Sign in with the new password.")
	support.expect(http.MethodGet, "/customers", http.StatusSeeOther)
	visitor.get(path).want(t, http.StatusNotFound)
	visitor.post(path, newPassword).want(t, http.StatusNotFound)
	if got := b.browser(t).signIn("support", password); got.status != http.StatusUnprocessableEntity {
		t.Errorf("old password: got status %d, want 422", got.status)
	}
	b.browser(t).signIn("support", "another long one").want(t, http.StatusOK, "Enter your code")

	codes := b.eventCodes(t, "user#support")
	for _, want := range []store.EventCode{store.EventPasswordLinkRequested, store.EventUserPasswordChanged} {
		if !codes[want] {
			t.Errorf("got no event %s", want)
		}
	}
	secret := path[strings.LastIndexByte(path, '/')+1:]
	if text := fmt.Sprint(b.items(t)); strings.Contains(text, secret) {
		t.Error("the table contains the link")
	}
	if strings.Contains(b.log.String(), secret) {
		t.Error("the log contains the link")
	}
	sent := 0
	for _, status := range store.EmailStatuses {
		emails, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Emails(t.Context(), status, store.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range emails.Rows {
			sent++
			page := b.as(t, "admin").get("/emails/" + e.ID)
			if page.want(t, http.StatusOK, "personal link"); strings.Contains(page.body, "/login/reset/") {
				t.Error("the page of the email contains the link")
			}
		}
	}
	if sent != 1 {
		t.Errorf("got %d emails, want 1", sent)
	}
}

// TestPasswordLink_Ends checks that a link does not work after it has expired, or after
// the user's email address was changed or the user was locked, even if this was undone.
func TestPasswordLink_Ends(t *testing.T) {
	b := serveOnly(t)
	mailer := b.emailPasswordLinks(t, "support")
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	for name, end := range map[string]func(){
		"expired": func() { b.clock.Advance(store.PasswordLinkLife + time.Second) },
		"changed address": func() {
			b.setAddress(t, "support", "other@example.com")
			b.setAddress(t, "support", "support@example.com")
		},
		"locked": func() {
			for _, locked := range []bool{true, false} {
				user, err := admin.User(t.Context(), "support")
				if err == nil {
					err = admin.SetLocked(t.Context(), "support", user.Version, locked, b.store.NewToken())
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		path := mailer.linkPath(t, b, "support")
		b.browser(t).get(path).want(t, http.StatusOK)
		end()
		if got := b.browser(t).get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: got status %d, want 404", name, got.status)
		}
		if got := b.browser(t).post(path, newPassword); got.status != http.StatusNotFound {
			t.Errorf("%s: got status %d for the form, want 404", name, got.status)
		}
	}
	b.as(t, "support").expect(http.MethodGet, "/customers", http.StatusOK) // the user can still sign in
}

// TestPasswordLink_SameAnswer requests links for users with and without an email address,
// and for an unknown user. The responses and the waiting times must be the same. The
// requests must not prevent users from signing in.
func TestPasswordLink_SameAnswer(t *testing.T) {
	b := serveOnly(t)
	b.emailPasswordLinks(t, "support")
	var first []string
	for _, name := range []string{"support", "viewer", "nobody", strings.Repeat("x", 3000)} {
		browser := b.browser(t)
		var answers []string
		for range 6 {
			got := browser.post("/login/forgot", url.Values{"username": {name}})
			text := fmt.Sprint(got.status, got.location, got.header.Get("Retry-After"))
			if got.status == http.StatusSeeOther {
				text += browser.get(got.location).body
			}
			answers = append(answers, strings.ReplaceAll(text, name, "NAME"))
		}
		if first == nil {
			first = answers
		}
		for i := range answers {
			if clean(answers[i]) != clean(first[i]) {
				t.Errorf("%.20s: answer %d differs from that of the known user:\n%s\n%s", name, i+1, clean(answers[i]), clean(first[i]))
			}
		}
		if !strings.HasPrefix(answers[5], "429") {
			t.Errorf("%.20s: got %.20q for the sixth request, want 429", name, answers[5])
		}
	}
	b.as(t, "support").expect(http.MethodGet, "/customers", http.StatusOK)
}

// clean removes the values of a page that differ between requests.
func clean(page string) string {
	return regexp.MustCompile(`name="(state|credential)" value="[^"]*"|data-passkey="[^"]*"|data-options="[^"]*"`).ReplaceAllString(page, "")
}

// TestPasswordLink_NeedsPublicURL checks that a site without a public URL emails no
// links. With a forged Host header, a link would lead to another site.
func TestPasswordLink_NeedsPublicURL(t *testing.T) {
	b := serveOnly(t)
	b.emailPasswordLinks(t, "support")
	b.site.hasURL = false
	if got := b.browser(t).get("/login"); strings.Contains(got.body, "/login/forgot") {
		t.Error("the sign-in page offers a link")
	}
	b.browser(t).get("/login/forgot").want(t, http.StatusNotFound)
	b.browser(t).post("/login/forgot", url.Values{"username": {"support"}}).want(t, http.StatusNotFound)
}

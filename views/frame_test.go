package views_test

import (
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func TestMenu_MarksCurrentPage(t *testing.T) {
	menu := rendered(t, views.OrdersPage(views.Orders{Page: signedIn()})).one(t, "id", "menu")
	if current := menu.with("aria-current", "page"); len(current) != 1 || current[0].text() != "Orders" {
		t.Errorf("got %d current menu items, want Orders", len(current))
	}
	if href := menu.link(t, "Customers").attr("href"); href != "/customers" {
		t.Errorf("Customers: got link %s, want /customers", href)
	}
}

func TestTheme_IsSetOnRoot(t *testing.T) {
	for theme, want := range map[views.Theme]string{views.DeviceTheme: "", views.LightTheme: "light", views.DarkTheme: "dark"} {
		p := signedIn()
		p.Theme = theme
		page := rendered(t, views.OrdersPage(views.Orders{Page: p}))
		if root := page.all("html")[0]; root.attr("data-theme") != want || root.has("data-theme") != (want != "") {
			t.Errorf("%q: got data-theme %q, want %q", theme, root.attr("data-theme"), want)
		}
		pressed := page.with("aria-pressed", "true")
		if len(pressed) != 1 || pressed[0].attr("name") != "theme" || pressed[0].attr("value") != want {
			t.Errorf("%q: got %d pressed buttons, want the one of the theme", theme, len(pressed))
		}
	}
}

func TestAccountMenu_ShowsInitials(t *testing.T) {
	for name, initials := range map[string]string{"kim.berg": "kb", "admin": "a", "Éva María Ruiz": "ÉM", "": "", "\xff\xfe x": "\ufffdx"} {
		p := signedIn()
		p.User.Name = name
		summary := rendered(t, views.OrdersPage(views.Orders{Page: p})).one(t, "class", "avatar")
		if got := summary.all("span")[0].text(); got != initials {
			t.Errorf("%q: got %q, want %q", name, got, initials)
		}
	}
	p := signedIn()
	p.User = nil
	page := rendered(t, views.OrdersPage(views.Orders{Page: p}))
	if len(page.with("class", "avatar")) != 0 {
		t.Error("got an account menu for an anonymous user, want none")
	}
}

func TestFlash_IsShownOnce(t *testing.T) {
	p := signedIn()
	p.Flash = "Order placed."
	if text := rendered(t, views.OrdersPage(views.Orders{Page: p})).one(t, "role", "status").text(); text != "Order placed." {
		t.Errorf("got %q, want Order placed.", text)
	}
}

func TestSignInPage_HasTwoFields(t *testing.T) {
	page := rendered(t, views.SignInPage(views.SignIn{Page: views.Page{Title: "Sign in"}, Next: "/orders?a=b&c", Username: "kim", Error: "Wrong."}))
	forms := page.all("form")
	if len(forms) != 1 || forms[0].attr("method") != "post" || forms[0].attr("action") != "/login?next=%2Forders%3Fa%3Db%26c" {
		t.Fatalf("got %d forms, want one that posts to /login with next", len(forms))
	}
	fields := map[string]string{}
	for _, input := range forms[0].all("input") {
		fields[input.attr("name")] = input.attr("value")
	}
	if len(fields) != 2 || fields["username"] != "kim" || fields["password"] != "" {
		t.Errorf("got fields %v, want username and an empty password", fields)
	}
	if page.one(t, "role", "alert").text() != "Wrong." {
		t.Error("got no error, want Wrong.")
	}
}

func TestPasswordForm_OmitsInput(t *testing.T) {
	form := views.PasswordForm{Old: ui.Input{Value: "secret", Error: "Wrong."}, Password: ui.Input{Value: "secret"}, Again: ui.Input{Value: "secret"}}
	page := rendered(t, views.AccountPage(views.Account{Page: signedIn(), PasswordForm: form}))
	for _, name := range []string{"old", "password", "again"} {
		if field := page.one(t, "name", name); field.attr("value") != "" || field.attr("type") != "password" {
			t.Errorf("%s: got value %q, want an empty password field", name, field.attr("value"))
		}
	}
}

func TestAccountPage_EndsSessionByHash(t *testing.T) {
	page := rendered(t, views.AccountPage(views.Account{
		Page: signedIn(), Current: "h1", Sessions: []store.Session{{Hash: "h1", Agent: "Firefox"}, {Hash: "h2"}},
	}))
	rows := page.one(t, "aria-label", "Your sessions").cells()
	if rows[1][0] != "Firefox This session" || rows[2][0] != "Unknown browser" || rows[1][3] != "" || rows[2][3] != "End the session in an unknown browser" {
		t.Errorf("got rows %q, want this session and one of an unknown browser", rows)
	}
	for _, form := range page.all("form") {
		if form.attr("action") == "/account/sessions/end" && len(form.with("value", "h2")) != 1 {
			t.Error("got a form without the other session, want only its form")
		}
	}
}

func TestProblemPage_OffersNextStep(t *testing.T) {
	headings := map[string]int{}
	for _, status := range []int{403, 404, 409, 422, 429, 500, 503, 405} {
		page := rendered(t, views.ProblemPage(views.Problem{Page: signedIn(), Status: status, Message: "A sentence.", Reference: "R1"}))
		text := page.all("main")[0].text()
		if !strings.Contains(text, "A sentence.") || !strings.Contains(text, "R1") {
			t.Errorf("%d: got %q, want the message and the reference", status, text)
		}
		headings[page.all("h1")[0].text()]++
		if searches := page.with("id", "find"); (len(searches) == 1) != (status == http.StatusNotFound) {
			t.Errorf("%d: got %d search boxes, want one on a 404 only", status, len(searches))
		}
	}
	if len(headings) != 8 {
		t.Errorf("got headings %v, want eight different ones", headings)
	}
	page := rendered(t, views.ProblemPage(views.Problem{Page: views.Page{Title: "Not open"}, Status: 403, Message: "A sentence."}))
	if page.link(t, "Sign in").attr("href") != "/login" || len(page.with("id", "menu")) != 0 {
		t.Error("anonymous user: got a menu or no link to sign in, want only the link")
	}
}

// TestProblemPage_HeadingFollowsCode checks that conflicts with the same message but
// different codes have different headings.
func TestProblemPage_HeadingFollowsCode(t *testing.T) {
	for code, want := range map[string]string{"": "This isn't possible now", store.CodePaymentsNotSetUp: "Payments are not set up"} {
		page := rendered(t, views.ProblemPage(views.Problem{Page: signedIn(), Status: 409, Code: code, Message: "No payments are charged."}))
		if got := page.all("h1")[0].text(); got != want {
			t.Errorf("code %q: got heading %q, want %q", code, got, want)
		}
	}
}

package views_test

import (
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func TestTheMenuShowsWhereOneIs(t *testing.T) {
	menu := rendered(t, views.OrdersPage(views.Orders{Page: signedIn()})).the(t, "id", "menu")
	if current := menu.with("aria-current", "page"); len(current) != 1 || current[0].text() != "Orders" {
		t.Error("the menu does not show the current page")
	}
	if href := menu.link(t, "Customers").attr("href"); href != "/customers" {
		t.Errorf("Customers leads to %s", href)
	}
}

func TestTheThemeIsSetBeforeAnythingIsDrawn(t *testing.T) {
	for theme, want := range map[views.Theme]string{views.DeviceTheme: "", views.LightTheme: "light", views.DarkTheme: "dark"} {
		p := signedIn()
		p.Theme = theme
		page := rendered(t, views.OrdersPage(views.Orders{Page: p}))
		if root := page.all("html")[0]; root.attr("data-theme") != want || root.has("data-theme") != (want != "") {
			t.Errorf("%q: data-theme is %q", theme, root.attr("data-theme"))
		}
		pressed := page.with("aria-pressed", "true")
		if len(pressed) != 1 || pressed[0].attr("name") != "theme" || pressed[0].attr("value") != want {
			t.Errorf("%q: it is not the chosen one", theme)
		}
	}
}

func TestTheAccountMenuNamesTheUser(t *testing.T) {
	for name, initials := range map[string]string{"kim.berg": "kb", "admin": "a", "Éva María Ruiz": "ÉM", "": "", "\xff\xfe x": "\ufffdx"} {
		p := signedIn()
		p.User.Name = name
		summary := rendered(t, views.OrdersPage(views.Orders{Page: p})).the(t, "class", "avatar")
		if got := summary.all("span")[0].text(); got != initials {
			t.Errorf("%q: got %q, want %q", name, got, initials)
		}
	}
	p := signedIn()
	p.User = nil
	page := rendered(t, views.OrdersPage(views.Orders{Page: p}))
	if len(page.with("class", "avatar")) != 0 {
		t.Error("nobody has an account menu")
	}
}

func TestAFlashIsSaidOnce(t *testing.T) {
	p := signedIn()
	p.Flash = "It is done."
	if text := rendered(t, views.OrdersPage(views.Orders{Page: p})).the(t, "role", "status").text(); text != "It is done." {
		t.Errorf("it says %q", text)
	}
}

func TestSignInPage_HasTwoFields(t *testing.T) {
	page := rendered(t, views.SignInPage(views.SignIn{Page: views.Page{Title: "Log in"}, Next: "/orders?a=b&c", Username: "kim", Error: "Wrong."}))
	forms := page.all("form")
	if len(forms) != 1 || forms[0].attr("method") != "post" || forms[0].attr("action") != "/login?next=%2Forders%3Fa%3Db%26c" {
		t.Fatalf("there are %d forms", len(forms))
	}
	fields := map[string]string{}
	for _, input := range forms[0].all("input") {
		fields[input.attr("name")] = input.attr("value")
	}
	if len(fields) != 2 || fields["username"] != "kim" || fields["password"] != "" {
		t.Errorf("it asks for %v", fields)
	}
	if page.the(t, "role", "alert").text() != "Wrong." {
		t.Error("it does not say what was wrong")
	}
}

func TestPasswordForm_OmitsInput(t *testing.T) {
	form := views.PasswordForm{Old: ui.Input{Value: "secret", Error: "Wrong."}, Password: ui.Input{Value: "secret"}, Again: ui.Input{Value: "secret"}}
	page := rendered(t, views.AccountPage(views.Account{Page: signedIn(), PasswordForm: form}))
	for _, name := range []string{"old", "password", "again"} {
		if field := page.the(t, "name", name); field.attr("value") != "" || field.attr("type") != "password" {
			t.Errorf("%s holds %q", name, field.attr("value"))
		}
	}
}

func TestAccountPage_EndsSessionByHash(t *testing.T) {
	page := rendered(t, views.AccountPage(views.Account{
		Page: signedIn(), Current: "h1", Sessions: []store.Session{{Hash: "h1", Agent: "Firefox"}, {Hash: "h2"}},
	}))
	rows := page.the(t, "aria-label", "Your sessions").cells()
	if rows[1][0] != "Firefox This session" || rows[2][0] != "Unknown browser" || rows[2][3] != "End the session in an unknown browser" {
		t.Errorf("rows %q", rows)
	}
	for _, form := range page.all("form") {
		if form.attr("action") == "/account/sessions/end" && len(form.with("value", "h2"))+len(form.with("value", "h1")) != 1 {
			t.Error("a form does not say which session it ends")
		}
	}
}

func TestAProblemHelpsOn(t *testing.T) {
	headings := map[string]int{}
	for _, status := range []int{403, 404, 409, 422, 429, 500, 503, 405} {
		page := rendered(t, views.ProblemPage(views.Problem{Page: signedIn(), Status: status, Message: "A sentence.", Reference: "R1"}))
		text := page.all("main")[0].text()
		if !strings.Contains(text, "A sentence.") || !strings.Contains(text, "R1") {
			t.Errorf("%d says %q", status, text)
		}
		headings[page.all("h1")[0].text()]++
		if searches := page.with("id", "find"); (len(searches) == 1) != (status == http.StatusNotFound) {
			t.Errorf("%d has %d search boxes", status, len(searches))
		}
	}
	if len(headings) != 8 {
		t.Errorf("the headings are %v", headings)
	}
	page := rendered(t, views.ProblemPage(views.Problem{Page: views.Page{Title: "Not open"}, Status: 403, Message: "A sentence."}))
	if page.link(t, "Sign in").attr("href") != "/login" || len(page.with("id", "menu")) != 0 {
		t.Error("nobody is not led to the log-in, or has a menu")
	}
}

package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

func (b *browser) viewAs(target string) {
	b.t.Helper()
	if got := b.post("/admin/view-as", url.Values{"as": {target}}); got.location != "/" {
		b.t.Fatalf("view as %s: got status %d to %q, want a redirect to Today: %s", target, got.status, got.location, got.body)
	}
}

// TestViewAs_ShowsOtherPages views the site as support and as a manager. The admin
// must see their pages, and the history must record the views.
func TestViewAs_ShowsOtherPages(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	admin.viewAs(store.ViewAsRole(store.Support))
	page := admin.get("/orders")
	if page.status != http.StatusOK || !strings.Contains(page.body, "Nothing can be changed") || strings.Contains(page.body, `href="/admin/users"`) {
		t.Errorf("as support: got status %d, or no banner, or the menu of an admin:\n%s", page.status, page.body)
	}
	if got := admin.get("/admin/users"); got.status != http.StatusForbidden {
		t.Errorf("page of admins as support: got status %d, want 403", got.status)
	}
	if got := admin.post("/view-as/end", nil); got.location != "/admin/users" {
		t.Fatalf("stop viewing: got status %d to %q, want %q", got.status, got.location, "/admin/users")
	}
	admin.viewAs(store.ViewAsUser("outsider"))
	if got := admin.get("/warehouses/w1"); got.status != http.StatusNotFound {
		t.Errorf("another's warehouse: got status %d, want 404", got.status)
	}
	stolen := admin.Jar.Cookies(admin.request(http.MethodGet, "/", "").URL)
	other := b.as(t, "admin")
	for _, cookie := range stolen {
		if cookie.Name == "view-as" {
			other.Jar.SetCookies(other.request(http.MethodGet, "/", "").URL, []*http.Cookie{cookie})
		}
	}
	history := other.get("/admin/events?by=admin").body
	if strings.Contains(history, "Nothing can be changed") {
		t.Error("got the view in another session, want it in the session that started it")
	}
	for _, want := range []string{"Site viewed as another user or role", "role support", "user outsider"} {
		if !strings.Contains(history, want) {
			t.Errorf("got no %q in the history, want it", want)
		}
	}
	if got := other.post("/admin/view-as", url.Values{"as": {"user:admin"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("as oneself: got status %d, want 422", got.status)
	}
}

// TestViewAs_ShowsMenuOfViewed requests pages in turn as users of each role, as managers
// of different places, and as an admin who views the site as them. Each page must have
// the menu of the role.
func TestViewAs_ShowsMenuOfViewed(t *testing.T) {
	b := open(t)
	menu := func(browser *browser) string {
		page := browser.get("/orders").body
		menu, _, _ := strings.Cut(page[strings.Index(page, `<nav class="side"`):], "</nav>")
		return menu
	}
	menus := map[store.Role]string{}
	for _, user := range users {
		own := menu(b.as(t, user.Name))
		for role, other := range menus {
			if same := own == other; same != (role == user.Role) {
				t.Errorf("%s: got the menu of role %s %v, want %v", user.Name, role, same, !same)
			}
		}
		menus[user.Role] = own
	}
	admin := b.as(t, "admin")
	for _, user := range users {
		if user.Name == "admin" {
			continue
		}
		admin.viewAs(store.ViewAsUser(user.Name))
		if got := menu(admin); got != menus[user.Role] {
			t.Errorf("as %s: got menu %s, want %s", user.Name, got, menus[user.Role])
		}
		admin.post("/view-as/end", nil)
		if got := menu(admin); got != menus[store.Admin] {
			t.Errorf("after viewing as %s: got menu %s, want that of an admin", user.Name, got)
		}
	}
}

// TestViewAs_ChangesNothing views the site as each role, as a manager and as another
// admin. It submits every form except those for sign-in, sign-out, the theme, card links
// and the view itself. As the other admin, it also follows links. The table must not
// change.
func TestViewAs_ChangesNothing(t *testing.T) {
	b := open(t, openOrder()...)
	if err := b.store.AddUser(t.Context(), store.User{Name: "boss", Role: store.Admin}, password, "test"); err != nil {
		t.Fatal(err)
	}
	targets := []string{store.ViewAsUser("boss"), store.ViewAsUser("manager")}
	for _, role := range store.ViewableRoles {
		targets = append(targets, store.ViewAsRole(role))
	}
	for _, target := range targets {
		admin := b.as(t, "admin")
		admin.viewAs(target)
		before := b.items(t)
		for route, want := range matrix {
			if want.form == nil || slices.Contains([]string{"POST /login", "POST /login/code", "POST /login/passkey", "POST /login/forgot", "POST /login/reset/:link/:code", "POST /logout", "POST /theme", "POST /view-as/end", "POST /card/:link/:code"}, route) {
				continue
			}
			for _, form := range append([]url.Values{want.form}, moreForms[route]...) {
				if got := admin.post(want.address, withToken(route, form)); got.status != http.StatusForbidden {
					t.Errorf("%s as %s: got status %d to %q, want 403", route, target, got.status, got.location)
				}
			}
		}
		if target == targets[0] {
			admin.crawl()
		}
		b.expectItems(t, before)
	}
	boss := b.store.Viewing(&store.User{Name: "boss", Role: store.Admin})
	before := b.items(t)
	if err := boss.NoteOnCustomer(t.Context(), "c01", "x", ""); store.KindOf(err) != store.Forbidden {
		t.Errorf("change in the store: got %v, want Forbidden", err)
	}
	b.expectItems(t, before)
}

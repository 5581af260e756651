package handlers

import (
	"cmp"
	"strings"
	"sync"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// The groups of the menu.
const (
	sales  = "Sales"
	stock  = "Stock"
	people = "People"
	data   = "Data"
	admin  = "Administration"
	rental = "Rentals"
)

// menuGroups are the groups in the order of the menu. The first group has no heading.
var menuGroups = []string{"", sales, stock, rental, people, data, admin}

// entry is the menu item of a route. Its name is the name of the route.
type entry struct {
	group string
	icon  ui.Icon
	path  string // path of the link; "" for the path of the route
}

func in(group string, icon ui.Icon) *entry { return &entry{group: group, icon: icon} }

func (e *entry) to(path string) *entry { e.path = path; return e }

// menus contains a function for each role and section, which returns the menu. The server
// renders each menu once, for the first page that shows it. Users with the same role have
// the same menu, because the scope of a user does not affect permissions.
type menus map[menuKey]func() views.Menu

type menuKey struct {
	role    store.Role
	section string
}

func menusOf(rows []route) menus {
	sections := map[string]bool{"": true}
	var entries []route
	for _, row := range rows {
		sections[sectionOf(row.path)] = true
		if row.menu != nil {
			entries = append(entries, row)
		}
	}
	all := menus{}
	for _, role := range store.Roles {
		user := &store.User{Role: role}
		for section := range sections {
			all[menuKey{role, section}] = sync.OnceValue(func() views.Menu { return views.NewMenu(menuOf(entries, user, section)) })
		}
	}
	return all
}

// of returns the menu of a role in a section. It is empty if there is none.
func (m menus) of(role store.Role, section string) views.Menu {
	if render := m[menuKey{role, section}]; render != nil {
		return render()
	}
	return views.Menu{}
}

// menuOf returns the menu items of the routes that the user may open. It marks the items of
// the section.
func menuOf(rows []route, user *store.User, section string) []views.MenuGroup {
	var menu []views.MenuGroup
	for _, title := range menuGroups {
		group := views.MenuGroup{Title: title, Folds: title == data || title == admin}
		for _, row := range rows {
			if row.menu == nil || row.menu.group != title || !user.May(row.permission) {
				continue
			}
			group.Items = append(group.Items, views.MenuItem{
				Name: row.name, Path: cmp.Or(row.menu.path, row.path), Icon: row.menu.icon, Current: sectionOf(row.path) == section,
			})
		}
		if len(group.Items) > 0 {
			menu = append(menu, group)
		}
	}
	return menu
}

// sectionOf returns the section of the menu that a path belongs to: /orders for
// /orders/:id, and /admin/users for /admin/users/:id. For a path whose first part is not
// in the menu, such as /kayaks/:id, it uses sectionOfPart.
func sectionOf(path string) string {
	part, rest, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	first := path[:len("/")+len(part)]
	if more && (first == "/admin" || first == "/data") {
		part, _, _ = strings.Cut(rest, "/")
		return path[:len(first)+len("/")+len(part)]
	}
	return cmp.Or(sectionOfPart[first], first)
}

// sectionOfPart maps the first part of a path to its section of the menu, if the part
// itself is not in the menu.
var sectionOfPart = map[string]string{
	"/credit-notes": "/invoices", "/accounts": "/subscriptions", "/bookings": "/stores", "/kayaks": "/stores", "/people": "/stores",
}

package handlers

import (
	"cmp"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// The parts of the menu.
const (
	sales  = "Sales"
	stock  = "Stock"
	people = "People"
	data   = "Data"
	admin  = "Administration"
	rental = "Rentals"

	recurring = "Subscriptions"
)

// entry is where a route stands in the menu, under its own name.
type entry struct {
	group string
	icon  ui.Icon
	path  string // where it leads, if the route's own path leaves that open
}

func in(group string, icon ui.Icon) *entry { return &entry{group: group, icon: icon} }

func (e *entry) to(path string) *entry { e.path = path; return e }

// menus are the menus of every role with every part of the site marked, made
// once: there are few, and each page needs one.
type menus map[marked][]views.MenuGroup

type marked struct {
	role    store.Role
	section string
}

// menusOf leaves out of each role's menu what the role may not open: both are
// said by the same row.
func menusOf(rows []route) menus {
	all := menus{}
	sections := []string{""}
	for _, row := range rows {
		sections = append(sections, sectionOf(row.path))
	}
	for _, role := range store.Roles {
		user := &store.User{Role: role}
		for _, section := range sections {
			all[marked{role, section}] = menuOf(rows, user, section)
		}
	}
	return all
}

func menuOf(rows []route, user *store.User, section string) []views.MenuGroup {
	var menu []views.MenuGroup
	for _, row := range rows {
		if row.menu == nil || !user.May(row.may) {
			continue
		}
		if len(menu) == 0 || menu[len(menu)-1].Title != row.menu.group {
			menu = append(menu, views.MenuGroup{Title: row.menu.group})
		}
		group := &menu[len(menu)-1]
		group.Items = append(group.Items, views.MenuItem{
			Name: row.name, Path: cmp.Or(row.menu.path, row.path), Icon: row.menu.icon, Current: sectionOf(row.path) == section,
		})
	}
	return menu
}

// sectionOf is the part of the site that a path lies in: /orders for
// /orders/:id, /admin/users for /admin/users/:id.
func sectionOf(path string) string {
	parts := strings.SplitN(strings.TrimPrefix(path, "/"), "/", 3)
	if within := "/" + parts[0]; len(parts) == 1 || (within != "/admin" && within != "/data") {
		return within
	}
	return "/" + parts[0] + "/" + parts[1]
}

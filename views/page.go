// Package views renders pages. Each page is a struct with its data and a templ component.
// Views do not read or change the table. They hide what the user may not do, but the
// store enforces the permissions.
package views

import (
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Page holds the data that all pages have in common. The struct of each page embeds it, and
// the compiler repeats each method of Page for each of these structs. So only functions
// that many templates call are methods of Page.
type Page struct {
	Title    string      // title without the name of the program
	User     *store.User // nil if nobody is signed in; the page then has no menu
	Viewing  bool        // an admin views the site as User
	Theme    Theme       // chosen with the theme cookie
	Menu     Menu        // pages that the user may open
	Views    []SavedTab  // saved views that the user may open
	Query    string      // text in the search box
	IsSearch bool        // the page is the search page
	Record   string      // kind of record that the page shows, such as "Customer"; "" for other pages
	NextPart string      // address of the page with the next part of a list for printing; "" if there is none
	Flash    string      // message about the last change, shown once

	Related store.Related // records whose names the page shows

	Keep *ui.Kept // where to store the HTML of the content, for KeptPage; nil if it is not stored
	Kept bool     // the content was stored when an earlier page was written; see KeptPage

	Zone     *time.Location // time zone of the business; nil for UTC
	Currency string         // ISO 4217 code
	Now      time.Time      // the current time, for relative times such as "3 days ago"

	Reads        []store.Read    // requests to the table for this page
	SessionReads []store.Read    // requests for the session and settings, which the footer lists separately
	Written      store.WriteCost // cost of the change before this page; zero if there was none
	Items        []store.Item    // raw items for admins on detail pages; nil to show none
}

// Theme is the color scheme of a page.
type Theme string

// The themes. The zero Theme follows the setting of the device.
const (
	DeviceTheme Theme = ""
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

// Menu is the main menu for users of a role on the pages of a section. Its HTML is written
// once; see NewMenu.
type Menu struct{ html ui.Kept }

// MenuGroup is a group of menu items.
type MenuGroup struct {
	Title string // "" for the first group, which has no heading
	Folds bool   // the group is open only on its own pages
	Items []MenuItem
}

func (g *MenuGroup) isCurrent() bool {
	return slices.ContainsFunc(g.Items, func(i MenuItem) bool { return i.Current })
}

// MenuItem is a link in the menu.
type MenuItem struct {
	Name    string
	Path    string
	Icon    ui.Icon
	Current bool // the menu item leads to this page, or to the list of its record
}

// SavedTab is a saved view, shown as a tab of its list.
type SavedTab struct {
	Name string
	Path string // address of the list, with its filters
}

// List is the state of a list, as in the address of its page. Each tab, filter and link
// changes one parameter of the address and keeps the others.
type List struct {
	// Path is the escaped path of the list, such as /orders.
	Path string
	// Params are the set parameters for filters, sort order and limit. The cursor is not
	// one of them.
	Params []ui.Param
	// names are the names of records whose IDs filters contain, by parameter and ID.
	names map[ui.Param]string
	Sort  ui.Sort
	// Columns are the names of the columns to show; empty for all.
	Columns []string
	// Wrong lists errors of parameters that have no field on the page, and of rows that
	// cannot be decoded.
	Wrong []string
	Older Older // set if the list is empty but there are older rows
	ui.Pager
}

// Older describes rows that an empty list leaves out, such as those of earlier months.
// URL is "" if there are no such rows.
type Older struct {
	URL    string
	Since  time.Time // first day of the list; zero if the user chose the dates
	Newest time.Time // time of the newest older row
	Status string    // status of the older rows, if it differs from that of the list
}

// Single is a part of a page that shows one record or value instead of a list.
type Single[T any] struct {
	Found  T
	Failed bool // this part could not be read, but the page shows the other parts
}

// seesAll reports whether the page covers all warehouses and stores, and not only those of a
// manager.
func seesAll(p *Page) bool { return p.User == nil || p.User.InChargeOfAll() }

// Part is a part of a page that shows the first rows of a list.
type Part[T any] struct {
	Rows []T
	ui.Pager
	CSV    string // address of the complete list as CSV; "" for none
	Failed bool   // this part could not be read, but the page shows the other parts

	Unfiltered bool // this part was not read, because a filter is invalid

	Unreadable []string // messages about rows that are missing because they could not be decoded
}

// under sets the heading of the part. On a page with several lists, the links Previous and
// Next lead back to the part with this heading. Screen readers read the heading together
// with these links.
func (p Part[T]) under(heading string) Part[T] {
	p.Of = heading
	return p
}

package views

import (
	"net/url"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// History lists changes, newest first.
type History struct {
	Page
	List              // parameters from, to, by, about, limit
	From, To ui.Input // UTC days
	By       ui.Input // user name
	About    ui.Input // partition key of a record
	Rows     []store.Event
}

// HistoryBy returns the address of the list of a user's changes.
func HistoryBy(user string) string { return "/admin/events?by=" + url.QueryEscape(user) }

// HistoryAbout returns the address of the list of changes to a record.
func HistoryAbout(partition string) string {
	return "/admin/events?about=" + url.QueryEscape(partition)
}

// recordPaths maps the prefix of a partition key to the page of its records.
var recordPaths = map[string]func(id string) string{
	"o": OrderPath, "c": CustomerPath, "p": ProductPath, "w": WarehousePath, "user": UserPath, "e": EmployeePath, "ACC": BillingPath,
	"v1#inventory#inventoryULID": KayakPath, "v1#store#storeULID": StorePath, "v1#person#personULID": PersonPath,
}

// RecordPath returns the page of the record with a partition key. A record
// without a page that the reader may open leads to its history.
func RecordPath(reader *store.User, partition string) string {
	path := ""
	if i := strings.LastIndexByte(partition, '#'); i >= 0 { // IDs have no #
		if pathOf, found := recordPaths[partition[:i]]; found && partition[i+1:] != "" {
			path = pathOf(partition[i+1:])
		}
	}
	switch partition {
	case "settings":
		path = "/admin/settings"
	case "views":
		path = "/views"
	}
	if path == "" || strings.HasPrefix(path, "/admin/") && !reader.May(store.Administer) {
		return HistoryAbout(partition)
	}
	return path
}

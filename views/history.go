package views

import (
	"net/url"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// History lists events, such as changes and sign-ins, newest first.
type History struct {
	Page
	List
	From, To ui.Input // range of UTC days
	By       ui.Input // user name
	About    ui.Input // partition key of a record
	Rows     []store.Event
}

// HistoryBy returns the address of the history of a user's changes.
func HistoryBy(user string) string { return "/admin/events?by=" + url.QueryEscape(user) }

// HistoryAbout returns the address of the history of the record in a partition.
func HistoryAbout(partition string) string {
	return "/admin/events?about=" + url.QueryEscape(partition)
}

type recordKind struct {
	name   string
	pathOf func(id string) string // returns the path of the page of the record with this ID
	alone  bool                   // pages show the name without the ID
}

// recordKinds maps prefixes of partition keys to kinds of records.
var recordKinds = map[string]recordKind{
	"o":      {"Order", OrderPath, false},
	"c":      {"Customer", CustomerPath, false},
	"p":      {"Product", ProductPath, false},
	"w":      {"Warehouse", WarehousePath, false},
	"user":   {"User", UserPath, false},
	"e":      {"Employee", EmployeePath, false},
	"ACC":    {"Account", BillingPath, false},
	"import": {"Import", ImportPath, true},
	"bulk":   {"Bulk change", BulkPath, true},
	"views":  {"Views of", func(user string) string { return HistoryAbout("views#" + user) }, false},

	"failedSignIns": {"Failed sign-ins", func(day string) string { return HistoryAbout("failedSignIns#" + day) }, false},

	"r":  referenceRecord(store.Region),
	"co": referenceRecord(store.Country),
	"l":  referenceRecord(store.Location),
	"d":  referenceRecord(store.Department),
	"j":  referenceRecord(store.Job),

	"cat": referenceRecord(store.Category),

	"v1#inventory#inventoryULID": {"Kayak", KayakPath, false},
	"v1#store#storeULID":         {"Store", StorePath, false},
	"v1#booking#bookingULID":     {"Booking", BookingPath, false},
	"v1#person#personULID":       {"Person", PersonPath, false},
}

func referenceRecord(kind store.ReferenceKind) recordKind {
	return recordKind{kind.Title(), func(id string) string { return ReferencePath(kind, id) }, false}
}

// recordOf returns the kind and the ID of the record in a partition. The result found
// is false if the partition key has no ID or an unknown prefix.
func recordOf(partition string) (kind recordKind, id string, found bool) {
	switch product, warehouse, noted := store.NotedStock(partition); {
	case store.IsProgram(partition):
		return recordKind{"Command line", func(string) string { return HistoryAbout(partition) }, true}, store.Program, true
	case noted && warehouse != "":
		return recordKind{"Stock of product", func(string) string { return StockPath(product, warehouse) }, false}, product + " in " + warehouse, true
	case noted:
		return recordKinds["p"], product, true
	}
	i := strings.LastIndexByte(partition, '#') // an ID contains no #
	if i < 0 || partition[i+1:] == "" {
		return recordKind{}, "", false
	}
	kind, found = recordKinds[partition[:i]]
	return kind, partition[i+1:], found
}

// RecordName returns the name of the record in a partition, such as Order 12345 or Bulk
// change.
func RecordName(partition string) string {
	switch kind, id, found := recordOf(partition); {
	case found && kind.alone:
		return kind.name
	case found:
		return kind.name + " " + id
	}
	switch partition {
	case "settings":
		return "Settings"
	case "views":
		return "Shared views"
	}
	if job, found := strings.CutPrefix(partition, "job#"); found && job != "" {
		return capital(job) + " job"
	}
	return nameOr(partition, "–")
}

// RecordPath returns the path of the page of the record in a partition. If there is no
// such page, or if it is only for admins and the reader is not an admin, RecordPath returns
// the address of the record's history.
func RecordPath(reader *store.User, partition string) string {
	path := ""
	if kind, id, found := recordOf(partition); found {
		path = kind.pathOf(id)
	}
	switch partition {
	case "settings":
		path = "/admin/settings"
	case "views":
		path = "/views"
	}
	if path == "" || (strings.HasPrefix(path, "/admin/") || strings.HasPrefix(path, "/data/")) && !reader.May(store.Administer) {
		return HistoryAbout(partition)
	}
	return path
}

// byWithAddress returns the name of the user who caused an event, with the client's
// address if known.
func byWithAddress(e *store.Event) string {
	by := nameOr(e.By, "unknown user")
	if e.Address == "" {
		return by
	}
	return by + " at " + e.Address
}

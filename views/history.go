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
	"v1#inventory#inventoryULID": KayakPath, "v1#store#storeULID": StorePath,
}

// recordPath returns the page of the record with a partition key. A record
// without a page of its own leads to its history.
func recordPath(partition string) string {
	if i := strings.LastIndexByte(partition, '#'); i >= 0 { // IDs have no #
		if path, found := recordPaths[partition[:i]]; found && partition[i+1:] != "" {
			return path(partition[i+1:])
		}
	}
	switch partition {
	case "settings":
		return "/admin/settings"
	case "views":
		return "/views"
	}
	return HistoryAbout(partition)
}

// eventsTable lists changes.
func eventsTable(p *Page, caption string, rows []store.Event) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Change</th><th scope="col" class="p2">Time</th><th scope="col" class="p2">User</th>` +
			`<th scope="col">Record</th><th scope="col" class="p2">Before</th><th scope="col" class="p2">After</th><th scope="col" class="p3">Reason</th></tr></thead><tbody>`)
		for i := range rows {
			t.eventRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) eventRow(e *store.Event) {
	before, after := store.LastFour(e.Before), store.LastFour(e.After)
	t.HTML(`<tr><td dir="auto">`)
	t.Text(capital(e.What))
	if before != "" || after != "" {
		t.HTML(`<span class="sub m" dir="auto">`)
		t.Text(joined(" → ", named(before, "–"), named(after, "–")))
		t.HTML(`</span>`)
	}
	t.HTML(`<span class="sub m">`)
	t.time(e.When)
	t.HTML(`, `)
	t.Text(named(e.By, "unknown user"))
	t.HTML(`</span></td><td class="p2">`)
	t.time(e.When)
	t.HTML(`</td><td class="p2"><a href="`)
	t.Address(HistoryBy(e.By))
	t.HTML(`" dir="auto">`)
	t.Text(named(e.By, "unknown user"))
	t.HTML(`</a>`)
	t.HTML(`</td><td class="name"><a href="`)
	t.Address(recordPath(e.Partition))
	t.HTML(`" dir="auto">`)
	t.Text(named(e.Partition, "–"))
	t.HTML(`</a></td><td class="p2 wrap" dir="auto">`)
	t.Text(before)
	t.HTML(`</td><td class="p2 wrap" dir="auto">`)
	t.Text(after)
	t.HTML(`</td><td class="p3 wrap" dir="auto">`)
	t.Text(store.LastFour(e.Why))
	t.HTML(`</td></tr>`)
}

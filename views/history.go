package views

import (
	"net/url"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// History is who did what, the newest first.
type History struct {
	Page
	List              // parameters from, to, by, about, limit
	From, To ui.Input // days of UTC
	By       ui.Input // a user's name
	About    ui.Input // the partition of a thing
	Rows     []store.Event
}

// HistoryBy is the address of what a user did.
func HistoryBy(user string) string { return "/admin/events?by=" + url.QueryEscape(user) }

// HistoryAbout is the address of what happened to a thing, by its partition.
func HistoryAbout(partition string) string {
	return "/admin/events?about=" + url.QueryEscape(partition)
}

// pagesOf are the pages of things, by the prefix of their partition.
var pagesOf = map[string]func(id string) string{
	"o": OrderPath, "c": CustomerPath, "p": ProductPath, "w": WarehousePath, "user": UserPath, "e": EmployeePath, "ACC": BillingPath,
	"v1#inventory#inventoryULID": KayakPath, "v1#store#storeULID": StorePath,
}

// thingPath is the page of what an event is about, by the partition that it
// lies in; of what has no page of its own, its history.
func thingPath(partition string) string {
	if i := strings.LastIndexByte(partition, '#'); i >= 0 { // an ID holds none
		if path, found := pagesOf[partition[:i]]; found && partition[i+1:] != "" {
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

// eventsTable lists who did what to which thing, with what was before and
// after.
func eventsTable(p *Page, caption string, rows []store.Event) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">What</th><th scope="col" class="p2">When</th><th scope="col" class="p2">Who</th>` +
			`<th scope="col">About</th><th scope="col" class="p2">Before</th><th scope="col" class="p2">After</th><th scope="col" class="p3">Why</th></tr></thead><tbody>`)
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
	t.Text(named(e.By, "nobody known"))
	t.HTML(`</span></td><td class="p2">`)
	t.time(e.When)
	t.HTML(`</td><td class="p2"><a href="`)
	t.Address(HistoryBy(e.By))
	t.HTML(`" dir="auto">`)
	t.Text(named(e.By, "nobody known"))
	t.HTML(`</a>`)
	t.HTML(`</td><td class="name"><a href="`)
	t.Address(thingPath(e.Partition))
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

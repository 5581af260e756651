package views

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views/ui"
)

// chips returns the active filters, each with a link that removes it.
func (l List) chips() []ui.Chip {
	var chips []ui.Chip
	if period := l.period(); period != "" {
		chips = append(chips, ui.Chip{Name: "Period", Value: period, WithoutURL: l.without("to").With("from", "")})
		l.Params = l.without("from").without("to").Params
	}
	for _, p := range l.Params {
		if name := filterName(p.Name); name != "" {
			chips = append(chips, ui.Chip{Name: name, Value: l.filterValue(p), WithoutURL: l.With(p.Name, "")})
		}
	}
	return chips
}

// isFiltered reports whether the list has active filters.
func (l *List) isFiltered() bool {
	return slices.ContainsFunc(l.Params, func(p ui.Param) bool { return filterName(p.Name) != "" })
}

// filterName returns the label of a filter, or "" if the parameter is not a filter, such
// as sort.
func filterName(parameter string) string {
	switch parameter {
	case "status":
		return "Status"
	case "date":
		return "Day"
	case "from":
		return "From"
	case "to":
		return "To"
	case "bucket":
		return "Letter"
	case "name":
		return "Name"
	case "category":
		return "Category"
	case "email":
		return "Email"
	case "warehouse":
		return "Warehouse"
	case "job":
		return "Job"
	case "period":
		return "Quarter"
	case "by":
		return "User"
	case "about":
		return "Record"
	case "archived":
		return "Archived"
	case "stock":
		return "Stock"
	}
	return ""
}

// filterValue formats the value of a filter as the list shows it.
func (l *List) filterValue(p ui.Param) string {
	switch p.Name {
	case "status":
		return l.statusName(p.Value)
	case "stock":
		return OrderStockText(store.OrderStock(p.Value))
	case "bucket":
		return bucketName(p.Value)
	}
	return cmp.Or(l.names[p], p.Value)
}

// NameWarehouses returns the list with the names of warehouses, which it shows instead of
// the ID in its filter.
func (l List) NameWarehouses(warehouses []store.Warehouse) List {
	for i := range warehouses {
		l = l.nameFilter("warehouse", warehouses[i].ID, warehouses[i].Name)
	}
	return l
}

// NameJobs is like NameWarehouses, for jobs.
func (l List) NameJobs(jobs []store.ListedReference) List {
	for i := range jobs {
		l = l.nameFilter("job", jobs[i].ID, jobs[i].Name)
	}
	return l
}

func (l List) nameFilter(parameter, id, name string) List {
	if p := (ui.Param{Name: parameter, Value: id}); slices.Contains(l.Params, p) {
		l.names = maps.Clone(l.names)
		if l.names == nil {
			l.names = map[ui.Param]string{}
		}
		l.names[p] = name
	}
	return l
}

// statusName returns the name of a status in the list, as on its tab.
func (l *List) statusName(status string) string {
	switch {
	case l.Path == "/orders":
		return OrderStatusText(store.OrderStatus(status))
	case l.Path == "/invoices":
		return InvoiceStatusText(store.InvoiceStatus(status))
	case l.Path == "/shipments":
		return ShipmentFilterText(store.ShipmentStatus(status))
	case strings.HasSuffix(l.Path, "/bookings"):
		return BookingStateText(store.BookingState(status))
	}
	return sentence(status)
}

func (l List) without(name string) List {
	l.Params = slices.DeleteFunc(slices.Clone(l.Params), func(p ui.Param) bool { return p.Name == name })
	return l
}

// hiddenParams returns the parameters that a form must send as hidden fields. It omits
// those in fields, for which the form has visible fields.
func (l *List) hiddenParams(fields ...string) []ui.Param {
	var params []ui.Param
	for _, p := range l.Params {
		if !slices.Contains(fields, p.Name) {
			params = append(params, p)
		}
	}
	return params
}

// statusTabs returns a tab for each status. If the third argument is not "", it is the
// label of a first tab that shows all statuses.
func statusTabs[S ~string](l List, current S, all string, states []S, badge func(S) ui.Badge) []ui.Tab {
	tabs, built := make([]ui.Tab, 0, 1+len(states)), addresses{}
	built.start(&l, 1+len(states))
	if all != "" {
		tabs = append(tabs, ui.Tab{Name: all, URL: built.with(ui.Param{Name: "status"}), Current: current == ""})
	}
	for _, s := range states {
		tabs = append(tabs, ui.Tab{Name: badge(s).Word, URL: built.with(ui.Param{Name: "status", Value: string(s)}), Current: s == current})
	}
	return tabs
}

func letterTabs(l List, current string) []ui.Tab {
	tabs, built := make([]ui.Tab, 0, 1+len(key.Buckets)), addresses{}
	built.start(&l, 1+len(key.Buckets))
	tabs = append(tabs, ui.Tab{Name: "All", URL: built.with(ui.Param{Name: "bucket"}), Current: current == ""})
	for _, bucket := range key.Buckets {
		tabs = append(tabs, ui.Tab{Name: bucketName(bucket), URL: built.with(ui.Param{Name: "bucket", Value: bucket}), Current: bucket == current})
	}
	return tabs
}

// bucketName returns the label of a bucket of first letters. One bucket is for all digits,
// and one for all names that start with neither a digit nor a letter from a to z.
func bucketName(bucket string) string {
	switch bucket {
	case "0":
		return "0–9"
	case "_":
		return "Other"
	}
	return strings.ToUpper(bucket)
}

// dayFields returns the two fields of a date range. Their labels begin with the first
// argument, such as "Placed" in "Placed on or after".
func dayFields(what string, from, to ui.Input) []ui.Field {
	return []ui.Field{
		{Name: "from", Label: what + " on or after", Input: from, SharedHint: daysHint, Suggestions: daysList},
		{Name: "to", Label: what + " on or before", Input: to, SharedHint: daysHint, Suggestions: daysList},
	}
}

// period returns the value that both ends of the date range have: the name of a period,
// such as last month, or a date. If the two values differ, it returns "".
func (l *List) period() string {
	var from, to string
	for _, p := range l.Params {
		switch p.Name {
		case "from":
			from = p.Value
		case "to":
			to = p.Value
		}
	}
	if from != to {
		return ""
	}
	return from
}

// period is a range of days that a date filter offers.
type period struct{ name, value string }

func periodsOf(names ...string) []period {
	periods := make([]period, len(names))
	for i, name := range names {
		periods[i] = period{name, strings.ToLower(name)}
	}
	return periods
}

// usualPeriods are the periods that most date filters offer.
var usualPeriods = periodsOf("Today", "Yesterday", "Last 7 days", "This month", "Last month", "This year", "Last year")

// periods returns links that set a date range to a period. The links contain the name of
// the period and not its dates. A saved view of "last month" therefore always shows the
// last month.
func (l *List) periods(all []period, from, to string) []ui.Tab {
	tabs, built := make([]ui.Tab, len(all)), addresses{}
	built.start(l, len(all))
	for i, p := range all {
		tabs[i] = ui.Tab{
			Name: p.name, URL: built.with(ui.Param{Name: "to", Value: p.value}, ui.Param{Name: "from", Value: p.value}),
			Current: strings.ToLower(from) == p.value && strings.ToLower(to) == p.value,
		}
	}
	return tabs
}

// Element IDs of the hint and the suggestions that all date fields share.
const (
	daysHint = "days-hint"
	daysList = "days"
)

// byDate describes how a list is sorted by date.
func (l *List) byDate() string {
	if l.Sort.NewestFirst {
		return "newest first"
	}
	return "oldest first"
}

// byName describes the order of a list that is sorted by name. It returns "" if the list is
// filtered by name, because it is then not sorted by the whole name.
func byName(filter ui.Input) string {
	if filter.Value != "" {
		return ""
	}
	return "sorted by name"
}

// isWhole reports whether this page shows all rows of the list.
func (l *List) isWhole() bool { return l.NextURL == "" && l.PrevURL == "" }

// whyEmpty explains why a list has no rows, and what the user can do. Pass true for wrong
// if a filter has an error.
func (l *List) whyEmpty(p *Page, many string, wrong bool) string {
	switch {
	case unassignedNote(p, l.Path) != "":
		return unassignedNote(p, l.Path)
	case l.Older.Status != "":
		return "There are no packed " + many + "."
	case !l.Older.Since.IsZero():
		return "There are no " + many + " since " + p.calendar(l.Older.Since) + "."
	case l.Older.URL != "":
		return "There are no " + many + " in this part of the list."
	case wrong:
		return "Fix the filters to see the list."
	case l.NextURL != "":
		return "There are no " + many + " in this part of the list. Continue the search to read the rest."
	case l.PrevURL != "":
		return "There are no more " + many + "."
	case !l.isFiltered():
		return "There are no " + many + " yet."
	}
	return "No " + many + " match these filters. Remove a filter to see more:"
}

// olderLabel returns the text of the link to older rows or rows with another status. Such a
// link is shown if the list is empty.
func (l *List) olderLabel(p *Page, many string) string {
	if l.Older.Status != "" {
		return "Show " + strings.ToLower(sentence(l.Older.Status)) + " " + many
	}
	return "Show " + many + " up to " + p.day(l.Older.Newest)
}

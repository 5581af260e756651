package ui

import (
	"context"
	"io"

	"stockroom/static"
)

// Icon is the ID of an icon in static/icons.svg. Icons are hidden from screen readers,
// because the text next to them says the same.
type Icon string

// Icon writes an icon.
func (m *Markup) Icon(i Icon) {
	m.HTML(`<svg class="icon" aria-hidden="true" width="20" height="20"><use href="`)
	m.Text(sprite)
	m.HTML(`#`)
	m.Text(string(i))
	m.HTML(`"></use></svg>`)
}

// Render writes the component to w.
func (i Icon) Render(ctx context.Context, w io.Writer) error {
	return Written(func(m *Markup) { m.Icon(i) }).Render(ctx, w)
}

var sprite = static.Path("icons.svg")

// The icons. Each is named after its meaning on pages.
const (
	IconAccount    Icon = "user"
	IconAdd        Icon = "plus"
	IconAdjust     Icon = "plus-minus"
	IconBack       Icon = "chevron-left"
	IconCount      Icon = "clipboard-check"
	IconCustomers  Icon = "users"
	IconDownload   Icon = "download"
	IconDue        Icon = "calendar"
	IconEdit       Icon = "pencil"
	IconEmployees  Icon = "id-badge-2"
	IconEmpty      Icon = "inbox"
	IconEvent      Icon = "history"
	IconFilter     Icon = "filter"
	IconInvoices   Icon = "file-invoice"
	IconKayaks     Icon = "kayak"
	IconLowStock   Icon = "trending-down"
	IconMail       Icon = "mail"
	IconMenu       Icon = "menu-2"
	IconModel      Icon = "schema"
	IconNext       Icon = "chevron-right"
	IconOrders     Icon = "receipt"
	IconPartitions Icon = "layers-intersect"
	IconPatterns   Icon = "list-search"
	IconOverdue    Icon = "clock-exclamation"
	IconPayment    Icon = "credit-card"
	IconPhone      Icon = "phone"
	IconPlaces     Icon = "map-pin"
	IconPrint      Icon = "printer"
	IconProducts   Icon = "package"
	IconRead       Icon = "database"
	IconReceive    Icon = "package-import"
	IconRemove     Icon = "x"
	IconReps       Icon = "chart-bar"
	IconReturn     Icon = "arrow-back-up"
	IconSearch     Icon = "search"
	IconSettings   Icon = "settings"
	IconShipments  Icon = "truck"
	IconSignOut    Icon = "logout"
	IconStores     Icon = "building-store"
	IconSuccess    Icon = "circle-check"
	IconToday      Icon = "layout-dashboard"
	IconTransfer   Icon = "arrows-exchange"
	IconUsers      Icon = "user-cog"
	IconView       Icon = "bookmark"
	IconWarehouses Icon = "building-warehouse"
)

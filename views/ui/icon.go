package ui

// Icon is the name of a drawing in static/icons.svg.
type Icon string

// The icons, by what they stand for.
const (
	IconAccount    Icon = "user"
	IconBack       Icon = "chevron-left"
	IconCustomers  Icon = "users"
	IconDownload   Icon = "download"
	IconEmpty      Icon = "inbox"
	IconEvent      Icon = "history"
	IconFilter     Icon = "filter"
	IconInvoices   Icon = "file-invoice"
	IconLowStock   Icon = "alert-triangle"
	IconMenu       Icon = "menu-2"
	IconNext       Icon = "chevron-right"
	IconOrders     Icon = "receipt"
	IconPayment    Icon = "credit-card"
	IconPrint      Icon = "printer"
	IconProducts   Icon = "package"
	IconRead       Icon = "database"
	IconRemove     Icon = "x"
	IconSearch     Icon = "search"
	IconShipments  Icon = "truck"
	IconSignOut    Icon = "logout"
	IconSuccess    Icon = "circle-check"
	IconTheme      Icon = "moon"
	IconToday      Icon = "layout-dashboard"
	IconWarehouses Icon = "building-warehouse"
)

package handlers

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/imports"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// route is one row of the route table.
type route struct {
	method, path string
	name         string
	handle       func(*request) error
	permission   store.Permission
	formats      formats
	reads        *bound // maximum number of table requests of the page
	menu         *entry // nil if the route is not in the menu
}

// formats says in which file formats a page is also available. The path of the file is the
// path of the page followed by .json or .csv.
type formats int

const (
	none   formats = iota
	detail         // .json: the entity
	list           // .json and .csv: all rows of the list
)

func (f formats) list() []web.Format { return []web.Format{web.JSON, web.CSV}[:f] }

// isDetail reports whether the page belongs to one entity, such as the page of an order or
// the list of its items.
func (r *route) isDetail() bool { return strings.Contains(r.path, "/:id") }

// record returns the kind of record that the page shows, such as "Customer", or "" for
// other pages.
func (r *route) record() string {
	if r.method == http.MethodGet && r.formats == detail && r.isDetail() {
		return r.name
	}
	return ""
}

// The maximum numbers of table requests for one page of a list: all, and those that query a
// shard again because it has more rows of the page than expected.
const (
	listReads   = store.MaxRequests + store.MaxRepeats
	repeatReads = store.MaxRepeats
)

// The maximum numbers of table requests for the stock levels on a page of a list: a page of
// the default size, and one of the maximum size. They apply to tables with the maximum
// number of shards, which need the most.
var (
	someLevels = levelRequests(store.DefaultLimit)
	mostLevels = levelRequests(store.MaxLimit)
)

func levelRequests(products int) int {
	return (&store.Settings{ShardsRead: store.MaxShards}).LevelRequests(products)
}

// bulkListing is the maximum number of table requests that every preview of a bulk change
// may make. The routes of some kinds of bulk change add more.
const bulkListing = 10 + store.MaxLimit/10

// recipientReads is the maximum number of table requests that read the recipients of one
// page of emails.
const recipientReads = 3 * store.MaxLimit / 100

// renameReads is the maximum number of table requests that copy the new name of a
// category to its products. Each 25 products take two requests.
const renameReads = 200

// compareReads is the maximum number of table requests that compare two states of a
// record. It is twice the maximum for reading one earlier state.
const compareReads = 2 * (15 + 1)

// bookingWeeks is the maximum number of weeks for which the booking form reads bookings.
// Each week takes one request.
const bookingWeeks = 5

// rentalWeeks is the maximum number of weeks for which a check-out, a check-in or a new due day
// reads bookings: those from today to the last booked day, and those of bookings that began
// earlier. Each week takes one request.
const rentalWeeks = (store.MaxBookingAhead+store.MaxBookingDays)/7 + 2

// rentalPlanReads is the maximum number of table requests that plan the bookings of a
// check-out or a new due day. It contains the weeks twice: if bookings must move to other
// kayaks, the plan reads all kayaks of the store, and then the bookings of the weeks again.
// The other requests read the kayaks, the rentals, the booking that the check-out names and
// the bookings of the renters, and for each kayak the bookings that move to other kayaks.
const rentalPlanReads = 2*rentalWeeks + 4 + store.MaxKayaks

// renterReads is the maximum number of table requests at check-out that find the person and
// the kayak by name, with nameReads requests each, and that look for similar people and add
// the new person.
const renterReads = 2*nameReads + 16

// nameReads is the maximum number of table requests that find a record by its name.
const nameReads = 14

// routes returns all routes of the program. The router, the menu and the permission
// checks use them.
func routes(assets http.Handler) []route {
	const get, post = http.MethodGet, http.MethodPost
	const anyone, signedIn, browse = store.Anyone, store.SignedIn, store.Browse
	const change, run = store.ChangeStock, store.RunRentals
	const subscriptionPath = "/accounts/:id/subscriptions/:subscription/:sku/"
	const importPath = "/data/import/:id"
	const stockPath = "/products/:id/stock/:warehouse"
	const deliveryPath = stockPath + "/deliveries/:delivery"
	const transferPath = "/products/:id/transfers/:transfer"
	const administer = store.Administer
	letters := len(key.Buckets)
	return []route{
		{get, "/", "Today", today, browse, none, reads(todayRequests), in("", ui.IconToday)},
		{post, views.DismissNewsPath, "Dismiss news", dismissNews, browse, none, reads(2), nil},
		{get, "/search", "Search", search, browse, none, reads(19), nil},
		{get, "/choices/:kind", "Suggestions for form fields", suggestChoices, browse, none, reads(nameReads), nil},

		{get, "/orders", "Orders", keepContent(listOrders), browse, list, reads(listReads).perShard(6), in(sales, ui.IconOrders)},
		{get, "/orders/new", "New order", showOrderForm, store.Sell, none, reads(3), nil},
		{post, "/orders/new", "Place an order", placeOrder, store.Sell, none, reads(2*(4+store.MaxLines) + nameReads*searchedFields + 32), nil},
		{get, "/orders/bulk", "Ship or print the selected orders", redirectBulk(&views.BulkOrders), browse, none, reads(0), nil},
		{get, "/orders/bulk/ship", "Pack orders", showBulkForm(store.BulkShip), store.Ship, none, reads(1), nil},
		{post, "/orders/bulk/ship", "Preview shipment of orders", previewBulkChange(store.BulkShip), store.Ship, none, reads(bulkListing + shipsAtOnce*store.MaxShipmentLines*store.DefaultLimit/100), nil},
		{get, "/orders/slips", "Packing slips", showPackingSlips, browse, none, reads(maxPrinted + 2*listReads).perShard(6), nil},
		{get, "/orders/pick", "Pick list", showPickList, browse, none, reads(6 + maxPrinted + 2*listReads).perShard(6), nil},
		{get, "/orders/:id", "Order", orPast(keepContent(showOrder)), browse, detail, reads(3), nil},
		{get, "/orders/:id/items", "Items of an order", listOrderItems, browse, list, reads(2), nil},
		{get, "/orders/:id/items/:product", "Item of an order", showOrderItem, browse, detail, reads(1), nil},
		{get, "/orders/:id/invoices", "Invoices of an order", listOrderInvoices, browse, list, reads(2), nil},
		{get, "/orders/:id/shipments", "Shipments of an order", listOrderShipments, browse, list, reads(3), nil},
		{get, "/orders/:id/packing-slip", "Packing slip", showPackingSlip, browse, none, reads(1), nil},

		{get, "/orders/:id/confirmation", "Print an order confirmation", printConfirmation, browse, none, reads(2), nil},
		{get, "/orders/:id/confirmation/pdf", "PDF of an order confirmation", sendConfirmationPDF, browse, none, reads(3), nil},
		{get, "/orders/:id/confirmation/send", "Send an order confirmation", confirmationSender.show, store.Sell, none, reads(2), nil},
		{post, "/orders/:id/confirmation/send", "Send an order confirmation", confirmationSender.submit, store.Sell, none, reads(6), nil},
		{get, "/orders/:id/ship", "Pack a shipment", showShipForm, store.Ship, none, reads(2 + maxFormLines), nil},
		{post, "/orders/:id/ship", "Pack a shipment", shipOrder, store.Ship, none, reads(7 + maxFormLines), nil},
		{get, "/orders/:id/edit", "Edit order", showOrderEdit, store.Sell, none, reads(4 + levelRequests(maxFormLines)), nil},
		{post, "/orders/:id/edit", "Edit an order", editOrder, store.Sell, none, reads(2*(6+maxFormLines) + 14 + nameReads*searchedFields), nil},
		{get, "/orders/:id/address/edit", "Edit delivery address", orderAddressEditor.show, store.Sell, none, reads(1), nil},
		{post, "/orders/:id/address/edit", "Edit a delivery address", orderAddressEditor.submit, store.Sell, none, reads(4), nil},
		{get, "/orders/:id/return", "Return items", showReturnForm, store.Sell, none, reads(2), nil},
		{post, "/orders/:id/return", "Return items", returnOrder, store.Sell, none, reads(11), nil},
		{post, "/orders/:id/finish", "Finish a change of an order", finishOrder, store.Sell, none, reads(5), nil},
		{get, "/orders/:id/cancel", "Cancel an order", showCancelForm, store.Sell, none, reads(1), nil},
		{post, "/orders/:id/cancel", "Cancel an order", cancelOrder, store.Sell, none, reads(7), nil},
		{get, "/orders/:id/notes", "Add a note to an order", orderNote.show, store.WriteNotes, none, reads(1), nil},
		{post, "/orders/:id/notes", "Add a note to an order", orderNote.submit, store.WriteNotes, none, reads(3), nil},

		{get, "/invoices", "Invoices", listInvoices, browse, list, reads(listReads + 2).perShard(6), in(sales, ui.IconInvoices)},
		{get, "/invoices/bulk", "Print the selected invoices, or send reminders for them", redirectBulk(&views.BulkInvoices), browse, none, reads(0), nil},
		{get, "/invoices/bulk/reminder", "Send payment reminders", showBulkForm(store.BulkInvoiceReminder), store.Sell, none, reads(0), nil},
		{post, "/invoices/bulk/reminder", "Preview payment reminders", previewBulkChange(store.BulkInvoiceReminder), store.Sell, none, reads(bulkListing), nil},
		{get, "/invoices/print", "Print the selected invoices", printInvoices, browse, none, reads(1 + maxPrinted + listReads + 2*repeatReads).perShard(2), nil},
		{get, "/invoices/print/pdf", "PDF of the selected invoices", sendInvoicesPDF, browse, none, reads(2 + maxPrinted + listReads + 2*repeatReads).perShard(2), nil},
		{get, "/invoices/:id", "Invoice", orPast(showInvoice), browse, detail, reads(3), nil},
		{get, "/invoices/:id/payments", "Payments of an invoice", listPayments, browse, list, reads(1), nil},
		{get, "/invoices/:id/print", "Print an invoice", printInvoice, browse, none, reads(3), nil},
		{get, "/invoices/:id/pdf", "PDF of an invoice", sendInvoicePDF, browse, none, reads(4), nil},

		{get, "/invoices/:id/send", "Send an invoice", invoiceSender.show, store.Sell, none, reads(2), nil},
		{post, "/invoices/:id/send", "Send an invoice", invoiceSender.submit, store.Sell, none, reads(6), nil},
		{get, "/invoices/:id/notes", "Add a note to the order of an invoice", redirectInvoiceNote, store.WriteNotes, none, reads(1), nil},
		{get, "/invoices/:id/pay", "Record payment", showPaymentForm, store.Sell, none, reads(2), nil},
		{post, "/invoices/:id/pay", "Record payment", recordPayment, store.Sell, none, reads(5), nil},
		{get, "/invoices/:id/refund", "Refund", showRefundForm, store.Refund, none, reads(2), nil},
		{post, "/invoices/:id/refund", "Refund", refundPayment, store.Refund, none, reads(7), nil},
		{get, "/invoices/:id/reverse", "Reverse payment", showReversalForm, store.Sell, none, reads(2), nil},
		{post, "/invoices/:id/reverse", "Reverse payment", reversePayment, store.Sell, none, reads(5), nil},

		{get, "/credit-notes/:id", "Credit note", showCreditNote, browse, detail, reads(2), nil},
		{get, "/credit-notes/:id/print", "Print a credit note", printCreditNote, browse, none, reads(3), nil},
		{get, "/credit-notes/:id/pdf", "PDF of a credit note", sendCreditNotePDF, browse, none, reads(4), nil},
		{get, "/credit-notes/:id/send", "Send a credit note", creditNoteSender.show, store.Sell, none, reads(2), nil},
		{post, "/credit-notes/:id/send", "Send a credit note", creditNoteSender.submit, store.Sell, none, reads(6), nil},

		{get, "/customers", "Customers", listCustomers, browse, list, reads(2 + 11*(3+repeatReads)), in(sales, ui.IconCustomers)},
		{get, "/customers/:id", "Customer", orPast(showCustomer), browse, detail, reads(17).perPlace(3), nil},
		{get, "/customers/:id/orders", "Orders of a customer", showCustomer, browse, list, reads(15).perPlace(3), nil},
		{get, "/customers/:id/credit-notes", "Credit notes of a customer", showCustomer, browse, list, reads(15).perPlace(3), nil},
		{get, "/customers/:id/invoices", "Invoices of a customer", showCustomer, browse, list, reads(15).perPlace(3), nil},
		{get, "/customers/:id/products", "Products bought by a customer", showCustomer, browse, list, reads(15).perPlace(3), nil},
		{get, "/customers/:id/out", "Kayaks rented by a customer", showCustomer, browse, list, reads(15).perPlace(3), nil},
		{get, "/customers/:id/bookings", "Bookings of a customer", showCustomer, browse, list, reads(17).perPlace(3), nil},
		{get, "/customers/:id/rentals", "Rentals of a customer", showCustomer, browse, list, reads(15).perPlace(3), nil},
		{get, "/customers/:id/phones", "Phone numbers of a customer", listCustomerPhones, browse, list, reads(1), nil},
		{get, "/customers/:id/timeline", "Timeline of a customer", showTimeline, browse, list, reads(9).perPlace(2), nil},

		{get, "/customers/:id/statement", "Statement of a customer", showStatement, browse, list, reads(1 + statementReads), nil},
		{get, "/customers/:id/statement/print", "Print a statement", printStatement, browse, none, reads(1 + statementReads), nil},
		{get, "/customers/:id/statement/pdf", "PDF of a statement", sendStatementPDF, browse, none, reads(2 + statementReads), nil},
		{get, "/customers/:id/statement/send", "Send a statement", statementSender.show, store.Sell, none, reads(2), nil},
		{post, "/customers/:id/statement/send", "Send a statement", statementSender.submit, store.Sell, none, reads(6 + statementReads), nil},

		{get, "/customers/new", "Add customer", customerEditor.show, store.EditCustomers, none, reads(0), nil},
		{post, "/customers/new", "Add a customer", customerEditor.submit, store.EditCustomers, none, reads(29), nil},
		{get, "/customers/:id/edit", "Edit a customer", customerEditor.show, store.EditCustomers, none, reads(2), nil},
		{post, "/customers/:id/edit", "Save a customer", customerEditor.submit, store.EditCustomers, none, reads(17), nil},
		{get, "/customers/:id/close", "Close customer", showCloseCustomer, store.EditCustomers, none, reads(1 + closeReads), nil},
		{post, "/customers/:id/close", "Close a customer", closeCustomer, store.EditCustomers, none, reads(5 + 2*closeReads), nil},
		{get, "/customers/:id/reopen", "Reopen customer", showCloseCustomer, store.EditCustomers, none, reads(1), nil},
		{post, "/customers/:id/reopen", "Reopen a customer", closeCustomer, store.EditCustomers, none, reads(5), nil},
		{get, "/customers/:id/notes", "Add a note to a customer", customerNote.show, store.WriteNotes, none, reads(1), nil},
		{post, "/customers/:id/notes", "Add a note to a customer", customerNote.submit, store.WriteNotes, none, reads(3), nil},

		{get, views.ComparePath, "Compare states of a record", compareStates, browse, detail, reads(compareReads).perPlace(4), nil},
		{get, "/undo", "Undo a change", showUndo, browse, none, reads(16), nil},
		{post, "/undo", "Undo a change", undo, browse, none, reads(36), nil},

		{get, "/views", "Saved views", listViews, browse, none, reads(2), nil},
		{get, "/views/new", "Save view", showSaveView, browse, none, reads(0), nil},
		{post, "/views/new", "Save view", saveView, browse, none, reads(3), nil},
		{get, "/views/:whose/:id", "Saved view", showView, browse, none, reads(1), nil},
		{post, "/views/:whose/:id", "Rename view", renameView, browse, none, reads(4), nil},
		{post, "/views/:whose/:id/email", "Save email frequency of a view", setViewEmail, browse, none, reads(6 + listReads).perShard(6), nil},
		{post, "/views/:whose/:id/delete", "Delete view", deleteView, browse, none, reads(4), nil},

		{get, "/products", "Products", listProducts, browse, list, reads(letters + 1 + mostLevels), in(stock, ui.IconProducts)},
		{get, "/products/new", "Add product", productEditor.show, store.SetUp, none, reads(0), nil},
		{post, "/products/new", "Add a product", productEditor.submit, store.SetUp, none, reads(15), nil},
		{get, "/products/bulk", "Change the selected products", redirectBulk(&views.BulkProducts), change, none, reads(0), nil},
		{get, "/products/bulk/price", "Change prices", showBulkForm(store.BulkPrice), store.SetUp, none, reads(0), nil},
		{post, "/products/bulk/price", "Preview new prices", previewBulkChange(store.BulkPrice), store.SetUp, none, reads(bulkListing), nil},
		{get, "/products/bulk/category", "Set category", showBulkForm(store.BulkCategory), store.SetUp, none, reads(0), nil},
		{post, "/products/bulk/category", "Preview new category", previewBulkChange(store.BulkCategory), store.SetUp, none, reads(bulkListing + 12), nil},
		{get, "/products/bulk/archive", "Archive products", showBulkForm(store.BulkArchive), store.SetUp, none, reads(0), nil},
		{post, "/products/bulk/archive", "Preview archiving products", previewBulkChange(store.BulkArchive), store.SetUp, none, reads(bulkListing), nil},
		{get, "/products/bulk/reorder-point", "Set reorder point", showBulkForm(store.BulkReorderPoint), change, none, reads(1), nil},
		{post, "/products/bulk/reorder-point", "Preview new reorder point", previewBulkChange(store.BulkReorderPoint), change, none, reads(bulkListing), nil},
		{get, "/products/:id/edit", "Edit a product", productEditor.show, store.SetUp, none, reads(2), nil},
		{post, "/products/:id/edit", "Save a product", productEditor.submit, store.SetUp, none, reads(20), nil},
		{get, "/products/:id/archive", "Archive product", productArchiver.show, store.SetUp, none, reads(2), nil},
		{post, "/products/:id/archive", "Archive a product", productArchiver.submit, store.SetUp, none, reads(6), nil},
		{get, "/products/:id/restore", "Restore product", productArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/products/:id/restore", "Restore a product", productArchiver.submit, store.SetUp, none, reads(5), nil},
		{post, "/products/:id/edit/finish", "Finish rename", finishRename, store.SetUp, none, reads(3), nil},
		{get, "/products/:id", "Product", orPast(showProduct), browse, detail, reads(16).perPlace(2), nil},
		{get, "/products/:id/orders", "Orders of a product", showProduct, browse, list, reads(12).perPlace(2), nil},
		{get, "/products/:id/on-order", "Open order lines of a product", showProduct, browse, list, reads(12).perPlace(2), nil},
		{get, "/products/:id/deliveries", "Expected deliveries of a product", showProduct, browse, list, reads(12).perPlace(2), nil},
		{get, "/products/:id/transfers", "Transfers of a product", showProduct, browse, list, reads(12).perPlace(2), nil},
		{get, "/products/:id/events", "Notes on a product", showProduct, browse, list, reads(12).perPlace(2), nil},
		{get, "/products/:id/notes", "Add a note to a product", productNote.show, store.WriteNotes, none, reads(1), nil},
		{post, "/products/:id/notes", "Add a note to a product", productNote.submit, store.WriteNotes, none, reads(3), nil},
		{get, "/products/:id/stock", "Stock of a product", listStockOfProduct, browse, list, reads(3), nil},

		{get, stockPath, "Stock of a product in a warehouse", orPast(showStock), browse, detail, reads(13), nil},
		{get, stockPath + "/ledger", "Stock ledger of a product in a warehouse", showStock, browse, list, reads(13), nil},
		{get, stockPath + "/deliveries", "Expected deliveries of a product to a warehouse", showStock, browse, list, reads(13), nil},
		{get, stockPath + "/transfers", "Transfers of a product to a warehouse", showStock, browse, list, reads(13), nil},
		{get, stockPath + "/events", "Notes on the stock of a product in a warehouse", showStock, browse, list, reads(13), nil},
		{get, stockPath + "/notes", "Add a note to the stock of a product", stockNote.show, store.WriteNotes, none, reads(3), nil},
		{post, stockPath + "/notes", "Add a note to the stock of a product", stockNote.submit, store.WriteNotes, none, reads(5), nil},
		{get, stockPath + "/receive", "Receive goods", showStockForm(views.StockReceive), change, none, reads(4), nil},
		{post, stockPath + "/receive", "Receive goods", changeStock(views.StockReceive, receiveStock), change, none, reads(11), nil},
		{get, stockPath + "/adjust", "Adjust stock", showStockForm(views.StockAdjust), change, none, reads(4), nil},
		{post, stockPath + "/adjust", "Adjust stock", changeStock(views.StockAdjust, adjustStock), change, none, reads(11), nil},
		{get, stockPath + "/count", "Count stock", showStockForm(views.StockCount), change, none, reads(4), nil},
		{post, stockPath + "/count", "Count stock", changeStock(views.StockCount, countStock), change, none, reads(11), nil},
		{get, stockPath + "/transfer", "Transfer immediately", showStockForm(views.StockTransfer), change, none, reads(5), nil},
		{post, stockPath + "/transfer", "Transfer immediately", changeStock(views.StockTransfer, transferStock), change, none, reads(28), nil},
		{get, stockPath + "/reorder", "Set a reorder point", showStockForm(views.StockReorder), change, none, reads(4), nil},
		{post, stockPath + "/reorder", "Set a reorder point", changeStock(views.StockReorder, setReorderPoint), change, none, reads(12), nil},

		{get, "/stock/low/bulk", "Order or transfer the selected stock", redirectBulk(&views.BulkLowStock), change, none, reads(0), nil},
		{get, "/stock/low/bulk/delivery", "Add expected deliveries", showBulkForm(store.BulkDelivery), change, none, reads(1), nil},
		{post, "/stock/low/bulk/delivery", "Preview expected deliveries", previewBulkChange(store.BulkDelivery), change, none, reads(bulkListing + 2*store.DefaultLimit).perPlace(1), nil},
		{get, "/stock/low/bulk/transfer", "Send transfers", showBulkForm(store.BulkTransfer), change, none, reads(2), nil},
		{post, "/stock/low/bulk/transfer", "Preview transfers", previewBulkChange(store.BulkTransfer), change, none, reads(bulkListing + 4*store.DefaultLimit).perPlace(1), nil},
		{get, "/stock/low", "Low stock", listLowStock, browse, list, reads(2 + listReads).perPlace(1), in(stock, ui.IconLowStock)},
		{get, "/deliveries", "Expected deliveries", listDeliveries, browse, list, reads(2 + listReads).perPlace(1), in(stock, ui.IconDue)},
		{get, "/deliveries/new", "Add expected delivery", newDelivery.show, change, none, reads(2), nil},
		{post, "/deliveries/new", "Add expected delivery", newDelivery.submit, change, none, reads(28), nil},
		{get, deliveryPath + "/edit", "Edit expected delivery", deliveryEditor.show, change, none, reads(1), nil},
		{post, deliveryPath + "/edit", "Edit expected delivery", deliveryEditor.submit, change, none, reads(6), nil},
		{get, deliveryPath + "/receive", "Receive delivery", showDeliveryForm(views.DeliveryReceive), change, none, reads(2), nil},
		{post, deliveryPath + "/receive", "Receive delivery", changeDelivery(views.DeliveryReceive), change, none, reads(12), nil},
		{get, deliveryPath + "/cancel", "Cancel expected delivery", showDeliveryForm(views.DeliveryCancel), change, none, reads(2), nil},
		{post, deliveryPath + "/cancel", "Cancel expected delivery", changeDelivery(views.DeliveryCancel), change, none, reads(6), nil},
		{get, "/transfers", "Transfers", listTransfers, browse, list, reads(2 + listReads).perPlace(1), in(stock, ui.IconTransfer)},
		{get, transferPath + "/receive", "Receive transfer", showTransferForm(views.TransferReceive), change, none, reads(2), nil},
		{post, transferPath + "/receive", "Receive transfer", changeTransfer(views.TransferReceive), change, none, reads(14), nil},
		{get, transferPath + "/cancel", "Cancel transfer", showTransferForm(views.TransferCancel), change, none, reads(2), nil},
		{post, transferPath + "/cancel", "Cancel transfer", changeTransfer(views.TransferCancel), change, none, reads(14), nil},
		{get, "/counts", "Counts", listCounts, change, list, reads(2 + listReads).perPlace(1), in(stock, ui.IconCount)},
		{get, "/counts/new", "Start count", showCountStart, change, none, reads(1), nil},
		{post, "/counts/new", "Start count", startCount, change, none, reads(80), nil},
		{get, "/counts/:id", "Count sheet", showCountSheet, change, none, reads(4), nil},
		{post, "/counts/:id", "Save count", enterCount, change, none, reads(20), nil},
		{get, "/counts/:id/review", "Review count", showCountReview, change, none, reads(16), nil},
		{post, "/counts/:id/review", "Apply count", applyCount, change, none, reads(80), nil},
		{get, "/counts/:id/close", "Close count", showCountClose, change, none, reads(16), nil},
		{post, "/counts/:id/close", "Close count", closeCount, change, none, reads(20), nil},
		{get, "/warehouses", "Warehouses", listWarehouses, browse, list, reads(1), in(stock, ui.IconWarehouses)},
		{get, "/warehouses/new", "Add warehouse", warehouseEditor.show, store.SetUp, none, reads(0), nil},
		{post, "/warehouses/new", "Add a warehouse", warehouseEditor.submit, store.SetUp, none, reads(3), nil},
		{get, "/warehouses/:id", "Warehouse", orPast(showWarehouse), browse, detail, reads(11 + 2*someLevels), nil},
		{get, "/warehouses/:id/stock", "Inventory of a warehouse", showWarehouse, browse, list, reads(12 + someLevels + mostLevels), nil},
		{get, "/warehouses/:id/low", "Low stock of a warehouse", showWarehouse, browse, list, reads(12 + someLevels + mostLevels), nil},
		{get, "/warehouses/:id/deliveries", "Expected deliveries of a warehouse", showWarehouse, browse, list, reads(12 + 2*someLevels), nil},
		{get, "/warehouses/:id/transfers", "Transfers to a warehouse", showWarehouse, browse, list, reads(12 + 2*someLevels), nil},
		{get, "/warehouses/:id/transfer", "Send transfer", showTransferSheet, change, none, reads(5), nil},
		{post, "/warehouses/:id/transfer", "Send transfer", sendTransfer, change, none, reads(18), nil},
		{get, "/warehouses/:id/shipments", "Shipments from a warehouse", showWarehouse, browse, list, reads(12 + 2*someLevels), nil},
		{get, "/warehouses/:id/edit", "Edit a warehouse", warehouseEditor.show, store.SetUp, none, reads(1), nil},
		{post, "/warehouses/:id/edit", "Save a warehouse", warehouseEditor.submit, store.SetUp, none, reads(3), nil},
		{get, "/warehouses/:id/archive", "Archive warehouse", warehouseArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/warehouses/:id/archive", "Archive a warehouse", warehouseArchiver.submit, store.SetUp, none, reads(5), nil},
		{get, "/warehouses/:id/restore", "Restore warehouse", warehouseArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/warehouses/:id/restore", "Restore a warehouse", warehouseArchiver.submit, store.SetUp, none, reads(5), nil},
		{get, "/warehouses/:id/ledger", "Stock ledger of a warehouse", showWarehouse, browse, list, reads(12 + 2*someLevels), nil},
		{get, "/warehouses/:id/receive", "Receive goods", showDeliverySheet, change, none, reads(4 + maxSheetPages), nil},
		{post, "/warehouses/:id/receive", "Receive goods", receiveDeliverySheet, change, none, reads(19), nil},
		{get, "/warehouses/:id/employees", "Employees of a warehouse", showWarehouse, browse, list, reads(12 + 2*someLevels), nil},

		{get, "/shipments", "Shipments", listShipments, browse, list, reads(4 + 3*repeatReads).perShard(7), in(stock, ui.IconShipments)},
		{get, "/shipments/:id", "Shipment", showShipment, browse, detail, reads(3), nil},
		{get, "/shipments/:id/packing-slip", "Packing slip of a shipment", showShipmentSlip, browse, none, reads(2), nil},

		{get, "/shipments/:id/notes", "Add a note to the order of a shipment", redirectShipmentNote, store.WriteNotes, none, reads(1), nil},
		{get, "/shipments/:id/forward", "Update a shipment", showShipmentForm, store.Ship, none, reads(2), nil},
		{post, "/shipments/:id/forward", "Update a shipment", advanceShipment, store.Ship, none, reads(5), nil},
		{get, "/shipments/:id/unpack", "Unpack shipment", showUnpackForm, store.Ship, none, reads(3), nil},
		{post, "/shipments/:id/unpack", "Unpack a shipment", unpackShipment, store.Ship, none, reads(8), nil},
		{get, "/stores", "Stores", listStores, browse, list, reads(1 + 5*repeatReads).perShard(5).perPlace(1), in(rental, ui.IconStores)},
		{get, "/stores/new", "Add store", rentalStoreEditor.show, store.SetUp, none, reads(0), nil},
		{post, "/stores/new", "Add a store", rentalStoreEditor.submit, store.SetUp, none, reads(3), nil},
		{get, "/stores/:id/edit", "Edit a store", rentalStoreEditor.show, store.SetUp, none, reads(1), nil},
		{post, "/stores/:id/edit", "Save a store", rentalStoreEditor.submit, store.SetUp, none, reads(6), nil},
		{get, "/stores/:id/archive", "Archive store", storeArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/stores/:id/archive", "Archive a store", storeArchiver.submit, store.SetUp, none, reads(5), nil},
		{get, "/stores/:id/restore", "Restore store", storeArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/stores/:id/restore", "Restore a store", storeArchiver.submit, store.SetUp, none, reads(5), nil},
		{get, "/stores/:id", "Store", showStore, browse, detail, reads(32), nil},
		{get, "/stores/:id/kayaks", "Kayaks of a store", showStore, browse, list, reads(32), nil},
		{get, "/stores/:id/out", "Kayaks rented out by a store", showStore, browse, list, reads(32), nil},
		{get, "/stores/:id/overdue", "Overdue kayaks of a store", showStore, browse, list, reads(32), nil},
		{get, "/stores/:id/rentals", "Rentals of a store", showStore, browse, list, reads(32), nil},
		{get, "/stores/:id/employees", "Staff of a store", showStore, browse, list, reads(32), nil},
		{get, "/stores/:id/employments", "Employment history at a store", showStore, browse, list, reads(32), nil},
		{get, "/stores/:id/kayaks/new", "Add kayak", newKayak.show, run, none, reads(1), nil},
		{post, "/stores/:id/kayaks/new", "Add a kayak", newKayak.submit, run, none, reads(6), nil},
		{get, "/stores/:id/labels", "Kayak labels of a store", showKayakLabels, browse, none, reads(2), nil},
		{get, "/stores/:id/week", "Week of a store", showStoreWeek, browse, none, reads(9), nil},
		{get, "/stores/:id/week.ics", "Week of a store as a calendar file", sendStoreWeek, browse, none, reads(9), nil},
		{get, "/stores/:id/book", "Book kayak", showBookForm, run, none, reads(4 + bookingWeeks), nil},
		{post, "/stores/:id/book", "Book a kayak", bookKayak, run, none, reads(64), nil},
		{get, "/stores/:id/bookings", "Bookings of a store", listBookings, browse, list, reads(5), nil},
		{get, "/bookings/:id", "Booking", showBooking, browse, detail, reads(5), nil},
		{get, "/bookings/:id/events", "History of a booking", showBooking, browse, list, reads(4), nil},
		{get, "/bookings/:id/notes", "Add a note to the kayak of a booking", redirectBookingNote, store.WriteNotes, none, reads(3), nil},
		{get, "/bookings/:id/move", "Move booking", showMoveForm, run, none, reads(5 + bookingWeeks), nil},
		{post, "/bookings/:id/move", "Move a booking", moveBooking, run, none, reads(50), nil},
		{get, "/bookings/:id/cancel", "Cancel booking", showBookingEnd(views.BookingCancel), run, none, reads(3), nil},
		{post, "/bookings/:id/cancel", "Cancel a booking", endBooking(views.BookingCancel, "Booking cancelled.", store.Access.CancelBooking), run, none, reads(7), nil},
		{get, "/bookings/:id/no-show", "Record no-show", showBookingEnd(views.BookingNoShow), run, none, reads(3), nil},
		{post, "/bookings/:id/no-show", "Record a no-show", endBooking(views.BookingNoShow, "No-show recorded.", store.Access.RecordNoShow), run, none, reads(7), nil},
		{get, "/stores/:id/check-out", "Check out", showCheckOut, run, none, reads(10), nil},
		{post, "/stores/:id/check-out", "Check out", checkOut, run, none, reads(24 + renterReads + 2*rentalPlanReads), nil},
		{get, "/stores/:id/extend", "Change due date", showExtend, run, none, reads(3 + rentalWeeks), nil},
		{post, "/stores/:id/extend", "Change due date", extendRentals, run, none, reads(14 + rentalPlanReads + store.MaxKayaks + rentalWeeks), nil},
		{get, "/stores/:id/return", "Check in", showCheckIn, run, none, reads(4), nil},
		{post, "/stores/:id/return", "Check in", checkIn, run, none, reads(8 + 2*store.MaxKayaks + rentalWeeks), nil},
		{get, "/stores/:id/slip", "Check-out slip", showRentalSlip, browse, none, reads(2), nil},
		{get, "/stores/:id/takings", "Takings of a store", showTakings, browse, list, reads(24 + 2*store.MaxTakingsDays), nil},
		{get, "/stores/:id/unpaid", "Unpaid rentals of a store", listUnpaidRentals, browse, list, reads(3), nil},
		{get, "/stores/:id/settle", "Record payment of a rental", showSettleForm, run, none, reads(2), nil},
		{post, "/stores/:id/settle", "Record payment of a rental", settleRental, run, none, reads(8), nil},
		{get, "/stores/:id/hire", "Hire employee", showStoreForm(views.StoreHire), run, none, reads(2), nil},
		{post, "/stores/:id/hire", "Hire employee", changeStore(views.StoreHire, hire), run, none, reads(27), nil},
		{get, "/stores/:id/leave", "End employment", showStoreForm(views.StoreEndEmployment), run, none, reads(3), nil},
		{post, "/stores/:id/leave", "End employment", changeStore(views.StoreEndEmployment, endEmployment), run, none, reads(24), nil},
		{get, "/rentals/overdue/bulk", "Print the selected kayaks, or send reminders for them", redirectBulk(&views.BulkOverdue), browse, none, reads(0), nil},
		{get, "/rentals/overdue/bulk/reminder", "Send reminders", showBulkForm(store.BulkRentalReminder), run, none, reads(0), nil},
		{post, "/rentals/overdue/bulk/reminder", "Preview reminders", previewBulkChange(store.BulkRentalReminder), run, none, reads(bulkListing + store.DefaultLimit).perPlace(store.DefaultLimit), nil},
		{get, "/rentals/overdue/print", "Print the selected kayaks", printOverdue, browse, none, reads(4 + repeatReads).perShard(2).perPlace(1), nil},
		{get, "/rentals/overdue", "Overdue", listOverdue, browse, list, reads(repeatReads).perShard(1).perPlace(1), in(rental, ui.IconOverdue)},
		{get, "/kayaks/:id", "Kayak", orPast(showKayak), browse, detail, reads(16), nil},
		{get, "/kayaks/:id/bookings", "Bookings of a kayak", showKayak, browse, list, reads(16), nil},
		{get, "/kayaks/:id/rentals", "Rentals of a kayak", showKayak, browse, list, reads(16), nil},
		{get, "/kayaks/:id/events", "History of a kayak", showKayak, browse, list, reads(16), nil},
		{get, "/kayaks/:id/edit", "Edit a kayak", kayakEditor.show, run, none, reads(2), nil},
		{post, "/kayaks/:id/edit", "Save a kayak", kayakEditor.submit, run, none, reads(6), nil},
		{get, "/kayaks/:id/repair", "Send kayak for repair", showKayakForm(views.KayakRepair), run, none, reads(1), nil},
		{post, "/kayaks/:id/repair", "Send kayak for repair", changeKayak(views.KayakRepair, sendKayakToRepair), run, none, reads(7), nil},
		{get, "/kayaks/:id/repaired", "Finish repair", showKayakForm(views.KayakFinishRepair), run, none, reads(1), nil},
		{post, "/kayaks/:id/repaired", "Finish repair", changeKayak(views.KayakFinishRepair, finishRepair), run, none, reads(5), nil},
		{get, "/kayaks/:id/move", "Move kayak", showKayakForm(views.KayakMove), run, none, reads(2), nil},
		{post, "/kayaks/:id/move", "Move kayak", changeKayak(views.KayakMove, moveKayak), run, none, reads(7 + store.MaxBookingAhead/7 + 1), nil},
		{get, "/kayaks/:id/retire", "Retire kayak", showKayakForm(views.KayakRetire), run, none, reads(1), nil},
		{post, "/kayaks/:id/retire", "Retire kayak", changeKayak(views.KayakRetire, retireKayak), run, none, reads(5 + store.MaxBookingAhead/7 + 1), nil},
		{get, "/kayaks/:id/restore", "Restore kayak", showKayakForm(views.KayakRestore), run, none, reads(1), nil},
		{post, "/kayaks/:id/restore", "Restore kayak", changeKayak(views.KayakRestore, restoreKayak), run, none, reads(9), nil},
		{get, "/kayaks/:id/notes", "Add a note to a kayak", kayakNote.show, store.WriteNotes, none, reads(1), nil},
		{post, "/kayaks/:id/notes", "Add a note to a kayak", kayakNote.submit, store.WriteNotes, none, reads(3), nil},
		{get, "/people/new", "Add person", personEditor.show, store.EditCustomers, none, reads(0), nil},
		{post, "/people/new", "Add a person", personEditor.submit, store.EditCustomers, none, reads(60), nil},
		{get, "/people/:id/edit", "Edit a person", personEditor.show, store.EditCustomers, none, reads(1), nil},
		{post, "/people/:id/edit", "Save a person", personEditor.submit, store.EditCustomers, none, reads(6), nil},
		{get, "/people/:id", "Person", showPerson, browse, detail, reads(20).perPlace(2), nil},
		{get, "/people/:id/out", "Kayaks rented by a person", showPerson, browse, list, reads(18).perPlace(2), nil},
		{get, "/people/:id/employments", "Employment history of a person at stores", showPerson, browse, list, reads(18).perPlace(2), nil},
		{get, "/people/:id/bookings", "Bookings of a person", showPerson, browse, list, reads(20).perPlace(2), nil},
		{get, "/people/:id/rentals", "Rentals of a person", showPerson, browse, list, reads(18).perPlace(2), nil},
		{get, "/people/:id/same", "Same person", showSamePerson, store.EditCustomers, none, reads(4), nil},
		{post, "/people/:id/same", "Join records", joinPeople, store.EditCustomers, none, reads(21), nil},
		{post, "/people/:id/same/separate", "Separate records", separatePeople, store.EditCustomers, none, reads(4), nil},
		{get, "/people/:id/data", "Personal data", showPersonalData, administer, none, reads(personalDataReads), nil},
		{post, "/people/:id/data/export", "Export personal data", exportPersonalData, administer, none, reads(personalDataReads), nil},
		{post, "/people/:id/data/erase", "Erase personal data", erasePersonalData, administer, none, reads(personalDataReads + 6), nil},

		{get, "/employees", "Employees", listEmployees, browse, list, reads(16), in(people, ui.IconEmployees)},
		{get, "/employees/new", "Add employee", employeeEditor.show, store.SetUp, none, reads(0), nil},
		{post, "/employees/new", "Add an employee", employeeEditor.submit, store.SetUp, none, reads(46), nil},
		{get, "/employees/:id/edit", "Edit an employee", employeeEditor.show, store.SetUp, none, reads(6), nil},
		{post, "/employees/:id/edit", "Save an employee", employeeEditor.submit, store.SetUp, none, reads(48), nil},
		{get, "/employees/:id", "Employee", showEmployee, browse, detail, reads(24).perPlace(2), nil},
		{get, "/employees/:id/customers", "Customers of an account rep", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/orders", "Orders of an account rep", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/quotas", "Quotas of an account rep", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/quotas/new", "Set target", targetEditor.show, store.SetUp, none, reads(1), nil},
		{post, "/employees/:id/quotas/new", "Set a target", targetEditor.submit, store.SetUp, none, reads(8), nil},
		{get, "/employees/:id/quotas/:period/edit", "Edit a target", targetEditor.show, store.SetUp, none, reads(2), nil},
		{post, "/employees/:id/quotas/:period/edit", "Save a target", targetEditor.submit, store.SetUp, none, reads(8), nil},
		{get, "/employees/:id/employments", "Employment history of an employee at stores", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/out", "Kayaks rented by an employee", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/bookings", "Bookings of an employee", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/rentals", "Rentals of an employee", showEmployee, browse, list, reads(24).perPlace(2), nil},
		{get, "/employees/:id/phones", "Phone numbers of an employee", listEmployeePhones, store.ReadStaff, list, reads(1), nil},
		{get, "/reps", "Account reps", listReps, store.RankStaff, list, reads(1), in(people, ui.IconReps)},
		{get, "/reference/:kind", "Reference", listReference, browse, list, reads(14), in(people, ui.IconPlaces).to("/reference/regions")},
		{get, "/reference/:kind/new", "Add to a reference list", referenceEditor.show, store.SetUp, none, reads(0), nil},
		{post, "/reference/:kind/new", "Add a reference entry", referenceEditor.submit, store.SetUp, none, reads(9), nil},
		{get, "/reference/:kind/:id/edit", "Edit a reference entry", referenceEditor.show, store.SetUp, none, reads(3), nil},
		{post, "/reference/:kind/:id/edit", "Save a reference entry", referenceEditor.submit, store.SetUp, none, reads(16 + renameReads), nil},
		{get, "/reference/categories/:id/archive", "Archive category", categoryArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/reference/categories/:id/archive", "Archive a category", categoryArchiver.submit, store.SetUp, none, reads(5), nil},
		{get, "/reference/categories/:id/restore", "Restore category", categoryArchiver.show, store.SetUp, none, reads(1), nil},
		{post, "/reference/categories/:id/restore", "Restore a category", categoryArchiver.submit, store.SetUp, none, reads(5), nil},
		{get, "/reference/:kind/:id", "Reference entry", showReference, browse, detail, reads(4), nil},
		{get, "/subscriptions", "Subscriptions", listSubscriptions, browse, list, reads(5 + repeatReads).perShard(1), in(sales, ui.IconPayment)},
		{get, "/due", "Due", listDue, browse, list, reads(listReads + 5).perShard(3), in(sales, ui.IconDue)},
		{get, "/jobs", "Jobs", listJobs, browse, none, reads(3).perShard(1), in(sales, ui.IconCount)},
		{get, "/jobs/:name/:date", "Job run", showJobRun, browse, list, reads(3 + repeatReads).perShard(1), nil},
		{get, "/jobs/:name/:date/dry-run", "Dry run of a job", showDryRun, browse, list, reads(4 + 2*repeatReads).perShard(3), nil},
		{post, "/jobs/:name/:date/run", "Start job run", runJob, administer, none, reads(3), nil},
		{post, "/jobs/scheduler", "Turn scheduler on or off", switchScheduler, administer, none, reads(3), nil},
		{get, "/emails", "Emails", listEmails, store.Subscribe, list, reads(2 + 11*repeatReads).perShard(11), in(sales, ui.IconMail)},
		{get, "/emails/:id", "Email", showEmail, browse, detail, reads(1), nil},
		{post, "/emails/:id/again", "Send email again", sendEmailAgain, store.Subscribe, none, reads(5), nil},
		{get, "/bulk", "Bulk changes", listBulkChanges, store.ChangeMany, list, reads(5), in(sales, ui.IconEdit)},
		{get, "/bulk/:id", "Bulk change", showBulkChange, store.ChangeMany, list, reads(3 + recipientReads), nil},
		{post, "/bulk/:id/run", "Start bulk change", startBulkChange, store.ChangeMany, none, reads(20 + 8*store.DefaultLimit).perPlace(store.DefaultLimit), nil},
		{post, "/bulk/:id/undo", "Preview undo of bulk change", undoBulkChange, store.ChangeMany, none, reads(16), nil},
		{post, "/bulk/:id/cancel", "Cancel bulk change", cancelBulkChange, store.ChangeMany, none, reads(4), nil},
		{post, "/bulk/:id/stop", "Stop bulk change", stopBulkChange, store.ChangeMany, none, reads(2), nil},
		{get, "/accounts/:id", "Account of a customer", orPast(showBillingAccount), browse, detail, reads(6), nil},
		{get, "/accounts/:id/subscriptions", "Subscriptions of an account", orPast(showBillingAccount), browse, list, reads(6), nil},
		{get, "/accounts/:id/receipts", "Receipts of an account", showBillingAccount, browse, list, reads(6), nil},
		{get, "/accounts/:id/emails", "Emails to an account", showBillingAccount, browse, list, reads(6), nil},
		{get, "/accounts/:id/events", "History of an account", showBillingAccount, browse, list, reads(6), nil},
		{get, "/accounts/:id/notes", "Add a note to an account", accountNote.show, store.WriteNotes, none, reads(2), nil},
		{post, "/accounts/:id/notes", "Add a note to an account", accountNote.submit, store.WriteNotes, none, reads(4), nil},
		{get, "/accounts/:id/subscribe", "New subscription", showSubscribeForm, store.Subscribe, none, reads(2), nil},
		{post, "/accounts/:id/subscribe", "Create subscription", subscribe, store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "why", "Why a subscription was charged", showWhyCharged, browse, none, reads(6), nil},
		{get, subscriptionPath + "change", "Change subscription", showSubscriptionForm(views.SubscriptionChange), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "change", "Change subscription", changeSubscription(views.SubscriptionChange, changeTerms), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "pause", "Pause subscription", showSubscriptionForm(views.SubscriptionPause), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "pause", "Pause subscription", changeSubscription(views.SubscriptionPause, pauseSubscription), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "resume", "Resume subscription", showSubscriptionForm(views.SubscriptionResume), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "resume", "Resume subscription", changeSubscription(views.SubscriptionResume, resumeSubscription), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "cancel", "Cancel subscription", showSubscriptionForm(views.SubscriptionCancel), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "cancel", "Cancel subscription", changeSubscription(views.SubscriptionCancel, cancelSubscription), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "end", "Cancel subscription at end of period", showSubscriptionForm(views.SubscriptionEnd), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "end", "Cancel subscription at end of period", changeSubscription(views.SubscriptionEnd, endSubscription), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "keep", "Keep subscription", showSubscriptionForm(views.SubscriptionKeep), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "keep", "Keep subscription", changeSubscription(views.SubscriptionKeep, keepSubscription), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "skip", "Skip next payment", showSubscriptionForm(views.SubscriptionSkip), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "skip", "Skip next payment", changeSubscription(views.SubscriptionSkip, skipPayment), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "payment-method", "Edit payment method", showSubscriptionForm(views.SubscriptionMethod), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "payment-method", "Edit payment method", changeSubscription(views.SubscriptionMethod, editPaymentMethod), store.Subscribe, none, reads(5), nil},
		{get, subscriptionPath + "card-link", "Email card link", showSubscriptionForm(views.SubscriptionCard), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "card-link", "Email card link", changeSubscription(views.SubscriptionCard, sendCardLink), store.Subscribe, none, reads(6), nil},
		{get, subscriptionPath + "retry", "Retry payment", showSubscriptionForm(views.SubscriptionRetry), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "retry", "Retry payment", changeSubscription(views.SubscriptionRetry, retryPayment), store.Subscribe, none, reads(8), nil},
		{get, subscriptionPath + "remind", "Send reminder", showSubscriptionForm(views.SubscriptionRemind), store.Subscribe, none, reads(1), nil},
		{post, subscriptionPath + "remind", "Send reminder", changeSubscription(views.SubscriptionRemind, resendReminder), store.Subscribe, none, reads(6), nil},

		{get, "/data/patterns", "Access patterns", listPatterns, administer, list, reads(0), in(data, ui.IconPatterns)},
		{get, "/data/patterns/:id", "Access pattern", showPattern, administer, none, reads(1 + repeatReads).perShard(1), nil},
		{get, "/data/costs", "Costs", showCosts, administer, list, reads(2), in(data, ui.IconRead)},
		{get, "/data/partitions", "Partitions", showPartition, administer, none, reads(1), in(data, ui.IconPartitions)},
		{get, "/data/import", "Import", listImports, administer, list, reads(2), in(data, ui.IconReceive)},
		{post, "/data/import", "Upload files", uploadImport, administer, none, reads(2 + imports.MaxFiles), nil},
		{get, "/data/import/templates", "Import templates", listImportTemplates, administer, none, reads(0), nil},
		{get, "/data/import/templates/:id", "Import template", sendImportTemplate, administer, none, reads(0), nil},
		{get, importPath, "Import", showImport, administer, none, reads(1), nil},
		{get, importPath + "/columns", "Match columns", showImportColumns, administer, none, reads(0), nil},
		{post, importPath + "/columns", "Match columns", matchImportColumns, administer, none, reads(2 * imports.MaxFiles), nil},
		{get, importPath + "/mapping", "Mapping of an import", sendImportMapping, administer, none, reads(0), nil},
		{post, importPath + "/mapping", "Save mapping", saveImportMapping, administer, none, reads(0), nil},
		{post, importPath + "/dry-run", "Start dry run", startImportDryRun, administer, none, reads(1), nil},
		{post, importPath + "/run", "Start import", runImport, administer, none, reads(1), nil},
		{post, importPath + "/cancel", "Cancel import", cancelImport, administer, none, reads(1), nil},
		{post, importPath + "/delete", "Delete files", deleteImport, administer, none, reads(0), nil},
		{get, importPath + "/rejected/:file", "Rejected rows", sendRejected, administer, none, reads(0), nil},
		{get, "/data/export", "Export", showExport, administer, none, reads(0), in(data, ui.IconDownload)},
		{post, "/data/export", "Download a file", sendExport, administer, none, reads(0), nil},
		{get, "/data/model", "Model", showModel, administer, detail, reads(0), in(data, ui.IconModel)},

		{get, "/admin/users", "Users", listUsers, administer, list, reads(2), in(admin, ui.IconUsers)},
		{post, "/admin/users", "Add user", addUser, administer, none, reads(16), nil},
		{get, "/admin/users/:id", "User", orPast(showUser), administer, detail, reads(6 + store.MaxTokenPlaceReads), nil},
		{post, "/admin/users/:id/role", "Change role", changeRole, administer, none, reads(19), nil},
		{post, "/admin/users/:id/disable", "Lock user", lockUser, administer, none, reads(9), nil},
		{post, "/admin/users/:id/enable", "Unlock user", unlockUser, administer, none, reads(9), nil},
		{post, "/admin/users/:id/sessions", "End sessions", endUserSessions, administer, none, reads(8), nil},
		{post, "/admin/users/:id/password", "Create one-time password", resetPassword, administer, none, reads(9), nil},
		{post, "/admin/users/:id/second-factor", "Reset second factor", resetSecondFactor, administer, none, reads(10), nil},
		{post, "/admin/users/:id/tokens", "Revoke access token", revokeTokenOf, administer, none, reads(6), nil},
		{post, "/admin/view-as", "View as", viewAs, administer, none, reads(6), nil},
		{post, web.EndViewAsPath, "Stop viewing", endViewAs, signedIn, none, reads(0), nil},
		{get, "/admin/events", "History", listEvents, store.ReadHistory, list, reads(listReads), in(admin, ui.IconEvent)},
		{get, "/admin/check", "Check", showCheck, administer, list, reads(2), in(admin, ui.IconCount)},
		{post, views.CheckNowPath, "Check the books now", startCheck, administer, none, reads(1), nil},
		{post, "/admin/check/compact", "Compact data file", compactDataFile, administer, none, reads(0), nil},
		{get, "/admin/settings", "Settings", showSettings, administer, none, reads(1), in(admin, ui.IconSettings)},
		{get, "/admin/settings/closed-customers", "Closed customers", showClosedCustomers, administer, none, reads(40), nil},
		{post, "/admin/settings", "Change settings", changeSettings, administer, none, reads(4).perShard(5), nil},
		{post, logoPath, "Upload logo", uploadLogo, administer, none, reads(6).perShard(5), nil},
		{post, logoPath + "/remove", "Remove logo", removeLogo, administer, none, reads(6).perShard(5), nil},

		{get, "/account", "Account", showAccount, signedIn, none, reads(3), nil},
		{get, "/account/password", "Choose password", showPasswordForm, signedIn, none, reads(0), nil},
		{post, "/account/password", "Change password", changePassword, signedIn, none, reads(6), nil},
		{get, "/account/confirm", "Confirm identity", showConfirm, signedIn, none, reads(2), nil},
		{post, "/account/confirm", "Confirm identity", confirm, signedIn, none, reads(12), nil},
		{get, "/account/confirm/sso", "Confirm identity with single sign-on", startProviderConfirm, signedIn, none, reads(2), nil},
		{get, "/account/second-factor", "Second factor", showSecondFactor, signedIn, none, reads(2), nil},
		{post, "/account/second-factor", "Set up an authenticator app", addApp, signedIn, none, reads(9), nil},
		{post, "/account/second-factor/remove", "Remove authenticator app", removeApp, signedIn, none, reads(9), nil},
		{post, "/account/passkeys", "Add passkey", addPasskey, signedIn, none, reads(11), nil},
		{post, "/account/passkeys/remove", "Remove passkey", removePasskey, signedIn, none, reads(9), nil},
		{post, "/account/recovery-codes", "Replace recovery codes", renewRecoveryCodes, signedIn, none, reads(9), nil},
		{get, "/api", "API", showAPI, browse, detail, reads(0), nil},
		{get, "/account/tokens", "Access tokens", showTokens, browse, none, reads(3 + store.MaxTokenPlaceReads), nil},
		{post, "/account/tokens", "Create access token", createToken, browse, none, reads(9 + store.MaxTokenPlaceReads), nil},
		{post, "/account/tokens/revoke", "Revoke access token", revokeToken, browse, none, reads(6), nil},
		{post, "/account/email", "Change email settings", changeOwnEmail, signedIn, none, reads(3), nil},
		{post, "/account/sessions/end", "End session", endSession, signedIn, none, reads(2), nil},
		{post, "/theme", "Choose theme", chooseTheme, signedIn, none, reads(0), nil},
		{post, "/logout", "Sign out", signOut, signedIn, none, reads(1), nil},
		{get, "/card/:link/:code", "New card", showCardLink, anyone, none, reads(6), nil},
		{post, "/card/:link/:code", "Enter a new card", startCardChange, anyone, none, reads(8), nil},
		{get, "/login", "Sign in", showSignIn, anyone, none, reads(0), nil},
		{post, "/login", "Sign in", signIn, anyone, none, reads(5), nil},
		{post, "/login/code", "Enter a code", signInWithCode, anyone, none, reads(12), nil},
		{post, "/login/passkey", "Sign in with a passkey", signInWithPasskey, anyone, none, reads(8), nil},
		{get, "/login/forgot", "Forgot your password?", showForgotPassword, anyone, none, reads(0), nil},
		{post, "/login/forgot", "Email a link for a new password", requestPasswordLink, anyone, none, reads(2), nil},
		{get, "/login/reset/:link/:code", "Choose a new password", showPasswordLink, anyone, none, reads(2), nil},
		{post, "/login/reset/:link/:code", "Change a forgotten password", usePasswordLink, anyone, none, reads(12), nil},
		{get, signOnPath, "Sign in with single sign-on", startSignOn, anyone, none, reads(0), nil},
		{get, web.CallbackPath, "Finish single sign-on", finishSignOn, anyone, none, reads(9), nil},
		{get, signOnPath + "/sign-out", "Sign out of single sign-on", signOutAtProvider, anyone, none, reads(0), nil},

		{get, views.LogoPath + ":digest", "Logo", sendLogo, signedIn, none, reads(1), nil},
		{get, "/static/*", "Static files", serveWith(assets), anyone, none, reads(0), nil},
		{get, "/.well-known/security.txt", "Contact for security reports", securityText, anyone, none, reads(0), nil},
		{get, "/.well-known/change-password", "Choose password", redirectToPassword, anyone, none, reads(0), nil},
		{get, "/healthz", "Liveness check", healthz, anyone, none, reads(0), nil},
		{get, "/readyz", "Readiness check", readyz, anyone, none, reads(1), nil},
		{echo.RouteNotFound, "/*", "Page not found", notFound, signedIn, none, reads(0), nil},
	}
}

// bound is the maximum number of table requests of a page. It is the sum of a fixed
// number, a number for each shard of a list, and a number for each warehouse or store of
// a manager. Requests for the session and for files do not count.
type bound struct{ requests, shard, place int }

func reads(requests int) *bound { return &bound{requests: requests} }

func (b *bound) perShard(n int) *bound { b.shard = n; return b }

func (b *bound) perPlace(n int) *bound { b.place = n; return b }

// route returns a router with all routes. Each GET route also answers HEAD.
func (s *site) route(rows []route) *echo.Echo {
	e := s.tools.Router()
	for i := range rows {
		row := &rows[i]
		methods := []string{row.method}
		if row.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		handle := spend(row)(web.Offer(row.formats.list()...)(s.tools.Require(row.permission)(s.serve(row))))
		for _, method := range methods {
			e.Add(method, row.path, handle) // pass no middleware to Add, because Echo would combine it again for each request
		}
	}
	return e
}

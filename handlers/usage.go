package handlers

import (
	"net/http"
	"slices"

	"stockroom/store"
)

// usedElsewhere describes the uses of access patterns that usedBy does not contain, such
// as by the frame of every page, searches, changes and jobs.
var usedElsewhere = map[string]string{
	"getSecondFactorByHandle":           "signing in with a passkey",
	"getBulkChangesByUser":              "the list of bulk changes, for users who are not admins",
	"getAccessToken":                    "every request with an access token",
	"getSession":                        "every page, for the session",
	"getSettings":                       "every page, for currency, time zone and shards",
	"getViewsByUser":                    "every page, for the tabs of lists, cached for a minute",
	"getSharedViews":                    "every page, for the tabs of lists, cached for a minute",
	"getEmailedViews":                   "the notices job and its dry run",
	"getUser":                           "sign-in and changes to users",
	"getProviderIdentity":               "single sign-on",
	"getCardLinkByLinkId":               "the page on which a customer enters a new card",
	"getFormerCategories":               "renames of categories, and the daily task that finishes them",
	"getFormerCategoryByCategoryId":     "new and edited products and categories, to find a category by a former name",
	"getPasswordLinkByLinkId":           "the page on which a user who forgot the password chooses a new one",
	"getNumberSeries":                   "new invoices and credit notes, to take the next number",
	"getQuotaByEmployeeIdAndPeriod":     "new and changed orders, to add them to the quota",
	"getInvoiceByNumber":                "search, for an invoice number",
	"getCreditNoteByNumber":             "search, for the number of a credit note",
	"getSessionKeys":                    "server start",
	"getImportedEventsByDay":            "seals of the history, and their verification",
	"getAuditSealsByYear":               "seals of the history, and their verification",
	"getAuditSealByDay":                 "export of the history",
	"getCostsByMonth":                   "Costs page, for a month and the month before",
	"getCostsByDayAndSlot":              "servers, to write the costs once a minute",
	"getSignInCount":                    "sign-in and changes of passwords",
	"getInventoryItemByStore":           "every change of a kayak, before it is written",
	"getRentalByRentalULID":             "check-in and extension of a rental",
	"getCurrentEmployeeByStore":         "end of an employment",
	"getEmploymentByEmploymentULID":     "end of an employment",
	"getRentalPaymentsByPersonAndStore": "timeline of a customer, for store managers",
	"getActiveRentalsByPersonAndStore":  "customer page, for store managers",
	"createSubscription":                "new subscription",
	"updateSubscription":                "every change to a subscription",
	"createReceipt":                     "every payment charged",
	"getOrderByOrderIdAndCustomerId":    "bulk changes that ship orders; and search, for an ID that has lowercase letters or spaces, or no digits",
	"getInvoiceByOrderIdAndInvoiceId":   "payment reminders; and search, for an ID that has lowercase letters or spaces, or no digits",
	"getShipmentByOrderIdAndShipmentId": "search, by tracking number",
	"getStockMovesForIdRange":           "export and erasure of a customer's personal data",
	"getStockByWarehouseAndBin":         "start of a count",
	"getStockSlotByProductId":           "pages with stock levels, in a table with 48 shards",
	"getCountRowByNumber":               "every entry in a count",
	"getCountRowByProduct":              "scan of a product in a count",
	"getProductBySKU":                   "new and edited products, to find one with the same SKU",
	"getReceiptByDueDate":               "payment runs, before each charge, and the page Why was it charged?",
	"getEmailsByStatusForDateRange":     "the delivery of emails, to find those that are due",
	"getJobRunByShard":                  "job runs, to lease a shard",
	"getJobBacklog":                     "scheduler, to find the first unfinished day",
	"getJobCounts":                      "job runs, each time they save their progress",
	"getJobTotals":                      "job runs, to save their progress and to add their payments to totals",
	"getLease":                          "scheduler and long commands, so that only one server runs them",
	"getImports":                        "Import page, for the list of imports",
	"getImportByImportId":               "the page of an import, and imports, to record their progress and result",
	"getImportMappingByHeader":          "imports of files with other columns",
	"getPartition":                      "Partitions page, for the table",
	"getPartitionOfGSI1":                "Partitions page, for this index",
	"getPartitionOfGSI2":                "Partitions page, for this index",
	"getPartitionOfGSI3":                "Partitions page, for this index",
	"getPartitionOfGSI4":                "Partitions page, for this index",
	"getPartitionOfGSI5":                "Partitions page, for this index",
	"getPartitionOfGSI6":                "Partitions page, for this index",
	"getEventsOfThing":                  "changes, to find out whether a form was already submitted",
}

// PagesOfIndex returns the names of the pages that read an index.
func PagesOfIndex(index string) []string {
	reads := map[string]bool{}
	for pattern, routes := range usedBy {
		if p, found := store.PatternByName(pattern); found && p.Index == index {
			for _, route := range routes {
				reads[route] = true
			}
		}
	}
	var names []string
	for _, row := range routes(http.NotFoundHandler()) {
		if reads[row.method+" "+row.path] && !slices.Contains(names, row.name) {
			names = append(names, row.name)
		}
	}
	return names
}

type routeName struct{ name, path string }

// routeNames returns the name and path of each route. The keys are the same as in
// usedBy, such as "GET /orders".
func routeNames(rows []route) map[string]routeName {
	names := map[string]routeName{}
	for _, row := range rows {
		names[row.method+" "+row.path] = routeName{row.name, row.path}
	}
	return names
}

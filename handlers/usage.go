package handlers

// usedElsewhere lists uses of a pattern other than by the GET requests of
// usedBy: the page frame, changes and jobs.
var usedElsewhere = map[string]string{
	"getSession":                       "every page, for the session",
	"getSettings":                      "every page, for currency, time zone and shards",
	"getViewsByUser":                   "the menu of every page, cached for a minute",
	"getSharedViews":                   "the menu of every page, cached for a minute",
	"getUser":                          "sign-in and changes to users",
	"getSessionKeys":                   "server start",
	"getInventoryItemByStore":          "every change to a kayak, as a consistent read",
	"getRentalByRentalULID":            "check-in and extension, for the history",
	"getCurrentEmployeeByStore":        "end of employment",
	"getEmploymentByEmploymentULID":    "end of employment",
	"getEmploymentByPersonAndStore":    "employee page, for store managers",
	"getActiveRentalsByPersonAndStore": "customer page, for store managers",
	"createSubscription":               "new subscription",
	"updateSubscription":               "every change to a subscription",
	"createReceipt":                    "every payment taken",
	"getReceiptByDueDate":              "payment runs, before each charge",
	"getJobRunByShard":                 "job runs, for the current shard",
	"getJobBacklog":                    "scheduler, for the first day that is not finished",
	"getJobCounts":                     "job runs, with each heartbeat",
	"getLease":                         "scheduler, to find out which server runs it",
	"getPartition":                     "Partitions page, for the table",
	"getPartitionOfGSI1":               "Partitions page, for this index",
	"getPartitionOfGSI2":               "Partitions page, for this index",
	"getPartitionOfGSI3":               "Partitions page, for this index",
	"getPartitionOfGSI4":               "Partitions page, for this index",
	"getPartitionOfGSI5":               "Partitions page, for this index",
	"getPartitionOfGSI6":               "Partitions page, for this index",
	"getEventsOfThing":                 "every change after a conflict, to detect a repeated form",
}

// routeName is the name and path of a route.
type routeName struct{ name, path string }

// routeNames maps the keys of usedBy, such as "GET /orders", to routes.
func routeNames(rows []route) map[string]routeName {
	names := map[string]routeName{}
	for _, row := range rows {
		names[row.method+" "+row.path] = routeName{row.name, row.path}
	}
	return names
}

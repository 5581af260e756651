package handlers

// usedElsewhere says who asks a pattern besides the pages that ask it when they
// are opened: what stands around every page, changes, runs.
var usedElsewhere = map[string]string{
	"getSession":                       "every page, to know who is asking",
	"getSettings":                      "every page, for currency, time zone and shards",
	"getViewsByUser":                   "the menu of every page, unless they were read within the minute",
	"getSharedViews":                   "the menu of every page, unless they were read within the minute",
	"getUser":                          "log-in, and changes of accounts",
	"getSessionKeys":                   "the start of a server",
	"getInventoryItemByStore":          "every change of a kayak, which reads it consistently",
	"getRentalByRentalULID":            "a return and an extension, for the history",
	"getCurrentEmployeeByStore":        "whoever ends somebody's time at a store",
	"getEmploymentByEmploymentULID":    "whoever ends somebody's time at a store",
	"getEmploymentByPersonAndStore":    "the page of an employee, for the manager of a store",
	"getActiveRentalsByPersonAndStore": "the page of a customer, for the manager of a store",
	"createSubscription":               "a new subscription",
	"updateSubscription":               "every change of a subscription",
	"createReceipt":                    "a payment that is taken",
	"getReceiptByDueDate":              "a run of payments, before it asks for one",
	"getJobRunByShard":                 "a run, for the shard that it is at",
	"getLease":                         "the scheduler, to know which server it runs on",
	"getPartition":                     "the page of partitions, for the table",
	"getPartitionOfGSI1":               "the page of partitions, for its index",
	"getPartitionOfGSI2":               "the page of partitions, for its index",
	"getPartitionOfGSI3":               "the page of partitions, for its index",
	"getPartitionOfGSI4":               "the page of partitions, for its index",
	"getPartitionOfGSI5":               "the page of partitions, for its index",
	"getPartitionOfGSI6":               "the page of partitions, for its index",
	"getEventsOfThing":                 "every change that met a conflict, to know whether its form was sent before",
}

// named is a route by its name and its path.
type named struct{ name, path string }

// namesOf are the routes by what the table of uses calls them.
func namesOf(rows []route) map[string]named {
	names := map[string]named{}
	for _, row := range rows {
		names[row.method+" "+row.path] = named{row.name, row.path}
	}
	return names
}

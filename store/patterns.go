package store

// The systems that share the table.
const (
	onlineShop = "online shop"
	recurring  = "recurring payments"
	orderEntry = "order entry"
	rentals    = "kayak rental"
	backOffice = "back office"
)

// The patterns, by the names that their rows have in the catalogue.
var (
	getCustomer          = pattern("getCustomerByCustomerId")
	getProduct           = pattern("getProductByProductId")
	getWarehouse         = pattern("getWarehouseByWarehouseId")
	getProductInventory  = pattern("getProductInventoryByProductId")
	getOrderDetails      = pattern("getOrderDetailsByOrderId")
	getOrderProducts     = pattern("getProductByOrderId")
	getOrderInvoices     = pattern("getInvoiceByOrderId")
	getOrderShipments    = pattern("getShipmentByOrderId")
	getProductOrders     = pattern("getOrderByProductIdForDateRange")
	getInvoice           = pattern("getInvoiceByInvoiceId")
	getPayments          = pattern("getPaymentByInvoiceId")
	getShipmentDetails   = pattern("getShipmentDetailsByShipmentId")
	getWarehouseShipment = pattern("getShipmentByWarehouseId")
	getWarehouseStock    = pattern("getProductInventoryByWarehouseId")
	getCustomerInvoices  = pattern("getInvoiceByCustomerIdForDateRange")
	getCustomerProducts  = pattern("getProductsByCustomerIdForDateRange")

	getCustomerOrders    = pattern("getOrdersByCustomerIdForDateRange")
	getOrdersByStatus    = pattern("getOrdersByStatusForDateRange")
	getStockInWarehouse  = pattern("getInventoryByProductIdAndWarehouseId")
	getProducts          = pattern("getProducts")
	getProductBySKU      = pattern("getProductBySKU")
	getProductsInGroup   = pattern("getProductsByCategory")
	getWarehouses        = pattern("getWarehouses")
	getLowStock          = pattern("getLowStock")
	getStockMoves        = pattern("getStockMovesByProductAndWarehouse")
	getWarehouseMoves    = pattern("getStockMovesByWarehouse")
	getCustomers         = pattern("getCustomers")
	getCustomerByEmail   = pattern("getCustomerByEmail")
	getCustomersByPhone  = [...]*Pattern{pattern("getCustomersByPhone"), pattern("getCustomersBySecondPhone"), pattern("getCustomersByThirdPhone")}
	getOrdersByMonth     = pattern("getOrdersByMonth")
	getInvoicesByStatus  = pattern("getInvoicesByStatusForDateRange")
	getInvoicesByMonth   = pattern("getInvoicesByMonth")
	getShipmentsByStatus = pattern("getShipmentsByStatusForDateRange")

	getStores                  = pattern("getStores")
	getStore                   = pattern("getStoreByStoreULID")
	getStoreInventory          = pattern("getInventoryByStore")
	getStoreEmployees          = pattern("getCurrentEmployeesByStore")
	getEmploymentsByStore      = pattern("getEmploymentByStore")
	getEmploymentsByPerson     = pattern("getEmploymentByPerson")
	getEmploymentsOfBoth       = pattern("getEmploymentByPersonAndStore")
	getActiveRentalsByPerson   = pattern("getActiveRentalsByPerson")
	getActiveRentalsByStore    = pattern("getActiveRentalsByStore")
	getActiveRentalsOfBoth     = pattern("getActiveRentalsByPersonAndStore")
	getActiveRentalsDue        = pattern("getActiveRentalsDue")
	getRentalsByPersonAndStore = pattern("getRentalsByPersonAndStore")
	getRentalsByPerson         = pattern("getRentalsByPerson")
	getRentalsByStoreAndPerson = pattern("getRentalsByStoreAndPerson")
	getRentalsByKayak          = pattern("getRentalsByInventory")
	getRentalsByPersonAndKayak = pattern("getRentalsByPersonAndInventory")
	getRentalsByStoreNewest    = pattern("getRentalsByStoreNewestFirst")
	getRentalsByPersonNewest   = pattern("getRentalsByPersonNewestFirst")
	getStoreInventoryItem      = pattern("getInventoryItemByStore")
	getStoreEmployee           = pattern("getCurrentEmployeeByStore")
	getEmployment              = pattern("getEmploymentByEmploymentULID")
	getPerson                  = pattern("getPersonByPersonULID")
	getRental                  = pattern("getRentalByRentalULID")
	getInventoryItem           = pattern("getInventoryItem")

	getEmployee              = pattern("getEmployeeByEmployeeId")
	getEmployees             = pattern("getEmployeesByName")
	getEmployeePhones        = pattern("getPhoneNumbersByEmployeeId")
	getCustomerPhones        = pattern("getPhoneNumbersByCustomerId")
	getEmployeesByHireDate   = pattern("getEmployeesByHireDate")
	getWarehouseStaff        = pattern("getEmployeesByWarehouseId")
	getWarehouseStaffByName  = pattern("getEmployeesByWarehouseIdAndName")
	getEmployeesByJob        = pattern("getEmployeesByJobTitle")
	getEmployeesByJobAndName = pattern("getEmployeesByJobTitleAndName")
	getItemsOnOrder          = pattern("getItemsOnOrderByProductId")
	getInventory             = pattern("getInventoryByProductId")
	getTotalInventory        = pattern("getTotalInventoryByProductId")
	getRepCustomers          = pattern("getCustomersByAccountRepId")
	getRepOrders             = pattern("getOrdersByAccountRepIdForDateRange")
	getOrderItem             = pattern("getOrderItemsByOrderIdAndProductId")
	getQuotasOfPeriod        = pattern("getAccountRepsByOrderTotalForPeriod")
	getQuotasOfEmployee      = pattern("getQuotasByEmployeeId")
	getReferences            = pattern("getReferenceByKind")
	getReference             = pattern("getReferenceByKindAndId")

	getSubscription         = pattern("getSubscriptionBySubscriptionId")
	getSubscriptions        = pattern("getSubscriptionsByAccount")
	getReceipts             = pattern("getReceiptsByAccount")
	getAccount              = pattern("getAccountByAccountId")
	getReceipt              = pattern("getReceiptByDueDate")
	getDueReminders         = pattern("getDueRemindersByDate")
	getDuePayments          = pattern("getDuePaymentsByDate")
	getSubscriptionsInState = pattern("getSubscriptionsByStatus")
	getJobRuns              = pattern("getJobRuns")
	getJobRun               = pattern("getJobRunByShard")
	getJobResults           = pattern("getJobResults")
	getJobFailures          = pattern("getJobFailures")
	getLease                = pattern("getLease")

	getOwnViews       = pattern("getViewsByUser")
	getSharedViews    = pattern("getSharedViews")
	getView           = pattern("getViewByViewId")
	getUsers          = pattern("getUsers")
	getUser           = pattern("getUser")
	getSession        = pattern("getSession")
	getSessionsByUser = pattern("getSessionsByUser")
	getSettings       = pattern("getSettings")
	getSessionKeys    = pattern("getSessionKeys")
	getTotals         = pattern("getTotals")
	getEventsOfThing  = pattern("getEventsOfThing")
	getEventsByDay    = pattern("getEventsByDay")
	getEventsByUser   = pattern("getEventsByUser")
)

// orderRow are the attributes of an order that lists show.
var orderRow = []string{"Date", "Status", "Total", "CustomerName", "ItemCount", "PaymentState", "ShipmentState"}

// Patterns is the catalogue. The first sixteen rows are those of Amazon's
// published online-shop design; the shipment question asks GSI1 without a
// sort key, so that the shipment comes with its items.
var Patterns = []Pattern{
	newPattern(onlineShop, "getCustomerByCustomerId", "table", GetItem, "c#${customerID}", "c#${customerID}"),
	newPattern(onlineShop, "getProductByProductId", "table", GetItem, "p#${productID}", "p#${productID}"),
	newPattern(onlineShop, "getWarehouseByWarehouseId", "table", GetItem, "w#${warehouseID}", "w#${warehouseID}"),
	newPattern(onlineShop, "getProductInventoryByProductId", "table", Query, "p#${productID}", "w#*"),
	newPattern(onlineShop, "getOrderDetailsByOrderId", "table", Query, "o#${orderID}", ""),
	newPattern(onlineShop, "getProductByOrderId", "table", Query, "o#${orderID}", "p#*"),
	newPattern(onlineShop, "getInvoiceByOrderId", "table", Query, "o#${orderID}", "i#*"),
	newPattern(onlineShop, "getShipmentByOrderId", "table", Query, "o#${orderID}", "sh#*"),
	newPattern(onlineShop, "getOrderByProductIdForDateRange", "GSI1", Query, "p#${productID}", "${from} .. ${to}"),
	newPattern(onlineShop, "getInvoiceByInvoiceId", "GSI1", Query, "i#${invoiceID}", "i#${invoiceID}"),
	newPattern(onlineShop, "getPaymentByInvoiceId", "GSI1", Query, "i#${invoiceID}", "i#${invoiceID}"),
	newPattern(onlineShop, "getShipmentDetailsByShipmentId", "GSI1", Query, "sh#${shipmentID}", ""),
	newPattern(onlineShop, "getShipmentByWarehouseId", "GSI2", Query, "w#${warehouseID}", "sh#*"),
	newPattern(onlineShop, "getProductInventoryByWarehouseId", "GSI2", Query, "w#${warehouseID}", "p#*"),
	newPattern(onlineShop, "getInvoiceByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "i#${from} .. i#${to}"),
	newPattern(onlineShop, "getProductsByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "p#${from} .. p#${to}"),

	newPattern(orderEntry, "getEmployeeByEmployeeId", "table", GetItem, "e#${employeeID}", "e#${employeeID}"),
	newPattern(orderEntry, "getEmployeesByName", "GSI1", Query, "employees", "${name}*"),
	newPattern(orderEntry, "getPhoneNumbersByEmployeeId", "table", GetItem, "e#${employeeID}", "e#${employeeID}"),
	newPattern(orderEntry, "getPhoneNumbersByCustomerId", "table", GetItem, "c#${customerID}", "c#${customerID}"),
	newPattern(orderEntry, "getOrdersByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "o#${from} .. o#${to}").showing(orderRow...),
	sharded(newPattern(orderEntry, "getOrdersByStatusForDateRange", "GSI3", Query, "orders#${shard}", "${status}#${from} .. ${status}#${to}").showing(orderRow...)),
	newPattern(orderEntry, "getEmployeesByHireDate", "GSI4", Query, "employees", "${from} .. ${to}"),
	newPattern(orderEntry, "getEmployeesByWarehouseId", "GSI2", Query, "w#${warehouseID}", "e#*"),
	newPattern(orderEntry, "getEmployeesByWarehouseIdAndName", "GSI2", Query, "w#${warehouseID}", "e#${name}*"),
	newPattern(orderEntry, "getItemsOnOrderByProductId", "GSI3", Query, "p#${productID}", "OPEN#*"),
	newPattern(orderEntry, "getInventoryByProductId", "table", Query, "p#${productID}", "w#*"),
	newPattern(orderEntry, "getCustomersByAccountRepId", "GSI4", Query, "e#${employeeID}", "c#*"),
	newPattern(orderEntry, "getOrdersByAccountRepIdForDateRange", "GSI5", Query, "e#${employeeID}", "o#${from} .. o#${to}").showing(orderRow...),
	newPattern(orderEntry, "getOrderItemsByOrderIdAndProductId", "table", GetItem, "o#${orderID}", "p#${productID}"),
	newPattern(orderEntry, "getEmployeesByJobTitle", "GSI3", Query, "j#${jobID}", "e#*"),
	newPattern(orderEntry, "getEmployeesByJobTitleAndName", "GSI3", Query, "j#${jobID}", "e#${name}*"),
	newPattern(orderEntry, "getInventoryByProductIdAndWarehouseId", "table", GetItem, "p#${productID}", "w#${warehouseID}"),
	newPattern(orderEntry, "getTotalInventoryByProductId", "table", Query, "p#${productID}", "w#*"),
	newest(newPattern(orderEntry, "getAccountRepsByOrderTotalForPeriod", "GSI1", Query, "QUOTA#${period}", "")),
	newest(newPattern(orderEntry, "getQuotasByEmployeeId", "table", Query, "e#${employeeID}", "QUOTA#*")),
	ofKinds(newPattern(orderEntry, "getReferenceByKind", "GSI1", Query, "${kind}", "${name}*")),
	newPattern(orderEntry, "getReferenceByKindAndId", "table", GetItem, "${prefix}#${referenceID}", "${prefix}#${referenceID}"),

	newPattern(rentals, "getStores", "GSI1", Query, "v1#stores", ""),
	newPattern(rentals, "getInventoryByStore", "table", Query, "v1#store#storeULID#${storeULID}", "inventory#metadata#inventoryULID#*"),
	newPattern(rentals, "getCurrentEmployeesByStore", "table", Query, "v1#store#storeULID#${storeULID}", "employee#metadata#personULID#*"),
	newPattern(rentals, "getEmploymentByStore", "GSI2", Query, "v1#employment#${storeULID}", ""),
	newPattern(rentals, "getEmploymentByPerson", "GSI3", Query, "v1#employment#${personULID}", ""),
	newPattern(rentals, "getActiveRentalsByPerson", "GSI4", Query, "v1#activeRentals#personULID#${personULID}", ""),
	newPattern(rentals, "getRentalsByPersonAndStore", "GSI3", Query, "v1#rentalPersonLocation#${personULID}", "v1#rentalLocationPerson#${storeULID}#*"),
	newPattern(rentals, "getRentalsByPerson", "GSI3", Query, "v1#rentalPersonLocation#${personULID}", ""),
	newPattern(rentals, "getRentalsByStoreAndPerson", "GSI2", Query, "v1#rentalLocationPerson#${storeULID}", "v1#rentalPersonLocation#${personULID}#*"),
	newest(newPattern(rentals, "getRentalsByInventory", "GSI5", Query, "v1#rentalInventoryPerson#${inventoryULID}", "")),
	newPattern(rentals, "getRentalsByPersonAndInventory", "GSI6", Query, "v1#rentalPersonInventory#${personULID}", "v1#rentalInventoryPerson#${inventoryULID}#*"),
	newPattern(rentals, "getActiveRentalsByStore", "table", Query, "v1#store#storeULID#${storeULID}", "activeRentals#personULID#*"),
	newPattern(rentals, "getActiveRentalsByPersonAndStore", "table", Query, "v1#store#storeULID#${storeULID}", "activeRentals#personULID#${personULID}#inventoryULID#*"),

	newPattern(recurring, "createSubscription", "table", PutItem, "ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"),
	newPattern(recurring, "createReceipt", "table", PutItem, "ACC#${accountID}", "REC#${date}#SKU#${sku}#SUB#${subscriptionID}"),
	newPattern(recurring, "updateSubscription", "table", UpdateItem, "ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"),
	sharded(newPattern(recurring, "getDueRemindersByDate", "GSI1", Query, "reminder#${date}#${shard}", "")),
	noted(sharded(newPattern(recurring, "getDuePaymentsByDate", "GSI2", Query, "payment#${date}#${shard}", "")), "date is NextAttemptDate, which is NextPaymentDate until a payment is declined"),
	newPattern(recurring, "getSubscriptionsByAccount", "table", Query, "ACC#${accountID}", "SUB#*"),
	newPattern(recurring, "getReceiptsByAccount", "table", Query, "ACC#${accountID}", "REC#*"),

	newPattern(backOffice, "getProducts", "GSI3", Query, "products#${bucket}", "${name}*"),
	newPattern(backOffice, "getProductBySKU", "GSI1", Query, "sku#${sku}", ""),
	newPattern(backOffice, "getProductsByCategory", "GSI2", Query, "category#${category}", "${name}*"),
	newPattern(backOffice, "getWarehouses", "GSI3", Query, "warehouses", "${name}*"),
	newPattern(backOffice, "getLowStock", "GSI3", Query, "low#w#${warehouseID}", ""),
	newest(newPattern(backOffice, "getStockMovesByProductAndWarehouse", "table", Query, "p#${productID}", "stock#${warehouseID}#*")),
	newest(newPattern(backOffice, "getStockMovesByWarehouse", "GSI2", Query, "w#${warehouseID}", "stock#*")),
	newPattern(backOffice, "getCustomers", "GSI3", Query, "customers#${bucket}", "${name}*"),
	newPattern(backOffice, "getCustomerByEmail", "GSI1", Query, "email#${email}", ""),
	newPattern(backOffice, "getCustomersByPhone", "GSI2", Query, "phone#${phoneEnd}", "${phone}*"),
	newPattern(backOffice, "getCustomersBySecondPhone", "GSI5", Query, "phone#${phoneEnd}", "${phone}*"),
	newPattern(backOffice, "getCustomersByThirdPhone", "GSI6", Query, "phone#${phoneEnd}", "${phone}*"),
	newest(sharded(newPattern(backOffice, "getOrdersByMonth", "GSI4", Query, "orders#${month}#${shard}", "${from} .. ${to}").showing(orderRow...))),
	sharded(newPattern(backOffice, "getInvoicesByStatusForDateRange", "GSI3", Query, "invoices#${shard}", "${status}#${from} .. ${status}#${to}")),
	newest(sharded(newPattern(backOffice, "getInvoicesByMonth", "GSI4", Query, "invoices#${month}#${shard}", "${from} .. ${to}"))),
	sharded(newPattern(backOffice, "getShipmentsByStatusForDateRange", "GSI3", Query, "shipments#${shard}", "${status}#${from} .. ${status}#${to}")),
	newPattern(backOffice, "getInventoryItem", "GSI1", Query, "v1#inventory#inventoryULID#${inventoryULID}", ""),
	newest(newPattern(backOffice, "getRentalsByStoreNewestFirst", "GSI1", Query, "v1#rentals#storeULID#${storeULID}", "")),
	newest(newPattern(backOffice, "getRentalsByPersonNewestFirst", "GSI4", Query, "v1#rentals#personULID#${personULID}", "")),
	sharded(newPattern(backOffice, "getActiveRentalsDue", "GSI3", Query, "rentals-due#${shard}", "${from} .. ${to}")),
	newPattern(backOffice, "getStoreByStoreULID", "table", GetItem, "v1#store#storeULID#${storeULID}", "metadata"),
	newPattern(backOffice, "getInventoryItemByStore", "table", GetItem, "v1#store#storeULID#${storeULID}", "inventory#metadata#inventoryULID#${inventoryULID}"),
	newPattern(backOffice, "getRentalByRentalULID", "table", GetItem, "v1#rental#rentalULID#${rentalULID}", "metadata"),
	newPattern(backOffice, "getCurrentEmployeeByStore", "table", GetItem, "v1#store#storeULID#${storeULID}", "employee#metadata#personULID#${personULID}"),
	newPattern(backOffice, "getEmploymentByEmploymentULID", "table", GetItem, "v1#employment#employmentULID#${employmentULID}", "metadata"),
	newPattern(backOffice, "getEmploymentByPersonAndStore", "GSI3", Query, "v1#employment#${personULID}", "v1#employment#${storeULID}#*"),
	newPattern(backOffice, "getPersonByPersonULID", "table", GetItem, "v1#person#personULID#${personULID}", "metadata"),
	newPattern(backOffice, "getPartition", "table", Query, "${partition}", ""),
	newPattern(backOffice, "getPartitionOfGSI1", "GSI1", Query, "${partition}", ""),
	newPattern(backOffice, "getPartitionOfGSI2", "GSI2", Query, "${partition}", ""),
	newPattern(backOffice, "getPartitionOfGSI3", "GSI3", Query, "${partition}", ""),
	newPattern(backOffice, "getPartitionOfGSI4", "GSI4", Query, "${partition}", ""),
	newPattern(backOffice, "getPartitionOfGSI5", "GSI5", Query, "${partition}", ""),
	newPattern(backOffice, "getPartitionOfGSI6", "GSI6", Query, "${partition}", ""),
	newest(newPattern(backOffice, "getEventsOfThing", "table", Query, "${partition}", "event#*")),
	newest(sharded(newPattern(backOffice, "getEventsByDay", "GSI1", Query, "events#${day}#${shard}", ""))),
	newest(newPattern(backOffice, "getEventsByUser", "GSI2", Query, "events#user#${user}", "")),
	sharded(newPattern(backOffice, "getTotals", "table", Query, "total#${kind}#${month}#${shard}", "")),
	newPattern(backOffice, "getViewsByUser", "table", Query, "user#${user}", "view#*"),
	newPattern(backOffice, "getSharedViews", "table", Query, "views", "view#*"),
	newPattern(backOffice, "getViewByViewId", "table", GetItem, "${partition}", "view#${viewID}"),
	secret(newPattern(backOffice, "getUsers", "GSI1", Query, "users", "")),
	secret(newPattern(backOffice, "getUser", "table", GetItem, "user#${user}", "user#${user}")),
	secret(newPattern(backOffice, "getSession", "table", GetItem, "session#${hash}", "session#${hash}")),
	secret(newPattern(backOffice, "getSessionsByUser", "GSI1", Query, "sessions#${user}", "")),
	sharded(newPattern(backOffice, "getSubscriptionsByStatus", "GSI3", Query, "subscriptions#${shard}", "${status}#*")),
	newPattern(backOffice, "getSubscriptionBySubscriptionId", "table", GetItem, "ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"),
	newest(newPattern(backOffice, "getAccountByAccountId", "table", Query, "ACC#${accountID}", "")),
	newPattern(backOffice, "getReceiptByDueDate", "table", GetItem, "ACC#${accountID}", "REC#${date}#SKU#${sku}#SUB#${subscriptionID}"),
	newest(newPattern(backOffice, "getJobRuns", "table", Query, "job#${job}", "${from} .. ${to}")),
	newPattern(backOffice, "getJobRunByShard", "table", GetItem, "job#${job}", "${date}#${shard}"),
	sharded(newPattern(backOffice, "getJobResults", "table", Query, "jobResult#${job}#${date}#${shard}", "")),
	sharded(newPattern(backOffice, "getJobFailures", "GSI3", Query, "failures#${job}#${date}#${shard}", "")),
	newPattern(backOffice, "getLease", "table", GetItem, "lease#${name}", "lease#${name}"),
	newPattern(backOffice, "getSettings", "table", GetItem, "settings", "settings"),
	secret(newPattern(backOffice, "getSessionKeys", "table", GetItem, "settings", "session-keys")),
}

// ofKinds is a pattern that asks each list of reference data by its name.
func ofKinds(p Pattern) Pattern {
	for _, kind := range ReferenceKinds {
		p.Kinds = append(p.Kinds, kind.List())
	}
	return p
}

func sharded(p Pattern) Pattern { p.Sharded = true; return p }

func newest(p Pattern) Pattern { p.Newest = true; return p }

func noted(p Pattern, note string) Pattern { p.Note = note; return p }

func secret(p Pattern) Pattern { p.Secret = true; return p }

// pattern binds a name that the code asks by to its row of the catalogue. A
// name without a row is a mistake in the program, found when it starts.
func pattern(name string) *Pattern {
	p, found := PatternByName(name)
	if !found {
		panic("store: no pattern is called " + name)
	}
	return p
}

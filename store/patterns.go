package store

import "stockroom/store/table"

// The parts of the business that share the table.
const (
	onlineShop = "online shop"
	recurring  = "recurring payments"
	orderEntry = "order entry"
	rentals    = "kayak rental"
	backOffice = "back office"
)

// The access patterns that the code uses.
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

	getCustomerOrders  = pattern("getOrdersByCustomerIdForDateRange")
	getOrdersByStatus  = pattern("getOrdersByStatusForDateRange")
	getOrderItself     = pattern("getOrderByOrderIdAndCustomerId")
	getInvoiceItself   = pattern("getInvoiceByOrderIdAndInvoiceId")
	getInvoiceByNumber = pattern("getInvoiceByNumber")

	getCreditNote          = pattern("getCreditNoteByCreditNoteId")
	getCreditNoteByNumber  = pattern("getCreditNoteByNumber")
	getOrderCreditNotes    = pattern("getCreditNotesByOrderId")
	getCustomerCreditNotes = pattern("getCreditNotesByCustomerIdForDateRange")
	getShipmentItself      = pattern("getShipmentByOrderIdAndShipmentId")
	getStockInWarehouse    = pattern("getInventoryByProductIdAndWarehouseId")
	getProducts            = pattern("getProducts")
	getProductBySKU        = pattern("getProductBySKU")
	getProductsInGroup     = pattern("getProductsByCategory")
	getWarehouses          = pattern("getWarehouses")
	getLowStock            = pattern("getLowStock")
	getOutOfStock          = pattern("getOutOfStock")
	getStockMoves          = pattern("getStockMovesByProductAndWarehouse")
	getStockMovesBetween   = pattern("getStockMovesForIdRange")
	getWarehouseMoves      = pattern("getStockMovesByWarehouse")
	getShippedMoves        = pattern("getShippedStockMovesByWarehouse")
	getProductShipped      = pattern("getShippedItemsByProductAndWarehouse")
	getWarehouseShipped    = pattern("getShippedItemsByWarehouse")
	getStockCount          = pattern("getStockCountByProductId")
	getStockSlot           = pattern("getStockSlotByProductId")
	getDelivery            = pattern("getExpectedDeliveryById")
	getDeliveries          = pattern("getExpectedDeliveriesByWarehouse")
	getProductDeliveries   = pattern("getExpectedDeliveriesByProduct")
	getStockDeliveries     = pattern("getExpectedDeliveriesByProductAndWarehouse")
	getTransfer            = pattern("getTransferById")
	getTransfersTo         = pattern("getTransfersByTarget")
	getTransfersFrom       = pattern("getTransfersBySource")
	getProductTransfers    = pattern("getTransfersByProduct")
	getStockTransfers      = pattern("getTransfersByProductAndTarget")
	getStockByBin          = pattern("getStockByWarehouseAndBin")
	getCount               = pattern("getCountById")
	getCounts              = pattern("getCountsByWarehouse")
	getCountRows           = pattern("getCountRows")
	getCountRow            = pattern("getCountRowByNumber")
	getCountRowOfProduct   = pattern("getCountRowByProduct")
	getCustomers           = pattern("getCustomers")
	getCustomerByEmail     = pattern("getCustomerByEmail")
	getCustomersByPhone    = [...]*Pattern{pattern("getCustomersByPhone"), pattern("getCustomersBySecondPhone"), pattern("getCustomersByThirdPhone")}
	getOrdersByMonth       = pattern("getOrdersByMonth")
	getInvoicesByStatus    = pattern("getInvoicesByStatusForDateRange")
	getInvoicesByMonth     = pattern("getInvoicesByMonth")
	getShipmentsByStatus   = pattern("getShipmentsByStatusForDateRange")
	getByWords             = pattern("getRecordsByWords")

	getStores                  = pattern("getStores")
	getStore                   = pattern("getStoreByStoreULID")
	getStoreInventory          = pattern("getInventoryByStore")
	getStoreEmployees          = pattern("getCurrentEmployeesByStore")
	getEmploymentsByStore      = pattern("getEmploymentByStore")
	getEmploymentsByPerson     = pattern("getEmploymentByPerson")
	getStoreEmploymentsNewest  = pattern("getEmploymentByStoreNewestFirst")
	getEmploymentsNewest       = pattern("getEmploymentByPersonNewestFirst")
	getActiveRentalsByPerson   = pattern("getActiveRentalsByPerson")
	getActiveRentalsByStore    = pattern("getActiveRentalsByStore")
	getActiveRentalsOfBoth     = pattern("getActiveRentalsByPersonAndStore")
	getActiveRentalsDue        = pattern("getActiveRentalsDue")
	getActiveRental            = pattern("getActiveRentalByStorePersonAndKayak")
	getRentalsByPersonAndStore = pattern("getRentalsByPersonAndStore")
	getRentalsByPerson         = pattern("getRentalsByPerson")
	getRentalsByStoreAndPerson = pattern("getRentalsByStoreAndPerson")
	getRentalsByKayak          = pattern("getRentalsByInventory")
	getRentalsByPersonAndKayak = pattern("getRentalsByPersonAndInventory")
	getRentalsByStoreNewest    = pattern("getRentalsByStoreNewestFirst")
	getRentalsByPersonNewest   = pattern("getRentalsByPersonNewestFirst")
	getStoreInventoryItem      = pattern("getInventoryItemByStore")
	getStoreEmployee           = pattern("getCurrentEmployeeByStore")
	getTakings                 = pattern("getRentalPaymentsByStoreAndDay")
	getRentalPayment           = pattern("getRentalPaymentByStoreAndDay")
	getUnpaidRentals           = pattern("getUnpaidRentalsByStore")
	getPaymentsByRenter        = pattern("getRentalPaymentsByPerson")
	getPaymentsByRenterAtStore = pattern("getRentalPaymentsByPersonAndStore")
	getBooking                 = pattern("getBookingByBookingULID")
	getBookingsByKayak         = pattern("getOpenBookingsByInventory")
	getBookingsByPerson        = pattern("getBookingsByPersonNewestFirst")
	getBookingsByStatus        = pattern("getBookingsByStoreAndStatusForDateRange")
	getBookingsByStore         = pattern("getBookingsByStoreForDateRange")
	getBookingDays             = pattern("getBookingDaysByStoreAndWeek")
	getEmployment              = pattern("getEmploymentByEmploymentULID")
	getPerson                  = pattern("getPersonByPersonULID")
	getSamePerson              = pattern("getSamePersonByPersonId")
	getRental                  = pattern("getRentalByRentalULID")
	getInventoryItem           = pattern("getInventoryItem")

	getEmployee            = pattern("getEmployeeByEmployeeId")
	getEmployees           = pattern("getEmployeesByName")
	getEmployeePhones      = pattern("getPhoneNumbersByEmployeeId")
	getCustomerPhones      = pattern("getPhoneNumbersByCustomerId")
	getEmployeesByHireDate = pattern("getEmployeesByHireDate")
	getWarehouseStaff      = pattern("getEmployeesByWarehouseId")
	getEmployeesByJob      = pattern("getEmployeesByJobTitle")
	getItemsOnOrder        = pattern("getItemsOnOrderByProductId")
	getInventory           = pattern("getInventoryByProductId")
	getTotalInventory      = pattern("getTotalInventoryByProductId")
	getRepCustomers        = pattern("getCustomersByAccountRepId")
	getRepOrders           = pattern("getOrdersByAccountRepIdForDateRange")
	getOrderItem           = pattern("getOrderItemsByOrderIdAndProductId")
	getQuotasOfPeriod      = pattern("getAccountRepsByOrderTotalForPeriod")
	getQuotasOfEmployee    = pattern("getQuotasByEmployeeId")
	getQuota               = pattern("getQuotaByEmployeeIdAndPeriod")
	getQuotaSlots          = pattern("getQuotaSlotsByEmployeeIdAndPeriod")
	getReferences          = pattern("getReferenceByKind")
	getReference           = pattern("getReferenceByKindAndId")
	getFormerCategories    = pattern("getFormerCategories")
	getFormerCategory      = pattern("getFormerCategoryByCategoryId")

	getSubscription         = pattern("getSubscriptionBySubscriptionId")
	getSubscriptions        = pattern("getSubscriptionsByAccount")
	getReceipts             = pattern("getReceiptsByAccount")
	getAccount              = pattern("getAccountByAccountId")
	getReceipt              = pattern("getReceiptByDueDate")
	getDueReminders         = pattern("getDueRemindersByDate")
	getDuePayments          = pattern("getDuePaymentsByDate")
	getSubscriptionsInState = pattern("getSubscriptionsByStatus")
	getSubscriptionsBehind  = pattern("getSubscriptionsByStatusForDateRange")
	getEmail                = pattern("getEmailByEmailId")
	getCardLink             = pattern("getCardLinkByLinkId")
	getPasswordLink         = pattern("getPasswordLinkByLinkId")
	getEmailsByStatus       = pattern("getEmailsByStatusForDateRange")
	getEmailsOfCustomer     = pattern("getEmailsByCustomerId")
	getJobRuns              = pattern("getJobRuns")
	getJobRun               = pattern("getJobRunByShard")
	getJobResults           = pattern("getJobResults")
	getJobFailures          = pattern("getJobFailures")
	getJobBacklog           = pattern("getJobBacklog")
	getJobCounts            = pattern("getJobCounts")
	getJobTotals            = pattern("getJobTotals")
	getLease                = pattern("getLease")
	getCheckReport          = pattern("getCheckReport")
	getErasureReport        = pattern("getErasureReport")
	getCostsOfMonth         = pattern("getCostsByMonth")
	getDayCosts             = pattern("getCostsByDayAndSlot")
	getBulkChanges          = pattern("getBulkChangesByUser")
	getBulkChangesOfAll     = pattern("getBulkChangesByMonth")
	getBulkChange           = pattern("getBulkChangeById")
	getBulkRows             = pattern("getBulkRows")
	getBulkFailures         = pattern("getBulkFailures")
	getBulkSkipped          = pattern("getBulkSkipped")
	getImports              = pattern("getImports")
	getImport               = pattern("getImportByImportId")
	getImportMapping        = pattern("getImportMappingByHeader")

	getOwnViews             = pattern("getViewsByUser")
	getSharedViews          = pattern("getSharedViews")
	getEmailedViews         = pattern("getEmailedViews")
	getView                 = pattern("getViewByViewId")
	getUsers                = pattern("getUsers")
	getUser                 = pattern("getUser")
	getSession              = pattern("getSession")
	getAccessToken          = pattern("getAccessToken")
	getAccessTokensByUser   = pattern("getAccessTokensByUser")
	getProviderIdentity     = pattern("getProviderIdentity")
	getSecondFactor         = pattern("getSecondFactor")
	getSessionsByUser       = pattern("getSessionsByUser")
	getSecondFactorByHandle = pattern("getSecondFactorByHandle")
	getSignInCount          = pattern("getSignInCount")
	getSettings             = pattern("getSettings")
	getLogo                 = pattern("getLogo")
	getNumberSeries         = pattern("getNumberSeries")
	getSessionKeys          = pattern("getSessionKeys")
	getTotals               = pattern("getTotals")
	getEventsOfThing        = pattern("getEventsOfThing")
	getEvent                = pattern("getEventByEventId")
	getEventsByDay          = pattern("getEventsByDay")
	getEventsByUser         = pattern("getEventsByUser")
	getPartition            = pattern("getPartition")
	getImportedEvents       = pattern("getImportedEventsByDay")
	getAuditSeals           = pattern("getAuditSealsByYear")
	getAuditSeal            = pattern("getAuditSealByDay")
	getNews                 = pattern("getNewsByMonth")
	getVisit                = pattern("getVisitByUser")
)

// orderRow contains the attributes that queries for lists of orders return.
var orderRow = []string{"Date", "Status", "Total", "CustomerName", "ItemCount", "PaymentState", "ShipmentState", "OpenLines"}

// Patterns lists all access patterns. The first sixteen come from Amazon's published design
// of an online shop. getShipmentDetailsByShipmentId has no condition on the sort key, so
// that it also returns the items of the shipment.
var Patterns = []Pattern{
	table.NewPattern(onlineShop, "getCustomerByCustomerId", "table", table.OpGetItem, "c#${customerID}", "c#${customerID}"),
	table.NewPattern(onlineShop, "getProductByProductId", "table", table.OpGetItem, "p#${productID}", "p#${productID}"),
	table.NewPattern(onlineShop, "getWarehouseByWarehouseId", "table", table.OpGetItem, "w#${warehouseID}", "w#${warehouseID}"),
	table.NewPattern(onlineShop, "getProductInventoryByProductId", "table", table.OpQuery, "p#${productID}", "w#*"),
	table.NewPattern(onlineShop, "getOrderDetailsByOrderId", "table", table.OpQuery, "o#${orderID}", ""),
	table.NewPattern(onlineShop, "getProductByOrderId", "table", table.OpQuery, "o#${orderID}", "p#*"),
	table.NewPattern(onlineShop, "getInvoiceByOrderId", "table", table.OpQuery, "o#${orderID}", "i#*"),
	table.NewPattern(onlineShop, "getShipmentByOrderId", "table", table.OpQuery, "o#${orderID}", "sh#*"),
	table.NewPattern(onlineShop, "getOrderByProductIdForDateRange", "GSI1", table.OpQuery, "p#${productID}", "${from} .. ${to}"),
	table.NewPattern(onlineShop, "getInvoiceByInvoiceId", "GSI1", table.OpQuery, "i#${invoiceID}", "i#${invoiceID}"),
	table.NewPattern(onlineShop, "getPaymentByInvoiceId", "GSI1", table.OpQuery, "i#${invoiceID}", "i#${invoiceID}"),
	table.NewPattern(onlineShop, "getShipmentDetailsByShipmentId", "GSI1", table.OpQuery, "sh#${shipmentID}", ""),
	table.NewPattern(onlineShop, "getShipmentByWarehouseId", "GSI2", table.OpQuery, "w#${warehouseID}", "sh#*"),
	table.NewPattern(onlineShop, "getProductInventoryByWarehouseId", "GSI2", table.OpQuery, "w#${warehouseID}", "p#*"),
	table.NewPattern(onlineShop, "getInvoiceByCustomerIdForDateRange", "GSI2", table.OpQuery, "c#${customerID}", "i#${from} .. i#${to}"),
	table.NewPattern(onlineShop, "getProductsByCustomerIdForDateRange", "GSI2", table.OpQuery, "c#${customerID}", "p#${from} .. p#${to}"),

	table.NewPattern(orderEntry, "getEmployeeByEmployeeId", "table", table.OpGetItem, "e#${employeeID}", "e#${employeeID}"),
	table.NewPattern(orderEntry, "getEmployeesByName", "GSI1", table.OpQuery, "employees", "${name}*"),
	table.NewPattern(orderEntry, "getPhoneNumbersByEmployeeId", "table", table.OpGetItem, "e#${employeeID}", "e#${employeeID}"),
	table.NewPattern(orderEntry, "getPhoneNumbersByCustomerId", "table", table.OpGetItem, "c#${customerID}", "c#${customerID}"),
	table.NewPattern(orderEntry, "getOrdersByCustomerIdForDateRange", "GSI2", table.OpQuery, "c#${customerID}", "o#${from} .. o#${to}").Project(orderRow...),
	sharded(table.NewPattern(orderEntry, "getOrdersByStatusForDateRange", "GSI3", table.OpQuery, "orders#${shard}", "${status}#${from} .. ${status}#${to}").Project(orderRow...)),
	table.NewPattern(orderEntry, "getEmployeesByHireDate", "GSI4", table.OpQuery, "employees", "${from} .. ${to}"),
	table.NewPattern(orderEntry, "getEmployeesByWarehouseId", "GSI2", table.OpQuery, "w#${warehouseID}", "e#*"),
	table.NewPattern(orderEntry, "getItemsOnOrderByProductId", "GSI3", table.OpQuery, "p#${productID}", "OPEN#*"),
	table.NewPattern(orderEntry, "getInventoryByProductId", "table", table.OpQuery, "p#${productID}", "w#*"),
	table.NewPattern(orderEntry, "getCustomersByAccountRepId", "GSI4", table.OpQuery, "e#${employeeID}", "c#*"),
	table.NewPattern(orderEntry, "getOrdersByAccountRepIdForDateRange", "GSI5", table.OpQuery, "e#${employeeID}", "o#${from} .. o#${to}").Project(orderRow...),
	table.NewPattern(orderEntry, "getOrderItemsByOrderIdAndProductId", "table", table.OpGetItem, "o#${orderID}", "p#${productID}"),
	table.NewPattern(orderEntry, "getEmployeesByJobTitle", "GSI3", table.OpQuery, "j#${jobID}", "e#*"),
	table.NewPattern(orderEntry, "getInventoryByProductIdAndWarehouseId", "table", table.OpGetItem, "p#${productID}", "w#${warehouseID}"),
	table.NewPattern(orderEntry, "getTotalInventoryByProductId", "table", table.OpQuery, "p#${productID}", "w#*"),
	newest(table.NewPattern(orderEntry, "getAccountRepsByOrderTotalForPeriod", "GSI1", table.OpQuery, "QUOTA#${period}", "")),
	newest(table.NewPattern(orderEntry, "getQuotasByEmployeeId", "table", table.OpQuery, "e#${employeeID}", "QUOTA#*")),
	ofKinds(table.NewPattern(orderEntry, "getReferenceByKind", "GSI1", table.OpQuery, "${kind}", "${name}*")),
	table.NewPattern(orderEntry, "getReferenceByKindAndId", "table", table.OpGetItem, "${prefix}#${referenceID}", "${prefix}#${referenceID}"),

	table.NewPattern(rentals, "getStores", "GSI1", table.OpQuery, "v1#stores", ""),
	table.NewPattern(rentals, "getInventoryByStore", "table", table.OpQuery, "v1#store#storeULID#${storeULID}", "inventory#metadata#inventoryULID#*"),
	table.NewPattern(rentals, "getCurrentEmployeesByStore", "table", table.OpQuery, "v1#store#storeULID#${storeULID}", "employee#metadata#personULID#*"),
	table.NewPattern(rentals, "getEmploymentByStore", "GSI2", table.OpQuery, "v1#employment#${storeULID}", ""),
	table.NewPattern(rentals, "getEmploymentByPerson", "GSI3", table.OpQuery, "v1#employment#${personULID}", ""),
	table.NewPattern(rentals, "getActiveRentalsByPerson", "GSI4", table.OpQuery, "v1#activeRentals#personULID#${personULID}", ""),
	table.NewPattern(rentals, "getRentalsByPersonAndStore", "GSI3", table.OpQuery, "v1#rentalPersonLocation#${personULID}", "v1#rentalLocationPerson#${storeULID}#*"),
	table.NewPattern(rentals, "getRentalsByPerson", "GSI3", table.OpQuery, "v1#rentalPersonLocation#${personULID}", ""),
	table.NewPattern(rentals, "getRentalsByStoreAndPerson", "GSI2", table.OpQuery, "v1#rentalLocationPerson#${storeULID}", "v1#rentalPersonLocation#${personULID}#*"),
	newest(table.NewPattern(rentals, "getRentalsByInventory", "GSI5", table.OpQuery, "v1#rentalInventoryPerson#${inventoryULID}", "")),
	table.NewPattern(rentals, "getRentalsByPersonAndInventory", "GSI6", table.OpQuery, "v1#rentalPersonInventory#${personULID}", "v1#rentalInventoryPerson#${inventoryULID}#*"),
	table.NewPattern(rentals, "getActiveRentalsByStore", "table", table.OpQuery, "v1#store#storeULID#${storeULID}", "activeRentals#personULID#*"),
	table.NewPattern(rentals, "getActiveRentalsByPersonAndStore", "table", table.OpQuery, "v1#store#storeULID#${storeULID}", "activeRentals#personULID#${personULID}#inventoryULID#*"),

	table.NewPattern(recurring, "createSubscription", "table", table.OpPutItem, "ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"),
	table.NewPattern(recurring, "createReceipt", "table", table.OpPutItem, "ACC#${accountID}", "REC#${date}#SKU#${sku}#SUB#${subscriptionID}"),
	table.NewPattern(recurring, "updateSubscription", "table", table.OpUpdateItem, "ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"),
	sharded(table.NewPattern(recurring, "getDueRemindersByDate", "GSI1", table.OpQuery, "reminder#${date}#${shard}", "")),
	noted(sharded(table.NewPattern(recurring, "getDuePaymentsByDate", "GSI2", table.OpQuery, "payment#${date}#${shard}", "")), "date is NextAttemptDate, which is NextPaymentDate until a payment is declined"),
	table.NewPattern(recurring, "getSubscriptionsByAccount", "table", table.OpQuery, "ACC#${accountID}", "SUB#*"),
	table.NewPattern(recurring, "getReceiptsByAccount", "table", table.OpQuery, "ACC#${accountID}", "REC#*"),

	table.NewPattern(backOffice, "getProducts", "GSI3", table.OpQuery, "products#${bucket}", "${name}*"),
	table.NewPattern(backOffice, "getProductBySKU", "GSI1", table.OpQuery, "sku#${sku}", ""),
	table.NewPattern(backOffice, "getProductsByCategory", "GSI2", table.OpQuery, "category#${category}", "${name}*"),
	table.NewPattern(backOffice, "getWarehouses", "GSI3", table.OpQuery, "warehouses", "${name}*"),
	table.NewPattern(backOffice, "getLowStock", "GSI3", table.OpQuery, "low#w#${warehouseID}", ""),
	table.NewPattern(backOffice, "getOutOfStock", "GSI3", table.OpQuery, "low#w#${warehouseID}", "${lowQuantity}#*"),
	newest(table.NewPattern(backOffice, "getStockMovesByProductAndWarehouse", "table", table.OpQuery, "p#${productID}", "stock#${warehouseID}#*")),
	table.NewPattern(backOffice, "getStockMovesForIdRange", "table", table.OpQuery, "p#${productID}", "stock#${warehouseID}#${from} .. stock#${warehouseID}#${to}"),
	newest(table.NewPattern(backOffice, "getStockMovesByWarehouse", "GSI2", table.OpQuery, "w#${warehouseID}", "stock#*")),
	newest(table.NewPattern(backOffice, "getShippedStockMovesByWarehouse", "GSI4", table.OpQuery, "ledger#w#${warehouseID}", "stock#*")),
	newest(table.NewPattern(backOffice, "getShippedItemsByProductAndWarehouse", "GSI2", table.OpQuery, "shipped#p#${productID}", "stock#${warehouseID}#*")),
	newest(table.NewPattern(backOffice, "getShippedItemsByWarehouse", "GSI4", table.OpQuery, "shipped#w#${warehouseID}", "stock#*")),
	table.NewPattern(backOffice, "getStockCountByProductId", "table", table.OpGetItem, "p#${productID}", "counts#${slot}"),
	table.NewPattern(backOffice, "getStockSlotByProductId", "table", table.OpGetItem, "counts#${productID}#${slot}", "counts#${slot}"),
	table.NewPattern(backOffice, "getQuotaByEmployeeIdAndPeriod", "table", table.OpGetItem, "e#${employeeID}", "QUOTA#${period}"),
	table.NewPattern(backOffice, "getQuotaSlotsByEmployeeIdAndPeriod", "table", table.OpQuery, "e#${employeeID}", "sold#${period}#*"),
	table.NewPattern(backOffice, "getExpectedDeliveryById", "table", table.OpGetItem, "p#${productID}", "delivery#${warehouseID}#${deliveryID}"),
	table.NewPattern(backOffice, "getExpectedDeliveriesByWarehouse", "GSI2", table.OpQuery, "w#${warehouseID}", "delivery#${from} .. delivery#${to}"),
	table.NewPattern(backOffice, "getExpectedDeliveriesByProduct", "GSI3", table.OpQuery, "p#${productID}", "delivery#*"),
	table.NewPattern(backOffice, "getExpectedDeliveriesByProductAndWarehouse", "GSI3", table.OpQuery, "p#${productID}", "delivery#${warehouseID}#*"),
	table.NewPattern(backOffice, "getStockByWarehouseAndBin", "GSI4", table.OpQuery, "w#${warehouseID}", "bin#${from} .. bin#${to}"),
	table.NewPattern(backOffice, "getCountById", "table", table.OpGetItem, "count#${countID}", "count#${countID}"),
	newest(table.NewPattern(backOffice, "getCountsByWarehouse", "GSI2", table.OpQuery, "w#${warehouseID}", "count#*")),
	table.NewPattern(backOffice, "getFormerCategories", "GSI1", table.OpQuery, "formerCategories", ""),
	table.NewPattern(backOffice, "getFormerCategoryByCategoryId", "table", table.OpGetItem, "cat#${categoryID}", "former"),
	table.NewPattern(backOffice, "getCountRows", "table", table.OpQuery, "countRows#${sheet}", "row#${from} .. row#${to}"),
	table.NewPattern(backOffice, "getCountRowByNumber", "table", table.OpGetItem, "countRows#${sheet}", "row#${number}"),
	table.NewPattern(backOffice, "getCountRowByProduct", "GSI1", table.OpQuery, "countRows#${sheet}", "p#${productID}"),
	table.NewPattern(backOffice, "getTransferById", "table", table.OpGetItem, "p#${productID}", "transfer#${transferID}"),
	table.NewPattern(backOffice, "getTransfersByTarget", "GSI2", table.OpQuery, "w#${warehouseID}", "transfer#${from} .. transfer#${to}"),
	table.NewPattern(backOffice, "getTransfersBySource", "GSI4", table.OpQuery, "w#${warehouseID}", "transfer#${from} .. transfer#${to}"),
	table.NewPattern(backOffice, "getTransfersByProduct", "GSI3", table.OpQuery, "p#${productID}", "transfer#*"),
	table.NewPattern(backOffice, "getTransfersByProductAndTarget", "GSI3", table.OpQuery, "p#${productID}", "transfer#${warehouseID}#*"),
	table.NewPattern(backOffice, "getCustomers", "GSI3", table.OpQuery, "customers#${bucket}", "${name}*"),
	table.NewPattern(backOffice, "getCustomerByEmail", "GSI1", table.OpQuery, "email#${email}", ""),
	table.NewPattern(backOffice, "getCustomersByPhone", "GSI2", table.OpQuery, "phone#${phoneEnd}", "${phone}*"),
	table.NewPattern(backOffice, "getCustomersBySecondPhone", "GSI5", table.OpQuery, "phone#${phoneEnd}", "${phone}*"),
	table.NewPattern(backOffice, "getCustomersByThirdPhone", "GSI6", table.OpQuery, "phone#${phoneEnd}", "${phone}*"),
	newest(sharded(table.NewPattern(backOffice, "getOrdersByMonth", "GSI4", table.OpQuery, "orders#${month}#${shard}", "${from} .. ${to}").Project(orderRow...))),
	noted(sharded(table.NewPattern(backOffice, "getInvoicesByStatusForDateRange", "GSI3", table.OpQuery, "invoices#${shard}", "${status}#${from} .. ${status}#${to}")), "status is TO_REFUND for an invoice that has the status PAID and an amount to refund"),
	newest(sharded(table.NewPattern(backOffice, "getInvoicesByMonth", "GSI4", table.OpQuery, "invoices#${month}#${shard}", "${from} .. ${to}"))),
	sharded(table.NewPattern(backOffice, "getShipmentsByStatusForDateRange", "GSI3", table.OpQuery, "shipments#${shard}", "${status}#${from} .. ${status}#${to}")),
	table.NewPattern(backOffice, "getOrderByOrderIdAndCustomerId", "table", table.OpGetItem, "o#${orderID}", "c#${customerID}"),
	table.NewPattern(backOffice, "getInvoiceByOrderIdAndInvoiceId", "table", table.OpGetItem, "o#${orderID}", "i#${invoiceID}"),
	table.NewPattern(backOffice, "getInvoiceByNumber", "GSI5", table.OpQuery, "number#${number}", "i#*"),
	table.NewPattern(backOffice, "getCreditNoteByCreditNoteId", "GSI1", table.OpQuery, "cn#${creditNoteID}", "cn#${creditNoteID}"),
	table.NewPattern(backOffice, "getCreditNoteByNumber", "GSI5", table.OpQuery, "number#${number}", "cn#*"),
	table.NewPattern(backOffice, "getCreditNotesByOrderId", "table", table.OpQuery, "o#${orderID}", "cn#*"),
	table.NewPattern(backOffice, "getCreditNotesByCustomerIdForDateRange", "GSI2", table.OpQuery, "c#${customerID}", "cn#${from} .. cn#${to}"),
	table.NewPattern(backOffice, "getShipmentByOrderIdAndShipmentId", "table", table.OpGetItem, "o#${orderID}", "sh#${shipmentID}"),
	noted(sharded(table.NewPattern(backOffice, "getRecordsByWords", "table", table.OpQuery, "words#${group}#${initials}#${shard}", "${words}*").Project()), "people have three shards, other groups one"),
	table.NewPattern(backOffice, "getInventoryItem", "GSI1", table.OpQuery, "v1#inventory#inventoryULID#${inventoryULID}", ""),
	newest(table.NewPattern(backOffice, "getRentalsByStoreNewestFirst", "GSI1", table.OpQuery, "v1#rentals#storeULID#${storeULID}", "")),
	newest(table.NewPattern(backOffice, "getRentalsByPersonNewestFirst", "GSI4", table.OpQuery, "v1#rentals#personULID#${personULID}", "")),
	table.NewPattern(backOffice, "getActiveRentalByStorePersonAndKayak", "table", table.OpGetItem, "v1#store#storeULID#${storeULID}", "activeRentals#personULID#${personULID}#inventoryULID#${inventoryULID}"),
	sharded(table.NewPattern(backOffice, "getActiveRentalsDue", "GSI3", table.OpQuery, "rentals-due#${shard}", "${from} .. ${to}")),
	table.NewPattern(backOffice, "getStoreByStoreULID", "table", table.OpGetItem, "v1#store#storeULID#${storeULID}", "metadata"),
	table.NewPattern(backOffice, "getInventoryItemByStore", "table", table.OpGetItem, "v1#store#storeULID#${storeULID}", "inventory#metadata#inventoryULID#${inventoryULID}"),
	table.NewPattern(backOffice, "getRentalByRentalULID", "table", table.OpGetItem, "v1#rental#rentalULID#${rentalULID}", "metadata"),
	table.NewPattern(backOffice, "getRentalPaymentsByStoreAndDay", "table", table.OpQuery, "v1#takings#storeULID#${storeULID}#${day}", ""),
	table.NewPattern(backOffice, "getRentalPaymentByStoreAndDay", "table", table.OpGetItem, "v1#takings#storeULID#${storeULID}#${day}", "payment#${paymentULID}"),
	table.NewPattern(backOffice, "getUnpaidRentalsByStore", "GSI3", table.OpQuery, "v1#unpaidRentals#storeULID#${storeULID}", ""),
	newest(table.NewPattern(backOffice, "getRentalPaymentsByPerson", "GSI2", table.OpQuery, "v1#rentalPayments#personULID#${personULID}", "")),
	newest(table.NewPattern(backOffice, "getRentalPaymentsByPersonAndStore", "GSI4", table.OpQuery, "v1#rentalPayments#personULID#${personULID}#storeULID#${storeULID}", "")),
	table.NewPattern(backOffice, "getBookingByBookingULID", "table", table.OpGetItem, "v1#booking#bookingULID#${bookingULID}", "metadata"),
	table.NewPattern(backOffice, "getOpenBookingsByInventory", "GSI1", table.OpQuery, "v1#bookings#inventoryULID#${inventoryULID}", ""),
	newest(table.NewPattern(backOffice, "getBookingsByPersonNewestFirst", "GSI2", table.OpQuery, "v1#bookings#personULID#${personULID}", "")),
	table.NewPattern(backOffice, "getBookingsByStoreAndStatusForDateRange", "GSI3", table.OpQuery, "v1#bookings#storeULID#${storeULID}", "${status}#${from} .. ${status}#${to}"),
	table.NewPattern(backOffice, "getBookingsByStoreForDateRange", "GSI4", table.OpQuery, "v1#bookings#storeULID#${storeULID}", "${from} .. ${to}"),
	table.NewPattern(backOffice, "getBookingDaysByStoreAndWeek", "table", table.OpQuery, "v1#bookingDays#storeULID#${storeULID}#${week}", "${from} .. ${to}"),
	table.NewPattern(backOffice, "getCurrentEmployeeByStore", "table", table.OpGetItem, "v1#store#storeULID#${storeULID}", "employee#metadata#personULID#${personULID}"),
	table.NewPattern(backOffice, "getEmploymentByEmploymentULID", "table", table.OpGetItem, "v1#employment#employmentULID#${employmentULID}", "metadata"),
	newest(table.NewPattern(backOffice, "getEmploymentByStoreNewestFirst", "GSI1", table.OpQuery, "v1#employments#storeULID#${storeULID}", "${from} .. ${to}")),
	newest(table.NewPattern(backOffice, "getEmploymentByPersonNewestFirst", "GSI4", table.OpQuery, "v1#employments#personULID#${personULID}", "${from} .. ${to}")),
	table.NewPattern(backOffice, "getPersonByPersonULID", "table", table.OpGetItem, "v1#person#personULID#${personULID}", "metadata"),
	table.NewPattern(backOffice, "getSamePersonByPersonId", "table", table.OpGetItem, "samePerson#${personID}", "samePerson#${personID}"),
	table.NewPattern(backOffice, "getPartition", "table", table.OpQuery, "${partition}", ""),
	table.NewPattern(backOffice, "getPartitionOfGSI1", "GSI1", table.OpQuery, "${partition}", ""),
	table.NewPattern(backOffice, "getPartitionOfGSI2", "GSI2", table.OpQuery, "${partition}", ""),
	table.NewPattern(backOffice, "getPartitionOfGSI3", "GSI3", table.OpQuery, "${partition}", ""),
	table.NewPattern(backOffice, "getPartitionOfGSI4", "GSI4", table.OpQuery, "${partition}", ""),
	table.NewPattern(backOffice, "getPartitionOfGSI5", "GSI5", table.OpQuery, "${partition}", ""),
	table.NewPattern(backOffice, "getPartitionOfGSI6", "GSI6", table.OpQuery, "${partition}", ""),
	newest(table.NewPattern(backOffice, "getEventsOfThing", "table", table.OpQuery, "${partition}", "event#*")),
	table.NewPattern(backOffice, "getEventByEventId", "table", table.OpGetItem, "${partition}", "event#${eventID}"),
	newest(sharded(table.NewPattern(backOffice, "getEventsByDay", "GSI1", table.OpQuery, "events#${day}#${shard}", ""))),
	newest(table.NewPattern(backOffice, "getEventsByUser", "GSI2", table.OpQuery, "events#user#${user}", "")),
	sharded(table.NewPattern(backOffice, "getImportedEventsByDay", "GSI3", table.OpQuery, "importedEvents#${day}#${shard}", "")),
	newest(sharded(table.NewPattern(backOffice, "getNewsByMonth", "GSI4", table.OpQuery, "news#${month}#${shard}", "${from} .. ${to}"))),
	table.NewPattern(backOffice, "getVisitByUser", "table", table.OpGetItem, "user#${user}", "visit"),
	newest(table.NewPattern(backOffice, "getAuditSealsByYear", "table", table.OpQuery, "auditSeals#${year}", "")),
	table.NewPattern(backOffice, "getAuditSealByDay", "table", table.OpGetItem, "auditSeals#${year}", "${day}"),
	sharded(table.NewPattern(backOffice, "getTotals", "table", table.OpQuery, "total#${kind}#${month}#${shard}", "")),
	table.NewPattern(backOffice, "getViewsByUser", "table", table.OpQuery, "user#${user}", "view#*"),
	table.NewPattern(backOffice, "getSharedViews", "table", table.OpQuery, "views", "view#*"),
	table.NewPattern(backOffice, "getEmailedViews", "GSI1", table.OpQuery, "viewEmails", ""),
	table.NewPattern(backOffice, "getViewByViewId", "table", table.OpGetItem, "${partition}", "view#${viewID}"),
	secret(table.NewPattern(backOffice, "getUsers", "GSI1", table.OpQuery, "users", "")),
	secret(table.NewPattern(backOffice, "getUser", "table", table.OpGetItem, "user#${user}", "user#${user}")),
	secret(table.NewPattern(backOffice, "getProviderIdentity", "table", table.OpGetItem, "identity#${hash}", "identity#${hash}")),
	secret(table.NewPattern(backOffice, "getSecondFactor", "table", table.OpGetItem, "user#${user}", "second-factor")),
	secret(table.NewPattern(backOffice, "getSecondFactorByHandle", "GSI1", table.OpQuery, "secondFactors#${handle}", "")),
	secret(table.NewPattern(backOffice, "getSession", "table", table.OpGetItem, "session#${hash}", "session#${hash}")),
	secret(table.NewPattern(backOffice, "getSessionsByUser", "GSI1", table.OpQuery, "sessions#${user}", "")),
	secret(table.NewPattern(backOffice, "getAccessToken", "table", table.OpGetItem, "token#${tokenID}", "token#${tokenID}")),
	secret(table.NewPattern(backOffice, "getAccessTokensByUser", "GSI1", table.OpQuery, "tokens#${user}", "")),
	secret(table.NewPattern(backOffice, "getCardLinkByLinkId", "table", table.OpGetItem, "cardLink#${linkID}", "cardLink#${linkID}")),
	secret(table.NewPattern(backOffice, "getPasswordLinkByLinkId", "table", table.OpGetItem, "passwordLink#${linkID}", "passwordLink#${linkID}")),
	secret(table.NewPattern(backOffice, "getSignInCount", "table", table.OpGetItem, "signIns#${counter}", "signIns#${counter}")),
	sharded(table.NewPattern(backOffice, "getSubscriptionsByStatus", "GSI3", table.OpQuery, "subscriptions#${shard}", "${status}#*")),
	sharded(table.NewPattern(backOffice, "getSubscriptionsByStatusForDateRange", "GSI3", table.OpQuery, "subscriptions#${shard}", "${status}#${from} .. ${status}#${to}")),
	table.NewPattern(backOffice, "getSubscriptionBySubscriptionId", "table", table.OpGetItem, "ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"),
	newest(table.NewPattern(backOffice, "getAccountByAccountId", "table", table.OpQuery, "ACC#${accountID}", "")),
	table.NewPattern(backOffice, "getReceiptByDueDate", "table", table.OpGetItem, "ACC#${accountID}", "REC#${date}#SKU#${sku}#SUB#${subscriptionID}"),
	table.NewPattern(backOffice, "getEmailByEmailId", "table", table.OpGetItem, "email#${emailID}", "email#${emailID}"),
	sharded(table.NewPattern(backOffice, "getEmailsByStatusForDateRange", "GSI3", table.OpQuery, "emails#${shard}", "${status}#${from} .. ${status}#${to}")),
	newest(table.NewPattern(backOffice, "getEmailsByCustomerId", "GSI2", table.OpQuery, "emails#c#${customerID}", "")),
	newest(table.NewPattern(backOffice, "getJobRuns", "table", table.OpQuery, "job#${job}", "${from} .. ${to}")),
	table.NewPattern(backOffice, "getJobRunByShard", "table", table.OpGetItem, "job#${job}", "${date}#${shard}"),
	sharded(table.NewPattern(backOffice, "getJobResults", "table", table.OpQuery, "jobResult#${job}#${date}#${shard}", "")),
	sharded(table.NewPattern(backOffice, "getJobFailures", "GSI3", table.OpQuery, "failures#${job}#${date}#${shard}", "")),
	table.NewPattern(backOffice, "getJobBacklog", "table", table.OpGetItem, "job#${job}", "backlog"),
	table.NewPattern(backOffice, "getJobCounts", "table", table.OpQuery, "jobCount#${job}#${date}#${shard}", ""),
	table.NewPattern(backOffice, "getJobTotals", "table", table.OpQuery, "jobTotal#${month}#${shard}", ""),
	table.NewPattern(backOffice, "getLease", "table", table.OpGetItem, "lease#${name}", "lease#${name}"),
	table.NewPattern(backOffice, "getCheckReport", "table", table.OpGetItem, "check", "last"),
	table.NewPattern(backOffice, "getErasureReport", "table", table.OpGetItem, "erasures", "last"),
	table.NewPattern(backOffice, "getCostsByMonth", "table", table.OpQuery, "costs#${month}", ""),
	table.NewPattern(backOffice, "getCostsByDayAndSlot", "table", table.OpGetItem, "costs#${month}", "${day}#${slot}"),
	newest(table.NewPattern(backOffice, "getBulkChangesByUser", "GSI1", table.OpQuery, "bulks#${user}", "")),
	newest(table.NewPattern(backOffice, "getBulkChangesByMonth", "GSI2", table.OpQuery, "bulkChanges#${month}", "")),
	table.NewPattern(backOffice, "getBulkChangeById", "table", table.OpGetItem, "bulk#${bulkID}", "bulk#${bulkID}"),
	table.NewPattern(backOffice, "getBulkRows", "table", table.OpQuery, "bulkRows#${bulkID}", ""),
	table.NewPattern(backOffice, "getBulkFailures", "GSI3", table.OpQuery, "bulkFailures#${bulkID}", ""),
	table.NewPattern(backOffice, "getBulkSkipped", "GSI4", table.OpQuery, "bulkSkipped#${bulkID}", ""),
	newest(table.NewPattern(backOffice, "getImports", "GSI1", table.OpQuery, "imports#${year}", "")),
	table.NewPattern(backOffice, "getImportByImportId", "table", table.OpGetItem, "import#${importID}", "import#${importID}"),
	table.NewPattern(backOffice, "getImportMappingByHeader", "table", table.OpGetItem, "importMapping#${header}", "importMapping#${header}"),
	table.NewPattern(backOffice, "getSettings", "table", table.OpGetItem, "settings", "settings"),
	table.NewPattern(backOffice, "getLogo", "table", table.OpGetItem, "settings", "logo"),
	table.NewPattern(backOffice, "getNumberSeries", "table", table.OpGetItem, "series#${series}", "series#${series}"),
	secret(table.NewPattern(backOffice, "getSessionKeys", "table", table.OpGetItem, "settings", "session-keys")),
}

// ofKinds sets the values that the placeholder kind can have: the names of the lists of
// reference data.
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

// pattern returns the access pattern with this name. It panics if there is none, so that a
// wrong name shows as soon as the program starts.
func pattern(name string) *Pattern {
	p, found := schema.Pattern(name)
	if !found {
		panic("store: there is no access pattern " + name)
	}
	return p
}

// PatternByName returns the access pattern with the given name.
func PatternByName(name string) (*Pattern, bool) { return schema.Pattern(name) }

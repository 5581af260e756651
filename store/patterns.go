package store

// The systems that share the table.
const (
	onlineShop = "online shop"
	orderEntry = "order entry"
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
	getCustomers         = pattern("getCustomers")
	getCustomerByEmail   = pattern("getCustomerByEmail")
	getOrdersByMonth     = pattern("getOrdersByMonth")
	getInvoicesByStatus  = pattern("getInvoicesByStatusForDateRange")
	getInvoicesByMonth   = pattern("getInvoicesByMonth")
	getShipmentsByStatus = pattern("getShipmentsByStatusForDateRange")
	getUsers             = pattern("getUsers")
	getUser              = pattern("getUser")
	getSession           = pattern("getSession")
	getSessionsByUser    = pattern("getSessionsByUser")
	getSettings          = pattern("getSettings")
	getSessionKeys       = pattern("getSessionKeys")
	getTotals            = pattern("getTotals")
	getEventsOfThing     = pattern("getEventsOfThing")
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

	newPattern(orderEntry, "getOrdersByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "o#${from} .. o#${to}").showing(orderRow...),
	sharded(newPattern(orderEntry, "getOrdersByStatusForDateRange", "GSI3", Query, "orders#${shard}", "${status}#${from} .. ${status}#${to}").showing(orderRow...)),
	newPattern(orderEntry, "getInventoryByProductIdAndWarehouseId", "table", GetItem, "p#${productID}", "w#${warehouseID}"),

	newPattern(backOffice, "getProducts", "GSI3", Query, "products#${bucket}", "${name}*"),
	newPattern(backOffice, "getProductBySKU", "GSI1", Query, "sku#${sku}", ""),
	newPattern(backOffice, "getProductsByCategory", "GSI2", Query, "category#${category}", "${name}*"),
	newPattern(backOffice, "getWarehouses", "GSI3", Query, "warehouses", "${name}*"),
	newPattern(backOffice, "getLowStock", "GSI3", Query, "low#w#${warehouseID}", ""),
	newPattern(backOffice, "getCustomers", "GSI3", Query, "customers#${bucket}", "${name}*"),
	newPattern(backOffice, "getCustomerByEmail", "GSI1", Query, "email#${email}", ""),
	newest(sharded(newPattern(backOffice, "getOrdersByMonth", "GSI4", Query, "orders#${month}#${shard}", "${from} .. ${to}").showing(orderRow...))),
	sharded(newPattern(backOffice, "getInvoicesByStatusForDateRange", "GSI3", Query, "invoices#${shard}", "${status}#${from} .. ${status}#${to}")),
	newest(sharded(newPattern(backOffice, "getInvoicesByMonth", "GSI4", Query, "invoices#${month}#${shard}", "${from} .. ${to}"))),
	sharded(newPattern(backOffice, "getShipmentsByStatusForDateRange", "GSI3", Query, "shipments#${shard}", "${status}#${from} .. ${status}#${to}")),
	newest(newPattern(backOffice, "getEventsOfThing", "table", Query, "${partition}", "event#*")),
	sharded(newPattern(backOffice, "getTotals", "table", Query, "total#${kind}#${month}#${shard}", "")),
	secret(newPattern(backOffice, "getUsers", "GSI1", Query, "users", "")),
	secret(newPattern(backOffice, "getUser", "table", GetItem, "user#${user}", "user#${user}")),
	secret(newPattern(backOffice, "getSession", "table", GetItem, "session#${hash}", "session#${hash}")),
	secret(newPattern(backOffice, "getSessionsByUser", "GSI1", Query, "sessions#${user}", "")),
	newPattern(backOffice, "getSettings", "table", GetItem, "settings", "settings"),
	secret(newPattern(backOffice, "getSessionKeys", "table", GetItem, "settings", "session-keys")),
}

func sharded(p Pattern) Pattern { p.Sharded = true; return p }

func newest(p Pattern) Pattern { p.Newest = true; return p }

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

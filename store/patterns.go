package store

import "stockroom/store/key"

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
)

// Patterns is the catalogue. The first sixteen rows are those of Amazon's
// published online-shop design; the shipment question asks GSI1 without a
// sort key, so that the shipment comes with its items.
var Patterns = []Pattern{
	row(onlineShop, "getCustomerByCustomerId", "table", GetItem, "c#${customerID}", "c#${customerID}"),
	row(onlineShop, "getProductByProductId", "table", GetItem, "p#${productID}", "p#${productID}"),
	row(onlineShop, "getWarehouseByWarehouseId", "table", GetItem, "w#${warehouseID}", "w#${warehouseID}"),
	row(onlineShop, "getProductInventoryByProductId", "table", Query, "p#${productID}", "w#*"),
	row(onlineShop, "getOrderDetailsByOrderId", "table", Query, "o#${orderID}", ""),
	row(onlineShop, "getProductByOrderId", "table", Query, "o#${orderID}", "p#*"),
	row(onlineShop, "getInvoiceByOrderId", "table", Query, "o#${orderID}", "i#*"),
	row(onlineShop, "getShipmentByOrderId", "table", Query, "o#${orderID}", "sh#*"),
	row(onlineShop, "getOrderByProductIdForDateRange", "GSI1", Query, "p#${productID}", "${from} .. ${to}"),
	row(onlineShop, "getInvoiceByInvoiceId", "GSI1", Query, "i#${invoiceID}", "i#${invoiceID}"),
	row(onlineShop, "getPaymentByInvoiceId", "GSI1", Query, "i#${invoiceID}", "i#${invoiceID}"),
	row(onlineShop, "getShipmentDetailsByShipmentId", "GSI1", Query, "sh#${shipmentID}", ""),
	row(onlineShop, "getShipmentByWarehouseId", "GSI2", Query, "w#${warehouseID}", "sh#*"),
	row(onlineShop, "getProductInventoryByWarehouseId", "GSI2", Query, "w#${warehouseID}", "p#*"),
	row(onlineShop, "getInvoiceByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "i#${from} .. i#${to}"),
	row(onlineShop, "getProductsByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "p#${from} .. p#${to}"),

	row(orderEntry, "getOrdersByCustomerIdForDateRange", "GSI2", Query, "c#${customerID}", "o#${from} .. o#${to}"),
	sharded(row(orderEntry, "getOrdersByStatusForDateRange", "GSI3", Query, "orders#${shard}", "${status}#${from} .. ${status}#${to}")),
	row(orderEntry, "getInventoryByProductIdAndWarehouseId", "table", GetItem, "p#${productID}", "w#${warehouseID}"),

	row(backOffice, "getProducts", "GSI3", Query, "products#${bucket}", "${name}*"),
	row(backOffice, "getProductBySKU", "GSI1", Query, "sku#${sku}", ""),
	row(backOffice, "getProductsByCategory", "GSI2", Query, "category#${category}", "${name}*"),
	row(backOffice, "getWarehouses", "GSI3", Query, "warehouses", "${name}*"),
	row(backOffice, "getLowStock", "GSI3", Query, "low#w#${warehouseID}", ""),
	row(backOffice, "getCustomers", "GSI3", Query, "customers#${bucket}", "${name}*"),
	row(backOffice, "getCustomerByEmail", "GSI1", Query, "email#${email}", ""),
	newest(sharded(row(backOffice, "getOrdersByMonth", "GSI4", Query, "orders#${month}#${shard}", "${from} .. ${to}"))),
	sharded(row(backOffice, "getInvoicesByStatusForDateRange", "GSI3", Query, "invoices#${shard}", "${status}#${from} .. ${status}#${to}")),
	newest(sharded(row(backOffice, "getInvoicesByMonth", "GSI4", Query, "invoices#${month}#${shard}", "${from} .. ${to}"))),
	sharded(row(backOffice, "getShipmentsByStatusForDateRange", "GSI3", Query, "shipments#${shard}", "${status}#${from} .. ${status}#${to}")),
	secret(row(backOffice, "getUsers", "GSI1", Query, "users", "")),
	secret(row(backOffice, "getUser", "table", GetItem, "user#${user}", "user#${user}")),
	secret(row(backOffice, "getSession", "table", GetItem, "session#${hash}", "session#${hash}")),
	secret(row(backOffice, "getSessionsByUser", "GSI1", Query, "sessions#${user}", "")),
	row(backOffice, "getSettings", "table", GetItem, "settings", "settings"),
	secret(row(backOffice, "getSessionKeys", "table", GetItem, "settings", "session-keys")),
}

func row(system, name, index string, operation Operation, pk, sk string) Pattern {
	return Pattern{System: system, Name: name, Index: index, Operation: operation, PK: key.Parse(pk), SK: parseSort(sk)}
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

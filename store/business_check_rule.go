package store

// CheckRule is the code of a rule that CheckBusiness checks.
type CheckRule string

// The rules of CheckBusiness.
const (
	CheckItemReadable CheckRule = "item-readable"
	CheckItemKeys     CheckRule = "item-keys"

	CheckOrderParts    CheckRule = "order-parts"
	CheckOrderOnce     CheckRule = "order-once"
	CheckOrderTotal    CheckRule = "order-total"
	CheckOrderCount    CheckRule = "order-item-count"
	CheckOrderState    CheckRule = "order-state"
	CheckOrderCustomer CheckRule = "order-customer"
	CheckOrderRep      CheckRule = "order-rep"
	CheckLineQuantity  CheckRule = "line-quantity"
	CheckLineShipped   CheckRule = "line-shipped"
	CheckLineCustomer  CheckRule = "line-customer"
	CheckLineProduct   CheckRule = "line-product"
	CheckInvoiceStatus CheckRule = "invoice-status"
	CheckInvoiceCredit CheckRule = "invoice-credit"
	CheckInvoiceOwner  CheckRule = "invoice-customer"
	CheckInvoiceOnce   CheckRule = "invoice-once"
	CheckRefund        CheckRule = "invoice-refund"
	CheckShipmentItem  CheckRule = "shipment-item"
	CheckShipmentPlace CheckRule = "shipment-warehouse"
	CheckShipmentOnce  CheckRule = "shipment-once"

	CheckProductParts  CheckRule = "product-parts"
	CheckProductSKU    CheckRule = "product-sku"
	CheckStockQuantity CheckRule = "stock-quantity"
	CheckStockName     CheckRule = "stock-name"
	CheckStockPlace    CheckRule = "stock-warehouse"
	CheckLedgerEntry   CheckRule = "ledger-entry"
	CheckLedgerOrder   CheckRule = "ledger-order"

	CheckStoreParts     CheckRule = "store-parts"
	CheckStoreCounts    CheckRule = "store-counts"
	CheckKayakOut       CheckRule = "kayak-out"
	CheckKayakOnce      CheckRule = "kayak-once"
	CheckRentalActive   CheckRule = "rental-active"
	CheckRentalDates    CheckRule = "rental-dates"
	CheckRentalStore    CheckRule = "rental-store"
	CheckRentalKayak    CheckRule = "rental-kayak"
	CheckRentalPerson   CheckRule = "rental-person"
	CheckEmployed       CheckRule = "employment-current"
	CheckEmployedStore  CheckRule = "employment-store"
	CheckEmployedPerson CheckRule = "employment-person"

	CheckPersonEmail   CheckRule = "person-email"
	CheckEmailOnce     CheckRule = "email-once"
	CheckCustomerRep   CheckRule = "customer-rep"
	CheckEmployeeRefs  CheckRule = "employee-reference"
	CheckEmployeeTitle CheckRule = "employee-job-title"
	CheckParent        CheckRule = "reference-parent"
	CheckQuotaRep      CheckRule = "quota-employee"

	CheckSubscriber   CheckRule = "subscription-account"
	CheckSubscription CheckRule = "subscription-state"
	CheckReceipt      CheckRule = "receipt-subscription"

	CheckUserScope CheckRule = "user-scope"
	CheckView      CheckRule = "view-user"
	CheckEvent     CheckRule = "event-record"

	CheckTotal CheckRule = "total"
	CheckQuota CheckRule = "quota"

	CheckStockLevel CheckRule = "stock-level"
)

// CheckRules lists the rules, each with a sentence that says what it requires.
var CheckRules = []struct {
	Rule CheckRule
	Text string
}{
	{CheckItemReadable, "every item can be read"},
	{CheckItemKeys, "the keys of an item match its attributes; 'stockroom table rekey' corrects them"},

	{CheckOrderParts, "lines, invoices and shipments belong to an order that exists"},
	{CheckOrderOnce, "an order ID belongs to one order"},
	{CheckOrderTotal, "the total of an order is the sum of its lines"},
	{CheckOrderCount, "the item count of an order is the sum of its quantities"},
	{CheckOrderState, "the Status, PaymentState and ShipmentState of an order follow from its lines, invoices and shipments"},
	{CheckOrderCustomer, "the customer of an order exists"},
	{CheckOrderRep, "the account rep of an order exists"},
	{CheckLineQuantity, "a line has 0 ≤ returned ≤ shipped ≤ quantity"},
	{CheckLineShipped, "the shipped quantity of a line is the sum of its shipments"},
	{CheckLineCustomer, "a line has the customer of its order"},
	{CheckLineProduct, "the product of a line exists"},
	{CheckInvoiceStatus, "the status of an invoice follows from its amount, credit and payments"},
	{CheckInvoiceCredit, "the credit of an order's invoices is the value of its cancelled and returned items"},
	{CheckInvoiceOwner, "an invoice has the customer of its order"},
	{CheckInvoiceOnce, "an invoice ID belongs to one invoice"},
	{CheckRefund, "the refunds of a payment do not exceed it"},
	{CheckShipmentItem, "an item of a shipment belongs to a shipment and a line of the order"},
	{CheckShipmentPlace, "the warehouse of a shipment exists"},
	{CheckShipmentOnce, "a shipment ID belongs to one shipment"},

	{CheckProductParts, "each stock item belongs to an existing product, and each ledger entry to an existing stock item"},
	{CheckProductSKU, "an SKU belongs to one product"},
	{CheckStockQuantity, "the quantity in stock is not negative, and is the quantity before the first ledger entry plus all entries"},
	{CheckStockName, "a stock item has the name of its product"},
	{CheckStockPlace, "the warehouse of a stock item exists"},
	{CheckLedgerEntry, "the quantity after a ledger entry is the quantity before it plus the change"},
	{CheckLedgerOrder, "the order of a ledger entry exists"},

	{CheckStoreParts, "kayaks, active rentals and staff belong to a store that exists"},
	{CheckStoreCounts, "the counts of a store match the statuses of its kayaks"},
	{CheckKayakOut, "a kayak is out if and only if it has one active rental"},
	{CheckKayakOnce, "a kayak is in one store"},
	{CheckRentalActive, "each active rental has a rental that is not checked in, and each rental that is not checked in has an active rental"},
	{CheckRentalDates, "a rental ends after it began, and has a charge that is not negative"},
	{CheckRentalStore, "the store of a rental exists"},
	{CheckRentalKayak, "the kayak of a rental exists"},
	{CheckRentalPerson, "the person of a rental exists"},
	{CheckEmployed, "the staff of a store are the people with an employment there that has not ended"},
	{CheckEmployedStore, "the store of an employment exists"},
	{CheckEmployedPerson, "the person of an employment exists"},

	{CheckPersonEmail, "all records of a person (customer, employee, renter) have the same email address"},
	{CheckEmailOnce, "an email address belongs to one person"},
	{CheckCustomerRep, "the account rep of a customer exists"},
	{CheckEmployeeRefs, "the job, department, location, warehouse and manager of an employee exist"},
	{CheckEmployeeTitle, "the job title of an employee is that of the job"},
	{CheckParent, "the region of a country, the country of a location and the location of a department exist"},
	{CheckQuotaRep, "the account rep of a quota exists"},

	{CheckSubscriber, "the customer of a subscription exists"},
	{CheckSubscription, "the status, attempts and dates of a subscription are consistent"},
	{CheckReceipt, "the subscription of a receipt exists"},

	{CheckUserScope, "the warehouses and stores of a manager exist"},
	{CheckView, "the user of a saved view exists"},
	{CheckEvent, "the record of an event exists"},

	{CheckTotal, "the total of a day is the sum of its orders, its payments or its due payments"},
	{CheckQuota, "the quota of an account rep is the sum of the orders of their customers in a quarter"},
	{CheckStockLevel, "the stock level of a product is the sum of its stock in all warehouses, and of the open quantities of its order lines"},
}

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
	CheckLineReturned  CheckRule = "line-returned"
	CheckLineCustomer  CheckRule = "line-customer"
	CheckLineProduct   CheckRule = "line-product"
	CheckInvoiceStatus CheckRule = "invoice-status"
	CheckInvoiceCredit CheckRule = "invoice-credit"
	CheckInvoiceOwner  CheckRule = "invoice-customer"
	CheckInvoiceOnce   CheckRule = "invoice-once"
	CheckCreditNote    CheckRule = "credit-note"
	CheckNumberOnce    CheckRule = "number-once"
	CheckNumberGap     CheckRule = "number-missing"
	CheckRefund        CheckRule = "invoice-refund"
	CheckReversal      CheckRule = "invoice-reversal"
	CheckShipmentItem  CheckRule = "shipment-item"
	CheckShipmentOwner CheckRule = "shipment-customer"
	CheckShipmentPlace CheckRule = "shipment-warehouse"
	CheckShipmentOnce  CheckRule = "shipment-once"

	CheckProductParts  CheckRule = "product-parts"
	CheckProductSKU    CheckRule = "product-sku"
	CheckStockQuantity CheckRule = "stock-quantity"
	CheckStockName     CheckRule = "stock-name"
	CheckStockPlace    CheckRule = "stock-warehouse"
	CheckLedgerEntry   CheckRule = "ledger-entry"
	CheckLedgerOrder   CheckRule = "ledger-order"

	CheckDelivery      CheckRule = "delivery-quantity"
	CheckDeliveryDay   CheckRule = "delivery-day"
	CheckDeliveryPlace CheckRule = "delivery-warehouse"

	CheckTransfer       CheckRule = "transfer-quantity"
	CheckTransferLedger CheckRule = "transfer-ledger"
	CheckTransferPlace  CheckRule = "transfer-warehouse"

	CheckStoreParts     CheckRule = "store-parts"
	CheckStoreCounts    CheckRule = "store-counts"
	CheckKayakOut       CheckRule = "kayak-out"
	CheckKayakOnce      CheckRule = "kayak-once"
	CheckRentalActive   CheckRule = "rental-active"
	CheckRentalDates    CheckRule = "rental-dates"
	CheckRentalStore    CheckRule = "rental-store"
	CheckRentalKayak    CheckRule = "rental-kayak"
	CheckRentalPerson   CheckRule = "rental-person"
	CheckRentalPayment  CheckRule = "rental-payment"
	CheckBooking        CheckRule = "booking"
	CheckBookingDay     CheckRule = "booking-day"
	CheckBookingRental  CheckRule = "booking-rental"
	CheckEmployed       CheckRule = "employment-current"
	CheckEmployedStore  CheckRule = "employment-store"
	CheckEmployedPerson CheckRule = "employment-person"

	CheckPersonEmail   CheckRule = "person-email"
	CheckEmailOnce     CheckRule = "email-once"
	CheckSamePerson    CheckRule = "same-person"
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

// CheckRules lists all rules. Text says what a rule requires.
var CheckRules = []struct {
	Rule CheckRule
	Text string
}{
	{CheckItemReadable, "each item can be read"},
	{CheckItemKeys, "each item's keys match its attributes; 'stockroom table rekey' corrects all keys except PK and SK"},

	{CheckOrderParts, "each line, invoice, credit note, shipment and shipment item belongs to an existing order"},
	{CheckOrderOnce, "each order ID belongs to one order"},
	{CheckOrderTotal, "each order's total is the sum of its lines"},
	{CheckOrderCount, "each order's item count is the sum of the quantities in its lines"},
	{CheckOrderState, "each order's Status, PaymentState, ShipmentState and OpenLines match its lines, invoices and shipments; if a cancelled order has open pieces, cancel these on its page"},
	{CheckOrderCustomer, "each order's customer exists"},
	{CheckOrderRep, "each order's account rep exists"},
	{CheckLineQuantity, "each line has a quantity of 1 or more, and 0 ≤ returned ≤ shipped ≤ quantity"},
	{CheckLineShipped, "each line's shipped quantity is the sum of its quantities in shipments, without unpacked shipments"},
	{CheckLineReturned, "the returned pieces of each line have left the warehouse; if they are in a packed shipment, mark it as shipped"},
	{CheckLineCustomer, "each line has the customer of its order"},
	{CheckLineProduct, "each line's product exists"},
	{CheckInvoiceStatus, "each invoice's status matches its amount, credit and payments"},
	{CheckInvoiceCredit, "the credits of an order's invoices equal the value of its cancelled, returned and removed items, plus the credit notes for other refunds; no invoice is credited for the items of another invoice, or for more than its amount"},
	{CheckInvoiceOwner, "each invoice has the customer of its order"},
	{CheckInvoiceOnce, "each invoice ID belongs to one invoice"},
	{CheckCreditNote, "each credit note corrects an invoice of its order and customer, and states the number of this invoice; the credit notes of an invoice do not exceed its credit"},
	{CheckNumberOnce, "each invoice number belongs to one invoice, and each credit note number to one credit note"},
	{CheckNumberGap, "no number is missing between the lowest used and the last issued invoice number; the same applies to credit notes"},
	{CheckRefund, "the refunds of a payment do not exceed the payment"},
	{CheckReversal, "each reversal of a payment has the opposite amount of one payment of the invoice, and no payment is reversed twice"},
	{CheckShipmentItem, "each shipment item has a quantity of 1 or more, and its shipment and its order line exist in the same order; the line of an unpacked item can be missing"},
	{CheckShipmentOwner, "each shipment has the customer of its order, or none"},
	{CheckShipmentPlace, "each shipment's warehouse exists"},
	{CheckShipmentOnce, "each shipment ID belongs to one shipment"},

	{CheckProductParts, "each stock item, expected delivery and transfer belongs to an existing product, and each ledger entry to an existing stock item"},
	{CheckProductSKU, "each SKU belongs to one product"},
	{CheckStockQuantity, "each quantity in stock is 0 or more, and equals the quantity before the first ledger entry plus all changes in the ledger"},
	{CheckStockName, "each stock item has the name of its product"},
	{CheckStockPlace, "each stock item's warehouse exists"},
	{CheckLedgerEntry, "in each ledger entry, the quantity before plus the change is the quantity after, and both quantities are 0 or more; each entry of a shipment has a warehouse"},
	{CheckLedgerOrder, "each ledger entry's order exists"},

	{CheckDelivery, "each expected delivery has a quantity of 1 or more, and a received quantity of 0 or more"},
	{CheckDeliveryDay, "each expected delivery has a due date; lists do not show deliveries without one"},
	{CheckDeliveryPlace, "each expected delivery's warehouse exists"},

	{CheckTransfer, "each transfer has the day on which it was sent, a quantity of 1 or more, and a quantity in transit of 0 or more"},
	{CheckTransferLedger, "each transfer's quantity in transit (the quantity sent minus the quantities received, written off and returned) matches its ledger entries"},
	{CheckTransferPlace, "both warehouses of each transfer exist"},

	{CheckStoreParts, "each kayak, active rental and store employee belongs to an existing store"},
	{CheckStoreCounts, "each store's numbers of kayaks match the statuses of its kayaks"},
	{CheckKayakOut, "each kayak that is out has exactly one active rental in its store, and other kayaks have none"},
	{CheckKayakOnce, "each kayak is in one store"},
	{CheckRentalActive, "each rental whose kayak has not been returned has a matching active rental, and returned rentals have none"},
	{CheckRentalDates, "no rental ends before it begins, and no charge is negative"},
	{CheckRentalStore, "each rental's store exists"},
	{CheckRentalKayak, "each rental's kayak exists"},
	{CheckRentalPerson, "each rental's person exists"},
	{CheckRentalPayment, "each rental payment is the sum of its amounts for the individual rentals; its store, person and rentals exist; the kept part of a rental's deposit does not exceed the deposit"},
	{CheckBooking, "each booking has 1 to 28 days and an existing store, person and kayak; the kayak of an open booking is in the store and not retired; a booking has a rental once the kayak is checked out, and none before"},
	{CheckBookingDay, "each open booking has exactly one matching item for each of its days, and other bookings have none"},
	{CheckBookingRental, "no kayak is booked on a day on which it is rented out"},
	{CheckEmployed, "the staff list of each store contains exactly the people whose employment there has not ended"},
	{CheckEmployedStore, "each employment's store exists"},
	{CheckEmployedPerson, "each employment's person exists"},

	{CheckPersonEmail, "all records with the same person ID (customer, employee, renter) have the same email address, or none"},
	{CheckEmailOnce, "records with different person IDs have different email addresses, even if they are joined as the same person"},
	{CheckSamePerson, "if records are joined as the same person, each of them exists, and each names the records that are joined with it"},
	{CheckCustomerRep, "each customer's account rep exists"},
	{CheckEmployeeRefs, "each employee's job, department, location, warehouse and manager exist"},
	{CheckEmployeeTitle, "each employee's job title matches the title of the job"},
	{CheckParent, "each country's region, each location's country and each department's location exist"},
	{CheckQuotaRep, "each quota's account rep exists"},

	{CheckSubscriber, "each subscription's customer exists"},
	{CheckSubscription, "each subscription's status, attempts and dates match each other"},
	{CheckReceipt, "each receipt's subscription exists"},

	{CheckUserScope, "each manager's warehouses and stores exist"},
	{CheckView, "each saved view's user exists"},
	{CheckEvent, "the record of each event about an order, product, customer, employee, warehouse, store, booking or user exists, except for imported events about users and events about the program itself, such as an export on the command line"},

	{CheckTotal, "each day's totals match the orders placed, the subscription payments charged and due, the rental charges paid, and the deposits taken and returned; the totals of current, created and cancelled subscriptions match the subscriptions"},
	{CheckQuota, "each quota is the sum of the account rep's orders in the quarter"},
	{CheckStockLevel, "each product's stock level matches its stock items (on hand), open order lines (committed), and expected deliveries and transfers (incoming)"},
}

package store

import (
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// indexes maps index numbers to key templates.
type indexes map[int]Keys

// Definitions lists all entities with their key templates.
//
// Many keys come from published single-table designs, such as Amazon's design of an online
// shop. Lists that grow without limit (orders, invoices, shipments) are divided into shards,
// so that the writes of one day go to several partitions. The lists of customers and products
// by name have a partition for each first letter. Dates come before IDs, so that a range of
// dates is a range of keys. Quantities are padded to 12 digits and sums to at least 15, so
// that they sort as numbers.
//
// Search words are divided into partitions by their first letters, so that no
// partition contains all of them.
//
// Most keys of kayak rentals begin with v1, the version of the published rental model.
// Index keys of a Rental that combine a person with a store or a kayak also contain the
// start and the ID of the rental, because a person can rent the same kayak more than once.
var Definitions = []Definition{
	define[Customer]("customer", keys("c#${id}", "c#${id}"), indexes{
		1: keys("email#${email}", "c#${id}"),
		2: keys("phone#${phoneEnd}", "${phone}#${id}"),
		3: keys("customers#${bucket}", "${name}#${id}"),
		4: keys("e#${accountRepID}", "c#${name}#${id}"),
		5: keys("phone#${phoneEnd2}", "${phone2}#${id}"),
		6: keys("phone#${phoneEnd3}", "${phone3}#${id}"),
	}),
	define[Product]("product", keys("p#${id}", "p#${id}"), indexes{
		1: keys("sku#${sku}", "p#${id}"),
		2: keys("category#${category}", "${name}#${id}"),
		3: keys("products#${bucket}", "${name}#${id}"),
	}),
	define[Warehouse]("warehouse", keys("w#${id}", "w#${id}"), indexes{
		3: keys("warehouses", "${name}#${id}"),
	}),
	define[WarehouseItem]("warehouseItem", keys("p#${productID}", "w#${warehouseID}"), indexes{
		2: keys("w#${warehouseID}", "p#${productID}"),
		3: keys("low#w#${warehouseID}", "${lowQuantity}#p#${productID}"),
		4: keys("w#${warehouseID}", "bin#${bin}#p#${productID}"),
	}),
	define[StockCount]("stockCount", keys("p#${productID}", "counts#${slot}"), nil),
	define[StockSlot]("stockSlot", keys("counts#${productID}#${slot}", "counts#${slot}"), nil),
	define[StockMove]("stockMove", keys("p#${productID}", "stock#${warehouseID}#${id}"), indexes{
		2: keys("w#${warehouseID}", "stock#${otherEntry}"),
		4: keys("ledger#w#${warehouseID}", "stock#${shippedEntry}"),
	}),
	define[ExpectedDelivery]("expectedDelivery", keys("p#${productID}", "delivery#${warehouseID}#${id}"), indexes{
		2: keys("w#${warehouseID}", "delivery#${openDue}#${id}"),
		3: keys("p#${productID}", "delivery#${warehouseID}#${openDue}#${id}"),
	}),
	define[Transfer]("transfer", keys("p#${productID}", "transfer#${id}"), indexes{
		2: keys("w#${target}", "transfer#${openSent}#${id}"),
		3: keys("p#${productID}", "transfer#${target}#${openSent}#${id}"),
		4: keys("w#${source}", "transfer#${openSent}#${id}"),
	}),
	define[Count]("count", keys("count#${id}", "count#${id}"), indexes{
		2: keys("w#${warehouseID}", "count#${id}"),
	}),
	define[CountRow]("countRow", keys("countRows#${sheet}", "row#${number}"), indexes{
		1: keys("countRows#${sheet}", "p#${productID}"),
	}),
	define[Order]("order", keys("o#${id}", "c#${customerID}"), indexes{
		2: keys("c#${customerID}", "o#${date}#${id}"),
		3: keys("orders#${shard}", "${status}#${date}#${id}"),
		4: keys("orders#${month}#${shard}", "${date}#${id}"),
		5: keys("e#${accountRepID}", "o#${date}#${id}"),
	}),
	define[OrderItem]("orderItem", keys("o#${orderID}", "p#${productID}"), indexes{
		1: keys("p#${productID}", "${date}"),
		2: keys("c#${customerID}", "p#${date}"),
		3: keys("p#${productID}", "OPEN#${openDate}#o#${orderID}"),
	}),
	define[Invoice]("invoice", keys("o#${orderID}", "i#${id}"), indexes{
		1: keys("i#${id}", "i#${id}"),
		2: keys("c#${customerID}", "i#${date}"),
		3: keys("invoices#${shard}", "${status}#${date}#${id}"),
		4: keys("invoices#${month}#${shard}", "${date}#${id}"),
		5: keys("number#${number}", "i#${id}"),
	}),
	define[CreditNote]("creditNote", keys("o#${orderID}", "cn#${id}"), indexes{
		1: keys("cn#${id}", "cn#${id}"),
		2: keys("c#${customerID}", "cn#${date}#${id}"),
		5: keys("number#${number}", "cn#${id}"),
	}),
	define[Shipment]("shipment", keys("o#${orderID}", "sh#${id}"), indexes{
		1: keys("sh#${id}", "sh#${id}"),
		2: keys("w#${warehouseID}", "sh#${id}"),
		3: keys("shipments#${shard}", "${status}#${date}#${id}"),
	}),
	define[ShipmentItem]("shipmentItem", keys("o#${orderID}", "shp#${id}"), indexes{
		1: keys("sh#${shipmentID}", "p#${productID}"),
		2: keys("shipped#p#${productID}", "stock#${warehouseID}#${entry}"),
		4: keys("shipped#w#${warehouseID}", "stock#${entry}"),
	}),
	define[RentalStore]("storeMetadata", keys("v1#store#storeULID#${storeULID}", "metadata"), indexes{
		1: keys("v1#stores", "storeULID#${storeULID}"),
	}),
	define[StoreEmployee]("storeEmployee", keys("v1#store#storeULID#${storeULID}", "employee#metadata#personULID#${personULID}"), nil),
	define[Kayak]("storeInventoryItem", keys("v1#store#storeULID#${storeULID}", "inventory#metadata#inventoryULID#${inventoryULID}"), indexes{
		1: keys("v1#inventory#inventoryULID#${inventoryULID}", "storeULID#${storeULID}"),
	}),
	define[ActiveRental]("storeActiveRental", keys("v1#store#storeULID#${storeULID}", "activeRentals#personULID#${personULID}#inventoryULID#${inventoryULID}"), indexes{
		3: keys("rentals-due#${shard}", "${due}#${inventoryULID}"),
		4: keys("v1#activeRentals#personULID#${personULID}", "inventoryULID#${inventoryULID}"),
	}),
	define[Person]("personMetadata", keys("v1#person#personULID#${personULID}", "metadata"), nil),
	define[SamePerson]("samePerson", keys("samePerson#${personID}", "samePerson#${personID}"), nil),
	define[Employment]("employmentRelationship", keys("v1#employment#employmentULID#${employmentULID}", "metadata"), indexes{
		1: keys("v1#employments#storeULID#${storeULID}", "${from}#${employmentULID}"),
		2: keys("v1#employment#${storeULID}", "v1#employment#${personULID}#${from}#${employmentULID}"),
		3: keys("v1#employment#${personULID}", "v1#employment#${storeULID}#${from}#${employmentULID}"),
		4: keys("v1#employments#personULID#${personULID}", "${from}#${employmentULID}"),
	}),
	define[Rental]("rentalRelationship", keys("v1#rental#rentalULID#${rentalULID}", "metadata"), indexes{
		1: keys("v1#rentals#storeULID#${storeULID}", "${out}#${rentalULID}"),
		2: keys("v1#rentalLocationPerson#${storeULID}", "v1#rentalPersonLocation#${personULID}#${out}#${rentalULID}"),
		3: keys("v1#rentalPersonLocation#${personULID}", "v1#rentalLocationPerson#${storeULID}#${out}#${rentalULID}"),
		4: keys("v1#rentals#personULID#${personULID}", "${out}#${rentalULID}"),
		5: keys("v1#rentalInventoryPerson#${inventoryULID}", "${out}#v1#rentalPersonInventory#${personULID}#${rentalULID}"),
		6: keys("v1#rentalPersonInventory#${personULID}", "v1#rentalInventoryPerson#${inventoryULID}#${out}#${rentalULID}"),
	}),
	define[RentalPayment]("rentalPayment", keys("v1#takings#storeULID#${storeULID}#${day}", "payment#${paymentULID}"), indexes{
		2: keys("v1#rentalPayments#personULID#${personULID}", "${at}#${paymentULID}"),
		3: keys("v1#unpaidRentals#storeULID#${storeULID}", "${unpaidAt}#${paymentULID}"),
		4: keys("v1#rentalPayments#personULID#${personULID}#storeULID#${storeULID}", "${at}#${paymentULID}"),
	}),
	define[Booking]("booking", keys("v1#booking#bookingULID#${bookingULID}", "metadata"), indexes{
		1: keys("v1#bookings#inventoryULID#${openKayak}", "${from}#${bookingULID}"),
		2: keys("v1#bookings#personULID#${personULID}", "${from}#${bookingULID}"),
		3: keys("v1#bookings#storeULID#${storeULID}", "${status}#${from}#${bookingULID}"),
		4: keys("v1#bookings#storeULID#${storeULID}", "${from}#${bookingULID}"),
	}),
	define[BookingDay]("bookingDay", keys("v1#bookingDays#storeULID#${storeULID}#${week}", "${day}#inventoryULID#${inventoryULID}"), nil),
	define[Employee]("employee", keys("e#${id}", "e#${id}"), indexes{
		1: keys("employees", "${name}#${id}"),
		2: keys("w#${warehouseID}", "e#${name}#${id}"),
		3: keys("j#${jobID}", "e#${name}#${id}"),
		4: keys("employees", "${hireDate}#${id}"),
	}),
	define[Quota]("quota", keys("e#${employeeID}", "QUOTA#${period}"), indexes{
		1: keys("QUOTA#${period}", "${total}#e#${employeeID}"),
	}),
	define[QuotaSlot]("quotaSlot", keys("e#${employeeID}", "sold#${period}#${slot}"), nil),
	defineReference(Region, keys("r#${id}", "r#${id}"), indexes{1: keys("regions", "${name}#${id}")}),
	defineReference(Country, keys("co#${id}", "co#${id}"), indexes{1: keys("countries", "${name}#${id}")}),
	defineReference(Location, keys("l#${id}", "l#${id}"), indexes{1: keys("locations", "${name}#${id}")}),
	defineReference(Department, keys("d#${id}", "d#${id}"), indexes{1: keys("departments", "${name}#${id}")}),
	defineReference(Job, keys("j#${id}", "j#${id}"), indexes{1: keys("jobs", "${name}#${id}")}),
	defineReference(Category, keys("cat#${id}", "cat#${id}"), indexes{1: keys("categories", "${name}#${id}")}),
	define[FormerCategory]("formerCategory", keys("cat#${id}", "former"), indexes{1: keys("formerCategories", "${id}")}),
	define[Subscription]("subscription", keys("ACC#${accountID}", "SUB#${subscriptionID}#SKU#${sku}"), indexes{
		1: keys("reminder#${reminderDate}#${shard}", "ACC#${accountID}#SUB#${subscriptionID}"),
		2: keys("payment#${attemptDate}#${shard}", "ACC#${accountID}#SUB#${subscriptionID}"),
		3: keys("subscriptions#${shard}", "${status}#${paymentDate}#${subscriptionID}"),
	}),
	define[Receipt]("receipt", keys("ACC#${accountID}", "REC#${dueDate}#SKU#${sku}#SUB#${subscriptionID}"), nil),
	define[Email]("email", keys("email#${id}", "email#${id}"), indexes{
		2: keys("emails#c#${customerID}", "${id}"),
		3: keys("emails#${shard}", "${status}#${at}#${id}"),
	}),
	define[CardLink]("cardLink", keys("cardLink#${id}", "cardLink#${id}"), nil),
	define[PasswordLink]("passwordLink", keys("passwordLink#${id}", "passwordLink#${id}"), nil),
	define[SearchWord]("searchWord", keys("words#${group}#${initials}#${shard}", "${words}#${later}#${name}#${type}#${place}#${id}"), nil),
	define[JobRun]("jobRun", keys("job#${job}", "${date}#${shard}"), nil),
	define[JobResult]("jobResult", keys("jobResult#${job}#${date}#${shard}", "ACC#${accountID}#SUB#${subscription}"), indexes{
		3: keys("failures#${job}#${date}#${shard}", "${failure}#ACC#${accountID}#SUB#${subscription}"),
	}),
	define[JobBacklog]("jobBacklog", keys("job#${job}", "backlog"), nil),
	define[JobCount]("jobCount", keys("jobCount#${job}#${date}#${shard}", "${slot}"), nil),
	define[JobTotal]("jobTotal", keys("jobTotal#${month}#${shard}", "${day}#${slot}#${date}#${dueDate}#${nextDate}"), nil),
	define[CheckReport]("checkReport", keys("check", "last"), nil),
	define[ErasureReport]("erasureReport", keys("erasures", "last"), nil),
	define[DayCosts]("dayCosts", keys("costs#${month}", "${day}#${slot}"), nil),
	define[Lease]("lease", keys("lease#${name}", "lease#${name}"), nil),
	define[BulkChange]("bulkChange", keys("bulk#${id}", "bulk#${id}"), indexes{
		1: keys("bulks#${user}", "${id}"),
		2: keys("bulkChanges#${month}", "${id}"),
	}),
	define[BulkRow]("bulkRow", keys("bulkRows#${bulkID}", "${number}"), indexes{
		3: keys("bulkFailures#${bulkID}", "${failed}"),
		4: keys("bulkSkipped#${bulkID}", "${skipped}"),
	}),
	define[ImportRun]("importRun", keys("import#${id}", "import#${id}"), indexes{
		1: keys("imports#${year}", "${id}"),
	}),
	define[ImportMapping]("importMapping", keys("importMapping#${header}", "importMapping#${header}"), nil),
	define[NumberSeries]("numberSeries", keys("series#${series}", "series#${series}"), nil),
	define[Settings]("settings", keys("settings", "settings"), nil),
	define[Logo]("logo", keys("settings", "logo"), nil),
	define[SessionKeys]("sessionKeys", keys("settings", "session-keys"), nil),
	define[User]("user", keys("user#${name}", "user#${name}"), indexes{
		1: keys("users", "${name}"),
	}),
	define[ProviderIdentity]("providerIdentity", keys("identity#${hash}", "identity#${hash}"), nil),
	define[SecondFactor]("secondFactor", keys("user#${name}", "second-factor"), indexes{
		1: keys("secondFactors#${handle}", "${name}"),
	}),
	define[Session]("session", keys("session#${hash}", "session#${hash}"), indexes{
		1: keys("sessions#${user}", "${hash}"),
	}),
	define[AccessToken]("accessToken", keys("token#${id}", "token#${id}"), indexes{
		1: keys("tokens#${user}", "${id}"),
	}),
	define[SignInCount]("signInCount", keys("signIns#${counter}", "signIns#${counter}"), nil),
	define[Event]("event", keys("${partition}", "event#${id}"), indexes{
		1: keys("events#${day}#${shard}", "${id}"),
		2: keys("events#user#${user}", "${id}"),
		3: keys("importedEvents#${importDay}#${shard}", "${id}"),
		4: keys("news#${newsMonth}#${newsShard}", "${when}#${id}"),
	}),
	define[Visit]("visit", keys("user#${name}", "visit"), nil),
	define[AuditSeal]("auditSeal", keys("auditSeals#${year}", "${day}"), nil),
	define[SavedView]("view", keys("${partition}", "view#${id}"), indexes{
		1: keys("viewEmails", "${email}#${partition}#${id}"), // only views that are emailed have this key
	}),
	define[Total]("total", keys("total#${kind}#${month}#${shard}", "${dayAndSlot}"), nil),
}

// secretTypes are the entity types whose items nobody may see, not even admins. The
// items of users contain password hashes, and card links let anybody enter a card for
// the customer.
var secretTypes = []string{"user", "providerIdentity", "secondFactor", "session", "accessToken", "sessionKeys", "signInCount", "cardLink", "passwordLink"}

// IsSecret reports whether the item has a secret entity type. It looks only at the
// primary key.
func IsSecret(item Item) bool {
	pk, sk := table.TextOf(item, table.AttrPK), table.TextOf(item, table.AttrSK)
	for i := range Definitions {
		d := &Definitions[i]
		if slices.Contains(secretTypes, d.Type) && hasPrefixOf(pk, d.Table.PK) && hasPrefixOf(sk, d.Table.SK) {
			return true
		}
	}
	return false
}

// hasPrefixOf reports whether a key begins with the fixed prefix of a key template.
func hasPrefixOf(text string, template key.Template) bool {
	prefix, _, _ := strings.Cut(template.String(), "${")
	return strings.HasPrefix(text, prefix)
}

// schema is the design of the table.
var schema = table.NewSchema(Definitions, Patterns, secretTypes...)

// entity is a pointer to a struct with the methods that every entity of this package
// has.
type entity[T any] interface {
	*T
	Entity
	attributes(*table.Attributes)
}

func define[T any, E entity[T]](entityType string, tableKeys Keys, gsi indexes) Definition {
	d := Definition{
		Type:  entityType,
		Table: tableKeys,
		New:   func() Entity { return E(new(T)) },
		Codec: func(e Entity, a *table.Attributes) { e.(E).attributes(a) },
	}
	for n, k := range gsi {
		d.Index[n] = k
	}
	return d
}

func defineReference(kind ReferenceKind, tableKeys Keys, gsi indexes) Definition {
	d := define[Reference](string(kind), tableKeys, gsi)
	d.New = func() Entity { return &Reference{Kind: kind} }
	return d
}

func keys(pk, sk string) Keys { return Keys{PK: key.Parse(pk), SK: key.Parse(sk)} }

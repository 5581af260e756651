package store_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/table"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func amount(text string) store.Amount {
	a, err := store.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

// withoutSKU returns a job result as earlier versions stored it: its key has no SKU.
func withoutSKU(r *store.JobResult) store.Entity {
	item, err := store.Encode(r, 15)
	if err != nil {
		panic(err)
	}
	item[table.AttrSK] = &types.AttributeValueMemberS{Value: "ACC#" + r.AccountID + "#SUB#" + r.SubscriptionID}
	old, err := store.Decode(item)
	if err != nil {
		panic(err)
	}
	return old
}

// golden contains at least one entity of each type, with the expected keys of its
// item. Together the entities set every field. If a key changes, stored items with
// the old key can no longer be found.
var golden = []struct {
	entity store.Entity
	keys   string
}{
	{
		&store.Customer{ID: "12345", Name: "Åsa Öberg", Email: "Asa@Example.com", Phones: []string{"+46 70 612 34 56", "031-123 45 67 (work)", "+46 (0)8 765 43 21"}, Address: store.Address{Country: "Sweden", County: "V", City: "Göteborg", Street: "S", Number: "1", ZipCode: "41111"}, AccountRepID: "7", Created: at("2026-01-02T03:04:05Z"), NoNotices: true, Closed: at("2026-11-28T10:00:00Z"), Version: 1},
		"PK=c#12345 SK=c#12345 GSI1=email#asa@example.com/c#12345 GSI2=phone#6543/65432160764#12345 GSI3=customers#a/asa_oberg#12345 GSI4=e#7/c#asa_oberg#12345 GSI5=phone#7654/765432113#12345 GSI6=phone#1234/1234567864#12345",
	},
	{
		&store.Product{ID: "99887", Name: "The Book", Description: "The best", Price: amount("40"), SKU: "BK-1", Category: "Books & Maps", Weight: 640, Unfinished: true, Version: 1},
		"PK=p#99887 SK=p#99887 GSI1=sku#BK-1/p#99887 GSI2=category#books_&_maps/the_book#99887 GSI3=products#t/the_book#99887",
	},
	{ // an archived product has no key of its category
		&store.Product{ID: "99888", Name: "The Map", SKU: "BK-2", Category: "Books & Maps", Archived: true, Version: 2},
		"PK=p#99888 SK=p#99888 GSI1=sku#BK-2/p#99888 GSI3=products#archived/the_map#99888",
	},
	{
		&store.Warehouse{ID: "12376", Name: "Borås", Address: store.Address{City: "Borås"}, Archived: true, Version: 1},
		"PK=w#12376 SK=w#12376 GSI3=warehouses/boras#12376",
	},
	{
		&store.WarehouseItem{ProductID: "99887", WarehouseID: "12376", Name: "The Book", Quantity: 4, ReorderPoint: 5, Bin: "A-1", Counted: at("2026-11-20T00:00:00Z"), Version: 1},
		"PK=p#99887 SK=w#12376 GSI2=w#12376/p#99887 GSI3=low#w#12376/000000000004#p#99887 GSI4=w#12376/bin#a-1#p#99887",
	},
	{
		&store.StockMove{ID: "01HZX", ProductID: "99887", WarehouseID: "12376", Name: "The Book", When: at("2026-11-21T08:00:00Z"), From: 6, To: 4, Delta: -2, Reason: "sent", By: "kim", OrderID: "12345", TransferID: "01HZY", DeliveryID: "01HZU", EventID: "01HZW"},
		"PK=p#99887 SK=stock#12376#01HZX GSI2=w#12376/stock#01HZX",
	},
	{ // the entry of a shipment of an earlier version
		&store.StockMove{ID: "01HZX", ProductID: "99887", WarehouseID: "12376", Name: "The Book", When: at("2026-11-21T08:00:00Z"), From: 6, To: 4, Delta: -2, Reason: "shipped", By: "kim", OrderID: "12345", ShipmentID: "01HZV"},
		"PK=p#99887 SK=stock#12376#01HZX GSI4=ledger#w#12376/stock#01HZX",
	},
	{
		&store.ExpectedDelivery{ID: "01HZX", ProductID: "99887", WarehouseID: "12376", Name: "The Book", Due: at("2026-12-01T00:00:00Z"), Supplier: "Acme", Quantity: 20, Received: 12, Version: 2},
		"PK=p#99887 SK=delivery#12376#01HZX GSI2=w#12376/delivery#2026-12-01#01HZX GSI3=p#99887/delivery#12376#2026-12-01#01HZX",
	},
	{ // a cancelled delivery has no index keys
		&store.ExpectedDelivery{ID: "01HZY", ProductID: "99887", WarehouseID: "12376", Due: at("2026-12-01T00:00:00Z"), Quantity: 20, Received: 12, Cancelled: true, Version: 3},
		"PK=p#99887 SK=delivery#12376#01HZY",
	},
	{
		&store.Count{ID: "01HZX", WarehouseID: "12376", FromBin: "B", ToBin: "E", NotSince: 90, Sheet: "01HZY", Rows: 42, Started: at("2026-11-21T16:40:00Z"), By: "kim", Closed: true, Expires: at("2027-12-26T16:40:00Z"), Version: 2},
		"PK=count#01HZX SK=count#01HZX GSI2=w#12376/count#01HZX",
	},
	{
		&store.CountRow{Sheet: "01HZY", Number: 7, ProductID: "99887", Name: "The Book", SKU: "BK-1", Bin: "B-2", Price: amount("9.5"), Entered: true, Quantity: 3, Seen: 4, By: "kim", At: at("2026-11-21T16:45:00Z"), Disputed: true, Other: 5, OtherBy: "lee", Token: "01HZZ", Applied: true, Expires: at("2027-12-26T16:40:00Z"), Version: 3},
		"PK=countRows#01HZY SK=row#0007 GSI1=countRows#01HZY/p#99887",
	},
	{
		&store.Transfer{ID: "01HZX", ProductID: "99887", SourceID: "12376", TargetID: "12377", Name: "The Book", Sent: at("2026-11-20T00:00:00Z"), Reason: "empty shelf", By: "kim", Quantity: 20, Received: 12, WrittenOff: 3, Returned: 1, Version: 2},
		"PK=p#99887 SK=transfer#01HZX GSI2=w#12377/transfer#2026-11-20#01HZX GSI3=p#99887/transfer#12377#2026-11-20#01HZX GSI4=w#12376/transfer#2026-11-20#01HZX",
	},
	{ // a transfer that arrived has no index keys
		&store.Transfer{ID: "01HZY", ProductID: "99887", SourceID: "12376", TargetID: "12377", Sent: at("2026-11-20T00:00:00Z"), By: "kim", Quantity: 20, Received: 22, WrittenOff: -2, Version: 3},
		"PK=p#99887 SK=transfer#01HZY",
	},
	{
		&store.Order{ID: "12345", CustomerID: "777", Date: at("2020-06-21T19:10:00Z"), Status: store.OrderShipped, Total: amount("400"), AccountRepID: "7", ShipTo: store.Address{City: "X"}, CustomerName: "Samaneh", ItemCount: 7, PaymentState: store.InvoicePaid, ShipmentState: store.FullyShipped, OpenLines: []string{"3 99887"}, Unfinished: true, Version: 3},
		"PK=o#12345 SK=c#777 GSI2=c#777/o#2020-06-21T19:10:00Z#12345 GSI3=orders#9/SHIPPED#2020-06-21T19:10:00Z#12345 GSI4=orders#2020-06#9/2020-06-21T19:10:00Z#12345 GSI5=e#7/o#2020-06-21T19:10:00Z#12345",
	},
	{
		&store.OrderItem{OrderID: "12345", ProductID: "99887", CustomerID: "777", Date: at("2020-06-21T19:20:00Z"), Name: "The Book", SKU: "BK-1", Price: amount("40"), Quantity: 5, Shipped: 2, Returned: 1, Version: 1},
		"PK=o#12345 SK=p#99887 GSI1=p#99887/2020-06-21T19:20:00Z GSI2=c#777/p#2020-06-21T19:20:00Z GSI3=p#99887/OPEN#2020-06-21T19:20:00Z#o#12345",
	},
	{
		&store.OrderItem{OrderID: "12346", ProductID: "99887", CustomerID: "777", Date: at("2020-06-21T19:20:00Z"), Price: amount("40"), Quantity: 5, Cancelled: true, Version: 1},
		"PK=o#12346 SK=p#99887 GSI1=p#99887/2020-06-21T19:20:00Z GSI2=c#777/p#2020-06-21T19:20:00Z",
	},
	{
		&store.Invoice{ID: "55443", Number: 12, OrderID: "12345", CustomerID: "777", Date: at("2020-06-21T19:18:00Z"), DueDate: at("2020-07-21T00:00:00Z"), Amount: amount("400"), Credit: amount("300"), TaxRate: taxRate("5.5"), Status: store.InvoicePaid, Payments: []store.Payment{{ID: "1", Type: "GiftCard", Amount: amount("100"), Date: at("2020-06-21T19:18:00Z"), Data: "G-1", Received: at("2020-06-20T00:00:00Z"), RefundOf: "0", ReversalOf: "2", By: "kim", Why: "Typed twice"}}, Lines: []store.DocumentLine{{ProductID: "99887", Name: "The Book", Price: amount("40"), Quantity: 10}}, Supplement: "55442", Version: 2},
		"PK=o#12345 SK=i#55443 GSI1=i#55443/i#55443 GSI2=c#777/i#2020-06-21T19:18:00Z GSI3=invoices#11/PAID#2020-06-21T19:18:00Z#55443 GSI4=invoices#2020-06#11/2020-06-21T19:18:00Z#55443 GSI5=number#INV-12/i#55443",
	},
	{
		&store.CreditNote{ID: "55444", Number: 3, OrderID: "12345", CustomerID: "777", InvoiceID: "55443", InvoiceNumber: 12, Date: at("2020-06-25T19:18:00Z"), Reason: store.CreditReturned, Amount: amount("300"), TaxRate: taxRate("5.5"), Lines: []store.DocumentLine{{ProductID: "99887", Name: "The Book", Price: amount("60"), Quantity: 5}}, Version: 1},
		"PK=o#12345 SK=cn#55444 GSI1=cn#55444/cn#55444 GSI2=c#777/cn#2020-06-25T19:18:00Z#55444 GSI5=number#CN-3/cn#55444",
	},
	{
		&store.NumberSeries{Series: store.SeriesInvoices, Last: 12, Version: 12},
		"PK=series#INV SK=series#INV",
	},
	{
		&store.Shipment{ID: "88899", OrderID: "12345", CustomerID: "98765", WarehouseID: "12376", Date: at("2020-06-22T08:20:00Z"), Type: "Express", Status: store.ShipmentSent, Address: store.Address{City: "X"}, Carrier: "DHL", Tracking: "JD1", Version: 1},
		"PK=o#12345 SK=sh#88899 GSI1=sh#88899/sh#88899 GSI2=w#12376/sh#88899 GSI3=shipments#3/SENT#2020-06-22T08:20:00Z#88899",
	},
	{
		&store.SearchWord{Group: "staff", Words: "ek_goran", Later: true, Name: "goran_ek", Type: "e", ID: "7", Place: "12376", Version: 1},
		"PK=words#staff#eg#0 SK=ek_goran#1#goran_ek#e#12376#7",
	},
	{
		&store.SearchWord{Group: "people", Words: "oberg", Name: "oberg", Type: "c", ID: "12345", Version: 1},
		"PK=words#people#o#0 SK=oberg#0#oberg#c#.#12345",
	},
	{
		&store.SearchWord{Group: "codes", Words: "chr028", Name: "chr028", Type: "p", ID: "99887", Version: 1},
		"PK=words#codes#chr#0 SK=chr028#0#chr028#p#.#99887",
	},
	{
		&store.SearchWord{Group: "codes", Words: "plan", Name: "plan", Type: "s", ID: "5", Place: "777#PLAN", Version: 1},
		"PK=words#codes#pla#0 SK=plan#0#plan#s#777#PLAN#5",
	},
	{
		&store.ShipmentItem{ID: "54321", OrderID: "12345", ShipmentID: "88899", ProductID: "99887", Name: "The Book", Quantity: 2, Version: 1},
		"PK=o#12345 SK=shp#54321 GSI1=sh#88899/p#99887",
	},
	{ // an item that is a ledger entry
		&store.ShipmentItem{ID: "54322", OrderID: "12345", ShipmentID: "88899", ProductID: "99887", Name: "The Book", Quantity: 2, EntryID: "01HZX", WarehouseID: "12376", When: at("2026-11-21T08:00:00Z"), From: 6, By: "kim", Version: 1},
		"PK=o#12345 SK=shp#54322 GSI1=sh#88899/p#99887 GSI2=shipped#p#99887/stock#12376#01HZX GSI4=shipped#w#12376/stock#01HZX",
	},
	{
		&store.RentalStore{ID: "s1", Name: "Brygga", Address: store.Address{City: "Lund"}, In: 3, Out: 2, Repair: 1, Archived: true, Version: 4},
		"PK=v1#store#storeULID#s1 SK=metadata GSI1=v1#stores/storeULID#s1",
	},
	{
		&store.StoreEmployee{StoreID: "s1", PersonID: "77", EmploymentID: "E1", From: at("2026-01-05T00:00:00Z"), To: at("2026-12-05T00:00:00Z"), Position: "Guide", Name: "Kim", Version: 1},
		"PK=v1#store#storeULID#s1 SK=employee#metadata#personULID#77",
	},
	{
		&store.Kayak{ID: "k1", StoreID: "s1", Name: "Heron", Kind: "Sea", Serial: "S-1", DailyRate: amount("30"), Condition: "Good", Status: store.KayakOut, Version: 2},
		"PK=v1#store#storeULID#s1 SK=inventory#metadata#inventoryULID#k1 GSI1=v1#inventory#inventoryULID#k1/storeULID#s1",
	},
	{
		&store.ActiveRental{StoreID: "s1", PersonID: "77", KayakID: "k1", RentalID: "R1", Out: at("2026-11-20T09:00:00Z"), Due: at("2026-11-22T00:00:00Z"), Rate: amount("30"), Deposit: amount("100"), DepositBy: store.PayByCash, BookingID: "B1", OtherBookings: []string{"B2"}, StoreName: "Brygga", PersonName: "Kim", KayakName: "Heron", Version: 1},
		"PK=v1#store#storeULID#s1 SK=activeRentals#personULID#77#inventoryULID#k1 GSI3=rentals-due#9/2026-11-22#k1 GSI4=v1#activeRentals#personULID#77/inventoryULID#k1",
	},
	{
		&store.Person{ID: "77", Name: "Kim", Email: "kim@example.com", Phones: []string{"+46 70 1"}, NoNotices: true, Version: 1},
		"PK=v1#person#personULID#77 SK=metadata",
	},
	{
		&store.Employment{ID: "E1", StoreID: "s1", PersonID: "77", From: at("2026-01-05T00:00:00Z"), To: at("2026-06-30T00:00:00Z"), Position: "Guide", StoreName: "Brygga", PersonName: "Kim", Version: 2},
		"PK=v1#employment#employmentULID#E1 SK=metadata GSI1=v1#employments#storeULID#s1/2026-01-05#E1 GSI2=v1#employment#s1/v1#employment#77#2026-01-05#E1 GSI3=v1#employment#77/v1#employment#s1#2026-01-05#E1 GSI4=v1#employments#personULID#77/2026-01-05#E1",
	},
	{
		&store.Rental{ID: "R1", StoreID: "s1", PersonID: "77", KayakID: "k1", Out: at("2026-11-20T09:00:00Z"), Due: at("2026-11-22T00:00:00Z"), Returned: at("2026-11-21T17:00:00Z"), Rate: amount("30"), Charge: amount("60"), Damage: "Dent", PaidBy: store.PayByCard, Paid: at("2026-11-21T17:00:00Z"), Deposit: amount("100"), DepositBy: store.PayByCash, DepositKept: amount("40"), StoreName: "Brygga", PersonName: "Kim", KayakName: "Heron", Version: 2},
		"PK=v1#rental#rentalULID#R1 SK=metadata GSI1=v1#rentals#storeULID#s1/2026-11-20T09:00:00Z#R1" +
			" GSI2=v1#rentalLocationPerson#s1/v1#rentalPersonLocation#77#2026-11-20T09:00:00Z#R1" +
			" GSI3=v1#rentalPersonLocation#77/v1#rentalLocationPerson#s1#2026-11-20T09:00:00Z#R1" +
			" GSI4=v1#rentals#personULID#77/2026-11-20T09:00:00Z#R1" +
			" GSI5=v1#rentalInventoryPerson#k1/2026-11-20T09:00:00Z#v1#rentalPersonInventory#77#R1" +
			" GSI6=v1#rentalPersonInventory#77/v1#rentalInventoryPerson#k1#2026-11-20T09:00:00Z#R1",
	},
	{
		&store.RentalPayment{
			ID: "P1", StoreID: "s1", PersonID: "77", Day: at("2026-11-21T00:00:00Z"), At: at("2026-11-21T17:00:00Z"), Kind: store.RentalCharge, Method: store.PayLater, Amount: amount("60"),
			Why: "Dent", By: "mia", Rentals: []store.PaidRental{{RentalID: "R1", KayakID: "k1", Amount: amount("60")}}, Settles: "P0", StoreName: "Brygga", PersonName: "Kim", Version: 1,
		},
		"PK=v1#takings#storeULID#s1#2026-11-21 SK=payment#P1 GSI2=v1#rentalPayments#personULID#77/2026-11-21T17:00:00Z#P1" +
			" GSI3=v1#unpaidRentals#storeULID#s1/2026-11-21T17:00:00Z#P1 GSI4=v1#rentalPayments#personULID#77#storeULID#s1/2026-11-21T17:00:00Z#P1",
	},
	{
		&store.RentalPayment{
			ID: "P2", StoreID: "s1", PersonID: "77", Day: at("2026-11-21T00:00:00Z"), At: at("2026-11-21T17:00:00Z"), Kind: store.RentalCharge, Method: store.PayLater, Amount: amount("60"),
			By: "mia", SettledBy: "P3", Version: 2,
		},
		"PK=v1#takings#storeULID#s1#2026-11-21 SK=payment#P2 GSI2=v1#rentalPayments#personULID#77/2026-11-21T17:00:00Z#P2" +
			" GSI4=v1#rentalPayments#personULID#77#storeULID#s1/2026-11-21T17:00:00Z#P2",
	},
	{
		&store.Booking{
			ID: "B1", StoreID: "s1", PersonID: "77", KayakID: "k1", Kind: "Sea", From: at("2026-11-30T00:00:00Z"), To: at("2026-12-01T00:00:00Z"), Status: store.BookingOpen,
			Note: "School trip", Created: at("2026-11-20T09:00:00Z"), StoreName: "Brygga", PersonName: "Kim", KayakName: "Heron", Version: 1,
		},
		"PK=v1#booking#bookingULID#B1 SK=metadata GSI1=v1#bookings#inventoryULID#k1/2026-11-30#B1 GSI2=v1#bookings#personULID#77/2026-11-30#B1" +
			" GSI3=v1#bookings#storeULID#s1/BOOKED#2026-11-30#B1 GSI4=v1#bookings#storeULID#s1/2026-11-30#B1",
	},
	{
		&store.Booking{
			ID: "B2", StoreID: "s1", PersonID: "77", KayakID: "k1", From: at("2026-11-30T00:00:00Z"), To: at("2026-12-01T00:00:00Z"), Status: store.BookingCheckedOut,
			RentalID: "R1", Created: at("2026-11-20T09:00:00Z"), Version: 2,
		},
		"PK=v1#booking#bookingULID#B2 SK=metadata GSI2=v1#bookings#personULID#77/2026-11-30#B2" +
			" GSI3=v1#bookings#storeULID#s1/CHECKED_OUT#2026-11-30#B2 GSI4=v1#bookings#storeULID#s1/2026-11-30#B2",
	},
	{
		&store.BookingDay{
			StoreID: "s1", KayakID: "k1", Day: at("2026-12-01T00:00:00Z"), BookingID: "B1", Kind: "Sea", From: at("2026-11-30T00:00:00Z"), To: at("2026-12-01T00:00:00Z"),
			PersonID: "77", Note: "School trip", PersonName: "Kim", KayakName: "Heron", Version: 1,
		},
		"PK=v1#bookingDays#storeULID#s1#2026-11-30 SK=2026-12-01#inventoryULID#k1",
	},
	{
		&store.Employee{ID: "7", Name: "Göran Ek", Email: "g@example.com", Phones: []string{"+46 70 2"}, HireDate: at("2019-03-01T00:00:00Z"), JobID: "SA_REP", JobTitle: "Account rep", DepartmentID: "80", LocationID: "2500", WarehouseID: "12376", ManagerID: "6", Address: store.Address{City: "Lund"}, Version: 2},
		"PK=e#7 SK=e#7 GSI1=employees/goran_ek#7 GSI2=w#12376/e#goran_ek#7 GSI3=j#SA_REP/e#goran_ek#7 GSI4=employees/2019-03-01#7",
	},
	{
		&store.Quota{EmployeeID: "7", Period: store.Quarter{2026, 4}, OrderTotal: amount("12345.675").Sum(), Orders: 31, Target: amount("15000"), Name: "Göran Ek", Version: 5},
		"PK=e#7 SK=QUOTA#2026-Q4 GSI1=QUOTA#2026-Q4/000000001234568#e#7",
	},
	{
		&store.Reference{Kind: store.Region, ID: "1", Name: "Europe", Version: 1},
		"PK=r#1 SK=r#1 GSI1=regions/europe#1",
	},
	{
		&store.Reference{Kind: store.Country, ID: "SE", Name: "Sweden", ParentID: "1", Version: 1},
		"PK=co#SE SK=co#SE GSI1=countries/sweden#SE",
	},
	{
		&store.Reference{Kind: store.Location, ID: "2500", Name: "Örebro", ParentID: "SE", Version: 1},
		"PK=l#2500 SK=l#2500 GSI1=locations/orebro#2500",
	},
	{
		&store.Reference{Kind: store.Department, ID: "80", Name: "Sales", ParentID: "2500", Version: 1},
		"PK=d#80 SK=d#80 GSI1=departments/sales#80",
	},
	{
		&store.Reference{Kind: store.Category, ID: "books_&_maps", Name: "Books & Maps", Former: "books", Archived: true, Version: 2},
		"PK=cat#books_&_maps SK=cat#books_&_maps GSI1=categories/books_&_maps#books_&_maps",
	},
	{
		&store.FormerCategory{ID: "books", PresentID: "books_&_maps", Version: 1},
		"PK=cat#books SK=former GSI1=formerCategories/books",
	},
	{
		&store.SamePerson{ID: "777", Others: []string{"01HZX", "778"}, Version: 2},
		"PK=samePerson#777 SK=samePerson#777",
	},
	{
		&store.Reference{Kind: store.Job, ID: "SA_REP", Name: "Account rep", Version: 1},
		"PK=j#SA_REP SK=j#SA_REP GSI1=jobs/account_rep#SA_REP",
	},
	{
		&store.Subscription{ID: "55", AccountID: "777", SKU: "BK-1", PlanName: "A book a month", Email: "a@example.com", Status: store.SubscriptionPastDue, PaymentDay: 31, PaymentAmount: amount("12.99"), NextPaymentDate: at("2026-11-30T00:00:00Z"), NextAttemptDate: at("2026-12-01T00:00:00Z"), Attempt: 1, LastPaymentDate: at("2026-10-31T04:00:00Z"), NextReminderDate: at("2026-12-24T00:00:00Z"), LastReminderDate: at("2026-11-23T04:00:00Z"), PaymentDetails: store.PaymentDetails{Card: "1234", Address: "S 1", Customer: "cus_1", Method: "pm_1"}, PendingAttempt: store.PaymentAttempt{Key: "777#55#BK-1#2026-11-30#2", Amount: amount("12.99"), At: at("2026-12-01T04:00:00Z"), Service: store.ServiceStripe}, Created: at("2026-01-02T03:04:05Z"), Cancelled: at("2026-12-02T00:00:00Z"), Version: 9},
		"PK=ACC#777 SK=SUB#55#SKU#BK-1 GSI1=reminder#2026-12-24#5/ACC#777#SUB#55 GSI2=payment#2026-12-01#5/ACC#777#SUB#55 GSI3=subscriptions#5/PAST_DUE#2026-11-30#55",
	},
	{
		&store.Subscription{ID: "56", AccountID: "777", SKU: "BK-1", Status: store.SubscriptionActive, PaymentDay: 30, PaymentAmount: amount("12.99"), NextPaymentDate: at("2026-11-30T00:00:00Z"), NextAttemptDate: at("2026-11-30T00:00:00Z"), PendingAttempt: store.PaymentAttempt{Key: "777#56#BK-1#2026-11-30#1", Amount: amount("12.99"), At: at("2026-11-30T04:00:00Z"), Resumes: true}, Ending: true, Version: 1},
		"PK=ACC#777 SK=SUB#56#SKU#BK-1 GSI2=payment#2026-11-30#4/ACC#777#SUB#56 GSI3=subscriptions#4/ACTIVE#2026-11-30#56",
	},
	{
		&store.Receipt{AccountID: "777", SubscriptionID: "55", SKU: "BK-1", PlanName: "A book a month", DueDate: at("2026-10-31T00:00:00Z"), Email: "a@example.com", ProcessedDate: at("2026-10-31T04:00:00Z"), ProcessedAmount: amount("12.99"), Reference: "pi_1", Expires: at("2027-05-02T04:00:00Z"), NextPaymentDate: at("2026-11-30T00:00:00Z"), PreviousPaymentDate: at("2026-09-30T04:00:00Z"), Version: 1},
		"PK=ACC#777 SK=REC#2026-10-31#SKU#BK-1#SUB#55",
	},
	{
		&store.JobRun{Job: store.PaymentsJob, Date: at("2026-11-30T00:00:00Z"), Shard: 7, State: store.JobRunning, Service: store.ServiceStripe, By: "kim", Owner: "01HZX", Until: at("2026-11-30T04:01:00Z"), Began: at("2026-11-30T04:00:00Z"), Leased: at("2026-11-30T04:00:10Z"), Updated: at("2026-11-30T04:00:30Z"), Due: 90, JobCounts: store.JobCounts{Done: 40, Declined: 2, Failed: 1, Unknown: 3, Amount: amount("519.6").Sum()}, Version: 4},
		"PK=job#payments SK=2026-11-30#7",
	},
	{
		&store.JobResult{Job: store.PaymentsJob, Date: at("2026-11-30T00:00:00Z"), Shard: 7, AccountID: "777", SubscriptionID: "55", SKU: "BK-1", PlanName: "A book a month", Outcome: store.OutcomeDeclined, Amount: amount("12.99"), Why: "expired", When: at("2026-11-30T04:00:30Z"), Expires: at("2027-02-28T04:00:30Z")},
		"PK=jobResult#payments#2026-11-30#7 SK=ACC#777#SUB#55#SKU#BK-1 GSI3=failures#payments#2026-11-30#7/DECLINED#ACC#777#SUB#55#SKU#BK-1",
	},
	{ // results of earlier versions have no SKU in their key
		withoutSKU(&store.JobResult{Job: store.PaymentsJob, Date: at("2026-11-30T00:00:00Z"), Shard: 7, AccountID: "777", SubscriptionID: "55", SKU: "BK-1", Outcome: store.OutcomeDeclined, Amount: amount("12.99"), Why: "expired", When: at("2026-11-30T04:00:30Z"), Expires: at("2027-02-28T04:00:30Z")}),
		"PK=jobResult#payments#2026-11-30#7 SK=ACC#777#SUB#55 GSI3=failures#payments#2026-11-30#7/DECLINED#ACC#777#SUB#55",
	},
	{
		&store.JobBacklog{Job: store.PaymentsJob, Since: at("2026-11-12T00:00:00Z"), Version: 3},
		"PK=job#payments SK=backlog",
	},
	{
		&store.QuotaSlot{EmployeeID: "7", Period: store.Quarter{2026, 4}, Slot: 3, OrderTotal: amount("-12.5").Sum(), Orders: -1, Version: 5},
		"PK=e#7 SK=sold#2026-Q4#3",
	},
	{
		&store.StockCount{ProductID: "99887", Slot: 3, OnHand: -4, Committed: 7, Incoming: 12, Version: 5},
		"PK=p#99887 SK=counts#3",
	},
	{
		&store.StockSlot{ProductID: "99887", Slot: 14, OnHand: -4, Committed: 7, Incoming: 12, Version: 5},
		"PK=counts#99887#14 SK=counts#14",
	},
	{
		&store.JobCount{Job: store.PaymentsJob, Date: at("2026-11-30T00:00:00Z"), Shard: 7, Slot: 11, JobCounts: store.JobCounts{Done: 4, Declined: 2, Failed: -1, Unknown: 1, Amount: amount("51.9").Sum()}, Expires: at("2027-02-28T04:00:30Z"), Version: 8},
		"PK=jobCount#payments#2026-11-30#7 SK=11",
	},
	{
		&store.JobTotal{Day: at("2026-11-30T00:00:00Z"), Shard: 7, Slot: 11, Run: at("2026-11-29T00:00:00Z"), Due: at("2026-11-28T00:00:00Z"), Next: at("2026-12-28T00:00:00Z"), Count: 4, Amount: amount("51.9").Sum(), Version: 4},
		"PK=jobTotal#2026-11#7 SK=30#11#2026-11-29#2026-11-28#2026-12-28",
	},
	{
		&store.CheckReport{
			Began: at("2026-11-30T02:00:00Z"), Ended: at("2026-11-30T02:10:00Z"), Items: 90, Changing: 1, Problem: "busy", Counts: []store.RuleCount{{store.CheckOrderTotal, 2}},
			First: []store.CheckEntry{{Rule: store.CheckOrderTotal, PK: "o#1", SK: "c#2", Text: "The order 1.", About: []string{"o#1", "c#2"}}}, Version: 3,
		},
		"PK=check SK=last",
	},
	{
		&store.ErasureReport{Began: at("2026-11-30T02:00:00Z"), Ended: at("2026-11-30T02:10:00Z"), Erased: 20, Skips: 1, Skipped: []store.SkippedErasure{{ID: "7", Reason: "An order is open."}}, Tried: store.ErasureTurn{Day: "2026-09-01", ID: "7"}, Version: 3},
		"PK=erasures SK=last",
	},
	{
		&store.DayCosts{
			Day: at("2026-11-30T00:00:00Z"), Slot: 3, Sources: map[string]store.Cost{"aB3d": {Requests: 4, HalfReads: 55, WriteUnits: 2}}, Patterns: map[string]store.Cost{store.CostRest: {Requests: 4, HalfReads: 55, WriteUnits: 2}},
			Roles: map[string]store.Cost{"x_-1": {Requests: 4, HalfReads: 55, WriteUnits: 2}}, Batches: []string{"01HZX#7"}, Expires: at("2027-12-31T00:00:00Z"), Version: 3,
		},
		"PK=costs#2026-11 SK=2026-11-30#3",
	},
	{
		&store.BulkChange{
			ID: "01HZX", By: "kim", Kind: store.BulkPrice, State: store.BulkListing, Stop: true, Created: at("2026-11-30T02:00:00Z"), Updated: at("2026-11-30T02:10:00Z"),
			Percent: "5", Rounding: "0.05", Category: "Chairs", WarehouseID: "12345", ReorderPoint: 4, Reason: "New list", Undoes: "01HZV", Due: at("2026-12-01T00:00:00Z"), Supplier: "Acme", List: "status=OPEN", Unpaid: 2, Orders: store.OrderFilter{Status: store.OrderOpen, DateRange: store.DateRange{From: at("2026-11-01T00:00:00Z"), To: at("2026-11-30T00:00:00Z")}, Stock: store.StockReady}, SourceID: "w2", WarehouseName: "North", Places: []string{"w#12345"}, Empty: true, Invoices: store.InvoiceFilter{Status: store.InvoiceDue, DateRange: store.DateRange{From: at("2026-11-01T00:00:00Z"), To: at("2026-11-30T00:00:00Z")}}, Selected: []string{"99887"}, Filter: store.ProductFilter{Bucket: "c", Name: "chair", Category: "Chairs"},
			Next: &store.Position{Segment: "c", SK: "chair#99887", ItemPK: "p#99887", ItemSK: "p#99887"}, Listed: true, Rows: 9, Changed: 1, Failed: 2, Skipped: 3, Problem: "busy",
			Token: "01HZX.ab", Owner: "server", Until: at("2026-11-30T02:11:00Z"), Expires: at("2027-02-28T02:00:00Z"), Version: 3,
		},
		"PK=bulk#01HZX SK=bulk#01HZX GSI1=bulks#kim/01HZX GSI2=bulkChanges#2026-11/01HZX",
	},
	{
		&store.CardLink{
			ID: "01HZX", Code: "secret", Origin: "https://shop.example.com", AccountID: "12345", SubscriptionID: "s1", SKU: "PLAN", Created: at("2026-11-30T02:00:00Z"), Expires: at("2026-12-07T02:00:00Z"),
			Session: "cs_1", Sessions: 1, Used: at("2026-12-01T02:00:00Z"), Version: 3,
		},
		"PK=cardLink#01HZX SK=cardLink#01HZX",
	},
	{
		&store.PasswordLink{ID: "01HZX", User: "kim", UserVersion: 4, Code: "f00d", Expires: at("2026-11-30T02:30:00Z"), Version: 2},
		"PK=passwordLink#01HZX SK=passwordLink#01HZX",
	},
	{
		&store.Email{
			ID: "01HZX", Kind: store.EmailReminder, To: "ada@example.com", CustomerID: "12345", User: "kim", Record: "ACC#12345", CardLink: "01HZX", View: "01HZV", PasswordLink: "01HZY", Document: "4502", Status: store.EmailQueued,
			Created: at("2026-11-30T02:00:00Z"), At: at("2026-11-30T02:01:00Z"), Attempts: 1, Owner: "server", Response: "451 try again",
			Payment: store.EmailPayment{SubscriptionID: "s1", PlanName: "Tea", Card: "1234", Amount: amount("12.5"), Currency: "EUR", Due: at("2026-12-01T00:00:00Z"), LinkEnd: at("2026-12-07T00:00:00Z"), NextAttempt: at("2026-12-02T00:00:00Z")}, Expires: at("2027-06-01T02:00:00Z"), Version: 3,
			Notice: store.EmailNotice{Day: at("2026-11-30T00:00:00Z"), Sections: []store.NoticeSection{{Kind: store.NoticeLateKayaks, Rows: []store.NoticeRow{{Name: "Blue", Place: "Aarhus", StoreID: "s1", Quantity: 2, Day: at("2026-11-29T00:00:00Z")}}, More: true}}},
			Values: store.EmailDocument{Number: "CN-3", OrderID: "12345", Invoice: "INV-12", Date: at("2026-11-30T02:00:00Z"), Due: at("2026-12-14T00:00:00Z"), From: at("2026-11-01T00:00:00Z"), To: at("2026-11-30T00:00:00Z"), Amount: amount("300"), Balance: amount("10"), Currency: "EUR"},
		},
		"PK=email#01HZX SK=email#01HZX GSI2=emails#c#12345/01HZX GSI3=emails#11/QUEUED#2026-11-30T02:01:00Z#01HZX",
	},
	{
		&store.BulkRow{BulkID: "01HZX", Number: 7, ProductID: "99887", Name: "Chair", Seen: 2, Before: "10", After: "10.5", Outcome: store.BulkFailed, EventID: "01HZW", Undoes: "01HZV", Why: "Changed", WarehouseID: "w1", SourceID: "w2", Spare: "3 to spare in South", Lines: []string{"2 p10"}, Max: 9, OrderID: "7", InvoiceID: "8", PersonID: "77", PersonSeen: 3, Expires: at("2027-02-28T02:00:00Z"), Version: 2},
		"PK=bulkRows#01HZX SK=000007 GSI3=bulkFailures#01HZX/000007",
	},
	{
		&store.BulkRow{BulkID: "01HZX", Number: 8, ProductID: "99888", Outcome: store.BulkSkipped, Why: "Not stocked", Expires: at("2027-02-28T02:00:00Z"), Version: 1},
		"PK=bulkRows#01HZX SK=000008 GSI4=bulkSkipped#01HZX/000008",
	},
	{
		&store.ImportRun{
			ID: "01HZX", By: "kim", State: store.ImportDone, Upload: true, Options: []string{"lenient"}, Began: at("2026-11-30T02:00:00Z"), Updated: at("2026-11-30T02:10:00Z"),
			Files: []store.ImportFile{{Name: "orders.csv", Size: 90, Digest: "ab"}}, Counts: []store.ImportCounts{{File: "orders.csv", Entity: "order", Read: 9, Added: 1, Unchanged: 2, Updated: 3, Merged: 1, Rejected: 2}},
			Sum: store.ImportCounts{Read: 9, Added: 1, Unchanged: 2, Updated: 3, Merged: 1, Rejected: 2}, Problem: "busy", Expires: at("2027-12-01T02:00:00Z"), Version: 3,
		},
		"PK=import#01HZX SK=import#01HZX GSI1=imports#2026/01HZX",
	},
	{
		&store.ImportMapping{Header: "ab", Text: "files:", By: "kim", Used: at("2026-11-30T02:00:00Z"), Expires: at("2027-12-01T02:00:00Z"), Version: 3},
		"PK=importMapping#ab SK=importMapping#ab",
	},
	{
		&store.Lease{Name: "scheduler", Owner: "01HZX", Until: at("2026-11-30T04:01:00Z"), State: "x", Version: 3},
		"PK=lease#scheduler SK=lease#scheduler",
	},
	{
		&store.Settings{Shards: 4, ShardsRead: 15, Moving: true, Moved: at("2026-10-30T07:00:00Z"), Currency: "SEK", TimeZone: "Europe/Stockholm", ZoneChanged: at("2026-10-29T09:00:00Z"), Payments: store.ServiceRecord, RefundLimit: amount("50"), ReadPrice: amount("0.25"), WritePrice: amount("1.25"), ReminderDays: 5, ReceiptDays: 90, RetryDays: "2, 5", AccessDays: 100, EraseClosedDays: 60, SessionMinutes: 15, SessionHours: 8, SecondFactor: store.FactorAdmins, LatePayments: store.LateSkip, Numbering: store.NumberByID, SchedulerSince: at("2026-11-01T08:00:00Z"), Notices: true, Company: store.Company{Name: "Kajak ApS", Address: []string{"Havnegade 1"}, VATNumber: "DK1", Bank: []string{"IBAN"}, Footer: []string{"Thank you."}, Logo: "0123", LogoType: store.LogoPNG}, TaxRate: taxRate("25"), Version: 2},
		"PK=settings SK=settings",
	},
	{
		&store.Logo{Type: store.LogoPNG, Digest: "0123", Content: []byte("png"), Version: 1},
		"PK=settings SK=logo",
	},
	{
		&store.SessionKeys{Keys: []string{"a", "b"}, Version: 1},
		"PK=settings SK=session-keys",
	},
	{
		&store.User{Name: "kim", Role: store.Manager, Warehouses: []string{"12345"}, Stores: []string{"7"}, Hash: "$argon2id$", MustChange: true, OneTimeUntil: at("2026-11-22T08:00:00Z"), Identity: "abc", SecondFactor: true, Disabled: true, Email: "kim@example.com", NoNotices: true, Version: 1},
		"PK=user#kim SK=user#kim GSI1=users/kim",
	},
	{
		&store.ProviderIdentity{Hash: "abc", Issuer: "https://id.example.com", Subject: "248289761001", User: "kim", Created: at("2026-11-21T08:00:00Z"), Version: 1},
		"PK=identity#abc SK=identity#abc",
	},
	{
		&store.SecondFactor{User: "kim", Handle: "aGFuZGxl", Secret: "GEZDGNBVGY3TQOJQ", LastCode: at("2026-11-21T08:00:30Z"), Recovery: []string{"a", "b"}, Passkeys: []store.Passkey{{ID: "aWQ", PublicKey: []byte{1, 2}, Name: "Laptop", Count: 3, Synced: true, Created: at("2026-11-21T08:00:00Z"), Used: at("2026-11-21T09:00:00Z")}}, Answered: []string{"1795251600 abc"}, Version: 2},
		"PK=user#kim SK=second-factor GSI1=secondFactors#aGFuZGxl/kim",
	},
	{
		&store.Session{Hash: "abc", FirstHash: "aaa", User: store.User{Name: "kim", Role: store.Manager, Warehouses: []string{"12345"}, Stores: []string{"7"}, MustChange: true}, UserVersion: 4, Created: at("2026-11-21T08:00:00Z"), Seen: at("2026-11-21T08:05:00Z"), Expires: at("2026-11-21T20:00:00Z"), Idle: 20, Factor: store.FactorApp, Provider: true, Confirmed: at("2026-11-21T08:00:00Z"), Agent: "Firefox", Version: 1},
		"PK=session#abc SK=session#abc GSI1=sessions#kim/abc",
	},
	{
		&store.AccessToken{ID: "01HZX", Owner: "kim", Name: "Reports", Hash: "abc", Role: store.Manager, Warehouses: []string{"12345"}, Stores: []string{"7"}, Created: at("2026-11-21T08:00:00Z"), Used: at("2026-11-21T09:00:00Z"), Expires: at("2027-02-19T08:00:00Z"), Version: 2},
		"PK=token#01HZX SK=token#01HZX GSI1=tokens#kim/01HZX",
	},
	{
		&store.SignInCount{Counter: "abc", Failed: 6, BlockedUntil: at("2026-11-21T08:00:10Z"), Since: at("2026-11-21T08:00:00Z"), Cleared: 2, Expires: at("2026-11-21T09:00:00Z"), Version: 7},
		"PK=signIns#abc SK=signIns#abc",
	},
	{
		&store.Event{ID: "01HZX", Partition: "o#12345", When: at("2026-11-21T08:00:00Z"), By: "kim", What: store.EventOrderShipped, Subject: "77", Why: "asked", Before: "a", After: "b", Token: "01HZW", Values: `[{"n":"name","b":"a","a":"b"}]`, Undoes: "01HZV", UndoneBy: "ole", Undone: at("2026-11-21T09:00:00Z"), Audience: "w#1", Address: "10.0.0.1", Attempts: 2, Rows: 3, Attempt: "f00d", Redacted: "beef", ImportedBy: "ada", Imported: at("2026-11-22T08:00:00Z"), Expires: at("2027-01-01T00:00:00Z")},
		"PK=o#12345 SK=event#01HZX GSI1=events#2026-11-21#11/01HZX GSI2=events#user#kim/01HZX GSI3=importedEvents#2026-11-22#11/01HZX GSI4=news#2026-11#0/2026-11-21T08:00:00Z#01HZX",
	},
	{
		&store.Event{ID: "01HZX", Partition: "o#12345", When: at("2026-11-21T08:00:00Z"), By: "kim", What: store.EventNote, Why: "asked", Audience: "role#manager"},
		"PK=o#12345 SK=event#01HZX GSI1=events#2026-11-21#11/01HZX GSI2=events#user#kim/01HZX GSI4=news#notes-2026-11#0/2026-11-21T08:00:00Z#01HZX",
	},
	{
		&store.Visit{User: "kim", Began: at("2026-11-21T09:00:00Z"), Last: at("2026-11-21T08:00:00Z"), Dismissed: "2026-11-21T08:00:00Z#01HZX", DismissedNotes: []string{"01HZX", "01HZW"}, Version: 2},
		"PK=user#kim SK=visit",
	},
	{
		&store.AuditSeal{
			Day: at("2026-11-21T00:00:00Z"), Sealed: at("2026-11-22T01:00:00Z"), Key: "f00d", Previous: "aa", Expires: at("2027-01-01T00:00:00Z"), MAC: "bb", Version: 1,
			Slots: []store.SealSlot{{Kind: "changes", Hour: 8, Count: 2, Hash: "cc"}},
		},
		"PK=auditSeals#2026 SK=2026-11-21",
	},
	{
		&store.SavedView{ID: "01HZX", Owner: "kim", Name: "Open orders", Path: "/orders?status=OPEN", Email: store.ViewDaily, Version: 2},
		"PK=user#kim SK=view#01HZX GSI1=viewEmails/DAILY#user#kim#01HZX",
	},
	{
		&store.SavedView{ID: "01HZX", Name: "Open orders", Path: "/orders?status=OPEN", Version: 2},
		"PK=views SK=view#01HZX",
	},
	{
		&store.Total{Kind: store.TotalOrders, Day: at("2026-11-21T00:00:00Z"), Shard: 3, Count: 12, Amount: amount("481.5").Sum(), Version: 9},
		"PK=total#orders#2026-11#3 SK=21",
	},
	{
		&store.Total{Kind: store.TotalDue, Day: at("2026-12-01T00:00:00Z"), Shard: 3, Slot: 15, Count: -2, Amount: amount("-10").Sum(), Version: 2},
		"PK=total#due#2026-12#3 SK=01#15",
	},
}

func TestKeysOfEveryEntity(t *testing.T) {
	covered := map[string]bool{}
	for _, g := range golden {
		covered[g.entity.EntityType()] = true
		item, err := store.Encode(g.entity, 15)
		if err != nil {
			t.Errorf("%s: %v", g.entity.EntityType(), err)
			continue
		}
		got := "PK=" + table.TextOf(item, "PK") + " SK=" + table.TextOf(item, "SK")
		for n := 1; n <= table.IndexCount; n++ {
			pk, sk := table.KeyAttributes(table.IndexName(n))
			if item[pk] != nil || item[sk] != nil {
				got += " " + table.IndexName(n) + "=" + table.TextOf(item, pk) + "/" + table.TextOf(item, sk)
			}
		}
		if got != g.keys {
			t.Errorf("%s:\n got %s\nwant %s", g.entity.EntityType(), got, g.keys)
		}
		for name, value := range item {
			if s, ok := value.(*types.AttributeValueMemberS); ok && strings.Contains(s.Value, "${") {
				t.Errorf("%s: got a placeholder in %s: %s, want no placeholders", g.entity.EntityType(), name, s.Value)
			}
		}
	}
	for _, d := range store.Definitions {
		if !covered[d.Type] {
			t.Errorf("got no golden keys for %s, want some", d.Type)
		}
	}
}

// TestDefinitionsListEveryAttribute checks that the definitions list every attribute of
// the golden items.
func TestDefinitionsListEveryAttribute(t *testing.T) {
	for _, g := range golden {
		d := definition(t, g.entity.EntityType())
		var listed func(within []store.Attribute, item store.Item, path string)
		listed = func(within []store.Attribute, item store.Item, path string) {
			for name, value := range item {
				i := slices.IndexFunc(within, func(a store.Attribute) bool { return a.Name == name })
				if i < 0 {
					t.Errorf("got attribute %[2]s in the item of %[1]s, but not in its definition, want it defined", d.Type, path+name)
					continue
				}
				switch v := value.(type) {
				case *types.AttributeValueMemberM:
					listed(within[i].Parts, v.Value, path+name+".")
				case *types.AttributeValueMemberL:
					if within[i].Kind == store.Groups {
						listed(within[i].Parts, v.Value[0].(*types.AttributeValueMemberM).Value, path+name+".")
					}
				}
			}
		}
		item, err := store.Encode(g.entity, 15)
		if err != nil {
			t.Fatal(err)
		}
		maps.DeleteFunc(item, func(name string, _ types.AttributeValue) bool {
			return name == table.AttrType || name == table.AttrPK || name == table.AttrSK || strings.HasPrefix(name, "GSI")
		})
		listed(d.Attributes(), item, "")
	}
}

func TestEntities_RoundTrip(t *testing.T) {
	for _, g := range golden {
		item, err := store.Encode(g.entity, 15)
		if err != nil {
			t.Fatal(err)
		}
		back, err := store.Decode(item)
		if err != nil || !reflect.DeepEqual(back, g.entity) {
			t.Errorf("%s: got\n%+v (%v), want\n%+v", g.entity.EntityType(), back, err, g.entity)
		}
		if lost := store.Mismatch(item, back); lost != "" {
			t.Errorf("%s: got a different %s, want every attribute equal", g.entity.EntityType(), lost)
		}
		if again, err := store.Encode(back, 15); err != nil || !reflect.DeepEqual(again, item) {
			t.Errorf("%s: encoded again, got\n%v (%v), want\n%v", g.entity.EntityType(), again, err, item)
		}
	}
}

// TestGolden_SetsEveryField fails if no golden entity has a value for a field. The
// other tests would not notice if such a field was not stored.
func TestGolden_SetsEveryField(t *testing.T) {
	set := map[string]bool{"Settings.zone": true, "Booking.CheckedIn": true} // not stored
	all := map[string]bool{}
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			all[name] = true
			set[name] = set[name] || !v.Field(i).IsZero()
			switch v.Field(i).Type() {
			case reflect.TypeFor[store.Address](), reflect.TypeFor[store.PaymentDetails](), reflect.TypeFor[store.PaymentAttempt](), reflect.TypeFor[store.JobCounts]():
				walk(v.Field(i))
			}
		}
	}
	for _, g := range golden {
		walk(reflect.ValueOf(g.entity).Elem())
	}
	for name := range all {
		if !set[name] {
			t.Errorf("got no golden entity with a value for %s, want one", name)
		}
	}
}

func TestIndexesAreSparse(t *testing.T) {
	for _, tt := range []struct {
		name   string
		entity store.Entity
		absent string
	}{
		{"a customer without email address", &store.Customer{ID: "1"}, "GSI1-PK"},
		{"a product without SKU", &store.Product{ID: "1"}, "GSI1-PK"},
		{"a product without category", &store.Product{ID: "1"}, "GSI2-PK"},
		{"stock above its reorder point", &store.WarehouseItem{ProductID: "1", WarehouseID: "1", Quantity: 6, ReorderPoint: 5}, "GSI3-PK"},
		{"a line that has shipped", &store.OrderItem{OrderID: "1", ProductID: "1", CustomerID: "1", Date: at("2026-01-01T00:00:00Z"), Quantity: 2, Shipped: 2}, "GSI3-PK"},
		{"a cancelled line", &store.OrderItem{OrderID: "1", ProductID: "1", CustomerID: "1", Date: at("2026-01-01T00:00:00Z"), Quantity: 2, Cancelled: true}, "GSI3-PK"},
		{"an employee without warehouse", &store.Employee{ID: "1", JobID: "1"}, "GSI2-PK"},
		{"an employee whose job is not known", &store.Employee{ID: "1"}, "GSI3-PK"},
		{"an employee whose hire date is not known", &store.Employee{ID: "1"}, "GSI4-PK"},
		{"a paused subscription", &store.Subscription{ID: "1", AccountID: "1", SKU: "1", Status: store.SubscriptionPaused, NextAttemptDate: at("2026-01-01T00:00:00Z"), NextReminderDate: at("2026-01-01T00:00:00Z")}, "GSI1-PK"},
		{"a cancelled subscription", &store.Subscription{ID: "1", AccountID: "1", SKU: "1", Status: store.SubscriptionCancelled, NextAttemptDate: at("2026-01-01T00:00:00Z")}, "GSI2-PK"},
		{"a result without failure", &store.JobResult{Job: store.PaymentsJob, Date: at("2026-01-01T00:00:00Z"), AccountID: "1", SubscriptionID: "1", Outcome: store.OutcomePaid}, "GSI3-PK"},
		{"an order without account rep", &store.Order{ID: "1", CustomerID: "1", Date: at("2026-01-01T00:00:00Z")}, "GSI5-PK"},
	} {
		item, err := store.Encode(tt.entity, 15)
		if err != nil || item[tt.absent] != nil {
			t.Errorf("%s: got a value for %s (error %v), want none", tt.name, tt.absent, err)
		}
	}
	if item, err := store.Encode(&store.Warehouse{ID: "9"}, 15); err != nil || table.TextOf(item, "GSI3-SK") != "9#9" {
		t.Errorf("warehouse without name: got %v, %v; want it sorted by its ID", item, err)
	}
	if _, err := store.Encode(&store.Order{ID: "1"}, 15); err == nil {
		t.Error("order without customer: got no error, want one because its key is incomplete")
	}
}

func TestDecode_AcceptsSampleFormats(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	entity, err := store.Decode(store.Item{
		"PK": text("o#1"), "SK": text("p#2"), "EntityType": text("orderItem"),
		"Price": text("100"), "Quantity": text("2"), "Date": text("2020-06-21T19:18:00.123"),
	})
	line, _ := entity.(*store.OrderItem)
	if err != nil || line.Quantity != 2 || line.Price.String() != "100" || !line.Date.Equal(at("2020-06-21T19:18:00Z")) {
		t.Errorf("numbers as strings and a time without zone: got %+v, %v; want them decoded", line, err)
	}
	for name, value := range map[string]string{"Price": "much", "Quantity": "1.5", "Date": "21/06/2020"} {
		_, err := store.Decode(store.Item{"PK": text("o#1"), "SK": text("p#2"), "EntityType": text("orderItem"), name: text(value)})
		if store.KindOf(err) != store.Damaged || !strings.Contains(err.Error(), name) {
			t.Errorf("%s %q: got %v, want Damaged with the name of the attribute", name, value, err)
		}
	}
}

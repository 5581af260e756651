package storetest

import (
	"testing"
	"time"

	"stockroom/store"
)

// Business is a small business with one or two records of most kinds and consistent
// sums, states and references. Tests change its entities before loading them, or damage
// its items in the table.
type Business struct {
	Region, Country, Location, Department, Job store.Reference

	Rep, Manager store.Employee
	Customer     store.Customer
	Product      store.Product
	Spare        store.Product
	Warehouse    store.Warehouse
	Stock        store.WarehouseItem
	Received     store.StockMove
	Issued       store.StockMove

	Order    store.Order
	Line     store.OrderItem
	Open     store.OrderItem
	Invoice  store.Invoice
	Shipment store.Shipment
	Packed   store.ShipmentItem
	Placed   store.Event

	Store        store.RentalStore
	Out, In      store.Kayak
	Active       store.ActiveRental
	Rental       store.Rental
	Returned     store.Rental
	Person       store.Person
	Employment   store.Employment
	StoreStaff   store.StoreEmployee
	Subscribed   store.Subscription
	Receipt      store.Receipt
	StoreManager store.User
	View         store.SavedView
}

// NewBusiness returns a new Business, always with the same content.
func NewBusiness() *Business {
	b := &Business{
		Region:     store.Reference{Kind: store.Region, ID: "1", Name: "Europe", Version: 1},
		Country:    store.Reference{Kind: store.Country, ID: "SE", Name: "Sweden", ParentID: "1", Version: 1},
		Location:   store.Reference{Kind: store.Location, ID: "1001", Name: "Lund", ParentID: "SE", Version: 1},
		Department: store.Reference{Kind: store.Department, ID: "11", Name: "Sales", ParentID: "1001", Version: 1},
		Job:        store.Reference{Kind: store.Job, ID: "REP", Name: "Account rep", Version: 1},
		Rep: store.Employee{
			ID: "e1", Name: "Rep", Email: "rep@example.com", JobID: "REP", JobTitle: "Account rep", DepartmentID: "11", LocationID: "1001",
			WarehouseID: "w1", ManagerID: "e2", Version: 1,
		},
		Manager:   store.Employee{ID: "e2", Name: "Manager", Email: "manager@example.com", Version: 1},
		Customer:  store.Customer{ID: "c1", Name: "Maria", Email: "maria@example.com", AccountRepID: "e1", Address: store.Address{City: "Lund"}, Version: 1},
		Product:   store.Product{ID: "p1", Name: "Lamp", SKU: "L-1", Price: store.MinorUnits(10_00), Version: 1},
		Spare:     store.Product{ID: "p2", Name: "Bulb", SKU: "B-1", Price: store.MinorUnits(2_00), Version: 1},
		Warehouse: store.Warehouse{ID: "w1", Name: "Lund", Version: 1},
		Stock:     store.WarehouseItem{ProductID: "p1", WarehouseID: "w1", Name: "Lamp", Quantity: 7, ReorderPoint: 2, Version: 1},
		View:      store.SavedView{ID: "v1", Owner: "ole", Name: "Open", Path: "/orders?status=OPEN", Version: 1},
		StoreManager: store.User{
			Name: "ole", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}, Version: 1,
		},
	}
	b.sell()
	b.rent()
	return b
}

func (b *Business) sell() {
	day := Now.AddDate(0, 0, -3)
	b.Received = store.StockMove{ID: "01J0000000000000000000000A", ProductID: "p1", WarehouseID: "w1", Name: "Lamp", When: day, To: 10, Delta: 10, Reason: "delivery", By: "kim"}
	b.Issued = store.StockMove{
		ID: "01J0000000000000000000000B", ProductID: "p1", WarehouseID: "w1", Name: "Lamp", When: day, From: 10, To: 7, Delta: -3, Reason: "shipped", By: "kim", OrderID: "o1",
	}
	b.Order = store.Order{
		ID: "o1", CustomerID: "c1", CustomerName: "Maria", Date: day, Status: store.OrderOpen, Total: store.MinorUnits(34_00), ItemCount: 5, AccountRepID: "e1",
		PaymentState: store.InvoicePartial, ShipmentState: store.PartlyShipped, Version: 1,
	}
	b.Line = store.OrderItem{OrderID: "o1", ProductID: "p1", CustomerID: "c1", Date: day, Name: "Lamp", Price: store.MinorUnits(10_00), Quantity: 3, Shipped: 3, Returned: 1, Version: 1}
	b.Open = store.OrderItem{OrderID: "o1", ProductID: "p2", CustomerID: "c1", Date: day, Name: "Bulb", Price: store.MinorUnits(2_00), Quantity: 2, Version: 1}
	b.Invoice = store.Invoice{
		ID: "i1", Number: 1, OrderID: "o1", CustomerID: "c1", Date: day, Amount: store.MinorUnits(34_00), Credit: store.MinorUnits(10_00), Status: store.InvoicePartial,
		Payments: []store.Payment{
			{ID: "1", Type: "Visa", Amount: store.MinorUnits(20_00), Date: day, Data: "•••• 1234", Received: Day(2026, time.November, 19)},
			{ID: "2", Type: "Visa", Amount: store.MinorUnits(-5_00), Date: day, Data: "•••• 1234", RefundOf: "1"},
		},
		Version: 1,
	}
	b.Shipment = store.Shipment{ID: "sh1", OrderID: "o1", WarehouseID: "w1", Date: day, Status: store.ShipmentSent, Version: 1}
	b.Packed = store.ShipmentItem{ID: "sh1-1", OrderID: "o1", ShipmentID: "sh1", ProductID: "p1", Name: "Lamp", Quantity: 3, Version: 1}
	b.Placed = store.Event{ID: "01J0000000000000000000000C", Partition: "o#o1", When: day, By: "kim", What: store.EventOrderPlaced}
	b.Subscribed = store.Subscription{
		ID: "sub1", AccountID: "c1", SKU: "B-1", Email: "maria@example.com", Status: store.SubscriptionActive, PaymentDay: 1, PaymentAmount: store.MinorUnits(5_00),
		NextPaymentDate: Day(2026, time.December, 1), NextAttemptDate: Day(2026, time.December, 1), NextReminderDate: Day(2026, time.November, 24), Version: 1,
	}
	b.Receipt = store.Receipt{
		AccountID: "c1", SubscriptionID: "sub1", SKU: "B-1", DueDate: Day(2026, time.November, 1), ProcessedDate: Now.AddDate(0, 0, -20),
		ProcessedAmount: store.MinorUnits(5_00), Expires: Now.AddDate(0, 5, 0), Version: 1,
	}
}

func (b *Business) rent() {
	out := Now.AddDate(0, 0, -2)
	b.Store = store.RentalStore{ID: "s1", Name: "Brygga", In: 1, Out: 1, Version: 1}
	b.Out = store.Kayak{ID: "k1", StoreID: "s1", Name: "Heron 1", DailyRate: store.MinorUnits(20_00), Status: store.KayakOut, Version: 1}
	b.In = store.Kayak{ID: "k2", StoreID: "s1", Name: "Heron 2", DailyRate: store.MinorUnits(20_00), Status: store.KayakIn, Version: 1}
	b.Rental = store.Rental{ID: "r1", StoreID: "s1", PersonID: "c1", KayakID: "k1", Out: out, Due: Day(2026, time.November, 30), Rate: store.MinorUnits(20_00), Version: 1}
	b.Active = store.ActiveRental{StoreID: "s1", PersonID: "c1", KayakID: "k1", RentalID: "r1", Out: out, Due: b.Rental.Due, Rate: b.Rental.Rate, Version: 1}
	b.Returned = store.Rental{
		ID: "r2", StoreID: "s1", PersonID: "x1", KayakID: "k2", Out: out, Due: b.Rental.Due, Returned: out.Add(time.Hour), Rate: b.Rental.Rate, Charge: b.Rental.Rate, Version: 1,
	}
	b.Person = store.Person{ID: "x1", Name: "Robin", Email: "robin@example.com", Version: 1}
	b.Employment = store.Employment{ID: "em1", StoreID: "s1", PersonID: "x1", From: Day(2026, time.March, 1), Position: "Guide", Version: 1}
	b.StoreStaff = store.StoreEmployee{StoreID: "s1", PersonID: "x1", EmploymentID: "em1", From: b.Employment.From, Position: "Guide", Name: "Robin", Version: 1}
}

// Entities returns all entities of the business except totals and quotas, which Load
// computes.
func (b *Business) Entities() []store.Entity {
	return []store.Entity{
		&b.Region, &b.Country, &b.Location, &b.Department, &b.Job, &b.Rep, &b.Manager, &b.Customer, &b.Product, &b.Spare, &b.Warehouse,
		&b.Stock, &b.Received, &b.Issued, &b.Order, &b.Line, &b.Open, &b.Invoice, &b.Shipment, &b.Packed, &b.Placed,
		&b.Store, &b.Out, &b.In, &b.Active, &b.Rental, &b.Returned, &b.Person, &b.Employment, &b.StoreStaff, &b.Subscribed, &b.Receipt,
		&b.StoreManager, &b.View,
	}
}

// Load loads the business into an empty table.
func (b *Business) Load(t testing.TB, s *store.Store) {
	t.Helper()
	loaded, err := s.Load(t.Context(), b.Entities(), store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 || loaded.Unchanged > 0 {
		t.Fatalf("Load: %v, rejected %v, %d unchanged; want all added", err, loaded.Rejected, loaded.Unchanged)
	}
}

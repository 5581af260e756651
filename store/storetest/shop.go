package storetest

import (
	"fmt"
	"testing"
	"time"

	"stockroom/store"
)

// Shop is a small business whose content follows from order numbers. Tests therefore
// know what a list must contain.
//
// Order n belongs to customer n mod 40 and was placed 7n hours before Now. It has n
// mod 3 + 1 products, one invoice and one shipment.
type Shop struct {
	Warehouses []store.Warehouse
	Products   []store.Product
	Stock      []store.WarehouseItem
	Customers  []store.Customer
	Orders     []store.OrderDetails
	Rentals    Rentals
	References []store.Reference
	Employees  []store.Employee
	Quotas     []store.Quota

	Subscriptions []store.Subscription
	Receipts      []store.Receipt
}

// Sizes of the shop.
const (
	shopWarehouses = 3
	shopProducts   = 30
	shopCustomers  = 40
	shopOrders     = 300

	smallShopOrders = 60 // in the small shop
)

// Images of the two shops, with the default settings.
var (
	ShopImage = NewImage(func(t testing.TB, s *store.Store) {
		shop := NewShop()
		shop.Load(t, s)
	})
	SmallShopImage = NewImage(func(t testing.TB, s *store.Store) {
		shop := NewSmallShop()
		shop.Load(t, s)
	})
)

// NewShop returns a new Shop, always with the same content.
func NewShop() Shop { return newShop(shopOrders) }

// NewSmallShop is like NewShop, but the shop has only the newest orders. It loads faster,
// for tests that do not need long lists of orders.
func NewSmallShop() Shop { return newShop(smallShopOrders) }

func newShop(orders int) Shop {
	var shop Shop
	for n := range shopWarehouses {
		shop.Warehouses = append(shop.Warehouses, store.Warehouse{ID: fmt.Sprintf("w%d", n), Name: []string{"Göteborg", "Borås", "Århus"}[n], Version: 1})
	}
	for n := range shopProducts {
		shop.Products = append(shop.Products, store.Product{
			ID: fmt.Sprintf("p%02d", n), Name: fmt.Sprintf("%c-product %d", 'a'+n%5, n), Description: "d",
			Price: store.MinorUnits(int64(100 + n)), SKU: fmt.Sprintf("SKU-%d", n), Category: []string{"Lamps", "Chairs"}[n%2], Version: 1,
		})
		for w := range shopWarehouses {
			if (n+w)%3 != 0 {
				shop.Stock = append(shop.Stock, store.WarehouseItem{
					ProductID: shop.Products[n].ID, WarehouseID: shop.Warehouses[w].ID, Name: shop.Products[n].Name,
					Quantity: n * 2, ReorderPoint: 20, Version: 1,
				})
			}
		}
	}
	names := []string{"Maria", "Åsa", "Łukasz", "김민준", "محمد", "Zoë", "3M"}
	for n := range shopCustomers {
		shop.Customers = append(shop.Customers, store.Customer{
			ID: fmt.Sprintf("c%02d", n), Name: fmt.Sprintf("%s %d", names[n%len(names)], n),
			Email: fmt.Sprintf("Customer%d@example.com", n), Phones: []string{"+46 70 1"}, Address: store.Address{City: "Lund"}, Created: Now.AddDate(-1, 0, 0), Version: 1,
		})
	}
	shop.staff()
	for n := range orders {
		shop.Orders = append(shop.Orders, shop.order(n))
	}
	shop.Rentals = newRentals(shop.Customers)
	shop.quotas()
	shop.bill()
	return shop
}

func (shop *Shop) order(n int) store.OrderDetails {
	customer := shop.Customers[n%shopCustomers]
	date := Now.Add(-time.Duration(n) * 7 * time.Hour)
	id := fmt.Sprintf("o%04d", n)
	d := store.OrderDetails{Order: store.Order{
		ID: id, CustomerID: customer.ID, CustomerName: customer.Name, AccountRepID: customer.AccountRepID, Date: date, Version: 1,
		Status: store.OrderStatuses[n%len(store.OrderStatuses)], ShipTo: store.Address{City: "Lund"},
		PaymentState: store.InvoiceStatuses[n%3], ShipmentState: store.FullyShipped,
	}}
	parcel := store.ShipmentDetails{Shipment: store.Shipment{
		ID: "s" + id, OrderID: id, CustomerID: customer.ID, WarehouseID: shop.Warehouses[n%shopWarehouses].ID, Date: date.Add(time.Hour),
		Type: "Express", Status: store.ShipmentStatuses[n%4], Version: 1, // without unpacked shipments, because all lines are shipped
	}}
	for line := range n%3 + 1 {
		product := shop.Products[(n+line)%shopProducts]
		item := store.OrderItem{
			OrderID: id, ProductID: product.ID, CustomerID: customer.ID, Date: date, Name: product.Name, SKU: product.SKU,
			Price: product.Price, Quantity: line + 1, Shipped: line + 1, Version: 1,
		}
		d.Items = append(d.Items, item)
		d.Total = d.Total.Plus(item.Total())
		d.ItemCount += item.Quantity
		parcel.Items = append(parcel.Items, store.ShipmentItem{
			ID: fmt.Sprintf("%s-%d", id, line), OrderID: id, ShipmentID: parcel.ID, ProductID: product.ID, Name: product.Name, Quantity: item.Quantity, Version: 1,
		})
	}
	d.Invoices = []store.Invoice{{
		ID: "i" + id, OrderID: id, CustomerID: customer.ID, Date: date, Amount: d.Total, Status: store.InvoiceStatuses[n%3], Version: 1,
		Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: d.Total, Date: date, Data: "•••• 1234"}},
	}}
	d.Shipments = []store.ShipmentDetails{parcel}
	return d
}

// Entities returns all entities of the shop.
func (shop *Shop) Entities() []store.Entity {
	var all []store.Entity
	for i := range shop.Warehouses {
		all = append(all, &shop.Warehouses[i])
	}
	for i := range shop.Products {
		all = append(all, &shop.Products[i])
	}
	for i := range shop.Stock {
		all = append(all, &shop.Stock[i])
	}
	for i := range shop.Customers {
		all = append(all, &shop.Customers[i])
	}
	for i := range shop.References {
		all = append(all, &shop.References[i])
	}
	for i := range shop.Employees {
		all = append(all, &shop.Employees[i])
	}
	for i := range shop.Quotas {
		all = append(all, &shop.Quotas[i])
	}
	for i := range shop.Orders {
		d := &shop.Orders[i]
		all = append(all, &d.Order)
		for j := range d.Items {
			all = append(all, &d.Items[j])
		}
		for j := range d.Invoices {
			all = append(all, &d.Invoices[j])
		}
		for j := range d.Shipments {
			all = append(all, &d.Shipments[j].Shipment)
			for k := range d.Shipments[j].Items {
				all = append(all, &d.Shipments[j].Items[k])
			}
		}
	}
	for i := range shop.Subscriptions {
		all = append(all, &shop.Subscriptions[i], &shop.Receipts[i])
	}
	return append(all, shop.Rentals.Entities()...)
}

// Load loads the shop into an empty table. The totals do not include its orders, so that
// tests can count the orders that they place.
func (shop *Shop) Load(t testing.TB, s *store.Store) {
	t.Helper()
	entities := shop.Entities()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, total := range store.NewTotals(settings, store.SubscriptionTallies(settings, entities)) {
		entities = append(entities, total)
	}
	for _, counts := range store.NewStockCounts(entities) {
		entities = append(entities, counts)
	}
	loaded, err := s.Load(t.Context(), entities, store.LoadOptions{TotalsIncluded: true})
	if err != nil || len(loaded.Rejected) > 0 || loaded.Unchanged > 0 {
		t.Fatalf("Load: %v, rejected %v, %d unchanged; want all added", err, loaded.Rejected, loaded.Unchanged)
	}
}

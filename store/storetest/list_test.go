package storetest_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

var admin = &store.User{Name: "admin", Role: store.Admin}

// onEachEngine runs a test on each engine, with the shop. The lists of the shop have the
// given number of shards. The test reads as an admin.
func onEachEngine(t *testing.T, shards int, test func(t *testing.T, a store.Access, shop storetest.Shop)) {
	onEachShop(t, shards, func(t *testing.T, s *store.Store, shop storetest.Shop) { test(t, s.As(admin), shop) })
}

// onEachShop is like onEachEngine, but for tests with several users.
func onEachShop(t *testing.T, shards int, test func(t *testing.T, s *store.Store, shop storetest.Shop)) {
	shops[shards].OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		test(t, s, storetest.NewShop())
	})
}

// shops contains an image of the shop for each number of shards.
var shops = map[int]*storetest.Image{1: shopIn(1), 2: shopIn(2), 4: shopIn(4), 15: shopIn(15)}

func shopIn(shards int) *storetest.Image { return imageIn(shards, storetest.NewShop) }

// imageIn returns an image of a shop whose lists have the given number of shards.
func imageIn(shards int, newShop func() storetest.Shop) *storetest.Image {
	return storetest.NewImage(func(t testing.TB, s *store.Store) {
		settings := store.DefaultSettings()
		settings.Shards, settings.ShardsRead = shards, shards
		if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		shop := newShop()
		shop.Load(t, s)
	})
}

// listing is a list with the rows that it must contain.
type listing struct {
	name string
	want []string
	read func(ctx context.Context, p store.Page) (ids []string, prev, next *store.Position, err error)
}

// of returns a listing whose rows are compared by their IDs.
func of[T any](name string, id func(T) string, want []string, read func(context.Context, store.Page) (store.List[T], error)) listing {
	return listing{name, want, func(ctx context.Context, p store.Page) ([]string, *store.Position, *store.Position, error) {
		l, err := read(ctx, p)
		ids := make([]string, len(l.Rows))
		for i, row := range l.Rows {
			ids[i] = id(row)
		}
		return ids, l.Prev, l.Next, err
	}}
}

func orderID(o store.Order) string             { return o.ID }
func invoiceID(i store.Invoice) string         { return i.ID }
func shipmentID(s store.Shipment) string       { return s.ID }
func customerID(c store.Customer) string       { return c.ID }
func productID(p store.Product) string         { return p.ID }
func lineID(i store.OrderItem) string          { return i.OrderID + "/" + i.ProductID }
func stockID(w store.WarehouseItem) string     { return w.ProductID + "/" + w.WarehouseID }
func reversed[T any](s []T) []T                { s = slices.Clone(s); slices.Reverse(s); return s }
func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// pick returns the IDs of the rows for which fits returns true, in the order of the rows.
func pick[T any](rows []T, id func(T) string, fits func(T) bool) []string {
	var ids []string
	for _, row := range rows {
		if fits(row) {
			ids = append(ids, id(row))
		}
	}
	return ids
}

func orders(shop storetest.Shop) []store.Order {
	var all []store.Order
	for _, d := range shop.Orders {
		all = append(all, d.Order)
	}
	return all
}

func byName[T any](rows []T, id, name func(T) string, fits func(T) bool) []string {
	type named struct{ key, id string }
	var all []named
	for _, row := range rows {
		if fits(row) {
			folded := key.Fold(name(row))
			all = append(all, named{fmt.Sprintf("%02d", slices.Index(key.Buckets, key.Bucket(folded))) + folded + "#" + id(row), id(row)})
		}
	}
	slices.SortFunc(all, func(a, b named) int { return strings.Compare(a.key, b.key) })
	return pick(all, func(n named) string { return n.id }, func(named) bool { return true })
}

func listings(a store.Access, shop storetest.Shop) []listing {
	from, to := day(2026, 9, 10), day(2026, 11, 3)
	autumn := store.DateRange{From: from, To: to}
	within := func(t time.Time) bool { return !t.Before(from) && t.Before(to.AddDate(0, 0, 1)) }
	every := store.DateRange{From: day(2020, 1, 1), To: day(2026, 12, 31)}
	var invoices []store.Invoice
	var shipments []store.Shipment
	var lines []store.OrderItem
	for _, d := range shop.Orders {
		invoices = append(invoices, d.Invoices...)
		shipments = append(shipments, d.Shipments[0].Shipment)
		lines = append(lines, d.Items...)
	}
	lowAt := func(warehouseID string) []string {
		return pick(shop.Stock, stockID, func(w store.WarehouseItem) bool { return w.WarehouseID == warehouseID && w.Quantity <= 20 })
	}
	return append(staffListings(a, shop), []listing{
		of("orders by month", orderID, pick(orders(shop), orderID, func(o store.Order) bool { return within(o.Date) }), func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return a.Orders(ctx, store.OrderFilter{DateRange: autumn}, false, p)
		}),
		of("orders by month, oldest first", orderID, reversed(pick(orders(shop), orderID, func(o store.Order) bool { return within(o.Date) })), func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return a.Orders(ctx, store.OrderFilter{DateRange: autumn}, true, p)
		}),
		of("orders by status", orderID, reversed(pick(orders(shop), orderID, func(o store.Order) bool { return o.Status == store.OrderPaid })), func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return a.Orders(ctx, store.OrderFilter{Status: store.OrderPaid}, false, p)
		}),
		of("orders by status and dates, newest first", orderID, pick(orders(shop), orderID, func(o store.Order) bool { return o.Status == store.OrderPaid && within(o.Date) }), func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return a.Orders(ctx, store.OrderFilter{Status: store.OrderPaid, DateRange: autumn}, true, p)
		}),
		of("invoices by month", invoiceID, pick(invoices, invoiceID, func(i store.Invoice) bool { return within(i.Date) }), func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return a.Invoices(ctx, store.InvoiceFilter{DateRange: autumn}, false, p)
		}),
		of("invoices by status", invoiceID, reversed(pick(invoices, invoiceID, func(i store.Invoice) bool { return i.Status == store.InvoicePartial })), func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return a.Invoices(ctx, store.InvoiceFilter{Status: store.InvoicePartial}, false, p)
		}),
		of("shipments by status", shipmentID, reversed(pick(shipments, shipmentID, func(s store.Shipment) bool { return s.Status == store.ShipmentSent })), func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			return a.Shipments(ctx, store.ShipmentFilter{Status: store.ShipmentSent}, false, p)
		}),
		of("shipments of a warehouse", shipmentID, pick(shipments, shipmentID, func(s store.Shipment) bool { return s.WarehouseID == "w1" }), func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			return a.Shipments(ctx, store.ShipmentFilter{WarehouseID: "w1"}, false, p)
		}),
		of("shipments of a warehouse by status", shipmentID, reversed(pick(shipments, shipmentID, func(s store.Shipment) bool { return s.WarehouseID == "w1" && s.Status == store.ShipmentSent })), func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			return a.Shipments(ctx, store.ShipmentFilter{WarehouseID: "w1", Status: store.ShipmentSent}, false, p)
		}),
		of("orders of a customer", orderID, pick(orders(shop), orderID, func(o store.Order) bool { return o.CustomerID == "c07" }), func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return a.OrdersOfCustomer(ctx, "c07", every, p)
		}),
		of("invoices of a customer", invoiceID, pick(invoices, invoiceID, func(i store.Invoice) bool { return i.CustomerID == "c07" && within(i.Date) }), func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return a.InvoicesOfCustomer(ctx, "c07", autumn, p)
		}),
		of("orders of a product", lineID, pick(lines, lineID, func(i store.OrderItem) bool { return i.ProductID == "p05" }), func(ctx context.Context, p store.Page) (store.List[store.OrderItem], error) {
			return a.OrdersOfProduct(ctx, "p05", every, p)
		}),
		of("customers", customerID, byName(shop.Customers, customerID, func(c store.Customer) string { return c.Name }, func(store.Customer) bool { return true }), func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			return a.Customers(ctx, store.CustomerFilter{}, p)
		}),
		of("customers by the beginning of their names", customerID, byName(shop.Customers, customerID, func(c store.Customer) string { return c.Name }, func(c store.Customer) bool { return strings.HasPrefix(c.Name, "Åsa") }), func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			return a.Customers(ctx, store.CustomerFilter{Name: "ASA"}, p)
		}),
		of("products of a category", productID, byName(shop.Products, productID, func(p store.Product) string { return p.Name }, func(p store.Product) bool { return p.Category == "Chairs" && p.Name[0] == 'b' }), func(ctx context.Context, p store.Page) (store.List[store.Product], error) {
			return a.Products(ctx, store.ProductFilter{Category: "chairs", Name: "B"}, p)
		}),
		of("products of a letter", productID, byName(shop.Products, productID, func(p store.Product) string { return p.Name }, func(p store.Product) bool { return p.Name[0] == 'c' }), func(ctx context.Context, p store.Page) (store.List[store.Product], error) {
			return a.Products(ctx, store.ProductFilter{Bucket: "c"}, p)
		}),
		of("stock of a warehouse", stockID, pick(shop.Stock, stockID, func(w store.WarehouseItem) bool { return w.WarehouseID == "w1" }), func(ctx context.Context, p store.Page) (store.List[store.WarehouseItem], error) {
			return a.StockOfWarehouse(ctx, "w1", p)
		}),
		of("low stock", stockID, lowAt("w1"), func(ctx context.Context, p store.Page) (store.List[store.WarehouseItem], error) {
			return a.LowStock(ctx, []string{"w1"}, p)
		}),
		of("low stock of two warehouses", stockID, append(lowAt("w2"), lowAt("w1")...), func(ctx context.Context, p store.Page) (store.List[store.WarehouseItem], error) {
			return a.LowStock(ctx, []string{"w2", "w1"}, p)
		}),
	}...)
}

// TestLists_PageBothWays pages through every list to its end and back, with several
// page sizes. No row may be missing, repeated or in the wrong place.
func TestLists_PageBothWays(t *testing.T) {
	for _, shards := range []int{1, 4, 15} {
		t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
			onEachEngine(t, shards, func(t *testing.T, a store.Access, shop storetest.Shop) {
				for _, l := range listings(a, shop) {
					if len(l.want) < 2 {
						t.Fatalf("%s: got %d rows in the fixture, want at least 2", l.name, len(l.want))
					}
					for _, limit := range []int{1, 7, 200} {
						if limit == 1 && shards > 1 {
							continue
						}
						goThrough(t, l, limit)
					}
				}
			})
		})
	}
}

func goThrough(t *testing.T, l listing, limit int) {
	t.Helper()
	var pages [][]string
	var all []string
	page := store.Page{Limit: limit}
	var last *store.Position // where the last page starts
	for {
		ids, prev, next, err := l.read(t.Context(), page)
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		pages, all, last = append(pages, ids), append(all, ids...), prev
		if next == nil {
			break
		}
		if page.At = next; len(pages) > len(l.want)+60 {
			t.Fatalf("%s: got pages without end, want a last page", l.name)
		}
	}
	if !slices.Equal(all, l.want) {
		t.Fatalf("%s by %d: %s", l.name, limit, firstDifference(all, l.want))
	}
	if len(pages[len(pages)-1]) == 0 {
		return // the last page ends at empty partitions, so there is no row from which to go back
	}
	for i := len(pages) - 2; i >= 0; i-- {
		ids, prev, next, err := l.read(t.Context(), store.Page{Limit: limit, At: last})
		if err != nil || next == nil {
			t.Fatalf("%s: back to page %d: got %v, next %v, want a page before it", l.name, i, err, next)
		}
		if !reflect.DeepEqual(ids, pages[i]) {
			t.Fatalf("%s by %d: back to page %d: %s", l.name, limit, i, firstDifference(ids, pages[i]))
		}
		last = prev
	}
	if last != nil {
		t.Errorf("%s by %d: got a page before the first, want none", l.name, limit)
	}
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("got row %d = %s, want %s", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("got %d rows, want %d", len(got), len(want))
}

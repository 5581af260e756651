package storetest_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestDetails(t *testing.T) {
	onEachEngine(t, 4, func(t *testing.T, a store.Access, shop storetest.Shop) {
		ctx := t.Context()
		order := shop.Orders[5]
		same := func(what string, got, want any, err error) {
			t.Helper()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got (error %v)\n%+v\nwant\n%+v", what, err, got, want)
			}
		}
		gotOrder, err := a.Order(ctx, order.ID)
		same("order", gotOrder, &order, err)
		items, err := a.OrderItems(ctx, order.ID)
		same("items of an order", items, order.Items, err)
		invoices, err := a.InvoicesOfOrder(ctx, order.ID)
		same("invoices of an order", invoices, order.Invoices, err)
		shipments, err := a.ShipmentsOfOrder(ctx, order.ID)
		same("shipments of an order", shipments, []store.Shipment{order.Shipments[0].Shipment}, err)
		invoice, err := a.Invoice(ctx, order.Invoices[0].ID)
		same("invoice", invoice, &order.Invoices[0], err)
		payments, err := a.Payments(ctx, order.Invoices[0].ID)
		same("payments", payments, order.Invoices[0].Payments, err)
		shipment, err := a.Shipment(ctx, order.Shipments[0].ID)
		same("shipment", shipment, &order.Shipments[0], err)
		customer, err := a.Customer(ctx, "c07")
		same("customer", customer, &shop.Customers[7], err)
		byEmail, err := a.CustomersByEmail(ctx, " CUSTOMER7@Example.COM")
		same("customer by e-mail", byEmail.Rows, []store.Customer{shop.Customers[7]}, err)
		product, err := a.Product(ctx, "p05")
		same("product", product, &shop.Products[5], err)
		bySKU, err := a.ProductsBySKU(ctx, "SKU-5")
		same("product by SKU", bySKU.Rows, []store.Product{shop.Products[5]}, err)
		warehouse, err := a.Warehouse(ctx, "w1")
		same("warehouse", warehouse, &shop.Warehouses[1], err)
		warehouses, err := a.Warehouses(ctx, store.NotArchived, store.Page{})
		same("warehouses by name", warehouses.Rows, []store.Warehouse{shop.Warehouses[2], shop.Warehouses[1], shop.Warehouses[0]}, err)
		stock, err := a.StockOfProduct(ctx, "p05")
		same("stock of a product", stock, slices.DeleteFunc(slices.Clone(shop.Stock), func(w store.WarehouseItem) bool { return w.ProductID != "p05" }), err)
	})
}

func TestDetails_NotFound(t *testing.T) {
	onEachEngine(t, 1, func(t *testing.T, a store.Access, _ storetest.Shop) {
		ctx := t.Context()
		for what, ask := range map[string]func(id string) error{
			"order":     func(id string) error { _, err := a.Order(ctx, id); return err },
			"items":     func(id string) error { _, err := a.OrderItems(ctx, id); return err },
			"invoice":   func(id string) error { _, err := a.Invoice(ctx, id); return err },
			"payments":  func(id string) error { _, err := a.Payments(ctx, id); return err },
			"shipment":  func(id string) error { _, err := a.Shipment(ctx, id); return err },
			"customer":  func(id string) error { _, err := a.Customer(ctx, id); return err },
			"product":   func(id string) error { _, err := a.Product(ctx, id); return err },
			"warehouse": func(id string) error { _, err := a.Warehouse(ctx, id); return err },
		} {
			for _, id := range []string{"none", "p05 ", "#", "${orderID}", "\x00", "", "none#w1", strings.Repeat("x", 3000)} {
				if err := ask(id); store.KindOf(err) != store.NotFound {
					t.Errorf("%s %.20q: got %v, want NotFound", what, id, err)
				}
			}
		}
	})
}

func TestLists_Empty(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		bare := &store.Order{ID: "bare", CustomerID: "c", Date: storetest.Now, Status: store.OrderOpen, Version: 1}
		if _, err := s.Load(t.Context(), []store.Entity{bare}, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		a := s.As(admin)
		if items, err := a.OrderItems(t.Context(), "bare"); err != nil || len(items) > 0 {
			t.Errorf("lines of an order without lines: got %v, %v; want none", items, err)
		}
		for _, r := range []store.DateRange{{From: day(2026, 11, 22)}, {From: day(2027, 1, 1)}, {From: day(2026, 12, 1), To: day(2026, 12, 31)}} {
			if l, err := a.Orders(t.Context(), store.OrderFilter{DateRange: r}, false, store.Page{}); err != nil || len(l.Rows) > 0 || l.Next != nil {
				t.Errorf("orders of %v: got %+v, %v; want none", r, l, err)
			}
		}
	})
}

// TestLists_LargeItems checks that pages are complete, even if their items exceed 1
// MB, the limit of a response.
func TestLists_LargeItems(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		const n = 12
		for i := range n {
			p := &store.Product{ID: fmt.Sprintf("%02d", i), Name: fmt.Sprintf("big %02d", i), Description: strings.Repeat("x", 200_000), Version: 1}
			if _, err := s.Load(t.Context(), []store.Entity{p}, store.LoadOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		a := s.As(admin)
		whole, err := a.Products(t.Context(), store.ProductFilter{Bucket: "b"}, store.Page{Limit: 50})
		if err != nil || len(whole.Rows) != n || whole.Next != nil {
			t.Errorf("got %d rows, want %d (error %v)", len(whole.Rows), n, err)
		}
		first, err := a.Products(t.Context(), store.ProductFilter{}, store.Page{Limit: 8})
		if err != nil || len(first.Rows) != 8 || first.Next == nil {
			t.Errorf("got %d rows, next %v, %v; want 8 rows", len(first.Rows), first.Next, err)
		}
	})
}

func TestTrace_CountsRequests(t *testing.T) {
	onEachEngine(t, 4, func(t *testing.T, a store.Access, shop storetest.Shop) {
		trace := &store.Trace{KeepItems: true}
		ctx := store.WithTrace(t.Context(), trace)
		if _, err := a.Order(ctx, "o0005"); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Orders(ctx, store.OrderFilter{Status: store.OrderPaid}, false, store.Page{Limit: 5}); err != nil {
			t.Fatal(err)
		}
		reads := trace.Reads()
		if len(reads) != 2 {
			t.Fatalf("got %d reads, want 2", len(reads))
		}
		one, list := reads[0], reads[1]
		if one.Pattern.Name != "getOrderDetailsByOrderId" || one.Requests != 1 || one.Items != 9 || one.Units <= 0 || one.Condition.PK != "o#o0005" {
			t.Errorf("order: got read %+v, want one request of getOrderDetailsByOrderId for 9 items", one)
		}
		if list.Pattern.Name != "getOrdersByStatusForDateRange" || list.Requests != 4 || list.Items > 4*6 || list.Units <= 0 || list.Condition.Operator != "between" {
			t.Errorf("list: got read %+v, want four requests of getOrdersByStatusForDateRange for at most 24 items", list)
		}
		if n := len(trace.Items()); n != 9+5 {
			t.Errorf("got %d items in the trace, want 14: 9 of the order and 5 of the list", n)
		}
	})
}

// TestScope_OneRequest checks that a manager's warehouses, and the stock of a product in
// them, are each read with one request.
func TestScope_OneRequest(t *testing.T) {
	onEachShop(t, 4, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w2", "gone", "w1"}})
		for what, read := range map[string]func(context.Context) (found int, err error){
			"warehouses": func(ctx context.Context) (int, error) {
				warehouses, err := manager.Warehouses(ctx, store.NotArchived, store.Page{})
				return len(warehouses.Rows), err
			},
			"stock": func(ctx context.Context) (int, error) {
				stock, err := manager.StockOfProduct(ctx, "p05")
				return len(stock), err
			},
		} {
			trace := &store.Trace{}
			found, err := read(store.WithTrace(t.Context(), trace))
			if reads := trace.Reads(); err != nil || found == 0 || len(reads) != 1 || reads[0].Requests != 1 {
				t.Errorf("%s: got %d, %v with the reads %+v, want at least 1 with one request", what, found, err, reads)
			}
		}
	})
}

// TestScope_HidesOtherWarehouses reads as the manager of one warehouse. Records of
// other warehouses must not be found.
func TestScope_HidesOtherWarehouses(t *testing.T) {
	onEachShop(t, 4, func(t *testing.T, s *store.Store, shop storetest.Shop) {
		ctx := t.Context()
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1", "gone"}})
		for _, d := range shop.Orders {
			parcel := d.Shipments[0]
			own := parcel.WarehouseID == "w1"
			_, err := manager.Shipment(ctx, parcel.ID)
			if found := err == nil; found != own || (!own && store.KindOf(err) != store.NotFound) {
				t.Fatalf("shipment %s of warehouse %s: got error %v, want none only for the own warehouse w1", parcel.ID, parcel.WarehouseID, err)
			}
			order, err := manager.Order(ctx, d.ID)
			if err != nil || (len(order.Shipments) == 1) != own {
				t.Fatalf("order %s: got error %v, shipments %v, want a shipment only from the own warehouse", d.ID, err, order.Shipments)
			}
			shipments, err := manager.ShipmentsOfOrder(ctx, d.ID)
			if err != nil || (len(shipments) == 1) != own {
				t.Fatalf("shipments of order %s: got error %v, %v, want one only from the own warehouse", d.ID, err, shipments)
			}
		}
		for _, p := range shop.Products {
			stock, err := manager.StockOfProduct(ctx, p.ID)
			if err != nil || slices.ContainsFunc(stock, func(w store.WarehouseItem) bool { return w.WarehouseID != "w1" }) {
				t.Fatalf("stock of %s: got error %v, %v, want only the own warehouse w1", p.ID, err, stock)
			}
		}
		warehouses, err := manager.Warehouses(ctx, store.NotArchived, store.Page{})
		if err != nil || len(warehouses.Rows) != 1 || warehouses.Rows[0].ID != "w1" {
			t.Errorf("got warehouses %v, %v; want the manager's", warehouses.Rows, err)
		}
		for what, err := range map[string]error{
			"warehouse":           second(manager.Warehouse(ctx, "w2")),
			"stock":               second(manager.StockOfWarehouse(ctx, "w2", store.Page{})),
			"low stock":           second(manager.LowStock(ctx, []string{"w1", "w2"}, store.Page{})),
			"out of stock":        second(manager.OutOfStock(ctx, []string{"w1", "w2"}, store.Page{})),
			"shipments":           second(manager.Shipments(ctx, store.ShipmentFilter{WarehouseID: "w2"}, false, store.Page{})),
			"shipments by status": second(manager.Shipments(ctx, store.ShipmentFilter{Status: store.ShipmentSent}, false, store.Page{})),
			"packed shipments":    second(manager.Shipments(ctx, store.ShipmentFilter{WarehouseID: "w2", Status: store.ShipmentPacked}, false, store.Page{})),
		} {
			if store.KindOf(err) != store.NotFound {
				t.Errorf("%s of another warehouse: got %v, want NotFound", what, err)
			}
		}
		// The cursor of an admin's list must not give a manager access to this list.
		page, err := s.As(admin).StockOfWarehouse(ctx, "w2", store.Page{Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		rest, err := manager.StockOfWarehouse(ctx, "w1", store.Page{At: page.Next})
		if err != nil || slices.ContainsFunc(rest.Rows, func(w store.WarehouseItem) bool { return w.WarehouseID != "w1" }) {
			t.Errorf("cursor of another user: got %v, %v, want only rows of the own warehouse w1", rest.Rows, err)
		}
	})
}

func TestAccess_AnonymousIsForbidden(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	for _, user := range []*store.User{nil, {Name: "x"}, {Name: "x", Role: "owner"}} {
		if _, err := s.As(user).Order(t.Context(), "1"); store.KindOf(err) != store.Forbidden {
			t.Errorf("user %+v reads an order: got %v, want Forbidden", user, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

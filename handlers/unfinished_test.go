package handlers

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestUnfinished_CanBeFinished checks that users with the permission can finish an
// interrupted change on the page of its product or order.
func TestUnfinished_CanBeFinished(t *testing.T) {
	product := store.Product{ID: "renamed", Name: "New", Price: store.MinorUnits(1), Unfinished: true, Version: 2}
	item := store.WarehouseItem{ProductID: "renamed", WarehouseID: "w1", Name: "Old", Version: 1}
	b := open(t, append(returnedOrder(), &product, &item)...)
	for _, tt := range []struct{ path, finish, message, flash string }{
		{"/products/renamed", "/edit/finish", "still has the earlier name", "Rename finished."},
		{"/orders/back", "/finish", "not marked as returned yet", "Change finished."},
	} {
		if got := b.as(t, "viewer").get(tt.path); !strings.Contains(got.body, tt.message) || strings.Contains(got.body, tt.finish) {
			t.Errorf("%s as viewer: got no message, or a form to finish the change: %s", tt.path, got.body)
		}
		admin := b.as(t, "admin")
		if got := admin.get(tt.path); !strings.Contains(got.body, tt.message) || !strings.Contains(got.body, tt.finish) {
			t.Errorf("%s as admin: got no message, or no form to finish the change: %s", tt.path, got.body)
		}
		if got := admin.post(tt.path+tt.finish, url.Values{"once": {tokenFor(tt.path)}}); got.status != http.StatusSeeOther || got.location != tt.path {
			t.Errorf("%s: got status %d to %s, want 303 to %s", tt.finish, got.status, got.location, tt.path)
		}
		if got := admin.get(tt.path); strings.Contains(got.body, tt.message) || !strings.Contains(got.body, tt.flash) {
			t.Errorf("%s after finishing: got the message that the change is unfinished, or none that it is finished: %s", tt.path, got.body)
		}
	}
	if items, err := b.store.As(&users[len(users)-1]).StockOfProduct(t.Context(), "renamed"); err != nil || items[0].Name != "New" {
		t.Errorf("got %v, %v; want the stock renamed", items, err)
	}
}

// returnedOrder returns a returned order with a shipment that is not marked as returned
// yet.
func returnedOrder() []store.Entity {
	return []store.Entity{
		&store.Order{ID: "back", CustomerID: "c01", Status: store.OrderReturned, Unfinished: true, Version: 2},
		&store.Shipment{ID: "sback", OrderID: "back", WarehouseID: "w1", Status: store.ShipmentSent, Version: 1},
	}
}

// stalling is a database that executes as many transactions as left contains, and then
// stops answering. If left is -1, it executes all transactions.
//
// A transaction that it does not execute has an unknown outcome, except if unsent is true.
type stalling struct {
	store.DB
	left   atomic.Int64
	unsent bool
}

func (s *stalling) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	switch s.left.Load() {
	case -1:
	case 0:
		<-ctx.Done()
		if s.unsent {
			break // the engine rejects the transaction
		}
		return nil, ctx.Err()
	default:
		s.left.Add(-1)
	}
	return s.DB.TransactWriteItems(ctx, in, options...)
}

// manySteps returns a product that is in 120 warehouses, and an order with 120
// shipments.
func manySteps() []store.Entity {
	const n = 120
	amount, now := store.MinorUnits(n), storetest.Now
	all := []store.Entity{
		&store.Product{ID: "many", Name: "Old", Price: store.MinorUnits(1), Version: 1},
		&store.Customer{ID: "c", Name: "Ada", Version: 1},
		&store.Order{ID: "o", CustomerID: "c", Date: now, Status: store.OrderDelivered, Total: amount, ItemCount: n, ShipmentState: store.FullyShipped, Version: 1},
		&store.OrderItem{OrderID: "o", ProductID: "many", CustomerID: "c", Date: now, Price: store.MinorUnits(1), Quantity: n, Shipped: n, Version: 1},
		&store.Invoice{ID: "i", OrderID: "o", CustomerID: "c", Date: now, Amount: amount, Status: store.InvoiceUnpaid, Version: 1},
	}
	for i := range n {
		id := fmt.Sprintf("many%03d", i)
		all = append(all, &store.Warehouse{ID: id, Name: id, Version: 1},
			&store.WarehouseItem{ProductID: "many", WarehouseID: id, Name: "Old", Quantity: 1, Version: 1},
			&store.Shipment{ID: id, OrderID: "o", WarehouseID: id, Date: now, Status: store.ShipmentSent, Version: 1},
			&store.ShipmentItem{ID: "i" + id, OrderID: "o", ShipmentID: id, ProductID: "many", Quantity: 1, Version: 1})
	}
	return all
}

// TestUnfinished_AfterTimeout makes changes that take longer than the request timeout.
// The first step must be saved. The message and the page must say what is missing. It
// must be possible to finish the change, even if the first attempt to finish also times
// out.
func TestUnfinished_AfterTimeout(t *testing.T) {
	t.Parallel() // the test waits for timeouts
	for name, tt := range map[string]struct {
		change, finish, page, flash, message, finished string
		form                                           url.Values
	}{
		"rename": {
			"/products/many/edit", "/products/many/edit/finish", "/products/many",
			"Product saved, but not all stock has the new name yet. Choose Finish rename to complete the change.", "still has the earlier name", "Rename finished.",
			url.Values{"version": {"1"}, "name": {"New"}, "price": {"0.01"}},
		},
		"return": {
			"/orders/o/return", "/orders/o/finish", "/orders/o",
			"Saved, but some items or shipments of the order still have their previous status. Choose Finish change to complete it.", "not marked as returned yet", "Change finished.",
			url.Values{"version": {"1"}, "product-1": {"many"}, "quantity-1": {"120"}, "why": {"broken"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, table := openStalling(t)
			admin := b.as(t, "admin")
			for n, step := range []struct {
				path  string
				form  url.Values
				flash string
				left  int64
			}{
				{tt.change, tt.form, tt.flash, 1},
				{tt.finish, url.Values{}, tt.flash, 0},
				{tt.finish, url.Values{}, tt.finished, -1},
			} {
				step.form.Set("once", tokenFor(step.path+fmt.Sprint(n)))
				table.left.Store(step.left)
				got := admin.post(step.path, step.form)
				table.left.Store(-1)
				if got.status != http.StatusSeeOther || got.location != tt.page {
					t.Fatalf("%s: got status %d to %q, want the page of the entity: %s", step.path, got.status, got.location, got.body)
				}
				done := step.flash == tt.finished
				if got := admin.get(tt.page); !strings.Contains(got.body, step.flash) || strings.Contains(got.body, tt.message) == done || strings.Contains(got.body, tt.finish) == done {
					t.Errorf("%s: got no message %q, or a page that does not show whether the change is finished: %s", step.path, step.flash, got.body)
				}
			}
		})
	}
}

// TestTimeout_SaysWhatChanged submits a form until the request timeout. The message must say
// that nothing was changed only if that is certain.
func TestTimeout_SaysWhatChanged(t *testing.T) {
	t.Parallel() // the test waits for timeouts
	const unchanged, unknown = "Nothing was changed.", "Check whether your change was saved"
	for _, tt := range []struct {
		name         string
		unsent       bool
		want, unwant string
	}{
		{"outcome unknown", false, unknown, unchanged},
		{"not sent", true, unchanged, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, table := openStalling(t)
			admin := b.as(t, "admin")
			table.unsent = tt.unsent
			form := url.Values{"once": {b.store.NewToken()}, "name": {"Lamp"}, "price": {"5"}}
			table.left.Store(0)
			got := admin.post("/products/new", form)
			if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, tt.want) || strings.Contains(got.body, tt.unwant) {
				t.Errorf("got status %d and %s, want 503 and %q", got.status, got.body, tt.want)
			}
		})
	}
}

// openStalling returns a site and its stalling database. The request timeout is short while
// the database can stop answering. On a slow machine, other requests can take longer.
func openStalling(t *testing.T) (*backOffice, *stalling) {
	t.Helper()
	b := open(t, manySteps()...)
	table := &stalling{DB: b.db.DB}
	table.left.Store(-1)
	b.db.DB = table
	site, err := newSite(Config{Store: b.store, Jobs: b.site.jobs, Log: slog.New(slog.DiscardHandler), SessionKeys: b.keys(t), RequestTimeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	long, short := b.Config.Handler, site.tools.Protect(site.router)
	b.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if table.left.Load() == -1 {
			long.ServeHTTP(w, r)
		} else {
			short.ServeHTTP(w, r)
		}
	})
	return b, table
}

func (b *backOffice) keys(t *testing.T) [][]byte {
	t.Helper()
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

package storetest_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// numberedInvoices is the number of invoices in TestPlaceOrder_NumbersHaveNoGaps, at most
// 100 on an endpoint. TestCreditNote_NumbersHaveNoGaps creates a third as many credit
// notes, at most 50 on an endpoint.
var numberedInvoices = flag.Int("numbered-invoices", 300, "how many invoices two servers create in the test of invoice numbers, such as 10000")

const (
	numberFailPercent = 10 // percentage of each server's requests that fail
	placersPerServer  = 4
)

// TestPlaceOrder_NumbersHaveNoGaps places orders on two servers over connections that
// throttle requests and lose responses. A form that fails, or whose outcome is unknown, is
// submitted again, on the other server. The invoices must get the numbers from 1 on
// without gaps.
func TestPlaceOrder_NumbersHaveNoGaps(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		direct := store.New(db, table, clock.Now)
		count := *numberedInvoices
		if strings.Contains(t.Name(), "endpoint") {
			count = min(count, 100)
		}
		var servers [2]*store.Store
		var connections [2]*storetest.Unreliable
		for n := range servers {
			connections[n] = storetest.NewUnreliable(db, numberFailPercent, uint64(n))
			servers[n] = store.New(connections[n], table, clock.Now)
		}
		forms := make(chan int)
		var placers sync.WaitGroup
		for n := range placersPerServer * len(servers) {
			placers.Go(func() {
				for form := range forms {
					placeUntilDone(t, servers, n+form, direct.NewToken())
				}
			})
		}
		for n := range count {
			forms <- n
		}
		close(forms)
		placers.Wait()
		numbers := invoiceNumbers(t, direct.As(admin))
		for n, number := range numbers {
			if number != n+1 {
				t.Fatalf("got the number %d after %d, want %d of %d invoices", number, n, n+1, count)
			}
		}
		if len(numbers) != count {
			t.Errorf("got %d invoices with a number, want %d", len(numbers), count)
		}
		if connections[0].Failed() == 0 || connections[1].Failed() == 0 {
			t.Error("got a server without failed requests, want some on both servers")
		}
		t.Logf("%d invoices, %d failed requests", len(numbers), connections[0].Failed()+connections[1].Failed())
	})
}

// placeUntilDone submits the same form until an answer says that the order is placed.
func placeUntilDone(t *testing.T, servers [2]*store.Store, n int, token string) {
	basket := store.Basket{Customer: fmt.Sprintf("c%02d", n%40), Lines: []store.BasketLine{{Product: fmt.Sprintf("p%02d", n%30), Quantity: 1}}}
	order := store.NewOrder{Basket: basket, Total: store.MinorUnits(int64(100 + n%30))}
	for try := range 50 {
		_, err := servers[(n+try)%len(servers)].As(admin).PlaceOrder(t.Context(), order, token)
		if err == nil {
			return
		}
		if kind := store.KindOf(err); kind != store.Busy && kind != store.Unconfirmed && kind != store.Conflict && kind != store.Internal {
			t.Errorf("got %v, want the order placed", err)
			return
		}
	}
	t.Error("the order was not placed after 50 attempts")
}

// invoiceNumbers returns the sorted numbers of all invoices that have one.
func invoiceNumbers(t *testing.T, a store.Access) (numbers []int) {
	t.Helper()
	page := store.Page{Limit: store.MaxLimit}
	for {
		found, err := a.Invoices(context.Background(), store.InvoiceFilter{}, false, page)
		if err != nil {
			t.Fatal(err)
		}
		for i := range found.Rows {
			if number := found.Rows[i].Number; number > 0 {
				numbers = append(numbers, number)
			}
		}
		if page.At = found.Next; page.At == nil {
			slices.Sort(numbers)
			return numbers
		}
	}
}

// TestPlaceOrder_ByID checks that invoices get no numbers if the settings identify
// documents by ID.
func TestPlaceOrder_ByID(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		settings, err := s.As(admin).CurrentSettings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Numbering = store.NumberByID
		if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		placeUntilDone(t, [2]*store.Store{s, s}, 1, s.NewToken())
		if numbers := invoiceNumbers(t, s.As(admin)); len(numbers) != 0 {
			t.Errorf("got the numbers %v, want none", numbers)
		}
	})
}

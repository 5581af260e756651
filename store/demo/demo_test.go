package demo_test

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Run(m)) }

var now = time.Date(2026, time.November, 21, 15, 4, 5, 0, time.UTC)

// business returns the demo business of size Full at the time now. Tests must not change
// it, because all tests use the same one.
var business = sync.OnceValue(func() []store.Entity { return demo.Business(now, demo.Full) })

func TestBusiness_IsReproducible(t *testing.T) {
	if !reflect.DeepEqual(demo.Business(now, demo.Full), business()) {
		t.Error("got different businesses for the same time, want equal ones")
	}
}

func TestBusiness_Size(t *testing.T) {
	counts := map[string]int{}
	keys := map[string]bool{}
	buckets := map[string]bool{}
	for _, e := range business() {
		counts[e.EntityType()]++
		item, err := store.Encode(e, 15)
		if err != nil {
			t.Fatal(err)
		}
		itemKey := reflect.ValueOf(item["PK"]).Elem().Field(0).String() + " " + reflect.ValueOf(item["SK"]).Elem().Field(0).String()
		if keys[itemKey] {
			t.Errorf("got the key %s twice, want it once", itemKey)
		}
		keys[itemKey] = true
		if c, ok := e.(*store.Customer); ok {
			buckets[key.Bucket(key.Fold(c.Name))] = true
			at := strings.LastIndexByte(c.Email, '@')
			if at < 3 || !strings.HasPrefix(c.Email[at:], "@example.") || strings.ContainsFunc(c.Email, func(r rune) bool { return r > 127 }) {
				t.Errorf("email of %s: got %s, want an ASCII address at example.*", c.Name, c.Email)
			}
		}
	}
	for kind, want := range map[string]int{"product": demo.Full.Products, "warehouse": 6, "customer": demo.Full.Customers, "order": demo.Full.Orders, "invoice": demo.Full.Orders, "storeMetadata": demo.Full.Stores, "storeInventoryItem": demo.Full.Stores * demo.Full.KayaksPerStore} {
		if counts[kind] != want {
			t.Errorf("%s: got %d, want %d", kind, counts[kind], want)
		}
	}
	if n := counts["orderItem"]; n < 6000 || n > 15000 {
		t.Errorf("got %d order lines, want 6000 to 15000", n)
	}
	if !buckets["_"] || !buckets["m"] {
		t.Error("got names in one script, want several")
	}
}

// orders returns the orders of the business with their parts.
func orders(t *testing.T) map[string]*store.OrderDetails {
	t.Helper()
	all := map[string]*store.OrderDetails{}
	of := func(id string) *store.OrderDetails {
		if all[id] == nil {
			all[id] = &store.OrderDetails{}
		}
		return all[id]
	}
	for _, e := range business() {
		switch e := e.(type) {
		case *store.Order:
			of(e.ID).Order = *e
		case *store.OrderItem:
			of(e.OrderID).Items = append(of(e.OrderID).Items, *e)
		case *store.Invoice:
			of(e.OrderID).Invoices = append(of(e.OrderID).Invoices, *e)
		case *store.CreditNote:
			of(e.OrderID).CreditNotes = append(of(e.OrderID).CreditNotes, *e)
		case *store.Shipment:
			of(e.OrderID).Shipments = append(of(e.OrderID).Shipments, store.ShipmentDetails{Shipment: *e})
		case *store.ShipmentItem:
			for i := range of(e.OrderID).Shipments {
				if p := &of(e.OrderID).Shipments[i]; p.ID == e.ShipmentID {
					p.Items = append(p.Items, *e)
				}
			}
		}
	}
	return all
}

func TestBusiness_OrdersMatchTheirParts(t *testing.T) {
	statuses, states, split, partial := map[store.OrderStatus]int{}, map[store.InvoiceStatus]int{}, 0, 0
	for id, o := range orders(t) {
		invoice := o.Invoices[0]
		statuses[o.Status]++
		states[invoice.Status]++
		var total store.Amount
		count, shipped, packed := 0, 0, map[string]int{}
		for _, p := range o.Shipments {
			if len(p.Items) == 0 || p.WarehouseID == "" || p.Date.Before(o.Date) || p.Date.After(now) {
				t.Errorf("order %s: got the shipment %+v, want items, a warehouse and a date between the order and now", id, p)
			}
			for _, i := range p.Items {
				packed[i.ProductID] += i.Quantity
			}
		}
		for _, line := range o.Items {
			total = total.Plus(line.Total())
			count += line.Quantity
			shipped += line.Shipped
			if line.Shipped != packed[line.ProductID] || line.Cancelled != (o.Status == store.OrderCancelled) || (line.Returned > 0) != (o.Status == store.OrderReturned) {
				t.Errorf("order %s (%s): got the line %+v with %d in shipments, want consistent quantities", id, o.Status, line, packed[line.ProductID])
			}
		}
		state := store.NothingShipped
		if shipped == count {
			state = store.FullyShipped
		} else if shipped > 0 {
			state = store.PartlyShipped
			partial++
		}
		if total.Compare(o.Total) != 0 || count != o.ItemCount || state != o.ShipmentState || invoice.Status != o.PaymentState || invoice.Amount.Compare(total) != 0 {
			t.Errorf("order %s: got %+v, want total %s, %d items, shipment state %s", id, o.Order, total, count, state)
		}
		ended := o.Status == store.OrderReturned || o.Status == store.OrderCancelled
		if invoice.Status != invoice.StatusFromPayments() || ended != (invoice.NetAmount().Sign() == 0) {
			t.Errorf("order %s, %s: invoice %s with %s due, want status %s", id, o.Status, invoice.Status, invoice.NetAmount(), invoice.StatusFromPayments())
		}
		var credited store.Amount
		for _, n := range o.CreditNotes {
			credited = credited.Plus(n.Amount)
			if n.InvoiceID != invoice.ID || n.Date.Before(o.Date) || n.Date.After(now) {
				t.Errorf("order %s: got the credit note %+v, want the ID of its invoice and a date between the order and now", id, n)
			}
		}
		if credited.Compare(invoice.Credit) != 0 {
			t.Errorf("order %s: credit notes of %s, want %s", id, credited, invoice.Credit)
		}
		for _, p := range invoice.Payments {
			if p.Date.Before(o.Date) || p.Date.After(now) {
				t.Errorf("order %s: payment on %s, want between order date and now", id, p.Date)
			}
		}
		if o.Date.After(now) || o.Date.Before(now.AddDate(0, -25, 0)) {
			t.Errorf("order %s: date %s, want within two years", id, o.Date)
		}
		if len(o.Shipments) > 1 {
			split++
		}
	}
	for _, s := range store.OrderStatuses {
		if statuses[s] < 10 {
			t.Errorf("%s: got %d orders, want at least 10", s, statuses[s])
		}
	}
	for _, s := range store.InvoiceStatuses {
		if states[s] < 2 {
			t.Errorf("%s: got %d invoices, want at least 2", s, states[s])
		}
	}
	if split < 100 || partial < 3 {
		t.Errorf("got %d orders with two shipments, %d partly shipped, want at least 100 and 3", split, partial)
	}
	t.Logf("%v %v, %d split, %d partial", statuses, states, split, partial)
}

// TestBusiness_NumbersShipments checks that the shipments of an order have the numbers that
// the program gives them, in the order of their dates.
func TestBusiness_NumbersShipments(t *testing.T) {
	shipments := map[string][]*store.Shipment{}
	for _, e := range business() {
		if s, ok := e.(*store.Shipment); ok {
			shipments[s.OrderID] = append(shipments[s.OrderID], s)
		}
	}
	for order, all := range shipments {
		for i, s := range all {
			if want := fmt.Sprintf("%s-%s-%d", s.Date.Format("060102"), order, i+1); s.ID != want || i > 0 && s.Date.Before(all[i-1].Date) {
				t.Errorf("order %s: got shipment %s of %s, want %s, not before the previous one", order, s.ID, s.Date, want)
			}
		}
	}
}

func TestBusiness_TotalsMatchOrders(t *testing.T) {
	type sum struct {
		count  int
		amount store.Sum
	}
	want := map[string]sum{}
	for _, o := range orders(t) {
		if o.Status != store.OrderCancelled && o.Status != store.OrderReturned {
			day := o.Date.UTC().Format(time.DateOnly)
			want[day] = sum{want[day].count + 1, want[day].amount.Plus(o.Total.Sum())}
		}
	}
	settings := store.DefaultSettings()
	got := map[string]sum{}
	for _, total := range store.NewTotals(settings, store.OrderTallies(business())) {
		day := total.Day.Format(time.DateOnly)
		got[day] = sum{got[day].count + total.Count, got[day].amount.Plus(total.Amount)}
	}
	for day, sum := range want {
		if got[day].count != sum.count || got[day].amount.Compare(sum.amount) != 0 {
			t.Errorf("totals of %s: got %+v, want %+v", day, got[day], sum)
		}
	}
}

func BenchmarkBusiness(b *testing.B) {
	for b.Loop() {
		demo.Business(now, demo.Full)
	}
}

// BenchmarkLoad loads the full business. It reports the peak size of the heap.
func BenchmarkLoad(b *testing.B) {
	var peak atomic.Uint64
	for b.Loop() {
		s := storetest.OpenSynced(b, storetest.NewClock())
		loaded := make(chan struct{})
		go func() {
			for {
				select {
				case <-loaded:
					return
				case <-time.After(10 * time.Millisecond):
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					peak.Store(max(peak.Load(), m.HeapAlloc))
				}
			}
		}()
		err := demo.Load(b.Context(), s, demo.Full)
		if close(loaded); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(peak.Load())/(1<<20), "MB-heap")
}

// TestLoad_OrderListUnits reads the list of delivered orders, which is divided into 15
// shards. On average, a page of 25 orders must not consume more than 8 read units.
func TestLoad_OrderListUnits(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	var orders []store.Entity
	for _, e := range business() {
		if e, ok := e.(*store.Order); ok {
			order := *e
			orders = append(orders, &order)
		}
	}
	if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	a := s.As(&store.User{Name: "viewer", Role: store.Viewer})
	var pages, units, requests float64
	for page := (store.Page{Limit: 25}); ; {
		var trace store.Trace
		found, err := a.Orders(store.WithTrace(t.Context(), &trace), store.OrderFilter{Status: store.OrderDelivered}, false, page)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for _, r := range trace.Reads() {
			units, requests = units+r.Units, requests+float64(r.Requests)
		}
		if page.At = found.Next; page.At == nil {
			break
		}
	}
	t.Logf("%.0f pages: %.2f read units and %.2f requests a page", pages, units/pages, requests/pages)
	if pages < 40 || units/pages > 8 {
		t.Errorf("got %.2f read units a page on %.0f pages, want at most 8 on at least 40 pages", units/pages, pages)
	}
}

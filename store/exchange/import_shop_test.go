package exchange_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// soldOrder is an order of a generated shop, with the values that an import must compute
// from its rows.
type soldOrder struct {
	id, customer, rep string
	date              time.Time
	lines             []soldLine
	paid              int // how much is paid of the value that is not cancelled or returned: 0 nothing, 1 half, 2 all
	delivered         bool
}

type soldLine struct {
	product, price, quantity, shipped, returned int
	cancelled                                   bool
}

// open returns the quantity that is still to be shipped.
func (l soldLine) open() int {
	if l.cancelled {
		return 0
	}
	return l.quantity - l.shipped
}

func (l soldLine) kept() int { return l.open() + l.shipped - l.returned }

func (o *soldOrder) sum(of func(soldLine) int) (sum int) {
	for _, l := range o.lines {
		sum += of(l)
	}
	return sum
}

func (o *soldOrder) total() int { return o.sum(func(l soldLine) int { return l.price * l.quantity }) }
func (o *soldOrder) value() int { return o.sum(func(l soldLine) int { return l.price * l.kept() }) }

// payments returns the sum of the payments.
func (o *soldOrder) payments() int { return o.value() * o.paid / 2 }

// states returns the expected status, payment state and shipment state.
func (o *soldOrder) states() (status store.OrderStatus, paid store.InvoiceStatus, shipped store.ShipmentState) {
	units, open, kept := o.sum(func(l soldLine) int { return l.shipped }), o.sum(soldLine.open), o.sum(soldLine.kept)
	switch {
	case units == 0:
		shipped = store.NothingShipped
	case open > 0:
		shipped = store.PartlyShipped
	default:
		shipped = store.FullyShipped
	}
	switch {
	case o.value() == 0:
		paid = store.InvoiceVoid
	case o.payments() == 0:
		paid = store.InvoiceUnpaid
	case o.payments() < o.value():
		paid = store.InvoicePartial
	default:
		paid = store.InvoicePaid
	}
	switch {
	case kept == 0 && units == 0:
		status = store.OrderCancelled
	case kept == 0:
		status = store.OrderReturned
	case shipped == store.FullyShipped && o.delivered:
		status = store.OrderDelivered
	case shipped == store.FullyShipped:
		status = store.OrderShipped
	case paid == store.InvoicePaid:
		status = store.OrderPaid
	default:
		status = store.OrderOpen
	}
	return status, paid, shipped
}

const (
	shopProducts = 200
	shopReps     = 7
	shopDays     = 90
)

// newShop returns a shop with a number of orders. It always returns the same shop.
func newShop(orders int) []soldOrder {
	random := rand.New(rand.NewPCG(7, uint64(orders)))
	shop := make([]soldOrder, orders)
	for n := range shop {
		shop[n] = newSale(random, n, max(1, orders/10))
	}
	return shop
}

func newSale(random *rand.Rand, n, customers int) soldOrder {
	o := soldOrder{
		id: fmt.Sprintf("o%d", n), customer: fmt.Sprintf("c%d", random.IntN(customers)), rep: fmt.Sprintf("e%d", random.IntN(shopReps)),
		date: storetest.Now.Add(-time.Duration(random.IntN(shopDays*24*60)) * time.Minute), paid: random.IntN(3), delivered: random.IntN(2) == 0,
	}
	kind, first := random.IntN(6), random.IntN(shopProducts)
	for i := range 1 + random.IntN(5) {
		l := soldLine{product: (first + i) % shopProducts, price: 100 + random.IntN(9900), quantity: 1 + random.IntN(5)}
		switch kind {
		case 1, 2: // shipped completely
			l.shipped = l.quantity
		case 3: // shipped partly; the rest is open or cancelled
			l.shipped, l.cancelled = random.IntN(l.quantity+1), random.IntN(3) == 0
		case 4:
			l.cancelled = true
		case 5: // returned completely or partly
			l.shipped, l.returned = l.quantity, l.quantity
			if o.delivered {
				l.returned = random.IntN(l.quantity + 1)
			}
		}
		o.lines = append(o.lines, l)
	}
	return o
}

// money formats an amount in hundredths.
func money(hundredths int) string { return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100) }

// shopFiles writes CSV files of a shop, without columns for computed values, and returns
// their paths.
func shopFiles(t testing.TB, shop []soldOrder) (paths []string) {
	t.Helper()
	headers := map[string]string{
		"customers.csv": "CustomerID,Name,Email", "products.csv": "ProductID,Detail.Name,Price", "warehouses.csv": "WarehouseID,Name", "employees.csv": "EmployeeID,Name",
		"orders.csv": "OrderID,CustomerID,Date,AccountRepID", "order-items.csv": "OrderID,ProductID,Price,Quantity,Returned,Cancelled",
		"invoices.csv": "OrderID,InvoiceID,Amount,Credit", "invoice-payments.csv": "OrderID,InvoiceID,PaymentID,Type,Amount,Date",
		"shipments.csv": "OrderID,ShipmentID,WarehouseID,Date,Status", "shipment-items.csv": "OrderID,ShipmentItemID,ShipmentID,ProductID,Quantity",
	}
	files := map[string]*strings.Builder{}
	for name, header := range headers {
		files[name] = &strings.Builder{}
		files[name].WriteString(header + "\n")
	}
	row := func(name string, cells ...any) {
		fmt.Fprintln(files[name], strings.TrimSuffix(fmt.Sprintf(strings.Repeat("%v,", len(cells)), cells...), ","))
	}
	row("warehouses.csv", "w1", "Main")
	for n := range max(1, len(shop)/10) {
		row("customers.csv", fmt.Sprint("c", n), fmt.Sprint("Customer ", n), fmt.Sprintf("c%d@example.com", n))
	}
	for n := range shopProducts {
		row("products.csv", fmt.Sprint("p", n), fmt.Sprint("Product ", n), "1.00")
	}
	for n := range shopReps {
		row("employees.csv", fmt.Sprint("e", n), fmt.Sprint("Rep ", n))
	}
	for i := range shop {
		shop[i].write(row)
	}
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// write writes the rows of the order.
func (o *soldOrder) write(row func(name string, cells ...any)) {
	date := o.date.Format(time.RFC3339)
	row("orders.csv", o.id, o.customer, date, o.rep)
	credit := o.total() - o.value()
	row("invoices.csv", o.id, "i-"+o.id, money(o.total()), money(credit))
	if o.payments() > 0 {
		row("invoice-payments.csv", o.id, "i-"+o.id, "1", "Cash", money(o.payments()), date)
	}
	if o.sum(func(l soldLine) int { return l.shipped }) > 0 {
		status := store.ShipmentSent
		if o.delivered {
			status = store.ShipmentDelivered
		}
		row("shipments.csv", o.id, "s-"+o.id, "w1", date, status)
	}
	for n, l := range o.lines {
		row("order-items.csv", o.id, fmt.Sprint("p", l.product), money(l.price), l.quantity, l.returned, l.cancelled)
		if l.shipped > 0 {
			row("shipment-items.csv", o.id, fmt.Sprintf("s-%s-%d", o.id, n), "s-"+o.id, fmt.Sprint("p", l.product), l.shipped)
		}
	}
}

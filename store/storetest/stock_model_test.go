package storetest_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// modelSteps is the number of random changes in TestStockModel. Use 10000 after a
// change to orders, stock or totals.
var modelSteps = flag.Int("model-steps", 250, "number of random changes of the stock model test on each engine")

// modelLine is a line of an order in the model, with prices in minor units.
type modelLine struct {
	product                string
	price                  int64
	ordered, shipped, back int
	cancelled              bool
}

func (l *modelLine) open() int {
	if l.cancelled {
		return 0
	}
	return l.ordered - l.shipped
}

func (l *modelLine) kept() int { return l.open() + l.shipped - l.back }

type modelOrder struct {
	id    string
	lines []modelLine
	paid  store.Amount
}

func (o *modelOrder) sum(quantity func(*modelLine) int) int {
	n := 0
	for i := range o.lines {
		n += quantity(&o.lines[i])
	}
	return n
}

// value returns the price of the items that were neither returned nor cancelled.
func (o *modelOrder) value() int64 {
	var value int64
	for i := range o.lines {
		value += o.lines[i].price * int64(o.lines[i].kept())
	}
	return value
}

type modelDelivery struct {
	product, warehouse, id string
	quantity, received     int
	cancelled              bool
}

func (d *modelDelivery) open() int {
	if d.cancelled {
		return 0
	}
	return max(0, d.quantity-d.received)
}

type modelTransfer struct {
	product, source, target, id           string
	quantity, received, missing, cameBack int
}

func (t *modelTransfer) transit() int { return t.quantity - t.received - t.missing - t.cameBack }

// stockModel makes random changes over a connection that throttles requests and loses
// responses. It makes the same changes to a model in memory.
type stockModel struct {
	*testing.T
	r        *rand.Rand
	reliable *store.Store // over a reliable connection
	shop     store.Access // over the unreliable connection
	clock    *storetest.Clock

	products, warehouses []string
	prices               map[string]int64
	onHand               map[string]int // by product and warehouse
	orders               []*modelOrder
	deliveries           []*modelDelivery
	transfers            []*modelTransfer
	made                 map[string]int // number of changes by name
}

// TestStockModel changes orders and stock at random. The stock levels must match the model
// after each change. Stock quantities, ledgers, totals, quotas and invoices must match it
// after every 1,000 changes and at the end.
func TestStockModel(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		reliable := store.New(db, table, clock.Now)
		if err := reliable.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		unreliable := storetest.NewUnreliable(db, failPercent, 1)
		m := &stockModel{
			T: t, r: rand.New(rand.NewPCG(1, 2)), reliable: reliable, shop: store.New(unreliable, table, clock.Now).As(admin), clock: clock,
			prices: map[string]int64{}, onHand: map[string]int{}, made: map[string]int{},
		}
		m.load()
		for step := range *modelSteps {
			m.clock.Advance(time.Second)
			if m.step(); m.Failed() {
				t.Fatalf("got a store that differs from the model after step %d", step)
			}
			m.checkLevels()
			if step%1000 == 999 {
				m.checkAll()
			}
		}
		m.checkAll()
		t.Logf("%v, %d orders, %d requests failed", m.made, len(m.orders), unreliable.Failed())
		if unreliable.Failed() == 0 || m.made["edit"] == 0 || m.made["ship"] == 0 || m.made["unpack"] == 0 || m.made["return"] == 0 || m.made["packed piece"] == 0 || m.made["receive delivery"] == 0 || m.made["sheet"] == 0 || m.made["send"] == 0 || m.made["receive transfer"] == 0 || m.made["apply count"] == 0 {
			t.Error("got no change of some kind or no failed request, want all kinds and some failures")
		}
	})
}

// load adds the products with their stock, the warehouses and the people.
func (m *stockModel) load() {
	entities := []store.Entity{
		&store.Employee{ID: "rep", Name: "Rep", Version: 1},
		&store.Customer{ID: "c1", Name: "Ada", AccountRepID: "rep", Address: store.Address{City: "Lund"}, Version: 1},
	}
	for n := range 3 {
		id := fmt.Sprint("w", n)
		m.warehouses = append(m.warehouses, id)
		entities = append(entities, &store.Warehouse{ID: id, Name: id, Version: 1})
	}
	for n := range 6 {
		id := fmt.Sprint("p", n)
		m.products, m.prices[id] = append(m.products, id), int64(100+n)
		entities = append(entities, &store.Product{ID: id, Name: "Product " + id, Price: store.MinorUnits(m.prices[id]), Version: 1})
		for _, w := range m.warehouses[:2] {
			m.onHand[id+" "+w] = 20
			entities = append(entities, &store.WarehouseItem{ProductID: id, WarehouseID: w, Name: "Product " + id, Quantity: 20, Version: 1})
		}
	}
	if loaded, err := m.reliable.Load(m.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		m.Fatal(err, loaded.Rejected)
	}
}

func (m *stockModel) step() {
	switch n := m.r.IntN(100); {
	case n < 17 || len(m.orders) == 0:
		m.place()
	case n < 37:
		m.edit()
	case n < 50:
		m.ship()
	case n < 56:
		m.unpack()
	case n < 63:
		m.recordReturn()
	case n < 68:
		m.cancel()
	case n < 73:
		m.pay()
	case n < 75:
		m.price()
	case n < 81:
		m.changeDelivery()
	case n < 84:
		m.receiveSheet()
	case n < 91:
		m.changeTransfer()
	case n < 93:
		m.countSheet()
	default:
		m.changeStock()
	}
}

// send submits a form until it gets a response. A rejection fails the test.
func (m *stockModel) send(what string, submit func(token string) error) {
	m.Helper()
	token := m.reliable.NewToken()
	if _, err := retry(func() (struct{}, error) { return struct{}{}, submit(token) }); err != nil {
		m.Errorf("%s: %v", what, err)
	}
	m.made[what]++
}

func (m *stockModel) pick(from []string) string { return from[m.r.IntN(len(from))] }

// order returns one of the newest orders with its stored version.
func (m *stockModel) order() (*modelOrder, *store.OrderDetails) {
	o := m.orders[max(0, len(m.orders)-1-m.r.IntN(20))]
	stored, err := m.reliable.As(admin).OrderForChange(m.Context(), o.id)
	if err != nil {
		m.Fatal(err)
	}
	return o, stored
}

func (m *stockModel) place() {
	o := &modelOrder{}
	n := store.NewOrder{Basket: store.Basket{Customer: "c1"}}
	var total int64
	for _, i := range m.r.Perm(len(m.products))[:1+m.r.IntN(4)] {
		l := modelLine{product: m.products[i], price: m.prices[m.products[i]], ordered: 1 + m.r.IntN(5)}
		o.lines, total = append(o.lines, l), total+l.price*int64(l.ordered)
		n.Lines = append(n.Lines, store.BasketLine{Product: l.product, Quantity: l.ordered})
	}
	n.Total = store.MinorUnits(total)
	m.send("place", func(token string) (err error) {
		o.id, err = m.shop.PlaceOrder(m.Context(), n, token)
		return err
	})
	m.orders = append(m.orders, o)
}

// edit changes, removes and adds lines of an order. The store must reject an edit
// that changes nothing or leaves no items, and an edit of an order without open
// items.
func (m *stockModel) edit() {
	o, stored := m.order()
	after := &modelOrder{lines: slices.Clone(o.lines)}
	e := store.OrderEdit{OrderID: o.id, Version: stored.Version}
	changed := false
	for i := range after.lines {
		if l := &after.lines[i]; !l.cancelled && m.r.IntN(2) == 0 {
			ordered := l.shipped + m.r.IntN(4)
			e.Lines = append(e.Lines, store.BasketLine{Product: l.product, Quantity: ordered})
			changed = changed || ordered != l.ordered
			l.ordered = ordered
		}
	}
	after.lines = slices.DeleteFunc(after.lines, func(l modelLine) bool { return l.ordered == 0 })
	if product := m.pick(m.products); m.r.IntN(2) == 0 && !slices.ContainsFunc(o.lines, func(l modelLine) bool { return l.product == product }) {
		l := modelLine{product: product, price: m.prices[product], ordered: 1 + m.r.IntN(4)}
		after.lines = append(after.lines, l)
		e.Lines, changed = append(e.Lines, store.BasketLine{Product: product, Quantity: l.ordered}), true
	}
	var total int64
	for _, l := range after.lines {
		total += l.price * int64(l.ordered)
	}
	e.Total = store.MinorUnits(total)
	if !changed || o.sum((*modelLine).open) == 0 || after.sum((*modelLine).kept) == 0 {
		if err := m.reliable.As(admin).EditOrder(m.Context(), e, m.reliable.NewToken()); store.KindOf(err) != store.Invalid {
			m.Errorf("edit that must be rejected: got %v, want Invalid", err)
		}
		m.made["rejected"]++
		return
	}
	m.send("edit", func(token string) error { return m.shop.EditOrder(m.Context(), e, token) })
	o.lines = after.lines
}

func (m *stockModel) ship() {
	o, stored := m.order()
	s := store.ShipmentRequest{OrderID: o.id, Version: stored.Version, WarehouseID: m.pick(m.warehouses), Quantities: map[string]int{}}
	for i := range o.lines {
		l := &o.lines[i]
		if most := min(l.open(), m.onHand[l.product+" "+s.WarehouseID]); most > 0 {
			if n := m.r.IntN(most + 1); n > 0 {
				s.Quantities[l.product] = n
			}
		}
	}
	if len(s.Quantities) == 0 {
		return
	}
	m.send("ship", func(token string) error { return m.shop.ShipItems(m.Context(), s, token) })
	for i := range o.lines {
		l := &o.lines[i]
		l.shipped += s.Quantities[l.product]
		m.onHand[l.product+" "+s.WarehouseID] -= s.Quantities[l.product]
	}
}

// unpack unpacks a packed shipment. The store must reject it if the rest of a line was
// cancelled, or if some of the pieces may have been returned.
func (m *stockModel) unpack() {
	o, stored := m.order()
	n := slices.IndexFunc(stored.Shipments, func(s store.ShipmentDetails) bool { return s.CanUnpack() })
	if n < 0 {
		return
	}
	s := &stored.Shipments[n]
	u := store.Unpacking{ShipmentID: s.ID, Version: s.Version, Why: "model"}
	packed := map[string]int{}
	for i := range s.Items {
		packed[s.Items[i].ProductID] += s.Items[i].Quantity
	}
	if slices.ContainsFunc(o.lines, func(l modelLine) bool {
		return packed[l.product] > 0 && (l.cancelled || packed[l.product] > l.shipped-l.back)
	}) {
		if err := m.reliable.As(admin).UnpackShipment(m.Context(), u, m.reliable.NewToken()); store.KindOf(err) != store.Invalid {
			m.Errorf("unpacking that must be rejected: got %v, want Invalid", err)
		}
		m.made["not unpacked"]++
		return
	}
	m.send("unpack", func(token string) error { return m.shop.UnpackShipment(m.Context(), u, token) })
	for i := range o.lines {
		l := &o.lines[i]
		l.shipped -= packed[l.product]
		m.onHand[l.product+" "+s.WarehouseID] += packed[l.product]
	}
}

// recordReturn records a return, with or without restocking. The store must reject a
// return of packed pieces. recordReturn often marks packed shipments of the order as
// shipped first.
func (m *stockModel) recordReturn() {
	o, stored := m.order()
	packed := map[string]int{}
	for n := range stored.Shipments {
		s := &stored.Shipments[n]
		switch {
		case s.Status != store.ShipmentPacked:
			continue
		case m.r.IntN(3) > 0:
			u := store.ShipmentUpdate{ShipmentID: s.ID, Version: s.Version, To: store.ShipmentSent}
			m.send("advance", func(token string) error { return m.shop.AdvanceShipment(m.Context(), u, token) })
			continue
		}
		for i := range s.Items {
			packed[s.Items[i].ProductID] += s.Items[i].Quantity
		}
	}
	r := store.ReturnRequest{OrderID: o.id, Version: stored.Version, Quantities: map[string]int{}, Why: "model"}
	if m.r.IntN(3) > 0 {
		r.WarehouseID = m.pick(m.warehouses)
	}
	for i := range o.lines {
		l := &o.lines[i]
		most := l.shipped - l.back - packed[l.product]
		if n := m.r.IntN(most + 1); n > 0 {
			r.Quantities[l.product] = n
		}
		if packed[l.product] > 0 {
			also := store.ReturnRequest{OrderID: o.id, Version: stored.Version, Quantities: map[string]int{l.product: most + 1}, Why: "model"}
			if err := m.reliable.As(admin).ReturnItems(m.Context(), also, m.reliable.NewToken()); store.KindOf(err) != store.Invalid {
				m.Errorf("return of a packed piece: got %v, want Invalid", err)
			}
			m.made["packed piece"]++
		}
	}
	if len(r.Quantities) == 0 {
		return
	}
	m.send("return", func(token string) error { return m.shop.ReturnItems(m.Context(), r, token) })
	for i := range o.lines {
		l := &o.lines[i]
		l.back += r.Quantities[l.product]
		if r.WarehouseID != "" {
			m.onHand[l.product+" "+r.WarehouseID] += r.Quantities[l.product]
		}
	}
}

func (m *stockModel) cancel() {
	o, stored := m.order()
	if o.sum((*modelLine).open) == 0 {
		return
	}
	c := store.Cancellation{OrderID: o.id, Version: stored.Version, Why: "model"}
	m.send("cancel", func(token string) error { return m.shop.CancelOrder(m.Context(), c, token) })
	for i := range o.lines {
		if l := &o.lines[i]; l.open() > 0 {
			l.cancelled = true
		}
	}
}

// pay pays the balance of an order's first invoice with a balance due. An order can have
// several invoices, because an edit that raises its total adds one.
func (m *stockModel) pay() {
	o, stored := m.order()
	i := slices.IndexFunc(stored.Invoices, func(i store.Invoice) bool { return i.CanPay() })
	if i < 0 {
		return
	}
	invoice := &stored.Invoices[i]
	p := store.PaymentRequest{InvoiceID: invoice.ID, Version: invoice.Version, Rest: store.Payment{Type: "Visa", Amount: invoice.BalanceDue(), Data: "1234"}}
	for _, recorded := range invoice.Payments {
		p.Shown = append(p.Shown, recorded.ID)
	}
	m.send("pay", func(token string) error { return m.shop.RecordPayment(m.Context(), p, token) })
	o.paid = o.paid.Plus(invoice.BalanceDue())
}

// price changes the price of a product. Existing lines keep their price.
func (m *stockModel) price() {
	p, err := m.reliable.As(admin).ProductForChange(m.Context(), m.pick(m.products))
	if err != nil {
		m.Fatal(err)
	}
	m.prices[p.ID] += 1 + m.r.Int64N(9)
	p.Price = store.MinorUnits(m.prices[p.ID])
	m.send("price", func(token string) error { return m.shop.SaveProduct(m.Context(), *p, token) })
}

// changeStock receives, removes, counts or transfers stock. If there is not enough
// stock to remove or transfer, it changes nothing.
func (m *stockModel) changeStock() {
	product, from, to := m.pick(m.products), m.pick(m.warehouses), m.pick(m.warehouses)
	at := product + " " + from
	item, err := m.reliable.As(admin).StockItem(m.Context(), product, from)
	if err != nil {
		m.Fatal(err)
	}
	form := store.StockForm{ProductID: product, WarehouseID: from, Seen: item.Version, Reason: "model"}
	n := 1 + m.r.IntN(9)
	submit := func(what string, change func(store.StockForm) error) {
		m.send(what, func(token string) error {
			form.Token = token
			return change(form)
		})
	}
	switch kind := m.r.IntN(4); {
	case kind == 0:
		submit("receive", func(f store.StockForm) error { return m.shop.ReceiveStock(m.Context(), f, n) })
		m.onHand[at] += n
	case kind == 1 && m.onHand[at] >= n:
		submit("adjust", func(f store.StockForm) error { return m.shop.AdjustStock(m.Context(), f, -n) })
		m.onHand[at] -= n
	case kind == 2:
		submit("count", func(f store.StockForm) error { return m.shop.CountStock(m.Context(), f, n) })
		m.onHand[at] = n
	case m.onHand[at] >= n && from != to:
		submit("transfer", func(f store.StockForm) error { return m.shop.TransferStock(m.Context(), f, to, n) })
		m.onHand[at] -= n
		m.onHand[product+" "+to] += n
	}
}

// changeDelivery adds, edits, receives or cancels an expected delivery. The store
// must reject a receipt for a delivery that is cancelled or completely received.
func (m *stockModel) changeDelivery() {
	kind := m.r.IntN(5)
	if kind < 2 || len(m.deliveries) == 0 {
		d := &modelDelivery{product: m.pick(m.products), warehouse: m.pick(m.warehouses), quantity: 1 + m.r.IntN(9)}
		m.send("expect", func(token string) (err error) {
			d.id, err = m.shop.AddDelivery(m.Context(), store.ExpectedDelivery{ProductID: d.product, WarehouseID: d.warehouse, Quantity: d.quantity, Due: storetest.Now}, token)
			return err
		})
		m.deliveries = append(m.deliveries, d)
		return
	}
	d := m.deliveries[max(0, len(m.deliveries)-1-m.r.IntN(6))]
	stored, err := m.reliable.As(admin).DeliveryForChange(m.Context(), d.product, d.warehouse, d.id)
	if err != nil {
		m.Fatal(err)
	}
	form := store.DeliveryForm{ProductID: d.product, WarehouseID: d.warehouse, ID: d.id, Seen: stored.Version, Reason: "model"}
	n := 1 + m.r.IntN(9)
	if kind > 2 && d.open() == 0 {
		if err := m.reliable.As(admin).ReceiveDelivery(m.Context(), form, n); store.KindOf(err) != store.Conflict {
			m.Errorf("receipt of a closed delivery: got %v, want Conflict", err)
		}
		return
	}
	submit := func(what string, change func(store.DeliveryForm) error) {
		m.send(what, func(token string) error {
			form.Token = token
			return change(form)
		})
	}
	switch {
	case kind == 2 && !d.cancelled:
		d.quantity = d.received + n
		stored.Quantity = d.quantity
		m.send("edit delivery", func(token string) error { return m.shop.SaveDelivery(m.Context(), *stored, token) })
	case kind == 3:
		submit("receive delivery", func(f store.DeliveryForm) error { return m.shop.ReceiveDelivery(m.Context(), f, n) })
		d.received += n
		m.onHand[d.product+" "+d.warehouse] += n
	case kind == 4:
		submit("cancel delivery", func(f store.DeliveryForm) error { return m.shop.CancelDelivery(m.Context(), f) })
		d.cancelled = true
	}
}

// receiveSheet receives several products at once, some of them with open deliveries.
func (m *stockModel) receiveSheet() {
	s := store.DeliverySheet{WarehouseID: m.pick(m.warehouses), Reason: "model"}
	received := map[string]*modelDelivery{} // by delivery ID
	for _, d := range m.deliveries {
		if d.warehouse == s.WarehouseID && d.open() > 0 && len(s.Lines) < 4 && m.r.IntN(2) == 0 {
			stored, err := m.reliable.As(admin).DeliveryForChange(m.Context(), d.product, d.warehouse, d.id)
			if err != nil {
				m.Fatal(err)
			}
			received[d.id] = d
			n := 1 + m.r.IntN(9)
			s.Lines = append(s.Lines, store.SheetLine{ProductID: d.product, Quantity: n, DeliveryID: d.id, Seen: stored.Version, Confirmed: n})
		}
	}
	for range 1 + m.r.IntN(3) {
		s.Lines = append(s.Lines, store.SheetLine{ProductID: m.pick(m.products), Quantity: 1 + m.r.IntN(9)})
	}
	m.send("sheet", func(token string) error {
		s.Token = token
		return m.shop.ReceiveSheet(m.Context(), s)
	})
	for _, line := range s.Lines {
		m.onHand[line.ProductID+" "+s.WarehouseID] += line.Quantity
		if d := received[line.DeliveryID]; d != nil {
			d.received += line.Quantity
		}
	}
}

// changeTransfer sends, receives or cancels a transfer. The store must reject
// cancelling a transfer that has nothing in transit.
func (m *stockModel) changeTransfer() {
	if m.r.IntN(2) == 0 || len(m.transfers) == 0 {
		m.sendTransfer()
		return
	}
	shop := m.reliable.As(admin)
	t := m.transfers[max(0, len(m.transfers)-1-m.r.IntN(4))]
	stored, err := shop.TransferForReceipt(m.Context(), t.product, t.id)
	if err != nil {
		m.Fatal(err)
	}
	form := store.TransferForm{ProductID: t.product, ID: t.id, Seen: stored.Version, Reason: "model"}
	transit := t.transit()
	if transit == 0 {
		if err := shop.CancelTransfer(m.Context(), form); store.KindOf(err) != store.Conflict {
			m.Errorf("cancellation of a closed transfer: got %v, want Conflict", err)
		}
		return
	}
	submit := func(what string, change func(store.TransferForm) error) {
		m.send(what, func(token string) error {
			form.Token = token
			return change(form)
		})
	}
	if m.r.IntN(5) == 0 {
		submit("cancel transfer", func(f store.TransferForm) error { return m.shop.CancelTransfer(m.Context(), f) })
		t.cameBack += transit
		m.onHand[t.product+" "+t.source] += transit
		return
	}
	n, last := 1+m.r.IntN(transit+2), m.r.IntN(2) == 0
	submit("receive transfer", func(f store.TransferForm) error { return m.shop.ReceiveTransfer(m.Context(), f, n, last) })
	t.received += n
	m.onHand[t.product+" "+t.target] += n
	if n > transit || last {
		t.missing += transit - n
	}
}

// countSheet counts some products of a warehouse. Before it enters the quantities, the
// stock of a product may change. A counted product whose stock changed must keep its
// stock, and the others must get the counted quantity.
func (m *stockModel) countSheet() {
	shop := m.reliable.As(admin)
	warehouse := m.pick(m.warehouses[:2])
	var id string
	m.send("start count", func(token string) (err error) {
		id, err = m.shop.StartCount(m.Context(), store.Count{WarehouseID: warehouse}, token)
		return err
	})
	if m.Failed() {
		return
	}
	n, err := shop.Count(m.Context(), id)
	if err != nil {
		m.Fatal(err)
	}
	sheet, err := shop.CountSheet(m.Context(), n, 1)
	if err != nil {
		m.Fatal(err)
	}
	var entries []store.CountEntry
	var corrections []store.CountCorrection
	for _, row := range sheet {
		if m.r.IntN(2) == 0 {
			entries = append(entries, store.CountEntry{Number: row.Number, Entered: true, Quantity: m.r.IntN(20), Base: row.Version, Seen: row.StockVersion})
			corrections = append(corrections, store.CountCorrection{Number: row.Number, Version: row.Version + 1, Reason: "model"})
		}
	}
	m.changeStock()
	m.send("enter count", func(string) error {
		_, err := m.shop.EnterCount(m.Context(), id, entries)
		return err
	})
	results, err := shop.ReviewCount(m.Context(), n)
	if err != nil {
		m.Fatal(err)
	}
	m.send("apply count", func(string) error {
		_, _, err := m.shop.ApplyCount(m.Context(), id, corrections)
		return err
	})
	for _, row := range results {
		switch at := row.ProductID + " " + warehouse; row.State {
		case store.CountMatches, store.CountDiffers:
			m.onHand[at] = row.Quantity
		case store.CountMoved:
			m.made["moved row"]++
		}
	}
}

// sendTransfer sends one or two products, if they are in stock.
func (m *stockModel) sendTransfer() {
	s := store.TransferSheet{SourceID: m.pick(m.warehouses), TargetID: m.pick(m.warehouses)}
	for _, i := range m.r.Perm(len(m.products))[:2] {
		if most := min(9, m.onHand[m.products[i]+" "+s.SourceID]); most > 0 {
			s.Lines = append(s.Lines, store.TransferLine{ProductID: m.products[i], Quantity: 1 + m.r.IntN(most)})
		}
	}
	if s.SourceID == s.TargetID || len(s.Lines) == 0 {
		return
	}
	m.send("send", func(token string) error {
		s.Token = token
		return m.shop.SendTransfer(m.Context(), s)
	})
	for _, line := range s.Lines {
		m.onHand[line.ProductID+" "+s.SourceID] -= line.Quantity
		t := &modelTransfer{product: line.ProductID, source: s.SourceID, target: s.TargetID, quantity: line.Quantity}
		found, err := m.reliable.As(admin).TransfersToStock(m.Context(), t.product, t.target, store.Page{Limit: store.MaxLimit})
		for _, row := range found.Rows {
			t.id = max(t.id, row.ID) // the newest one
		}
		if err != nil || t.id == "" {
			m.Fatal(err, t.id)
		}
		m.transfers = append(m.transfers, t)
	}
}

func (m *stockModel) checkLevels() {
	m.Helper()
	want := map[string]store.StockLevel{}
	for _, product := range m.products {
		l := store.StockLevel{}
		for _, w := range m.warehouses {
			l.OnHand += m.onHand[product+" "+w]
		}
		want[product] = l
	}
	for _, o := range m.orders {
		for i := range o.lines {
			l := want[o.lines[i].product]
			l.Committed += o.lines[i].open()
			want[o.lines[i].product] = l
		}
	}
	for _, d := range m.deliveries {
		l := want[d.product]
		l.Incoming += d.open()
		want[d.product] = l
	}
	for _, t := range m.transfers {
		l := want[t.product]
		l.Incoming += t.transit()
		want[t.product] = l
	}
	for product, l := range want {
		l.Available = l.OnHand - l.Committed
		want[product] = l
	}
	got, err := m.reliable.As(admin).StockLevels(m.Context(), m.products)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		m.Fatalf("got levels %v, %v; want %v", got, err, want)
	}
}

// checkAll compares ledgers, invoices and totals with the model, and runs the check of the
// business.
func (m *stockModel) checkAll() {
	m.Helper()
	shop := m.reliable.As(admin)
	for _, product := range m.products {
		for _, w := range m.warehouses {
			item := stockOf(m.T, shop, product, w)
			unbroken(m.T, ledger(m.T, shop, product, w), item)
			if item.Quantity != m.onHand[product+" "+w] {
				m.Errorf("%s in %s: got %d, want %d", product, w, item.Quantity, m.onHand[product+" "+w])
			}
		}
	}
	var value int64
	count := 0
	for _, o := range m.orders {
		if o.sum((*modelLine).kept) > 0 {
			value, count = value+o.value(), count+1
		}
		stored, err := shop.Order(m.Context(), o.id)
		if err != nil {
			m.Fatal(err)
		}
		var net, paid store.Amount
		for i := range stored.Invoices {
			net, paid = net.Plus(stored.Invoices[i].NetAmount()), paid.Plus(stored.Invoices[i].Paid())
		}
		if net.Compare(store.MinorUnits(o.value())) != 0 || paid.Compare(o.paid) != 0 {
			m.Errorf("invoices of %s: got %s net, %s paid; want %d minor units and %s", o.id, net, paid, o.value(), o.paid)
		}
	}
	totals, err := shop.Totals(m.Context(), store.TotalOrders, store.DateRange{From: storetest.Now, To: m.clock.Now()})
	var sum store.Sum
	for _, t := range totals {
		sum, count = sum.Plus(t.Amount), count-t.Count
	}
	if err != nil || count != 0 || sum.Compare(store.MinorUnits(value).Sum()) != 0 {
		m.Errorf("got totals %v, %v; want %d minor units", totals, err, value)
	}
	if result, err := m.reliable.CheckBusiness(m.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) { m.Errorf("%s: %s", f.Rule, f.Text) }}); err != nil || result.Changing > 0 {
		m.Errorf("check of the business: got error %v, %d changing, want none", err, result.Changing)
	}
}

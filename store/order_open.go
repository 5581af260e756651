package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// OrderStock says whether the stock of all warehouses is enough for the items that an order
// still has to ship. It does not consider other orders. If two orders need the last piece,
// both are READY.
type OrderStock string

// The values of OrderStock. An OrderStock is "" if the order has no items left to ship, or
// if these items or their stock are unknown.
const (
	StockReady  OrderStock = "READY"        // the stock is enough for all items still to ship
	StockPartly OrderStock = "PARTLY"       // the stock is enough for at least one piece
	StockNone   OrderStock = "NOT_IN_STOCK" // the stock is not enough for any piece
)

// OrderStocks lists all values of OrderStock.
var OrderStocks = []OrderStock{StockReady, StockPartly, StockNone}

// Limits of a list of orders with their stock. The stock level of a product is the sum of
// several items, called slots. One request reads 100 slots.
const (
	maxOpenLines = 80 // maximum number of elements of Order.OpenLines; if an order has more open lines, OpenLines is nil
	// maxSlotsOfOrders limits the number of slots that a page reads. However, a page can
	// always read the slots of maxOpenLines products. When the limit is reached, the
	// OrderStock of the remaining orders of the page is unknown.
	maxSlotsOfOrders = 800
	orderStockRounds = 3 // maximum number of reads for one page of a list that is filtered by stock
)

// StockedOrder is an order with the state of its stock.
type StockedOrder struct {
	Order
	Stock OrderStock `json:",omitempty"`
}

// openLines returns the elements of Order.OpenLines, sorted by product ID. It returns nil
// if there are more than maxOpenLines, or if the order is cancelled or returned.
func (d *OrderDetails) openLines() (lines []string) {
	if d.ended() {
		return nil
	}
	byProduct := slices.SortedFunc(slices.Values(d.Items), func(a, b OrderItem) int { return strings.Compare(a.ProductID, b.ProductID) })
	for i := range byProduct {
		if byProduct[i].Open() > 0 {
			lines = append(lines, byProduct[i].openLine())
		}
	}
	if len(lines) > maxOpenLines {
		return nil
	}
	return lines
}

// openLine returns the line as an element of Order.OpenLines.
func (i *OrderItem) openLine() string { return strconv.Itoa(i.Open()) + " " + i.ProductID }

// lacksOpenLine reports whether the line i has items still to ship but is missing in
// OpenLines.
func (o *Order) lacksOpenLine(i *OrderItem) bool {
	return i.Open() > 0 && !slices.Contains(o.OpenLines, i.openLine())
}

// UpdateOpenLines sets OpenLines from the lines of the order.
func (d *OrderDetails) UpdateOpenLines() { d.OpenLines = d.openLines() }

// openQuantities returns the quantities that still have to ship, by product ID, from
// OpenLines. ok is false if they are unknown or the order has none.
func (o *Order) openQuantities() (quantities map[string]int, ok bool) {
	if quantities, ok = linesByProduct(o.OpenLines); !ok {
		return nil, false
	}
	return quantities, len(quantities) > 0 && !o.ended()
}

// linesByProduct returns the quantities in the elements of Order.OpenLines, by product ID.
// ok is false if an element is malformed.
func linesByProduct(lines []string) (quantities map[string]int, ok bool) {
	quantities = map[string]int{}
	for _, line := range lines {
		text, id, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(text)
		if err != nil || n <= 0 || id == "" {
			return nil, false
		}
		quantities[id] += n
	}
	return quantities, true
}

func (o *Order) stockState(levels map[string]StockLevel) OrderStock {
	quantities, ok := o.openQuantities()
	if !ok {
		return ""
	}
	covered, whole := 0, true
	for id, n := range quantities {
		level, known := levels[id]
		if !known || level.Unreadable {
			return ""
		}
		part := min(n, max(0, level.OnHand))
		covered, whole = covered+part, whole && part == n
	}
	switch {
	case whole:
		return StockReady
	case covered > 0:
		return StockPartly
	}
	return StockNone
}

// StockedOrders lists the same orders as Orders, with the state of their stock. If f.Stock
// is set, it lists only orders in this state, and f.Status is required. No index contains
// the state, so StockedOrders then reads the orders with this status and filters them. A
// page may therefore end before it is full; see Position.Unread.
func (a Access) StockedOrders(ctx context.Context, f OrderFilter, reverse bool, page Page) (List[StockedOrder], error) {
	if err := a.require(Browse); err != nil {
		return List[StockedOrder]{}, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return List[StockedOrder]{}, err
	}
	r := orderStockReader{access: a, page: page, products: max(maxOpenLines, maxSlotsOfOrders/stockSlots(settings.ShardsRead)), states: map[string]OrderStock{}}
	var found List[Order]
	if f.Stock == "" {
		if found, err = a.Orders(ctx, f, reverse, page); err == nil {
			_, err = r.read(ctx, found.Rows)
		}
	} else {
		found, err = r.list(ctx, f, reverse)
	}
	if err != nil {
		return List[StockedOrder]{}, err
	}
	found.Unreadable = append(found.Unreadable, r.unreadable...)
	return withStock(found, r.states), nil
}

// OrdersWithoutStock lists the same orders as Orders, without reading their stock.
func (a Access) OrdersWithoutStock(ctx context.Context, f OrderFilter, reverse bool, page Page) (List[StockedOrder], error) {
	if err := a.require(Browse); err != nil {
		return List[StockedOrder]{}, err
	}
	q, err := a.ordersQuery(ctx, f, reverse)
	if err != nil {
		return List[StockedOrder]{}, err
	}
	return list(ctx, a.store, q, page, func(row Row, o *StockedOrder) error { return decodeOrderRow(row, &o.Order) })
}

// withStock adds the states of orders to a list. states maps order IDs to states.
func withStock(l List[Order], states map[string]OrderStock) List[StockedOrder] {
	rows := make([]StockedOrder, len(l.Rows))
	for i := range l.Rows {
		rows[i] = StockedOrder{l.Rows[i], states[l.Rows[i].ID]}
	}
	return List[StockedOrder]{Rows: rows, Prev: l.Prev, Next: l.Next, Unreadable: l.Unreadable}
}

// orderStockReader reads stock levels and determines the state of the stock of orders.
type orderStockReader struct {
	access     Access
	page       Page
	products   int                   // maximum number of products for which a page reads stock levels
	states     map[string]OrderStock // state of the stock, by order ID
	unreadable []string
}

// read determines the stock states of orders. It stops before an order that would raise the
// number of products above r.products, and returns the number of orders before this one. It
// skips an order that alone has more products, so the state of this order is unknown.
func (r *orderStockReader) read(ctx context.Context, orders []Order) (int, error) {
	var products []string
	listed := map[string]bool{}
	count := len(orders)
	for i := range orders {
		quantities, _ := orders[i].openQuantities()
		if len(quantities) > r.products {
			continue
		}
		var more []string
		for id := range quantities {
			if !listed[id] {
				more = append(more, id)
			}
		}
		if len(products)+len(more) > r.products {
			count = i
			break
		}
		for _, id := range more {
			listed[id] = true
		}
		products = append(products, more...)
	}
	slices.Sort(products)
	levels, err := r.access.stockLevels(ctx, products, false, func(err error) error {
		if !r.page.Partial || KindOf(err) != Damaged {
			return err
		}
		r.unreadable = append(r.unreadable, err.Error())
		return nil
	})
	for i := range orders[:count] {
		r.states[orders[i].ID] = orders[i].stockState(levels)
	}
	return count, err
}

// list lists the orders whose stock is in the state f.Stock.
func (r *orderStockReader) list(ctx context.Context, f OrderFilter, reverse bool) (List[Order], error) {
	if f.Status == "" {
		return List[Order]{}, InvalidField("stock", "Choose a status to filter by stock.")
	}
	s := r.access.store
	q, err := s.byStatus(ctx, getOrdersByStatus, f.DateRange, string(f.Status))
	if err != nil {
		return List[Order]{}, err
	}
	q.Reverse = reverse
	found, err := s.filteredPages(ctx, q, r.page, orderStockRounds, func(rows []Row) (kept []Row, read int, err error) {
		orders := make([]Order, len(rows)) // an order that cannot be decoded stays empty
		for i, row := range rows {
			if err := decodeOrderRow(row, &orders[i]); err != nil && (!r.page.Partial || KindOf(err) != Damaged) {
				return nil, 0, err
			} else if err != nil {
				orders[i] = Order{}
			}
		}
		if read, err = r.read(ctx, orders); err != nil {
			return nil, 0, err
		}
		for i := range orders[:read] {
			if orders[i].ID == "" || r.states[orders[i].ID] == f.Stock {
				kept = append(kept, rows[i])
			}
		}
		return kept, read, nil
	})
	if err != nil {
		return List[Order]{}, err
	}
	return decodeList(found, r.page, decodeOrderRow)
}

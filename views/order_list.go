package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Orders is the list of orders: oldest first if it is filtered by status, otherwise
// newest first. The parameter sort reverses this order.
type Orders struct {
	Page
	List
	Status   store.OrderStatus // status filter; "" for all
	From, To ui.Input          // range of dates on which orders were placed
	Stock    ui.Input
	Filters  []ui.Param // the filters, with dates instead of names of periods
	Rows     []store.StockedOrder
	CanSell  bool
	CanShip  bool
}

func (p *Orders) actions() []bulkAction {
	actions := []bulkAction{{ButtonPick, "Print pick list"}, {ButtonSlips, "Print packing slips"}}
	if p.CanShip {
		actions = append([]bulkAction{{string(store.BulkShip), "Pack"}}, actions...)
	}
	return actions
}

// ShowsStock reports whether the list of orders with this status shows their stock.
func ShowsStock(status store.OrderStatus) bool {
	return status == store.OrderOpen || status == store.OrderPaid
}

func (p *Orders) stockField() ui.Field {
	return ui.Field{Name: "stock", Label: "Stock", Hint: "Compares each order with the stock of all warehouses.", Input: p.Stock}
}

// stockNote explains the stock column, and says which orders the filter leaves out.
func (p *Orders) stockNote() string {
	note := "The Stock column shows whether all warehouses together can ship each order completely. A single warehouse may have less."
	if p.Stock.Value != "" {
		note += " Orders whose stock is not known are not listed."
	}
	return note
}

func stockOptions() []ui.Option {
	options := []ui.Option{{Text: "Any"}}
	for _, s := range store.OrderStocks {
		options = append(options, ui.Option{Value: string(s), Text: orderStockBadge(s).Word})
	}
	return options
}

// columns returns the columns of the list. If the list shows the stock, the result contains
// the stock state of each order.
func (p *Orders) columns() orderColumns {
	c := orderColumns{selection: true, customer: true, sort: p.Sort}
	if !ShowsStock(p.Status) {
		return c
	}
	c.stock = make([]store.OrderStock, len(p.Rows))
	for i := range p.Rows {
		c.stock[i] = p.Rows[i].Stock
	}
	return c
}

// choices returns the columns that users can hide.
func (p *Orders) choices() Columns {
	if ShowsStock(p.Status) {
		return OrderColumns
	}
	return OrderColumns[:len(OrderColumns)-1] // without the stock column
}

func orderOfRow(row *store.StockedOrder) *store.Order { return &row.Order }

// orderColumns selects the columns that only some tables of orders have.
type orderColumns struct {
	selection bool // checkbox that selects an order; the form around the table submits it
	customer  bool
	stock     []store.OrderStock // stock state of each order; nil for no column
	sort      ui.Sort
}

// orderTable lists orders with customer, total, payment and shipment. It is written without
// templ, because BenchmarkOrdersPage (a list of 25 orders) would take five times as long
// with templ.
func orderTable(p *Page, caption string, orders []store.Order, columns orderColumns) ui.Written {
	return orderTableOf(p, caption, orders, func(o *store.Order) *store.Order { return o }, columns)
}

// orderTableOf is like orderTable, for rows that contain orders.
func orderTableOf[T any](p *Page, caption string, rows []T, order func(*T) *store.Order, columns orderColumns) ui.Written {
	return func(m *ui.Markup) {
		m.Records(caption)
		orderHeadings(m, columns)
		m.HTML(`<tbody>`)
		for i := range rows {
			m.HTML(`<tr>`)
			orderCells(m, p, order(&rows[i]), columns)
			if columns.stock != nil {
				m.HTML(`<td>`)
				m.State(orderStockBadge(columns.stock[i]))
				m.HTML(`</td>`)
			}
			m.HTML(`</tr>`)
		}
		m.HTML(`</tbody>`)
		m.EndTable()
	}
}

func orderHeadings(m *ui.Markup, columns orderColumns) {
	m.HTML(`<thead><tr>`)
	if columns.selection {
		m.HTML(`<th scope="col"><span class="vh">Select</span></th>`)
	}
	m.HTML(`<th scope="col">Order</th>`)
	if columns.customer {
		m.HTML(`<th scope="col" class="p2">Customer</th>`)
	}
	ui.SortHeading("Placed", columns.sort)(m)
	m.HTML(`<th scope="col" class="p2">Status</th><th scope="col" class="num p3">Items</th><th scope="col" class="num">Total</th>` +
		`<th scope="col" class="p2">Payment</th><th scope="col" class="p3">Shipment</th>`)
	if columns.stock != nil {
		m.HTML(`<th scope="col">Stock</th>`)
	}
	m.HTML(`</tr></thead>`)
}

// orderCells writes the cells of one order. On phones, cells of the classes p2 and p3 are
// hidden. The cells of the ID and the total then show the customer, the time, the status,
// and the states of payment and shipment, in elements of class m.
func orderCells(m *ui.Markup, p *Page, o *store.Order, columns orderColumns) {
	if columns.selection {
		m.HTML(`<td class="tight"><label class="check"><input type="checkbox" name="order" value="`)
		m.Text(store.OrderRowID(o))
		m.HTML(`"><span class="vh">`)
		m.Text(o.ID)
		m.HTML(`</span></label></td>`)
	}
	status, customer := orderBadge(o.Status), nameOr(o.CustomerName, o.CustomerID)
	payment, shipment := invoiceStatusBadge(o.PaymentState), shippedBadge(o.ShipmentState)
	placed := string(AppendTime(m.Scratch(), o.Date, p.Zone))
	m.HTML(`<td>`)
	m.ID("/orders/", o.ID)
	if columns.customer {
		m.HTML(`<span class="sub m" dir="auto">`)
		m.Text(customer)
		m.HTML(`</span>`)
	}
	m.HTML(`<span class="sub m">`)
	m.Text(placed)
	m.HTML(`</span><span class="sub m">`)
	m.State(payment)
	m.HTML(` `)
	m.State(shipment)
	m.HTML(`</span></td>`)
	if columns.customer {
		m.HTML(`<td class="p2 name">`)
		m.Link("/customers/", o.CustomerID, customer)
		m.HTML(`</td>`)
	}
	m.HTML(`<td class="p2">`)
	m.Text(placed)
	m.HTML(`</td><td class="p2">`)
	m.State(status)
	m.HTML(`</td><td class="num p3">`)
	m.Bytes(AppendCount(m.Scratch(), o.ItemCount))
	m.HTML(`</td><td class="num">`)
	m.Bytes(AppendMoney(m.Scratch(), o.Total, p.Currency))
	m.HTML(`<span class="sub m">`)
	m.State(status)
	m.HTML(`</span></td><td class="p2">`)
	m.State(payment)
	m.HTML(`</td><td class="p3">`)
	m.State(shipment)
	m.HTML(`</td>`)
}

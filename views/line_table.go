package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// linesTable lists the lines of one order with their sum.
func linesTable(p *Page, caption string, rows []store.OrderItem, total store.Amount) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="num p2">Unit price</th><th scope="col" class="num">Quantity</th>` +
			`<th scope="col" class="num p2">Sent</th><th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range rows {
			line := &rows[i]
			t.HTML(`<tr><td>`)
			t.Link("/products/", line.ProductID, named(line.Name, line.ProductID))
			t.HTML(`<span class="sub"><a href="`)
			t.Address(OrderItemPath(line.OrderID, line.ProductID))
			t.HTML(`">`)
			t.Text(named(line.SKU, line.ProductID))
			t.HTML(`</a></span></td><td class="num p2">`)
			t.money(line.Price)
			t.HTML(`</td><td class="num">`)
			t.count(line.Quantity)
			t.HTML(`</td><td class="num p2">`)
			t.sent(line)
			t.HTML(`</td><td class="num">`)
			t.money(line.Total())
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody><tfoot><tr><th scope="row">Total</th><td class="p2"></td><td class="num">`)
		t.count(units(rows))
		t.HTML(`</td><td class="p2"></td><td class="num">`)
		t.money(total)
		t.HTML(`</td></tr></tfoot>`)
	})
}

// soldTable lists the order lines of one product.
func soldTable(p *Page, caption string, rows []store.OrderItem) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Order</th><th scope="col" class="p2">Customer</th><th scope="col" class="p2">Ordered</th>` +
			`<th scope="col" class="num">Quantity</th><th scope="col" class="num p3">Sent</th><th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range rows {
			line := &rows[i]
			t.HTML(`<tr><td>`)
			t.ID("/orders/", line.OrderID)
			t.HTML(`<span class="sub m">`)
			t.day(line.Date)
			t.HTML(`</span></td><td class="p2">`)
			t.ID("/customers/", line.CustomerID)
			t.lineFigures(line)
		}
		t.HTML(`</tbody>`)
	})
}

// waitingTable lists the lines of one product that have not wholly left.
func waitingTable(p *Page, caption string, rows []store.OrderItem) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Order</th><th scope="col" class="p2">Customer</th><th scope="col">Ordered</th>` +
			`<th scope="col" class="num p2">Quantity</th><th scope="col" class="num">To send</th></tr></thead><tbody>`)
		for i := range rows {
			line := &rows[i]
			t.HTML(`<tr><td>`)
			t.ID("/orders/", line.OrderID)
			t.HTML(`</td><td class="p2">`)
			t.ID("/customers/", line.CustomerID)
			t.HTML(`</td><td>`)
			t.day(line.Date)
			t.HTML(`</td><td class="num p2">`)
			t.count(line.Quantity)
			t.HTML(`</td><td class="num">`)
			t.count(line.Quantity - line.Shipped)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// boughtTable lists the order lines of one customer.
func boughtTable(p *Page, caption string, rows []store.OrderItem) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="p2">Order</th><th scope="col" class="p2">Ordered</th>` +
			`<th scope="col" class="num">Quantity</th><th scope="col" class="num p3">Sent</th><th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range rows {
			line := &rows[i]
			t.HTML(`<tr><td>`)
			t.productCell(line)
			t.HTML(`<span class="sub m">`)
			t.day(line.Date)
			t.HTML(`</span></td><td class="p2">`)
			t.ID("/orders/", line.OrderID)
			t.lineFigures(line)
		}
		t.HTML(`</tbody>`)
	})
}

// lineFigures ends a row of order lines: when, how many, for how much.
func (t table) lineFigures(line *store.OrderItem) {
	t.HTML(`</td><td class="p2">`)
	t.day(line.Date)
	t.HTML(`</td><td class="num">`)
	t.count(line.Quantity)
	t.HTML(`</td><td class="num p3">`)
	t.sent(line)
	t.HTML(`</td><td class="num">`)
	t.money(line.Total())
	t.HTML(`</td></tr>`)
}

func (t table) productCell(line *store.OrderItem) {
	t.Link("/products/", line.ProductID, named(line.Name, line.ProductID))
	t.HTML(`<span class="sub">`)
	t.Text(named(line.SKU, line.ProductID))
	t.HTML(`</span>`)
}

// sent is how many of a line have left, and what became of the others.
func (t table) sent(line *store.OrderItem) {
	t.count(line.Shipped)
	switch {
	case line.Returned > 0:
		t.HTML(`<span class="sub">`)
		t.count(line.Returned)
		t.HTML(` returned</span>`)
	case line.Cancelled && line.Shipped < line.Quantity:
		t.HTML(`<span class="sub">cancelled</span>`)
	}
}

func units(lines []store.OrderItem) int {
	sum := 0
	for i := range lines {
		sum += lines[i].Quantity
	}
	return sum
}

// quoteTable lists what an order would hold, with its sum.
func quoteTable(p *Page, q *store.Quote) ui.Written {
	return tableOf(p, "What it comes to", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="num p2">Unit price</th><th scope="col" class="num">Quantity</th>` +
			`<th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range q.Lines {
			line := &q.Lines[i]
			if line.Product == nil {
				continue
			}
			t.HTML(`<tr><td>`)
			t.Link("/products/", line.Product.ID, named(line.Product.Name, line.Product.ID))
			t.HTML(`<span class="sub">`)
			t.Text(named(line.Product.SKU, line.Product.ID))
			t.HTML(`</span></td><td class="num p2">`)
			t.money(line.Product.Price)
			t.HTML(`</td><td class="num">`)
			t.count(line.Quantity)
			t.HTML(`</td><td class="num">`)
			t.money(line.Total())
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody><tfoot><tr><th scope="row">Total</th><td class="p2"></td><td></td><td class="num">`)
		t.money(q.Total)
		t.HTML(`</td></tr></tfoot>`)
	})
}

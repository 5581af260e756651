package handlers

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

// The columns of lists in CSV files and in emails of saved views. A column has the name
// of its attribute. The name of a nested attribute contains dots. An ID column has the
// name of its entity, such as OrderID. Amounts and times have a fixed format, so that
// other programs can read them.

var orderColumns = []web.Column[store.Order]{
	{Name: "OrderID", Cell: func(o store.Order) web.Cell { return web.Text(o.ID) }},
	{Name: "CustomerID", Cell: func(o store.Order) web.Cell { return web.Text(o.CustomerID) }, Minor: true},
	{Name: "CustomerName", Cell: func(o store.Order) web.Cell { return web.Text(o.CustomerName) }},
	{Name: "Date", Cell: func(o store.Order) web.Cell { return instant(o.Date) }},
	{Name: "Status", Cell: func(o store.Order) web.Cell { return web.Text(string(o.Status)) }, Words: func(o store.Order) string { return views.OrderStatusText(o.Status) }},
	{Name: "Total", Cell: func(o store.Order) web.Cell { return amount(o.Total) }},
	{Name: "ItemCount", Cell: func(o store.Order) web.Cell { return integer(o.ItemCount) }},
	{Name: "PaymentState", Cell: func(o store.Order) web.Cell { return web.Text(string(o.PaymentState)) }, Words: func(o store.Order) string { return views.InvoiceStatusText(o.PaymentState) }},
	{Name: "ShipmentState", Cell: func(o store.Order) web.Cell { return web.Text(string(o.ShipmentState)) }, Words: func(o store.Order) string { return views.ShipmentStateText(o.ShipmentState) }},
}

var stockedOrderColumns = append(
	recordColumns(orderColumns, func(o store.StockedOrder) store.Order { return o.Order }),
	web.Column[store.StockedOrder]{Name: "Stock", Cell: func(o store.StockedOrder) web.Cell { return web.Text(string(o.Stock)) }, Words: func(o store.StockedOrder) string { return views.OrderStockText(o.Stock) }},
)

var orderItemColumns = []web.Column[store.OrderItem]{
	{Name: "OrderID", Cell: func(i store.OrderItem) web.Cell { return web.Text(i.OrderID) }},
	{Name: "ProductID", Cell: func(i store.OrderItem) web.Cell { return web.Text(i.ProductID) }, Minor: true},
	minorColumn(referColumn("CustomerID", func(i store.OrderItem) string { return i.CustomerID })),
	{Name: "Date", Cell: func(i store.OrderItem) web.Cell { return instant(i.Date) }},
	{Name: "Name", Cell: func(i store.OrderItem) web.Cell { return web.Text(i.Name) }},
	{Name: "SKU", Cell: func(i store.OrderItem) web.Cell { return web.Text(i.SKU) }},
	{Name: "Price", Cell: func(i store.OrderItem) web.Cell { return amount(i.Price) }},
	{Name: "Quantity", Cell: func(i store.OrderItem) web.Cell { return integer(i.Quantity) }},
	{Name: "Shipped", Cell: func(i store.OrderItem) web.Cell { return integer(i.Shipped) }},
	{Name: "Returned", Cell: func(i store.OrderItem) web.Cell { return integer(i.Returned) }},
}

// invoiceColumns returns the columns of invoices. The status in words is the one of the
// pages.
func (r *request) invoiceColumns() []web.Column[store.Invoice] {
	status := func(i store.Invoice) string {
		return views.InvoiceStatusText(i.ShownStatus(r.now(), r.settings.Zone()))
	}
	return []web.Column[store.Invoice]{
		{Name: "InvoiceID", Cell: func(i store.Invoice) web.Cell { return web.Text(i.ID) }, Minor: true},
		{Name: "Number", Cell: func(i store.Invoice) web.Cell { return web.Text(i.NumberText()) }},
		{Name: "OrderID", Cell: func(i store.Invoice) web.Cell { return web.Text(i.OrderID) }, Minor: true},
		referColumn("CustomerID", func(i store.Invoice) string { return i.CustomerID }),
		{Name: "Date", Cell: func(i store.Invoice) web.Cell { return instant(i.Date) }},
		{Name: "DueDate", Cell: func(i store.Invoice) web.Cell { return instant(i.DueDate) }},
		{Name: "Status", Cell: func(i store.Invoice) web.Cell { return web.Text(string(i.Status)) }, Words: status},
		{Name: "StatusText", Cell: func(i store.Invoice) web.Cell { return web.Text(status(i)) }, Minor: true},
		{Name: "Amount", Cell: func(i store.Invoice) web.Cell { return amount(i.Amount) }},
		{Name: "Paid", Cell: func(i store.Invoice) web.Cell { return amount(i.Paid()) }, Minor: true},
		{Name: "Owed", Cell: func(i store.Invoice) web.Cell { return amount(i.BalanceDue()) }},
	}
}

var creditNoteColumns = []web.Column[store.CreditNote]{
	{Name: "CreditNoteID", Cell: func(n store.CreditNote) web.Cell { return web.Text(n.ID) }, Minor: true},
	{Name: "Number", Cell: func(n store.CreditNote) web.Cell { return web.Text(n.NumberText()) }},
	{Name: "InvoiceID", Cell: func(n store.CreditNote) web.Cell { return web.Text(n.InvoiceID) }, Minor: true},
	{Name: "InvoiceNumber", Cell: func(n store.CreditNote) web.Cell { return web.Text(n.InvoiceText()) }},
	{Name: "OrderID", Cell: func(n store.CreditNote) web.Cell { return web.Text(n.OrderID) }},
	minorColumn(referColumn("CustomerID", func(n store.CreditNote) string { return n.CustomerID })),
	{Name: "Date", Cell: func(n store.CreditNote) web.Cell { return instant(n.Date) }},
	{Name: "Reason", Cell: func(n store.CreditNote) web.Cell { return web.Text(string(n.Reason)) }, Words: func(n store.CreditNote) string { return views.CreditReasonText(n.Reason) }},
	{Name: "Amount", Cell: func(n store.CreditNote) web.Cell { return amount(n.Amount) }},
}

var timelineColumns = []web.Column[store.TimelineEntry]{
	{Name: "When", Cell: func(m store.TimelineEntry) web.Cell { return instant(m.When) }},
	{Name: "Kind", Cell: func(m store.TimelineEntry) web.Cell { return web.Text(m.Kind) }},
	{Name: "ID", Cell: func(m store.TimelineEntry) web.Cell { return web.Text(m.ID) }},
	{Name: "Number", Cell: func(m store.TimelineEntry) web.Cell { return web.Text(m.Number) }},
	{Name: "What", Cell: func(m store.TimelineEntry) web.Cell { return web.Text(m.What) }},
	{Name: "About", Cell: func(m store.TimelineEntry) web.Cell { return web.Text(m.About) }},
	{Name: "By", Cell: func(m store.TimelineEntry) web.Cell { return web.Text(m.By) }},
	{Name: "Amount", Cell: func(m store.TimelineEntry) web.Cell { return amount(m.Amount) }},
}

var paymentColumns = []web.Column[store.Payment]{
	{Name: "PaymentID", Cell: func(p store.Payment) web.Cell { return web.Text(p.ID) }, Minor: true},
	{Name: "Type", Cell: func(p store.Payment) web.Cell { return web.Text(p.Type) }, Words: func(p store.Payment) string { return views.PaymentTypeText(p.Type) }},
	{Name: "Amount", Cell: func(p store.Payment) web.Cell { return amount(p.Amount) }},
	{Name: "Date", Cell: func(p store.Payment) web.Cell { return instant(p.Date) }},
	{Name: "Received", Cell: func(p store.Payment) web.Cell { return calendarDay(p.Received) }, Minor: true},
	{Name: "Data", Cell: func(p store.Payment) web.Cell { return web.Text(p.Data) }},
	{Name: "RefundOf", Cell: func(p store.Payment) web.Cell { return web.Text(p.RefundOf) }, Minor: true},
	{Name: "ReversalOf", Cell: func(p store.Payment) web.Cell { return web.Text(p.ReversalOf) }, Minor: true},
	{Name: "By", Cell: func(p store.Payment) web.Cell { return web.Text(p.By) }, Minor: true},
	{Name: "Why", Cell: func(p store.Payment) web.Cell { return web.Text(p.Why) }, Minor: true},
}

var shipmentColumns = append([]web.Column[store.Shipment]{
	{Name: "ShipmentID", Cell: func(s store.Shipment) web.Cell { return web.Text(s.ID) }},
	{Name: "OrderID", Cell: func(s store.Shipment) web.Cell { return web.Text(s.OrderID) }},
	referColumn("WarehouseID", func(s store.Shipment) string { return s.WarehouseID }),
	{Name: "Date", Cell: func(s store.Shipment) web.Cell { return instant(s.Date) }},
	{Name: "Type", Cell: func(s store.Shipment) web.Cell { return web.Text(s.Type) }, Minor: true},
	{Name: "Status", Cell: func(s store.Shipment) web.Cell { return web.Text(string(s.Status)) }, Words: func(s store.Shipment) string { return views.ShipmentStatusText(s.Status) }},
	{Name: "Carrier", Cell: func(s store.Shipment) web.Cell { return web.Text(s.Carrier) }},
	{Name: "Tracking", Cell: func(s store.Shipment) web.Cell { return web.Text(s.Tracking) }, Minor: true},
	referColumn("CustomerID", func(s store.Shipment) string { return s.CustomerID }),
}, minorColumns(fieldColumns(store.AddressFields(func(s *store.Shipment) *store.Address { return &s.Address })))...)

var customerColumns = slices.Concat([]web.Column[store.Customer]{
	{Name: "CustomerID", Cell: func(c store.Customer) web.Cell { return web.Text(c.ID) }},
	{Name: "Created", Cell: func(c store.Customer) web.Cell { return instant(c.Created) }},
}, fieldColumns(store.CustomerFields), []web.Column[store.Customer]{
	{Name: "Closed", Cell: func(c store.Customer) web.Cell { return instant(c.Closed) }},
})

var productColumns = minorColumns(slices.Concat([]web.Column[store.StockedProduct]{
	{Name: "ProductID", Cell: func(p store.StockedProduct) web.Cell { return web.Text(p.ID) }},
}, recordColumns(fieldColumns(store.ProductFields), func(p store.StockedProduct) store.Product { return p.Product }),
	levelColumns(func(p store.StockedProduct) store.StockLevel { return p.StockLevel })), "ProductID", "Detail.Description", "Weight", "Committed", "Incoming")

// recordColumns converts columns of records of type T to columns of rows of type R. The
// function record returns the record in a row.
func recordColumns[T, R any](columns []web.Column[T], record func(R) T) []web.Column[R] {
	all := make([]web.Column[R], len(columns))
	for i, c := range columns {
		all[i] = web.Column[R]{Name: c.Name, Cell: func(row R) web.Cell { return c.Cell(record(row)) }, Minor: c.Minor}
		if c.Words != nil {
			all[i].Words = func(row R) string { return c.Words(record(row)) }
		}
		if c.Refers != nil {
			all[i].Refers = func(row R) string { return c.Refers(record(row)) }
		}
	}
	return all
}

// minorColumns marks the columns with these names as minor (see web.Column). Without names,
// it marks all columns.
func minorColumns[T any](columns []web.Column[T], names ...string) []web.Column[T] {
	for i := range columns {
		columns[i].Minor = columns[i].Minor || len(names) == 0 || slices.Contains(names, columns[i].Name)
	}
	return columns
}

// levelColumns returns the columns with the stock level of a row.
func levelColumns[R any](level func(R) store.StockLevel) []web.Column[R] {
	return []web.Column[R]{
		{Name: "OnHand", Cell: func(row R) web.Cell { return integer(level(row).OnHand) }},
		{Name: "Committed", Cell: func(row R) web.Cell { return integer(level(row).Committed) }},
		{Name: "Available", Cell: func(row R) web.Cell { return integer(level(row).Available) }},
		{Name: "Incoming", Cell: func(row R) web.Cell { return integer(level(row).Incoming) }},
	}
}

var warehouseColumns = slices.Concat([]web.Column[store.Warehouse]{
	{Name: "WarehouseID", Cell: func(w store.Warehouse) web.Cell { return web.Text(w.ID) }},
}, fieldColumns(store.WarehouseFields))

var stockColumns = append([]web.Column[store.StockRow]{
	referColumn("WarehouseID", func(i store.StockRow) string { return i.WarehouseID }),
	{Name: "ProductID", Cell: func(i store.StockRow) web.Cell { return web.Text(i.ProductID) }},
	{Name: "Name", Cell: func(i store.StockRow) web.Cell { return web.Text(i.Name) }},
	{Name: "Quantity", Cell: func(i store.StockRow) web.Cell { return integer(i.Quantity) }},
	{Name: "ReorderPoint", Cell: func(i store.StockRow) web.Cell { return integer(i.ReorderPoint) }},
	{Name: "Bin", Cell: func(i store.StockRow) web.Cell { return web.Text(i.Bin) }},
}, minorColumns(levelColumns(func(i store.StockRow) store.StockLevel { return i.StockLevel }))...)

var stockMoveColumns = []web.Column[store.StockMove]{
	{Name: "StockMoveID", Cell: func(m store.StockMove) web.Cell { return web.Text(m.ID) }, Minor: true},
	{Name: "When", Cell: func(m store.StockMove) web.Cell { return instant(m.When) }},
	referColumn("WarehouseID", func(m store.StockMove) string { return m.WarehouseID }),
	{Name: "ProductID", Cell: func(m store.StockMove) web.Cell { return web.Text(m.ProductID) }, Minor: true},
	{Name: "Name", Cell: func(m store.StockMove) web.Cell { return web.Text(m.Name) }},
	{Name: "From", Cell: func(m store.StockMove) web.Cell { return integer(m.From) }},
	{Name: "To", Cell: func(m store.StockMove) web.Cell { return integer(m.To) }},
	{Name: "Delta", Cell: func(m store.StockMove) web.Cell { return integer(m.Delta) }},
	{Name: "Reason", Cell: func(m store.StockMove) web.Cell { return web.Text(m.Reason) }},
	{Name: "By", Cell: func(m store.StockMove) web.Cell { return web.Text(m.By) }},
	{Name: "OrderID", Cell: func(m store.StockMove) web.Cell { return web.Text(m.OrderID) }, Minor: true},
}

var employeeColumns = slices.Concat([]web.Column[store.Employee]{
	{Name: "EmployeeID", Cell: func(e store.Employee) web.Cell { return web.Text(e.ID) }},
	{Name: "JobTitle", Cell: func(e store.Employee) web.Cell { return web.Text(e.JobTitle) }},
}, fieldColumns(store.EmployeeFields))

var quotaColumns = []web.Column[store.Quota]{
	{Name: "EmployeeID", Cell: func(q store.Quota) web.Cell { return web.Text(q.EmployeeID) }},
	{Name: "Name", Cell: func(q store.Quota) web.Cell { return web.Text(q.Name) }},
	{Name: "Period", Cell: func(q store.Quota) web.Cell { return web.Plain(q.Period.String()) }},
	{Name: "OrderTotal", Cell: func(q store.Quota) web.Cell { return web.Plain(q.OrderTotal.String()) }},
	{Name: "Orders", Cell: func(q store.Quota) web.Cell { return integer(q.Orders) }},
	{Name: "Target", Cell: func(q store.Quota) web.Cell {
		if q.Target.Sign() == 0 {
			return web.Plain("")
		}
		return amount(q.Target)
	}},
}

var phoneColumns = []web.Column[string]{{Name: "Phone", Cell: web.Text}}

func referenceColumns(kind store.ReferenceKind) []web.Column[store.ListedReference] {
	id, name, parent := kind.Attributes()
	columns := []web.Column[store.ListedReference]{
		{Name: id, Cell: func(r store.ListedReference) web.Cell { return web.Text(r.ID) }},
		{Name: name, Cell: func(r store.ListedReference) web.Cell { return web.Text(r.Name) }},
	}
	if parent != "" {
		columns = append(
			columns,
			web.Column[store.ListedReference]{Name: parent, Cell: func(r store.ListedReference) web.Cell { return web.Text(r.ParentID) }},
			web.Column[store.ListedReference]{Name: kind.Within().Title() + "Name", Cell: func(r store.ListedReference) web.Cell { return web.Text(r.ParentName()) }},
		)
	}
	return columns
}

// fieldColumns returns a column for each editable field.
func fieldColumns[T any](fields store.Fields[T]) []web.Column[T] {
	var columns []web.Column[T]
	for i := range fields {
		f := &fields[i]
		column := web.Column[T]{Name: f.Column, Cell: func(row T) web.Cell {
			switch text := f.Format(&row); f.Kind {
			case store.InputMoney:
				return web.Money(text)
			case store.InputWhole, store.InputDay:
				return web.Plain(text)
			default:
				return web.Text(strings.ReplaceAll(text, "\n", "; "))
			}
		}}
		if _, refers := nameColumns[f.Column]; refers {
			column.Refers = func(row T) string { return f.Format(&row) }
		}
		columns = append(columns, column)
	}
	return columns
}

func instant(t time.Time) web.Cell { return web.Plain(key.Time(t)) }

// calendarDay formats a date without a time.
func calendarDay(t time.Time) web.Cell {
	if t.IsZero() {
		return web.Plain("")
	}
	return web.Plain(t.Format(key.Day))
}

func amount(a store.Amount) web.Cell { return web.Money(a.String()) }

func integer(n int) web.Cell { return web.Plain(strconv.Itoa(n)) }

package views

import (
	"strconv"
	"strings"

	"stockroom/store"
)

// PastOrder describes an order at an earlier moment.
func PastOrder(p *Page, s *store.PastOrder) PastRecord {
	d := &s.Order
	r := PastRecord{
		Noun: "order", Path: OrderPath(d.ID), ID: d.ID, Heading: "Order " + d.ID, List: "Orders", ListPath: "/orders",
		Facts: []PastFact{
			{Label: "Status", Value: orderBadge(d.Status).Word},
			{Label: "Customer", Value: nameOr(d.CustomerName, d.CustomerID), Path: CustomerPath(d.CustomerID)},
			{Label: "Placed", Value: p.time(d.Date)},
			{Label: "Total", Value: p.money(d.Total)},
			{Label: "Payment", Value: invoiceStatusBadge(paymentStatus(p, d, s.At)).Word},
			{Label: "Shipment", Value: shippedBadge(d.ShipmentState).Word},
			{Label: "Delivery address", Value: strings.Join(d.ShipTo.Lines(), "\n")},
			{Label: "Account rep", Value: employeeName(p, d.AccountRepID)},
		},
	}
	items := PastTable{Title: "Items", Columns: []string{"Product", "Price", "Quantity", "In shipments", "Returned", "Cancelled"}, Empty: "This order has no items."}
	for i := range d.Items {
		line, cancelled := &d.Items[i], 0
		if line.Cancelled {
			cancelled = line.Quantity - line.Shipped
		}
		items.Rows = append(items.Rows, PastRow{ID: line.ProductID, Path: ProductPath(line.ProductID), Cells: []string{
			nameOr(line.Name, line.ProductID), p.money(line.Price), number(line.Quantity), number(line.Shipped), number(line.Returned), number(cancelled),
		}})
	}
	invoices := PastTable{Title: "Invoices", Columns: []string{"Invoice", "Status", "Amount", "Credit", "Paid", "Balance due"}, Empty: "No invoices yet."}
	for i := range d.Invoices {
		invoice := &d.Invoices[i]
		invoices.Rows = append(invoices.Rows, PastRow{ID: invoice.ID, Path: InvoicePath(invoice.ID), Cells: []string{
			invoice.NumberText(), invoiceStatusBadge(invoice.ShownStatus(s.At, p.zone())).Word, p.money(invoice.Amount), p.money(invoice.Credit), p.money(invoice.Paid()), p.money(invoice.BalanceDue()),
		}})
	}
	shipments := PastTable{Title: "Shipments", Columns: []string{"Shipment", "Status", "Warehouse", "Pieces", "Carrier", "Tracking"}, Empty: noShipments(p, &d.Order)}
	for i := range d.Shipments {
		shipment := &d.Shipments[i]
		pieces := 0
		for _, item := range shipment.Items {
			pieces += item.Quantity
		}
		shipments.Rows = append(shipments.Rows, PastRow{ID: shipment.ID, Cells: []string{
			shipment.ID, shipmentBadge(shipment.Status).Word, p.warehouseName(shipment.WarehouseID), strconv.Itoa(pieces), shipment.Carrier, shipment.Tracking,
		}})
	}
	r.Tables = []PastTable{items, invoices, shipments}
	if len(d.CreditNotes) > 0 {
		r.Tables = append(r.Tables, pastCreditNotes(p, d.CreditNotes))
	}
	return r
}

// PastInvoice describes an invoice at an earlier moment.
func PastInvoice(p *Page, s *store.PastInvoice) PastRecord {
	i := &s.Invoice
	r := PastRecord{
		Noun: "invoice", Path: InvoicePath(i.ID), ID: i.NumberText(), Heading: "Invoice " + i.NumberText(), List: "Invoices", ListPath: "/invoices",
		Facts: []PastFact{
			{Label: "Status", Value: invoiceStatusBadge(i.ShownStatus(s.At, p.zone())).Word},
			{Label: "Amount", Value: p.money(i.Amount)},
			{Label: "Credit", Value: p.money(i.Credit)},
			{Label: "Paid", Value: p.money(i.Paid())},
			{Label: "Balance due", Value: p.money(i.BalanceDue())},
			{Label: "Date", Value: p.day(i.Date)},
			{Label: "Due", Value: p.day(i.DueDate)},
			{Label: "Order", Value: i.OrderID, Path: OrderPath(i.OrderID)},
		},
	}
	payments := PastTable{Title: "Payments", Columns: []string{"When", "Type", "Amount", "Card or code", "Received on"}, Empty: "No payments yet."}
	for n, payment := range i.Payments {
		payments.Rows = append(payments.Rows, PastRow{ID: strconv.Itoa(n), Cells: []string{p.time(payment.Date), paymentName(payment), p.money(payment.Amount), payment.Reference(), p.calendar(payment.Day(p.zone()))}})
	}
	r.Tables = []PastTable{payments}
	if len(s.CreditNotes) > 0 {
		r.Tables = append(r.Tables, pastCreditNotes(p, s.CreditNotes))
	}
	return r
}

func pastCreditNotes(p *Page, notes []store.CreditNote) PastTable {
	table := PastTable{Title: "Credit notes", Columns: []string{"Credit note", "Reason", "Amount"}}
	for i := range notes {
		n := &notes[i]
		table.Rows = append(table.Rows, PastRow{ID: n.ID, Cells: []string{n.NumberText(), creditReason(n), p.money(n.Amount)}})
	}
	return table
}

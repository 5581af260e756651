package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// orderGlance shows the customer, the delivery address, and what must still be paid
// and shipped.
func orderGlance(p *Order) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<dl class="glance"><div class="whole"><dt>Customer</dt><dd>`)
		if c := p.Related.Customers[p.Order.CustomerID]; c != nil {
			customerContact(c.ID, c)(m)
			if name := p.Order.CustomerName; name != "" && name != c.Name {
				m.HTML(`<span class="sub">Name when the order was placed: <bdi>`)
				m.Text(name)
				m.HTML(`</bdi></span>`)
			}
		} else {
			customerContact(p.Order.CustomerID, &store.Customer{Name: p.Order.CustomerName})(m)
		}
		m.HTML(`</dd></div><div class="whole"><dt>Deliver to</dt><dd>`)
		postal(p.Order.ShipTo.Lines())(m)
		if p.CanEditAddress {
			m.HTML(`<a class="sub" href="`)
			m.Path("/orders/", p.Order.ID)
			m.HTML(`/address/edit">Edit address</a>`)
		} else if why := p.whyNoAddressEdit(); why != "" {
			m.HTML(`<span class="sub">`)
			m.Text(why)
			m.HTML(`</span>`)
		}
		m.HTML(`</dd></div>`)
		orderPayment(m, p)
		m.HTML(`<div><dt>Shipment</dt><dd>`)
		if ordered := p.ordered(); ordered == 0 {
			m.HTML(`<span class="big">Nothing to ship</span>`)
		} else {
			m.HTML(`<span class="big">`)
			m.Bytes(AppendCount(m.Scratch(), p.shipped()))
			m.HTML(` of `)
			m.Bytes(AppendCount(m.Scratch(), ordered))
			if p.allHandedOver() {
				m.HTML(` shipped</span>`)
				m.State(badge(handedOverBadges, p.Order.ShipmentState))
			} else {
				m.HTML(` packed or shipped</span>`)
			}
		}
		m.HTML(`</dd></div></dl>`)
	}
}

// orderPayment writes the total, the payment state, the balance of each invoice, and the
// sum of the refunds.
func orderPayment(m *ui.Markup, p *Order) {
	status := paymentStatus(&p.Page, &p.Order, p.Now)
	if status == store.InvoiceOverdue {
		m.HTML(`<div class="bad">`)
	} else {
		m.HTML(`<div>`)
	}
	m.HTML(`<dt>Payment</dt><dd><span class="big">`)
	m.Bytes(AppendMoney(m.Scratch(), p.Order.Total, p.Currency))
	m.HTML(`</span>`)
	m.State(invoiceStatusBadge(status))
	for i := range p.Order.Invoices {
		if invoice := &p.Order.Invoices[i]; invoice.BalanceDue().Sign() != 0 {
			m.HTML(`<span class="sub">`)
			balance(m, &p.Page, invoice)
			m.HTML(`</span>`)
		}
	}
	if refunded := p.refunded(); refunded.Sign() != 0 {
		m.HTML(`<span class="sub">`)
		m.Text(p.money(refunded))
		m.HTML(` refunded</span>`)
	}
	m.HTML(`</dd></div>`)
}

func (p *Order) refunded() (sum store.Amount) {
	for i := range p.Order.Invoices {
		sum = sum.Plus(p.Order.Invoices[i].Refunded())
	}
	return sum
}

func balance(m *ui.Markup, p *Page, invoice *store.Invoice) {
	m.Text(p.money(owedSum(*invoice)))
	m.HTML(` `)
	m.Text(owedWord(*invoice))
}

// orderInvoice shows an invoice of an order with its payments.
func orderInvoice(p *Page, invoice *store.Invoice) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<div class="part"><h3><a href="`)
		m.Path("/invoices/", invoice.ID)
		m.HTML(`">Invoice <bdi>`)
		m.Text(invoice.NumberText())
		m.HTML(`</bdi></a></h3>`)
		m.State(invoiceBadge(p, invoice))
		m.HTML(`<p class="muted">`)
		m.Bytes(AppendDay(m.Scratch(), invoice.Date, p.Zone))
		m.HTML(`</p><p class="sum">`)
		m.Bytes(AppendMoney(m.Scratch(), invoice.Amount, p.Currency))
		if invoice.BalanceDue().Sign() != 0 {
			m.HTML(` <span class="muted">· `)
			balance(m, p, invoice)
			m.HTML(`</span>`)
		}
		m.HTML(`</p>`)
		if p.may(store.Sell) && invoice.CanPay() {
			m.HTML(`<p><a href="`)
			m.Path("/invoices/", invoice.ID)
			m.HTML(`/pay">Record payment<span class="vh"> of invoice `)
			m.Text(invoice.NumberText())
			m.HTML(`</span></a></p>`)
		}
		m.HTML(`</div>`)
		if len(invoice.Payments) == 0 {
			none("No payments yet.")(m)
		} else {
			paymentTable(p, "Payments of invoice "+invoice.ID, invoice.Payments)(m)
		}
	}
}

// orderShipment shows a shipment of an order with its contents. If canUnpack is true and
// the shipment can be unpacked, it links to the form that unpacks the shipment. The items of
// an unpacked shipment are in a closed part.
func orderShipment(p *Page, o *store.OrderDetails, shipment *store.ShipmentDetails, canUnpack bool) ui.Written {
	return func(m *ui.Markup) {
		isUnpacked := shipment.Status == store.ShipmentUnpacked
		m.HTML(`<div class="part"><h3><a href="`)
		m.Path("/shipments/", shipment.ID)
		m.HTML(`">Shipment <bdi>`)
		m.Text(shipment.ID)
		m.HTML(`</bdi></a></h3>`)
		m.State(shipmentBadge(shipment.Status))
		m.HTML(`<p class="muted">`)
		m.Bytes(AppendDay(m.Scratch(), shipment.Date, p.Zone))
		m.HTML(` from `)
		m.Link("/warehouses/", shipment.WarehouseID, warehouseLabel(p, shipment.WarehouseID))
		m.HTML(`</p>`)
		if canUnpack && o.CheckUnpack(shipment) == nil {
			m.HTML(`<p><a href="`)
			m.Path("/shipments/", shipment.ID)
			m.HTML(`/unpack">Unpack<span class="vh"> shipment `)
			m.Text(shipment.ID)
			m.HTML(`</span></a></p>`)
		}
		if shipment.Carrier != "" || shipment.Tracking != "" {
			m.HTML(`<p class="sum"><bdi class="muted">`)
			m.Text(shipment.Carrier)
			m.HTML(`</bdi> `)
			tracking(shipment.Carrier, shipment.Tracking)(m)
			m.HTML(`</p>`)
		}
		m.HTML(`</div>`)
		if isUnpacked {
			e := o.Unpacked(shipment.ID)
			m.HTML(`<p class="body" dir="auto">`)
			m.Text(unpackedBy(p, e))
			m.HTML(`. Its items are back in stock.`)
			if e != nil && e.Why != "" {
				m.HTML(` Reason: <bdi>`)
				m.Text(eventReason(p, e))
				m.HTML(`</bdi>`)
			}
			m.HTML(`</p><details class="unpacked"><summary>Show unpacked items<span class="vh"> of shipment `)
			m.Text(shipment.ID)
			m.HTML(`</span></summary>`)
		}
		if len(shipment.Items) == 0 {
			none("The contents of this shipment are unknown.")(m)
		} else {
			shipmentItemTable("Items of shipment "+shipment.ID, shipment.Items)(m)
		}
		if isUnpacked {
			m.HTML(`</details>`)
		}
	}
}

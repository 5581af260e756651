package exchange

import "stockroom/store"

// completeLines fills in what lines know from their product, and how much of
// each has left.
func (s *shop) completeLines(p *parts) *fault {
	packed := map[string]int{}
	for _, i := range p.packed {
		i.is.Name = either(i.is.Name, s.productName(i.is.ProductID))
		packed[i.is.ProductID] += i.is.Quantity
	}
	for _, l := range p.lines {
		product := s.products[l.is.ProductID]
		if product == nil && !l.says("Price") {
			return faulty(l.found, "It does not say its Price, and its product %s is not in the file.", l.is.ProductID)
		}
		if !l.says("Price") {
			l.is.Price = product.Price
		}
		if product != nil {
			l.is.Name, l.is.SKU = either(l.is.Name, product.Name), either(l.is.SKU, product.SKU)
		}
		if !l.says("Shipped") {
			l.is.Shipped = min(l.is.Quantity, packed[l.is.ProductID])
		}
	}
	return nil
}

// completeStates fills in how far invoices and shipments have come.
func (p *parts) completeStates() {
	for _, i := range p.invoices {
		if i.is.Status == "" {
			i.is.Status = i.is.StatusFromPayments()
		}
	}
	for _, s := range p.shipments {
		if s.is.Status == "" {
			s.is.Status = store.ShipmentSent
		}
	}
}

// derive works out what the order itself does not say: the sums, and how far
// it has come. The customer may be nil.
func (p *parts) derive(customer *store.Customer) {
	head := p.heads[0]
	var total store.Amount
	units, shipped := 0, 0
	for _, l := range p.lines {
		total = total.Plus(l.is.Total())
		units += l.is.Quantity
		shipped += l.is.Shipped
	}
	if !head.says("Total") {
		head.is.Total = total
	}
	if !head.says("ItemCount") {
		head.is.ItemCount = units
	}
	if customer != nil {
		head.is.CustomerName = either(head.is.CustomerName, customer.Name)
	}
	if head.is.PaymentState == "" {
		head.is.PaymentState = p.paymentState()
	}
	if head.is.ShipmentState == "" {
		head.is.ShipmentState = p.shipmentState(units, shipped)
	}
	if head.is.Status == "" {
		head.is.Status = statusOf(head.is)
	}
	for _, l := range p.lines {
		if !l.says("Cancelled") {
			l.is.Cancelled = head.is.Status == store.OrderCancelled
		}
	}
}

func statusOf(o *store.Order) store.OrderStatus {
	switch {
	case o.ShipmentState == store.WhollyShipped:
		return store.OrderShipped
	case o.PaymentState == store.InvoicePaid:
		return store.OrderPaid
	}
	return store.OrderOpen
}

// paymentState sums up the invoices: what all of them are, or that a part is
// paid. Void ones count only where there is no other.
func (p *parts) paymentState() store.InvoiceStatus {
	state := store.InvoiceStatus("")
	for _, i := range p.invoices {
		switch {
		case state == "" || state == store.InvoiceVoid:
			state = i.is.Status
		case i.is.Status != state && i.is.Status != store.InvoiceVoid:
			state = store.InvoicePartial
		}
	}
	return state
}

// shipmentState says how much has left. A shipment that does not say what is
// in it has taken a part, whichever.
func (p *parts) shipmentState(units, shipped int) store.ShipmentState {
	switch {
	case shipped == 0 && len(p.shipments) == 0:
		return store.NothingShipped
	case shipped < units || units == 0:
		return store.PartlyShipped
	}
	return store.WhollyShipped
}

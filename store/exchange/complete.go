package exchange

import (
	"strconv"

	"stockroom/store"
)

// shop is all that a file holds, by what it belongs to, so that each thing
// can be completed by what the others say.
type shop struct {
	others    []*found
	customers map[string]*store.Customer
	products  map[string]*store.Product
	stock     []*store.WarehouseItem
	orders    map[string]*order
	sequence  []*order // in the order of their first row
}

// order is everything of one order.
type order struct {
	all       []*found
	order     *found
	lines     []*store.OrderItem
	invoices  []*found
	shipments []*found
	packed    []*store.ShipmentItem
	payments  []*found
}

func newShop() *shop {
	return &shop{customers: map[string]*store.Customer{}, products: map[string]*store.Product{}, orders: map[string]*order{}}
}

// take puts an entity where it belongs.
func (s *shop) take(f *found) {
	if f.fold != nil {
		o := s.of(f)
		o.payments = append(o.payments, f)
		return
	}
	switch e := f.entity.(type) {
	case *store.Order:
		s.of(f).order = f
	case *store.OrderItem:
		s.of(f).lines = append(s.of(f).lines, e)
	case *store.Invoice:
		s.of(f).invoices = append(s.of(f).invoices, f)
	case *store.Shipment:
		s.of(f).shipments = append(s.of(f).shipments, f)
	case *store.ShipmentItem:
		s.of(f).packed = append(s.of(f).packed, e)
	default:
		s.takeOther(f)
		return
	}
	s.of(f).all = append(s.of(f).all, f)
}

func (s *shop) takeOther(f *found) {
	s.others = append(s.others, f)
	switch e := f.entity.(type) {
	case *store.Customer:
		s.customers[e.ID] = e
	case *store.Product:
		s.products[e.ID] = e
	case *store.WarehouseItem:
		s.stock = append(s.stock, e)
	}
}

// of is the order in whose partition a row lies.
func (s *shop) of(f *found) *order {
	partition := text(f.row.Item, "PK")
	if s.orders[partition] == nil {
		s.orders[partition] = &order{}
		s.sequence = append(s.sequence, s.orders[partition])
	}
	return s.orders[partition]
}

// foldPayments puts payments that were items of their own into their invoice,
// and returns those that have none.
func (s *shop) foldPayments() (astray []*found) {
	for _, o := range s.sequence {
		for _, f := range o.payments {
			invoice := o.invoiceOf(f)
			if invoice == nil {
				astray = append(astray, f)
				continue
			}
			invoice.Payments = append(invoice.Payments, *f.fold)
		}
	}
	return astray
}

// invoiceOf is the invoice that a payment names, or the order's only one.
func (o *order) invoiceOf(payment *found) *store.Invoice {
	named := text(payment.row.Item, "GSI1-PK")
	for _, f := range o.invoices {
		if invoice, ok := f.entity.(*store.Invoice); ok && ("i#"+invoice.ID == named || named == "" && len(o.invoices) == 1) {
			return invoice
		}
	}
	return nil
}

// complete fills in what the rows leave to each other.
func (s *shop) complete() {
	for _, item := range s.stock {
		if p := s.products[item.ProductID]; p != nil && item.Name == "" {
			item.Name = p.Name
		}
	}
	for _, o := range s.sequence {
		for _, line := range o.lines {
			if p := s.products[line.ProductID]; p != nil {
				line.Name, line.SKU = either(line.Name, p.Name), either(line.SKU, p.SKU)
			}
		}
		for _, item := range o.packed {
			if p := s.products[item.ProductID]; p != nil {
				item.Name = either(item.Name, p.Name)
			}
		}
		o.derive(s.customers)
	}
}

func either(said, known string) string {
	if said != "" {
		return said
	}
	return known
}

// derive works out what neither attribute nor key says: how much of each line
// was shipped, the states, the sums.
func (o *order) derive(customers map[string]*store.Customer) {
	state := store.InvoiceStatus("") // of all invoices: paid only if each of them is
	for _, f := range o.invoices {
		invoice, _ := f.entity.(*store.Invoice)
		for i := range invoice.Payments {
			// A payment needs a name of its own, the same each time it is imported.
			invoice.Payments[i].ID = either(invoice.Payments[i].ID, strconv.Itoa(i+1))
		}
		if invoice.Status == "" {
			invoice.Status = invoice.StatusFromPayments()
		}
		if state == "" || state == store.InvoicePaid {
			state = invoice.Status
		}
	}
	for _, f := range o.shipments {
		if shipment, _ := f.entity.(*store.Shipment); shipment.Status == "" {
			shipment.Status = store.ShipmentSent
		}
	}
	units, shipped := o.countShipped()
	if o.order == nil {
		return
	}
	head, _ := o.order.entity.(*store.Order)
	if o.order.row.Item["Total"] == nil {
		for _, line := range o.lines {
			head.Total = head.Total.Plus(line.Total())
		}
	}
	if o.order.row.Item["ItemCount"] == nil {
		head.ItemCount = units
	}
	if c := customers[head.CustomerID]; c != nil {
		head.CustomerName = either(head.CustomerName, c.Name)
	}
	if head.PaymentState == "" {
		head.PaymentState = state
	}
	if head.ShipmentState == "" {
		head.ShipmentState = shipmentState(units, shipped)
	}
	if head.Status == "" {
		head.Status = store.OrderOpen
		if state == store.InvoicePaid {
			head.Status = store.OrderPaid
		}
		if head.ShipmentState == store.WhollyShipped {
			head.Status = store.OrderShipped
		}
	}
}

// countShipped fills in how much of each line has left, and adds up.
func (o *order) countShipped() (units, shipped int) {
	packed := map[string]int{}
	for _, item := range o.packed {
		packed[item.ProductID] += item.Quantity
	}
	for _, line := range o.lines {
		if line.Shipped == 0 {
			line.Shipped = min(line.Quantity, packed[line.ProductID])
		}
		units += line.Quantity
		shipped += line.Shipped
	}
	return units, shipped
}

func shipmentState(units, shipped int) store.ShipmentState {
	switch {
	case shipped == 0:
		return store.NothingShipped
	case shipped < units:
		return store.PartlyShipped
	}
	return store.WhollyShipped
}

// inOrder lists everything: what stands by itself, then order after order.
func (s *shop) inOrder() []*found {
	all := s.others
	for _, o := range s.sequence {
		all = append(all, o.all...)
	}
	return all
}

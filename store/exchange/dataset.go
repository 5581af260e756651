package exchange

import (
	"strings"

	"stockroom/store"
)

// shop is all that a file holds, by what it belongs to, so that each thing
// can be completed by what the others say.
type shop struct {
	others    []*found
	customers map[string]*store.Customer
	products  map[string]*store.Product
	orders    map[string]*parts
	sequence  []*parts // in the order of their first row
}

// parts is everything of one order.
type parts struct {
	partition string
	all       []*found
	heads     []head // one, or the order is refused
	lines     []part[*store.OrderItem]
	invoices  []part[*store.Invoice]
	shipments []part[*store.Shipment]
	packed    []part[*store.ShipmentItem]
	payments  []*found
}

// part is a row and the entity made of it.
type part[E store.Entity] struct {
	*found
	is E
}

// head is the order itself among its parts.
type head struct{ part[*store.Order] }

func (p *parts) id() string { return strings.TrimPrefix(p.partition, "o#") }

func newShop() *shop {
	return &shop{customers: map[string]*store.Customer{}, products: map[string]*store.Product{}, orders: map[string]*parts{}}
}

// another is a shop that knows the same names, and nothing else.
func (s *shop) another() *shop {
	return &shop{customers: s.customers, products: s.products, orders: map[string]*parts{}}
}

// take puts an entity where it belongs.
func (s *shop) take(f *found) {
	if !f.shape.ofOrder() {
		s.others = append(s.others, f)
	}
	switch e := f.entity.(type) {
	case *store.Customer:
		s.customers[e.ID] = e
	case *store.Product:
		s.products[e.ID] = e
	}
	if f.shape.ofOrder() {
		s.takePart(f)
	}
}

func (s *shop) takePart(f *found) {
	p := s.orders[f.partition()]
	if p == nil {
		p = &parts{partition: f.partition()}
		s.orders[p.partition] = p
		s.sequence = append(s.sequence, p)
	}
	p.all = append(p.all, f)
	switch e := f.entity.(type) {
	case *store.Order:
		p.heads = append(p.heads, head{part[*store.Order]{f, e}})
	case *store.OrderItem:
		p.lines = append(p.lines, part[*store.OrderItem]{f, e})
	case *store.Invoice:
		p.invoices = append(p.invoices, part[*store.Invoice]{f, e})
	case *store.Shipment:
		p.shipments = append(p.shipments, part[*store.Shipment]{f, e})
	case *store.ShipmentItem:
		p.packed = append(p.packed, part[*store.ShipmentItem]{f, e})
	default:
		p.payments = append(p.payments, f)
	}
}

// completeOthers fills in what stands by itself.
func (s *shop) completeOthers() []*found {
	for _, f := range s.others {
		if stock, ok := f.entity.(*store.WarehouseItem); ok {
			stock.Name = either(stock.Name, s.productName(stock.ProductID))
		}
	}
	nameSubscriptions(s.others)
	nameStaff(s.others)
	return s.others
}

// productName is what a product of the file is called.
func (s *shop) productName(id string) string {
	if p := s.products[id]; p != nil {
		return p.Name
	}
	return ""
}

func either(said, known string) string {
	if said != "" {
		return said
	}
	return known
}

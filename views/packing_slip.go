package views

import (
	"strconv"
	"strings"

	"stockroom/store"
)

// PackingSlip is the page with the packing slips of an order. They have no prices.
type PackingSlip struct {
	Page
	Order   store.OrderDetails
	Company store.Company
}

// PackingSlips is the page with the packing slips of several orders.
type PackingSlips struct {
	Page
	Orders   []store.OrderDetails
	Company  store.Company
	ListPath string // address of the list of orders that the user came from
}

// ShipmentSlip is the page with the packing slip of one shipment.
type ShipmentSlip struct {
	Page
	Order    store.OrderDetails
	Shipment store.ShipmentDetails
	Company  store.Company
}

// slip is one packing slip: the contents of one box.
type slip struct {
	order    *store.OrderDetails
	shipment *store.ShipmentDetails // nil if the box still has to be packed
	lines    []slipLine
}

// slipLine is a product in a box.
type slipLine struct {
	product, name, sku string
	quantity           int
}

// slipsOf returns the packing slips of an order: one for each packed shipment, and one for
// the items that still have to be packed. If there are none, it returns those of the
// shipments that have left.
func slipsOf(o *store.OrderDetails) []slip {
	var slips, gone []slip
	for i := range o.Shipments {
		s := &o.Shipments[i]
		switch s.Status {
		case store.ShipmentUnpacked:
		case store.ShipmentPacked:
			slips = append(slips, shipmentSlip(o, s))
		default:
			gone = append(gone, shipmentSlip(o, s))
		}
	}
	if open := openSlip(o); len(open.lines) > 0 || len(slips)+len(gone) == 0 {
		slips = append(slips, open)
	}
	if len(slips) == 0 {
		return gone
	}
	return slips
}

func shipmentSlip(o *store.OrderDetails, s *store.ShipmentDetails) slip {
	skus := map[string]string{}
	for i := range o.Items {
		skus[o.Items[i].ProductID] = o.Items[i].SKU
	}
	made := slip{order: o, shipment: s}
	for i := range s.Items {
		item := &s.Items[i]
		made.lines = append(made.lines, slipLine{item.ProductID, nameOr(item.Name, item.ProductID), nameOr(skus[item.ProductID], item.ProductID), item.Quantity})
	}
	return made
}

// openSlip returns the slip of the items that still have to be packed.
func openSlip(o *store.OrderDetails) slip {
	made := slip{order: o}
	for i := range o.Items {
		line := &o.Items[i]
		if open := line.Open(); open > 0 && o.CanShip() {
			made.lines = append(made.lines, slipLine{line.ProductID, nameOr(line.Name, line.ProductID), nameOr(line.SKU, line.ProductID), open})
		}
	}
	return made
}

// address returns the address of the box.
func (s *slip) address() store.Address {
	if s.shipment != nil && s.shipment.Address.IsDeliverable() {
		return s.shipment.Address
	}
	return s.order.ShipTo
}

// contents says how many products and pieces are in the box.
func (s *slip) contents() string {
	sum := 0
	for _, line := range s.lines {
		sum += line.quantity
	}
	text := count(len(s.lines), "product", "products") + ", " + count(sum, "piece", "pieces")
	switch {
	case s.shipment != nil && len(s.lines) == 0:
		return "The contents of this shipment are unknown."
	case len(s.lines) == 0:
		return "Nothing to pack."
	case s.shipment == nil:
		return text + " to pack."
	}
	return text + " in this box."
}

// elsewhere lists the pieces of the order that are in other shipments. It lists none if the
// contents of this shipment are unknown, because the pieces can be in this box.
func (s *slip) elsewhere() string {
	if s.shipment != nil && len(s.lines) == 0 {
		return ""
	}
	return s.others(func(line *store.OrderItem) int {
		if s.shipment == nil {
			return line.Shipped
		}
		return line.Shipped - s.quantity(line.ProductID)
	})
}

// later lists the pieces of the order that are in no shipment yet.
func (s *slip) later() string {
	return s.others(func(line *store.OrderItem) int {
		if s.shipment == nil || !s.order.CanShip() {
			return 0
		}
		return line.Open()
	})
}

func (s *slip) quantity(productID string) (sum int) {
	for _, line := range s.lines {
		if line.product == productID {
			sum += line.quantity
		}
	}
	return sum
}

func (s *slip) others(quantity func(*store.OrderItem) int) string {
	var parts []string
	for i := range s.order.Items {
		line := &s.order.Items[i]
		if n := quantity(line); n > 0 {
			parts = append(parts, strconv.Itoa(n)+" × "+nameOr(line.Name, line.ProductID))
		}
	}
	return strings.Join(parts, ", ")
}

package demo

import (
	"fmt"
	"time"

	"stockroom/store"
)

// carriers lists carriers, each with a service and the pattern of its tracking numbers.
var carriers = []struct{ name, service, number string }{
	{"DHL", "Express", "JD01 #### #### ####"},
	{"PostNord", "Standard", "SE##########"},
	{"DPD", "Standard", "0150 #### #### ##"},
	{"UPS", "Express", "1Z ### ### ## #### ###"},
}

// addShipments adds one or two shipments if the status means that the order was shipped. It
// ships some paid orders partly. It marks the lines of cancelled and returned orders.
func (s *orderHistory) addShipments() {
	o := &s.order
	o.ShipmentState = store.NothingShipped
	all := s.lines
	switch o.Status {
	case store.OrderShipped, store.OrderDelivered, store.OrderReturned:
		if len(all) > 1 && s.chance(14) {
			s.addShipment(all[:1], 0)
			s.addShipment(all[1:], 1)
		} else {
			s.addShipment(all, 0)
		}
		o.ShipmentState = store.FullyShipped
	case store.OrderPaid:
		if len(all) > 1 && s.age > 6*time.Hour && s.chance(30) {
			s.addShipment(all[:1], 0)
			o.ShipmentState = store.PartlyShipped
		}
	case store.OrderCancelled:
		for i := range all {
			all[i].Cancelled = true
		}
	}
	if o.Status == store.OrderReturned {
		for i := range all {
			all[i].Returned = all[i].Quantity
		}
	}
}

// addShipment ships lines from a warehouse that stocks the product of the first line, 3 to
// 30 hours after the order, plus the number of days in the argument delay. The date is never
// in the future, and never before the previous shipment of the order.
func (s *orderHistory) addShipment(lines []store.OrderItem, delay int) {
	o, warehouses := &s.order, s.stock[lines[0].ProductID]
	date := o.Date.Add(time.Duration(s.intBetween(3, 30)+delay*24) * time.Hour)
	if date.After(s.now) {
		date = o.Date.Add(s.age / 2).Truncate(time.Second)
	}
	if n := len(s.shipments); n > 0 && date.Before(s.shipments[n-1].Date) {
		date = s.shipments[n-1].Date
	}
	carrier := pick(s.generator, carriers)
	shipment := store.Shipment{
		ID:          fmt.Sprintf("%s-%s-%d", date.Format("060102"), o.ID, len(s.shipments)+1),
		OrderID:     o.ID,
		CustomerID:  o.CustomerID,
		WarehouseID: warehouses[(delay+len(o.ID))%len(warehouses)],
		Date:        date,
		Type:        carrier.service,
		Status:      store.ShipmentSent,
		Address:     o.ShipTo,
		Carrier:     carrier.name,
		Tracking:    s.digits(carrier.number),
		Version:     1,
	}
	if delay > 0 && len(warehouses) > 1 {
		shipment.WarehouseID = warehouses[(delay+len(o.ID)+1)%len(warehouses)]
	}
	switch {
	case o.Status == store.OrderDelivered:
		shipment.Status = store.ShipmentDelivered
	case o.Status == store.OrderReturned:
		shipment.Status = store.ShipmentReturned
	case s.now.Sub(date) < 8*time.Hour || o.Status == store.OrderPaid:
		shipment.Status = store.ShipmentPacked
	}
	s.shipments = append(s.shipments, shipment)
	for i := range lines {
		lines[i].Shipped = lines[i].Quantity
		s.packed = append(s.packed, store.ShipmentItem{
			ID: fmt.Sprintf("%s-%d", shipment.ID, i+1), OrderID: o.ID, ShipmentID: shipment.ID,
			ProductID: lines[i].ProductID, Name: lines[i].Name, Quantity: lines[i].Quantity, Version: 1,
		})
	}
}

var cards = []string{"Visa", "MasterCard", "AmericanExpress"}

// addInvoice adds the invoice with its payments. Some customers pay after delivery,
// and some pay late.
func (s *orderHistory) addInvoice() {
	o, i := &s.order, &s.invoice
	i.CustomerID, i.Amount, i.Date = o.CustomerID, o.Total, o.Date
	i.DueDate = time.Date(o.Date.Year(), o.Date.Month(), o.Date.Day()+14, 0, 0, 0, 0, time.UTC)
	onAccount := s.chance(5)
	switch {
	case o.Status == store.OrderCancelled:
		i.Credit, i.Status = o.Total, store.InvoiceVoid
	case o.Status == store.OrderOpen && s.chance(20):
		s.addPayment(store.MinorUnits(int64(s.intBetween(1, 5))*100), "GiftCard", "GC-"+s.digits("####"), 0)
		i.Status = i.StatusFromPayments()
	case o.Status == store.OrderOpen,
		onAccount && s.age < 40*day && (o.Status == store.OrderShipped || o.Status == store.OrderDelivered):
		i.Status = store.InvoiceUnpaid
	default:
		s.payInFull()
		i.Status = store.InvoicePaid
	}
	if o.Status == store.OrderReturned {
		s.refundAll()
		i.Credit, i.Status = o.Total, store.InvoiceRefunded
	}
	o.PaymentState = i.Status
}

// payInFull pays the invoice by card or, for some invoices, one part with a gift card and
// the rest by card.
func (s *orderHistory) payInFull() {
	rest := s.order.Total
	if card := store.MinorUnits(int64(s.intBetween(1, 5)) * 1000); s.chance(11) && card.Compare(rest) < 0 {
		s.addPayment(card, "GiftCard", "GC-"+s.digits("####"), 0)
		rest = rest.Minus(card)
	}
	s.addPayment(rest, pick(s.generator, cards), "•••• "+s.digits("####"), time.Duration(s.intBetween(1, 240))*time.Minute)
}

func (s *orderHistory) refundAll() {
	for _, p := range s.invoice.Payments {
		s.addPayment(store.Amount{}.Minus(p.Amount), p.Type, p.Data, 20*day)
		s.invoice.Payments[len(s.invoice.Payments)-1].RefundOf = p.ID
	}
}

func (s *orderHistory) addPayment(amount store.Amount, kind, data string, after time.Duration) {
	date := s.order.Date.Add(after)
	if date.After(s.now) {
		date = s.now
	}
	s.invoice.Payments = append(s.invoice.Payments, store.Payment{
		ID: fmt.Sprint(len(s.invoice.Payments) + 1), Type: kind, Amount: amount, Date: date, Data: data,
	})
}

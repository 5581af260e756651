package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Badges by status.
var (
	orderBadges = map[store.OrderStatus]ui.Badge{
		store.OrderOpen:      {Word: "Open", Tone: ui.Neutral},
		store.OrderPaid:      {Word: "To ship", Tone: ui.Neutral},
		store.OrderShipped:   {Word: "Packed or shipped", Tone: ui.Moving}, // lists do not know whether its shipments have left
		store.OrderDelivered: {Word: "Delivered", Tone: ui.Good},
		store.OrderCancelled: {Word: "Cancelled", Tone: ui.Ended},
		store.OrderReturned:  {Word: "Returned", Tone: ui.Ended},
	}

	invoiceBadges = map[store.InvoiceStatus]ui.Badge{
		store.InvoiceUnpaid:   {Word: "Unpaid", Tone: ui.Neutral},
		store.InvoicePartial:  {Word: "Partly paid", Tone: ui.Moving},
		store.InvoicePaid:     {Word: "Paid", Tone: ui.Good},
		store.InvoiceRefunded: {Word: "Refunded", Tone: ui.Ended},
		store.InvoiceVoid:     {Word: "Void", Tone: ui.Ended},
		store.InvoiceOverdue:  {Word: "Overdue", Tone: ui.Wrong},
		store.InvoiceDue:      {Word: "Balance due", Tone: ui.Neutral},
		store.InvoiceToRefund: {Word: "To refund", Tone: ui.Moving},
	}

	shipmentBadges = map[store.ShipmentStatus]ui.Badge{
		store.ShipmentPacked:    {Word: "Packed", Tone: ui.Neutral},
		store.ShipmentSent:      {Word: "Shipped", Tone: ui.Moving},
		store.ShipmentDelivered: {Word: "Delivered", Tone: ui.Good},
		store.ShipmentReturned:  {Word: "Returned", Tone: ui.Ended},
		store.ShipmentUnpacked:  {Word: "Unpacked", Tone: ui.Ended},
	}

	shippedBadges = map[store.ShipmentState]ui.Badge{
		store.NothingShipped: {Word: "Not packed", Tone: ui.Neutral},
		store.PartlyShipped:  {Word: "Partly packed", Tone: ui.Moving},
		store.FullyShipped:   {Word: "All packed", Tone: ui.Good},
	}

	// handedOverBadges are for orders whose shipments have all left their warehouses.
	handedOverBadges = map[store.ShipmentState]ui.Badge{
		store.NothingShipped: {Word: "Not shipped", Tone: ui.Neutral},
		store.PartlyShipped:  {Word: "Partly shipped", Tone: ui.Moving},
		store.FullyShipped:   {Word: "Shipped", Tone: ui.Good},
	}

	orderStockBadges = map[store.OrderStock]ui.Badge{
		store.StockReady:  {Word: "Ready", Tone: ui.Good},
		store.StockPartly: {Word: "Partly", Tone: ui.Waiting},
		store.StockNone:   {Word: "Not in stock", Tone: ui.Wrong},
	}

	kayakBadges = map[store.KayakStatus]ui.Badge{
		store.KayakIn:      {Word: "Available", Tone: ui.Good},
		store.KayakOut:     {Word: "Rented out", Tone: ui.Moving},
		store.KayakRepair:  {Word: "In repair", Tone: ui.Waiting},
		store.KayakRetired: {Word: "Retired", Tone: ui.Ended},
	}
)

func orderBadge(s store.OrderStatus) ui.Badge { return badge(orderBadges, s) }

// The next functions return the name of a status as pages show it. Except for
// EmailStatusText, they return "" for the status "".

// OrderStatusText returns the name of the status of an order.
func OrderStatusText(s store.OrderStatus) string { return statusText(orderBadges, s) }

// InvoiceStatusText returns the name of the status of an invoice.
func InvoiceStatusText(s store.InvoiceStatus) string { return statusText(invoiceBadges, s) }

// ShipmentStatusText returns the name of the status of a shipment.
func ShipmentStatusText(s store.ShipmentStatus) string { return statusText(shipmentBadges, s) }

// ShipmentStateText says how much of an order is packed or shipped.
func ShipmentStateText(s store.ShipmentState) string { return statusText(shippedBadges, s) }

// OrderStockText says how much of an order is in stock.
func OrderStockText(s store.OrderStock) string { return statusText(orderStockBadges, s) }

// KayakStatusText returns the name of the status of a kayak.
func KayakStatusText(s store.KayakStatus) string { return statusText(kayakBadges, s) }

// EmailStatusText returns the name of the status of an email.
func EmailStatusText(s store.EmailStatus) string { return emailBadge(s).Word }

// BookingStatusText returns the name of the status of a booking.
func BookingStatusText(s store.BookingStatus) string { return statusText(bookingBadges, s) }

// SubscriptionStatusText returns the name of the status of a subscription.
func SubscriptionStatusText(s store.SubscriptionStatus) string {
	if s == "" {
		return ""
	}
	return subscriptionBadge(s).Word
}

// CreditReasonText returns the name of the reason of a credit note.
func CreditReasonText(r store.CreditReason) string { return nameOr(creditReasons[r], string(r)) }

// PaymentTypeText returns the name of the type of a payment, such as Gift card.
func PaymentTypeText(kind string) string { return kindName(kind) }

// RentalPaymentText returns the name of the kind of a rental payment.
func RentalPaymentText(kind store.RentalPaymentKind) string { return rentalPaymentName(kind) }

func statusText[S ~string](known map[S]ui.Badge, s S) string {
	if s == "" {
		return ""
	}
	return badge(known, s).Word
}

func invoiceStatusBadge(s store.InvoiceStatus) ui.Badge { return badge(invoiceBadges, s) }

func shipmentBadge(s store.ShipmentStatus) ui.Badge { return badge(shipmentBadges, s) }

func shippedBadge(s store.ShipmentState) ui.Badge { return badge(shippedBadges, s) }

func orderStockBadge(s store.OrderStock) ui.Badge { return badge(orderStockBadges, s) }

func kayakBadge(s store.KayakStatus) ui.Badge { return badge(kayakBadges, s) }

func stockBadge(i store.WarehouseItem) ui.Badge {
	switch {
	case i.Version == 0:
		return ui.Badge{Word: "Never in stock", Tone: ui.Neutral}
	case i.Quantity <= 0:
		return ui.Badge{Word: "Out of stock", Tone: ui.Wrong}
	case i.IsLow():
		return ui.Badge{Word: "Low", Tone: ui.Waiting}
	}
	return ui.Badge{Word: "In stock", Tone: ui.Good}
}

// lateBadge returns the badge of an overdue kayak, delivery or transfer, such as "3 days
// late". It returns false if nothing is overdue.
func lateBadge(p *Page, due time.Time) (b ui.Badge, late bool) {
	days := store.LateDays(due, p.Now, p.zone())
	return ui.Badge{Word: count(days, "day late", "days late"), Tone: ui.Wrong}, days > 0
}

// badge returns the badge of a status. An unknown status, for example from an import, is
// shown as it is stored.
func badge[S ~string](known map[S]ui.Badge, status S) ui.Badge {
	if b, found := known[status]; found {
		return b
	}
	return unknownBadge(string(status))
}

// unknownBadge returns a badge that shows a status as it is stored.
func unknownBadge(state string) ui.Badge {
	if state == "" {
		state = "–"
	}
	return ui.Badge{Word: state, Tone: ui.Neutral}
}

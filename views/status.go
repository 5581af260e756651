package views

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/views/ui"
)

func orderBadge(s store.OrderStatus) ui.Badge {
	switch s {
	case store.OrderOpen:
		return ui.Badge{Word: "Open", Tone: ui.Waiting}
	case store.OrderPaid:
		return ui.Badge{Word: "Paid", Tone: ui.Good}
	case store.OrderShipped:
		return ui.Badge{Word: "Shipped", Tone: ui.Moving}
	case store.OrderDelivered:
		return ui.Badge{Word: "Delivered", Tone: ui.Neutral}
	case store.OrderCancelled:
		return ui.Badge{Word: "Cancelled", Tone: ui.Wrong}
	case store.OrderReturned:
		return ui.Badge{Word: "Returned", Tone: ui.Wrong}
	}
	return unknownBadge(string(s))
}

func invoiceBadge(s store.InvoiceStatus) ui.Badge {
	switch s {
	case store.InvoiceUnpaid:
		return ui.Badge{Word: "Unpaid", Tone: ui.Waiting}
	case store.InvoicePartial:
		return ui.Badge{Word: "Part paid", Tone: ui.Waiting}
	case store.InvoicePaid:
		return ui.Badge{Word: "Paid", Tone: ui.Good}
	case store.InvoiceRefunded:
		return ui.Badge{Word: "Refunded", Tone: ui.Neutral}
	case store.InvoiceVoid:
		return ui.Badge{Word: "Void", Tone: ui.Neutral}
	}
	return unknownBadge(string(s))
}

func shipmentBadge(s store.ShipmentStatus) ui.Badge {
	switch s {
	case store.ShipmentPacked:
		return ui.Badge{Word: "Packed", Tone: ui.Waiting}
	case store.ShipmentSent:
		return ui.Badge{Word: "Sent", Tone: ui.Moving}
	case store.ShipmentDelivered:
		return ui.Badge{Word: "Delivered", Tone: ui.Good}
	case store.ShipmentReturned:
		return ui.Badge{Word: "Returned", Tone: ui.Wrong}
	}
	return unknownBadge(string(s))
}

// shippedBadge says how much of an order has left.
func shippedBadge(s store.ShipmentState) ui.Badge {
	switch s {
	case store.NothingShipped:
		return ui.Badge{Word: "Not sent", Tone: ui.Neutral}
	case store.PartlyShipped:
		return ui.Badge{Word: "Part sent", Tone: ui.Waiting}
	case store.WhollyShipped:
		return ui.Badge{Word: "Sent", Tone: ui.Good}
	}
	return unknownBadge(string(s))
}

func stockBadge(i store.WarehouseItem) ui.Badge {
	switch {
	case i.Quantity <= 0:
		return ui.Badge{Word: "Out of stock", Tone: ui.Wrong}
	case i.Low():
		return ui.Badge{Word: "Low", Tone: ui.Waiting}
	}
	return ui.Badge{Word: "In stock", Tone: ui.Good}
}

func kayakBadge(s store.KayakStatus) ui.Badge {
	switch s {
	case store.KayakIn:
		return ui.Badge{Word: "In", Tone: ui.Good}
	case store.KayakOut:
		return ui.Badge{Word: "Out", Tone: ui.Moving}
	case store.KayakRepair:
		return ui.Badge{Word: "Repair", Tone: ui.Waiting}
	case store.KayakRetired:
		return ui.Badge{Word: "Retired", Tone: ui.Neutral}
	}
	return unknownBadge(string(s))
}

// lateBadge says how many days something is late that was due on a day.
func (p *Page) lateBadge(due time.Time) (b ui.Badge, late bool) {
	days := store.LateDays(due, p.Now, p.zone())
	return ui.Badge{Word: count(days, "day late", "days late"), Tone: ui.Wrong}, days > 0
}

// unknownBadge shows a state that imported data brought along as it stands.
func unknownBadge(state string) ui.Badge {
	if state == "" {
		state = "–"
	}
	return ui.Badge{Word: state, Tone: ui.Neutral}
}

// sentence begins a word of the table, such as GIFT_CARD, as people write it.
func sentence(word string) string {
	word = strings.ReplaceAll(word, "_", " ")
	_, first := utf8.DecodeRuneInString(word)
	if strings.ToUpper(word) != word {
		return word
	}
	return word[:first] + strings.ToLower(word[first:])
}

// capital begins a sentence.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

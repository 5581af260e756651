package views

import (
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// moment is an entry of a timeline before its time is written.
type moment struct {
	ui.Moment
	at time.Time
}

// orderMoments tell an order's story from what lies in its partition, the
// last first.
func orderMoments(p *Page, o store.OrderDetails) []ui.Moment {
	moments := []moment{{ui.Moment{Icon: ui.IconOrders, What: "Order placed", About: p.money(o.Total)}, o.Date}}
	for i := range o.Invoices {
		invoice := &o.Invoices[i]
		moments = append(moments, moment{ui.Moment{
			Icon: ui.IconInvoices, What: "Invoice " + invoice.ID, About: p.money(invoice.Amount),
		}, invoice.Date})
		for _, payment := range invoice.Payments {
			moments = append(moments, moment{paymentMoment(p, payment), payment.Date})
		}
	}
	for i := range o.Shipments {
		parcel := &o.Shipments[i]
		moments = append(moments, moment{ui.Moment{
			Icon: ui.IconShipments, What: "Shipment " + parcel.ID + " packed",
			About: joined(", ", "From warehouse "+parcel.WarehouseID, parcel.Carrier, parcel.Tracking),
		}, parcel.Date})
	}
	for _, e := range o.Events {
		moments = append(moments, moment{eventMoment(e), e.When})
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return b.at.Compare(a.at) })
	told := make([]ui.Moment, len(moments))
	for i, m := range moments {
		told[i] = m.Moment
		if !m.at.IsZero() {
			told[i].When, told[i].At = p.time(m.at), machine(m.at)
		}
	}
	return told
}

// moments tell what happened with a person. What is not known here by its
// kind is told as it stands.
func (p *Page) moments(told []store.TimelineEntry) []ui.Moment {
	moments := make([]ui.Moment, len(told))
	for i, m := range told {
		moments[i] = p.moment(m)
		if !m.When.IsZero() {
			moments[i].When, moments[i].At = p.time(m.When), machine(m.When)
		}
	}
	return moments
}

func (p *Page) moment(m store.TimelineEntry) ui.Moment {
	switch m.Kind {
	case "order":
		return ui.Moment{
			Icon: ui.IconOrders, What: "Order " + m.ID, URL: OrderPath(m.ID),
			About: joined(", ", p.money(m.Amount), orderBadge(store.OrderStatus(m.What)).Word),
		}
	case "invoice":
		return ui.Moment{
			Icon: ui.IconInvoices, What: "Invoice " + m.ID, URL: InvoicePath(m.ID),
			About: joined(", ", p.money(m.Amount), invoiceBadge(store.InvoiceStatus(m.What)).Word),
		}
	case "receipt":
		return ui.Moment{Icon: ui.IconPayment, What: "Subscription to " + m.About + " paid", About: p.money(m.Amount)}
	case "rentalRelationship":
		what, charge := "Rented "+named(m.About, m.ID), p.money(m.Amount)
		if m.What == "out" {
			what, charge = "Has "+named(m.About, m.ID), ""
		}
		return ui.Moment{Icon: ui.IconKayaks, What: what, URL: KayakPath(m.ID), About: joined(", ", m.By, charge)}
	}
	return ui.Moment{Icon: ui.IconEvent, What: capital(m.What), About: joined(", ", store.MaskCardNumbers(m.About), "by "+named(m.By, "nobody known"))}
}

func paymentMoment(p *Page, payment store.Payment) ui.Moment {
	what := "Payment"
	if payment.Amount.Sign() < 0 {
		what = "Refund"
	}
	return ui.Moment{
		Icon: ui.IconPayment, What: what + " of " + p.money(payment.Amount),
		About: joined(", ", kindName(payment.Type), store.MaskCardNumbers(payment.Data)),
	}
}

// events tell what was done to a thing, in the order of the list.
func (p *Page) events(events []store.Event) []ui.Moment {
	told := make([]ui.Moment, len(events))
	for i, e := range events {
		told[i] = eventMoment(e)
		told[i].When, told[i].At = p.time(e.When), machine(e.When)
	}
	return told
}

func eventMoment(e store.Event) ui.Moment {
	change := ""
	if e.Before != "" || e.After != "" {
		change = "from " + named(e.Before, "nothing") + " to " + named(e.After, "nothing")
	}
	return ui.Moment{
		Icon: ui.IconEvent, What: capital(e.What),
		About: joined(", ", change, store.MaskCardNumbers(e.Why), "by "+named(e.By, "nobody known")),
	}
}

// joined puts together what there is.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), separator)
}

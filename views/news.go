package views

import (
	"net/url"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// DismissNewsPath is the path of the form that dismisses the news on Today.
// NewestNewsParam is the form's parameter.
const (
	DismissNewsPath = "/today/dismiss"
	NewestNewsParam = "newest"
)

// newsLinks is the maximum number of records that a group of news links to.
const newsLinks = 5

type newsGroup struct {
	text  string
	list  string // address of the list of all records of the group; "" for none
	links []newsLink
	more  int // number of further records, which have no link
}

type newsLink struct{ url, text, note string }

// newsGroups groups the news by kind, notes first.
func (p *Today) newsGroups(n *store.News) []newsGroup {
	var groups []newsGroup
	for _, kind := range []struct {
		what      store.EventCode
		one, many string
		list      string
		link      func(*store.Event) newsLink
	}{
		{store.EventNote, "note for your role", "notes for your role", "", p.noteLink},
		{store.EventOrderPlaced, "order placed", "orders placed", "/orders?from=" + url.QueryEscape(in(n.Since, p.zone()).Format(key.Day)), p.recordLink},
		{store.EventOrderReturned, "return", "returns", "", p.recordLink},
		{store.EventStockCounted, "count that differed from the stock", "counts that differed from the stock", "", p.countLink},
		{store.EventKayakCheckedIn, "kayak checked in", "kayaks checked in", "", p.recordLink},
		{store.EventBookingAdded, "kayak booked", "kayaks booked", "", p.bookingLink},
		{store.EventBookingCancelled, "booking cancelled", "bookings cancelled", "", p.bookingLink},
		{store.EventBookingNoShow, "no-show", "no-shows", "", p.bookingLink},
	} {
		found, g := 0, newsGroup{list: kind.list}
		for i := range n.Events {
			if e := &n.Events[i]; e.What == kind.what {
				if found++; found <= newsLinks {
					g.links = append(g.links, kind.link(e))
				}
			}
		}
		if found > 0 {
			g.text, g.more = count(found, kind.one, kind.many), found-len(g.links)
			groups = append(groups, g)
		}
	}
	return groups
}

func (p *Today) recordLink(e *store.Event) newsLink {
	return newsLink{RecordPath(p.User, e.Partition), RecordName(e.Partition), ""}
}

func (p *Today) noteLink(e *store.Event) newsLink {
	return newsLink{RecordPath(p.User, e.Partition), RecordName(e.Partition), nameOr(e.By, "unknown user") + ", " + p.time(e.When) + ": " + store.MaskCardNumbers(e.Why)}
}

// countLink returns a link to the stock that was counted. The fields Before and After of
// the event contain the warehouse and a quantity, such as w1: 5.
func (p *Today) countLink(e *store.Event) newsLink {
	l := p.recordLink(e)
	warehouse, before, _ := strings.Cut(e.Before, ": ")
	_, after, found := strings.Cut(e.After, ": ")
	if kind, id, known := recordOf(e.Partition); found && known {
		l = newsLink{StockPath(id, warehouse), kind.name + " " + id, "warehouse " + warehouse + ", " + before + " → " + after}
	}
	return l
}

// bookingLink returns a link to a booking. For a new booking, the link shows the field
// After of the event, which describes the booking.
func (p *Today) bookingLink(e *store.Event) newsLink {
	l := p.recordLink(e)
	if e.What == store.EventBookingAdded {
		l.text = e.After
	} else {
		l.note = store.MaskCardNumbers(e.Why)
	}
	return l
}

func (p *Today) lastVisit(n *store.News) string { return in(n.Last, p.Zone).Format("Mon 2 Jan, 15:04") }

// historySince returns the address of the history since the last visit. It contains a UTC
// day, because the history is filtered by UTC days.
func (p *Today) historySince(n *store.News) string {
	return "/admin/events?from=" + url.QueryEscape(n.Since.UTC().Format(key.Day))
}

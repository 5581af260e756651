package views

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/views/ui"
)

// Timeline lists the orders, payments, rentals and other events of a customer,
// newest first.
type Timeline struct {
	Page
	List
	Customer store.Customer
	Rows     []store.TimelineEntry
}

// datedEntry is a timeline entry with its time, by which entries are sorted.
type datedEntry struct {
	ui.TimelineEntry
	at time.Time
}

// orderTimeline returns the timeline of an order, newest first.
func orderTimeline(p *Page, o store.OrderDetails) []ui.TimelineEntry {
	size := 1 + len(o.Invoices) + len(o.CreditNotes) + len(o.Shipments) + len(o.Events)
	for i := range o.Invoices {
		size += len(o.Invoices[i].Payments)
	}
	entries := append(make([]datedEntry, 0, size), datedEntry{ui.TimelineEntry{Icon: ui.IconOrders, What: "Order placed", About: placedTotal(p, o)}, o.Date})
	recorded, packed := paymentEventsOf(&o), packingEventsOf(&o)
	for i := range o.Invoices {
		invoice := &o.Invoices[i]
		entries = append(entries, datedEntry{ui.TimelineEntry{
			Icon: ui.IconInvoices, What: "Invoice " + invoice.NumberText(), About: p.money(invoice.Amount),
		}, invoice.Date})
		for _, payment := range invoice.Payments {
			entries = append(entries, datedEntry{paymentEntry(p, invoice, payment, recorded[payment.ID]), payment.Date})
		}
	}
	for i := range o.CreditNotes {
		n := &o.CreditNotes[i]
		entries = append(entries, datedEntry{ui.TimelineEntry{
			Icon: ui.IconInvoices, What: "Credit note " + n.NumberText() + " for invoice " + n.InvoiceText(), About: p.money(n.Amount),
		}, n.Date})
	}
	for i := range o.Shipments {
		shipment := &o.Shipments[i]
		entry := ui.TimelineEntry{
			Icon: ui.IconShipments, What: "Shipment " + shipment.ID + " packed",
			About: joinNonEmpty(", ", "From "+warehouseLabel(p, shipment.WarehouseID), shipment.Carrier, shipment.Tracking),
		}
		if e := packed[shipment.ID]; e != nil {
			entry.About = withAuthor(joinNonEmpty(", ", ui.Isolate(entry.About), ui.Isolate(eventReason(p, e))), e.By)
		}
		if packed[shipment.ID] != nil || shipment.CanUnpack() { // nothing says how an imported shipment was packed
			entry.Undo = undoPacking(p, &o, shipment)
		}
		entries = append(entries, datedEntry{entry, shipment.Date})
	}
	later := overwritten(o.Events)
	for _, e := range o.Events {
		entry := datedEntry{eventEntry(p, &e, later[e.ID]), e.When}
		if e.What == store.EventOrderPlaced { // imported orders have no such event
			entries[0].at, entries[0].About = entry.at, withAuthor(ui.Isolate(entries[0].About), e.By)
			continue
		}
		if recorded.has(&e) || e.What == store.EventOrderShipped && packed[e.Subject] != nil {
			continue
		}
		entries = append(entries, entry)
	}
	return newestFirst(p, entries)
}

// undoPacking says whether and how the user can put the items of a shipment back into
// stock.
func undoPacking(p *Page, o *store.OrderDetails, s *store.ShipmentDetails) ui.Undo {
	switch s.Status {
	case store.ShipmentPacked:
		if err := o.CheckUnpack(s); err != nil {
			return ui.Undo{Why: err.Error()}
		}
		if p.User.May(store.Ship) {
			return ui.Undo{URL: ShipmentPath(s.ID) + "/unpack", Verb: "Unpack", What: "shipment " + s.ID}
		}
		return ui.Undo{How: "A manager can unpack the shipment."}
	case store.ShipmentUnpacked:
		return ui.Undo{Undone: unpackedBy(p, o.Unpacked(s.ID))}
	case store.ShipmentSent, store.ShipmentDelivered:
		return ui.Undo{Why: "The shipment has left the warehouse. Record a return of its items instead."}
	}
	return ui.Undo{}
}

// unpackedBy says who unpacked a shipment and when. e is the event of the unpacking, or nil
// if it is unknown.
func unpackedBy(p *Page, e *store.Event) string {
	if e == nil {
		return "Unpacked"
	}
	return "Unpacked by " + nameOr(e.By, "unknown user") + " on " + p.time(e.When)
}

// packedText says how much of an order is packed after a change. Pass the new
// store.ShipmentState.
func packedText(after string) string {
	switch store.ShipmentState(after) {
	case store.NothingShipped:
		return "No items of the order are packed now."
	case store.PartlyShipped:
		return "Some items of the order are packed or shipped now."
	case store.FullyShipped:
		return "All items of the order are packed or shipped now."
	}
	return ""
}

// packingEventsOf returns the events that recorded the packing of the shipments in o, by
// shipment ID. Managers do not see shipments from other warehouses, but see their events.
func packingEventsOf(o *store.OrderDetails) map[string]*store.Event {
	found := map[string]*store.Event{}
	for i := range o.Events {
		e := &o.Events[i]
		if e.What == store.EventOrderShipped && slices.ContainsFunc(o.Shipments, func(s store.ShipmentDetails) bool { return s.ID == e.Subject }) {
			found[e.Subject] = e
		}
	}
	return found
}

// newestFirst sorts entries and formats their times.
func newestFirst(p *Page, entries []datedEntry) []ui.TimelineEntry {
	slices.SortStableFunc(entries, func(a, b datedEntry) int { return b.at.Compare(a.at) })
	sorted := make([]ui.TimelineEntry, len(entries))
	for i, e := range entries {
		sorted[i] = e.TimelineEntry
		if !e.at.IsZero() {
			sorted[i].When, sorted[i].At = p.time(e.at), machine(e.at)
		}
	}
	return sorted
}

// timelineEntries returns the timeline of a customer. For an entry of an unknown kind, it
// shows the stored text.
func timelineEntries(p *Page, found []store.TimelineEntry) []ui.TimelineEntry {
	entries := make([]ui.TimelineEntry, len(found))
	var events []*store.Event
	for i := range found {
		if e := found[i].Event(); e != nil {
			events = append(events, e)
		}
	}
	later := store.Overwritten(events)
	for i, m := range found {
		entries[i] = timelineEntry(p, m, later)
		if !m.When.IsZero() {
			entries[i].When, entries[i].At = p.time(m.When), machine(m.When)
		}
		if m.Kind == "receipt" { // the time of a receipt is midnight on its due day
			entries[i].When, entries[i].At = p.calendar(m.When), m.When.Format(time.DateOnly)
		}
	}
	return entries
}

// hasPayments reports whether one of the entries is about an invoice with payments.
func hasPayments(entries []store.TimelineEntry) bool {
	return slices.ContainsFunc(entries, func(m store.TimelineEntry) bool {
		return m.Invoice() != nil && len(m.Invoice().Payments) > 0
	})
}

// maxEntryPayments is the maximum number of payments that an entry about an invoice lists.
const maxEntryPayments = 5

// invoiceText returns the text of an entry about an invoice: its amount, its status and its
// last payments, each on a line of its own. The payments are part of this entry and have no
// entries of their own: invoices are listed by their dates, so a page of the timeline cannot
// contain the later payments of all earlier invoices.
func invoiceText(p *Page, m *store.TimelineEntry) string {
	invoice := m.Invoice()
	lines := []string{joinNonEmpty(", ", p.money(m.Amount), invoiceBadge(p, invoice).Word)}
	payments := invoice.Payments
	if earlier := len(payments) - maxEntryPayments; earlier > 0 {
		payments = payments[earlier:]
		lines = append(lines, count(earlier, "earlier payment", "earlier payments"))
	}
	for i := range payments {
		paid := &payments[i]
		lines = append(lines, joinNonEmpty(", ", paymentText(p, paid), kindName(paid.Type), p.calendar(paid.Day(p.zone()))))
	}
	return ui.Isolate(strings.Join(lines, "\n"))
}

func timelineEntry(p *Page, m store.TimelineEntry, later map[string]*store.Event) ui.TimelineEntry {
	switch m.Kind {
	case "order":
		return ui.TimelineEntry{
			Icon: ui.IconOrders, What: "Order " + m.ID, URL: OrderPath(m.ID),
			About: joinNonEmpty(", ", p.money(m.Amount), orderBadge(store.OrderStatus(m.What)).Word),
		}
	case "invoice":
		return ui.TimelineEntry{
			Icon: ui.IconInvoices, What: "Invoice " + nameOr(m.Number, m.ID), URL: InvoicePath(m.ID),
			About: invoiceText(p, &m),
		}
	case "creditNote":
		entry := ui.TimelineEntry{
			Icon: ui.IconInvoices, What: "Credit note " + nameOr(m.Number, m.ID), URL: CreditNotePath(m.ID),
			About: joinNonEmpty(", ", p.money(m.Amount), nameOr(creditReasons[store.CreditReason(m.What)], m.What)),
		}
		if store.CreditReason(m.What) == store.CreditReturned {
			entry.Icon, entry.What, entry.About = ui.IconReturn, "Items of order "+m.About+" returned", entry.What+", "+p.money(m.Amount)
		}
		return entry
	case "receipt":
		return ui.TimelineEntry{Icon: ui.IconPayment, What: "Subscription to " + m.About + " paid", About: p.money(m.Amount)}
	case "rentalPayment":
		kind, method, _ := strings.Cut(m.What, " ")
		return ui.TimelineEntry{
			Icon: ui.IconPayment, What: rentalPaymentText(p, store.RentalPaymentKind(kind), m.Amount),
			About: joinNonEmpty(", ", PayMethodName(store.PayMethod(method)), m.By, store.MaskCardNumbers(m.About)),
		}
	case "rentalRelationship":
		what, charge := "Rented "+nameOr(m.About, m.ID), p.money(m.Amount)
		if m.What == "out" {
			what, charge = "Currently renting "+nameOr(m.About, m.ID), ""
		}
		return ui.TimelineEntry{Icon: ui.IconKayaks, What: what, URL: KayakPath(m.ID), About: joinNonEmpty(", ", m.By, charge)}
	}
	entry, about := ui.TimelineEntry{Icon: ui.IconEvent, What: capital(m.What)}, store.MaskCardNumbers(m.About)
	if e := m.Event(); e != nil {
		about, entry.Undo, entry.URL = eventReason(p, e), eventUndo(p, e, later[e.ID]), emailOf(p, e)
	}
	entry.About = withAuthor(ui.Isolate(about), m.By)
	return entry
}

// emailOf returns the path of the email that an event belongs to, or "".
func emailOf(p *Page, e *store.Event) string {
	if id := e.EmailID(p.Now); id != "" {
		return EmailPath(id)
	}
	return ""
}

// paymentEvents maps the ID of a payment to the event that recorded the payment.
type paymentEvents map[string]*store.Event

// paymentEventsOf finds the events that recorded the payments and refunds of an order. An
// event contains the invoice and a sum, but no ID of a payment. The sum can be that of two
// payments: one by gift card or discount code, and one of the rest.
func paymentEventsOf(o *store.OrderDetails) paymentEvents {
	found := paymentEvents{}
	for i := range o.Events {
		e := &o.Events[i]
		if e.What != store.EventPaymentRecorded && e.What != store.EventPaymentRefunded && e.What != store.EventPaymentReversed {
			continue
		}
		for _, invoice := range o.Invoices {
			text, named := strings.CutPrefix(e.Subject, invoice.ID+": ")
			if sum, err := store.ParseAmount(text); named && err == nil {
				found.add(e, invoice.Payments, sum)
			}
		}
	}
	return found
}

// add finds the payments that an event recorded: one payment, or two consecutive payments,
// with this sum. If there are several, it takes those whose time is nearest to that of the
// event. The event of a busy server can be up to 30 seconds later than the payments.
func (p paymentEvents) add(e *store.Event, payments []store.Payment, sum store.Amount) {
	var recorded []store.Payment
	nearest := 30 * time.Second
	for first := range payments {
		var total store.Amount
		for n, payment := range payments[first:min(first+2, len(payments))] {
			if payment.ID == "" || p[payment.ID] != nil {
				break
			}
			total = total.Plus(payment.Amount)
			if distance := e.When.Sub(payment.Date); total.Compare(sum) == 0 && distance > -time.Second && distance <= nearest {
				recorded, nearest = payments[first:first+n+1], distance
			}
		}
	}
	for _, payment := range recorded {
		p[payment.ID] = e
	}
}

// has reports whether an event recorded one of the payments.
func (p paymentEvents) has(e *store.Event) bool {
	for _, recorded := range p {
		if recorded.ID == e.ID {
			return true
		}
	}
	return false
}

// paymentText says whether a payment is a payment, a refund or a reversal, and its amount.
func paymentText(p *Page, payment *store.Payment) string {
	switch {
	case payment.ReversalOf != "":
		return "Reversed payment of " + p.money(store.Amount{}.Minus(payment.Amount))
	case payment.Amount.Sign() < 0:
		return "Refund of " + p.money(store.Amount{}.Minus(payment.Amount))
	}
	return "Payment of " + p.money(payment.Amount)
}

// paymentEntry returns the entry of a payment. Its last argument is the event that
// recorded the payment, or nil if the payment was imported.
func paymentEntry(p *Page, invoice *store.Invoice, payment store.Payment, recorded *store.Event) ui.TimelineEntry {
	entry := ui.TimelineEntry{
		Icon: ui.IconPayment, What: paymentText(p, &payment),
		About: joinNonEmpty(", ", kindName(payment.Type), payment.Reference()),
	}
	if !payment.Received.IsZero() {
		entry.About = joinNonEmpty(", ", entry.About, "received on "+p.calendar(payment.Received))
	}
	if recorded != nil {
		entry.About = withAuthor(joinNonEmpty(", ", ui.Isolate(entry.About), ui.Isolate(store.MaskCardNumbers(recorded.Why))), recorded.By)
		entry.Undo = eventUndo(p, recorded, nil)
	}
	if r := store.ReversalOf(invoice.Payments, payment.ID); r != nil {
		entry.Undo = ui.Undo{Undone: reversedBy(p, r)}
	}
	return entry
}

// eventEntries returns the events as timeline entries, in the same order.
func eventEntries(p *Page, events []store.Event) []ui.TimelineEntry {
	return eventEntriesWith(p, events, overwritten(events))
}

// eventEntriesWith is like eventEntries. Its last argument contains, by the ID of an event,
// the later event that prevents its undo; see overwritten.
func eventEntriesWith(p *Page, events []store.Event, later map[string]*store.Event) []ui.TimelineEntry {
	shown := make([]ui.TimelineEntry, len(events))
	for i := range events {
		e := &events[i]
		shown[i] = eventEntry(p, e, later[e.ID])
		shown[i].When, shown[i].At = p.time(e.When), machine(e.When)
	}
	return shown
}

func eventEntry(p *Page, e, later *store.Event) ui.TimelineEntry {
	change, reason := "", ui.Isolate(eventReason(p, e))
	switch before, after := eventTexts(p, e); {
	case e.What == store.EventOrderShipped, e.What == store.EventShipmentUnpacked:
		if e.Before != e.After {
			change = packedText(e.After)
		}
		if reason != "" {
			change, reason = joinNonEmpty(" ", change, "Reason: "+reason), ""
		}
	case e.What == store.EventOrderReturned:
		change = joinNonEmpty(" ", "returned so far:", after)
	case before == "" && (e.What == store.EventBookingAdded || e.What == store.EventRentalPaid):
		change = ui.Isolate(after)
	case e.What == store.EventBookingMoved && before != after:
		change = movedBooking(before, after)
	case before != after:
		change = changeText(before, after)
	}
	if before, after, ok := e.EditedTotals(); ok {
		change = joinNonEmpty(", ", "total from "+p.money(before)+" to "+p.money(after), editedLines(e))
	}
	return ui.TimelineEntry{
		Icon: ui.IconEvent, What: eventSentence(p, e),
		About: withAuthor(joinNonEmpty(", ", change, reason), e.By),
		Undo:  eventUndo(p, e, later),
		URL:   emailOf(p, e),
	}
}

// changeText describes a change of a value. It uses the word "nothing" for an empty value.
func changeText(before, after string) string {
	return "from " + ui.Isolate(nameOr(before, "nothing")) + " to " + ui.Isolate(nameOr(after, "nothing"))
}

// eventSentence returns the sentence of an event. The amount of a payment gets its currency.
func eventSentence(p *Page, e *store.Event) string {
	shown := *e
	switch e.What {
	case store.EventRentalPaid, store.EventPaymentRecorded, store.EventPaymentRefunded, store.EventPaymentReversed:
		at := strings.LastIndexByte(e.Subject, ' ') + 1 // a payment of an invoice has the subject "INVOICE: AMOUNT"
		if amount, err := store.ParseAmount(e.Subject[at:]); err == nil {
			if e.What != store.EventRentalPaid && amount.Sign() < 0 {
				amount = store.Amount{}.Minus(amount)
			}
			shown.Subject = e.Subject[:at] + p.money(amount)
		}
	}
	return capital(shown.Sentence())
}

// eventReason returns Why of an event. Amounts of payments get their currency.
func eventReason(p *Page, e *store.Event) string {
	why := e.Why
	switch e.What {
	case store.EventKayakCheckedIn, store.EventKayakCheckedOut:
		why = rentalAmounts(p, why)
	}
	if e.Undoes != "" {
		why = undoTime(p, why)
	}
	if amount, after, ok := e.ChargedAmount(); ok {
		why = p.money(amount) + " " + after
	}
	return store.MaskCardNumbers(why)
}

// eventTexts returns the values before and after the change of an event. Stored codes of
// states become the words that pages use.
func eventTexts(p *Page, e *store.Event) (before, after string) {
	word := func(code string) string { return code }
	switch e.What {
	case store.EventOrderShipped, store.EventShipmentUnpacked:
		word = wordsOf(shippedBadges)
	case store.EventPaymentRecorded, store.EventPaymentRefunded, store.EventPaymentReversed:
		word = wordsOf(invoiceBadges)
	case store.EventBookingCancelled, store.EventBookingCheckedOut, store.EventBookingNoShow, store.EventBookingReopened:
		word = wordsOf(bookingBadges)
	case store.EventShipmentSent, store.EventShipmentDelivered:
		word = wordsOf(shipmentBadges)
	case store.EventSubscriptionCancelled, store.EventSubscriptionPaused, store.EventSubscriptionResumed:
		word = subscriptionWord
	case store.EventKayakEdited, store.EventProductEdited, store.EventQuotaTargetSet, store.EventSubscriptionChanged, store.EventSettingsChanged:
		word = editedAmounts(p, e)
	case store.EventRentalPaid:
		word = func(code string) string { return PayMethodName(store.PayMethod(code)) }
	case store.EventKayakCheckedIn, store.EventKayakCheckedOut, store.EventKayakRepairStarted, store.EventKayakRepaired, store.EventKayakRestored, store.EventKayakRetired:
		word = wordsOf(kayakBadges)
	}
	return word(store.MaskCardNumbers(e.Before)), word(store.MaskCardNumbers(e.After))
}

// wordsOf returns a function that translates the code of a state to its word. The
// function returns unknown codes unchanged.
func wordsOf[S ~string](badges map[S]ui.Badge) func(code string) string {
	return func(code string) string {
		if b, known := badges[S(code)]; known {
			return b.Word
		}
		return code
	}
}

// subscriptionWord translates the status of a subscription to its word. It returns other
// strings unchanged.
func subscriptionWord(text string) string {
	if slices.Contains(store.SubscriptionStatuses, store.SubscriptionStatus(text)) {
		return sentence(text)
	}
	return text
}

// editedLines describes the changed quantities of an edited order.
func editedLines(e *store.Event) string {
	lines := func(text string) string { return text[:max(0, strings.LastIndex(text, ", "))] }
	return joinNonEmpty(" to ", "from "+lines(e.Before), lines(e.After))
}

// withAuthor adds the user's name to text. If the text ends with a punctuation mark or has
// several lines, the name becomes a separate sentence.
func withAuthor(text, user string) string {
	user = nameOr(user, "unknown user")
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(ui.WithoutIsolates(text)); strings.ContainsRune(".!?…", last) || strings.Contains(text, "\n") {
		return text + " By " + user
	}
	return joinNonEmpty(", ", text, "by "+user)
}

func joinNonEmpty(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), separator)
}

// placedTotal returns the total of an order at the time when it was placed, or "" if it is
// unknown. If the order was edited since, the event of the first edit contains this total.
func placedTotal(p *Page, o store.OrderDetails) string {
	total, first := o.Total, time.Time{}
	for i := range o.Events {
		e := &o.Events[i]
		before, _, ok := e.EditedTotals()
		switch {
		case e.What != store.EventOrderEdited || !first.IsZero() && !e.When.Before(first):
		case !ok: // an event from an earlier version of the program, which stored no totals
			return ""
		default:
			total, first = before, e.When
		}
	}
	return p.money(total)
}

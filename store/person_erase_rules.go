package store

import (
	"reflect"
	"slices"
	"strings"
)

// withoutPerson returns a copy of a record about a person, without the personal data and
// with the next version. It returns nil if the record contains no personal data. The copy
// keeps amounts, dates, products, IDs and document numbers.
//
// Records of other types contain no personal data, or personEraser handles them.
func withoutPerson(e Entity) Entity {
	switch e := e.(type) {
	case *Customer:
		return nextIfChanged(e, func(c *Customer) { c.Name, c.Email, c.Phones, c.Address = "", "", nil, Address{} })
	case *Person:
		return nextIfChanged(e, func(p *Person) { p.Name, p.Email, p.Phones = "", "", nil })
	case *Employee:
		return nextIfChanged(e, func(e *Employee) { e.Name, e.Email, e.Phones, e.Address = "", "", nil, Address{} })
	case *Quota:
		return nextIfChanged(e, func(q *Quota) { q.Name = "" })
	case *Subscription:
		return nextIfChanged(e, func(s *Subscription) { s.Email, s.PaymentDetails = "", PaymentDetails{} })
	case *Receipt:
		return nextIfChanged(e, func(r *Receipt) { r.Email = "" })
	case *Order:
		return nextIfChanged(e, func(o *Order) { o.CustomerName, o.ShipTo = "", Address{} })
	case *Invoice:
		return nextIfChanged(e, func(i *Invoice) {
			i.Payments = slices.Clone(i.Payments)
			for n := range i.Payments {
				i.Payments[n].Why = ""
				if slices.Contains(RestTypes, i.Payments[n].Type) {
					i.Payments[n].Data = ""
				}
			}
		})
	case *Shipment:
		return nextIfChanged(e, func(s *Shipment) { s.Address, s.Tracking = Address{}, "" })
	case *StockMove:
		return withoutReason(e)
	case *Rental:
		return nextIfChanged(e, func(r *Rental) { r.PersonName, r.Damage = "", "" })
	case *RentalPayment:
		return nextIfChanged(e, func(p *RentalPayment) { p.PersonName, p.Why = "", "" })
	case *Booking:
		return nextIfChanged(e, func(b *Booking) { b.PersonName, b.Note = "", "" })
	case *Employment:
		return nextIfChanged(e, func(e *Employment) { e.PersonName = "" })
	}
	return nil
}

// withoutReason returns a copy of an entry of the stock ledger, without the reason that staff
// entered. It returns nil if there is none.
func withoutReason(m *StockMove) Entity {
	after := *m
	if after.Reason, _, _ = strings.Cut(m.Reason, ": "); !slices.Contains(orderReasons, after.Reason) {
		after.Reason = ""
	}
	if after.Reason == m.Reason {
		return nil
	}
	return &after
}

// nextIfChanged calls erase with a copy of a record, and returns the copy with the next
// version. It returns nil if erase changes nothing.
func nextIfChanged[T any, E entity[T]](e E, erase func(*T)) Entity {
	after := *e
	erase(&after)
	if reflect.DeepEqual(after, *e) {
		return nil
	}
	version := reflect.ValueOf(&after).Elem().FieldByName("Version")
	version.SetInt(version.Int() + 1)
	return E(&after)
}

// versionOf returns the Version of a record of a type that withoutPerson changes.
func versionOf(e Entity) int { return int(reflect.ValueOf(e).Elem().FieldByName("Version").Int()) }

// eventsOfThings lists prefixes of event codes. The Before and After of these events are
// statuses, amounts, dates or products, which stay when personal data is erased.
// eventsOfPeople lists the exceptions.
var eventsOfThings = []string{"booking.", "order.", "shipment.", "invoice.", "payment.", "subscription.", "reminder.", "rental.", "email."}

// eventsOfPeople lists the exceptions to eventsOfThings. The Before and After of these
// events are addresses and cards.
var eventsOfPeople = []EventCode{EventOrderAddressEdited, EventPaymentMethodChanged}

// withoutDetails returns a copy, without personal data, of an event about a person. It
// returns nil if the event contains no personal data. It removes the reason (which is free
// text), the values for undo, and other values that can be personal.
func withoutDetails(e *Event) *Event {
	after := *e
	after.Why, after.Values = "", ""
	if _, isCode := eventSentences[e.What]; !isCode {
		after.What, after.Subject = EventErased, ""
	}
	isOfThings := slices.ContainsFunc(eventsOfThings, func(prefix string) bool { return strings.HasPrefix(string(e.What), prefix) })
	if e.What != EventPersonErased && (!isOfThings || slices.Contains(eventsOfPeople, e.What)) {
		after.Before, after.After = "", ""
	}
	if reflect.DeepEqual(after, *e) {
		return nil
	}
	return &after
}

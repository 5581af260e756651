package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EventFilter narrows the history to a person, to a thing or to days. Each has
// a key of its own, and no key serves two of them at once.
type EventFilter struct {
	By    string    // the user's name
	About string    // the partition of a thing, such as o#12345
	Days  DateRange // days of UTC, as the key of an event has them
}

// How many days of the history are looked through: each is a partition of its
// own, in every shard.
const (
	openDays    = 92   // where no first day is named
	historyDays = 3660 // in any case
)

// Events lists who did what, the newest first.
func (a Access) Events(ctx context.Context, f EventFilter, page Page) (List[Event], error) {
	if err := a.require(Administer); err != nil {
		return List[Event]{}, err
	}
	q := table.Query{Pattern: getEventsByDay, Values: key.Map{}, Segment: "day"}
	switch {
	case f.By != "":
		q = table.Query{Pattern: getEventsByUser, Values: key.Map{"user": userName(f.By)}}
	case f.About != "":
		q = table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": f.About}}
	default:
		q.Segments = a.store.eventDays(f.Days)
	}
	return list(ctx, a.store, q, page, decodeAs[Event])
}

// eventDays are the days of a range as keys have them, the last first. Nothing
// is told of days to come.
func (s *Store) eventDays(r DateRange) []string {
	last := s.now().UTC().Truncate(24 * time.Hour)
	if !r.To.IsZero() && r.To.Before(last) {
		last = r.To
	}
	n := openDays
	if !r.From.IsZero() {
		n = min(historyDays, int(last.Sub(r.From)/(24*time.Hour))+1)
	}
	var days []string
	for i := range n {
		days = append(days, last.AddDate(0, 0, -i).Format(key.Day))
	}
	return days
}

// EventsOfCustomer lists what was changed of a customer and what was noted
// about them, newest first.
func (a Access) EventsOfCustomer(ctx context.Context, customerID string, page Page) (List[Event], error) {
	if err := a.require(Browse); err != nil {
		return List[Event]{}, err
	}
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": partitionOf(getCustomer, "customerID", customerID)}}
	return list(ctx, a.store, q, page, decodeAs[Event])
}

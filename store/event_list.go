package store

import (
	"context"
	"fmt"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EventFilter selects events by user, record or days. Set only one field, because no
// index combines them. The zero filter selects the events of the last defaultHistoryDays
// days.
type EventFilter struct {
	By    string    // user name
	About string    // partition key of a record, such as o#12345
	Days  DateRange // days in UTC
}

// Maximum and default number of days in a list of events. The list reads one
// partition per day and shard.
const (
	defaultHistoryDays = 92 // for ranges without a first day
	maxHistoryDays     = 3660
)

// Events lists the events that f selects, newest first. If f.Days has no first day, the
// list covers the defaultHistoryDays days up to its last day. For the user Program, the
// list covers the last defaultHistoryDays days.
func (a Access) Events(ctx context.Context, f EventFilter, page Page) (List[Event], error) {
	if err := a.require(ReadHistory); err != nil {
		return List[Event]{}, err
	}
	q := table.Query{Pattern: getEventsByDay, Values: key.Map{}, Segment: "day"}
	switch {
	case userName(f.By) == Program:
		return a.store.eventsOfProgram(ctx, page)
	case f.By != "":
		q = table.Query{Pattern: getEventsByUser, Values: key.Map{"user": userName(f.By)}}
	case f.About != "":
		q = table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": f.About}}
	default:
		q.Segments = a.store.eventDays(f.Days)
	}
	return list(ctx, a.store, q, page, decodeEvent)
}

// eventsOfProgram lists the events of the program itself. The index of users does not
// contain them, so eventsOfProgram reads all events of the last defaultHistoryDays days.
// A page has fewer rows if users made most of the changes.
func (s *Store) eventsOfProgram(ctx context.Context, page Page) (List[Event], error) {
	q := table.Query{Pattern: getEventsByDay, Values: key.Map{}, Segment: "day", Segments: s.eventDays(DateRange{})}
	found, err := s.filteredPages(ctx, q, page, 1, func(rows []Row) (kept []Row, read int, err error) {
		for _, row := range rows {
			if row.Text("By") == Program {
				kept = append(kept, row)
			}
		}
		return kept, len(rows), nil
	})
	if err != nil {
		return List[Event]{}, err
	}
	return decodeList(found, page, decodeEvent)
}

// decodeEvent decodes an event. If the event counts several attempts or downloads,
// decodeEvent also sets After to a phrase with their number, for display.
func decodeEvent(row Row, e *Event) error {
	if err := decodeAs(row, e); err != nil {
		return err
	}
	switch {
	case e.Attempts > 0 && (e.What == EventDownloaded || e.What == EventDownloadStopped):
		e.After = e.describeDownloads(row.Has("Rows"))
	case e.Attempts > 1:
		e.After = fmt.Sprintf("%d attempts", e.Attempts)
	}
	return nil
}

// eventDays returns the days of a range, newest first, in the format of keys: at most
// maxHistoryDays days or, without a first day, defaultHistoryDays days. It omits future
// days.
func (s *Store) eventDays(r DateRange) []string {
	last := s.now().UTC().Truncate(24 * time.Hour)
	if !r.To.IsZero() && r.To.Before(last) {
		last = r.To
	}
	n := defaultHistoryDays
	if !r.From.IsZero() {
		n = min(maxHistoryDays, int(last.Sub(r.From)/(24*time.Hour))+1)
	}
	var days []string
	for i := range n {
		days = append(days, last.AddDate(0, 0, -i).Format(key.Day))
	}
	return days
}

// EventsOfCustomer lists the events of a customer, including notes, newest first.
func (a Access) EventsOfCustomer(ctx context.Context, customerID string, page Page) (List[Event], error) {
	if err := a.require(Browse); err != nil {
		return List[Event]{}, err
	}
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": partitionOf(getCustomer, "customerID", customerID)}}
	return list(ctx, a.store, q, page, decodeAs[Event])
}

package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store/key"
	"stockroom/store/table"
)

// The program computes the state of a record at an earlier time, the moment. It starts with
// the present state and reverses the later events, newest first. Quantities of stock come
// from the stock ledger instead. Its entries contain the quantity before and after each
// change.

// Past describes the state of a record at an earlier moment, and what is unknown about it.
type Past struct {
	At    time.Time
	Gap   PastGap
	Since time.Time // the state is known only from this time on; zero if there is no such time
	What  Event     // the event at Since, if the state before this event is unknown
	Added time.Time // when the record was added; zero if unknown
	Later Later
}

// Later lists the events after the moment that the user may see, newest first.
type Later struct {
	Events []Event
	Part   bool // some events may be missing, because only MaxPastEvents were read
	Hidden bool // the user may not see the events
}

// Until returns the events up to a time, newest first.
func (l Later) Until(at time.Time) []Event {
	events := []Event{}
	for i := range l.Events {
		if e := &l.Events[i]; !e.isAfter(at) {
			events = append(events, *e)
		}
	}
	slices.SortStableFunc(events, func(a, b Event) int { return b.When.Compare(a.When) })
	return events
}

// hideLater removes the later events from p if the user may not read the history.
func (a Access) hideLater(p *Past) {
	if a.require(ReadHistory) != nil {
		p.Later = Later{Hidden: true}
	}
}

// PastGap says why the state at Past.At is unknown. It is "" if the state is known.
type PastGap string

// The gaps. "The moment" is Past.At.
const (
	PastComplete PastGap = ""          // the state is known: the history begins before the moment
	PastBegins   PastGap = "begins"    // the history begins after the moment; the record shows the earliest known state
	PastNotAdded PastGap = "not added" // the record was added after the moment, at Since
	PastNoValues PastGap = "no values" // the event at Since does not contain the exact values before the change
	PastErased   PastGap = "erased"    // the event at Since contained personal data, which was erased
	PastExpired  PastGap = "expired"   // the payment at Since has no event, and its receipt has expired, was imported, or was not read
	PastTooMany  PastGap = "many"      // more than MaxPastEvents events are after the moment; events before Since were not read
)

// MaxPastEvents is the maximum number of events that are read to compute an earlier state.
const MaxPastEvents = 200

// IsKnown reports whether the state at p.At is known.
func (p Past) IsKnown() bool { return p.Gap == PastComplete }

// HasState reports whether a state can be shown: the state at the moment or, if the history
// begins later, the earliest known state.
func (p Past) HasState() bool { return p.Gap == PastComplete || p.Gap == PastBegins }

// FirstPast is the earliest time for which a past state can be shown.
var FirstPast = time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)

// addedAt sets when the record was added. If the state at the moment is unknown, and the
// record was added later, the gap becomes PastNotAdded.
func (p *Past) addedAt(added time.Time) {
	if p.Added = added; !p.IsKnown() && added.After(p.At) {
		p.Gap, p.Since = PastNotAdded, added
	}
}

// checkPast returns Invalid if the time is in the future or before FirstPast.
func (s *Store) checkPast(at time.Time) error {
	switch {
	case at.After(s.now()):
		return InvalidField("at", "This date is in the future. Enter an earlier date and time.")
	case at.Before(FirstPast):
		return InvalidField("at", "Enter a date from 1970 on.")
	}
	return nil
}

// before reads the newest events of a partition. It calls the function reverse with each
// event that is later than the argument at, newest first, until the function returns a gap.
// Callers must read the record first. Otherwise, a change between the two reads could be in
// the record but not in the events.
func (s *Store) before(ctx context.Context, partition string, at time.Time, reverse func(*Event) PastGap) (Past, error) {
	return s.beforeWith(ctx, partition, at, unstoredEvents{}, reverse)
}

// unstoredEvents contains events that are computed and not stored, newest first. These
// events have no IDs.
type unstoredEvents struct {
	events []Event
	from   time.Time // events before this time were not read; zero if all were read
}

// beforeWith is like before, but reverses unstored events too: those in the argument also.
func (s *Store) beforeWith(ctx context.Context, partition string, at time.Time, also unstoredEvents, reverse func(*Event) PastGap) (Past, error) {
	items, next, err := s.table.QueryOnce(ctx, table.Request{
		Pattern:    getEventsOfThing,
		Values:     key.Map{"partition": partition},
		Limit:      MaxPastEvents,
		Consistent: true,
	})
	events, err := decodeAll(items, err, decodeAs[Event])
	if err != nil {
		return Past{}, err
	}
	isEarlier := func(e Event) bool { return !e.isAfter(at) }
	var from time.Time // events between at and from may be missing; zero if none are
	if also.from.After(at) {
		from = also.from
	}
	if next != nil && !slices.ContainsFunc(events, isEarlier) {
		from = later(from, events[len(events)-1].When)
	}
	events = mergeEvents(events, also.events)
	// The events are sorted by ID. The ID of an event can come from a form token, and
	// then contains the time at which the form was shown, up to maxTokenAge before the
	// change. Events can therefore be out of order.
	begun := slices.ContainsFunc(events, isEarlier)
	newer := slices.DeleteFunc(events, func(e Event) bool { return isEarlier(e) || e.When.Before(from) })
	past := Past{At: at, Later: Later{Events: newer, Part: !from.IsZero()}}
	if added := timeOfID(partition); added.After(at) {
		past.Gap, past.Since = PastNotAdded, added
		return past, nil
	}
	for i := range newer {
		e := &newer[i]
		past.Since = e.When
		if past.Gap = reverse(e); past.Gap != PastComplete {
			past.What = *e
			return past, nil
		}
	}
	switch {
	case !from.IsZero():
		past.Gap, past.Since = PastTooMany, from
	case begun:
		past.Since = time.Time{}
	default:
		past.Gap = PastBegins
	}
	return past, nil
}

// mergeEvents merges two lists of events by time. Each list keeps its order.
func mergeEvents(events, also []Event) []Event {
	for i := range also {
		at := slices.IndexFunc(events, func(e Event) bool { return also[i].When.After(e.When) })
		if at < 0 {
			at = len(events)
		}
		events = slices.Insert(events, at, also[i])
	}
	return events
}

// timeOfID returns when the record of a partition was added, if its ID is a ULID. This is
// the case for most records that were added with a form, but not for orders. Otherwise,
// timeOfID returns the zero time.
func timeOfID(partition string) time.Time {
	id, err := ulid.ParseStrict(partition[strings.LastIndexByte(partition, '#')+1:])
	if err != nil {
		return time.Time{}
	}
	return id.Timestamp()
}

// isAfter reports whether the event is later than a time. The time of an event is stored in
// seconds. Within a second, isAfter compares the ID of the event, which contains
// milliseconds.
func (e *Event) isAfter(at time.Time) bool {
	if e.When.Unix() == at.Unix() {
		return e.ID > lastULID(at)
	}
	return e.When.After(at)
}

// revert sets the fields of t that an event changed to their values before the event. It
// uses only values whose EventValue.Part equals the argument part. It returns PastErased if
// the event is redacted, and PastNoValues if one of these values cannot be set, or if the
// event has no values at all, unless it changed nothing. An event that has only values of
// other parts leaves t as it is.
func (fs Fields[T]) revert(t *T, e *Event, part string) PastGap {
	values := e.values()
	switch {
	case e.Redacted != "":
		return PastErased
	case len(values) == 0 && e.Before != "" && e.Before == e.After:
		return PastComplete // the event changed nothing
	case len(values) == 0:
		return PastNoValues
	}
	for _, v := range values {
		if v.Part != part {
			continue
		}
		if !fs.set(t, v.Name, v.Before) {
			return PastNoValues
		}
	}
	return PastComplete
}

// unlessKnown returns the gap for an event that the caller does not reverse. A known event
// code has no gap, because such events do not change the record. Earlier program versions
// stored a sentence instead of a code: for these events, the gap is PastNoValues, or
// PastErased if the sentence was erased.
func unlessKnown(e *Event) PastGap {
	switch {
	case e.What == EventErased:
		return PastErased
	case e.What.IsKnown():
		return PastComplete
	}
	return PastNoValues
}

// lastULID returns the last ULID of the millisecond of a time. The IDs of later changes
// sort after it.
func lastULID(at time.Time) string {
	var id ulid.ULID
	for i := range id {
		id[i] = 0xFF
	}
	if err := id.SetTime(ulid.Timestamp(at)); err != nil {
		panic(err) // cannot happen: checkPast rejects such times
	}
	return id.String()
}

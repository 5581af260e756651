package store

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Limits of News.
const (
	NewsShards = 4   // number of partitions for the events of a month, except notes, which have one partition per month
	MaxNews    = 100 // maximum number of events that are read at once
	NewsDays   = 28  // maximum number of days that News covers; few enough that they lie in at most two months
)

// newsNotes precedes the month in the index key of a note. Notes are read separately from
// other events, because they stay in the News until the user dismisses them or they are
// older than NewsDays days.
const newsNotes = "notes-"

// newsOverlap is how far back News reads again: events before the last visit, and notes
// before the newest dismissed event. The index is updated with a delay, so an earlier page
// may have missed some of them.
const newsOverlap = 10 * time.Second

// newsForAll is the Audience of events that concern the whole business. The Audience of
// other events is the warehouse or store that they concern, such as w#101 or store#7. The
// Audience of a note lists roles and the warehouse or store of the record, such as
// role#manager,role#admin,store#7.
const newsForAll = "all"

const roleAudience = "role#"

// News lists what other users have done since the user's last visit to the page Today:
// orders placed, returns, counts that differed from the stock, kayaks checked in,
// bookings added or cancelled, and no-shows. It lists a note for the user's role until
// the user dismisses it or it is older than NewsDays days, even at the first visit. News
// contains only what the user may see.
type News struct {
	Last    time.Time // when the last visit began; zero at the first visit
	Since   time.Time // start of the period of the listed events, except notes; some events can be up to newsOverlap earlier
	Events  []Event   // newest first
	More    bool      // there are older events that were not read
	Newest  string    // value for DismissNews: newsKey of the newest event, and IDs of recent notes; "" without events
	Cut     bool      // the last visit was more than NewsDays ago
	Failure error     // why the visit could not be stored; the next request tries again
}

// newsKey returns the sort key of an event in the index that News reads: its time and its
// ID.
func (e *Event) newsKey() string { return key.Time(e.When) + "#" + e.ID }

// newestPattern matches News.Newest: a newsKey and any number of note IDs.
var newestPattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ#[0-9A-HJKMNP-TV-Z]{26}(,[0-9A-HJKMNP-TV-Z]{26})*$`)

// overlapBefore returns a time in the format of keys: the time of an event minus
// newsOverlap. newest is the newsKey of the event.
func overlapBefore(newest string) string {
	at, _, _ := strings.Cut(newest, "#")
	when, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return at
	}
	return key.Time(when.Add(-newsOverlap))
}

// News returns the news of the user, and stores the visit if a new visit begins.
func (a Access) News(ctx context.Context) (News, error) {
	if err := a.require(Browse); err != nil {
		return News{}, err
	}
	v, failure := a.visit(ctx)
	if v == nil {
		return News{}, failure
	}
	n := News{Last: v.Last, Since: v.Last, Failure: failure}
	first := a.store.now().AddDate(0, 0, -NewsDays)
	notesFrom, from := key.Time(first), ""
	if v.Dismissed != "" {
		notesFrom, from = max(notesFrom, overlapBefore(v.Dismissed)), v.Dismissed+key.MaxDate
	}
	notes, err := a.newsSince(ctx, first, notesFrom, newsNotes, 1)
	if err != nil {
		return News{}, err
	}
	n.More = notes.Next != nil
	n.Events = slices.DeleteFunc(slices.Clone(notes.Rows), func(e Event) bool { return slices.Contains(v.DismissedNotes, e.ID) })
	if !v.Last.IsZero() {
		start := n.Since.Add(-newsOverlap)
		if n.Since.Before(first) {
			n.Since, n.Cut = first, true
		}
		if start.Before(first) {
			start = first
		}
		found, err := a.newsSince(ctx, start, max(key.Time(start), from), "", NewsShards)
		if err != nil {
			return News{}, err
		}
		n.Events, n.More = append(n.Events, found.Rows...), n.More || found.Next != nil
	}
	slices.SortFunc(n.Events, func(x, y Event) int { return strings.Compare(y.newsKey(), x.newsKey()) })
	if len(n.Events) > 0 {
		n.Newest = a.newest(max(n.Events[0].newsKey(), v.Dismissed), notes.Rows)
	}
	n.Events = slices.DeleteFunc(n.Events, func(e Event) bool { return !a.user.isNews(&e) })
	return n, nil
}

// newest returns News.Newest for a newsKey. It adds the IDs of the notes that are at most
// newsOverlap older. After DismissNews, News reads these notes again, and uses the IDs to
// hide them.
func (a Access) newest(newsKey string, notes []Event) string {
	from, text := overlapBefore(newsKey), newsKey
	for i := range notes {
		if e := &notes[i]; e.newsKey() >= from && a.user.isNews(e) {
			text += "," + e.ID
		}
	}
	return text
}

// newsSince reads the newest events since the time start, except those whose newsKey is less
// than the argument from. prefix precedes the month in the index key.
func (a Access) newsSince(ctx context.Context, start time.Time, from, prefix string, shards int) (List[Event], error) {
	months := key.Days{From: start.UTC(), To: a.store.now().UTC(), Zone: time.UTC}.Months()
	for i := range months {
		months[i] = prefix + months[i]
	}
	return list(ctx, a.store, table.Query{
		Pattern: getNews, Values: key.Map{"from": from, "to": key.MaxDate}, Segment: "month", Segments: months, Shards: shards,
	}, Page{Limit: MaxNews, Partial: true}, decodeAs[Event])
}

// DismissNews hides the events up to the one in the argument newest, and the notes whose
// IDs follow it. The argument is News.Newest of the page. DismissNews returns Invalid if
// the argument is malformed, is in the future or contains more than MaxNews notes.
func (a Access) DismissNews(ctx context.Context, newest string) error {
	if err := a.requireChange(Browse); err != nil {
		return err
	}
	latest := key.Time(a.store.now().Add(maxClockOffset)) + key.MaxDate
	dismissed := strings.Split(newest, ",")
	if !newestPattern.MatchString(newest) || newest > latest || len(dismissed)-1 > MaxNews {
		return InvalidField("", "Reload the page and try again.")
	}
	return retryOnConflict(ctx, func() error {
		v, err := a.readVisit(ctx)
		if err != nil {
			return err
		}
		notes := dismissed[1:]
		switch {
		case v.Dismissed > dismissed[0]:
			return nil
		case v.Dismissed == dismissed[0]: // the form was submitted twice, or another page showed more notes
			added := slices.DeleteFunc(slices.Clone(notes), func(id string) bool { return slices.Contains(v.DismissedNotes, id) })
			if len(added) == 0 {
				return nil
			}
			notes = append(added, v.DismissedNotes...)
		}
		v.Dismissed, v.DismissedNotes = dismissed[0], notes[:min(len(notes), MaxNews)]
		return a.saveVisit(ctx, v)
	})
}

// isNews reports whether an event is news for the user: it has one of the codes below,
// someone else made the change, the user may see it, and the event is neither undone nor
// redacted.
func (u *User) isNews(e *Event) bool {
	if e.By == u.Name || e.UndoneBy != "" || e.Redacted != "" {
		return false
	}
	audience := strings.Split(e.Audience, ",")
	switch e.What {
	case EventNote:
		return slices.Contains(audience, roleAudience+string(u.Role)) && u.isInCharge(audience)
	case EventOrderPlaced:
		return u.InChargeOfAll() || len(u.Warehouses) > 0
	case EventOrderReturned:
		return u.InChargeOfAll() || !slices.Contains(audience, newsForAll) && u.isInCharge(audience)
	case EventStockCounted, EventKayakCheckedIn, EventBookingAdded, EventBookingCancelled, EventBookingNoShow:
		return u.May(WatchPlaces) && u.isInCharge(audience)
	}
	return false
}

// isInCharge reports whether the user may see the warehouses and stores in an audience.
func (u *User) isInCharge(audience []string) bool {
	for _, part := range audience {
		if id, found := strings.CutPrefix(part, WarehouseScope); found && !u.InCharge(id) {
			return false
		}
		if id, found := strings.CutPrefix(part, StoreScope); found && !u.InChargeOfStore(id) {
			return false
		}
	}
	return true
}

// countAudience returns the audience of the event of a stock count: the warehouse, or "" if
// the counted quantity equals the stock.
func countAudience(before, after *WarehouseItem) string {
	if before.Quantity == after.Quantity {
		return ""
	}
	return WarehouseScope + after.WarehouseID
}

// noteAudience returns the audience of a note for the given roles, or "" if there are none.
// place is the warehouse or store of the record, such as store#7, or "" if the record has
// none. noteAudience returns Invalid for an unknown role.
func noteAudience(roles []Role, place string) (string, error) {
	var audience []string
	for _, role := range Roles {
		if slices.Contains(roles, role) {
			audience = append(audience, roleAudience+string(role))
		}
	}
	for _, role := range roles {
		if !slices.Contains(Roles, role) {
			return "", InvalidField("for", "Choose one of these roles: %s.", RoleChoices())
		}
	}
	if len(audience) > 0 && place != "" {
		audience = append(audience, place)
	}
	return strings.Join(audience, ","), nil
}

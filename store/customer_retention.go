package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Limits of the erasure of closed customers.
const (
	MinEraseClosedDays = 30
	MaxEraseClosedDays = 36500 // a hundred years
	MaxErasedADay      = 20
	maxTriedADay       = 5 * MaxErasedADay
	shownClosed        = 20  // maximum number of customers that ClosedCustomers returns
	countedClosed      = 200 // maximum number of customers that ClosedCustomers counts for each year
	maxSkippedErasures = 50  // maximum number of customers that a report lists
)

// ErasureReport is the result of the last daily erasure of closed customers.
type ErasureReport struct {
	Began   time.Time
	Ended   time.Time // zero if it has not ended
	Erased  int
	Skips   int              // customers who could not be erased
	Skipped []SkippedErasure `json:",omitempty"` // the first customers who could not be erased
	Tried   ErasureTurn      // the last customer who was tried
	Version int
}

// ErasureTurn is the position of a customer in the order of erasures.
type ErasureTurn struct {
	Day string // day on which the customer was closed, such as 2026-11-28
	ID  string
}

func (t ErasureTurn) after(other ErasureTurn) bool {
	return cmp.Or(cmp.Compare(t.Day, other.Day), cmp.Compare(t.ID, other.ID)) > 0
}

// SkippedErasure is a closed customer who could not be erased.
type SkippedErasure struct{ ID, Reason string }

func (*ErasureReport) EntityType() string { return "erasureReport" }

func (*ErasureReport) KeyValue(string) string { return "" }

func (r *ErasureReport) attributes(a *table.Attributes) {
	a.Time("Began", &r.Began)
	a.Time("Ended", &r.Ended)
	a.Number("Erased", &r.Erased)
	a.Number("Skips", &r.Skips)
	table.Slice(a, "Skipped", &r.Skipped, func(s *SkippedErasure, a *table.Attributes) {
		a.Text("ID", &s.ID)
		a.Text("Reason", &s.Reason)
	})
	a.Text("TriedDay", &r.Tried.Day)
	a.Text("TriedID", &r.Tried.ID)
	a.Version(&r.Version)
}

// Skip adds a customer who could not be erased.
func (r *ErasureReport) Skip(id, reason string) {
	if r.Skips++; len(r.Skipped) < maxSkippedErasures {
		r.Skipped = append(r.Skipped, SkippedErasure{id, reason})
	}
}

// BeginErasures claims today's erasure of closed customers, in the given time zone.
// It returns nil if a server has already claimed it.
func (s *Store) BeginErasures(ctx context.Context, zone *time.Location) (*ErasureReport, error) {
	last, err := s.lastErasures(ctx)
	if err != nil || dayIn(last.Began, zone).Equal(dayIn(s.now(), zone)) {
		return nil, err
	}
	report := &ErasureReport{Began: s.now(), Tried: last.Tried, Version: last.Version}
	if err := s.SaveErasures(ctx, report); KindOf(err) != Conflict {
		return report, err
	}
	return nil, nil //nolint:nilnil // another server was faster
}

// SaveErasures stores a report and increments its version. It returns Conflict if the
// stored report has a different version.
func (s *Store) SaveErasures(ctx context.Context, report *ErasureReport) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	seen := report.Version
	if report.Version++; seen == 0 {
		c.Create(report)
	} else {
		c.Replace(report, seen)
	}
	return c.Commit(ctx)
}

// lastErasures returns the last report, or an empty report.
func (s *Store) lastErasures(ctx context.Context) (*ErasureReport, error) {
	report, err := readConsistently[*ErasureReport](ctx, s, getErasureReport, nil)
	if KindOf(err) == NotFound {
		return &ErasureReport{}, nil
	}
	return report, err
}

// lastClosing returns a day in UTC. The data of customers who were closed on this day or
// earlier is due for erasure. lastClosing returns the zero time if closed customers are not
// erased. The data is kept for one day longer than the setting says, because the business
// can have a time zone other than UTC.
func (s Settings) lastClosing(now time.Time) time.Time {
	if s.EraseClosedDays == 0 {
		return time.Time{}
	}
	return dayIn(now, s.Zone()).AddDate(0, 0, -s.EraseClosedDays-1)
}

// ErasedFrom returns the first day on which the data of a customer is due for erasure; see
// lastClosing.
func ErasedFrom(closed time.Time, days int) time.Time {
	return closed.UTC().Truncate(24*time.Hour).AddDate(0, 0, days+1)
}

// DueForErasure returns at most maxTriedADay closed customers who are due for erasure, in
// the order of their days of closing. tried is the last customer who was tried.
// DueForErasure starts after this customer. At the end of the list, it continues at the
// beginning. Customers that cannot be erased therefore do not block other customers. If
// EraseClosedDays is 0, DueForErasure returns nil.
func (s *Store) DueForErasure(ctx context.Context, tried ErasureTurn) ([]ErasureTurn, error) {
	settings, err := s.currentSettings(ctx)
	if err != nil {
		return nil, err
	}
	last := settings.lastClosing(s.now())
	if last.IsZero() {
		return nil, nil
	}
	var due, earlier []ErasureTurn
	for w, err := range s.closedBefore(ctx, last) {
		if err != nil {
			return nil, err
		}
		turn := ErasureTurn{Day: w.Words, ID: w.ID}
		switch {
		case turn.after(tried):
			due = append(due, turn)
		case len(earlier) < maxTriedADay:
			earlier = append(earlier, turn)
		}
		if len(due) == maxTriedADay {
			break
		}
	}
	return append(due, earlier[:min(len(earlier), maxTriedADay-len(due))]...), nil
}

// EraseClosed erases a closed customer like ErasePerson. It also returns Conflict if the
// customer is no longer due for erasure or is also an employee.
func (a Access) EraseClosed(ctx context.Context, id string) (Erasure, error) {
	if err := a.requireChange(Administer); err != nil {
		return Erasure{}, err
	}
	settings, err := a.store.currentSettings(ctx)
	if err != nil {
		return Erasure{}, err
	}
	blocks, err := a.store.blockers(ctx)
	if err != nil {
		return Erasure{}, err
	}
	last := settings.lastClosing(a.store.now())
	return a.erasePerson(ctx, id, func(e Entity) (EraseBlocker, bool) {
		switch e := e.(type) {
		case *Customer:
			if !e.IsClosed() || !e.Closed.Before(last.AddDate(0, 0, 1)) {
				return EraseBlocker{"The customer is no longer due for erasure.", partitionOf(getCustomer, "customerID", e.ID)}, true
			}
		case *Employee:
			if withoutPerson(e) != nil {
				return EraseBlocker{"This person is also an employee.", partitionOf(getCustomer, "customerID", e.ID)}, true
			}
		}
		return blocks(e)
	})
}

// ClosedCustomers says which closed customers are erased next.
type ClosedCustomers struct {
	Days  int              // see Settings.EraseClosedDays
	Count int              // closed customers who are not erased
	Due   int              // closed customers whose data is due for erasure
	More  bool             // there are more closed customers than Count; Count and Due are then too low
	Next  []ClosedCustomer // the customers to erase next, at most 20, in the order of their days of closing
	Last  ErasureReport    // the last daily erasure
}

// ClosedCustomer is a closed customer who is not erased.
type ClosedCustomer struct {
	Customer
	ErasedFrom time.Time // first day on which the data is due for erasure; zero if closed customers are not erased
}

// ClosedCustomers returns which closed customers will be erased next, up to shownClosed.
// It makes one request for each year since FirstClosedYear, and three other requests.
func (a Access) ClosedCustomers(ctx context.Context) (ClosedCustomers, error) {
	if err := a.require(Administer); err != nil {
		return ClosedCustomers{}, err
	}
	settings, err := a.store.currentSettings(ctx)
	if err != nil {
		return ClosedCustomers{}, err
	}
	report, err := a.store.lastErasures(ctx)
	if err != nil {
		return ClosedCustomers{}, err
	}
	found := ClosedCustomers{Days: settings.EraseClosedDays, Last: *report}
	words, more, err := a.store.closedWords(ctx)
	if err != nil {
		return ClosedCustomers{}, err
	}
	found.Count, found.More = len(words), more
	due := settings.lastClosing(a.store.now()).Format(time.DateOnly)
	for i := range words {
		if settings.EraseClosedDays > 0 && words[i].Words <= due {
			found.Due++
		}
	}
	found.Next, err = a.store.closedCustomers(ctx, settings, words[:min(len(words), shownClosed)])
	return found, err
}

// closedWords returns up to countedClosed search words of closed customers for each year of
// closing, in the order of their days of closing. It also reports whether a year has more
// search words.
func (s *Store) closedWords(ctx context.Context) (words []SearchWord, more bool, err error) {
	var years []key.Map
	for year := FirstClosedYear; year <= s.now().UTC().Year(); year++ {
		years = append(years, closedIn(year))
	}
	items, more, err := s.table.QueryFirst(ctx, getByWords, years, countedClosed)
	words, err = decodeAll(items, err, decodeWord)
	slices.SortFunc(words, func(a, b SearchWord) int { return cmp.Or(cmp.Compare(a.Words, b.Words), cmp.Compare(a.ID, b.ID)) })
	return words, more, err
}

// closedIn returns the values of the query for the search words of customers who were
// closed in a year.
func closedIn(year int) key.Map {
	return key.Map{"group": string(wordsOfClosed), "initials": strconv.Itoa(year), "words": "", "shard": "0"}
}

// closedCustomers reads the customers of these search words. It leaves out customers who
// have been reopened or erased since the search words were read.
func (s *Store) closedCustomers(ctx context.Context, settings Settings, words []SearchWord) ([]ClosedCustomer, error) {
	r := &reading{}
	var records []**Customer
	for i := range words {
		p, values := words[i].record()
		records = append(records, slot[*Customer](r, p, values))
	}
	if err := s.table.LookUp(ctx, r.lookups, false); err != nil {
		return nil, err
	}
	var closed []ClosedCustomer
	for _, c := range valuesOf(records) {
		if !c.IsClosed() {
			continue
		}
		row := ClosedCustomer{Customer: c}
		if settings.EraseClosedDays > 0 {
			row.ErasedFrom = ErasedFrom(c.Closed, settings.EraseClosedDays)
		}
		closed = append(closed, row)
	}
	return closed, nil
}

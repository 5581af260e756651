package store

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Erasure is the result of ErasePerson or of its dry run.
type Erasure struct {
	Name     string // name of the person before the erasure; "" if already erased
	Changed  PersonalCounts
	Deleted  int      // number of deleted emails
	Others   []string // IDs that JoinPeople joined with the person; their records are not erased
	Blockers []EraseBlocker
	More     bool // the dry run had a limit, and there are more records
}

// Records returns the number of records that are changed or deleted.
func (e *Erasure) Records() int {
	n := e.Deleted
	for _, changed := range e.Changed {
		n += changed
	}
	return n
}

// erasePasses is the maximum number of passes of ErasePerson if changes by others keep
// conflicting with it.
const erasePasses = 10

// ErasePerson erases the personal data of a customer, renter or employee: names, contacts,
// addresses, notes, index keys and search words. Amounts, dates, products, IDs and document
// numbers stay. It returns NotFound if nobody has the ID. It returns Conflict if an order,
// invoice, shipment, rental, rental charge, booking, subscription or employment is still
// open, or if an email to the person is being sent. Erasure.Blockers then lists the
// reasons. It also returns Conflict if this server lacks a key that sealed a day of the
// history; see requireAuditKey.
//
// ErasePerson erases erasureItems records per transaction, and the record of the person
// last. If it is interrupted, call it again: it continues with the records that are left.
// If nothing is left, it changes nothing.
func (a Access) ErasePerson(ctx context.Context, id string) (Erasure, error) {
	blocks, err := a.store.blockers(ctx)
	if err != nil {
		return Erasure{}, err
	}
	return a.erasePerson(ctx, id, blocks)
}

// erasePerson is like ErasePerson, but calls the function blocks for each record to find out
// whether the record prevents the erasure.
func (a Access) erasePerson(ctx context.Context, id string, blocks func(Entity) (EraseBlocker, bool)) (Erasure, error) {
	if err := a.requireChange(Administer); err != nil {
		return Erasure{}, err
	}
	if err := a.store.requireAuditKey(ctx); err != nil {
		return Erasure{}, err
	}
	plan, err := a.store.planErasure(ctx, id, 0, blocks)
	if err != nil || len(plan.result.Blockers) > 0 {
		return plan.result, plan.refuse(err)
	}
	total := Erasure{Name: plan.result.Name, Changed: PersonalCounts{}, Others: plan.result.Others}
	for pass := 1; ; pass++ {
		e := &personEraser{access: a, ctx: ctx, id: id, blocks: blocks, names: plan.names, kayaks: plan.kayaks}
		err := e.erase()
		total.add(e.result)
		if err == nil && e.result.Records() == 0 {
			return total, nil // nothing was left to erase
		}
		if err != nil && (KindOf(err) != Conflict || len(e.result.Blockers) > 0 || pass >= erasePasses) {
			return total, err
		}
	}
}

// ErasureOf makes a dry run of ErasePerson. It returns what would change and what
// prevents the erasure. If the argument limit is not 0, it is the maximum number of orders,
// rentals and bookings to read. ErasureOf then reads at most MaxLimit other records of each
// kind, and does not count events of kayaks and entries of the stock ledger. It returns
// NotFound if PersonalData does.
func (a Access) ErasureOf(ctx context.Context, id string, limit int) (Erasure, error) {
	if err := a.require(Administer); err != nil {
		return Erasure{}, err
	}
	blocks, err := a.store.blockers(ctx)
	if err != nil {
		return Erasure{}, err
	}
	plan, err := a.store.planErasure(ctx, id, limit, blocks)
	return plan.result, err
}

// EraseLease returns the name of the lease that a server holds while it erases the data of
// a person.
func EraseLease(id string) string { return "erase " + id }

// IsErasing reports whether a server is erasing the data of a person.
func (a Access) IsErasing(ctx context.Context, id string) (bool, error) {
	if err := a.require(Administer); err != nil {
		return false, err
	}
	return a.store.IsLeased(ctx, EraseLease(id))
}

// RecordErasureFailure records in an event why the data of a person was not erased, or
// only in part. If cause is an Error, the event contains its message. If cause is
// context.Canceled, the event says that the server stopped. For other errors, the event
// refers to the server's log.
func (a Access) RecordErasureFailure(ctx context.Context, id string, cause error) error {
	if err := a.requireChange(Administer); err != nil {
		return err
	}
	partition, err := a.store.partitionOfPerson(ctx, id)
	if err != nil {
		return err
	}
	why := "Something went wrong. The server's log has the details. Erase the personal data again to continue."
	var known *Error
	switch {
	case errors.As(cause, &known):
		why = known.Message
	case errors.Is(cause, context.Canceled):
		why = "The server stopped before the erasure was finished. Erase the personal data again to continue."
	}
	c, err := a.change(ctx, "")
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: partition, What: EventErasureFailed, Why: why})
	return c.Commit(ctx)
}

// FailedErasure returns the event of the last erasure of a person if that erasure failed.
// Otherwise, it returns nil. It reads only the newest searchedEvents events of the person.
func (a Access) FailedErasure(ctx context.Context, id string) (*Event, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	partition, err := a.store.partitionOfPerson(ctx, id)
	if err != nil {
		return nil, err
	}
	items, _, err := a.store.table.QueryOnce(ctx, table.Request{
		Pattern:    getEventsOfThing,
		Values:     key.Map{"partition": partition},
		Limit:      searchedEvents,
		Consistent: true,
	})
	events, err := decodeAll(items, err, decodeAs[Event])
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(events, func(e Event) bool { return e.What == EventErasureFailed || e.What == EventPersonErased })
	if i < 0 || events[i].What == EventPersonErased {
		return nil, nil //nolint:nilnil // nil: the last erasure has not failed
	}
	return &events[i], nil
}

func (e *Erasure) add(pass Erasure) {
	for file, n := range pass.Changed {
		e.Changed[file] += n
	}
	e.Deleted += pass.Deleted
	e.Blockers = pass.Blockers
}

// requireAuditKey returns Conflict if a day of the history is sealed with a key that this
// process does not have. The erasure redacts events. A redacted event contains hashes of
// the original event, but only for the keys of this process. Seals with other keys could no
// longer be verified.
func (s *Store) requireAuditKey(ctx context.Context) error {
	now := s.now().UTC()
	for seal, err := range s.sealsOf(ctx, DateRange{From: now.AddDate(1-maxSealYears, 0, 0), To: now.AddDate(1, 0, 0)}) {
		if err != nil {
			return err
		}
		if _, ok := s.auditKeys.withID(seal.Key); !ok {
			return fail(Conflict, "The history of %s is sealed with a key that this server doesn't have. Add the key with the ID %s to STOCKROOM_AUDIT_KEY, so that the seals remain valid.", longDay(seal.Day), seal.Key)
		}
	}
	return nil
}

// erasurePlan contains what an erasure needs to know about all records before it changes
// any.
type erasurePlan struct {
	blocks func(Entity) (EraseBlocker, bool)
	result Erasure
	names  []string     // current and earlier names of the person
	kayaks []personTime // the periods in which the person had a kayak
}

// personTime is a period in which the person rented or paid for a kayak. Events of the
// kayak in this period can name the person.
type personTime struct {
	kayakID  string
	from, to time.Time
	isRental bool // the period is a rental, not the time of a payment
}

// isOf reports whether the event is about the rental itself. Its reason then names the
// person, possibly with a name that no other record contains.
func (t *personTime) isOf(e *Event) bool {
	if !t.isRental {
		return false
	}
	switch e.What {
	case EventKayakCheckedOut:
		return isNear(e.When, t.from)
	case EventKayakExtended:
		return !e.When.Before(t.from) && !e.When.After(t.to)
	case EventKayakCheckedIn:
		return isNear(e.When, t.to)
	}
	return false
}

// isNear reports whether an event can belong to a change at the other time, which is rounded
// down to seconds.
func isNear(event, other time.Time) bool { return event.Sub(other).Abs() < 2*time.Second }

// planErasure reads the records of a person. limit has the same meaning as in ErasureOf.
func (s *Store) planErasure(ctx context.Context, id string, limit int, blocks func(Entity) (EraseBlocker, bool)) (*erasurePlan, error) {
	p := &erasurePlan{blocks: blocks, result: Erasure{Changed: PersonalCounts{}}}
	reader := personalReader{ctx: ctx, store: s, id: id, limit: limit, visit: func(file PersonalFile, e Entity) error {
		p.visit(s.now(), file, e)
		return nil
	}}
	if err := reader.read(); err != nil {
		return p, err
	}
	p.result.More = reader.more
	events := &personEraser{access: Access{store: s}, ctx: ctx, id: id, names: p.names, kayaks: p.kayaks, dryRun: true, result: p.result}
	if limit > 0 {
		return p, nil
	}
	err := events.eraseKayakEvents()
	p.result = events.result
	return p, err
}

func (p *erasurePlan) visit(now time.Time, file PersonalFile, e Entity) {
	if b, ok := p.blocks(e); ok && len(p.result.Blockers) < maxBlockers {
		p.result.Blockers = append(p.result.Blockers, b)
	}
	switch e := e.(type) {
	case *Customer:
		p.addName(e.Name)
		p.result.Name = e.Name
	case *Person:
		p.addName(e.Name)
		p.result.Name = e.Name
	case *Employee:
		p.addName(e.Name)
		p.result.Name = e.Name
	case *Rental:
		p.addName(e.PersonName)
		until := e.Returned
		if until.IsZero() {
			until = now
		}
		p.kayaks = append(p.kayaks, personTime{kayakID: e.KayakID, from: e.Out, to: until, isRental: true})
	case *RentalPayment:
		p.addName(e.PersonName)
		for _, r := range e.Rentals {
			p.kayaks = append(p.kayaks, personTime{kayakID: r.KayakID, from: e.At, to: e.At})
		}
	case *Booking:
		p.addName(e.PersonName)
	case *Employment:
		p.addName(e.PersonName)
	case *Quota:
		p.addName(e.Name)
	case *Order:
		p.addName(e.CustomerName)
	case *SamePerson:
		p.result.Others = e.Others
		p.result.Changed[file]++
		return
	case *Event:
		p.addFormerNames(file, e)
		if withoutDetails(e) != nil {
			p.result.Changed[file]++
		}
		return
	case *Email:
		p.result.Deleted++
		return
	}
	if withoutPerson(e) != nil {
		p.result.Changed[file]++
	}
}

func (p *erasurePlan) addName(name string) {
	if name != "" && !slices.Contains(p.names, name) {
		p.names = append(p.names, name)
	}
}

// addFormerNames adds the names in an event that changed the name of the person.
func (p *erasurePlan) addFormerNames(file PersonalFile, e *Event) {
	if name, ok := value(e.values(), "", "name"); ok && file == PersonalProfile {
		p.addName(name.Before)
		p.addName(name.After)
	}
}

// refuse returns err, if it is not nil. Otherwise it returns Conflict with the first reason
// if something prevents the erasure.
func (p *erasurePlan) refuse(err error) error {
	if err != nil || len(p.result.Blockers) == 0 {
		return err
	}
	return fail(Conflict, "This person can't be erased yet: %s", p.result.Blockers[0].Reason)
}

// personEraser is one pass of ErasePerson over the records of the person.
type personEraser struct {
	access Access
	ctx    context.Context
	id     string
	blocks func(Entity) (EraseBlocker, bool)
	names  []string
	kayaks []personTime
	dryRun bool
	result Erasure

	writes   []func(*change) // writes of the next transaction
	profiles []Entity        // the person's own records, which are erased last
	same     *SamePerson     // IDs that JoinPeople joined with the person; nil if there are none
}

// erase erases all records that are left. It returns Conflict if a record has changed since
// it was read, or if a record prevents the erasure.
func (p *personEraser) erase() error {
	p.result.Changed = PersonalCounts{}
	if err := p.eraseKayakEvents(); err != nil {
		return err
	}
	reader := personalReader{ctx: p.ctx, store: p.access.store, id: p.id, visit: p.visit}
	if err := reader.read(); err != nil {
		return err
	}
	if err := p.flush(); err != nil {
		return err
	}
	return p.eraseProfiles()
}

func (p *personEraser) visit(file PersonalFile, e Entity) error {
	if b, ok := p.blocks(e); ok {
		p.result.Blockers = append(p.result.Blockers, b)
		return fail(Conflict, "This person can't be erased yet: %s", b.Reason)
	}
	switch e := e.(type) {
	case *SamePerson:
		p.same = e
		return nil
	case *Event:
		return p.redact(file, e, withoutDetails(e))
	case *StockMove:
		return p.overwrite(file, withoutPerson(e))
	case *Email:
		return p.add(func(c *change) { c.DeleteVersion(e, e.Version) }, &p.result.Deleted)
	case *Employment:
		if err := p.deleteStaffEntry(e); err != nil {
			return err
		}
	}
	after := withoutPerson(e)
	if after == nil {
		return nil
	}
	switch e.(type) {
	case *Customer, *Person, *Employee:
		p.profiles = append(p.profiles, e)
		return nil
	}
	return p.replace(file, e, after)
}

// deleteStaffEntry deletes the StoreEmployee of an ended employment, which contains the name
// until TTL deletes it.
func (p *personEraser) deleteStaffEntry(e *Employment) error {
	staff, err := p.access.store.staffEntry(p.ctx, e.StoreID, e.PersonID)
	if err != nil || staff == nil || staff.EmploymentID != e.ID {
		return err
	}
	var deleted int // part of the employment, not a further record
	return p.add(func(c *change) { c.DeleteVersion(staff, staff.Version) }, &deleted)
}

func (p *personEraser) replace(file PersonalFile, before, after Entity) error {
	n := p.result.Changed[file]
	err := p.add(func(c *change) {
		c.Replace(after, versionOf(before))
		c.updateWords(before, after)
	}, &n)
	p.result.Changed[file] = n
	return err
}

func (p *personEraser) redact(file PersonalFile, e, after *Event) error {
	if after == nil {
		return nil
	}
	return p.overwrite(file, p.access.store.auditKeys.redact(e, *after))
}

// overwrite replaces an entity that has no version. It does nothing if after is nil.
func (p *personEraser) overwrite(file PersonalFile, after Entity) error {
	if after == nil {
		return nil
	}
	n := p.result.Changed[file]
	err := p.add(func(c *change) { c.Put(after, itemExists) }, &n)
	p.result.Changed[file] = n
	return err
}

// add adds a write to the next transaction, and commits the transaction if it is full.
func (p *personEraser) add(write func(*change), count *int) error {
	*count++
	if p.dryRun {
		return nil
	}
	p.writes = append(p.writes, write)
	if len(p.writes) < erasureItems {
		return nil
	}
	return p.flush()
}

// erasureItems is the number of records per transaction. Each record takes a few actions:
// one for the record, and one for each search word that is deleted.
const erasureItems = stepItems / 2

// flush commits the writes so far. It records no event: eraseProfiles records the event of
// the whole erasure.
func (p *personEraser) flush() error {
	if len(p.writes) == 0 {
		return nil
	}
	c, err := p.access.change(p.ctx, "")
	if err != nil {
		return err
	}
	for _, write := range p.writes {
		write(c)
	}
	p.writes = nil
	return c.Commit(p.ctx)
}

// eraseProfiles erases the person's own records and their search words. It also separates
// them from the records that JoinPeople joined with them, and records the event of the
// erasure.
func (p *personEraser) eraseProfiles() error {
	if len(p.profiles) == 0 && p.same == nil {
		return nil
	}
	c, err := p.access.change(p.ctx, "")
	if err != nil {
		return err
	}
	partition, err := p.access.store.partitionOfPerson(p.ctx, p.id)
	if err != nil {
		return err
	}
	for _, before := range p.profiles {
		after := withoutPerson(before)
		c.updateWords(before, after)
		c.Replace(after, versionOf(before))
		p.result.Changed[PersonalProfile]++
	}
	c.recordEvent(Event{Partition: partition, What: EventPersonErased})
	if p.same != nil {
		p.result.Changed[PersonalProfile]++
		if err := p.access.separateAll(p.ctx, c, p.same); err != nil {
			return err
		}
	}
	return c.Commit(p.ctx)
}

// eraseKayakEvents redacts events of kayaks, such as check-outs, that name the person
// as the renter. These events can contain a former name: renaming the person also renames
// active rentals and unpaid charges, but not their events.
func (p *personEraser) eraseKayakEvents() error {
	times := map[string][]personTime{}
	for _, t := range p.kayaks {
		times[t.kayakID] = append(times[t.kayakID], t)
	}
	for _, kayakID := range slices.Sorted(maps.Keys(times)) {
		var found []Event
		for row, err := range p.access.store.rowsOf(p.ctx, getEventsOfThing, key.Map{"partition": kayakPartition(kayakID)}) {
			if err != nil {
				return err
			}
			var e Event
			if err := decodeAs(row, &e); err != nil {
				return err
			}
			if p.isNamedIn(&e) || isOfRental(&e, times[kayakID]) || e.Redacted != "" { // an earlier, interrupted erasure may have redacted it
				found = append(found, e)
			}
		}
		if err := p.redactKayakEvents(found, times[kayakID]); err != nil {
			return err
		}
	}
	return p.flush()
}

// isOfRental reports whether the event is about one of the rentals among the periods.
func isOfRental(e *Event, times []personTime) bool {
	return slices.ContainsFunc(times, func(t personTime) bool { return t.isOf(e) })
}

// redactKayakEvents redacts the events of a kayak that were recorded while the person had
// the kayak, and that name the person or are about the rental itself. It also redacts the
// undos of these events, which can be later. It keeps events of other times, because they can
// be about another person with the same name.
func (p *personEraser) redactKayakEvents(found []Event, times []personTime) error {
	slices.SortFunc(found, func(x, y Event) int { return strings.Compare(x.ID, y.ID) }) // so that undos come after the undone events
	about := map[string]bool{}
	for i := range found {
		e := &found[i]
		if !about[e.Undoes] && !slices.ContainsFunc(times, func(t personTime) bool {
			return !e.When.Before(t.from.Add(-time.Minute)) && !e.When.After(t.to.Add(time.Minute))
		}) {
			continue
		}
		about[e.ID] = true
		if !p.isNamedIn(e) && !isOfRental(e, times) {
			continue
		}
		after := *e
		after.Why, after.Values = "", ""
		after.Before, after.After = p.withoutName(e.Before), p.withoutName(e.After)
		if e.What == EventNoteWithdrawn {
			after.Before = "" // Before is an excerpt, which can end in the middle of the name
		}
		if reflect.DeepEqual(after, *e) {
			continue // an earlier erasure has redacted it
		}
		if err := p.redact(PersonalRentals, e, &after); err != nil {
			return err
		}
	}
	return nil
}

func (p *personEraser) isNamedIn(e *Event) bool {
	return slices.ContainsFunc(p.names, func(name string) bool {
		return strings.Contains(e.Why, name) || strings.Contains(e.Before, name) || strings.Contains(e.After, name) || containsText(e.values(), name)
	})
}

func containsText(values []EventValue, text string) bool {
	return slices.ContainsFunc(values, func(v EventValue) bool { return strings.Contains(v.Before, text) || strings.Contains(v.After, text) })
}

func (p *personEraser) withoutName(text string) string {
	if slices.ContainsFunc(p.names, func(name string) bool { return strings.Contains(text, name) }) {
		return ""
	}
	return text
}

var itemExists = table.Condition{Expression: "attribute_exists(#key)", Names: map[string]string{"#key": table.AttrPK}}

package store

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// An undo reverses the change that an event records. It uses the same methods as the forms,
// so it follows today's permissions, versions and rules. Only the rules of single fields do
// not apply to the values that it restores; see edit.check. The event of an undo names the
// event that it reverses (Event.Undoes), and the transaction of the undo marks the reversed
// event as undone. The map reversals says which events can be undone and how. The map
// irreversible says why other events cannot. The event of an undo also has values, so an
// undo can be undone.

// UndoValue is a value that an undo restores, as pages show it.
type UndoValue struct {
	Label    string
	Kind     InputKind // with InputMoney, the values are amounts without currency
	Done     string    // value after the change; "" if only the difference matters
	Now      string    // current value
	Then     string    // value after the undo
	Conflict bool      // the current value prevents the undo
}

// UndoPlan says what an undo would change.
type UndoPlan struct {
	Event   Event // only its ID and Partition are set if WhyNotUndone returns a reason
	Values  []UndoValue
	Seen    int    // hash of the current values, for the form
	Refusal string // why the change cannot be undone; "" if it can

	Kind      ReferenceKind // "" if the record is not a reference
	Followers Followers     // the records that get the earlier name of the reference

	save func(ctx context.Context, a Access, token string) error
}

// UndoForm is a request to undo an event.
type UndoForm struct {
	Partition, ID string
	Seen          int    // UndoPlan.Seen of the form
	Token         string // form token
}

// reversal says how to undo the events with one EventCode.
type reversal struct {
	permission Permission // the permission that the change requires
	// plan reads the record of the event. It returns NotFound or Forbidden if the user
	// may not change the record.
	plan func(ctx context.Context, a Access, e *Event) (*UndoPlan, error)
	// ends reports whether a later event prevents the undo. v is a value in the event to
	// undo. The argument now is the same value in the later event. ends is nil if later
	// events do not matter.
	ends func(later *Event, v, now EventValue) bool
}

// WhyNotUndone returns why nobody can undo the event. It looks only at the event's code
// and values, and returns "" if they allow an undo.
func (e *Event) WhyNotUndone() string {
	if reason, ok := irreversible[e.What]; ok {
		return reason
	}
	if _, ok := reversals[e.What]; !ok || !e.hasValues() {
		return "The history doesn't contain the exact values from before this change."
	}
	return ""
}

// hasValues reports whether the event has the values that an undo needs. A note needs no
// values, because its text is the reason of the event. Redacted events have no values.
func (e *Event) hasValues() bool { return e.Redacted == "" && (e.Values != "" || e.What == EventNote) }

// MayUndo reports whether a page should offer an undo of the event to the user. The
// undo itself also checks the record.
func (u *User) MayUndo(e *Event) bool {
	return e.UndoneBy == "" && e.WhyNotUndone() == "" && u.May(reversals[e.What].permission)
}

// Overwritten finds events that cannot be undone because a later event in the list has
// changed the same value. It returns these later events by the ID of the earlier event.
func Overwritten(events []*Event) map[string]*Event {
	type about struct{ partition, part, name string }
	type change struct {
		*Event
		value EventValue
	}
	newestFirst := slices.SortedFunc(slices.Values(events), func(a, b *Event) int { return cmp.Or(b.When.Compare(a.When), strings.Compare(b.ID, a.ID)) })
	newest, counts, found := map[about]change{}, map[about]change{}, map[string]*Event{}
	for _, e := range newestFirst {
		ends := reversals[e.What].ends
		for _, v := range e.changes() {
			at := about{e.Partition, v.Part, v.Name}
			for _, later := range []change{newest[at], counts[at]} {
				if ends != nil && later.Event != nil && ends(later.Event, v, later.value) {
					found[e.ID] = later.Event
				}
			}
			if _, known := newest[at]; !known {
				newest[at] = change{e, v}
			}
			if _, known := counts[at]; !known && e.isCount() {
				counts[at] = change{e, v}
			}
		}
	}
	return found
}

// changes returns the values that the event changed. For a check-out or a check-in,
// which cannot be undone, it returns only the status of the kayak.
func (e *Event) changes() []EventValue {
	if e.What == EventKayakCheckedOut || e.What == EventKayakCheckedIn {
		return []EventValue{{Name: "status", Before: e.Before, After: e.After}}
	}
	return e.values()
}

// PlanUndo returns what an undo of an event would change. It returns NotFound if there is
// no such event, or if the user may not see its record. It returns Forbidden if the user
// may not change the record.
func (a Access) PlanUndo(ctx context.Context, partition, id string) (*UndoPlan, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	e, err := a.store.event(ctx, partition, id)
	if err != nil {
		return nil, err
	}
	if reason := e.WhyNotUndone(); reason != "" {
		return &UndoPlan{Event: Event{ID: e.ID, Partition: e.Partition}, Refusal: reason}, nil
	}
	r := reversals[e.What]
	if err := a.require(r.permission); err != nil {
		return nil, err
	}
	plan, err := r.plan(ctx, a, e)
	if err != nil {
		return nil, err
	}
	plan.Event, plan.Seen = *e, seenValues(plan.Values)
	switch {
	case e.UndoneBy != "":
		plan.Refusal = fmt.Sprintf("%s has already undone this change.", e.UndoneBy)
	case plan.Refusal == "" && plan.conflicts():
		plan.Refusal = "The values have changed since, so this change can't be undone."
	}
	return plan, nil
}

func (p *UndoPlan) conflicts() bool {
	for _, v := range p.Values {
		if v.Conflict {
			return true
		}
	}
	return false
}

func seenValues(values []UndoValue) int {
	sum := fnv.New32a()
	for _, v := range values {
		_, _ = sum.Write([]byte(v.Label + "\x00" + v.Now + "\x00")) // writing to a hash never fails
	}
	return 1 + int(sum.Sum32()>>1)
}

// Undo undoes the change of an event. It returns NotFound or Forbidden like PlanUndo, and
// Invalid if a rule rejects the earlier values. It returns Conflict if the change cannot be
// undone, or if the form showed other values.
func (a Access) Undo(ctx context.Context, f UndoForm) error {
	plan, err := a.PlanUndo(ctx, f.Partition, f.ID)
	if err != nil {
		return err
	}
	switch {
	case plan.Refusal != "":
		return a.store.okIfApplied(ctx, f.Partition, f.Token, fail(Conflict, "%s", plan.Refusal))
	case plan.Seen != f.Seen:
		return a.store.okIfApplied(ctx, f.Partition, f.Token, fail(Conflict, "The values have changed since this page was loaded. Check them, and then undo the change."))
	}
	a.undoing = &plan.Event
	return plan.save(ctx, a, f.Token)
}

// event makes a consistent read of an event.
func (s *Store) event(ctx context.Context, partition, id string) (*Event, error) {
	e, err := readConsistently[*Event](ctx, s, getEvent, key.Map{"partition": partition, "eventID": id})
	if KindOf(err) == NotFound {
		return nil, fail(NotFound, "This change is not in the history.")
	}
	return e, err
}

// markUndone links the event e, the first event of the change, to the event that the
// change undoes. It marks that event as undone. If another change has already undone
// that event, the transaction fails.
func (c *change) markUndone(e *Event) {
	if c.undoes == nil {
		return
	}
	e.Undoes = c.undoes.ID
	if e.Why == "" {
		e.Why = c.undoes.undoReason(c.by)
	}
	c.Update(c.undoes, "SET #by = :by, #undone = :now ADD #version :one", table.Condition{
		Expression: "attribute_exists(#key) AND attribute_not_exists(#by)",
		Names:      map[string]string{"#key": table.AttrPK, "#by": "UndoneBy", "#undone": "Undone", "#version": table.AttrVersion},
		Values: Item{
			":by":  table.StringValue(c.by),
			":now": table.StringValue(key.Time(c.store.now())),
			":one": table.NumberValue("1"),
		},
	})
}

// undoReason returns the reason of the event in which a user undoes e. It names the
// user who made the change, unless the same user undoes it.
func (e *Event) undoReason(by string) string {
	details := e.When.UTC().Format("2 Jan 2006 15:04 UTC")
	if e.By != by {
		details = e.By + ", " + details
	}
	return fmt.Sprintf("Undoes “%s” (%s)", e.Sentence(), details)
}

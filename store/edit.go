package store

import (
	"context"
	"slices"
	"strings"
)

// editable is an entity with an edit form.
type editable[T any] interface {
	*T
	Entity
	version() *int
}

// edit describes how a form adds or changes a T. The functions that return one are not
// methods of Access. Otherwise, each package that uses Access would compile the methods of
// edit and Fields again.
type edit[T any] struct {
	fields    Fields[T]
	added     EventCode                               // event for a new T
	edited    EventCode                               // event for a changed T
	subject   string                                  // subject of the events; "" for most events
	part      string                                  // see EventValue.Part; "" for most events
	partition string                                  // partition of the record's events
	token     string                                  // form token
	validate  func(*T) error                          // checks rules about several fields; may be nil
	unique    func(*T) error                          // checks that no other record has the same unique value; may be nil
	also      func(c *change, before, after *T) error // adds writes that precede the write of after; may be nil; before is nil for a new T

	// correct adjusts the edited record (after) before it is compared with the stored
	// record (before). It returns a function that adds other writes. before is nil for a
	// new T. correct may be nil.
	correct func(before, after *T) (also func(*change), err error)
}

// check returns Invalid if the edited record (after) has invalid values, or if a.Wrong
// contains errors. before is the stored record, or nil for a new record. An undo restores
// values that were stored before, so the rules of single fields do not apply to it: an import
// can have added values that a form rejects.
func (e *edit[T]) check(ctx context.Context, a Access, before, after *T) error {
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	wrong := slices.Clone(a.Wrong)
	var checks []error
	if a.undoing == nil {
		checks = append(checks, e.fields.check(after), e.fields.checkPhones(before, after), e.fields.checkDecimals(before, after, settings.Currency))
		if !a.importing { // otherwise, no user entered the address
			checks = append(checks, e.fields.checkEmails(before, after))
		}
	}
	for _, err := range checks {
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	for _, check := range []func(*T) error{e.validate, e.unique} {
		if check == nil {
			continue
		}
		if err := wrong.Add(check(after)); err != nil && len(wrong) == 0 { // ignore other errors after an invalid value, because the invalid value can cause them
			return err
		}
	}
	return wrong.Err()
}

// corrected calls e.correct, if it is set. It returns a function that adds the other writes
// of the correction.
func (e *edit[T]) corrected(before, after *T) (also func(*change), err error) {
	if e.correct == nil {
		return func(*change) {}, nil
	}
	return e.correct(before, after)
}

// createFromForm stores a new record from a form. It returns Invalid if a field is
// invalid. If the form was already submitted, it succeeds without storing anything.
func createFromForm[T any, E editable[T]](ctx context.Context, a Access, added E, e edit[T]) error {
	if err := e.check(ctx, a, nil, added); err != nil {
		return a.store.okIfApplied(ctx, e.partition, e.token, err)
	}
	c, err := a.change(ctx, e.token)
	if err != nil {
		return err
	}
	corrected, err := e.corrected(nil, added)
	if err != nil {
		return err
	}
	*added.version() = 1
	c.recordEvent(Event{Partition: e.partition, What: e.added, Subject: e.subject})
	corrected(c)
	if e.also != nil {
		if err := e.also(c, nil, added); err != nil {
			return err
		}
	}
	c.Create(added)
	return c.Commit(ctx)
}

// saveFromForm replaces the editable fields of before, the stored record, with the fields
// of edited. It returns Conflict if the form showed another version, and Invalid if a
// field is invalid. If no field differs, it writes nothing.
func saveFromForm[T any, E editable[T]](ctx context.Context, a Access, before, edited E, e edit[T]) error {
	c, err := a.change(ctx, e.token)
	if err != nil {
		return err
	}
	if *edited.version() != *before.version() {
		return c.rejectOutdated(ctx, e.partition)
	}
	after := *before
	e.fields.copy(&after, edited)
	if err := e.check(ctx, a, before, &after); err != nil {
		return err
	}
	corrected, err := e.corrected(before, &after)
	if err != nil {
		return err
	}
	changes := e.fields.edits(before, &after, c.currency)
	for i := range changes.values {
		changes.values[i].Part = e.part
	}
	entry, changed := changes.event(e.partition, e.edited)
	if !changed {
		return nil
	}
	entry.Subject = e.subject
	c.recordEvent(entry)
	corrected(c)
	c.updateWords(before, E(&after))
	if e.also != nil {
		if err := e.also(c, before, &after); err != nil {
			return err
		}
	}
	c.replaceNext(E(&after), E(&after).version())
	return c.Commit(ctx)
}

// edits compares the fields of two states of a record. currency is the currency of the
// amounts in the text for people.
func (fs Fields[T]) edits(before, after *T, currency string) *edits {
	var e edits
	for i := range fs {
		f := &fs[i]
		from, to, name := f.format(before), f.format(after), lowerFirst(f.Label)
		if from != to {
			e.values = append(e.values, EventValue{Name: f.Name, Before: from, After: to})
		}
		switch {
		case from == to:
		case f.hides:
			e.field(name, "", "changed")
		case f.Kind == InputLongText && to == "":
			e.field(name, excerpt(from), "removed")
		case f.Kind == InputLongText:
			e.field(name, excerpt(from), excerpt(to)+" (new)")
		case f.Kind == InputMoney:
			e.field(name, f.money(from, currency), f.money(to, currency))
		default:
			e.field(name, strings.ReplaceAll(from, "\n", " / "), strings.ReplaceAll(to, "\n", " / "))
		}
	}
	return &e
}

// edits contains the changed fields of a record, with their values before and after
// the change.
type edits struct {
	before, after []string     // values as the history shows them
	values        []EventValue // values of editable fields
}

func (e *edits) field(name, before, after string) {
	if before != after {
		e.before = append(e.before, name+" "+orDash(before))
		e.after = append(e.after, name+" "+orDash(after))
	}
}

// event returns the event for the edits. ok is false if no field changed.
func (e *edits) event(partition string, what EventCode) (entry Event, ok bool) {
	entry = Event{Partition: partition, What: what, Before: strings.Join(e.before, ", "), After: strings.Join(e.after, ", "), Values: eventValues(e.values...)}
	return entry, len(e.before) > 0
}

func orDash(value string) string {
	if value == "" {
		return "–"
	}
	return value
}

func excerpt(text string) string {
	const length = 60
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + "…"
	}
	return text
}

package store

import (
	"context"
	"strings"
)

// editable is an entity that has an edit form.
type editable[T any] interface {
	*T
	Entity
	version() *int
}

// edit describes a form that adds or changes a T.
type edit[T any] struct {
	fields    Fields[T]
	added     EventCode                               // the event of a new T
	edited    EventCode                               // the event of a changed T
	subject   string                                  // the subject of the event of a changed T; "" for most
	partition string                                  // the partition of the history
	token     string                                  // the form's token
	validate  func(*T) error                          // checks rules that span fields; may be nil
	also      func(c *change, before, after *T) error // adds writes to the transaction, before after is written; before is nil for a new T; may be nil
}

// check checks after, the T as edited. before is the stored T, or nil for a new
// one.
func (e *edit[T]) check(ctx context.Context, a Access, before, after *T) error {
	if err := e.fields.check(after); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	if err := e.fields.checkDecimals(before, after, settings.Currency); err != nil || e.validate == nil {
		return err
	}
	return e.validate(after)
}

// createFromForm stores a new T from a form. It returns Invalid for an invalid
// field. If the form was submitted before, it does nothing and succeeds.
func createFromForm[T any, E editable[T]](ctx context.Context, a Access, added E, e edit[T]) error {
	if err := e.check(ctx, a, nil, added); err != nil {
		return a.store.okIfApplied(ctx, e.partition, e.token, err)
	}
	c, err := a.change(ctx, e.token)
	if err != nil {
		return err
	}
	*added.version() = 1
	c.recordEvent(Event{Partition: e.partition, What: e.added})
	if e.also != nil {
		if err := e.also(c, nil, added); err != nil {
			return err
		}
	}
	c.Create(added)
	return c.Commit(ctx)
}

// saveFromForm copies the editable fields of edited to before, which was just read,
// and stores the result. It returns Conflict if before is not the version that the
// form showed, and Invalid for an invalid field. If no field differs, it writes
// nothing.
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
	entry, changed := e.fields.edits(before, &after).event(e.partition, e.edited)
	if !changed {
		return nil
	}
	entry.Subject = e.subject
	c.recordEvent(entry)
	c.updateWords(before, E(&after))
	if e.also != nil {
		if err := e.also(c, before, &after); err != nil {
			return err
		}
	}
	c.replaceNext(E(&after), E(&after).version())
	return c.Commit(ctx)
}

// edits returns the fields that differ, for the history.
func (fs Fields[T]) edits(before, after *T) *edits {
	var e edits
	for i := range fs {
		f := &fs[i]
		from, to, name := f.format(before), f.format(after), lowerFirst(f.Label)
		switch {
		case from == to:
		case f.hides:
			e.field(name, "", "changed")
		case f.Kind == InputLongText && to == "":
			e.field(name, excerpt(from), "removed")
		case f.Kind == InputLongText:
			e.field(name, excerpt(from), excerpt(to)+" (new)")
		default:
			e.field(name, strings.ReplaceAll(from, "\n", " / "), strings.ReplaceAll(to, "\n", " / "))
		}
	}
	return &e
}

// edits are the changed fields of a record, with their values before and after.
type edits struct{ before, after []string }

func (e *edits) field(name, before, after string) {
	if before != after {
		e.before = append(e.before, name+" "+orDash(before))
		e.after = append(e.after, name+" "+orDash(after))
	}
}

// event returns the history entry of the edits. ok is false if no field changed.
func (e *edits) event(partition string, what EventCode) (entry Event, ok bool) {
	entry = Event{Partition: partition, What: what, Before: strings.Join(e.before, ", "), After: strings.Join(e.after, ", ")}
	return entry, len(e.before) > 0
}

func orDash(value string) string {
	if value == "" {
		return "–"
	}
	return value
}

// excerpt shortens a long text.
func excerpt(text string) string {
	const length = 60
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + "…"
	}
	return text
}

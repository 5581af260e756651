package store

import (
	"context"
	"strings"
	"time"
)

// fieldUndo undoes edits of the fields of a T.
type fieldUndo[T any, E editable[T]] struct {
	permission Permission
	fields     func(e *Event) Fields[T]
	read       func(ctx context.Context, a Access, e *Event) (E, error) // reads the record for a change
	save       func(a Access, ctx context.Context, t T, token string) error
	version    func(E) int                                                    // returns the version that save expects; nil for the version of the record
	also       func(ctx context.Context, a Access, e E, plan *UndoPlan) error // completes the plan; may be nil
}

// reversal returns the reversal of edits of these fields. An edit can be undone if each
// field that it changed still has the value from the edit. Other fields may have
// changed since.
func (u fieldUndo[T, E]) reversal() reversal {
	return reversal{u.permission, func(ctx context.Context, a Access, e *Event) (*UndoPlan, error) {
		stored, err := u.read(ctx, a, e)
		if err != nil {
			return nil, err
		}
		plan, edited, fields := &UndoPlan{}, *stored, u.fields(e)
		for _, v := range e.values() {
			f := fields.named(v.Name)
			if f == nil {
				plan.Refusal = "This version of Stockroom doesn't have one of the changed fields."
				continue
			}
			now := f.format(stored)
			shown := UndoValue{Label: f.Label, Kind: f.Kind, Done: f.show(v.After), Now: f.show(now), Then: f.show(v.Before), Conflict: now != v.After}
			if f.Kind == InputPick {
				if err := a.nameValue(ctx, f.Choice, &shown); err != nil {
					return nil, err
				}
			}
			plan.Values = append(plan.Values, shown)
			if err := f.parse(&edited, v.Before); err != nil {
				plan.Refusal = err.Error()
			}
		}
		if u.version != nil {
			*E(&edited).version() = u.version(stored)
		}
		plan.save = func(ctx context.Context, a Access, token string) error { return u.save(a, ctx, edited, token) }
		if u.also != nil {
			err = u.also(ctx, a, stored, plan)
		}
		return plan, err
	}, func(_ *Event, v, now EventValue) bool { return now.After != v.After }}
}

// nameValue replaces the IDs of records in the value by their labels.
func (a Access) nameValue(ctx context.Context, kind ChoiceKind, v *UndoValue) error {
	labels := map[string]string{"": ""}
	for _, id := range []*string{&v.Done, &v.Now, &v.Then} {
		label, known := labels[*id]
		if !known {
			label = *id
			switch record, err := a.ChoiceOf(ctx, kind, *id); {
			case err == nil:
				label = record.Label()
			case KindOf(err) != NotFound && KindOf(err) != Forbidden:
				return err
			}
			labels[*id] = label
		}
		*id = label
	}
	return nil
}

func (fs Fields[T]) named(name string) *Field[T] {
	for i := range fs {
		if fs[i].Name == name {
			return &fs[i]
		}
	}
	return nil
}

// show formats a value of the field for a page: the label of an option, a date or one line.
func (f *Field[T]) show(value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return o.Label
		}
	}
	if day, err := time.Parse(time.DateOnly, value); err == nil && f.Kind == InputDay {
		return longDay(day)
	}
	return strings.ReplaceAll(value, "\n", " / ")
}

// recordID returns the ID of the record that the event is about.
func (e *Event) recordID() string { return e.Partition[strings.LastIndexByte(e.Partition, '#')+1:] }

// onlyPart returns the part of the record that all values of the event are about, or ""
// without values.
func (e *Event) onlyPart() string {
	if values := e.values(); len(values) > 0 {
		return values[0].Part
	}
	return ""
}

// always returns a function for fieldUndo.fields that returns the same fields for
// every event.
func always[T any](fields Fields[T]) func(*Event) Fields[T] {
	return func(*Event) Fields[T] { return fields }
}

// byID returns a function for fieldUndo.read that reads the record of the event.
func byID[E any](read func(Access, context.Context, string) (E, error)) func(context.Context, Access, *Event) (E, error) {
	return func(ctx context.Context, a Access, e *Event) (E, error) { return read(a, ctx, e.recordID()) }
}

// deliveryOf makes a consistent read of the expected delivery of an event.
func deliveryOf(ctx context.Context, a Access, e *Event) (*ExpectedDelivery, error) {
	warehouse, id, _ := strings.Cut(e.onlyPart(), "#")
	return a.DeliveryForChange(ctx, e.recordID(), warehouse, id)
}

// quotaOf makes a consistent read of the quota of an event.
func quotaOf(ctx context.Context, a Access, e *Event) (*Quota, error) {
	period, err := ParseQuarter(e.onlyPart())
	if err != nil {
		return nil, err
	}
	return a.QuotaForChange(ctx, e.recordID(), period)
}

func (e *Event) referenceKind() ReferenceKind {
	prefix, _, _ := strings.Cut(e.Partition, "#")
	for kind, design := range referenceDesigns {
		if design.prefix == prefix {
			return kind
		}
	}
	return ""
}

func referenceOf(ctx context.Context, a Access, e *Event) (*Reference, error) {
	return a.ReferenceForChange(ctx, e.referenceKind(), e.recordID())
}

package store

import "context"

// valueArchived is the name of the value in events that archive or restore a record.
const valueArchived = "archived"

// archivedValue returns the Event.Values of an event that archives or restores a
// record.
func archivedValue(before, after bool) string {
	return eventValues(EventValue{Name: valueArchived, Before: archivedText(before), After: archivedText(after)})
}

// archivedField returns the field that archiving or restoring a record changes.
func archivedField[T any](flag func(*T) *bool) Fields[T] {
	f := newField(InputText, valueArchived, "State", flag)
	f.format = func(t *T) string { return archivedText(*flag(t)) }
	f.parse = func(t *T, text string) error { *flag(t) = text == archivedText(true); return nil }
	return Fields[T]{f}
}

// archiveUndo returns the reversal of archiving and restoring a T.
func archiveUndo[T any, E editable[T]](id func(*T) string, flag func(*T) *bool, read func(Access, context.Context, string) (E, error), save func(Access, context.Context, Archiving) error) reversal {
	return fieldUndo[T, E]{
		permission: SetUp,
		fields:     always(archivedField(flag)),
		read:       byID(read),
		save: func(a Access, ctx context.Context, t T, token string) error {
			return save(a, ctx, Archiving{ID: id(&t), Restore: !*flag(&t), Version: *E(&t).version(), Token: token})
		},
	}.reversal()
}

package store

import (
	"context"
	"hash/fnv"
)

// fingerprint returns a hash of the editable fields. Some records contain counts. The
// counts change often, and each change also changes the Version of the record. Forms of
// such records use the fingerprint instead.
func (fs Fields[T]) fingerprint(t *T) int {
	sum := fnv.New32a()
	for i := range fs {
		_, _ = sum.Write([]byte(fs[i].format(t) + "\x00")) // a hash never returns an error
	}
	return 1 + int(sum.Sum32()>>1)
}

// saveCounted is like saveFromForm, for a record with counts that change often.
// edited.Version is the fingerprint of the fields that the form showed. read reads
// the record.
func saveCounted[T any, E editable[T]](ctx context.Context, a Access, read func() (E, error), edited E, e edit[T]) error {
	if _, err := read(); err != nil {
		return err // for example, because the user may not edit the record
	}
	// The fingerprint cannot detect a form that is submitted twice, because someone may
	// have changed the fields back in between.
	if before, err := a.store.alreadyApplied(ctx, e.partition, e.token); before || err != nil {
		return err
	}
	shown := *edited.version()
	return retryOnConflict(ctx, func() error {
		before, err := read()
		if err != nil {
			return err
		}
		if *edited.version() = *before.version(); shown != e.fields.fingerprint(before) {
			*edited.version() = *before.version() - 1
		}
		return saveFromForm(ctx, a, before, edited, e)
	})
}

package store

import (
	"context"
	"strings"

	"github.com/oklog/ulid/v2"

	"stockroom/store/key"
	"stockroom/store/table"
)

// A form counts once. What a change calls once is the token of its form and,
// behind a dot, a digest of what was typed. The first event of the change
// keeps it: a form that comes again with the same values was done, one that
// comes again with others is somebody who went back and corrected themselves.

// remembered is how many of a thing's newest events are looked through for a
// form that was sent before. Whoever goes back to a form after a hundred other
// changes of that thing is answered by what it has become.
const remembered = 100

// tokenOf is the token in what a form says of itself.
func tokenOf(once string) string {
	token, _, _ := strings.Cut(once, ".")
	return token
}

// ofForm is the ID of what a form creates: its token, so that the form cannot
// create it twice, or a new one where there is no form.
func (s *Store) newID(once string) (string, error) {
	if once == "" {
		return s.ids.New()
	}
	if _, err := ulid.ParseStrict(tokenOf(once)); err != nil {
		return "", InvalidField("", "This form did not come from here. Open the page again.")
	}
	return tokenOf(once), nil
}

// sentBefore says whether an event that keeps this token was told by the form
// that is here now. It fails where it was the same form with other values.
func isApplied(told, once string) (bool, error) {
	switch {
	case once == "" || tokenOf(told) != tokenOf(once):
		return false, nil
	case told != once:
		return false, fail(Conflict, "This form was sent before, and what it said then was done. Look at what there is now, and send it again if this is to be done besides.")
	}
	return true, nil
}

// done says whether the form was sent before, by the newest events of the
// partition in which its change is told. It reads consistently: the event may
// have been written a moment ago.
func (s *Store) done(ctx context.Context, partition, once string) (bool, error) {
	if once == "" {
		return false, nil
	}
	items, _, err := s.table.QueryOnce(ctx, table.Request{
		Pattern: getEventsOfThing, Values: key.Map{"partition": partition}, Limit: remembered, Consistent: true,
	})
	if err != nil {
		return false, err
	}
	for _, item := range items {
		if before, err := isApplied(table.TextOf(item, "Token"), once); before || err != nil {
			return before, err
		}
	}
	return false, nil
}

// unlessDone is a refusal, unless the same form made this very change before:
// what it meets is its own doing. Where that cannot be found out, nobody knows
// whether it was made, and the form may be sent again.
func (s *Store) okIfApplied(ctx context.Context, partition, once string, refused error) error {
	before, err := s.done(ctx, partition, once)
	switch {
	case err != nil:
		return err
	case before:
		return nil
	}
	return refused
}

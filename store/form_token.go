package store

import (
	"context"
	"strings"

	"github.com/oklog/ulid/v2"

	"stockroom/store/key"
	"stockroom/store/table"
)

// The token of a form makes its change idempotent. The token is a ULID, a dot and a
// digest of the values entered. The first event of the change stores it. If a form
// is submitted again with the same values, it succeeds without a change. With other
// values, it is a conflict.

// searchedEvents is the number of a record's newest events that are searched for
// the token of a form.
const searchedEvents = 100

// tokenID returns the ULID of a token.
func tokenID(token string) string {
	id, _, _ := strings.Cut(token, ".")
	return id
}

// newID returns the ID of the record that a form creates: the ULID of the form's
// token, so that the form cannot create a second record. Without a token it returns
// a new ULID. It returns Invalid for a token that is not a ULID.
func (s *Store) newID(token string) (string, error) {
	if token == "" {
		return s.ids.New()
	}
	if _, err := ulid.ParseStrict(tokenID(token)); err != nil {
		return "", InvalidField("", "This form has expired. Reload the page.")
	}
	return tokenID(token), nil
}

// isApplied reports whether an event's token shows that the form was submitted
// before. It returns Conflict if the form had other values then.
func isApplied(eventToken, token string) (bool, error) {
	switch {
	case token == "" || tokenID(eventToken) != tokenID(token):
		return false, nil
	case eventToken != token:
		return false, fail(Conflict, "You already submitted this form with other values, and those were saved. To save the values below instead, submit the form again.")
	}
	return true, nil
}

// alreadyApplied reports whether one of the newest events of a partition has the
// form's token, which shows that the form was submitted before. It reads
// consistently, because the event may be new.
func (s *Store) alreadyApplied(ctx context.Context, partition, token string) (bool, error) {
	if token == "" {
		return false, nil
	}
	items, _, err := s.table.QueryOnce(ctx, table.Request{
		Pattern:    getEventsOfThing,
		Values:     key.Map{"partition": partition},
		Limit:      searchedEvents,
		Consistent: true,
	})
	if err != nil {
		return false, err
	}
	for _, item := range items {
		if applied, err := isApplied(table.TextOf(item, "Token"), token); applied || err != nil {
			return applied, err
		}
	}
	return false, nil
}

// okIfApplied returns nil if the form was submitted before, because then its own
// change caused the rejection. Otherwise it returns rejection. If it cannot read
// the events, it returns that error; the user can submit the form again.
func (s *Store) okIfApplied(ctx context.Context, partition, token string, rejection error) error {
	applied, err := s.alreadyApplied(ctx, partition, token)
	switch {
	case err != nil:
		return err
	case applied:
		return nil
	}
	return rejection
}

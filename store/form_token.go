package store

import (
	"context"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store/key"
	"stockroom/store/table"
)

// A form token makes sure that a form is applied only once. It consists of a ULID, a dot
// and a digest of the entered values. The first event of the change stores the token. If
// the same form is submitted again with the same values, it succeeds and changes nothing.
// If it is submitted again with other values, it returns Conflict.
//
// The program looks for the token in the events of one partition. In some forms, what the
// user enters determines this partition, for example the product of a new expected
// delivery. If the user submits such a form again with another product, the program does
// not find the token and applies the form again.

// searchedEvents is the number of a record's newest events in which the program looks for a
// form token.
const searchedEvents = 100

// tokenID returns the ULID in a form token.
func tokenID(token string) string {
	id, _, _ := strings.Cut(token, ".")
	return id
}

// Limits of the time in a form token. Without these limits, a user could forge a token, and
// so create a note that sorts before or after all other notes.
const (
	maxTokenAge    = 24 * time.Hour
	maxClockOffset = 5 * time.Minute // maximum difference between the clocks of servers
)

// newID returns the ID for a record that a form creates: the ULID of the form token.
// The same form therefore cannot create a second record. Without a token, newID
// returns a new ULID. It returns Invalid if the token contains no ULID, or a ULID
// that is too old or in the future.
func (s *Store) newID(token string) (string, error) {
	if token == "" {
		return s.ids.New()
	}
	id, err := ulid.ParseStrict(tokenID(token))
	if err != nil {
		return "", InvalidField("", "This form has expired. Reload the page.")
	}
	if age := s.now().Sub(id.Timestamp()); age > maxTokenAge || age < -maxClockOffset {
		return "", InvalidField("", "This form is more than a day old. Submit it again, unless it was already saved.")
	}
	return id.String(), nil
}

// orderIDLength is the number of characters in the ID of a new order.
const orderIDLength = 10

// newOrderID returns the ID for an order that a form creates: the last ten characters of
// the ULID that newID returns. It is short, because people read the numbers of orders
// aloud. newOrderID replaces the first character with a digit, because a search looks for
// an order ID only if the entered text has a digit. The ID then has about 48 random bits.
// Another order can therefore have the same ID; see orderIDFor. These IDs do not sort by
// time, so the keys of lists of orders contain the date.
func (s *Store) newOrderID(token string) (string, error) {
	id, err := s.newID(token)
	if err != nil {
		return "", err
	}
	short := []byte(id[len(id)-orderIDLength:])
	short[0] = '0' + byte(strings.IndexByte(ulid.Encoding, short[0])%10)
	return string(short), nil
}

// SecondToken returns the form token of a second record that the same form creates. The two
// tokens have different ULIDs, so the two records get different IDs.
func SecondToken(token string) string {
	id, err := ulid.ParseStrict(tokenID(token))
	if err != nil {
		return token // not a form token; newID rejects it
	}
	id[len(id)-1] ^= 1
	return id.String() + strings.TrimPrefix(token, tokenID(token))
}

// CodeOtherValues is the code of the Conflict of a form that was already submitted with
// other values.
const CodeOtherValues = "other-values"

// isApplied reports whether an event comes from an earlier submission of the form with the
// given token. It returns Conflict if that submission had other values.
func isApplied(eventToken, token string) (bool, error) {
	switch {
	case token == "" || tokenID(eventToken) != tokenID(token):
		return false, nil
	case eventToken != token:
		other := fail(Conflict, "You already submitted this form with other values, and those were saved. Submit it again only if the values below should be saved too.")
		other.Code = CodeOtherValues
		return false, other
	}
	return true, nil
}

// alreadyApplied reports whether the form was already submitted. It returns Conflict if the
// form was submitted with other values. It searches the newest events of the partition for
// the form token. It makes a consistent read, because the event may be only moments old.
func (s *Store) alreadyApplied(ctx context.Context, partition, token string) (bool, error) {
	if token == "" {
		return false, nil
	}
	rows, _, err := s.table.QueryOnce(ctx, table.Request{
		Pattern:    getEventsOfThing,
		Values:     key.Map{"partition": partition},
		Limit:      searchedEvents,
		Consistent: true,
	})
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		if applied, err := isApplied(row.Text("Token"), token); applied || err != nil {
			return applied, err
		}
	}
	return false, nil
}

// okIfApplied returns nil if an earlier submission of the same form was applied. If that
// submission had other values, it returns the Conflict of isApplied. If it cannot read the
// events, it returns the error of the read. Otherwise it returns rejection, the error of
// this submission.
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

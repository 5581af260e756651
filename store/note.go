package store

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store/key"
)

// maxText is how long a reason, a note or a name may be, in characters.
const maxText = 1000

// text looks at what somebody wrote in their own words: it is there, and not
// a book. Of card numbers in it the last four digits are kept.
func text(field, written, missing string) (string, error) {
	written = strings.TrimSpace(written)
	switch {
	case written == "":
		return "", InvalidField(field, "%s", missing)
	case utf8.RuneCountInString(written) > maxText || !utf8.ValidString(written):
		return "", InvalidField(field, "This is too long: %d characters are enough.", maxText)
	case strings.ContainsFunc(written, unwritable):
		return "", InvalidField(field, "There is a control character in this, which nobody could read.")
	}
	return MaskCardNumbers(written), nil
}

// unwritable are characters that nobody types into a text of several lines.
func unwritable(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\r\n\t", r) }

// reason is the sentence that says why something was done.
func reason(why string) (string, error) { return text("why", why, "Say why, in a sentence.") }

// noteEvent is what the event of a note is called.
const noteEvent = "note"

// NoteOnOrder adds a note to the timeline of an order.
func (a Access) NoteOnOrder(ctx context.Context, orderID, note, once string) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := a.orderForChange(ctx, orderID); err != nil {
		return err
	}
	return a.note(ctx, "o#"+orderID, note, once)
}

// NoteOnCustomer adds a note to the timeline of a customer.
func (a Access) NoteOnCustomer(ctx context.Context, customerID, note, once string) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": customerID}); err != nil {
		return err
	}
	return a.note(ctx, "c#"+customerID, note, once)
}

// note writes an event and nothing else. Nothing but itself could keep the
// same form from writing it again, so its ID is the token of the form.
func (a Access) note(ctx context.Context, partition, note, once string) error {
	note, err := text("note", note, "Write something.")
	if err != nil {
		return err
	}
	id, err := a.store.newID(once)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.recordEvent(Event{ID: id, Partition: partition, What: noteEvent, Why: note})
	return c.Commit(ctx)
}

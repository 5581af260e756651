package store

import (
	"context"

	"stockroom/store/key"
)

// NoteOnOrder adds a note to the history of an order. It returns NotFound, or
// Invalid for a note that is empty or too long.
func (a Access) NoteOnOrder(ctx context.Context, orderID, note, token string) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := a.readOrder(ctx, orderID); err != nil {
		return err
	}
	return a.addNote(ctx, orderPartition(orderID), note, token)
}

// NoteOnCustomer adds a note to the history of a customer. It returns NotFound,
// or Invalid for a note that is empty or too long.
func (a Access) NoteOnCustomer(ctx context.Context, customerID, note, token string) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": customerID}); err != nil {
		return err
	}
	return a.addNote(ctx, partitionOf(getCustomer, "customerID", customerID), note, token)
}

// NoteOnAccount adds a note to the history of a billing account. It returns NotFound
// if the account has neither a customer nor subscriptions, and Invalid if the note
// is empty or too long.
func (a Access) NoteOnAccount(ctx context.Context, accountID, note, token string) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": accountID}); KindOf(err) == NotFound {
		subscriptions, err := a.SubscriptionsOfAccount(ctx, accountID, Page{Limit: 1})
		if err != nil {
			return err
		}
		if len(subscriptions.Rows) == 0 {
			return fail(NotFound, "Account %s not found.", accountID)
		}
	} else if err != nil {
		return err
	}
	return a.addNote(ctx, accountPartition(accountID), note, token)
}

// NoteOnKayak adds a note to the history of a kayak. It returns NotFound if the
// kayak does not exist or the user does not manage its store, and Invalid if the
// note is empty or too long.
func (a Access) NoteOnKayak(ctx context.Context, kayakID, note, token string) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := a.Kayak(ctx, kayakID); err != nil {
		return err
	}
	return a.addNote(ctx, kayakPartition(kayakID), note, token)
}

// addNote records a note as an event. The ID of the event comes from the form token,
// so that the form cannot record a second event.
func (a Access) addNote(ctx context.Context, partition, note, token string) error {
	note, err := checkText("note", note, "Enter a note.")
	if err != nil {
		return err
	}
	id, err := a.store.newID(token)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(Event{ID: id, Partition: partition, What: EventNote, Why: note})
	return c.Commit(ctx)
}

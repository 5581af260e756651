package store

import (
	"context"

	"stockroom/store/key"
)

// NoteOnOrder adds a note to the history of an order. The note is in the News of the
// users with the roles. NoteOnOrder returns NotFound, or Invalid for a note that is empty
// or too long, or for an unknown role.
func (a Access) NoteOnOrder(ctx context.Context, orderID, note, token string, roles ...Role) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := a.readOrder(ctx, orderID); err != nil {
		return err
	}
	return a.addNote(ctx, orderPartition(orderID), "", note, token, roles)
}

// NoteOnCustomer is like NoteOnOrder, for a customer.
func (a Access) NoteOnCustomer(ctx context.Context, customerID, note, token string, roles ...Role) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": customerID}); err != nil {
		return err
	}
	return a.addNote(ctx, partitionOf(getCustomer, "customerID", customerID), "", note, token, roles)
}

// NoteOnAccount is like NoteOnOrder, for a billing account. It returns NotFound if the
// account has neither a customer nor subscriptions.
func (a Access) NoteOnAccount(ctx context.Context, accountID, note, token string, roles ...Role) error {
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
	return a.addNote(ctx, accountPartition(accountID), "", note, token, roles)
}

// NoteOnKayak is like NoteOnOrder, for a kayak. It returns NotFound if the kayak does not
// exist or the user does not manage its store.
func (a Access) NoteOnKayak(ctx context.Context, kayakID, note, token string, roles ...Role) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	kayak, err := a.Kayak(ctx, kayakID)
	if err != nil {
		return err
	}
	return a.addNote(ctx, kayakPartition(kayakID), StoreScope+kayak.StoreID, note, token, roles)
}

// addNote records a note as an event. The ID of the event comes from the form token,
// so that the form cannot record a second event. place is the scope of the record, or "".
func (a Access) addNote(ctx context.Context, partition, place, note, token string, roles []Role) error {
	note, err := checkText("note", note, "Enter a note.")
	if err != nil {
		return err
	}
	audience, err := noteAudience(roles, place)
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
	c.recordEvent(Event{ID: id, Partition: partition, What: EventNote, Why: note, Audience: audience})
	return c.Commit(ctx)
}

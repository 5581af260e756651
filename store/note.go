package store

import (
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// NoteOnOrder adds a note to the history of an order. Users with the given roles see the
// note in their News. NoteOnOrder returns NotFound, or Invalid for a note that is empty or
// too long, or for an unknown role.
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

// NoteOnProduct is like NoteOnOrder, for a product.
func (a Access) NoteOnProduct(ctx context.Context, productID, note, token string, roles ...Role) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := a.Product(ctx, productID); err != nil {
		return err
	}
	return a.addNote(ctx, notesOfProduct(productID), "", note, token, roles)
}

// NoteOnStock is like NoteOnOrder, for the stock of a product in a warehouse. It returns
// NotFound if the product or the warehouse does not exist, or if the user does not manage
// the warehouse.
func (a Access) NoteOnStock(ctx context.Context, productID, warehouseID, note, token string, roles ...Role) error {
	if err := a.require(WriteNotes); err != nil {
		return err
	}
	if _, err := a.StockItem(ctx, productID, warehouseID); err != nil {
		return err
	}
	return a.addNote(ctx, notesOfStock(productID, warehouseID), WarehouseScope+warehouseID, note, token, roles)
}

// NotesOnProduct lists the notes on a product, newest first.
func (a Access) NotesOnProduct(ctx context.Context, productID string, page Page) (List[Event], error) {
	return listReadable(ctx, a, table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": notesOfProduct(productID)}}, page, decodeAs[Event])
}

// NotesOnStock lists the notes on the stock of a product in a warehouse, newest first. It
// returns NotFound if the user does not manage the warehouse.
func (a Access) NotesOnStock(ctx context.Context, productID, warehouseID string, page Page) (List[Event], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[Event]{}, err
	}
	return listReadable(ctx, a, table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": notesOfStock(productID, warehouseID)}}, page, decodeAs[Event])
}

// Notes on products and stock have their own partitions, because the partition of a
// product has the events of all its warehouses.
const (
	productNotes = "notes#p#"
	ofWarehouse  = "#w#"
)

func notesOfProduct(productID string) string { return productNotes + productID }

func notesOfStock(productID, warehouseID string) string {
	return productNotes + productID + ofWarehouse + warehouseID
}

// NotedStock returns the product and the warehouse of a partition that notesOfProduct or
// notesOfStock returned. warehouseID is "" for notes on a product. found is false for other
// partitions.
func NotedStock(partition string) (productID, warehouseID string, found bool) {
	rest, found := strings.CutPrefix(partition, productNotes)
	productID, warehouseID, _ = strings.Cut(rest, ofWarehouse)
	return productID, warehouseID, found
}

// addNote records a note as an event. The ID of the event comes from the form token, so a
// form that is submitted twice records one event. place is the warehouse or store of the
// record; see noteAudience.
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

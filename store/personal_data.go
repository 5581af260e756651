package store

import (
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// PersonalFile is a group of records about a customer, renter or employee. An archive has
// one file for each group.
type PersonalFile string

// The groups, in the order in which PersonalData visits them.
const (
	PersonalProfile     PersonalFile = "profile"     // contacts, address, notes, quotas of employees, and history
	PersonalAccount     PersonalFile = "account"     // subscriptions, receipts and history
	PersonalOrders      PersonalFile = "orders"      // orders with their lines, invoices, credit notes, shipments, history and ledger entries of returned and unpacked items
	PersonalEmails      PersonalFile = "emails"      // emails to the person
	PersonalRentals     PersonalFile = "rentals"     // rentals, active rentals, bookings and history
	PersonalPayments    PersonalFile = "payments"    // rental payments
	PersonalEmployments PersonalFile = "employments" // employments at stores
)

// PersonalFiles lists all groups.
var PersonalFiles = []PersonalFile{PersonalProfile, PersonalAccount, PersonalOrders, PersonalEmails, PersonalRentals, PersonalPayments, PersonalEmployments}

// PersonalData calls visit with every record about the person with this ID, group by group.
// It omits records that are computed from others, such as search words and totals, and
// results of jobs. It returns NotFound if no customer, renter or employee has this ID.
func (a Access) PersonalData(ctx context.Context, id string, visit func(PersonalFile, Entity) error) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	reader := personalReader{ctx: ctx, store: a.store, id: id, visit: visit}
	return reader.read()
}

// RecordPersonalExport records in an event that the data of a person was exported. The
// argument others lists joined IDs (see SamePerson) whose data was also exported.
func (a Access) RecordPersonalExport(ctx context.Context, id string, others ...string) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	c, err := a.change(ctx, "")
	if err != nil {
		return err
	}
	for _, id := range append([]string{id}, others...) {
		partition, err := a.store.partitionOfPerson(ctx, id)
		if err != nil {
			return err
		}
		c.recordEvent(Event{Partition: partition, What: EventPersonExported})
	}
	return c.Commit(ctx)
}

// partitionsOfPerson returns the partitions that can contain a record of a person: of a
// customer, of another person and of an employee.
func partitionsOfPerson(id string) []string {
	return []string{partitionOf(getCustomer, "customerID", id), personPartition(id), partitionOf(getEmployee, "employeeID", id)}
}

// partitionOfPerson returns the partition with the record of the customer, other person or
// employee with this ID, or NotFound. If there are several, it returns the first.
func (s *Store) partitionOfPerson(ctx context.Context, id string) (string, error) {
	for _, partition := range partitionsOfPerson(id) {
		for row, err := range s.rowsOf(ctx, getPartition, key.Map{"partition": partition}) {
			if err != nil {
				return "", err
			}
			if isProfile(row) {
				return partition, nil
			}
		}
	}
	return "", fail(NotFound, "No person found with the ID %s.", id)
}

func isProfile(row Row) bool {
	switch row.Text(table.AttrType) {
	case (*Customer)(nil).EntityType(), (*Person)(nil).EntityType(), (*Employee)(nil).EntityType():
		return true
	}
	return false
}

func (s *Store) rowsOf(ctx context.Context, p *Pattern, values key.Map) iter.Seq2[Row, error] {
	q := table.Query{Pattern: p, Values: values}
	return Each(func(page Page) (List[Row], error) { return s.page(ctx, q, page) })
}

type personalReader struct {
	ctx   context.Context
	store *Store
	id    string
	visit func(PersonalFile, Entity) error

	limit int  // maximum number of orders, rentals and bookings to read; 0 means no limit
	more  bool // records were left out because of limit
}

func (r *personalReader) read() error {
	if _, err := r.store.partitionOfPerson(r.ctx, r.id); err != nil {
		return err
	}
	for _, partition := range partitionsOfPerson(r.id) {
		if err := r.partition(PersonalProfile, partition); err != nil {
			return err
		}
	}
	if err := r.partition(PersonalProfile, samePersonPartition(r.id)); err != nil {
		return err
	}
	if err := r.partition(PersonalAccount, accountPartition(r.id)); err != nil {
		return err
	}
	if err := r.orders(); err != nil {
		return err
	}
	if err := r.all(PersonalEmails, getEmailsOfCustomer, key.Map{"customerID": r.id}); err != nil {
		return err
	}
	if err := r.rentals(); err != nil {
		return err
	}
	person := key.Map{"personULID": r.id}
	if err := r.all(PersonalPayments, getPaymentsByRenter, person); err != nil {
		return err
	}
	return r.all(PersonalEmployments, getEmploymentsByPerson, person)
}

// all visits the records that an access pattern finds.
func (r *personalReader) all(file PersonalFile, p *Pattern, values key.Map) error {
	return r.each(p, values, func(e Entity) error { return r.visit(file, e) })
}

// each calls work with each record that an access pattern finds.
func (r *personalReader) each(p *Pattern, values key.Map, work func(Entity) error) error {
	n := 0
	for row, err := range r.store.rowsOf(r.ctx, p, values) {
		if err != nil {
			return err
		}
		if n++; r.isOver(n, MaxLimit) {
			return nil
		}
		e, err := schema.DecodeRow(row)
		if err != nil {
			return err
		}
		if err := work(e); err != nil {
			return err
		}
	}
	return nil
}

// isOver reports whether the record with the number n is over the limit. If it is, isOver
// sets r.more. If r.limit is 0, no record is over the limit.
func (r *personalReader) isOver(n, limit int) bool {
	over := r.limit > 0 && n > limit
	r.more = r.more || over
	return over
}

func (r *personalReader) partition(file PersonalFile, partition string) error {
	return r.all(file, getPartition, key.Map{"partition": partition})
}

func (r *personalReader) orders() error {
	q, err := r.store.inRange(r.ctx, getCustomerOrders, DateRange{}, key.Map{"customerID": r.id})
	if err != nil {
		return err
	}
	n, returns := 0, map[string][]orderReturn{}
	for order, err := range Each(func(page Page) (List[Order], error) { return list(r.ctx, r.store, q, page, decodeOrderRow) }) {
		if n++; err == nil && r.isOver(n, r.limit) {
			return nil
		}
		if err == nil {
			err = r.order(order.ID, returns)
		}
		if err != nil {
			return err
		}
	}
	if r.limit > 0 {
		return nil
	}
	for _, productID := range slices.Sorted(maps.Keys(returns)) {
		if err := r.ledgerEntries(productID, returns[productID]); err != nil {
			return err
		}
	}
	return nil
}

// orderReturn is a change that returned or unpacked pieces of an order.
type orderReturn struct {
	orderID string
	at      time.Time
}

// order visits the partition of an order. It adds the times when pieces were returned or
// unpacked to the returns of their products.
func (r *personalReader) order(id string, returns map[string][]orderReturn) error {
	var changes []orderReturn
	products, unpacked := map[string]bool{}, map[string]bool{}
	var shipped []*ShipmentItem // the line of an unpacked item may have been removed from the order
	err := r.each(getPartition, key.Map{"partition": orderPartition(id)}, func(e Entity) error {
		switch e := e.(type) {
		case *Event:
			if canBeReturn(e) {
				changes = append(changes, orderReturn{id, e.When})
			}
		case *OrderItem:
			if e.Returned > 0 {
				products[e.ProductID] = true
			}
		case *Shipment:
			unpacked[e.ID] = e.Status == ShipmentUnpacked
		case *ShipmentItem:
			shipped = append(shipped, e)
		}
		return r.visit(PersonalOrders, e)
	})
	if err != nil {
		return err
	}
	for _, item := range shipped {
		if unpacked[item.ShipmentID] {
			products[item.ProductID] = true
		}
	}
	for productID := range products {
		returns[productID] = append(returns[productID], changes...)
	}
	return nil
}

// canBeReturn reports whether an event of an order can be a return or an unpacking. Older
// events contain a sentence, which an erasure replaces with EventErased.
func canBeReturn(e *Event) bool {
	switch e.What {
	case EventOrderReturned, EventShipmentUnpacked, EventErased:
		return true
	}
	_, isCode := eventSentences[e.What]
	return !isCode
}

// ledgerEntries visits the entries of the stock ledger for returned and unpacked pieces of
// one product. They can be in every warehouse that has ever had the product. Their IDs
// contain the time of the return: it differs from the time of the event by less than
// maxClockOffset.
func (r *personalReader) ledgerEntries(productID string, returns []orderReturn) error {
	for stock, err := range r.store.rowsOf(r.ctx, getProductInventory, key.Map{"productID": productID}) {
		if err != nil {
			return err
		}
		var item WarehouseItem
		if err := decodeAs(stock, &item); err != nil {
			return err
		}
		visited := map[string]bool{} // IDs of entries; returns of one order can be close together
		for _, of := range returns {
			from, to := of.at.Add(-maxClockOffset), of.at.Add(maxClockOffset)
			if from.Before(FirstPast) {
				continue // an imported event without a time
			}
			values := key.Map{"productID": productID, "warehouseID": item.WarehouseID, "from": lastULID(from), "to": lastULID(to)}
			for row, err := range r.store.rowsOf(r.ctx, getStockMovesBetween, values) {
				if err != nil {
					return err
				}
				m := &StockMove{}
				if err := decodeAs(row, m); err != nil {
					return err
				}
				if m.OrderID != of.orderID || visited[m.ID] {
					continue
				}
				visited[m.ID] = true
				if err := r.visit(PersonalOrders, m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// rentals visits the person's rentals and bookings with their events, and the active
// rentals.
func (r *personalReader) rentals() error {
	person := key.Map{"personULID": r.id}
	for _, p := range []*Pattern{getRentalsByPersonNewest, getBookingsByPerson} {
		n := 0
		for row, err := range r.store.rowsOf(r.ctx, p, person) {
			if err != nil {
				return err
			}
			if n++; r.isOver(n, r.limit) {
				break
			}
			if err := r.partition(PersonalRentals, row.Text(table.AttrPK)); err != nil {
				return err
			}
		}
	}
	return r.all(PersonalRentals, getActiveRentalsByPerson, person)
}

// Name returns the file name of the group in an archive.
func (f PersonalFile) Name() string { return string(f) + ".json" }

package exchange

import (
	"context"
	"fmt"
	"slices"

	"stockroom/store"
)

// objections contains the reason to reject each row of a batch, or "".
type objections struct {
	mild  []string // reasons that a lenient import reports as warnings
	final []string
}

func (o objections) any() bool {
	isReason := func(reason string) bool { return reason != "" }
	return slices.ContainsFunc(o.mild, isReason) || slices.ContainsFunc(o.final, isReason)
}

// check rejects rows of a batch that refer to unknown entities, have wrong sums, or have
// values that a form would reject. A lenient import accepts most of these rows with a
// warning. If one row of an order is rejected, the whole order is rejected.
func (i *importer) check(ctx context.Context, b *Batch) (*Batch, error) {
	mild, err := i.Known.missingParents(ctx, i.target, b.Entities)
	if err != nil {
		return nil, err
	}
	today, err := i.target.Today(ctx)
	if err != nil {
		return nil, err
	}
	taken, err := i.takenValues(ctx, b)
	if err != nil {
		return nil, err
	}
	o := objections{mild, make([]string, len(b.Entities))}
	for n := range b.Rows {
		o.mild[n] = first(o.mild[n], b.Rows[n].objection, checkFields(&b.Rows[n], b.Entities[n]), taken[n], stateProblem(b.Entities[n]))
		o.final[n] = first(futureDate(b.Entities[n], today), wrongReversal(b.Entities[n]))
	}
	if err := i.checkIncomplete(ctx, b, o); err != nil {
		return nil, err
	}
	if err := i.checkOrders(ctx, b, o); err != nil {
		return nil, err
	}
	if err := i.checkShipmentItems(ctx, b, o); err != nil {
		return nil, err
	}
	for n := range b.Rows {
		if o.final[n] == "" && (i.Lenient || o.mild[n] == "") {
			continue
		}
		if err := i.Known.learnRejected(b.Entities[n]); err != nil {
			return nil, err
		}
	}
	return i.apply(b, o), nil
}

// wrongReversal returns the reason to reject an invoice with a wrong reversal of a payment,
// or "".
func wrongReversal(entity store.Entity) (reason string) {
	invoice, ok := entity.(*store.Invoice)
	if !ok {
		return ""
	}
	problems := invoice.ReversalProblems()
	if len(problems) == 0 {
		return ""
	}
	return "The invoice has " + problems[0]
}

// checkIncomplete objects to rows that would add a record without a value that its form
// requires, such as a name, because the file lacks the column. Usually, the ID of such a row
// is mistyped. In an update, updateRows objects to these rows.
func (i *importer) checkIncomplete(ctx context.Context, b *Batch, o objections) error {
	if i.Update {
		return nil
	}
	var incomplete []store.Entity
	var of []int
	for n, entity := range b.Entities {
		if source := b.Rows[n].source; source != nil && len(source.lacksRequired(entity)) > 0 {
			incomplete, of = append(incomplete, entity), append(of, n)
		}
	}
	if len(incomplete) == 0 {
		return nil
	}
	existing, err := i.target.Existing(ctx, incomplete)
	if err != nil {
		return err
	}
	for k, n := range of {
		exists := existing[k]
		if !exists {
			if exists, err = i.Known.plan.Has(incomplete[k]); err != nil {
				return err
			}
		}
		if !exists {
			o.mild[n] = first(o.mild[n], notAdded(incomplete[k], b.Rows[n].source))
		}
	}
	return nil
}

// apply rejects the rows that have an objection, and the other rows of their orders. It
// returns the batch with the remaining and the rejected rows. In a lenient import, mild
// objections become warnings.
func (i *importer) apply(b *Batch, o objections) *Batch {
	causes := map[string]*Row{} // the first rejected row of each order
	for n := range b.Rejected {
		if r := &b.Rejected[n].Row; r.order != "" && causes[r.order] == nil {
			causes[r.order] = r
		}
	}
	for n := range b.Rows {
		row := &b.Rows[n]
		if i.Lenient && o.mild[n] != "" {
			i.warn(i.fileOf(row), row.Number, o.mild[n])
			o.mild[n] = ""
		}
		if row.order != "" && first(o.final[n], o.mild[n]) != "" && causes[row.order] == nil {
			causes[row.order] = row
		}
	}
	checked := &Batch{Rejected: b.Rejected, Exported: b.Exported}
	if len(causes) == 0 && !o.any() {
		checked.Entities, checked.Rows = b.Entities, b.Rows
		return checked
	}
	var others []RejectedRow // rows that are rejected because of another row of their order
	for n := range b.Rows {
		row := &b.Rows[n]
		if reason := first(o.final[n], o.mild[n]); reason != "" {
			checked.Rejected = append(checked.Rejected, RejectedRow{*row, reason})
		} else if cause := causes[row.order]; cause != nil {
			others = append(others, RejectedRow{*row, partOfRejected(cause, row.order)})
		} else {
			checked.Entities, checked.Rows = append(checked.Entities, b.Entities[n]), append(checked.Rows, *row)
		}
	}
	checked.Rejected = append(checked.Rejected, others...)
	return checked
}

// checkOrders objects to lines, invoices and shipments whose order does not exist or has
// another customer. It looks for the order in the batch, in the table and, in a dry run, in
// earlier files. If the order is cancelled, checkOrders cancels its lines, except in an
// update.
func (i *importer) checkOrders(ctx context.Context, b *Batch, o objections) error {
	parts := map[string][]int{} // indexes of rows by order
	for n, entity := range b.Entities {
		if _, isOrder := entity.(*store.Order); isOrder {
			parts[b.Rows[n].order] = nil
		}
	}
	for n := range b.Rows {
		id := b.Rows[n].order
		if of, known := parts[id]; id != "" && (!known || of != nil) {
			parts[id] = append(of, n)
		}
	}
	var ids []string
	for id, of := range parts {
		if of != nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	orders, err := i.target.KnownOrders(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		order, found := orders[id]
		cancelled := order.Status == store.OrderCancelled
		for at, n := range parts[id] {
			of := customerOf(b.Entities[n])
			planned, sameCustomer := false, false
			if !found {
				if planned, sameCustomer, cancelled, err = i.Known.plan.Order(id, of); err != nil {
					return err
				}
			}
			switch {
			case !found && !planned && (at == 0 || !i.Lenient): // a lenient import warns once per order, and not about later parts of the order
				o.mild[n] = unknownOrder(id)
			case found && of != "" && of != order.CustomerID:
				o.final[n] = fmt.Sprintf("The row has customer %s, but order %s in the table has customer %s.", of, id, order.CustomerID)
			case planned && of != "" && !sameCustomer:
				o.final[n] = fmt.Sprintf("The row has customer %s, but order %s has another customer in an earlier file.", of, id)
			case cancelled && !i.Update:
				b.cancelLine(n)
			}
		}
	}
	return nil
}

// cancelLine marks an order line of a cancelled order as cancelled. Stock would otherwise
// stay committed to the line forever, because the order cannot be cancelled again.
func (b *Batch) cancelLine(n int) {
	if line, ok := b.Entities[n].(*store.OrderItem); ok && !line.Cancelled {
		line.Cancelled = true
		b.Rows[n].computed = append(b.Rows[n].computed, "Cancelled")
	}
}

// customerOf returns the customer of a part of an order, or "".
func customerOf(entity store.Entity) string {
	switch e := entity.(type) {
	case *store.OrderItem:
		return e.CustomerID
	case *store.Invoice:
		return e.CustomerID
	case *store.CreditNote:
		return e.CustomerID
	case *store.Shipment:
		return e.CustomerID
	}
	return ""
}

func unknownOrder(id string) (reason string) {
	return parent{[]string{kindOrder}, id}.unknown()
}

// checkShipmentItems objects to a shipment item if its shipment or its order line exists
// neither in the batch nor in the table, or if its ledger entry and its shipment have
// different warehouses. An item of an unpacked shipment needs no line, because an edit of
// the order may have removed it.
func (i *importer) checkShipmentItems(ctx context.Context, b *Batch, o objections) error {
	type part struct{ kind, order, id string }
	known := map[part]store.Entity{}
	for _, entity := range b.Entities {
		switch e := entity.(type) {
		case *store.Shipment:
			known[part{kindShipment, e.OrderID, e.ID}] = e
		case *store.OrderItem:
			known[part{kindOrderItem, e.OrderID, e.ProductID}] = e
		}
	}
	var unknown []store.Entity
	var parents []parent
	var of []int
	for n, entity := range b.Entities {
		item, ok := entity.(*store.ShipmentItem)
		if !ok {
			continue
		}
		shipment, found := known[part{kindShipment, item.OrderID, item.ShipmentID}]
		if found {
			o.final[n] = first(o.final[n], otherWarehouse(item, shipment))
		} else {
			unknown, of = append(unknown, &store.Shipment{OrderID: item.OrderID, ID: item.ShipmentID}), append(of, n)
			parents = append(parents, parent{[]string{kindShipment}, item.ShipmentID})
		}
		if known[part{kindOrderItem, item.OrderID, item.ProductID}] == nil && !isUnpacked(shipment) {
			unknown, of = append(unknown, &store.OrderItem{OrderID: item.OrderID, ProductID: item.ProductID}), append(of, n)
			parents = append(parents, parent{[]string{"line for product"}, item.ProductID})
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	stored, err := i.target.Stored(ctx, unknown)
	if err != nil {
		return err
	}
	unpacked := map[int]bool{} // items whose shipment was stored as unpacked
	for n, entity := range stored {
		unpacked[of[n]] = unpacked[of[n]] || isUnpacked(entity) // unknown contains the shipment of an item before its line
		exists := entity != nil || unpacked[of[n]]
		if !exists {
			if exists, err = i.Known.plan.Has(unknown[n]); err != nil {
				return err
			}
		}
		if !exists {
			o.mild[of[n]] = first(o.mild[of[n]], parents[n].unknown())
		}
		o.final[of[n]] = first(o.final[of[n]], otherWarehouse(b.Entities[of[n]].(*store.ShipmentItem), entity))
	}
	return nil
}

func isUnpacked(entity store.Entity) bool {
	s, ok := entity.(*store.Shipment)
	return ok && s.Status == store.ShipmentUnpacked
}

// otherWarehouse returns the reason to reject a shipment item whose ledger entry has
// another warehouse than its shipment, or "". It ignores entities that are not
// shipments.
func otherWarehouse(item *store.ShipmentItem, entity store.Entity) (reason string) {
	s, ok := entity.(*store.Shipment)
	if !ok || item.EntryID == "" || s.WarehouseID == "" || item.WarehouseID == s.WarehouseID {
		return ""
	}
	return fmt.Sprintf("The row has warehouse %s, but its shipment has warehouse %s. Use the same warehouse in both.", item.WarehouseID, s.WarehouseID)
}

package exchange

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"stockroom/store"
)

// findShipments rejects shipment items without their shipment or line.
func (s *orderScan) findShipments(ctx context.Context, rows []*scannedRow) error {
	var unknown []store.Entity
	var of []*scannedRow
	for _, r := range rows {
		item, ok := r.entity.(*store.ShipmentItem)
		if !ok {
			continue
		}
		if _, known := s.parcels[s.hash(item.OrderID, item.ShipmentID)]; !known {
			unknown, of = append(unknown, &store.Shipment{OrderID: item.OrderID, ID: item.ShipmentID}), append(of, r)
		}
		if s.lines[s.hash(item.OrderID, item.ProductID)] == nil {
			unknown, of = append(unknown, &store.OrderItem{OrderID: item.OrderID, ProductID: item.ProductID}), append(of, r)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	existing, err := s.importer.target.Existing(ctx, unknown)
	if err != nil {
		return err
	}
	for n, exists := range existing {
		if exists {
			continue
		}
		what := parent{[]string{"line for product"}, of[n].entity.(*store.ShipmentItem).ProductID}
		if shipment, ok := unknown[n].(*store.Shipment); ok {
			what = parent{[]string{kindShipment}, shipment.ID}
		}
		s.object(of[n].order, of[n].ref, what.unknown())
	}
	return nil
}

// findOrders looks up the orders that the files do not have.
func (s *orderScan) findOrders(ctx context.Context) error {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(s.orders)) {
		if s.orders[id].row.row == 0 && id != "" {
			ids = append(ids, id)
		}
	}
	for some := range slices.Chunk(ids, scanRows) {
		customers, err := s.importer.target.OrderCustomers(ctx, some)
		if err != nil {
			return err
		}
		for _, id := range some {
			o := s.orders[id]
			switch customer, found := customers[id]; {
			case !found && s.importer.Lenient:
				s.importer.warn(o.first.file, o.first.row, unknownOrder(id))
			case !found:
				o.missing = true
			case o.customer != "" && o.customer != customer:
				s.reject(id, o.first, fmt.Sprintf("The row has customer %s, but order %s in the table has customer %s.", o.customer, id, customer))
			}
		}
	}
	return nil
}

func unknownOrder(id string) (reason string) {
	return parent{[]string{kindOrder}, id}.unknown()
}

// checkSums compares the sums of orders with their parts.
func (s *orderScan) checkSums() {
	hasLines := slices.ContainsFunc(s.tables, func(t csvTable) bool { return t.sheet.entityType == kindOrderItem })
	for id, o := range s.orders {
		if o.row.row == 0 {
			continue
		}
		switch {
		case hasLines && o.sum.Compare(o.total) != 0:
			s.object(id, o.row, fmt.Sprintf("The order does not add up: Total is %s, but the lines add up to %s.", o.total, o.sum))
		case hasLines && o.items != 0 && o.items != o.quantity:
			s.object(id, o.row, fmt.Sprintf("The order does not add up: ItemCount is %d, but the quantities of the lines add up to %d.", o.items, o.quantity))
		}
		if o.invoiced.Compare(o.total) > 0 {
			s.object(id, o.row, fmt.Sprintf("The order does not add up: the invoices add up to %s, more than the Total of %s.", o.invoiced, o.total))
		}
	}
	for _, line := range s.lines {
		if line.packed > line.quantity || line.packed > 0 && line.shipped > 0 && line.packed != line.shipped {
			s.object(line.order, line.row, fmt.Sprintf("The order does not add up: Quantity is %d and Shipped %d, but %d are in shipments.", line.quantity, line.shipped, line.packed))
		}
	}
}

// check returns why a row of an order cannot be imported, or "". It gives a line
// the quantities of those that were merged with it; skip reports that the row is
// one of them.
func (s *orderScan) check(row *Row, file int, order string, entity store.Entity) (skip bool, reason string) {
	ref := rowRef{file, row.Number}
	o := s.orders[order]
	switch {
	case s.reasons[ref] != "":
		return false, s.reasons[ref]
	case o == nil:
		return false, ""
	case o.missing:
		return false, unknownOrder(order)
	case o.cause == ref:
		return false, "The row was rejected, like many others before it. Correct those and import it again."
	case o.cause.row > 0:
		return false, fmt.Sprintf("%s, part of the same order %s, was rejected. Correct it and import the order again.", capitalize(s.describe(o.cause)), order)
	}
	if e, ok := entity.(*store.OrderItem); ok {
		if s.merged[ref] {
			return true, ""
		}
		if line := s.lines[s.hash(e.OrderID, e.ProductID)]; line != nil && len(line.others) > 0 {
			e.Quantity, e.Shipped, e.Returned = line.quantity, line.shipped, line.returned
			for _, other := range line.others {
				row.parts = append(row.parts, part{other, partMerged})
			}
		}
	}
	return false, ""
}

package exchange

import (
	"fmt"
	"reflect"

	"stockroom/store"
)

// check merges duplicate rows of the order. If Stockroom did not export the files, check
// also completes the order and checks its sums; see complete. It then checks that the
// entities can be stored.
func (o *joinedOrder) check() {
	o.mergeOrders()
	o.mergeLines()
	if o.rejected == nil && !o.exported {
		o.complete()
	}
	for _, r := range o.all {
		if r.entity == nil || o.rejected != nil || !o.update && r.isSmall() {
			continue
		}
		if reason := r.checkEncoded(); reason != "" {
			o.reject(r, reason)
		}
	}
}

// isSmall reports whether the row is so small that its item is not too large; see
// smallRow. It returns false for rows with a mapping and rows of an update, whose items
// can be larger than their rows.
func (r *parsedRow) isSmall() bool {
	f := r.row.csv
	return f != nil && f.mapper == nil && !f.partial && r.row.bytes() <= smallRow
}

// complete computes missing values from other rows of the order, and checks the sums. For
// an update, whose files may lack rows and columns, it only checks the lines.
func (o *joinedOrder) complete() {
	if err := o.checkLines(); err != nil {
		o.reject(err.parsedRow, err.reason)
		return
	}
	if o.update {
		return
	}
	if err := o.completeOwner(); err != nil {
		o.reject(err.parsedRow, err.reason)
		return
	}
	o.completeShipped()
	o.completeStates()
	if len(o.orders) > 0 {
		o.completeSums("")
		o.checkSums(o.has(kindOrderItem))
	}
}

// has reports whether the import includes a file of the entity type.
func (j *orderJoin) has(entityType string) bool {
	for i := range j.tables {
		if j.tables[i].list == nil && j.tables[i].sheet.entityType == entityType {
			return true
		}
	}
	return false
}

// mergeOrders merges further rows for the order itself into the first one. It rejects the
// order if they have other values.
func (o *joinedOrder) mergeOrders() {
	for len(o.orders) > 1 {
		first, second := o.orders[0], o.orders[1]
		if !reflect.DeepEqual(first.value, second.value) {
			o.reject(second.parsedRow, fmt.Sprintf("%s contains the same order with different values. Remove one of the two rows.", capitalize(first.row.String())))
			return
		}
		first.addPart(second.parsedRow, partRepeated)
		o.orders = append(o.orders[:1], o.orders[2:]...)
	}
}

// addPart makes another row a part of this row, whose entity then stands for both rows. The
// result of the import counts both.
func (r *parsedRow) addPart(other *parsedRow, kind partKind) {
	r.row.parts = append(r.row.parts, part{other.row, kind})
	other.entity = nil
}

// mergeLines merges lines with the same product into the first of them. It rejects lines
// that it cannot merge.
func (o *joinedOrder) mergeLines() {
	byProduct := map[string]rowOf[*store.OrderItem]{}
	lines := o.lines[:0]
	for _, line := range o.lines {
		first, found := byProduct[line.value.ProductID]
		if !found {
			byProduct[line.value.ProductID] = line
			lines = append(lines, line)
			continue
		}
		if reason := o.mergeLine(first, line.value); reason != "" {
			o.reject(line.parsedRow, reason)
			continue
		}
		first.addPart(line.parsedRow, partMerged)
	}
	o.lines = lines
}

// mergeLine merges a line into an earlier one, or returns the reason why it cannot.
func (o *joinedOrder) mergeLine(first rowOf[*store.OrderItem], line *store.OrderItem) (reason string) {
	to, earlier := first.value, first.row.String()
	switch {
	case !o.merges:
		return fmt.Sprintf("Order %s has the product %s twice: the other line is in %s. Remove one of the two rows, or use -merge-lines to add their quantities.", o.id, line.ProductID, earlier)
	case to.Price.Compare(line.Price) != 0 || to.Cancelled != line.Cancelled:
		return fmt.Sprintf("%s has the same product %s. The rows can't be merged, because their prices differ or only one of them is cancelled.", capitalize(earlier), line.ProductID)
	case to.CustomerID != line.CustomerID:
		return fmt.Sprintf("%s has the same product, %s, but a different customer.", capitalize(earlier), line.ProductID)
	case to.Quantity+line.Quantity > store.MaxCount:
		return fmt.Sprintf("If merged with %s, the quantity would be more than %d.", earlier, store.MaxCount)
	}
	to.Quantity, to.Shipped, to.Returned = to.Quantity+line.Quantity, to.Shipped+line.Shipped, to.Returned+line.Returned
	return ""
}

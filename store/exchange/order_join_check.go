package exchange

import (
	"fmt"
	"reflect"

	"stockroom/store"
)

// check merges repeated rows of the order, completes it and checks its sums.
func (o *joinedOrder) check() {
	o.mergeOrders()
	o.mergeLines()
	if o.rejected == nil && !o.exported {
		o.complete()
	}
	for _, r := range o.all {
		if r.entity == nil || o.rejected != nil {
			continue
		}
		if reason := r.checkEncoded(); reason != "" {
			o.reject(r, reason)
		}
	}
}

// complete computes values that rows leave out from the other rows of the order,
// and checks sums. It does neither for an update, because the files of an update
// may lack rows and columns.
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

// has reports whether the import has a file of an entity.
func (j *orderJoin) has(entityType string) bool {
	for i := range j.tables {
		if j.tables[i].list == nil && j.tables[i].sheet.entityType == entityType {
			return true
		}
	}
	return false
}

// mergeOrders rejects a second row of the order with other values. An equal one
// becomes part of the first.
func (o *joinedOrder) mergeOrders() {
	for len(o.orders) > 1 {
		first, second := o.orders[0], o.orders[1]
		if !reflect.DeepEqual(first.value, second.value) {
			o.reject(second.parsedRow, fmt.Sprintf("%s has the same order with other values. Remove one of the rows.", capitalize(first.row.String())))
			return
		}
		first.addPart(second.parsedRow, partRepeated)
		o.orders = append(o.orders[:1], o.orders[2:]...)
	}
}

// addPart makes another row a part of this row, whose entity then stands for both.
// The result counts each part.
func (r *parsedRow) addPart(other *parsedRow, kind partKind) {
	r.row.parts = append(r.row.parts, part{other.row, kind})
	other.entity = nil
}

// mergeLines adds lines with the same product to the first of them, or rejects them.
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

// mergeLine adds a line to an earlier one, or returns why it cannot.
func (o *joinedOrder) mergeLine(first rowOf[*store.OrderItem], line *store.OrderItem) (reason string) {
	to, earlier := first.value, first.row.String()
	switch {
	case !o.merges:
		return fmt.Sprintf("Order %s has the product %s twice: also in %s. Remove one of the rows, or use -merge-lines to add their quantities.", o.id, line.ProductID, earlier)
	case to.Price.Compare(line.Price) != 0 || to.Cancelled != line.Cancelled:
		return fmt.Sprintf("%s has the same product %s at another Price, or only one of the rows is cancelled, so they can't be merged.", capitalize(earlier), line.ProductID)
	case to.CustomerID != line.CustomerID:
		return fmt.Sprintf("%s has the same product %s, but another customer.", capitalize(earlier), line.ProductID)
	case to.Quantity+line.Quantity > store.MaxCount:
		return fmt.Sprintf("Merged with %s, the quantity would be more than %d.", earlier, store.MaxCount)
	}
	to.Quantity, to.Shipped, to.Returned = to.Quantity+line.Quantity, to.Shipped+line.Shipped, to.Returned+line.Returned
	return ""
}

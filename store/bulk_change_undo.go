package store

import (
	"context"
	"fmt"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// AddBulkUndo stores a bulk change that undoes an earlier bulk change. The new change has
// the state BulkListing, and its preview shows what the undo will change. AddBulkUndo
// returns NotFound, Forbidden, or Conflict if the earlier change cannot be undone, has not
// ended or has changed no product. If the form was already submitted, it returns the change
// of that submission.
func (a Access) AddBulkUndo(ctx context.Context, id, token string) (*BulkChange, error) {
	done, err := a.BulkChange(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := a.require(done.Kind.Permission()); err != nil {
		return nil, err
	}
	if why := done.Kind.WhyFinal(); why != "" {
		return nil, fail(Conflict, "This change can't be undone. %s", why)
	}
	if !done.CanUndo(done.StateAt(a.store.now())) {
		return nil, fail(Conflict, "This change has not ended, or did not change any products.")
	}
	return a.storeBulkChange(ctx, BulkChange{
		Kind: done.Kind, Undoes: done.ID,
		Percent: done.Percent, Rounding: done.Rounding, Category: done.Category, WarehouseID: done.WarehouseID, WarehouseName: done.WarehouseName, ReorderPoint: done.ReorderPoint,
	}, token)
}

// CanUndo reports whether a bulk change in this state can be undone.
func (b *BulkChange) CanUndo(state BulkState) bool {
	return (state == BulkDone || state == BulkStopped) && b.Changed > 0 && b.Kind.WhyFinal() == ""
}

// previewUndo returns the next rows of an undo: the products that the undone bulk change
// has changed. It skips products whose value has changed since then.
func (r *BulkRun) previewUndo(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	done, next, err := r.undoneRows(ctx)
	if err != nil {
		return nil, nil, err
	}
	var changed []BulkRow
	var ids []string
	for _, row := range done {
		if row.Outcome == BulkChanged {
			changed, ids = append(changed, row), append(ids, row.ProductID)
		}
	}
	products, err := r.readProducts(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	stock, err := r.stockOf(ctx, products)
	if err != nil {
		return nil, nil, err
	}
	marked, err := r.undoneEvents(ctx, changed)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range products {
		row := BulkRow{
			BulkID: r.ID, Number: r.Rows + i + 1, ProductID: p.id, Name: changed[i].Name, Before: changed[i].After, After: changed[i].Before,
			Expires: r.Expires, Version: 1,
		}
		if !marked[changed[i].EventID] {
			row.Undoes = changed[i].EventID
		}
		now, version, found := r.currentValue(p.Product, stock[p.id])
		row.Seen = version
		switch {
		case !found:
			row = row.skip("Product not found.")
		case now != changed[i].After:
			row = row.skip(fmt.Sprintf("Changed since then, from %s to %s.", orDash(changed[i].After), orDash(now)))
		}
		rows = append(rows, row)
	}
	return rows, next, nil
}

// undoneRows returns the next rows of the undone bulk change. The read is consistent,
// because the undone change may have ended just now.
func (r *BulkRun) undoneRows(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	var from Item
	if r.Next != nil {
		from = table.Key(r.Next.ItemPK, r.Next.ItemSK)
	}
	undone := &BulkRun{store: r.store, BulkChange: BulkChange{ID: r.Undoes}}
	rows, last, err := undone.ReadRows(ctx, stepItems, from)
	if err != nil || last == nil {
		return rows, nil, err
	}
	return rows, &Position{ItemPK: table.TextOf(last, table.AttrPK), ItemSK: table.TextOf(last, table.AttrSK)}, nil
}

// currentValue returns the present value of the field that the bulk change changes. version
// is the version of the product or stock item that contains the field.
func (r *BulkRun) currentValue(p *Product, stock *WarehouseItem) (value string, version int, found bool) {
	switch {
	case p == nil || r.Kind == BulkReorderPoint && stock == nil:
		return "", 0, false
	case r.Kind == BulkPrice:
		return p.Price.String(), p.Version, true
	case r.Kind == BulkCategory:
		return p.Category, p.Version, true
	case r.Kind == BulkArchive:
		return archivedText(p.Archived), p.Version, true
	}
	return fmt.Sprint(stock.ReorderPoint), stock.Version, true
}

// undoneEvents returns which events of the rows are already undone, by event ID.
func (r *BulkRun) undoneEvents(ctx context.Context, rows []BulkRow) (map[string]bool, error) {
	var values []key.Map
	for _, row := range rows {
		if row.EventID != "" {
			values = append(values, key.Map{"partition": productPartition(row.ProductID), "eventID": row.EventID})
		}
	}
	undone := map[string]bool{}
	if len(values) == 0 {
		return undone, nil
	}
	events, err := r.store.table.GetMany(ctx, getEvent, values, true)
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		if event != nil && event.Text("UndoneBy") != "" {
			undone[strings.TrimPrefix(event.Text(table.AttrSK), "event#")] = true
		}
	}
	return undone, nil
}

// accessFor returns the Access for the change of a row. If the bulk change is an undo, the
// change of the row also marks the undone event.
func (r *BulkRun) accessFor(ctx context.Context, row *BulkRow) (Access, error) {
	a := r.access
	if row.Undoes == "" {
		return a, nil
	}
	e, err := r.store.event(ctx, productPartition(row.ProductID), row.Undoes)
	if KindOf(err) == NotFound {
		return a, nil
	}
	a.undoing = e
	return a, err
}

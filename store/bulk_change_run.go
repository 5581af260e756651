package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// bulkStart is how long a started bulk change can wait for a runner before it counts
// as stopped.
const bulkStart = 30 * time.Second

// BulkRun is a bulk change on which a runner works. Its rows are applied with the
// permissions of the user who made the change.
type BulkRun struct {
	BulkChange
	store  *Store
	access Access
}

// LeaseBulkChange leases a started bulk change to a runner. It returns ErrLeased if
// another runner has the lease, or if the change is not started.
func (s *Store) LeaseBulkChange(ctx context.Context, id, owner string, until time.Time) (*BulkRun, error) {
	b, err := s.bulkChange(ctx, id)
	if err != nil {
		return nil, err
	}
	if !b.isActive() || b.Owner != "" && b.Owner != owner && b.Until.After(s.now()) {
		return nil, ErrLeased
	}
	r := &BulkRun{BulkChange: *b, store: s}
	r.Owner, r.Until = owner, until
	return r, r.write(ctx, nil)
}

// Authorize reads the user who made the change. It returns Forbidden if the user is
// locked or no longer has the permission.
func (r *BulkRun) Authorize(ctx context.Context) error {
	user, err := r.store.userForChange(ctx, r.By)
	if err != nil && KindOf(err) != NotFound {
		return err
	}
	if err != nil || user.Disabled || !user.May(r.Kind.Permission()) || r.WarehouseID != "" && !user.InCharge(r.WarehouseID) {
		return fail(Forbidden, "User %s is locked or is no longer allowed to make this change.", r.By)
	}
	r.access = r.store.As(user)
	r.access.why = r.why()
	return nil
}

// write stores the next version of the bulk change. If also is not nil, it adds other
// writes. If the user has asked to stop, write sets Stop. It returns ErrLeased if
// another runner has the lease.
func (r *BulkRun) write(ctx context.Context, also func(*change)) error {
	return retryOnConflict(ctx, func() error {
		c, err := r.store.change(ctx)
		if err != nil {
			return err
		}
		c.by = r.By
		next := r.BulkChange
		next.Updated = r.store.now()
		c.replaceNext(&next, &next.Version)
		if also != nil {
			also(c)
		}
		conflict := c.Commit(ctx)
		if conflict == nil {
			r.BulkChange = next
			return nil
		}
		if KindOf(conflict) != Conflict {
			return conflict
		}
		found, err := r.store.bulkChange(ctx, r.ID)
		switch {
		case err != nil:
			return err
		case found.Owner != r.Owner:
			return ErrLeased
		}
		r.Version, r.Stop = found.Version, found.Stop
		return conflict
	})
}

// Save stores the counts, the state and the end of the lease. A final state records
// an event. Save returns ErrLeased if another runner has the lease.
func (r *BulkRun) Save(ctx context.Context, state BulkState, until time.Time) error {
	r.State, r.Until = state, until
	return r.write(ctx, func(c *change) {
		if what := bulkEvents[state]; what != "" && r.Listed {
			c.recordEvent(Event{Partition: partitionOf(getBulkChange, "bulkID", r.ID), What: what, Subject: r.Describe(), After: r.result(), Why: r.Problem})
		}
	})
}

// bulkEvents contains the event for each final state of a run.
var bulkEvents = map[BulkState]EventCode{BulkDone: EventBulkChangeDone, BulkStopped: EventBulkChangeStopped}

// result returns the counts as a sentence for the history.
func (b *BulkChange) result() string {
	return fmt.Sprintf("%d changed, %d failed, %d skipped, %d not changed yet", b.Changed, b.Failed, b.Skipped, b.ToDo())
}

func productCount(n int) string { return NumberOf(n, "product", "products") }

// Recount sets the counts to zero, before the run counts all rows again.
func (r *BulkRun) Recount() { r.Changed, r.Failed, r.Skipped = 0, 0, 0 }

// List adds up to stepItems products to the preview. more reports whether others follow.
// One transaction stores the rows and the position, so that an interrupted listing can
// continue. until is the new end of the lease. After the last products, the lease ends
// immediately.
func (r *BulkRun) List(ctx context.Context, until time.Time) (more bool, err error) {
	rows, next, err := r.nextRows(ctx)
	if err != nil {
		return false, err
	}
	before := r.BulkChange
	r.Next, r.Until = next, until
	r.Rows += len(rows)
	if more = next != nil || r.Rows < len(r.Selected); !more {
		r.State, r.Listed = BulkReady, true
	}
	if r.Rows > MaxBulkRows || r.Rows == MaxBulkRows && more {
		more, r.State, r.Listed = false, BulkRefused, false
		r.Problem = fmt.Sprintf("More than %d products match. Choose a smaller part, such as one category.", MaxBulkRows)
	}
	if !more {
		r.Until = r.store.now()
	}
	for i := range rows {
		r.Count(rows[i].Outcome)
	}
	err = r.write(ctx, func(c *change) {
		for i := range rows {
			c.Create(&rows[i])
		}
	})
	if err != nil {
		r.BulkChange = before
	}
	return more, err
}

// listed is a product of the preview. Product is nil if the product does not exist.
type listed struct {
	id string
	*Product
}

// nextRows returns the next rows of the preview, and the position after them.
func (r *BulkRun) nextRows(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	if r.Undoes != "" {
		return r.previewUndo(ctx)
	}
	products, next, err := r.nextProducts(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows, err = r.preview(ctx, products)
	return rows, next, err
}

// nextProducts returns the next products of the preview, and the position after them.
func (r *BulkRun) nextProducts(ctx context.Context) (products []listed, next *Position, err error) {
	if len(r.Selected) == 0 {
		found, err := r.access.Products(ctx, r.Filter, Page{Limit: stepItems, At: r.Next})
		for i := range found.Rows {
			products = append(products, listed{found.Rows[i].ID, &found.Rows[i]})
		}
		return products, found.Next, err
	}
	products, err = r.readProducts(ctx, r.Selected[r.Rows:min(r.Rows+stepItems, len(r.Selected))])
	return products, nil, err
}

// readProducts makes consistent reads of products.
func (r *BulkRun) readProducts(ctx context.Context, ids []string) (products []listed, err error) {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = key.Map{"productID": id}
	}
	items, err := r.store.table.GetMany(ctx, getProduct, values, true)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		p := listed{id: ids[i]}
		if item != nil {
			if p.Product, err = table.DecodeAs[*Product](schema, item, nil); err != nil {
				return nil, err
			}
		}
		products = append(products, p)
	}
	return products, nil
}

// preview returns the rows of products, with the change of each one.
func (r *BulkRun) preview(ctx context.Context, products []listed) ([]BulkRow, error) {
	settings, err := r.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	stock, err := r.stockOf(ctx, products)
	if err != nil {
		return nil, err
	}
	rows := make([]BulkRow, len(products))
	for i, p := range products {
		row := BulkRow{BulkID: r.ID, Number: r.Rows + i + 1, ProductID: p.id, Expires: r.Expires, Version: 1}
		if p.Product == nil {
			rows[i] = row.skip("Product not found.")
			continue
		}
		row.Name, row.Seen = p.Name, p.Version
		rows[i] = r.previewRow(row, p.Product, stock[p.id], settings.Currency)
	}
	return rows, nil
}

// stockOf returns the stock items of the products in the warehouse of the change, by
// product ID.
func (r *BulkRun) stockOf(ctx context.Context, products []listed) (map[string]*WarehouseItem, error) {
	if r.Kind != BulkReorderPoint || len(products) == 0 {
		return nil, nil
	}
	values := make([]key.Map, len(products))
	for i, p := range products {
		values[i] = key.Map{"productID": p.id, "warehouseID": r.WarehouseID}
	}
	items, err := r.store.table.GetMany(ctx, getStockInWarehouse, values, true)
	if err != nil {
		return nil, err
	}
	stock := map[string]*WarehouseItem{}
	for _, item := range slices.DeleteFunc(items, func(i Item) bool { return i == nil }) {
		found, err := table.DecodeAs[*WarehouseItem](schema, item, nil)
		if err != nil {
			return nil, err
		}
		stock[found.ProductID] = found
	}
	return stock, nil
}

func (r *BulkRun) previewRow(row BulkRow, p *Product, stock *WarehouseItem, currency string) BulkRow {
	switch r.Kind {
	case BulkPrice:
		after, err := r.PriceAfter(p.Price, currency)
		row.Before, row.After = p.Price.String(), after.String()
		switch {
		case err != nil:
			return row.skip("The new price would be too high.")
		case after.Sign() == 0 && p.Price.Sign() > 0:
			return row.skip("The new price would be 0.")
		}
	case BulkCategory:
		row.Before, row.After = p.Category, r.Category
	case BulkReorderPoint:
		if stock == nil {
			return row.skip("Not stocked in this warehouse.")
		}
		row.Seen, row.Before, row.After = stock.Version, fmt.Sprint(stock.ReorderPoint), fmt.Sprint(r.ReorderPoint)
	case BulkArchive:
		row.Before, row.After = archivedText(p.Archived), archivedText(true)
	}
	if row.Before == row.After {
		return row.skip(nothingToChange)
	}
	return row
}

func archivedText(archived bool) string {
	if archived {
		return "archived"
	}
	return "active"
}

// ReadRows returns the rows after a key, or from the beginning if from is nil. next
// is where to continue, or nil at the end.
func (r *BulkRun) ReadRows(ctx context.Context, limit int, from Item) (rows []BulkRow, next Item, err error) {
	items, next, err := r.store.table.QueryOnce(ctx, table.Request{Pattern: getBulkRows, Values: key.Map{"bulkID": r.ID}, Limit: limit, Consistent: true, From: from})
	rows, err = decodeAll(items, err, decodeAs[BulkRow])
	return rows, next, err
}

// errUnchanged reports that a row needs no change any more.
var errUnchanged = fail(Invalid, nothingToChange)

// nothingToChange is the reason of a skipped row.
const nothingToChange = "Nothing to change."

// Apply changes the product of a row that is not done, and stores the outcome in the
// same transaction. The row fails if the product has changed since the preview or a
// rule rejects the change. It is skipped if there is nothing to change any more. Apply returns an error if the outcome is unknown or could
// not be stored.
func (r *BulkRun) Apply(ctx context.Context, row *BulkRow) (BulkOutcome, error) {
	done := *row
	done.Outcome, done.Version = BulkChanged, row.Version+1
	err := r.apply(ctx, row, func(c *change) {
		done.EventID, done.After = c.firstEvent(), row.After
		c.Replace(&done, row.Version)
	})
	if err == nil {
		return BulkChanged, nil
	}
	var rejected *Error
	if !errors.As(err, &rejected) || table.IsTransient(err) || ctx.Err() != nil || rejected.Kind == Unconfirmed {
		return BulkToDo, err
	}
	done.Outcome, done.Why, done.EventID = BulkFailed, rejected.Message, ""
	switch {
	case errors.Is(err, errUnchanged):
		done.Outcome = BulkSkipped
	case rejected.Kind == Conflict:
		done.Why = "Changed by someone else after the preview."
	case rejected.Kind == NotFound:
		done.Why = "Not found. It was deleted after the preview."
	}
	c, err := r.store.change(ctx)
	if err != nil {
		return BulkToDo, err
	}
	c.Replace(&done, row.Version)
	if err := c.Commit(ctx); KindOf(err) == Conflict { // another runner has done this row
		return BulkToDo, ErrLeased
	} else if err != nil {
		return BulkToDo, err
	}
	return done.Outcome, nil
}

// apply changes the product of a row. also adds the write of the row to the
// transaction.
func (r *BulkRun) apply(ctx context.Context, row *BulkRow, also func(*change)) error {
	a, err := r.accessFor(ctx, row)
	if err != nil {
		return err
	}
	switch r.Kind {
	case BulkPrice:
		price, err := ParseAmount(row.After)
		if err != nil {
			return err
		}
		return r.editProduct(ctx, a, row, also, func(p *Product) { p.Price = price })
	case BulkCategory:
		return r.editProduct(ctx, a, row, also, func(p *Product) { p.Category = row.After })
	case BulkArchive:
		return retryOnConflict(ctx, func() error {
			return a.archiveProduct(ctx, Archiving{ID: row.ProductID, Restore: row.After == archivedText(false), Version: row.Seen, Token: r.rowToken()}, also)
		})
	case BulkReorderPoint:
		point, err := strconv.Atoi(row.After)
		if err != nil {
			return err
		}
		form := StockForm{ProductID: row.ProductID, WarehouseID: r.WarehouseID, Seen: row.Seen, Token: r.rowToken()}
		return a.changeReorderPoint(ctx, form, func(c *change, item *WarehouseItem) {
			item.ReorderPoint = point
			also(c)
		})
	}
	return fail(Invalid, "Unknown kind of change %q.", r.Kind)
}

// editProduct changes fields of a product, if the product still has the version of
// the preview.
func (r *BulkRun) editProduct(ctx context.Context, a Access, row *BulkRow, also func(*change), set func(*Product)) error {
	return retryOnConflict(ctx, func() error {
		before, err := a.ProductForChange(ctx, row.ProductID)
		if err != nil {
			return err
		}
		edited := *before
		edited.Version = row.Seen
		set(&edited)
		return saveFromForm(ctx, a, before, &edited, edit[Product]{
			fields: ProductFields, edited: EventProductEdited, partition: productPartition(row.ProductID), token: r.rowToken(),
			correct: func(before, after *Product) (func(*change), error) {
				if r.Kind != BulkCategory {
					return func(*change) {}, nil
				}
				also, err := a.useCategory(ctx, before, after) // the category can have been renamed or archived since the preview
				if err == nil && after.Category == before.Category {
					return nil, errUnchanged
				}
				row.After = after.Category
				return also, err
			},
			also: func(c *change, before, after *Product) error {
				also(c)
				return nil
			},
		})
	})
}

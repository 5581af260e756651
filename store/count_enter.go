package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// CountEntry is what a user entered in a row of a count sheet.
type CountEntry struct {
	Number   int
	Entered  bool // false if the box is empty
	Quantity int
	Base     int // version of the row that the sheet showed
	Seen     int // version of the stock that the sheet showed
}

// Check returns Invalid with the field of the row if the quantity is out of range.
func (e CountEntry) Check() error {
	if e.Quantity < 0 || e.Quantity > maxQuantity {
		return InvalidField(SheetField("quantity", e.Number), "Enter a whole number from 0 to %s.", maxQuantityText)
	}
	return nil
}

// EnterCount saves entries for at most CountPage rows. Pass only entries that differ from
// what the sheet showed. If another user has entered a different number since then, the row
// gets the new number and is marked as disputed. The next entry by a user who has seen both
// numbers ends the dispute. Saving an entry again changes nothing.
//
// EnterCount skips rows that are applied, and returns their numbers. It returns NotFound,
// Conflict if the count is closed, or Invalid with the field of the row.
func (a Access) EnterCount(ctx context.Context, id string, entries []CountEntry) (applied []int, err error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	if len(entries) > CountPage {
		return nil, InvalidField("", "Save at most %d rows at once.", CountPage)
	}
	var numbers []int
	for _, e := range entries {
		if err := e.Check(); err != nil {
			return nil, err
		}
		numbers = append(numbers, e.Number)
	}
	err = retryOnConflict(ctx, func() error {
		n, err := a.openCount(ctx, id)
		if err != nil || len(entries) == 0 {
			return err
		}
		rows, err := a.rowsByNumber(ctx, n, numbers)
		if err != nil {
			return err
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		applied = nil
		for _, e := range entries {
			row := rows[e.Number]
			switch {
			case row == nil:
				return fail(NotFound, "Row %d not found in this count.", e.Number)
			case row.has(e, c.by):
			case row.Applied:
				applied = append(applied, e.Number)
			default:
				row.enter(e, c)
				c.replaceNext(row, &row.Version)
			}
		}
		if c.Len() == 0 {
			return nil
		}
		return c.Commit(ctx)
	})
	return applied, err
}

// has reports whether a row already has the quantity of an entry by this user. Either the
// entry was already saved, or another user entered the same quantity.
func (r *CountRow) has(e CountEntry, by string) bool {
	return r.Version != e.Base && r.sameNumber(e) && (r.By == by || !r.Disputed)
}

func (r *CountRow) sameNumber(e CountEntry) bool {
	return r.Entered == e.Entered && r.Quantity == e.Quantity
}

func (r *CountRow) enter(e CountEntry, c *change) {
	switch {
	case r.Version == e.Base:
		r.Disputed, r.Other, r.OtherBy = false, 0, ""
	case r.Entered && r.By != c.by && !r.sameNumber(e):
		r.Disputed, r.Other, r.OtherBy = true, r.Quantity, r.By
	}
	r.Entered, r.Quantity, r.Seen, r.By, r.At = e.Entered, e.Quantity, e.Seen, c.by, c.store.now()
}

// ScanCount adds one piece to the counted quantity of a product and returns its row.
// Submitting the form of the product's last scan again adds nothing. ScanCount returns
// NotFound, Invalid if the product is not on the sheet or its row is applied, or Conflict
// if the count is closed.
func (a Access) ScanCount(ctx context.Context, id, productID, token string) (*CountRow, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	var scanned *CountRow
	err := retryOnConflict(ctx, func() error {
		n, err := a.openCount(ctx, id)
		if err != nil {
			return err
		}
		found, _, err := a.store.table.QueryOnce(ctx, table.Request{Pattern: getCountRowOfProduct, Values: key.Map{"sheet": n.Sheet, "productID": productID}, Limit: 1})
		if err != nil {
			return err
		}
		rows, err := decodeAll(found, nil, decodeAs[CountRow])
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return InvalidField("scan", "This product is not on the sheet. Count it on its stock page, or receive it there if this warehouse never had it.")
		}
		current, err := a.rowsByNumber(ctx, n, []int{rows[0].Number})
		if err != nil {
			return err
		}
		row := current[rows[0].Number]
		switch {
		case row == nil:
			return fail(NotFound, "Row %d not found in this count.", rows[0].Number)
		case row.Applied:
			return InvalidField("scan", "The row of %s is already applied. Start another count for this product.", nameOrID(row.Name, row.ProductID))
		}
		scanned = row
		if row.Token == tokenID(token) && token != "" {
			return nil
		}
		if row.Quantity >= maxQuantity {
			return InvalidField("scan", "A row can't exceed %s pieces.", maxQuantityText)
		}
		stock, err := a.stockOfRows(ctx, n, []CountRow{*row})
		if err != nil {
			return err
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		if !row.Entered { // later scans keep the version, so that the review shows whether the stock has changed since the first scan
			row.Seen = stock[0].Version
		}
		row.Entered, row.Quantity, row.By, row.At, row.Token = true, row.Quantity+1, c.by, c.store.now(), tokenID(token)
		c.replaceNext(row, &row.Version)
		return c.Commit(ctx)
	})
	return scanned, err
}

// ClearCount empties rows so that they can be counted again, and returns how many it has
// emptied. It skips rows that are applied, empty, or changed since the form showed them. It
// returns NotFound, or Conflict if the count is closed.
func (a Access) ClearCount(ctx context.Context, id string, shown []CountCorrection) (cleared int, err error) {
	if err := a.require(ChangeStock); err != nil {
		return 0, err
	}
	for chunk := range slices.Chunk(shown, CountPage) {
		n, err := a.clearRows(ctx, id, chunk)
		if err != nil {
			return cleared, err
		}
		cleared += n
	}
	return cleared, nil
}

// clearRows empties at most CountPage rows in one transaction.
func (a Access) clearRows(ctx context.Context, id string, shown []CountCorrection) (cleared int, err error) {
	numbers := make([]int, len(shown))
	for i, s := range shown {
		numbers[i] = s.Number
	}
	err = retryOnConflict(ctx, func() error {
		n, err := a.openCount(ctx, id)
		if err != nil {
			return err
		}
		rows, err := a.rowsByNumber(ctx, n, numbers)
		if err != nil {
			return err
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		cleared = 0
		for _, s := range shown {
			row := rows[s.Number]
			if row == nil || !row.Entered && !row.Disputed || row.Applied || row.Version != s.Version {
				continue
			}
			row.Entered, row.Quantity, row.Disputed, row.Other, row.OtherBy, row.By, row.At = false, 0, false, 0, "", c.by, c.store.now()
			c.replaceNext(row, &row.Version)
			cleared++
		}
		if cleared == 0 {
			return nil
		}
		return c.Commit(ctx)
	})
	return cleared, err
}

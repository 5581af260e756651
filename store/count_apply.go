package store

import (
	"cmp"
	"context"
	"slices"
)

// CountState says how a row of a count compares with the stock.
type CountState string

// The states of the rows of a count.
const (
	CountEmpty    CountState = "empty"    // not counted yet
	CountMatches  CountState = "matches"  // the counted quantity equals the stock
	CountDiffers  CountState = "differs"  // the counted quantity differs from the stock
	CountMoved    CountState = "moved"    // the stock has changed since it was counted
	CountDisputed CountState = "disputed" // two people entered different numbers
	CountApplied  CountState = "applied"
)

// CountResult is a row of a count, compared with the stock.
type CountResult struct {
	CountRow
	Expected int // quantity in stock; Quantity can be compared with it only if State is CountMatches or CountDiffers
	State    CountState
}

// Difference returns the counted quantity minus the quantity in stock.
func (r *CountResult) Difference() int { return r.Quantity - r.Expected }

// Value returns the value of the difference, at the price of the product when the count
// started.
func (r *CountResult) Value() Sum { return r.Price.Times(r.Difference()).Sum() }

// IsLarge reports whether the difference is more than two pieces and more than a tenth of
// the quantity in stock. Such a difference is often a mistake, such as a bin that was
// overlooked.
func (r *CountResult) IsLarge() bool {
	return isLargeDifference(max(r.Difference(), -r.Difference()), r.Expected)
}

// isLargeDifference reports whether a difference is more than two pieces and more than a
// tenth of the expected quantity.
func isLargeDifference(difference, expected int) bool {
	return difference > 2 && difference > expected/10
}

func (r *CountRow) state(stock *WarehouseItem) CountState {
	switch {
	case r.Applied:
		return CountApplied
	case r.Disputed:
		return CountDisputed
	case !r.Entered:
		return CountEmpty
	case stock.Version != r.Seen:
		return CountMoved
	case stock.Quantity == r.Quantity:
		return CountMatches
	}
	return CountDiffers
}

// ReviewCount makes a consistent read of all rows of a count, at most MaxCountRows,
// and compares them with the stock. Rows that need a decision come first. Rows with the
// same state are sorted by the value of the difference, largest first.
func (a Access) ReviewCount(ctx context.Context, n *Count) ([]CountResult, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	if err := a.requireWarehouse(n.WarehouseID); err != nil {
		return nil, err
	}
	rows, err := a.countRows(ctx, n, rowNumber(1), rowNumber(MaxCountRows))
	if err != nil {
		return nil, err
	}
	stock, err := a.stockOfRows(ctx, n, rows)
	if err != nil {
		return nil, err
	}
	results := make([]CountResult, len(rows))
	for i := range rows {
		results[i] = CountResult{CountRow: rows[i], Expected: stock[i].Quantity, State: rows[i].state(&stock[i])}
	}
	order := []CountState{CountDisputed, CountMoved, CountDiffers, CountMatches, CountEmpty, CountApplied}
	slices.SortStableFunc(results, func(x, y CountResult) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, x.State), slices.Index(order, y.State)),
			magnitude(y.Value()).Compare(magnitude(x.Value())),
		)
	})
	return results, nil
}

func magnitude(s Sum) Sum {
	if s.Sign() < 0 {
		return s.Negative()
	}
	return s
}

// CountCorrection is a row of a count to apply to the stock.
type CountCorrection struct {
	Number  int
	Version int    // version of the row that the form showed
	Reason  string // required if the quantity differs from the stock
}

// rowsPerCorrection is the number of rows that one transaction applies. A row takes
// up to five of the 100 actions of a transaction: for the stock, its ledger entry,
// the stock level, the row and the event.
const rowsPerCorrection = 19

// ApplyCount sets the stock to the counted quantities, in transactions of at most
// rowsPerCorrection rows. It leaves out a row that is empty or disputed, or that has
// changed since the form showed it. It also leaves out a row whose stock has changed since
// it was counted. It can be repeated, because it ignores rows that are already applied. It
// returns the number of applied rows, and the numbers of the rows that it left out.
//
// ApplyCount returns NotFound, Conflict if the count is closed, or Invalid if the reason of
// a difference is missing or invalid. Earlier transactions stay applied.
func (a Access) ApplyCount(ctx context.Context, id string, corrections []CountCorrection) (applied int, leftOut []int, err error) {
	if err := a.require(ChangeStock); err != nil {
		return 0, nil, err
	}
	for i := range corrections {
		if err := checkLine(SheetField("reason", corrections[i].Number), &corrections[i].Reason); err != nil {
			return 0, nil, err
		}
	}
	for chunk := range slices.Chunk(corrections, rowsPerCorrection) {
		var done, skipped []int
		err := retryOnConflict(ctx, func() (err error) {
			done, skipped, err = a.applyRows(ctx, id, chunk)
			return err
		})
		if err != nil {
			return applied, leftOut, err
		}
		applied, leftOut = applied+len(done), append(leftOut, skipped...)
	}
	return applied, leftOut, nil
}

func (a Access) applyRows(ctx context.Context, id string, corrections []CountCorrection) (done, skipped []int, err error) {
	n, err := a.openCount(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	numbers := make([]int, len(corrections))
	for i := range corrections {
		numbers[i] = corrections[i].Number
	}
	found, err := a.rowsByNumber(ctx, n, numbers)
	if err != nil {
		return nil, nil, err
	}
	var rows []CountRow
	var chosen []CountCorrection
	for _, r := range corrections {
		row := found[r.Number]
		switch {
		case row == nil:
			return nil, nil, fail(NotFound, "Row %d not found in this count.", r.Number)
		case row.Applied:
		case row.Version != r.Version:
			skipped = append(skipped, r.Number)
		default:
			rows, chosen = append(rows, *row), append(chosen, r)
		}
	}
	stock, err := a.stockOfRows(ctx, n, rows)
	if err != nil {
		return nil, nil, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := a.change(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	for i := range rows {
		row, item := &rows[i], &stock[i]
		switch row.state(item) {
		case CountMatches:
		case CountDiffers:
			if chosen[i].Reason == "" {
				return nil, nil, InvalidField(SheetField("reason", row.Number), "Choose a reason.")
			}
		default:
			skipped = append(skipped, row.Number)
			continue
		}
		id, before := c.nextEvent(), *item
		item.Counted = today
		c.moveStock(item, row.Quantity-item.Quantity, ledgerReason("Count", "", chosen[i].Reason), "")
		c.recordEvent(Event{
			ID: id, Partition: productPartition(row.ProductID), What: EventStockCounted, Why: chosen[i].Reason,
			Before: quantityIn(&before), After: quantityIn(item), Values: eventValues(quantityValues(&before, item)...), Audience: countAudience(&before, item),
		})
		row.Applied = true
		c.replaceNext(row, &row.Version)
		done = append(done, row.Number)
	}
	if c.Len() == 0 {
		return nil, skipped, nil
	}
	return done, skipped, c.Commit(ctx)
}

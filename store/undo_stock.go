package store

import (
	"context"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"stockroom/store/key"
	"stockroom/store/table"
)

// The values of stock events. Their Part is the ID of the warehouse.
const (
	valueQuantity = "quantity"
	valueCounted  = "counted" // the day of the last count
)

// reorderFields are the values of a stock item that SetReorderPoint changes.
var reorderFields = Fields[WarehouseItem]{
	countField("reorder", "Reorder point", 0, maxQuantity, func(w *WarehouseItem) *int { return &w.ReorderPoint }),
	textField("bin", "Bin", func(w *WarehouseItem) *string { return &w.Bin }),
}

func (w *WarehouseItem) version() *int { return &w.Version }

// quantityValues returns the values of an event that changes the quantity of one stock
// item.
func quantityValues(before, after *WarehouseItem) []EventValue {
	values := []EventValue{{valueQuantity, after.WarehouseID, strconv.Itoa(before.Quantity), strconv.Itoa(after.Quantity)}}
	if !before.Counted.Equal(after.Counted) {
		values = append(values, EventValue{valueCounted, after.WarehouseID, calendarDay(before.Counted), calendarDay(after.Counted)})
	}
	return values
}

// reorderValues returns the values of an event that sets a reorder point or a bin.
func reorderValues(before, after *WarehouseItem) []EventValue {
	return reorderFields.values(before, after, after.WarehouseID)
}

// stockItemOf makes a consistent read of the stock item of an event.
func stockItemOf(ctx context.Context, a Access, e *Event) (*WarehouseItem, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	return a.StockItem(ctx, e.recordID(), e.onlyPart())
}

func (a Access) saveReorderPoint(ctx context.Context, item WarehouseItem, token string) error {
	f := StockForm{ProductID: item.ProductID, WarehouseID: item.WarehouseID, Seen: item.Version, Token: token}
	return a.SetReorderPoint(ctx, f, item.ReorderPoint, item.Bin)
}

// stockUndo is the opposite of an event that changed quantities. It adds the
// opposite differences to the current quantities. Sales and other changes since the
// event therefore do not prevent the undo. A later count prevents it, because the
// count has already corrected the quantity.
type stockUndo struct {
	event *Event
	parts []stockUndoPart
}

type stockUndoPart struct {
	item    *WarehouseItem
	place   string // label of the warehouse
	delta   int
	counted *time.Time // the value of WarehouseItem.Counted after the undo; nil if it stays the same
}

// planStockUndo plans the undo of a change of quantities.
func planStockUndo(ctx context.Context, a Access, e *Event) (*UndoPlan, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	plan, undo := &UndoPlan{}, stockUndo{event: e}
	values := e.values()
	for _, warehouseID := range parts(values) {
		part, err := a.stockUndoPart(ctx, e, warehouseID, values)
		if err != nil {
			return nil, err
		}
		undo.parts = append(undo.parts, part)
		now := part.item.Quantity
		row := UndoValue{Label: "Stock at " + part.place, Now: strconv.Itoa(now), Then: strconv.Itoa(now + part.delta)}
		switch v, _ := value(values, warehouseID, valueQuantity); {
		case now+part.delta < 0:
			row.Done, row.Conflict = v.After, true
			plan.Refusal = fmt.Sprintf("Only %d in stock at %s, so %d can't be removed.", now, part.place, -part.delta)
		case now+part.delta > maxQuantity:
			row.Done, row.Conflict = v.After, true
			plan.Refusal = "The stock can't exceed " + maxQuantityText + " pieces."
		}
		plan.Values = append(plan.Values, row)
	}
	later, err := a.countedSince(ctx, e, values)
	if err != nil {
		return nil, err
	}
	if later != nil && plan.Refusal == "" {
		plan.Refusal = fmt.Sprintf("The stock was counted later, by %s on %s: from %s to %s. The count has already corrected this change.",
			later.By, longDay(later.When), orDash(later.Before), orDash(later.After))
		for i := range plan.Values {
			v, _ := value(values, undo.parts[i].item.WarehouseID, valueQuantity)
			plan.Values[i].Done, plan.Values[i].Conflict = v.After, true
		}
	}
	plan.save = func(ctx context.Context, a Access, token string) error { return a.undoStock(ctx, undo, token) }
	return plan, nil
}

// isCount reports whether the event is a count that has not been undone.
func (e *Event) isCount() bool { return e.What == EventStockCounted && e.UndoneBy == "" }

// endsStockUndo reports whether v is a quantity and the later event is a count. A count has
// corrected the quantity, so earlier changes of it can no longer be undone.
func endsStockUndo(later *Event, v, _ EventValue) bool {
	return later.isCount() && v.Name == valueQuantity
}

// stockUndoPart makes a consistent read of the stock item of one warehouse, and returns
// what the undo changes there.
func (a Access) stockUndoPart(ctx context.Context, e *Event, warehouseID string, values []EventValue) (stockUndoPart, error) {
	item, err := a.StockItem(ctx, e.recordID(), warehouseID)
	if err != nil {
		return stockUndoPart{}, err
	}
	v, _ := value(values, warehouseID, valueQuantity)
	before, _ := strconv.Atoi(v.Before) // never fails: the program has formatted both numbers
	after, _ := strconv.Atoi(v.After)
	part := stockUndoPart{item: item, place: "warehouse " + warehouseID, delta: before - after}
	switch warehouse, err := a.ChoiceOf(ctx, ChooseWarehouse, warehouseID); {
	case err == nil:
		part.place = warehouse.Label()
	case KindOf(err) != NotFound:
		return stockUndoPart{}, err
	}
	if v, ok := value(values, warehouseID, valueCounted); ok {
		day, _ := time.Parse(time.DateOnly, v.Before) // zero if the stock had never been counted
		part.counted = &day
	}
	return part, nil
}

// countedSince returns the newest count that followed an event in one of the event's
// warehouses, or nil. It searches only the newest events of the product; see
// searchedEvents.
func (a Access) countedSince(ctx context.Context, e *Event, values []EventValue) (*Event, error) {
	items, _, err := a.store.table.QueryOnce(ctx, table.Request{
		Pattern:    getEventsOfThing,
		Values:     key.Map{"partition": e.Partition},
		Limit:      searchedEvents,
		Consistent: true,
	})
	if err != nil {
		return nil, err
	}
	newer, err := decodeAll(items, nil, decodeAs[Event])
	if err != nil {
		return nil, err
	}
	for i := range newer {
		later := &newer[i]
		if later.ID <= e.ID {
			return nil, nil //nolint:nilnil // nil: no later count
		}
		if later.What != EventStockCounted || isUndone(later, newer) {
			continue
		}
		for _, part := range parts(later.values()) {
			if _, same := value(values, part, valueQuantity); same {
				return later, nil
			}
		}
	}
	return nil, nil
}

// isUndone reports whether an event is undone. If the undo was itself undone, the event
// counts as not undone. newer contains the newest events of the same partition.
func isUndone(e *Event, newer []Event) bool {
	if e.UndoneBy == "" {
		return false
	}
	for i := range newer {
		if newer[i].Undoes == e.ID {
			return !isUndone(&newer[i], newer)
		}
	}
	return true
}

// undoStock adds the opposite differences in one transaction.
func (a Access) undoStock(ctx context.Context, u stockUndo, token string) error {
	what := EventStockAdjusted
	if u.event.What == EventStockTransferred {
		what = EventStockTransferred
	}
	reason := "Undo: " + u.event.Why
	if utf8.RuneCountInString(reason) > maxText {
		reason = string([]rune(reason)[:maxText])
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	entry := Event{ID: c.nextEvent(), Partition: u.event.Partition, What: what, Why: reason}
	var values []EventValue
	for _, p := range u.parts {
		before := *p.item
		if p.counted != nil {
			p.item.Counted = *p.counted
		}
		if err := c.nameNewStock(ctx, p.item); err != nil {
			return err
		}
		c.moveStock(p.item, p.delta, reason, "")
		values = append(values, quantityValues(&before, p.item)...)
		entry.Before, entry.After = joined(entry.Before, quantityIn(&before)), joined(entry.After, quantityIn(p.item))
	}
	entry.Values = eventValues(values...)
	c.recordEvent(entry)
	return c.Commit(ctx)
}

func joined(list, text string) string {
	if list == "" {
		return text
	}
	return list + ", " + text
}

package store

import (
	"context"
	"strings"
)

// Values of a note: its text and its Audience.
const (
	valueNote     = "note"
	valueAudience = "audience"
)

// planNoteUndo plans the undo of a note. The note stays in the history, marked as
// undone. Undoing the undo adds a note with the same text.
func planNoteUndo(ctx context.Context, a Access, e *Event) (*UndoPlan, error) {
	if err := a.require(WriteNotes); err != nil {
		return nil, err
	}
	if err := a.requireNoted(ctx, e.Partition); err != nil {
		return nil, err
	}
	if e.What == EventNoteWithdrawn {
		v, _ := value(e.values(), "", valueNote)
		audience, _ := value(e.values(), "", valueAudience)
		return &UndoPlan{
			Values: []UndoValue{{Label: "Note", Then: v.Before}},
			save: func(ctx context.Context, a Access, token string) error {
				return a.recordNote(ctx, Event{Partition: e.Partition, What: EventNote, Why: v.Before, Audience: audience.Before}, token)
			},
		}, nil
	}
	values := []EventValue{{Name: valueNote, Before: e.Why}}
	if e.Audience != "" {
		values = append(values, EventValue{Name: valueAudience, Before: e.Audience})
	}
	note := UndoValue{Label: "Note", Done: e.Why, Now: e.Why}
	if e.UndoneBy != "" {
		note.Now, note.Conflict = "", true
	}
	return &UndoPlan{
		Values: []UndoValue{note},
		save: func(ctx context.Context, a Access, token string) error {
			return a.recordNote(ctx, Event{
				Partition: e.Partition, What: EventNoteWithdrawn, Before: excerpt(e.Why), Values: eventValues(values...),
			}, token)
		},
	}, nil
}

func (a Access) recordNote(ctx context.Context, e Event, token string) error {
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(e)
	return c.Commit(ctx)
}

// requireNoted returns NotFound if the user may not see the record of a note.
func (a Access) requireNoted(ctx context.Context, partition string) error {
	if productID, warehouseID, found := NotedStock(partition); found {
		if warehouseID == "" {
			return a.require(Browse)
		}
		_, err := a.StockItem(ctx, productID, warehouseID)
		return err
	}
	i := strings.LastIndexByte(partition, '#')
	id := partition[i+1:]
	switch partition {
	case kayakPartition(id):
		_, err := a.Kayak(ctx, id)
		return err
	case orderPartition(id), partitionOf(getCustomer, "customerID", id), accountPartition(id):
		return a.require(Browse) // the record belongs to no store or warehouse
	}
	return fail(NotFound, "This change is not in the history.")
}

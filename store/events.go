package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EventsOfCustomer lists what was changed of a customer and what was noted
// about them, newest first.
func (a Access) EventsOfCustomer(ctx context.Context, customerID string, page Page) (List[Event], error) {
	if err := a.require(Browse); err != nil {
		return List[Event]{}, err
	}
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": partitionOf(getCustomer, "customerID", customerID)}}
	return list(ctx, a.store, q, page, decodeAs[Event])
}

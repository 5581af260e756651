package store

import (
	"context"

	"stockroom/store/key"
)

// EventsOfCustomer lists what was changed of a customer and what was noted
// about them, newest first.
func (a Access) EventsOfCustomer(ctx context.Context, customerID string, page Page) (List[Event], error) {
	if err := a.may(Browse); err != nil {
		return List[Event]{}, err
	}
	q := question{pattern: getEventsOfThing, values: key.Map{"partition": partitionOf(getCustomer, "customerID", customerID)}}
	return list(ctx, a.Store, q, page, decoded[Event])
}

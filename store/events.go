package store

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"

	"stockroom/store/key"
)

// remembered is how many of a thing's newest events are looked through for a
// form that was sent before: people send a form twice within seconds.
const remembered = 25

// hasEvent says whether one of the newest events in a partition was made by
// the form with this token. It reads consistently: the event may have been
// written a moment ago.
func (s *Store) hasEvent(ctx context.Context, partition, token string) (bool, error) {
	pk, sk, err := getEventsOfThing.keys(key.Map{"partition": partition})
	if err != nil {
		return false, err
	}
	in := s.queryInput(getEventsOfThing, pk, sk, getEventsOfThing.Newest)
	in.ConsistentRead, in.Limit = aws.Bool(true), aws.Int32(remembered)
	out, err := s.db.Query(ctx, in)
	if err != nil {
		return false, s.failure(err)
	}
	for _, item := range out.Items {
		if textOf(item, "Token") == token {
			return true, nil
		}
	}
	return false, nil
}

// EventsOfCustomer lists what was changed of a customer and what was noted
// about them, newest first.
func (a Access) EventsOfCustomer(ctx context.Context, customerID string, page Page) (List[Event], error) {
	if err := a.may(Browse); err != nil {
		return List[Event]{}, err
	}
	q := question{pattern: getEventsOfThing, values: key.Map{"partition": partitionOf(getCustomer, "customerID", customerID)}}
	return list(ctx, a.Store, q, page, decoded[Event])
}

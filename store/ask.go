package store

import (
	"context"
	"time"

	"stockroom/store/key"
)

// DateRange is a range of days in the time zone of the business, both ends
// included; a zero end is open.
type DateRange struct{ From, To time.Time }

// openMonths is how far a list that lies in monthly partitions reaches back
// where no first day is named.
const openMonths = 120

// days puts a range into the zone of the business.
func (s *Store) days(ctx context.Context, r DateRange) (key.Days, error) {
	settings, err := s.Settings(ctx)
	return key.Days{From: r.From, To: r.To, Zone: settings.Zone()}, err
}

// rangeValues are the values of a pattern that asks for a range of dates.
func rangeValues(d key.Days) key.Map {
	from, to := d.Bounds()
	return key.Map{"from": from, "to": to}
}

// inRange asks a pattern for the dates of a range.
func (s *Store) inRange(ctx context.Context, p *Pattern, r DateRange, values key.Map) (question, error) {
	days, err := s.days(ctx, r)
	if err != nil {
		return question{}, err
	}
	all := rangeValues(days)
	for name, value := range values {
		all[name] = value
	}
	return question{pattern: p, values: all}, nil
}

// byMonth asks a pattern whose partitions are months, newest first. Nothing
// is dated after today, so a range ends there at the latest; an open
// beginning lies ten years before that.
func (s *Store) byMonth(ctx context.Context, p *Pattern, r DateRange) (question, error) {
	days, err := s.days(ctx, r)
	if err != nil {
		return question{}, err
	}
	if today := s.now().In(days.Zone); days.To.IsZero() || days.To.After(today) {
		days.To = today
	}
	if days.From.IsZero() {
		days.From = days.To.AddDate(0, -openMonths, 0)
	}
	return question{pattern: p, values: rangeValues(days), segment: "month", over: days.Months()}, nil
}

// byStatus asks a pattern whose sort keys begin with a status.
func (s *Store) byStatus(ctx context.Context, p *Pattern, r DateRange, status string) (question, error) {
	return s.inRange(ctx, p, r, key.Map{"status": status})
}

// byName asks a pattern whose partitions are first letters: for names that
// begin so, for one letter, or for all.
func byName(p *Pattern, bucket, beginning string) question {
	folded := key.Fold(beginning)
	q := question{pattern: p, values: key.Map{"name": folded}, segment: "bucket", over: key.Buckets}
	switch {
	case folded != "":
		q.over = []string{key.Bucket(folded)}
	case bucket != "":
		q.over = []string{bucket}
	}
	return q
}

// decoded turns a decoder of entities into one of a noun.
func decoded[T any, E interface {
	*T
	Entity
}](item Item) (T, error) {
	var none T
	entity, err := Decode(item)
	if err != nil {
		return none, err
	}
	e, ok := entity.(E)
	if !ok {
		return none, fail(Damaged, "The item %s is a %s, where a %s was expected.", (&fields{item: item}).key(), entity.EntityType(), E(&none).EntityType())
	}
	return *e, nil
}

func decodeAll[T any](items []Item, err error, decode func(Item) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	rows := make([]T, len(items))
	for i, item := range items {
		if rows[i], err = decode(item); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

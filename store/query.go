package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// DateRange is a range of days in the time zone of the business. It includes From and To.
// If one of them is zero, the range is open at that end.
type DateRange struct{ From, To time.Time }

// openMonths is the number of months that a list by month covers if its range has no
// first day.
const openMonths = 120

// days returns a range with the time zone of the business.
func (s *Store) days(ctx context.Context, r DateRange) (key.Days, error) {
	settings, err := s.Settings(ctx)
	return key.Days{From: r.From, To: r.To, Zone: settings.Zone()}, err
}

// rangeValues returns the values of the placeholders ${from} and ${to} of an access pattern
// for a range of days.
func rangeValues(d key.Days) key.Map {
	from, to := d.Bounds()
	return key.Map{"from": from, "to": to}
}

// inRange returns a query of an access pattern for a range of days. values contains the
// other placeholders.
func (s *Store) inRange(ctx context.Context, p *Pattern, r DateRange, values key.Map) (table.Query, error) {
	days, err := s.days(ctx, r)
	if err != nil {
		return table.Query{}, err
	}
	all := rangeValues(days)
	for name, value := range values {
		all[name] = value
	}
	return table.Query{Pattern: p, Values: all}, nil
}

// byMonth returns a query of an access pattern that has a partition for each month. The
// range ends today at the latest, because no row has a future date.
func (s *Store) byMonth(ctx context.Context, p *Pattern, r DateRange) (table.Query, error) {
	days, err := s.days(ctx, r)
	if err != nil {
		return table.Query{}, err
	}
	if today := s.now().In(days.Zone); days.To.IsZero() || days.To.After(today) {
		days.To = today
	}
	if days.From.IsZero() {
		days.From = days.To.AddDate(0, -openMonths, 0)
	}
	return table.Query{Pattern: p, Values: rangeValues(days), Segment: "month", Segments: days.Months()}, nil
}

func (s *Store) byStatus(ctx context.Context, p *Pattern, r DateRange, status string) (table.Query, error) {
	return s.inRange(ctx, p, r, key.Map{"status": status})
}

// byName returns a query of an access pattern that has a partition for each first letter of
// the name. The query reads the names with a prefix. Without a prefix, it reads the names
// in a bucket (with one first letter) or all names.
func byName(p *Pattern, bucket, prefix string) table.Query {
	folded := key.Fold(prefix)
	q := table.Query{Pattern: p, Values: key.Map{"name": folded}, Segment: "bucket", Segments: key.Buckets}
	switch {
	case folded != "":
		q.Segments = []string{key.Bucket(folded)}
	case bucket != "":
		q.Segments = []string{bucket}
	}
	return q
}

// page reads one page of a query. If the query does not set the number of shards, page uses
// the number in the settings.
func (s *Store) page(ctx context.Context, q table.Query, page Page) (List[Row], error) {
	if q.Pattern.Sharded && q.Shards == 0 {
		settings, err := s.Settings(ctx)
		if err != nil {
			return List[Row]{}, err
		}
		q.Shards, q.Moving = settings.ShardsRead, settings.Moving
	}
	return s.table.Page(ctx, q, page)
}

// list reads one page of a query and decodes its rows. It returns an error for a row that
// cannot be decoded, because callers may rely on complete lists. If page.Partial is set,
// list omits such rows instead. If page.Count is set, list decodes nothing.
func list[T any](ctx context.Context, s *Store, q table.Query, page Page, decode func(Row, *T) error) (List[T], error) {
	q.KeysOnly = page.Count
	found, err := s.page(ctx, q, page)
	if err != nil {
		return List[T]{}, err
	}
	return decodeFound(found, page, decode)
}

// decodeFound is like decodeList. However, if page.Count is set, it decodes nothing and
// returns empty rows.
func decodeFound[T any](found List[Row], page Page, decode func(Row, *T) error) (List[T], error) {
	if page.Count {
		return List[T]{Rows: make([]T, len(found.Rows)), Prev: found.Prev, Next: found.Next}, nil
	}
	return decodeList(found, page, decode)
}

// decodeList decodes the rows of a page. If page.Partial is set, it omits rows that cannot
// be decoded, and lists them in Unreadable.
func decodeList[T any](found List[Row], page Page, decode func(Row, *T) error) (List[T], error) {
	l := List[T]{Rows: make([]T, 0, len(found.Rows)), Prev: found.Prev, Next: found.Next}
	for _, row := range found.Rows {
		n := len(l.Rows)
		l.Rows = append(l.Rows, *new(T)) // decode into the slice, because a separate variable would be allocated for each row
		switch err := decode(row, &l.Rows[n]); {
		case err == nil:
		case page.Partial && KindOf(err) == Damaged:
			l.Rows = l.Rows[:n]
			l.Unreadable = append(l.Unreadable, err.Error())
		default:
			return List[T]{}, err
		}
	}
	return l, nil
}

// readOne returns the entity that an access pattern with GetItem finds, or NotFound.
func readOne[E Entity](ctx context.Context, s *Store, p *Pattern, values key.Map) (E, error) {
	row, err := s.table.Get(ctx, p, values, false)
	return table.DecodeAs[E](schema, row, err)
}

// readConsistently is like readOne, but makes a consistent read. Use it before a change of
// the entity.
func readConsistently[E Entity](ctx context.Context, s *Store, p *Pattern, values key.Map) (E, error) {
	row, err := s.table.Get(ctx, p, values, true)
	return table.DecodeAs[E](schema, row, err)
}

// lookUp returns a Lookup that decodes the found item into *to.
func lookUp[E Entity](p *Pattern, values key.Map, to *E) table.Lookup {
	return table.Lookup{Pattern: p, Values: values, Found: func(row Row) (err error) {
		*to, err = table.DecodeAs[E](schema, row, nil)
		return err
	}}
}

// Encode returns the item of an entity. shards is the number of shards in the settings.
func Encode(e Entity, shards int) (Item, error) { return schema.Encode(e, shards) }

// encodeInto is like Encode, but stores the item in the memory of a buffer.
func encodeInto(b *table.ItemBuffer, e Entity, shards int) (Item, error) {
	return schema.EncodeInto(b, e, shards)
}

// Decode returns the entity of an item. It returns Damaged if the item cannot be decoded.
func Decode(item Item) (Entity, error) { return schema.Decode(item) }

// Mismatch encodes the entity and compares the result with the item. It returns the name of
// the first attribute that differs, or "" if there is none.
func Mismatch(item Item, e Entity) string { return schema.Mismatch(item, e) }

// decodeAs decodes a row into an empty T.
func decodeAs[T any, E entity[T]](row Row, to *T) error { return schema.DecodeInto(row, E(to)) }

// decodeAll decodes the rows of a read. err is the error of the read. If it is not nil,
// decodeAll returns it.
func decodeAll[T any](found []Row, err error, decode func(Row, *T) error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	rows := make([]T, len(found))
	for i, row := range found {
		if err := decode(row, &rows[i]); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

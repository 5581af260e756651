package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// filterRounds is the maximum number of pages of a query that are read for one page of a
// filtered list. If these are not enough, the page of the list ends early, and its next
// page continues from there. With 11 rounds, a list of people by name makes at most 60
// requests.
const filterRounds = 11

// filtered reads one page of a query. It omits items for which keep returns false. For
// rounds, see filteredPages.
func (s *Store) filtered(ctx context.Context, q table.Query, page Page, rounds int, keep func(Row) (bool, error)) (List[Row], error) {
	return s.filteredPages(ctx, q, page, rounds, func(rows []Row) (kept []Row, read int, err error) {
		for _, row := range rows {
			if ok, err := keep(row); err != nil {
				return nil, 0, err
			} else if ok {
				kept = append(kept, row)
			}
		}
		return kept, len(rows), nil
	})
}

// filteredPages reads one page of a filtered list. It calls the function keep with the
// rows of each page of the query. keep returns the rows that belong to the list, and the
// number of rows that it has examined, which must be at least one. The argument rounds is
// the maximum number of pages of the query to read. The page of the list ends early after
// these, or where keep has stopped. The next page continues from there; see
// Position.Unread.
func (s *Store) filteredPages(ctx context.Context, q table.Query, page Page, rounds int, keep func([]Row) (kept []Row, read int, err error)) (List[Row], error) {
	want, back := page.Rows(), page.At != nil && page.At.Back
	read := Page{Limit: min(table.MaxLimit, 2*want+10), At: page.At}
	var rows []Row
	var stopped *Position
	for round := 1; ; round++ {
		found, err := s.page(ctx, q, read)
		if err != nil {
			return List[Row]{}, err
		}
		ahead := found.Next
		if back {
			slices.Reverse(found.Rows)
			ahead = found.Prev
		}
		kept, count, err := keep(found.Rows)
		if err != nil {
			return List[Row]{}, err
		}
		rows = append(rows, kept...)
		ended := count < len(found.Rows)
		if ended {
			ahead = positionOf(found.Rows[count-1], q, back)
		}
		if len(rows) > want || ahead == nil {
			break
		}
		if round == rounds || ended {
			unread := *ahead
			unread.Unread = true
			stopped = &unread
			break
		}
		read.At = ahead
	}
	more := len(rows) > want
	rows = rows[:min(want, len(rows))]
	return pageOf(rows, q, page.At, more, stopped), nil
}

// pageOf returns the page for rows that were read, in reading order, from the position in
// the argument at. If more is true, further rows follow. stopped is the position where
// reading stopped early, or nil.
func pageOf(rows []Row, q table.Query, at *Position, more bool, stopped *Position) List[Row] {
	back := at != nil && at.Back
	ahead, behind := stopped, (*Position)(nil)
	if more {
		ahead = positionOf(rows[len(rows)-1], q, back)
	}
	if at != nil && len(rows) > 0 {
		behind = positionOf(rows[0], q, !back)
	} else if at != nil {
		turned := *at
		turned.Back = !back
		behind = &turned
	}
	if back {
		slices.Reverse(rows)
		return List[Row]{Rows: rows, Prev: ahead, Next: behind}
	}
	return List[Row]{Rows: rows, Prev: behind, Next: ahead}
}

// positionOf returns the position of a row in a list. If the query has several segments,
// they must be statuses, or days of events.
func positionOf(row Row, q table.Query, back bool) *Position {
	_, skName := table.KeyAttributes(q.Pattern.Index)
	at := &Position{SK: row.Text(skName), ItemPK: row.Text(table.AttrPK), ItemSK: row.Text(table.AttrSK), Back: back}
	switch {
	case len(q.Segments) == 1:
		at.Segment = q.Segments[0]
	case q.Segment == "status":
		at.Segment = row.Text("Status")
	case q.Segment == "day":
		at.Segment, _, _ = strings.Cut(row.Text("When"), "T")
	}
	return at
}

// listWithWords reads one page of a query, with only the rows whose names match all words.
// Each word must be the start of a word of the name. Without words, listWithWords keeps all
// rows.
func listWithWords[T any](ctx context.Context, s *Store, q table.Query, page Page, words []string, decode func(Row, *T) error, name func(*T) string) (List[T], error) {
	if len(words) == 0 {
		return list(ctx, s, q, page, decode)
	}
	return listWhere(ctx, s, q, page, decode, func(row *T) bool { return key.HasWords(key.JoinWords(key.Words(name(row))), words) })
}

// listWhere reads one page of a query. It omits rows for which keep returns false.
func listWhere[T any](ctx context.Context, s *Store, q table.Query, page Page, decode func(Row, *T) error, keep func(*T) bool) (List[T], error) {
	found, err := s.filtered(ctx, q, page, filterRounds, func(row Row) (bool, error) {
		var decoded T
		err := decode(row, &decoded)
		if page.Partial && KindOf(err) == Damaged {
			return true, nil
		}
		return err == nil && keep(&decoded), err
	})
	if err != nil {
		return List[T]{}, err
	}
	return decodeList(found, page, decode)
}

// listNamed lists the records of a group of search words whose names match the words of
// name. It omits a record if keep returns false for its search word. It lists nothing if
// name contains no words.
func listNamed[E entity[T], T any](ctx context.Context, s *Store, g WordGroup, name string, page Page, keep func(*SearchWord) bool) (List[T], error) {
	t := readSearch(strings.ReplaceAll(name, "#", " "))
	if len(t.words) == 0 {
		return List[T]{}, nil
	}
	prefix := t.prefixes(g)[0]
	q := table.Query{Pattern: getByWords, Values: key.Map{"group": string(g), "initials": prefix.initials, "words": prefix.words}, Shards: g.shards()}
	found, err := s.filtered(ctx, q, page, filterRounds, func(row Row) (bool, error) {
		var w SearchWord
		err := decodeWord(row, &w)
		return err == nil && keep(&w) && key.HasWords(w.Name, t.words) && w.isFirst(prefix.words, prefix.initials), err
	})
	if err != nil {
		return List[T]{}, err
	}
	r := &reading{}
	slots := make([]*E, len(found.Rows))
	for i, row := range found.Rows {
		var w SearchWord
		if err := decodeWord(row, &w); err != nil {
			return List[T]{}, err
		}
		p, values := w.record()
		slots[i] = slot[E](r, p, values)
	}
	l := List[T]{Prev: found.Prev, Next: found.Next}
	if err := s.table.LookUp(ctx, r.lookups, false); err != nil {
		return List[T]{}, err
	}
	for _, record := range slots {
		if *record != nil {
			l.Rows = append(l.Rows, **record)
		}
	}
	return l, nil
}

// isFirst reports whether w is the first search word of its record with this prefix
// and these initials. A list uses only this word, so that it shows each record once.
func (w *SearchWord) isFirst(prefix, initials string) bool {
	for _, other := range nameWords(*w, strings.ReplaceAll(w.Name, "_", " "), "") {
		if other.Words < w.Words && strings.HasPrefix(other.Words, prefix) && w.Group.initialsOf(other.Words) == initials {
			return false
		}
	}
	return true
}

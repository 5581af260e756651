package table

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// MergedPage reads one page of several queries in parallel, and merges their rows by sort
// key. The queries must have the same order and one partition each, and their sort keys
// must have the same form and be unique.
func (t *Table) MergedPage(ctx context.Context, queries []Query, page Page) (List[Row], error) {
	lists := make([]List[Row], len(queries))
	reads, ctx := errgroup.WithContext(ctx)
	for i := range queries {
		reads.Go(func() (err error) {
			lists[i], err = t.Page(ctx, queries[i], page)
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return List[Row]{}, err
	}
	m := merger{back: page.At != nil && page.At.Back}
	m.descending = queries[0].Pattern.Newest != queries[0].Reverse != m.back
	for i := range lists {
		m.add(lists[i], queries[i].Pattern.skName)
	}
	return m.page(page), nil
}

// merger merges pages. If back is true, it merges them backwards, for the page before a
// position.
type merger struct {
	back, descending bool
	rows             []listRow
	ends             []string // last sort key of each merged page that has a next page
}

func (m *merger) add(l List[Row], skName string) {
	for _, row := range l.Rows {
		m.rows = append(m.rows, listRow{Row: row, sk: row.Text(skName)})
	}
	ahead := l.Next
	if m.back {
		ahead = l.Prev
	}
	if ahead != nil {
		m.ends = append(m.ends, ahead.SK)
	}
}

func (m *merger) compare(a, b string) int {
	if m.descending {
		a, b = b, a
	}
	return strings.Compare(a, b)
}

// page returns the merged page. It omits the rows after the end of any page that has a next
// page, because the unread rows of that next page may come before them.
func (m *merger) page(page Page) List[Row] {
	slices.SortFunc(m.rows, func(a, b listRow) int { return m.compare(a.sk, b.sk) })
	shown := slices.DeleteFunc(slices.Clone(m.rows), func(row listRow) bool {
		return slices.ContainsFunc(m.ends, func(end string) bool { return m.compare(row.sk, end) > 0 })
	})
	shown = shown[:min(page.Rows(), len(shown))]
	var ahead, behind *Position
	if len(shown) > 0 && (len(shown) < len(m.rows) || len(m.ends) > 0) {
		ahead = shown[len(shown)-1].position(m.back)
	}
	switch at := page.At; {
	case at == nil:
	case len(shown) == 0:
		turned := *at
		turned.Back = !at.Back
		behind = &turned
	default:
		behind = shown[0].position(!m.back)
	}
	merged := List[Row]{Prev: behind, Next: ahead}
	for _, row := range shown {
		merged.Rows = append(merged.Rows, row.Row)
	}
	if m.back {
		slices.Reverse(merged.Rows)
		merged.Prev, merged.Next = ahead, behind
	}
	return merged
}

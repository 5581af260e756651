package store

import "iter"

// Limits of a page of a list, in rows.
const (
	DefaultLimit = 25
	MaxLimit     = 200
)

// maxRequests bounds what one page of a list asks of the table. A list that
// goes through many partitions (months, first letters) of which many are
// empty stops there and goes on with the next page.
const maxRequests = 48

// Page says which part of a list is wanted.
type Page struct {
	Limit int       // rows; 0 is DefaultLimit
	At    *Position // where to begin; nil is the beginning of the list
}

// Position is a place between two rows of a list: behind the row that it
// names, or before it where Back. Lists are paged by key, so a row that comes
// or goes meanwhile moves no other row across a page.
type Position struct {
	Segment string // the value that tells the partitions of the list apart, such as the month
	SK      string // the row's sort key in the list's index; "" is the segment's beginning
	ItemPK  string // the row's own key in the table
	ItemSK  string
	Back    bool
}

// List is one page of a list.
type List[T any] struct {
	Rows []T
	Prev *Position // nil: this is the first page
	Next *Position // nil: nothing follows
}

// Each goes through a list to its end, page by page.
func Each[T any](ask func(Page) (List[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		page := Page{Limit: MaxLimit}
		for {
			found, err := ask(page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range found.Rows {
				if !yield(row, nil) {
					return
				}
			}
			if found.Next == nil {
				return
			}
			page.At = found.Next
		}
	}
}

// Package ui contains the components of pages, such as fields, tables, badges, pagers and
// charts. It does not depend on orders, products or paths.
package ui

// Input is the value of a field and its error.
type Input struct {
	Value string // the value as entered
	Error string // "" if the value is valid
}

// Param is a parameter of a list's address.
type Param struct{ Name, Value string }

// Pager contains the links to the previous and next page of a list. There are no page
// numbers and no total, because lists are read with cursors.
type Pager struct {
	Of      string // heading of the list on a page with several lists; otherwise ""
	Shown   int    // number of rows on this page
	PrevURL string // "" on the first page
	NextURL string // "" on the last page
	Unread  bool   // the rest of the list was not read and may contain no matching rows
	Order   string // describes how the list is sorted, such as "sorted by name"; "" for no description
}

// Sorted returns the pager with a description of the sort order, such as "sorted by
// name".
func (p Pager) Sorted(order string) Pager {
	p.Order = order
	return p
}

// Sort is the order of a list by date.
type Sort struct {
	ReverseURL  string // address of the reversed list; "" if there is none
	NewestFirst bool
}

// Tone decides the glyph and the color of a badge.
type Tone string

// The tones. Only Waiting and Wrong ask for action.
const (
	Neutral Tone = "new"  // not started
	Moving  Tone = "half" // under way
	Good    Tone = "done" // finished or fine
	Waiting Tone = "warn" // somebody should act soon
	Wrong   Tone = "late" // somebody must act now
	Ended   Tone = "off"  // ended, nothing to do
)

// Badge is a status as a glyph and a word.
type Badge struct {
	Word string
	Tone Tone
}

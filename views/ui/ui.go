// Package ui has the pieces that pages are put together from: fields, tables,
// badges, pagers, charts. It knows how things look and nothing of what they
// mean: no order, no product, no address of a page belongs here.
package ui

// Input is what somebody typed into a field, and what is wrong with it.
type Input struct {
	Value string // as typed, so that a mistake can be mended instead of typed again
	Error string // a sentence; "" where nothing is wrong
}

// Param is one parameter of a list's address.
type Param struct{ Name, Value string }

// Pager says which part of a list is shown and where its neighbours are.
// Lists are paged by key, so there are neighbours, but no page numbers and no
// total.
type Pager struct {
	Of      string // the heading of the list, where the page has several; else its noun names it
	Shown   int    // rows on this page
	PrevURL string // "" on the first page
	NextURL string // "" where nothing follows
}

// Sort is the order of a list by date.
type Sort struct {
	ReverseURL  string // the same list from its other end; "" if it cannot be reversed
	NewestFirst bool
}

// Tone is what a badge says by its colour, besides its word.
type Tone string

// The tones.
const (
	Neutral Tone = "neutral"
	Good    Tone = "ok"   // done, nothing to do
	Moving  Tone = "info" // on its way
	Waiting Tone = "warn" // somebody has to act
	Wrong   Tone = "bad"  // ended otherwise than meant
)

// Badge is a state as a word and a colour.
type Badge struct {
	Word string
	Tone Tone
}

package views

import "stockroom/store"

// Search is what was found. Page.Query is what was looked for. Where exactly
// one thing has that ID, handlers redirect to it instead.
type Search struct {
	Page
	Found *store.Found // nil: nothing was asked for yet
}

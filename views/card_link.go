package views

import "stockroom/views/ui"

// CardLink is the page on which a customer starts to enter a new card. The customer is
// not signed in.
type CardLink struct {
	Page
	Company string
	Plan    string
	Card    string // last four digits of the current card
	Done    bool   // the card has been replaced
	Problem string // why the link does not work
	Path    string
	Token   string
}

// CardLinkPath returns the path of a card link.
func CardLinkPath(id, code string) string { return "/card/" + ui.Segment(id) + "/" + ui.Segment(code) }

// cardOf returns "the card ending in" and the digits. If digits is "", it returns its
// second argument.
func cardOf(digits, unknown string) string {
	if digits == "" {
		return unknown
	}
	return "the card ending in " + digits
}

package ui

import "strconv"

// shown says what is on the page: 25 orders, more follow.
func (p Pager) shown(one, many string) string {
	noun := many
	if p.Shown == 1 {
		noun = one
	}
	text := strconv.Itoa(p.Shown) + " " + noun
	if p.NextURL != "" {
		text += ", more follow"
	}
	return text
}

package views

import "strings"

// Phones lists a person's phone numbers.
type Phones struct {
	Page
	ID   string // ID of the person
	Of   string // "customer" or "employee"
	Path string // path of the person's page
	Rows []string
}

// telDigits returns the digits and plus signs of a phone number.
func telDigits(number string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, number)
}

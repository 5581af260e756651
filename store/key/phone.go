package key

import (
	"slices"
	"strings"
	"unicode"
)

const (
	phoneLeast = 6 // digits; fewer are no telephone number
	phoneAlike = 7 // last digits by which numbers are found
	phoneEnd   = 4 // last digits that numbers of one partition have in common
)

// Phone is a telephone number as a key has it: its digits from the last to the
// first, so that a number begins alike with its country and without. What stands
// behind a letter is no part of it. "" is no number.
func Phone(number string) string {
	if i := strings.IndexFunc(number, unicode.IsLetter); i >= 0 {
		number = number[:i]
	}
	number = strings.ReplaceAll(number, "(0)", "") // +46 (0)70 is +46 70
	var digits []byte
	for _, c := range []byte(number) {
		if '0' <= c && c <= '9' && (c != '0' || len(digits) > 0) { // a 0 or 00 in front is dialled, not part of the number
			digits = append(digits, c)
		}
	}
	if len(digits) < phoneLeast {
		return ""
	}
	slices.Reverse(digits)
	return string(digits)
}

// PhoneEnd are the last digits of a number that Phone made, by which partitions
// are told apart.
func PhoneEnd(phone string) string { return phone[:min(phoneEnd, len(phone))] }

// PhoneAlike is how the keys of numbers begin that may be the same as one that
// Phone made.
func PhoneAlike(phone string) string { return phone[:min(phoneAlike, len(phone))] }

// SamePhone says whether two numbers that Phone made are one, with and without
// its country.
func SamePhone(a, b string) bool {
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// IsPhone says whether somebody may have typed a telephone number, and nothing
// else.
func IsPhone(text string) bool {
	return Phone(text) != "" && strings.Trim(text, "+0123456789-()./ \u00a0") == ""
}

package store

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store/key"
)

// checkLine trims one line of text, which may be empty. It returns Invalid if
// the text is too long or has control characters.
func checkLine(field string, value *string) error {
	*value = strings.TrimSpace(*value)
	if utf8.RuneCountInString(*value) > maxName || !utf8.ValidString(*value) || strings.ContainsFunc(*value, unicode.IsControl) {
		return InvalidField(field, "Enter one line of at most %d characters.", maxName)
	}
	return nil
}

// filledLines trims lines and drops empty ones.
func filledLines(lines []string) []string {
	var filled []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			filled = append(filled, line)
		}
	}
	return filled
}

// isEmail reports whether text is an email address that can be part of a key.
func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && key.CheckID(text) == nil
}

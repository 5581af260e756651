package store

import (
	"slices"
	"strings"
	"unicode"
)

// Limits of the number of digits of a phone number and of its extension.
const (
	minPhoneDigits     = 5
	maxPhoneDigits     = 20
	maxExtensionDigits = 10
)

// isPhone reports whether the argument text is a phone number: digits, spaces and the
// characters + ( ) - . and /, optionally followed by an extension such as "ext. 12" or
// "x12".
func isPhone(text string) bool {
	number, extension := text, ""
	if i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || r == '#' }); i >= 0 {
		number, extension = text[:i], text[i:]
	}
	digits := countDigits(number)
	if digits < minPhoneDigits || digits > maxPhoneDigits || strings.Trim(number, "0123456789+()-./ \u00a0") != "" {
		return false
	}
	return extension == "" || isExtension(extension)
}

func isExtension(text string) bool {
	label := strings.TrimRight(text, "0123456789")
	digits := len(text) - len(label)
	if digits == 0 || digits > maxExtensionDigits {
		return false
	}
	return slices.Contains([]string{"ext", "extension", "x", "#"}, strings.ToLower(strings.Trim(label, ".: \u00a0")))
}

func countDigits(text string) (n int) {
	for _, c := range []byte(text) {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}

// phonesField returns a field for a list of phone numbers, one per line.
func phonesField[T any](of func(*T) *[]string) Field[T] {
	f := linesField("phones", "Phone numbers", maxPhones, of)
	f.phones = of
	return f
}

// checkPhones returns Invalid if isPhone rejects a phone number in edited. before is the
// stored record, or nil if edited is a new record. A number that the stored record
// contains is accepted.
func (fs Fields[T]) checkPhones(before, edited *T) error {
	var wrong InputErrors
	for i := range fs {
		f := &fs[i]
		if f.phones == nil {
			continue
		}
		var stored []string
		if before != nil {
			stored = *f.phones(before)
		}
		for _, number := range *f.phones(edited) {
			if !slices.Contains(stored, number) && !isPhone(number) {
				wrong.Reject(f.Name, "“%s” is not a phone number. Enter %d to %d digits, such as +46 70 555 01 42 or 031-555 01 00 ext. 12.", number, minPhoneDigits, maxPhoneDigits)
			}
		}
	}
	return wrong.Err()
}

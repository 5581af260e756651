package key

import (
	"slices"
	"strings"
	"unicode"
)

const (
	minPhoneDigits       = 6
	phonePrefixDigits    = 7
	phonePartitionDigits = 4
)

// Phone returns the form of a telephone number that keys use: its digits in reverse order.
// The first digits of the form are then the same with and without a country code. Phone
// ignores leading zeros, and everything from the first letter on, such as an extension. It
// returns "" for fewer than 6 other digits.
func Phone(number string) string {
	if i := strings.IndexFunc(number, unicode.IsLetter); i >= 0 {
		number = number[:i]
	}
	number = strings.ReplaceAll(number, "(0)", "") // in +46 (0)70, the (0) is not dialed
	var digits []byte
	for _, c := range []byte(number) {
		if '0' <= c && c <= '9' && (c != '0' || len(digits) > 0) { // skip leading zeros
			digits = append(digits, c)
		}
	}
	if len(digits) < minPhoneDigits {
		return ""
	}
	slices.Reverse(digits)
	return string(digits)
}

// PhonePartition returns the part of a phone key that determines its partition: the
// last 4 digits of the number, reversed. phone is a result of Phone.
func PhonePartition(phone string) string { return phone[:min(phonePartitionDigits, len(phone))] }

// PhonePrefix returns the last 7 digits of a number, reversed. The keys of numbers of at
// least 7 digits that may be the same start with these digits. phone is a result of Phone.
func PhonePrefix(phone string) string { return phone[:min(phonePrefixDigits, len(phone))] }

// IsSamePhone reports whether two numbers are the same, with or without country
// code. a and b are results of Phone.
func IsSamePhone(a, b string) bool {
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// IsPhone reports whether text looks like a telephone number and nothing else.
func IsPhone(text string) bool {
	return Phone(text) != "" && strings.Trim(text, "+0123456789-()./ \u00a0") == ""
}

package store

import (
	_ "embed" // embeds the list of common passwords
	"slices"
	"strings"
	"sync"
)

// commonPasswordText lists common and breached passwords in lower case, sorted, one per
// line: all those in @zxcvbn-ts/language-common 4.1.3 that have at least minPassword
// characters; see static/licenses.
//
//go:embed common_passwords.txt
var commonPasswordText string

var commonPasswords = sync.OnceValue(func() []string {
	return strings.Split(strings.TrimSuffix(commonPasswordText, "\n"), "\n")
})

// isCommonPassword reports whether the password is in the list of common passwords,
// ignoring case. It also looks up the password without the digits and symbols at its end,
// because many people append these to a common password.
func isCommonPassword(password string) bool {
	password = strings.ToLower(strings.TrimSpace(password))
	for _, text := range []string{password, strings.TrimRight(password, "0123456789!?.$#*-_")} {
		if _, found := slices.BinarySearch(commonPasswords(), text); found {
			return true
		}
	}
	return false
}

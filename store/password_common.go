package store

import (
	_ "embed" // the list
	"slices"
	"strings"
	"sync"
)

// commonPasswordText lists common and breached passwords of at least minPassword
// characters in small letters, sorted, a line each. They are those of
// @zxcvbn-ts/language-common 4.1.3; see static/licenses.
//
//go:embed common_passwords.txt
var commonPasswordText string

var commonPasswords = sync.OnceValue(func() []string {
	return strings.Split(strings.TrimSuffix(commonPasswordText, "\n"), "\n")
})

// isCommonPassword reports whether people often choose the password. It compares
// small letters, also without digits and signs at the end, which people add.
func isCommonPassword(password string) bool {
	password = strings.ToLower(strings.TrimSpace(password))
	for _, text := range []string{password, strings.TrimRight(password, "0123456789!?.$#*-_")} {
		if _, found := slices.BinarySearch(commonPasswords(), text); found {
			return true
		}
	}
	return false
}

package store

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// Parameters for Argon2id from the OWASP Password Storage Cheat Sheet. Each hash
// contains its parameters. If they are raised here, the next sign-in of a user
// creates a new hash.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const (
	argonMemory  = 19 * 1024 // KiB
	argonPasses  = 2
	argonLanes   = 1
	argonSalt    = 16 // bytes
	argonKey     = 32 // bytes
	minPassword  = 8  // characters
	maxPassword  = 128
	hashTemplate = "$argon2id$v=%d$m=%d,t=%d,p=%d$"
)

// checkPassword returns Invalid if a new password is too short, too long, blank or
// too common. Passwords are never truncated.
func checkPassword(field, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return InvalidField(field, "This password has characters that can't be read. Enter it again.")
	case n < minPassword:
		return InvalidField(field, "Enter at least %d characters.", minPassword)
	case strings.TrimSpace(password) == "":
		return InvalidField(field, "Enter a password that is not only spaces.")
	case n > maxPassword:
		return InvalidField(field, "Enter at most %d characters.", maxPassword)
	case isCommonPassword(password):
		return InvalidField(field, "This password is common and easy to guess. Choose another.")
	}
	return nil
}

func hashPassword(password string) string {
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never returns an error; see crypto/rand
	sum := argon2.IDKey([]byte(password), salt, argonPasses, argonMemory, argonLanes, argonKey)
	return fmt.Sprintf(hashTemplate, argon2.Version, argonMemory, argonPasses, argonLanes) +
		base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(sum)
}

var errHash = errors.New("a password hash in the table is malformed")

// verifyPassword reports whether the password matches the hash. stale reports that
// the hash was not made with the current parameters.
func verifyPassword(hash, password string) (ok, stale bool, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 {
		return false, false, errHash
	}
	var version int
	var memory, passes uint32
	var lanes uint8
	if _, err := fmt.Sscanf(strings.Join(parts[:4], "$")+"$", hashTemplate, &version, &memory, &passes, &lanes); err != nil || version != argon2.Version {
		return false, false, errHash
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, false, errHash
	}
	sum, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(sum) == 0 || passes == 0 || lanes == 0 {
		return false, false, errHash
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, lanes, uint32(len(sum)))
	stale = memory != argonMemory || passes != argonPasses || lanes != argonLanes || len(sum) != argonKey
	return subtle.ConstantTimeCompare(got, sum) == 1, stale, nil
}

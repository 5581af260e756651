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

const (
	argonSalt    = 16 // bytes
	argonKey     = 32 // bytes
	minPassword  = 8  // characters
	maxPassword  = 128
	hashTemplate = "$argon2id$v=%d$m=%d,t=%d,p=%d$"
)

// argon contains the parameters of Argon2id. They determine how long it takes to hash a
// password, and therefore how long it takes to guess one.
type argon struct {
	memory, passes uint32 // memory in KiB, and number of passes over it
	lanes          uint8
}

// strongArgon has the parameters for Argon2id from the OWASP Password Storage Cheat
// Sheet. Each hash contains its parameters. If the parameters change here, the next
// sign-in of a user creates a new hash.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
var strongArgon = argon{memory: 19 * 1024, passes: 2, lanes: 1}

// WeakenPasswords makes the store hash passwords in microseconds, so that tests are fast.
// Only tests may call it, because attackers can guess such passwords quickly.
func (s *Store) WeakenPasswords() { s.argon = argon{memory: 8, passes: 1, lanes: 1} }

// checkPassword returns Invalid if a new password is not valid UTF-8, too short, too
// long, blank or too common. Passwords are never truncated.
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

func (a argon) hash(password string) string {
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never returns an error; see crypto/rand
	return a.encode(salt, argon2.IDKey([]byte(password), salt, a.passes, a.memory, a.lanes, argonKey))
}

// unknownUserHash returns a hash to check a password against if the user does not exist.
// The response then takes as long as for an existing user, and does not reveal which names
// exist. No known password matches this hash.
func (a argon) unknownUserHash() string {
	return a.encode(make([]byte, argonSalt), make([]byte, argonKey))
}

func (a argon) encode(salt, sum []byte) string {
	return fmt.Sprintf(hashTemplate, argon2.Version, a.memory, a.passes, a.lanes) +
		base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(sum)
}

var errHash = errors.New("a password hash in the table is malformed")

// verify reports whether the password matches the hash. stale means that the hash has other
// parameters than a, so that it should be replaced.
func (a argon) verify(hash, password string) (ok, stale bool, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 {
		return false, false, errHash
	}
	var version int
	var made argon
	if _, err := fmt.Sscanf(strings.Join(parts[:4], "$")+"$", hashTemplate, &version, &made.memory, &made.passes, &made.lanes); err != nil || version != argon2.Version {
		return false, false, errHash
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, false, errHash
	}
	sum, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(sum) == 0 || made.passes == 0 || made.lanes == 0 {
		return false, false, errHash
	}
	got := argon2.IDKey([]byte(password), salt, made.passes, made.memory, made.lanes, uint32(len(sum)))
	stale = made != a || len(sum) != argonKey
	return subtle.ConstantTimeCompare(got, sum) == 1, stale, nil
}

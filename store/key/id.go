package key

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxID is the maximum length of an ID in bytes. A key contains up to three
// IDs.
const MaxID = 256

// Errors of CheckID.
var (
	ErrNoID     = errors.New("an ID is missing")
	ErrInvalid  = errors.New("an ID can't contain # or a control character")
	ErrLongID   = fmt.Errorf("an ID can't be longer than %d bytes", MaxID)
	ErrEncoding = errors.New("an ID must be valid UTF-8")
	ErrDots     = errors.New("an ID can't consist of one or two dots, because these mean folders in a URL")
)

// CheckID returns an error if an ID or SKU cannot be part of a key or of a URL. For
// example, it cannot contain #, which separates the parts of a key.
func CheckID(id string) error {
	switch {
	case id == "":
		return ErrNoID
	case len(id) > MaxID:
		return ErrLongID
	case !utf8.ValidString(id):
		return ErrEncoding
	case id == "." || id == "..":
		return ErrDots
	case strings.ContainsFunc(id, func(r rune) bool { return r == '#' || unicode.IsControl(r) }):
		return ErrInvalid
	}
	return nil
}

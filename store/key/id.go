package key

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxID is the longest ID in bytes: it stands up to three times in one key.
const MaxID = 256

// Why an ID cannot be part of a key.
var (
	ErrNoID     = errors.New("an ID is missing")
	ErrInvalid  = errors.New("an ID may not hold # or a control character")
	ErrLongID   = fmt.Errorf("an ID has at most %d bytes", MaxID)
	ErrEncoding = errors.New("an ID must be valid UTF-8")
	ErrDots     = errors.New("an ID may not be . or .., which an address takes for a folder")
)

// CheckID says whether an ID (or an SKU) can stand in a key: # separates the
// parts of a key, so it may not stand inside one.
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

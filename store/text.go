package store

import (
	"net/mail"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store/key"
)

// checkLine trims one line of text, which may be empty. It returns Invalid if the text is
// too long, is not valid UTF-8, contains control characters, or changes the writing
// direction.
func checkLine(field string, value *string) error {
	*value = strings.TrimSpace(*value)
	if utf8.RuneCountInString(*value) > maxName || !utf8.ValidString(*value) || strings.ContainsAny(*value, "\r\n") {
		return InvalidField(field, "Enter one line of at most %d characters.", maxName)
	}
	if strings.ContainsFunc(*value, unicode.IsControl) || strings.ContainsFunc(*value, overridesDirection) {
		return InvalidField(field, invisibleCharacters)
	}
	return nil
}

const invisibleCharacters = "This text has invisible control characters. Type it again."

// overridesDirection reports whether r makes pages show the text after it in another order
// (https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings). Names in Hebrew
// and Arabic do not need these characters.
func overridesDirection(r rune) bool { return r >= 0x202a && r <= 0x202e }

// NumberOf returns a number with the right noun, such as "1 row" or "2 rows".
func NumberOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// maxText is the maximum length of a reason or note, in characters, and of the code of a
// voucher, in bytes.
const maxText = 1000

// checkText trims text, which may have several lines, and masks its card numbers. It
// returns Invalid if the text is empty, is too long, is not valid UTF-8 or contains
// control characters. The argument missing is the message for empty text.
func checkText(field, value, missing string) (string, error) {
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return "", InvalidField(field, "%s", missing)
	case utf8.RuneCountInString(value) > maxText || !utf8.ValidString(value):
		return "", InvalidField(field, "Enter at most %d characters.", maxText)
	case strings.ContainsFunc(value, isControl):
		return "", InvalidField(field, invisibleCharacters)
	}
	return MaskCardNumbers(value), nil
}

// isControl reports whether r is a control character other than a line break or
// tab.
func isControl(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\r\n\t", r) }

// checkReason checks and returns the reason of a change, which is required.
func checkReason(why string) (string, error) { return checkText("why", why, "Enter a reason.") }

// checkOptionalReason checks and returns the reason of a change, which may be empty.
func checkOptionalReason(why string) (string, error) {
	if strings.TrimSpace(why) == "" {
		return "", nil
	}
	return checkReason(why)
}

func filledLines(lines []string) []string {
	var filled []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			filled = append(filled, line)
		}
	}
	return filled
}

const messageEmail = "Enter a valid email address."

// isEmail reports whether the argument text is an email address that can be part of a
// key.
func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && key.CheckID(text) == nil
}

// isFullEmail reports whether the argument text is an email address whose domain has a dot.
// Users can only enter such addresses. Imports also accept addresses on a local network,
// such as kim@mail, and these can stay in a record that a user edits.
func isFullEmail(text string) bool {
	domain := text[strings.LastIndexByte(text, '@')+1:]
	return isEmail(text) && strings.Contains(strings.Trim(domain, "."), ".")
}

// checkEmails returns Invalid if isFullEmail rejects an email address in edited. before is
// the stored record, or nil if edited is a new record. The address of the stored record is
// accepted. checkEmails ignores addresses that isEmail rejects; see emailField.
func (fs Fields[T]) checkEmails(before, edited *T) error {
	var wrong InputErrors
	for i := range fs {
		f := &fs[i]
		if f.email == nil {
			continue
		}
		var stored string
		if before != nil {
			stored = *f.email(before)
		}
		if email := *f.email(edited); email != stored && isEmail(email) && !isFullEmail(email) {
			wrong.Reject(f.Name, messageEmail)
		}
	}
	return wrong.Err()
}

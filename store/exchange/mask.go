package exchange

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// Masker replaces personal data with pseudonyms. Equal values get equal pseudonyms. A
// pseudonym is made from an HMAC-SHA-256 of the value with a secret key
// (https://www.rfc-editor.org/rfc/rfc2104). Without the key, nobody can find the value,
// even by trying all values.
type Masker struct{ key []byte }

// MinMaskKey is the minimum length of a key in bytes.
const MinMaskKey = 32

// NewMasker returns a masker with the key in the argument secret, or with a random key
// if secret is nil. A key with fewer than MinMaskKey bytes is an error. Exports with
// the same key have the same pseudonyms.
func NewMasker(secret []byte) (*Masker, error) {
	if secret == nil {
		secret = make([]byte, MinMaskKey)
		if _, err := rand.Read(secret); err != nil {
			return nil, err
		}
	}
	if len(secret) < MinMaskKey {
		return nil, fmt.Errorf("the key has %d bytes: it needs at least %d", len(secret), MinMaskKey)
	}
	return &Masker{secret}, nil
}

const masked = "(masked)"

// digest is the hash of a value, from which its pseudonym is made.
type digest struct {
	sum  [sha256.Size]byte
	used int
}

func (m *Masker) digest(kind string, values ...string) *digest {
	h := hmac.New(sha256.New, m.key)
	fmt.Fprintf(h, "%s\x00%s", kind, strings.Join(values, "\x00"))
	d := &digest{}
	h.Sum(d.sum[:0])
	return d
}

// take returns a number less than n from the next bytes of the hash. Call it at most eight
// times.
func (d *digest) take(n int) int {
	number := binary.BigEndian.Uint32(d.sum[d.used:])
	d.used += 4
	return int(uint64(number) * uint64(n) >> 32)
}

// letters returns the given number of letters, at most 64. A pseudonym with digits could
// look like a card number.
func (d *digest) letters(length int) string {
	b := make([]byte, length)
	for i := range b {
		b[i] = 'a' + d.sum[i/2]>>(i%2*4)&15
	}
	return string(b)
}

// word returns an invented word with three syllables.
func (d *digest) word() string {
	const consonants, vowels = "bdfgklmnprstv", "aeiou"
	var b strings.Builder
	for n := d.take(1 << 20); b.Len() < 6; {
		b.WriteByte(consonants[n%len(consonants)])
		n /= len(consonants)
		b.WriteByte(vowels[n%len(vowels)])
		n /= len(vowels)
	}
	word := b.String()
	return strings.ToUpper(word[:1]) + word[1:]
}

// person returns the pseudonym for the name of the person with an ID.
func (m *Masker) person(id string) string {
	d := m.digest("person", id)
	return d.word() + " " + d.word()
}

// email returns an address in a reserved domain, which receives no mail:
// https://www.rfc-editor.org/rfc/rfc2606.
func (m *Masker) email(email string) string {
	return "p" + m.digest("email", strings.ToLower(email)).letters(16) + "@masked.example"
}

// phone returns a number with the unused country code 999. The result is the same with and
// without the country code of the number.
func (m *Masker) phone(number string) string {
	digits := key.Phone(number)
	if digits == "" {
		digits = number
	}
	return fmt.Sprintf("+999 %08d", m.digest("phone", key.PhonePrefix(digits)).take(100_000_000))
}

// user returns the pseudonym of a user name. It does not change store.Program, which is the
// name for the program itself.
func (m *Masker) user(name string) string {
	if name == store.Program {
		return name
	}
	return "user-" + m.digest("user", name).letters(12)
}

func (m *Masker) reference(text string) string {
	return "ref-" + m.digest("reference", text).letters(16)
}

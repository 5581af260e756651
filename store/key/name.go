package key

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is where a folded name is cut, in bytes: room for any person's or
// product's name, and far below the 1,024 bytes of a sort key.
const MaxName = 200

// Buckets are the partitions that names are spread over, in the order in
// which a list goes through them: digits, a to z, every other script.
var Buckets = strings.Split("0 a b c d e f g h i j k l m n o p q r s t u v w x y z _", " ")

// spelled are the letters of European alphabets that have no decomposition.
var spelled = strings.NewReplacer("ø", "o", "æ", "ae", "ß", "ss", "ł", "l", "ı", "i")

// Fold makes a name comparable: MARIA, María and maria are one beginning to
// search for. Marks are taken off letters of Latin, Greek and Cyrillic only,
// because in other scripts they carry the vowels or tell letters apart.
func Fold(name string) string {
	if plain(name) {
		return cut(spaced(strings.ToLower(name)))
	}
	var b strings.Builder
	bare := false // whether marks that follow belong to a letter that loses them
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) {
			if bare {
				continue
			}
		} else {
			bare = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return cut(spaced(spelled.Replace(norm.NFC.String(b.String()))))
}

// plain says that a name is ASCII, which most are: nothing to decompose.
func plain(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// spaced turns every run of spaces and of the separator # into one _.
func spaced(name string) string {
	fields := strings.FieldsFunc(name, func(r rune) bool {
		return r == '#' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	return strings.Join(fields, "_")
}

func cut(name string) string {
	if len(name) <= MaxName {
		return name
	}
	end := MaxName
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

// Bucket is the partition that a folded name lies in.
func Bucket(folded string) string {
	if folded == "" {
		return ""
	}
	switch first := folded[0]; {
	case first >= 'a' && first <= 'z':
		return folded[:1]
	case first >= '0' && first <= '9':
		return "0"
	}
	return "_"
}

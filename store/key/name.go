package key

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is the maximum length of a folded name in bytes, far below the 1,024
// bytes of a sort key. Longer names are cut.
const MaxName = 200

// Buckets are the partitions of lists by name, in order: digits, a to z, all other
// characters.
var Buckets = strings.Split("0 a b c d e f g h i j k l m n o p q r s t u v w x y z _", " ")

// spelled replaces European letters that Unicode does not decompose into a base letter and
// a mark.
var spelled = strings.NewReplacer("ø", "o", "æ", "ae", "ß", "ss", "ł", "l", "ı", "i")

// Fold returns the form of a name that keys and searches use. For example, MARIA, María
// and maria all become maria. Fold removes marks from Latin, Greek and Cyrillic letters
// only. In other scripts, marks are vowels or distinguish letters. Fold joins the words
// of the name with _, and cuts the result to MaxName.
func Fold(name string) string {
	if isASCII(name) {
		return truncate(joinFields(strings.ToLower(name)))
	}
	var b strings.Builder
	dropMarks := false
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) {
			if dropMarks {
				continue
			}
		} else {
			dropMarks = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return truncate(joinFields(spelled.Replace(norm.NFC.String(b.String()))))
}

func isASCII(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// joinFields joins the parts of a name that spaces, control characters or # separate, with
// one _ between them. A name in a key cannot contain #, which separates the parts of the
// key.
func joinFields(name string) string {
	fields := strings.FieldsFunc(name, func(r rune) bool {
		return r == '#' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	return strings.Join(fields, "_")
}

func truncate(name string) string { return cut(name, MaxName) }

// Bucket returns the partition of a folded name, or "" for an empty name.
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

package key

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// MaxWords is the largest number of words of a name that keys contain.
	MaxWords = 6
	maxWord  = 60 // bytes of a word; longer words are cut
)

// apostrophes are left out of words: O'Brien, O’Brien and OBrien are one word. It
// also leaves out the Arabic tatweel, which only stretches a word.
var apostrophes = strings.NewReplacer("'", "", "’", "", "‘", "", "ʼ", "", "`", "", "´", "", "′", "", "＇", "", "׳", "", "ـ", "")

// spelledWords maps letters that have no Unicode decomposition, forms of a letter at
// the end of a word, and Arabic letters that are written in several ways.
var spelledWords = strings.NewReplacer(
	"ø", "o", "æ", "ae", "œ", "oe", "ß", "ss", "ł", "l", "ı", "i", "đ", "d", "ð", "d", "þ", "th",
	"ς", "σ", "ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ",
	"ى", "ي", "ی", "ي", "ک", "ك", "ة", "ه",
)

// foldWords returns text in the form of words: lower case, without marks of the
// scripts in which people leave them out.
func foldWords(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	dropMarks := false
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Cf, r):
			continue // such as the marks of the writing direction
		case unicode.Is(unicode.Mn, r):
			if dropMarks {
				continue
			}
		default:
			dropMarks = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew)
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return spelledWords.Replace(norm.NFC.String(b.String()))
}

// Words returns the words of a name or a search, folded, in their order. A word is
// a run of letters and digits. Where a script without blanks meets another script,
// a word begins. Words cuts long words.
func Words(text string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, cut(word.String(), maxWord))
			word.Reset()
		}
	}
	script := noScript
	for _, r := range foldWords(apostrophes.Replace(text)) {
		switch {
		case r == utf8.RuneError:
			end()
			continue
		case unicode.In(r, unicode.M) && word.Len() > 0:
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end()
			continue
		default:
			if next := scriptOf(r); next != script {
				end()
				script = next
			}
		}
		word.WriteRune(r)
	}
	end()
	return words
}

// The scripts that Words separates.
const (
	noScript = iota // scripts whose words have blanks between them
	han
	kana
	hangul
)

func scriptOf(r rune) int {
	switch {
	case r < 0x1100:
		return noScript
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana) || r == 'ー':
		return kana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	}
	return noScript
}

// isSyllabic reports whether a given name can begin anywhere in the word, because
// names in its script have no blanks.
func isSyllabic(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	script := scriptOf(r)
	return script == han || script == hangul
}

// NameWords returns the words by which a name is found, without duplicates: its
// words, and in Chinese, Japanese and Korean names also the rests of the words, so
// that 小明 finds 王小明. Of more than MaxWords, it returns the first four and the
// last two.
func NameWords(name string) []string {
	var all []string
	for _, word := range Words(name) {
		starts := []int{0}
		if isSyllabic(word) {
			starts = starts[:0]
			for i := range word {
				starts = append(starts, i)
			}
		}
		for _, i := range starts {
			if !slices.Contains(all, word[i:]) {
				all = append(all, word[i:])
			}
		}
	}
	if len(all) > MaxWords {
		all = slices.Concat(all[:MaxWords-2], all[len(all)-2:])
	}
	return all
}

// JoinWords returns words as one text, the form in which HasWords reads them.
func JoinWords(words []string) string { return truncate(strings.Join(words, "_")) }

// HasWords reports whether each of words is the beginning of a word in joined, which
// JoinWords made.
func HasWords(joined string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !hasWord(joined, word) })
}

func hasWord(joined, word string) bool {
	for own := range strings.SplitSeq(joined, "_") {
		if strings.HasPrefix(own, word) || isSyllabic(own) && strings.Contains(own, word) {
			return true
		}
	}
	return false
}

// Code returns the form of an SKU, an ID or a tracking number that keys use when
// case, blanks and punctuation do not matter: letters and digits only.
func Code(text string) string { return cut(strings.Join(Words(text), ""), maxWord) }

// Initials returns the part of a word that determines its partition: its first n
// characters.
func Initials(word string, n int) string {
	for i := range word {
		if n == 0 {
			return word[:i]
		}
		n--
	}
	return word
}

// cut returns at most n bytes of text, without a part of a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

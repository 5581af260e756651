package key

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// MaxWords is the maximum number of words of a name that become search words.
	MaxWords = 6
	maxWord  = 60 // maximum bytes of a word; longer words are cut
)

// apostrophes removes apostrophes, so that O'Brien, O’Brien and OBrien become the
// same word. It also removes the Arabic tatweel, which only lengthens a word.
var apostrophes = strings.NewReplacer("'", "", "’", "", "‘", "", "ʼ", "", "`", "", "´", "", "′", "", "＇", "", "׳", "", "ـ", "")

// spelledWords replaces letters that people write in more than one way: letters
// without a Unicode decomposition, Greek and Hebrew letters with a special form at
// the end of a word, and variants of Arabic letters.
var spelledWords = strings.NewReplacer(
	"ø", "o", "æ", "ae", "œ", "oe", "ß", "ss", "ł", "l", "ı", "i", "đ", "d", "ð", "d", "þ", "th",
	"ς", "σ", "ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ",
	"ى", "ي", "ی", "ي", "ک", "ك", "ة", "ه",
)

// foldWords converts text to lower case. It removes marks in the scripts in which
// people often omit them, and replaces the letters in spelledWords.
func foldWords(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	dropMarks := false
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Cf, r):
			continue // skip characters such as marks of the writing direction
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

// Words returns the folded words of a name or a search, in order. A word is a run of
// letters and digits. A new word also starts where Chinese, Japanese or Korean text
// meets another script. Words cuts long words.
func Words(text string) []string {
	if isASCII(text) {
		return wordsOfASCII(text)
	}
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

func wordsOfASCII(text string) []string {
	if strings.ContainsAny(text, "'`") {
		text = apostrophes.Replace(text)
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for i := range words {
		words[i] = cut(words[i], maxWord)
	}
	return words
}

// Scripts. Words starts a new word where the script changes.
const (
	noScript = iota // any other script
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

// isSyllabic reports whether a word starts with a Chinese or Korean character. Names in
// these scripts have no space before the given name, so the given name can start at any
// character.
func isSyllabic(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	script := scriptOf(r)
	return script == han || script == hangul
}

// NameWords returns the words under which a name can be found, without duplicates. words is
// the result of Words for the name. For a Chinese or Korean name, NameWords also returns
// each ending of the name, so that a search for 小明 finds 王小明. If there are more than
// MaxWords words, it returns the first four and the last two.
func NameWords(words []string) []string {
	all := make([]string, 0, len(words))
	for _, word := range words {
		syllabic := isSyllabic(word)
		for i := range word {
			if !slices.Contains(all, word[i:]) {
				all = append(all, word[i:])
			}
			if !syllabic {
				break
			}
		}
	}
	if len(all) > MaxWords {
		all = slices.Concat(all[:MaxWords-2], all[len(all)-2:])
	}
	return all
}

// JoinWords joins words into one string of at most MaxName bytes, in which HasWords can
// search. It cuts longer strings.
func JoinWords(words []string) string { return truncate(strings.Join(words, "_")) }

// HasWords reports whether each of the words is the start of a word in joined, a result of
// JoinWords. Inside a Chinese or Korean word, it finds them at any position.
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

// Code returns the form of an SKU, ID or tracking number in search keys: its letters
// and digits, in lower case. A search therefore ignores case, spaces and punctuation.
func Code(text string) string { return cut(strings.Join(Words(text), ""), maxWord) }

// Initials returns the first n characters of a word, which determine the partition
// of its key.
func Initials(word string, n int) string {
	for i := range word {
		if n == 0 {
			return word[:i]
		}
		n--
	}
	return word
}

// cut shortens text to at most n bytes. It does not split a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

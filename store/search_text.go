package store

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"stockroom/store/key"
)

// searchText is the text of a search, in several forms.
type searchText struct {
	kind string // prefix of the ID, such as "o"; "" without prefix
	id   string // the text without prefix
	code string // result of key.Code

	number string // ID of a new order or shipment that the text may mean; see respell

	typed []string // words of the text; for an email address, only of the part before the @
	words []string // words of typed that are not the start of another word

	isNumbered bool // the text may be an order ID: one word with a digit
	isPhone    bool
	isEmail    bool // the text is an email address or its start, with the @
	hasLetters bool
}

// searchKinds maps the prefixes of IDs to record types. It contains the prefixes of
// keys, and other prefixes that people use.
var searchKinds = map[string]string{
	"o": typeOrder, "order": typeOrder, "i": typeInvoice, "invoice": typeInvoice, "sh": typeShipment, "shipment": typeShipment,
	"c": typeCustomer, "customer": typeCustomer, "acc": typeCustomer, "account": typeCustomer, "p": typeProduct, "product": typeProduct,
	"w": typeWarehouse, "warehouse": typeWarehouse, "e": typeEmployee, "employee": typeEmployee, "store": typeStore,
	"k": typeKayak, "kayak": typeKayak, "person": typePerson, "s": typeSubscription, "sub": typeSubscription, "subscription": typeSubscription,
}

// documentKinds are the prefixes that people also write without #, as in "order
// 104998".
var documentKinds = map[string]bool{"order": true, "invoice": true, "shipment": true, "subscription": true}

// maxSearch is the maximum length of a search text in bytes. The rest of a longer text is
// ignored, because no ID is longer.
const maxSearch = key.MaxID

func readSearch(text string) searchText {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	for len(text) > maxSearch {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:maxSearch], ""))
	}
	for _, s := range []Series{SeriesInvoices, SeriesCreditNotes} {
		if number, ok := s.parse(text); ok && strings.ContainsAny(text, "# ") {
			text = s.format(number)
		}
	}
	t := searchText{id: text}
	number := text
	if kind, id, two := strings.Cut(text, " "); two && documentKinds[strings.ToLower(kind)] {
		number = numberSign.ReplaceAllString(strings.TrimSpace(id), "")
		if mayBeNumber(number) || isNumberWithSpaces(number) {
			text = kind + "#" + number
		}
	}
	if kind, id, prefixed := strings.Cut(text, "#"); prefixed {
		t.id = strings.TrimSpace(id)
		if kind = strings.ToLower(strings.TrimSpace(kind)); kind != "" {
			if t.kind = searchKinds[kind]; t.kind == "" {
				return searchText{}
			}
		}
		number = t.id
	}
	t.number = respell(number)
	t.code = key.Code(t.id)
	local, _, isEmail := strings.Cut(t.id, "@")
	t.isEmail = isEmail
	t.typed = key.Words(local)
	t.words = decisive(t.typed)
	t.isNumbered = mayBeNumber(t.id)
	t.isPhone = key.IsPhone(t.id)
	t.hasLetters = strings.ContainsFunc(t.id, unicode.IsLetter)
	return t
}

// numberSign matches the words and characters that people write before a number, as in
// "order no. 104998" and "order #104998".
var numberSign = regexp.MustCompile(`^(?i:#|№|(?:no|nr|number)[.:\s])[\s#:]*`)

// spokenNumber matches the ID of a new order, and the IDs of its shipments with or without
// the day, in all spellings. It allows O for 0, and I and L for 1, as Crockford's base 32
// does; see https://www.crockford.com/base32.html.
var spokenNumber = regexp.MustCompile(`^(?:([0-9]{6})[ -]+)?([0-9OIL](?:[ -]*[0-9A-TV-Z]){9})(?:[ -]+([0-9]{1,3}))?$`)

// spokenLetters turns a match of spokenNumber into the ID of the order.
var spokenLetters = strings.NewReplacer(" ", "", "-", "", "O", "0", "I", "1", "L", "1")

// respell returns the ID of the new order or shipment that the text may mean. Without the
// day of a shipment, it returns the ID of its order. For digits with spaces, it returns the
// digits, which may be the ID of an order. It returns "" if there is none, or if the text
// differs from the ID only in case, because other queries then find the record. It also
// returns "" for other texts without letters, because these are more likely phone numbers.
func respell(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if isNumberWithSpaces(text) {
		return withoutSpaces(text)
	}
	parts := spokenNumber.FindStringSubmatch(text)
	if parts == nil || !strings.ContainsFunc(text, unicode.IsLetter) {
		return ""
	}
	day, number := parts[1], spokenLetters.Replace(parts[2])
	if day != "" && parts[3] != "" {
		number = day + "-" + number + "-" + parts[3]
	}
	if number == text {
		return ""
	}
	return number
}

// isNumberWithSpaces reports whether the text consists of digits and of spaces between them,
// such as 105 000.
func isNumberWithSpaces(text string) bool {
	digits := withoutSpaces(text)
	return digits != text && strings.Trim(digits, "0123456789") == "" && digits != ""
}

// mayBeNumber reports whether the text looks like an order number: it has digits and
// no spaces.
func mayBeNumber(text string) bool {
	return strings.ContainsFunc(text, unicode.IsNumber) && !strings.ContainsFunc(text, unicode.IsSpace)
}

// decisive removes words that are the start of another word, because a name that matches
// the longer word also matches the shorter one.
func decisive(words []string) []string {
	var kept []string
	for i, word := range words {
		implied := slices.ContainsFunc(words[i+1:], func(other string) bool { return strings.HasPrefix(other, word) }) ||
			slices.ContainsFunc(kept, func(other string) bool { return strings.HasPrefix(other, word) })
		if !implied {
			kept = append(kept, word)
		}
	}
	return kept
}

// wordsPrefix is a prefix of the keys of search words, and the initials that determine
// their partition.
type wordsPrefix struct{ words, initials string }

// prefixes returns the prefixes of the search words to read. If the text has several words,
// it uses the two longest, because fewer names contain both. The first prefix is then only
// the word that comes first in the alphabet, because the user may not have typed it to the
// end. The search uses the other prefixes only if too many search words have the first one.
// The second prefix contains both words, and finds names in which the first is a whole word.
// For people and staff, the third prefix finds names that have the last word of the text as
// a whole word, and start with the text before it, such as Anna Berg for "an berg".
func (t *searchText) prefixes(g WordGroup) []wordsPrefix {
	longest := slices.Clone(t.words)
	slices.SortStableFunc(longest, func(a, b string) int { return len(b) - len(a) })
	if len(longest) == 1 {
		return []wordsPrefix{{longest[0], g.initialsOf(longest[0])}}
	}
	pair := pairOf(longest[0], longest[1])
	first, _, _ := strings.Cut(pair, "_")
	prefixes := []wordsPrefix{{first, g.initialsOf(pair)}, {pair, g.initialsOf(pair)}}
	if g == wordsOfPeople || g == wordsOfStaff {
		end := len(t.typed) - 1
		later := t.typed[end] + "#1#" + key.JoinWords(t.typed[:end]) // in the key, 1 marks a later word of the name; see SearchWord
		prefixes = append(prefixes, wordsPrefix{later, g.initialsOf(t.typed[end])})
	}
	return prefixes
}

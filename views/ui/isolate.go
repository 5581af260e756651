package ui

import "strings"

// The characters that change the direction of text
// (https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings).
const embeddings, isolates = "\u202a\u202b\u202c\u202d\u202e", "\u2066\u2067\u2068\u2069"

// Isolate returns the text in an isolate if it contains characters that would change the
// direction of the text after it.
func Isolate(text string) string {
	if !strings.ContainsAny(text, embeddings+isolates) {
		return text
	}
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(isolates, r) {
			return -1
		}
		return r
	}, text)
	return "\u2068" + text + "\u2069"
}

package ui

import (
	"strings"
	"unicode"
)

// The characters with which text can change its direction
// (https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings).
const embeddings, isolates = "\u202a\u202b\u202c\u202d\u202e", "\u2066\u2067\u2068\u2069"

// Isolate encloses text in a Unicode isolate if it has several lines, right-to-left
// letters, or characters that change the direction. The text after an isolate keeps its own
// direction.
func Isolate(text string) string {
	if !strings.ContainsAny(text, embeddings+isolates+"\n") && !strings.ContainsFunc(text, isRightToLeft) {
		return text
	}
	return isolateStart + WithoutIsolates(text) + isolateEnd
}

// WithoutIsolates returns the text without the characters that start and end isolates.
func WithoutIsolates(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(isolates, r) {
			return -1
		}
		return r
	}, text)
}

const isolateStart, isolateEnd = "\u2068", "\u2069"

// isRightToLeft reports whether a letter is written from right to left.
func isRightToLeft(r rune) bool {
	return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// isolated writes text, with its isolates as elements. Each element has the direction of
// its own text. An isolate with several lines becomes a block, in which each line has its
// own direction.
func (m *Markup) isolated(text string) {
	for {
		before, after, found := strings.Cut(text, isolateStart)
		m.Text(before)
		inside, rest, closed := strings.Cut(after, isolateEnd)
		if !found || !closed {
			m.Text(after)
			return
		}
		if strings.Contains(inside, "\n") {
			m.HTML(`<span class="lines" dir="auto">`)
			m.Text(inside)
			m.HTML(`</span>`)
			rest = strings.TrimLeft(rest, ", ")
		} else {
			m.HTML(`<bdi>`)
			m.Text(inside)
			m.HTML(`</bdi>`)
		}
		text = rest
	}
}

// Isolated writes text, with the isolates that Isolate added as elements.
func Isolated(text string) Written { return func(m *Markup) { m.isolated(text) } }

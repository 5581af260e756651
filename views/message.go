package views

import (
	"cmp"
	"strings"

	"stockroom/views/ui"
)

// Marks of a link in a message: linkMark, the path, textMark, the text, linkMark.
const (
	linkMark = "\x1d"
	textMark = "\x1f"
)

// messageLink returns a link as part of a message.
func messageLink(path, text string) string { return linkMark + path + textMark + text + linkMark }

// writeMessage writes a message, which can contain links. A message with links gets an
// element of its own, so that its parts are not columns of the alert.
func writeMessage(m *ui.Markup, message string) {
	if strings.Contains(message, linkMark) {
		m.HTML(`<span>`)
		defer m.HTML(`</span>`)
	}
	for i, part := range strings.Split(message, linkMark) {
		path, text, isLink := strings.Cut(part, textMark)
		if i%2 == 0 || !isLink {
			m.Text(part)
			continue
		}
		m.HTML(`<a href="`)
		m.Address(path)
		m.HTML(`">`)
		m.Text(text)
		m.HTML(`</a>`)
	}
}

// ShortMessage returns the message if it has at most limit bytes. It cuts a longer one at the
// end of a sentence or, within the first sentence, after a word. It never cuts a link.
func ShortMessage(message string, limit int) string {
	const more = " …"
	if len(message) <= limit {
		return message
	}
	sentence, word, inLink := 0, 0, false
	for i := range len(message[:limit-len(more)+1]) {
		switch {
		case message[i] == linkMark[0]:
			inLink = !inLink
		case message[i] != ' ' || inLink:
		case i > 0 && message[i-1] == '.':
			sentence = i
		default:
			word = i
		}
	}
	return message[:cmp.Or(sentence, word)] + more
}

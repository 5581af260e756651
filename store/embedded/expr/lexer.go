package expr

import "unicode/utf8"

// token is the kind of a token. Punctuation that is one byte long is its own
// kind.
type token byte

const (
	tokenEnd          token = iota
	tokenWord               // an attribute's name, a function or a keyword
	tokenName               // #name
	tokenValue              // :value
	tokenInteger            // the index of a list
	tokenNotEqual           // <>
	tokenLessEqual          // <=
	tokenGreaterEqual       // >=
	tokenUnknown            // one character that the language does not have
)

// lexer walks through an expression token by token. It holds the current token
// as a part of the source, so that nothing is copied.
type lexer struct {
	src        string
	kind       token
	previous   int // where the token before the current one begins
	start, end int // where the current one does
}

func (l *lexer) text() string { return l.src[l.start:l.end] }

func (l *lexer) advance() {
	if l.end > 0 {
		l.previous = l.start
	}
	l.start = l.end
	for l.start < len(l.src) && isSpace(l.src[l.start]) {
		l.start++
	}
	if l.previous < 0 {
		l.previous = l.start
	}
	l.kind, l.end = scan(l.src, l.start)
}

// scan returns the token that begins at start, and its end.
func scan(src string, start int) (token, int) {
	if start >= len(src) {
		return tokenEnd, start
	}
	c, end := src[start], start+1
	switch {
	case isLetter(c):
		return tokenWord, wordEnd(src, end)
	case isDigit(c):
		for end < len(src) && isDigit(src[end]) {
			end++
		}
		return tokenInteger, end
	}
	switch c {
	case '#', ':':
		if end = wordEnd(src, end); end == start+1 {
			return tokenUnknown, end
		}
		if c == '#' {
			return tokenName, end
		}
		return tokenValue, end
	case '<', '>':
		if end == len(src) {
			return token(c), end
		}
		switch {
		case c == '<' && src[end] == '>':
			return tokenNotEqual, end + 1
		case c == '<' && src[end] == '=':
			return tokenLessEqual, end + 1
		case src[end] == '=':
			return tokenGreaterEqual, end + 1
		}
		return token(c), end
	case '=', '(', ')', ',', '.', '[', ']', '+', '-':
		return token(c), end
	}
	_, size := utf8.DecodeRuneInString(src[start:])
	return tokenUnknown, start + size
}

func wordEnd(src string, end int) int {
	for end < len(src) && isWordByte(src[end]) {
		end++
	}
	return end
}

// syntaxError refuses the current token and shows it between its neighbours.
func (l *lexer) syntaxError() *Error {
	text, end := l.text(), l.end
	if l.kind == tokenEnd {
		text = "<EOF>"
		for end = len(l.src); end > l.previous && isSpace(l.src[end-1]); {
			end--
		}
	} else {
		next := end
		for next < len(l.src) && isSpace(l.src[next]) {
			next++
		}
		if next < len(l.src) {
			_, end = scan(l.src, next)
		}
	}
	return errorf("Syntax error; token: \"%s\", near: \"%s\"", text, l.src[l.previous:end])
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// A name that is not written as a placeholder begins with a letter: an
// underscore may only follow.
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

package expr

import "unicode/utf8"

// token is a kind of token, such as tokenName. The kind of a punctuation character is the
// character itself.
type token byte

const (
	tokenEnd          token = iota
	tokenWord               // attribute name, function or keyword
	tokenName               // #name
	tokenValue              // :value
	tokenInteger            // list index
	tokenNotEqual           // <>
	tokenLessEqual          // <=
	tokenGreaterEqual       // >=
	tokenUnknown            // any other character
)

// lexer reads the tokens of an expression. The current token is a slice of the
// source.
type lexer struct {
	src        string
	kind       token
	previous   int // start of the previous token
	start, end int // the current token
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

// scan returns the kind of the token at start, and where the token ends.
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

// syntaxError returns an error that shows the current token and the tokens next to it.
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

// isLetter reports whether c can start a name that is not a placeholder. An underscore
// cannot start one.
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

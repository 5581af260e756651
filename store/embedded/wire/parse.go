package wire

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// members are the members of a JSON object, in order. A name can occur several times.
type members []member

type member struct {
	name  string
	value any
}

// parse parses a JSON text. The result tree consists of nil, bool, string, json.Number,
// []any and members. The result ok is false if the text is not valid JSON. Package
// encoding/json would create a map for each object, which takes several times as long.
func parse(text []byte) (tree any, ok bool) {
	if !json.Valid(text) { // also limits the depth
		return nil, false
	}
	p := parser{rest: text}
	return p.value(), true
}

// parser parses valid JSON.
type parser struct{ rest []byte }

// next skips white space, and returns the next byte.
func (p *parser) next() byte {
	for {
		switch c := p.rest[0]; c {
		case ' ', '\t', '\r', '\n':
			p.rest = p.rest[1:]
		default:
			return c
		}
	}
}

func (p *parser) take(length int) []byte {
	taken := p.rest[:length]
	p.rest = p.rest[length:]
	return taken
}

func (p *parser) value() any {
	switch p.next() {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return p.text()
	case 't':
		p.take(len("true"))
		return true
	case 'f':
		p.take(len("false"))
		return false
	case 'n':
		p.take(len("null"))
		return nil
	}
	length := 0
	for length < len(p.rest) && bytes.IndexByte([]byte("+-.0123456789Ee"), p.rest[length]) >= 0 {
		length++
	}
	return json.Number(p.take(length))
}

func (p *parser) object() members {
	p.take(1)
	var all members
	for p.next() != '}' {
		if p.next() == ',' {
			p.take(1)
			p.next()
		}
		name := p.text()
		p.next() // the colon
		p.take(1)
		all = append(all, member{name, p.value()})
	}
	p.take(1)
	return all
}

func (p *parser) array() []any {
	p.take(1)
	all := []any{}
	for p.next() != ']' {
		if p.next() == ',' {
			p.take(1)
		}
		all = append(all, p.value())
	}
	p.take(1)
	return all
}

// text parses a string. The result does not share memory with the request, so that the
// engine can keep it.
func (p *parser) text() string {
	length := 1 + bytes.IndexByte(p.rest[1:], '"')
	if bytes.IndexByte(p.rest[1:length], '\\') < 0 && utf8.Valid(p.rest[1:length]) {
		return string(p.take(length + 1)[1:length])
	}
	return p.escapedText()
}

// escapedText parses a string that contains escape sequences or invalid UTF-8.
func (p *parser) escapedText() string {
	length := 1
	for p.rest[length] != '"' {
		if p.rest[length] == '\\' {
			length++
		}
		length++
	}
	var s string
	_ = json.Unmarshal(p.take(length+1), &s) // cannot fail, because the text is valid
	return s
}

package ui

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Written is a component that is written by hand. Tables are made so: a
// template joins and boxes every expression, which for the two hundred cells
// of a list costs several times as much as all the rest of the page.
type Written func(m *Markup)

// Render implements templ.Component.
func (f Written) Render(_ context.Context, w io.Writer) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	f((*Markup)(buf))
	_, err := w.Write(buf.Bytes())
	return err
}

// Markup is HTML in the making. Whatever is not a constant of the program is
// escaped, exactly as templates escape it.
type Markup bytes.Buffer

// literal can be made of a constant, but not of any string that a variable
// holds: outside of this package, nothing that came from a user can be one.
type literal string

// HTML writes a constant as it stands.
func (m *Markup) HTML(part literal) { (*bytes.Buffer)(m).WriteString(string(part)) }

// Text writes text, escaped for content and for quoted attributes alike.
func (m *Markup) Text(text string) {
	buf, done := (*bytes.Buffer)(m), 0
	for i := range len(text) {
		if text[i] > '>' {
			continue // most letters: nothing above > is special
		}
		var entity string
		switch text[i] {
		case '&':
			entity = "&amp;"
		case '<':
			entity = "&lt;"
		case '>':
			entity = "&gt;"
		case '"':
			entity = "&#34;"
		case '\'':
			entity = "&#39;"
		default:
			continue
		}
		buf.WriteString(text[done:i])
		buf.WriteString(entity)
		done = i + 1
	}
	buf.WriteString(text[done:])
}

// Scratch is room to append a number or a date to, which Bytes then writes.
// It holds until something else is written.
func (m *Markup) Scratch() []byte { return (*bytes.Buffer)(m).AvailableBuffer() }

// Bytes writes text that was put together in Scratch.
func (m *Markup) Bytes(text []byte) { m.Text(string(text)) }

// Int writes a number.
func (m *Markup) Int(n int) { m.Bytes(strconv.AppendInt(m.Scratch(), int64(n), 10)) }

// Address writes an address of this site, for an attribute.
func (m *Markup) Address(address string) { m.Text(local(address)) }

// local is an address of this site. What would lead elsewhere or run as a
// script leads to the first page instead.
func local(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.HasPrefix(address, `/\`) {
		return "/"
	}
	return address
}

// Path writes the address of something by its ID, for an attribute.
func (m *Markup) Path(prefix literal, id string) {
	m.HTML(prefix)
	m.Text(Segment(id))
}

// Segment is an ID as one segment of a path. The dot of an ID that ends in
// .json or .csv is escaped too: there those endings ask for another form of
// the page.
func Segment(id string) string {
	escaped := url.PathEscape(id)
	for _, suffix := range []string{".json", ".csv"} {
		if before, found := strings.CutSuffix(escaped, suffix); found {
			return before + "%2E" + suffix[1:]
		}
	}
	return escaped
}

// Link writes a link to something by its ID, under its name. Names are in any
// script, so each finds its own direction.
func (m *Markup) Link(prefix literal, id, name string) {
	m.HTML(`<a href="`)
	m.Path(prefix, id)
	m.HTML(`" dir="auto">`)
	m.Text(name)
	m.HTML(`</a>`)
}

// ID writes a link to something under its ID. Long ones, such as ULIDs, are
// written smaller, so that they leave room for what is told beside them.
func (m *Markup) ID(prefix literal, id string) {
	m.HTML(`<a href="`)
	m.Path(prefix, id)
	if len(id) > shortID {
		m.HTML(`" class="long`)
	}
	m.HTML(`" dir="auto">`)
	m.Text(id)
	m.HTML(`</a>`)
}

const shortID = 16

// Link is a link of this site. Names are in any script, so each finds its own
// direction.
func Link(path, name string) Written { return func(m *Markup) { m.link(path, "", name) } }

// IDLink is a link under an ID. Long IDs, such as ULIDs, are set smaller.
func IDLink(path, id string) Written {
	return func(m *Markup) {
		if len(id) > shortID {
			m.link(path, ` class="long"`, id)
		} else {
			m.link(path, "", id)
		}
	}
}

func (m *Markup) link(path string, class literal, text string) {
	m.HTML(`<a href="`)
	m.Address(path)
	m.HTML(`"`)
	m.HTML(class)
	m.HTML(` dir="auto">`)
	m.Text(text)
	m.HTML(`</a>`)
}

// State is a badge set as plain coloured text, for a row with several of them.
func State(b Badge) Written { return func(m *Markup) { m.State(b) } }

// Badge writes a state as a coloured word.
func (m *Markup) Badge(b Badge) { m.state("badge ", b) }

// State writes a state beside others in one row, where badges would shout.
func (m *Markup) State(b Badge) { m.state("state ", b) }

func (m *Markup) state(class literal, b Badge) {
	m.HTML(`<span class="`)
	m.HTML(class)
	m.Text(string(b.Tone))
	m.HTML(`">`)
	m.Text(b.Word)
	m.HTML(`</span>`)
}

// Render implements templ.Component.
func (b Badge) Render(ctx context.Context, w io.Writer) error {
	return Written(func(m *Markup) { m.Badge(b) }).Render(ctx, w)
}

// Table begins a table that scrolls by itself where the window is too narrow.
// The caption names it for those who cannot see what stands around it.
func (m *Markup) Table(caption string) {
	m.HTML(`<div class="scroll" role="region" tabindex="0" aria-label="`)
	m.Text(caption)
	m.HTML(`"><table class="tbl"><caption class="vh">`)
	m.Text(caption)
	m.HTML(`</caption>`)
}

// EndTable ends what Table began.
func (m *Markup) EndTable() { m.HTML(`</table></div>`) }

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

// Written is a component that writes its HTML without templ, because each expression in
// a template allocates memory two or three times. Use it for components that are on most
// pages, and for long tables.
type Written func(m *Markup)

// Render writes the component to w.
func (f Written) Render(_ context.Context, w io.Writer) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	f((*Markup)(buf))
	_, err := w.Write(buf.Bytes())
	return err
}

// Around returns a component that writes start, then its children, then end.
func Around(start, end Written) templ.Component { return around{start, end} }

type around struct{ start, end Written }

// Render writes the component to w.
func (a around) Render(ctx context.Context, w io.Writer) error {
	return surround(ctx, w, func(_ context.Context, m *Markup) error {
		a.start(m)
		return nil
	}, a.end)
}

// surround renders a component that writes start, then its children, then end.
func surround(ctx context.Context, w io.Writer, start func(context.Context, *Markup) error, end Written) error {
	children := templ.GetChildren(ctx)
	ctx = templ.ClearChildren(ctx)
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := start(ctx, (*Markup)(buf)); err != nil {
		return err
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	if err := children.Render(ctx, w); err != nil {
		return err
	}
	buf.Reset()
	end((*Markup)(buf))
	_, err := w.Write(buf.Bytes())
	return err
}

// Markup builds HTML. Like templ, it escapes all text except constants in the code.
type Markup bytes.Buffer

// literal is a string constant. Other packages can pass only constants, because they
// cannot convert a variable to this type. User input is therefore always escaped.
type literal string

func (m *Markup) writer() io.Writer { return (*bytes.Buffer)(m) }

// HTML writes a constant string without escaping it.
func (m *Markup) HTML(part literal) { (*bytes.Buffer)(m).WriteString(string(part)) }

// Text writes text, escaped for content and for quoted attributes.
func (m *Markup) Text(text string) {
	buf, done := (*bytes.Buffer)(m), 0
	for i := range len(text) {
		if text[i] > '>' {
			continue // fast path: characters above > need no escaping
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

// Scratch returns an empty slice, to which a number or a date can be appended without an
// allocation. Pass the result to Bytes before any other write.
func (m *Markup) Scratch() []byte { return (*bytes.Buffer)(m).AvailableBuffer() }

// Bytes writes the text that was appended to Scratch.
func (m *Markup) Bytes(text []byte) { m.Text(string(text)) }

// Int writes a number without separators.
func (m *Markup) Int(n int) { m.Bytes(strconv.AppendInt(m.Scratch(), int64(n), 10)) }

// Address writes an address of this site as the value of an attribute.
func (m *Markup) Address(address string) { m.Text(Local(address)) }

// Local returns the address if it is a path of this site, otherwise "/". This excludes
// other sites and JavaScript URLs.
func Local(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.HasPrefix(address, `/\`) {
		return "/"
	}
	return address
}

// Path writes a path that ends in an ID, as the value of an attribute.
func (m *Markup) Path(prefix literal, id string) {
	m.HTML(prefix)
	m.Text(Segment(id))
}

// Segment escapes an ID for use as one segment of a path. If the ID ends in .json or .csv,
// it also escapes the dot, because the server would take the ending for the format of the
// response.
func Segment(id string) string {
	escaped := url.PathEscape(id)
	for _, suffix := range []string{".json", ".csv"} {
		if before, found := strings.CutSuffix(escaped, suffix); found {
			return before + "%2E" + suffix[1:]
		}
	}
	return escaped
}

// Link writes a link to the record with this ID. The text of the link is the name. The
// name can be in any script, so the browser determines its text direction.
func (m *Markup) Link(prefix literal, id, name string) {
	m.HTML(`<a href="`)
	m.Path(prefix, id)
	m.HTML(`" dir="auto">`)
	m.Text(name)
	m.HTML(`</a>`)
}

// ID writes a link to the record with this ID. The text of the link is the ID. It writes
// long IDs in a smaller font. Those of shipments stay on one line, and longer ones, such as
// ULIDs, can take two.
func (m *Markup) ID(prefix literal, id string) {
	m.HTML(`<a href="`)
	m.Path(prefix, id)
	switch {
	case len(id) > mediumID:
		m.HTML(`" class="long`)
	case len(id) > shortID:
		m.HTML(`" class="mid`)
	}
	m.HTML(`" dir="auto">`)
	m.Text(id)
	m.HTML(`</a>`)
}

// The maximum lengths of IDs that are written in the normal font, and of IDs that stay on
// one line.
const (
	shortID  = 16
	mediumID = 22
)

// Link returns a link to a path. The name can be in any script, so the browser
// determines its text direction.
func Link(path, name string) Written { return func(m *Markup) { m.link(path, "", name) } }

// IDLink returns a link whose text is an ID. Its font and lines are those of Markup.ID.
func IDLink(path, id string) Written {
	return func(m *Markup) {
		switch {
		case len(id) > mediumID:
			m.link(path, ` class="long"`, id)
		case len(id) > shortID:
			m.link(path, ` class="mid"`, id)
		default:
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

// State returns a badge.
func State(b Badge) Written { return func(m *Markup) { m.State(b) } }

// State writes a badge.
func (m *Markup) State(b Badge) {
	m.HTML(`<span class="state `)
	m.Text(string(b.Tone))
	m.HTML(`">`)
	m.Text(b.Word)
	m.HTML(`</span>`)
}

// Render writes the component to w.
func (b Badge) Render(ctx context.Context, w io.Writer) error {
	return Written(func(m *Markup) { m.State(b) }).Render(ctx, w)
}

package ui

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Kept is HTML that is written once and then copied.
type Kept struct{ html string }

// Keep returns the HTML of a component.
func Keep(w Written) Kept {
	var buf bytes.Buffer
	w((*Markup)(&buf))
	return Kept{buf.String()}
}

// Kept writes the HTML that k contains.
func (m *Markup) Kept(k Kept) { (*bytes.Buffer)(m).WriteString(k.html) }

// Render writes the HTML to w.
func (k Kept) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, k.html)
	return err
}

// Size returns the length of the HTML in bytes.
func (k Kept) Size() int { return len(k.html) }

// Contains reports whether the HTML contains this text, which must not need escaping.
func (k Kept) Contains(text string) bool { return strings.Contains(k.html, text) }

// Replace returns a copy of the HTML in which its second argument, escaped, replaces each
// occurrence of the first one, which must not need escaping.
func (k Kept) Replace(text, with string) Kept {
	return Kept{strings.ReplaceAll(k.html, text, templ.EscapeString(with))}
}

// keeping is a component that renders another one and stores its HTML.
type keeping struct {
	templ.Component
	kept *Kept
}

func (k keeping) Render(ctx context.Context, w io.Writer) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := k.Component.Render(ctx, buf); err != nil {
		return err
	}
	k.kept.html = buf.String()
	_, err := io.WriteString(w, k.kept.html)
	return err
}

// AroundKept is like Around. If kept is not nil, it also stores the HTML of the children in
// kept.
func AroundKept(kept *Kept, start, end Written) templ.Component {
	if kept == nil {
		return Around(start, end)
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return Around(start, end).Render(templ.WithChildren(ctx, keeping{templ.GetChildren(ctx), kept}), w)
	})
}

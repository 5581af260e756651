package ui

import (
	"context"
	"io"
)

// TimelineEntry is an entry of a timeline.
type TimelineEntry struct {
	Icon  Icon
	What  string
	URL   string // "" if the entry has no link
	About string // details; may be empty
	When  string // the time in words
	At    string // the time for the datetime attribute; "" if unknown
	Undo  Undo
}

// Undo says whether the change of an entry can be undone. The zero Undo writes nothing.
type Undo struct {
	First  string // address of the change that the entry undid; "" for other entries
	URL    string // form that undoes the change; "" if the user cannot undo it
	What   string // the change, for users of screen readers
	Undone string // by whom and when it was undone; "" if it was not
	Why    string // why it cannot be undone; "" if it can
}

// Timeline writes the entries, newest first.
func Timeline(entries []TimelineEntry) Written {
	return func(m *Markup) {
		m.HTML(`<ol class="timeline">`)
		for i := range entries {
			m.timelineEntry(&entries[i])
		}
		m.HTML(`</ol>`)
	}
}

func (m *Markup) timelineEntry(e *TimelineEntry) {
	m.HTML(`<li><span class="dot">`)
	m.Icon(e.Icon)
	m.HTML(`</span><div>`)
	if e.URL != "" {
		m.HTML(`<a href="`)
		m.Address(e.URL)
		m.HTML(`">`)
	}
	m.HTML(`<b dir="auto">`)
	m.Text(e.What)
	m.HTML(`</b>`)
	if e.URL != "" {
		m.HTML(`</a>`)
	}
	m.HTML(` `)
	if e.About != "" {
		m.HTML(`<p dir="auto">`)
		m.Text(e.About)
		m.HTML(`</p>`)
	}
	if e.At != "" {
		m.HTML(`<time datetime="`)
		m.Text(e.At)
		m.HTML(`">`)
		m.Text(e.When)
		m.HTML(`</time>`)
	}
	e.Undo.write(m)
	m.HTML(`</div></li>`)
}

// Render writes the link to the form, or why there is none.
func (u Undo) Render(ctx context.Context, w io.Writer) error {
	return Written((&u).write).Render(ctx, w)
}

func (u *Undo) write(m *Markup) {
	if u.First != "" {
		m.HTML(`<p class="undo"><a href="`)
		m.Address(u.First)
		m.HTML(`">First change</a></p>`)
	}
	switch {
	case u.Undone != "":
		m.HTML(`<p class="undo" dir="auto">`)
		m.Text(u.Undone)
		m.HTML(`</p>`)
	case u.URL != "":
		m.HTML(`<p class="undo"><a href="`)
		m.Address(u.URL)
		m.HTML(`" aria-label="Undo: `)
		m.Text(u.What)
		m.HTML(`">Undo</a></p>`)
	case u.Why != "":
		m.HTML(`<details class="undo"><summary>Can't be undone</summary><p>`)
		m.Text(u.Why)
		m.HTML(`</p></details>`)
	}
}

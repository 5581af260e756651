package ui

import (
	"cmp"
	"context"
	"io"
)

// TimelineEntry is an entry of a timeline.
type TimelineEntry struct {
	Icon  Icon
	What  string
	URL   string // "" if the entry has no link
	About string // details; may be empty
	When  string // time in words
	At    string // time for the datetime attribute; "" if unknown
	Undo  Undo
}

// Undo says whether and how the change in a timeline entry can be undone. For the zero
// Undo, Render writes nothing.
type Undo struct {
	First  string // address of the undone change, if the entry is itself an undo; otherwise ""
	URL    string // address of the form that undoes the change; "" if the user cannot undo it
	Verb   string // text of the link to this form; "" for Undo
	What   string // description of the change for screen readers
	Undone string // who undid the change and when; "" if it was not undone
	How    string // which other action reverses the change; "" if none does
	Why    string // why the change cannot be undone; "" if it can
}

// Timeline writes the entries in the given order.
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
		m.HTML(`<p>`)
		m.isolated(e.About)
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

// Render writes who undid the change, a link to the form that undoes it, how another action
// reverses it, or the reason why it cannot be undone. For an undo, it also writes a link to the undone change.
func (u Undo) Render(ctx context.Context, w io.Writer) error {
	return Written((&u).write).Render(ctx, w)
}

func (u *Undo) write(m *Markup) {
	if u.First != "" {
		m.HTML(`<p class="undo"><a href="`)
		m.Address(u.First)
		m.HTML(`">Show the undone change</a></p>`)
	}
	switch {
	case u.Undone != "":
		m.HTML(`<p class="undo" dir="auto">`)
		m.Text(u.Undone)
		m.HTML(`</p>`)
	case u.URL != "":
		m.HTML(`<p class="undo"><a href="`)
		m.Address(u.URL)
		verb := cmp.Or(u.Verb, "Undo")
		m.HTML(`" aria-label="`)
		m.Text(verb)
		m.HTML(`: `)
		m.Text(u.What)
		m.HTML(`">`)
		m.Text(verb)
		m.HTML(`</a></p>`)
	case u.How != "":
		m.HTML(`<details class="undo"><summary>How to undo</summary><p>`)
		m.Text(u.How)
		m.HTML(`</p></details>`)
	case u.Why != "":
		m.HTML(`<details class="undo"><summary>Can't be undone</summary><p>`)
		m.Text(u.Why)
		m.HTML(`</p></details>`)
	}
}

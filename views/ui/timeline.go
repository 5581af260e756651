package ui

// TimelineEntry is an entry of a timeline.
type TimelineEntry struct {
	Icon  Icon
	What  string
	URL   string // "" if the entry has no link
	About string // details; may be empty
	When  string // the time in words
	At    string // the time for the datetime attribute; "" if unknown
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
	m.HTML(`</div></li>`)
}

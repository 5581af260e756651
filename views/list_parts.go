package views

import (
	"time"

	"github.com/a-h/templ"

	"stockroom/views/ui"
)

// The components in this file are on every list. They are written without templ, because
// templ is slower.

// listHead shows the heading of a list, with its actions and downloads. Its children are
// additional actions.
func listHead(title string, l List) templ.Component {
	return ui.Around(func(m *ui.Markup) {
		m.HTML(`<div class="head"><h1>`)
		m.Text(title)
		m.HTML(`</h1><div class="row">`)
		m.Menu("More")
		m.Item(l.saveAs(), "Save view", ui.IconView)
		m.FileItem(l.CSV(), "CSV")
		m.FileItem(l.JSON(), "JSON")
		m.EndMenu()
	}, func(m *ui.Markup) {
		m.HTML(`</div></div>`)
		alerts(l.Wrong)(m)
	})
}

// listTabs shows the tabs of a list, followed by its saved views.
func listTabs(p *Page, l List, label string, tabs []ui.Tab) ui.Written {
	return func(m *ui.Markup) {
		if tabs := l.viewTabs(p, tabs); len(tabs) > 1 {
			m.Tabs(label, tabs)
		}
	}
}

// none writes the message of an empty list.
func none(text string) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<p class="none">`)
		m.Text(text)
		m.HTML(`</p>`)
	}
}

func alerts(sentences []string) ui.Written {
	return func(m *ui.Markup) {
		for _, sentence := range sentences {
			m.HTML(`<p class="alert bad" role="alert">`)
			m.Text(sentence)
			m.HTML(`</p>`)
		}
	}
}

// recentOnly writes a hint that the list shows only the last three months. If the user has
// set filters, it writes nothing.
func recentOnly(l List) ui.Written {
	return func(m *ui.Markup) {
		if !l.isFiltered() {
			m.HTML(`<p class="hint note">Showing the last 3 months. Enter dates to see earlier months.</p>`)
		}
	}
}

// dayRange writes the fields of a date range. It links to common periods, and suggests them
// in the fields.
func dayRange(p *Page, l List, fields []ui.Field) ui.Written {
	return dayRangeOf(p, l, usualPeriods, fields)
}

// dayRangeOf is like dayRange, for the given periods.
func dayRangeOf(p *Page, l List, periods []period, fields []ui.Field) ui.Written {
	return func(m *ui.Markup) {
		m.Presets("Period", l.periods(periods, fields[0].Input.Value, fields[1].Input.Value))
		for i := range fields {
			m.TextField(&fields[i])
		}
		m.HTML(`<p class="hint wide" id="`)
		m.Text(daysHint)
		m.HTML(`">Enter a date such as `)
		m.Bytes(in(p.Now, p.Zone).AppendFormat(m.Scratch(), time.DateOnly))
		m.HTML(`, today, 30 days ago, last month, Nov or 2025. A period such as last month fills both fields.</p><datalist id="`)
		m.Text(daysList)
		m.HTML(`">`)
		for _, period := range periods {
			m.HTML(`<option value="`)
			m.Text(period.value)
			m.HTML(`"></option>`)
		}
		m.HTML(`<option value="30 days ago"></option></datalist>`)
	}
}

// rest writes the number of rows on the page, and the links to the previous and the
// next page. It writes nothing if the page has neither rows nor links.
func rest(p ui.Pager, one, many string) ui.Written {
	return func(m *ui.Markup) {
		if p.Shown > 0 || p.PrevURL != "" || p.NextURL != "" {
			ui.Neighbours(p, one, many)(m)
		}
	}
}

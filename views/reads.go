package views

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// readFooter says how the page was read: each access pattern that was asked,
// what it cost, and what the whole page cost. What knowing the user cost is
// said too, but is no part of the page's total: it is the same for every page.
func readFooter(p *Page) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<footer class="reads" id="reads">`)
		if len(p.Reads) > 0 || len(p.SessionReads) > 0 {
			total := sum(p.Reads)
			m.HTML(`<details><summary>`)
			m.Icon(ui.IconRead)
			m.HTML(`<span>How this page was read</span><span class="muted">`)
			m.Text(count(total.Requests, "request", "requests"))
			m.HTML(` · `)
			m.Text(count(total.Items, "item", "items"))
			m.HTML(` · `)
			m.Text(readUnits(total.Units))
			m.HTML(` read units · `)
			m.Text(duration(total.Took))
			m.HTML(`</span></summary>`)
			readsTable(m, p, total)
			m.HTML(`</details>`)
		}
		if p.Items != nil {
			rawItems(m, p.Items)
		}
		m.HTML(`</footer>`)
	}
}

func readsTable(m *ui.Markup, p *Page, total store.Read) {
	m.Table("How this page was read")
	m.HTML(`<thead><tr><th scope="col">Access pattern</th><th scope="col">Index</th><th scope="col">Key condition</th><th scope="col" class="num">Requests</th>` +
		`<th scope="col" class="num">Items</th><th scope="col" class="num">Read units</th><th scope="col" class="num">Time</th></tr></thead><tbody>`)
	for i := range p.Reads {
		readRow(m, &p.Reads[i])
	}
	m.HTML(`</tbody><tfoot><tr><th scope="row" colspan="3">This page</th>`)
	readFigures(m, &total)
	m.HTML(`</tr></tfoot>`)
	if len(p.SessionReads) > 0 {
		m.HTML(`<tbody class="aside"><tr><th scope="rowgroup" colspan="7">To know who is asking</th></tr>`)
		for i := range p.SessionReads {
			readRow(m, &p.SessionReads[i])
		}
		m.HTML(`</tbody>`)
	}
	m.EndTable()
}

func readRow(m *ui.Markup, r *store.Read) {
	m.HTML(`<tr><td>`)
	m.Text(r.Pattern.Name)
	m.HTML(`<span class="sub">`)
	m.Text(string(r.Pattern.Operation))
	if r.Shards > 1 {
		m.HTML(`, `)
		m.Int(r.Shards)
		m.HTML(` shards in parallel`)
	}
	m.HTML(`</span></td><td>`)
	m.Text(r.Pattern.Index)
	m.HTML(`</td><td><code>`)
	m.Text(keyCondition(r))
	m.HTML(`</code></td>`)
	readFigures(m, r)
	m.HTML(`</tr>`)
}

func readFigures(m *ui.Markup, r *store.Read) {
	m.HTML(`<td class="num">`)
	m.Int(r.Requests)
	m.HTML(`</td><td class="num">`)
	m.Int(r.Items)
	m.HTML(`</td><td class="num">`)
	m.Text(readUnits(r.Units))
	m.HTML(`</td><td class="num">`)
	m.Text(duration(r.Took))
	m.HTML(`</td>`)
}

// keyCondition is the condition as the table is asked, with its values.
func keyCondition(r *store.Read) string {
	if r.Pattern.Secret {
		return "not shown"
	}
	pk, sk := "PK", "SK"
	if r.Pattern.Index != "table" {
		pk, sk = r.Pattern.Index+"-PK", r.Pattern.Index+"-SK"
	}
	c := r.Condition
	var b strings.Builder
	b.WriteString(pk + " = " + strconv.Quote(c.PK))
	switch c.Operator {
	case "=":
		b.WriteString(" AND " + sk + " = " + strconv.Quote(c.SK))
	case "begins_with":
		b.WriteString(" AND begins_with(" + sk + ", " + strconv.Quote(c.SK) + ")")
	case "between":
		b.WriteString(" AND " + sk + " BETWEEN " + strconv.Quote(c.SK) + " AND " + strconv.Quote(c.To))
	}
	return b.String()
}

func sum(reads []store.Read) store.Read {
	var total store.Read
	for i := range reads {
		total.Requests += reads[i].Requests
		total.Items += reads[i].Items
		total.Units += reads[i].Units
		total.Took += reads[i].Took
	}
	return total
}

func readUnits(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

// duration is a time in milliseconds, to the microsecond.
func duration(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Round(time.Microsecond))/float64(time.Millisecond), 'f', -1, 64) + " ms"
}

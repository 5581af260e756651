package views

import (
	"strconv"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// readFooter writes the table requests of the page with their cost, by access pattern.
// It lists the requests for the session and the settings separately, and does not add
// them to the total, because they are the same for every page.
func readFooter(p *Page) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<footer class="reads" id="reads">`)
		if len(p.Reads) > 0 || len(p.SessionReads) > 0 || p.Kept {
			total := sum(p.Reads)
			m.HTML(`<details><summary>`)
			m.Icon(ui.IconRead)
			m.HTML(`<span>Table reads</span><span class="muted">`)
			m.Bytes(appendCount(m.Scratch(), total.Requests, "request", "requests"))
			m.HTML(` · `)
			m.Bytes(appendCount(m.Scratch(), total.Items, "item", "items"))
			m.HTML(` · `)
			m.Bytes(appendReadUnits(m.Scratch(), total.Units))
			m.HTML(` · `)
			m.Bytes(appendMillis(m.Scratch(), total.Took))
			if p.Kept {
				m.HTML(` · content from memory, because the table has not changed`)
			}
			if p.Written.Transactions > 0 {
				m.HTML(` · last change: `)
				m.Bytes(appendUnits(m.Scratch(), p.Written.Units))
				if p.Written.Units == 1 {
					m.HTML(` write unit`)
				} else {
					m.HTML(` write units`)
				}
			}
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
	m.Table("Table reads")
	m.HTML(`<thead><tr><th scope="col">Access pattern</th><th scope="col">Index</th><th scope="col">Key condition</th><th scope="col" class="num">Requests</th>` +
		`<th scope="col" class="num">Items</th><th scope="col" class="num">Read units</th><th scope="col" class="num">Time</th></tr></thead><tbody>`)
	for i := range p.Reads {
		readRow(m, p.User, &p.Reads[i])
	}
	m.HTML(`</tbody><tbody class="total"><tr><th scope="row" colspan="3">This page</th>`)
	readFigures(m, &total)
	m.HTML(`</tr></tbody>`)
	if len(p.SessionReads) > 0 {
		m.HTML(`<tbody class="aside"><tr><th scope="rowgroup" colspan="7">Session and settings</th></tr>`)
		for i := range p.SessionReads {
			readRow(m, p.User, &p.SessionReads[i])
		}
		m.HTML(`</tbody>`)
	}
	m.EndTable()
}

// readRow writes the row of one read. For admins, it links to the access pattern.
func readRow(m *ui.Markup, reader *store.User, r *store.Read) {
	m.HTML(`<tr><td>`)
	if reader.May(store.Administer) && r.Pattern.System != "" {
		m.Link("/data/patterns/", r.Pattern.Name, r.Pattern.Name)
	} else {
		m.Text(r.Pattern.Name)
	}
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
	keyCondition(m, r)
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
	m.Bytes(appendUnits(m.Scratch(), r.Units))
	m.HTML(`</td><td class="num">`)
	m.Bytes(appendMillis(m.Scratch(), r.Took))
	m.HTML(`</td>`)
}

// keyCondition writes the key condition of a read with its values.
func keyCondition(m *ui.Markup, r *store.Read) {
	if r.Pattern.Secret {
		m.HTML(`not shown`)
		return
	}
	index, c := "", r.Condition
	if r.Pattern.Index != "table" {
		index = r.Pattern.Index + "-"
	}
	m.Text(index)
	m.HTML(`PK = `)
	quote(m, c.PK)
	if c.Operator == "" {
		return
	}
	m.HTML(` AND `)
	if c.Operator == "begins_with" {
		m.HTML(`begins_with(`)
	}
	m.Text(index)
	m.HTML(`SK`)
	switch c.Operator {
	case "=":
		m.HTML(` = `)
		quote(m, c.SK)
	case "begins_with":
		m.HTML(`, `)
		quote(m, c.SK)
		m.HTML(`)`)
	case "between":
		m.HTML(` BETWEEN `)
		quote(m, c.SK)
		m.HTML(` AND `)
		quote(m, c.To)
	}
}

func quote(m *ui.Markup, value string) {
	m.HTML(`&quot;`)
	m.Text(value)
	m.HTML(`&quot;`)
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

func appendUnits(b []byte, units float64) []byte { return strconv.AppendFloat(b, units, 'f', -1, 64) }

// appendReadUnits appends a number of read units with the noun, such as 1 read unit or 2.5
// read units.
func appendReadUnits(b []byte, units float64) []byte {
	if units == 1 {
		return append(b, "1 read unit"...)
	}
	return append(appendUnits(b, units), " read units"...)
}

// appendMillis appends a duration in milliseconds, with up to three decimals.
func appendMillis(b []byte, d time.Duration) []byte {
	ms := float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
	return append(strconv.AppendFloat(b, ms, 'f', -1, 64), " ms"...)
}

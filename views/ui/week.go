package ui

import "strconv"

// WeekChart is a chart of the last 7 days. Next to each day, it shows the same day of
// the week before. It compares the sums of both weeks without the last day, because the
// last day is today and not over yet.
type WeekChart struct {
	Name               string // name of its radio buttons, unique on the page
	Title, Note        string
	Total              string // sum of the 7 days
	Whole, WholeBefore string // sum of the first 6 days, and of the same days of the week before
	Days               []WeekDay
}

// WeekDay is one day of a WeekChart.
type WeekDay struct {
	Weekday, Day     string // such as Mon and 16
	Label            string // such as Mon 16 Nov, or Today so far
	Compared         string // text before TextBefore, such as "week before"
	Short            string // value below the bar
	Value, Before    int    // heights of the bars
	Text, TextBefore string // exact values
}

// SVG units. They are arbitrary, because the SVG is stretched to fit the page.
const (
	weekViewBox    = "0 0 48 96"
	weekPlotHeight = 96
	beforeX, nowX  = "4", "26"
	weekBarWidth   = "18"
)

// highest returns the highest value of both weeks. It is at least 1.
func (c WeekChart) highest() int {
	highest := 1
	for _, d := range c.Days {
		highest = max(highest, d.Value, d.Before)
	}
	return highest
}

func barHeight(value, highest int) float64 {
	return float64(max(value, 0)) / float64(highest) * weekPlotHeight
}

// weekDifference is the difference between a week and the week before.
type weekDifference struct {
	direction int // 1 for more, -1 for less, 0 for equal or unknown
	percent   string
}

// change compares the sums of both weeks without today. It returns no percentage if the
// sums are equal, or if the sum of the week before is not positive.
func (c WeekChart) change() weekDifference {
	now, before := 0, 0
	for _, d := range c.Days[:max(0, len(c.Days)-1)] {
		now, before = now+d.Value, before+d.Before
	}
	if before <= 0 || now == before {
		return weekDifference{}
	}
	percent := (float64(now) - float64(before)) / float64(before) * 100
	if percent < 0 {
		return weekDifference{-1, strconv.FormatFloat(-percent, 'f', 0, 64) + "%"}
	}
	return weekDifference{1, strconv.FormatFloat(percent, 'f', 0, 64) + "%"}
}

// WeekBars draws a chart of 7 days and of the week before. Each day is a radio button.
// Users select it with a pointer, a finger or the arrow keys to see its exact figures. A
// table also contains all figures.
func WeekBars(c WeekChart) Written {
	return func(m *Markup) {
		m.HTML(`<section class="card"><header><h2>`)
		m.Text(c.Title)
		m.HTML(`</h2><span class="muted">Last 7 days</span></header><div class="week-sum"><b>`)
		m.Text(c.Total)
		m.HTML(`</b> <span class="muted">Without today: `)
		m.Text(c.Whole)
		m.weekChange(c.change())
		m.HTML(`, compared with `)
		m.Text(c.WholeBefore)
		m.HTML(` the week before, `)
		m.Text(c.Note)
		m.HTML(`</span></div><fieldset class="bars"><legend class="vh">`)
		m.Text(c.Title)
		m.HTML(`: choose a day for its exact figures</legend>`)
		highest := c.highest()
		for i := range c.Days {
			m.weekDay(c.Name, &c.Days[i], highest, i == len(c.Days)-1)
		}
		m.HTML(`</fieldset><div class="foot"><span class="key">This week</span> <span class="key before">Week before</span>`)
		m.weekTable(&c)
		m.HTML(`</div></section>`)
	}
}

func (m *Markup) weekDay(name string, d *WeekDay, highest int, checked bool) {
	m.HTML(`<label><input class="vh" type="radio" name="day-of-`)
	m.Text(name)
	m.HTML(`" value="`)
	m.Text(d.Label)
	m.HTML(`"`)
	if checked {
		m.HTML(` checked`)
	}
	m.HTML(`><svg viewBox="` + weekViewBox + `" preserveAspectRatio="none" aria-hidden="true">`)
	m.HTML(`<rect class="before" x="` + beforeX)
	m.weekBar(barHeight(d.Before, highest))
	m.HTML(`<rect class="now" x="` + nowX)
	m.weekBar(barHeight(d.Value, highest))
	m.HTML(`</svg><span class="day" aria-hidden="true"><span class="weekday">`)
	m.Text(d.Weekday)
	m.HTML(`</span> `)
	m.Text(d.Day)
	m.HTML(`</span><b aria-hidden="true">`)
	m.Text(d.Short)
	m.HTML(`</b><span class="tip">`)
	m.Text(d.Label)
	m.HTML(`: <strong>`)
	m.Text(d.Text)
	m.HTML(`</strong> <span class="muted">· `)
	m.Text(d.Compared)
	m.HTML(` `)
	m.Text(d.TextBefore)
	m.HTML(`</span></span></label>`)
}

// weekBar writes the vertical position and the size of a bar, and ends its <rect>. The
// caller has begun the <rect> and its attribute x, which weekBar closes.
func (m *Markup) weekBar(height float64) {
	m.HTML(`" y="`)
	m.decimal(weekPlotHeight - height)
	m.HTML(`" width="` + weekBarWidth + `" height="`)
	m.decimal(height)
	m.HTML(`"></rect>`)
}

func (m *Markup) decimal(f float64) { m.Bytes(strconv.AppendFloat(m.Scratch(), f, 'f', -1, 32)) }

// weekChange writes the change from the week before in percent.
func (m *Markup) weekChange(c weekDifference) {
	switch c.direction {
	case 1:
		m.HTML(` <span class="up"><span aria-hidden="true">▲</span><span class="vh">up</span> `)
	case -1:
		m.HTML(` <span class="bad-text"><span aria-hidden="true">▼</span><span class="vh">down</span> `)
	default:
		return
	}
	m.Text(c.percent)
	m.HTML(`</span>`)
}

func (m *Markup) weekTable(c *WeekChart) {
	m.HTML(`<details class="data"><summary>Show as table</summary><table><caption class="vh">`)
	m.Text(c.Title)
	m.HTML(`</caption><thead><tr><th scope="col">Day</th><th scope="col" class="num">This week</th><th scope="col" class="num">Week before</th></tr></thead><tbody>`)
	for i := range c.Days {
		d := &c.Days[i]
		m.HTML(`<tr><td>`)
		m.Text(d.Label)
		m.HTML(`</td><td class="num">`)
		m.Text(d.Text)
		m.HTML(`</td><td class="num">`)
		m.Text(d.TextBefore)
		m.HTML(`</td></tr>`)
	}
	m.HTML(`</tbody></table></details>`)
}

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
	Compared         string // words before TextBefore
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

func weekHeight(value, highest int) string { return decimal(barHeight(value, highest)) }

func weekTop(value, highest int) string { return decimal(weekPlotHeight - barHeight(value, highest)) }

// weekDifference is the difference between a week and the week before.
type weekDifference struct {
	direction int // 1 for more, -1 for less, 0 for equal or unknown
	percent   string
}

// change compares the sums of both weeks without today. It returns no percentage if the
// sum of the week before is not positive.
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

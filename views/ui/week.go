package ui

import "strconv"

// WeekChart is a chart of 7 days, each beside the same day of the week before. The last
// day is today, which is not over. The chart therefore compares the sums of the other days.
type WeekChart struct {
	Name               string // name of its radio buttons, unique on the page
	Title, Note        string
	Total              string // of the 7 days
	Whole, WholeBefore string // of the days before today, and of the same days of the week before
	Days               []WeekDay
}

// WeekDay is one day of a WeekChart.
type WeekDay struct {
	Weekday, Day     string // such as Mon and 16
	Label            string // such as Mon 16 Nov, or Today so far
	Compared         string // the words before TextBefore
	Short            string // value below the bar
	Value, Before    int    // heights of the bars
	Text, TextBefore string // exact values
}

// The SVG is stretched to fit the page, so its units are arbitrary.
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

// weekDifference is the difference from the week before.
type weekDifference struct {
	direction int // 1 for more, -1 for less, 0 for equal or unknown
	percent   string
}

// change compares the sums of both weeks without today. Without a positive sum in the
// week before, there is no percentage.
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

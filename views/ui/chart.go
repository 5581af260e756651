package ui

import "strconv"

// Bar is one bar of a chart.
type Bar struct {
	Label string
	Value int
	Now   bool // highlights the bar, for example the bar of today
}

// SVG units: the width of a bar with its gap, and the height of the scale. They are
// arbitrary, because the SVG is stretched to fit the page.
const (
	slotWidth  = 10
	barWidth   = 6.8
	plotHeight = 100
)

// week is the number of bars in a week, for charts with one bar per day.
const week = 7

// byWeek reports whether the bars are probably the days of more than two whole weeks.
// Only the first day of each week then has a label.
func byWeek(bars []Bar) bool { return len(bars) > 2*week && len(bars)%week == 0 }

// scale returns the maximum of the scale: a round number that is at least the highest
// bar. It is at least 4, so that the four grid lines are at whole numbers.
func scale(bars []Bar) int {
	highest := 4
	for _, b := range bars {
		highest = max(highest, b.Value)
	}
	step := 1
	for {
		for _, factor := range []int{4, 8, 12, 20, 40} {
			if top := factor * step; top >= highest {
				return top
			}
		}
		step *= 10
	}
}

// box is a rectangle in SVG units.
type box struct{ x, y, width, height string }

func barBox(at, value, top int) box {
	height := float64(max(value, 0)) / float64(top) * plotHeight
	return box{
		x:      decimal(float64(at)*slotWidth + (slotWidth-barWidth)/2),
		y:      decimal(plotHeight - height),
		width:  decimal(barWidth),
		height: decimal(height),
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// describe returns a description of the chart for screen readers.
func describe(title, unit string, write func(int) string, bars []Bar) string {
	if len(bars) == 0 {
		return title
	}
	low, high := bars[0], bars[0]
	for _, b := range bars {
		if b.Value < low.Value {
			low = b
		}
		if b.Value > high.Value {
			high = b
		}
	}
	return title + ". Bar chart: lowest " + write(low.Value) + " " + unit + " at " + low.Label +
		", highest " + write(high.Value) + " at " + high.Label
}

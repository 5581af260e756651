package ui

import "strconv"

// Bar is one bar of a chart.
type Bar struct {
	Label string
	Value int
	Now   bool // the one that is looked at
}

// The drawing is stretched to the room there is, so it needs no unit: a slot
// for each bar, so high as the scale.
const (
	slotWidth  = 10
	barWidth   = 6.8
	plotHeight = 100
)

// week is how many bars share a label where each of them is a day.
const week = 7

// byWeek says that the bars are whole weeks of days, too many for each to have
// a label: the first of each week has one.
func byWeek(bars []Bar) bool { return len(bars) > 2*week && len(bars)%week == 0 }

// scale is the round number at or above the highest bar, at least 4, so that
// four grid lines stand at whole numbers.
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

// box is a rectangle as SVG has it.
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

// said is the chart in a sentence, for those who cannot see it.
func said(title, unit string, write func(int) string, bars []Bar) string {
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

package demo

import "strings"

// intBetween returns a random number from low to high, both included.
func (g *generator) intBetween(low, high int) int {
	if low == high {
		return low
	}
	return low + g.random.IntN(high-low+1)
}

// floatBetween returns a random number from low up to but not including high.
func (g *generator) floatBetween(low, high float64) float64 {
	return low + g.random.Float64()*(high-low)
}

// chance returns true with the given probability, in percent.
func (g *generator) chance(percent float64) bool { return g.floatBetween(0, 100) < percent }

// popular returns a random index less than n. Low indexes are far more likely, so that some
// products sell better than others, and some customers order more often.
func (g *generator) popular(n int) int {
	x := g.floatBetween(0, 1)
	return min(n-1, int(float64(n)*x*x*x))
}

func pick[T any](g *generator, all []T) T { return all[g.intBetween(0, len(all)-1)] }

// digits replaces each # in pattern with a random digit. The result does not begin with 0.
func (g *generator) digits(pattern string) string {
	text := strings.Map(func(r rune) rune {
		if r == '#' {
			return '0' + rune(g.random.IntN(10))
		}
		return r
	}, pattern)
	if rest, found := strings.CutPrefix(text, "0"); found {
		return string('1'+rune(g.random.IntN(8))) + rest
	}
	return text
}

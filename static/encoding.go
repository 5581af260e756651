package static

import (
	"strconv"
	"strings"
)

// Encoding chooses from an Accept-Encoding header what a browser likes best:
// "br", "gzip", or "" for the content as it is. Of two that it likes the same
// it gets the smaller one; the content as it is wins only where it is liked
// better by name.
func Encoding(accepted string) string {
	best, most := "", weightOf("identity", accepted, false)
	for _, offered := range []string{"br", "gzip"} {
		weight := weightOf(offered, accepted, true)
		if weight > most || best == "" && weight > 0 && weight == most {
			best, most = offered, weight
		}
	}
	return best
}

// weightOf is the q-value of an encoding: that of its name, else that of *
// where that counts, else 0.
func weightOf(encoding, accepted string, starCounts bool) float64 {
	star := 0.0
	for part := range strings.SplitSeq(accepted, ",") {
		name, weight := weighted(part)
		switch {
		case strings.EqualFold(name, encoding):
			return weight
		case name == "*" && starCounts:
			star = weight
		}
	}
	return star
}

// weighted reads one part of the header, such as gzip;q=0.5. A weight that is
// no number from 0 to 1 refuses.
func weighted(part string) (name string, weight float64) {
	name, parameter, hasParameter := strings.Cut(part, ";")
	name = strings.TrimSpace(name)
	if !hasParameter {
		return name, 1
	}
	key, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
	if !strings.EqualFold(strings.TrimSpace(key), "q") {
		return name, 1
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(weight >= 0 && weight <= 1) {
		return name, 0
	}
	return name, weight
}

package static

import (
	"strconv"
	"strings"
)

// Encoding selects the encoding of a response from an Accept-Encoding header (RFC 9110,
// section 12.5.3). It returns "br", "gzip", or "" for no encoding. It prefers br to gzip if
// they have the same weight. It returns "" if the client accepts neither, or if identity
// has a higher weight.
func Encoding(accepted string) string {
	best, bestWeight := "", weightOf("identity", accepted, false)
	for _, encoding := range []string{"br", "gzip"} {
		weight := weightOf(encoding, accepted, true)
		if weight > bestWeight || best == "" && weight > 0 && weight == bestWeight {
			best, bestWeight = encoding, weight
		}
	}
	return best
}

// weightOf returns the weight of an encoding in the header. If the header does not name the
// encoding, it returns the weight of * if wildcard is true, otherwise 0.
func weightOf(encoding, accepted string, wildcard bool) float64 {
	wildcardWeight := 0.0
	for part := range strings.SplitSeq(accepted, ",") {
		name, weight := parsePart(part)
		switch {
		case strings.EqualFold(name, encoding):
			return weight
		case name == "*" && wildcard:
			wildcardWeight = weight
		}
	}
	return wildcardWeight
}

// parsePart parses one part of the header, such as gzip;q=0.5. The weight is 1 if the part
// contains none, and 0 if it is invalid.
func parsePart(part string) (name string, weight float64) {
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

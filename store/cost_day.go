package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// costSlots is the maximum number of items with the costs of a day. The random name of a
// server determines its slot. Servers that share a slot add to the same item.
const costSlots = 8

// costDays is the number of days after which TTL deletes the costs of a day: 13 months,
// so that a month can be compared with the same month of the year before.
const costDays = 396

// DayCosts are the costs that one or more servers caused on a day. The days are in UTC,
// as on AWS bills.
type DayCosts struct {
	Day  time.Time // at midnight UTC
	Slot int

	// The costs by code; see CostCode. The codes are short, so that an item takes at most 4
	// KB. Writing 4 KB costs four write units (eight in a transaction).
	Sources, Patterns, Roles map[string]Cost

	Batches []string  // the last batch of each server, for at most maxCostBatches servers, newest first; see costBatch.id
	Expires time.Time // TTL
	Version int
}

// CostCode returns the short code under which costs are stored: the beginning of a hash
// of the name. The name "" has the code CostRest.
func CostCode(name string) string {
	if name == "" {
		return CostRest
	}
	hash := sha256.Sum256([]byte(name))
	return base64.RawURLEncoding.EncodeToString(hash[:3])
}

// CostRest is the code of the costs without a page or pattern. If an item would be too
// long, its smallest costs are also added to CostRest.
const CostRest = "-"

func (*DayCosts) EntityType() string { return "dayCosts" }

func (d *DayCosts) KeyValue(name string) string {
	switch name {
	case "month":
		return d.Day.Format(key.Month)
	case "day":
		return calendarDay(d.Day)
	case "slot":
		return strconv.Itoa(d.Slot)
	}
	return ""
}

// Maximum lengths of the costs in an item, in bytes. Together with keys and other
// attributes, an item takes less than 4 KB.
const (
	maxCostSources  = 1500
	maxCostPatterns = 1650
	maxCostRoles    = 150
)

// maxCostBatches is the maximum length of DayCosts.Batches.
const maxCostBatches = 4

func (d *DayCosts) attributes(a *table.Attributes) {
	costAttribute(a, "Sources", maxCostSources, &d.Sources)
	costAttribute(a, "Patterns", maxCostPatterns, &d.Patterns)
	costAttribute(a, "Roles", maxCostRoles, &d.Roles)
	a.Texts("Batches", &d.Batches)
	a.Seconds(table.AttrTTL, &d.Expires)
	a.Version(&d.Version)
	if !a.Decoding() {
		return
	}
	day, slot, _ := strings.Cut(a.Read(table.AttrSK), "#")
	n, errSlot := strconv.Atoi(slot)
	at, err := time.Parse(key.Day, day)
	if err != nil || errSlot != nil {
		a.Damaged(table.AttrSK, "a day and a slot")
	}
	d.Day, d.Slot = at, n
}

// costAttribute encodes or decodes the costs of each code. The item stores them as a string
// such as "aB3d:1k.4.2;": the code, then the read units in halves, the write units and the
// requests, all three in base 36. most is the maximum length of the string in bytes.
func costAttribute(a *table.Attributes, name string, most int, costs *map[string]Cost) {
	text := ""
	if !a.Decoding() {
		text = encodeCosts(*costs, most)
	}
	a.Text(name, &text)
	if !a.Decoding() {
		return
	}
	found, ok := decodeCosts(text)
	if !ok {
		a.Damaged(name, "costs")
	}
	*costs = found
}

// encodeCosts encodes costs as a string. most is the maximum length of the string in bytes.
// If not all costs fit, encodeCosts adds the smallest ones to CostRest.
func encodeCosts(costs map[string]Cost, most int) string {
	codes := slices.SortedFunc(maps.Keys(costs), func(a, b string) int {
		return cmp.Or(cmp.Compare(costs[b].weight(), costs[a].weight()), cmp.Compare(a, b))
	})
	rest := costs[CostRest]
	var b strings.Builder
	for _, code := range codes {
		if code == CostRest {
			continue
		}
		row := costRow(code, costs[code])
		if b.Len()+len(row)+maxCostRow > most {
			rest = rest.Plus(costs[code])
			continue
		}
		b.WriteString(row)
	}
	if !rest.IsZero() {
		b.WriteString(costRow(CostRest, rest))
	}
	return b.String()
}

// weight returns a number by which costs are sorted: a write unit costs five times as
// much as a read unit.
func (c Cost) weight() int { return c.HalfReads + 10*c.WriteUnits }

// maxCostRow is the number of bytes that encodeCosts keeps free for the row of CostRest.
// They are enough for three numbers below 2^50.
const maxCostRow = 4 + 3*10 + 3

func costRow(code string, c Cost) string {
	return code + ":" + strconv.FormatInt(int64(c.HalfReads), 36) + "." + strconv.FormatInt(int64(c.WriteUnits), 36) + "." + strconv.FormatInt(int64(c.Requests), 36) + ";"
}

func decodeCosts(text string) (map[string]Cost, bool) {
	costs := map[string]Cost{}
	for row := range strings.SplitSeq(strings.TrimSuffix(text, ";"), ";") {
		if row == "" {
			continue
		}
		code, rest, _ := strings.Cut(row, ":")
		parts := strings.Split(rest, ".")
		if len(parts) != 3 {
			return nil, false
		}
		var n [3]int
		for i, part := range parts {
			parsed, err := strconv.ParseInt(part, 36, 64)
			if err != nil || parsed < 0 {
				return nil, false
			}
			n[i] = int(parsed)
		}
		costs[code] = costs[code].Plus(Cost{HalfReads: n[0], WriteUnits: n[1], Requests: n[2]})
	}
	return costs, true
}

func (d *DayCosts) add(b *costBatch) {
	d.Sources, d.Patterns, d.Roles = addByCode(d.Sources, b.costs.Sources), addByCode(d.Patterns, b.costs.Patterns), addByCode(d.Roles, b.costs.Roles)
	kept := slices.DeleteFunc(d.Batches, func(id string) bool { return strings.HasPrefix(id, b.server+"#") })
	d.Batches = append([]string{b.id()}, kept[:min(len(kept), maxCostBatches-1)]...)
}

func addByCode[N ~string](to map[string]Cost, costs map[N]Cost) map[string]Cost {
	sum := maps.Clone(to)
	if sum == nil {
		sum = map[string]Cost{}
	}
	for name, n := range costs {
		sum[CostCode(string(name))] = sum[CostCode(string(name))].Plus(n)
	}
	return sum
}

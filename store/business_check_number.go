package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// numberGroup returns the subject of facts about a document number. The subject contains
// the number with leading zeros, so that the subjects of a series are sorted by number.
func numberGroup(s Series, number int) factGroup {
	return factGroup{factNumbers, string(s), fmt.Sprintf("%019d", number)}
}

// numberState is the last number of a series that judge has seen.
type numberState struct {
	series string
	last   int
}

// judge returns a suspect if numbers are missing before the number of a fact. The suspect's
// group contains the first missing number, and its item contains the number after the gap.
func (n *numberState) judge(f fact) (s suspect, wrong bool) {
	number, err := strconv.Atoi(f.group.key2)
	if err != nil {
		return s, false
	}
	before := *n
	*n = numberState{f.group.key1, number}
	end := number // the first number after the gap
	if f.kind == factCounted && number != before.last {
		end++ // no document has the last number of the series, so the gap includes it
	}
	if before.series != f.group.key1 || end <= before.last+1 {
		return s, false
	}
	return suspect{group: numberGroup(Series(f.group.key1), before.last+1), rule: CheckNumberGap, item: table.Key(f.pk, strconv.Itoa(end))}, true
}

// maxMissing is the maximum number of missing numbers that gapAgain looks for in a gap.
const maxMissing = 20

// gapAgain looks again for documents with the numbers of a gap, because the scan may have
// missed a document that was created during the scan. It reports the first consecutive
// numbers that are still missing.
func (c *businessChecker) gapAgain(ctx context.Context, s suspect) ([]CheckFinding, error) {
	series := Series(s.group.key1)
	first, _ := strconv.Atoi(s.group.key2) // never fails: see numberGroup
	end, _ := strconv.Atoi(table.TextOf(s.item, table.AttrSK))
	from, to := 0, 0 // the first and the last missing number
	next := first    // the first number that was not checked
	for isFound := false; next < end && (from == 0 || !isFound && next < from+maxMissing); next++ {
		keys, err := c.found(ctx, series.pattern(), key.Map{"number": series.format(next)}, series.entityType())
		if err != nil {
			return nil, err
		}
		if isFound = len(keys) > 0; !isFound {
			from, to = cmp.Or(from, next), next
		}
	}
	if from == 0 {
		return nil, nil
	}
	text := fmt.Sprintf("The number %s is missing.", series.format(from))
	if to > from {
		text = fmt.Sprintf("The numbers %s to %s are missing.", series.format(from), series.format(to))
	}
	if next < end {
		text += fmt.Sprintf(" Other numbers up to %s may be missing too.", series.format(end-1))
	}
	counter := entityGroup(&NumberSeries{Series: series})
	return []CheckFinding{finding(CheckNumberGap, table.Key(counter.key1, counter.key2), text)}, nil
}

// numberStatement returns a statement with the number of this document, or none if it has
// no number.
func numberStatement(e Entity, pk, sk string) []statement {
	series, number := numbered(e)
	if number == 0 {
		return nil
	}
	return []statement{{group: numberGroup(series, number), value: digest(strings.Join([]string{pk, sk}, "#"))}}
}

package embedded

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Bytes per capacity unit. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html.
const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
)

// readUnits returns the capacity units that reading this many bytes consumes: one for
// each 4 KB or part of it, and at least one. Eventually consistent reads cost half.
func readUnits(bytes int, consistent bool) float64 {
	units := float64(max(1, (bytes+readUnit-1)/readUnit))
	if consistent {
		return units
	}
	return units / 2
}

// writeUnits returns the capacity units that writing an item of this size consumes.
func writeUnits(bytes int) float64 {
	return float64(max(1, (bytes+writeUnit-1)/writeUnit))
}

// units contains the capacity units that an operation consumed, for a table and for each of
// its indexes.
type units struct {
	owner   *table
	table   float64
	indexes map[*index]float64
}

func (u *units) add(ix *index, unit float64) {
	if unit == 0 {
		return
	}
	if u.indexes == nil {
		u.indexes = make(map[*index]float64)
	}
	u.indexes[ix] += unit
}

func (u *units) addAll(other units) {
	u.table += other.table
	for ix, unit := range other.indexes {
		u.add(ix, unit)
	}
}

// times returns the units multiplied by a factor. Transactions consume twice the
// units of single operations.
func (u units) times(factor float64) units {
	result := units{owner: u.owner, table: u.table * factor}
	for ix, unit := range u.indexes {
		result.add(ix, unit*factor)
	}
	return result
}

// capacityKind says which fields a report of consumed capacity has. The report of a
// transaction also has its total as read units or write units.
type capacityKind int

const (
	capacityCombined capacityKind = iota
	capacityRead
	capacityWrite
)

// report returns the consumed capacity with the requested level of detail, or nil if
// none was requested.
func (u *units) report(mode types.ReturnConsumedCapacity, kind capacityKind) *types.ConsumedCapacity {
	if mode != types.ReturnConsumedCapacityTotal && mode != types.ReturnConsumedCapacityIndexes {
		return nil
	}
	sum := u.table
	for _, unit := range u.indexes {
		sum += unit
	}
	report := &types.ConsumedCapacity{TableName: &u.owner.Name, CapacityUnits: &sum}
	switch kind {
	case capacityRead:
		report.ReadCapacityUnits = &sum
	case capacityWrite:
		report.WriteCapacityUnits = &sum
	}
	if mode == types.ReturnConsumedCapacityTotal {
		return report
	}
	report.Table = kind.capacity(u.table)
	for ix, unit := range u.indexes {
		in := &report.GlobalSecondaryIndexes
		if ix.Local {
			in = &report.LocalSecondaryIndexes
		}
		if *in == nil {
			*in = make(map[string]types.Capacity)
		}
		(*in)[ix.Name] = *kind.capacity(unit)
	}
	return report
}

func (k capacityKind) capacity(unit float64) *types.Capacity {
	c := &types.Capacity{CapacityUnits: aws.Float64(unit)}
	switch k {
	case capacityRead:
		c.ReadCapacityUnits = aws.Float64(unit)
	case capacityWrite:
		c.WriteCapacityUnits = aws.Float64(unit)
	}
	return c
}

func reportAll(consumed map[string]*units, mode types.ReturnConsumedCapacity, kind capacityKind) []types.ConsumedCapacity {
	var reports []types.ConsumedCapacity
	for _, u := range consumed {
		if report := u.report(mode, kind); report != nil {
			reports = append(reports, *report)
		}
	}
	slices.SortFunc(reports, func(a, b types.ConsumedCapacity) int { return strings.Compare(*a.TableName, *b.TableName) })
	return reports
}

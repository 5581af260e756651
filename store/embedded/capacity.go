package embedded

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// What one capacity unit reads and writes, in bytes.
const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
)

// readUnits is the charge for reading so many bytes in one operation, half as
// much when the read is eventually consistent. Reading nothing costs a unit.
func readUnits(bytes int, consistent bool) float64 {
	units := float64(max(1, (bytes+readUnit-1)/readUnit))
	if consistent {
		return units
	}
	return units / 2
}

// writeUnits is the charge for writing an item of so many bytes.
func writeUnits(bytes int) float64 {
	return float64(max(1, (bytes+writeUnit-1)/writeUnit))
}

// units is what an operation is charged, apart for a table and its indexes.
type units struct {
	of      *table
	table   float64
	indexes map[*index]float64
}

func newUnits(t *table) units { return units{of: t} }

func (u *units) add(ix *index, unit float64) {
	if unit == 0 {
		return
	}
	if u.indexes == nil {
		u.indexes = make(map[*index]float64)
	}
	u.indexes[ix] += unit
}

// plus adds what another operation on the same table was charged.
func (u *units) plus(other units) {
	u.table += other.table
	for ix, unit := range other.indexes {
		u.add(ix, unit)
	}
}

// scaled is the charge times a factor: 2 in transactions.
func (u units) scaled(factor float64) units {
	result := units{of: u.of, table: u.table * factor}
	for ix, unit := range u.indexes {
		result.add(ix, unit*factor)
	}
	return result
}

// The kinds of capacity that transactions report beside the sum.
type capacityKind int

const (
	capacityPlain capacityKind = iota
	capacityRead
	capacityWrite
)

// report is the charge in the detail that the request asked for, nil for none.
func (u *units) report(asked types.ReturnConsumedCapacity, kind capacityKind) *types.ConsumedCapacity {
	if asked != types.ReturnConsumedCapacityTotal && asked != types.ReturnConsumedCapacityIndexes {
		return nil
	}
	sum := u.table
	for _, unit := range u.indexes {
		sum += unit
	}
	report := &types.ConsumedCapacity{TableName: &u.of.Name, CapacityUnits: &sum}
	switch kind {
	case capacityRead:
		report.ReadCapacityUnits = &sum
	case capacityWrite:
		report.WriteCapacityUnits = &sum
	}
	if asked == types.ReturnConsumedCapacityTotal {
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

// reportAll is report for an operation on several tables, in order of name.
func reportAll(charged map[string]*units, asked types.ReturnConsumedCapacity, kind capacityKind) []types.ConsumedCapacity {
	var reports []types.ConsumedCapacity
	for _, u := range charged {
		if report := u.report(asked, kind); report != nil {
			reports = append(reports, *report)
		}
	}
	slices.SortFunc(reports, func(a, b types.ConsumedCapacity) int { return strings.Compare(*a.TableName, *b.TableName) })
	return reports
}

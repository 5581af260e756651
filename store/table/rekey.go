package table

import (
	"context"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Rekey corrects the index keys of an item: it adds missing keys, replaces wrong ones
// and removes superfluous ones. It keeps the Version, because no other attribute
// changes. It adds a Version if the item has none, because later changes require one.
// Rekey returns Conflict if the item has changed since it was read.
func (t *Table) Rekey(ctx context.Context, e Entity, item Item, shards int) (changed bool, err error) {
	wanted, err := t.schema.Encode(e, shards)
	if err != nil {
		return false, err
	}
	var set, remove []string
	names, values := map[string]string{}, Item{}
	for _, n := range differentKeys(wanted, item) {
		pk, sk := KeyAttributes(IndexName(n))
		for part, name := range []string{pk, sk} {
			placeholder := strconv.Itoa(2*n + part)
			names["#k"+placeholder] = name
			if wanted[name] == nil {
				remove = append(remove, "#k"+placeholder)
				continue
			}
			set = append(set, "#k"+placeholder+" = :k"+placeholder)
			values[":k"+placeholder] = wanted[name]
		}
	}
	if item[AttrVersion] == nil && wanted[AttrVersion] != nil {
		set = append(set, "#version = :version")
		names["#version"], values[":version"] = AttrVersion, wanted[AttrVersion]
	}
	if len(names) == 0 {
		return false, nil
	}
	var update []string
	if len(set) > 0 {
		update = append(update, "SET "+strings.Join(set, ", "))
	}
	if len(remove) > 0 {
		update = append(update, "REMOVE "+strings.Join(remove, ", "))
	}
	// Compare all attributes instead of the version. Items from other programs have no
	// version, and saving a job result again does not increment it.
	var same []string
	for name, value := range item {
		placeholder := strconv.Itoa(len(same))
		names["#a"+placeholder], values[":a"+placeholder] = name, value
		same = append(same, "#a"+placeholder+" = :a"+placeholder)
	}
	_, err = t.transact(ctx, []types.TransactWriteItem{{Update: &types.Update{
		TableName:                 &t.name,
		Key:                       KeyOf(item),
		UpdateExpression:          aws.String(strings.Join(update, " ")),
		ConditionExpression:       aws.String(strings.Join(same, " AND ")),
		ExpressionAttributeNames:  names,
		ExpressionAttributeValues: values,
	}}})
	return true, err
}

// differentKeys returns the numbers of the indexes whose keys differ between the two
// items.
func differentKeys(wanted, item Item) (indexes []int) {
	for n := 1; n <= IndexCount; n++ {
		if pk, sk := KeyAttributes(IndexName(n)); !sameKey(wanted[pk], item[pk]) || !sameKey(wanted[sk], item[sk]) {
			indexes = append(indexes, n)
		}
	}
	return indexes
}

// WrongKeys returns the names of the wrong keys of an item: PK, SK and the names of
// indexes. It includes "Version" if the item has no Version. It returns Invalid if
// the entity cannot be encoded.
func (s *Schema) WrongKeys(e Entity, item Item, shards int) (names []string, err error) {
	wanted, err := s.Encode(e, shards)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{AttrPK, AttrSK} {
		if !sameKey(wanted[name], item[name]) {
			names = append(names, name)
		}
	}
	for _, n := range differentKeys(wanted, item) {
		names = append(names, IndexName(n))
	}
	if item[AttrVersion] == nil && wanted[AttrVersion] != nil {
		names = append(names, AttrVersion)
	}
	return names, nil
}

func sameKey(a, b types.AttributeValue) bool { return a == nil && b == nil || sameValue(a, b) }

// ScanSegments is the number of segments for ScanFrom.
const ScanSegments = scanSegments

// ScanPage is the result of one request of ScanFrom.
type ScanPage struct {
	Items []Item
	Next  Item    // the key where the next request starts; nil at the end
	Units float64 // consumed read capacity units
}

// ScanFrom is like Scan, but scans one segment and makes consistent reads. It starts
// after the item with the key in the argument from, or at the beginning if the argument
// is nil. Each call of visit gets at most limit items.
func (t *Table) ScanFrom(ctx context.Context, segment, limit int, from Item, visit func(ScanPage) error) error {
	in := &dynamodb.ScanInput{
		TableName:              &t.name,
		Segment:                aws.Int32(int32(segment)),
		TotalSegments:          aws.Int32(scanSegments),
		Limit:                  aws.Int32(int32(limit)),
		ConsistentRead:         aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	for in.ExclusiveStartKey = from; ; {
		out, err := t.db.Scan(ctx, in)
		if err != nil {
			return t.wrap(err)
		}
		t.meterScan(ctx, out)
		page := ScanPage{Items: out.Items, Units: units(out.ConsumedCapacity)}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return visit(page)
		}
		page.Next = out.LastEvaluatedKey
		if err := visit(page); err != nil {
			return err
		}
	}
}

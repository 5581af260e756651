package embedded

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"
)

// arnPrefix is the start of ARNs, with an invented region and account.
const (
	region    = "embedded"
	arnPrefix = "arn:aws:dynamodb:" + region + ":000000000000:table/"
)

// maxTableNames is the maximum number of names that ListTables returns.
const maxTableNames = 100

// DescribeTable returns a description of a table. Unlike in DynamoDB, its counts and
// sizes are exact.
func (db *DB) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	if err := c.err(); err != nil {
		return nil, err
	}
	out := &dynamodb.DescribeTableOutput{}
	err := db.view(ctx, func(r *readTx) error {
		t, err := r.catalog.tableByName(*in.TableName)
		if err != nil {
			return err
		}
		out.Table, err = t.describe(r.bolt)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// tableByName is like table, but its error contains the table name, as in DynamoDB's
// operations on tables.
func (c *catalog) tableByName(name string) (*table, error) {
	if t, ok := c.tables[name]; ok {
		return t, nil
	}
	return nil, errTableNotFoundByName(name)
}

func (db *DB) ListTables(ctx context.Context, in *dynamodb.ListTablesInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error) {
	var c constraints
	limit := maxTableNames
	if in.Limit != nil {
		limit = int(*in.Limit)
		c.limit(in.Limit)
		c.check(limit <= maxTableNames, limit, "limit", "Member must have value less than or equal to 100")
	}
	if in.ExclusiveStartTableName != nil {
		c.name(in.ExclusiveStartTableName, "exclusiveStartTableName", minNameLen)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	var names []string
	err := db.view(ctx, func(r *readTx) error {
		names = slices.Sorted(maps.Keys(r.catalog.tables))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if in.ExclusiveStartTableName != nil {
		at, found := slices.BinarySearch(names, *in.ExclusiveStartTableName)
		if found {
			at++
		}
		names = names[at:]
	}
	out := &dynamodb.ListTablesOutput{TableNames: names}
	if len(names) > limit {
		out.TableNames = names[:limit]
		out.LastEvaluatedTableName = &names[limit-1]
	}
	return out, nil
}

func (t *table) describe(tx *bbolt.Tx) (*types.TableDescription, error) {
	held, err := readTotal(tx, t.items)
	if err != nil {
		return nil, err
	}
	d := &types.TableDescription{
		TableName:            &t.Name,
		TableArn:             aws.String(arnPrefix + t.Name),
		TableId:              &t.ARNID,
		TableStatus:          types.TableStatusActive,
		CreationDateTime:     &t.Created,
		AttributeDefinitions: t.attributeDefinitions(),
		KeySchema:            t.Key.describe(),
		ItemCount:            &held.items,
		TableSizeBytes:       &held.bytes,
		ProvisionedThroughput: &types.ProvisionedThroughputDescription{
			ReadCapacityUnits: &t.Throughput.Read, WriteCapacityUnits: &t.Throughput.Write, NumberOfDecreasesToday: aws.Int64(0),
		},
		DeletionProtectionEnabled: &t.Protected,
	}
	if t.Billing == types.BillingModePayPerRequest {
		d.BillingModeSummary = &types.BillingModeSummary{BillingMode: t.Billing, LastUpdateToPayPerRequestDateTime: &t.Created}
	}
	if t.Class != "" {
		d.TableClassSummary = &types.TableClassSummary{TableClass: t.Class}
	}
	t.describeStream(d)
	for _, ix := range t.indexes {
		if err := ix.describe(tx, t, d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (ix *index) describe(tx *bbolt.Tx, t *table, d *types.TableDescription) error {
	held, err := readTotal(tx, ix.entries)
	if err != nil {
		return err
	}
	arn := aws.String(*d.TableArn + "/index/" + ix.Name)
	projection := &types.Projection{ProjectionType: ix.Projection, NonKeyAttributes: ix.Included}
	if ix.Local {
		d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, types.LocalSecondaryIndexDescription{
			IndexName: &ix.Name, IndexArn: arn, KeySchema: ix.Key.describe(), Projection: projection,
			ItemCount: &held.items, IndexSizeBytes: &held.bytes,
		})
		return nil
	}
	status := types.IndexStatusActive
	var backfilling *bool
	if ix.Backfilling {
		status, backfilling = types.IndexStatusCreating, aws.Bool(true)
	}
	d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, types.GlobalSecondaryIndexDescription{
		IndexName: &ix.Name, IndexArn: arn, KeySchema: ix.Key.describe(), Projection: projection,
		ItemCount: &held.items, IndexSizeBytes: &held.bytes, IndexStatus: status, Backfilling: backfilling,
		ProvisionedThroughput: &types.ProvisionedThroughputDescription{
			ReadCapacityUnits: &ix.Throughput.Read, WriteCapacityUnits: &ix.Throughput.Write, NumberOfDecreasesToday: aws.Int64(0),
		},
	})
	return nil
}

func (k *keySchema) describe() []types.KeySchemaElement {
	var elements []types.KeySchemaElement
	for _, name := range namesOf(k.partition()) {
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeHash})
	}
	for _, name := range namesOf(k.sort()) {
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeRange})
	}
	return elements
}

// attributeDefinitions returns the key attributes of the table and its indexes,
// sorted by name.
func (t *table) attributeDefinitions() []types.AttributeDefinition {
	keys := t.Key.attributes()
	for _, ix := range t.indexes {
		keys = append(keys, ix.Key.attributes()...)
	}
	slices.SortFunc(keys, func(a, b keyAttribute) int { return strings.Compare(a.Name, b.Name) })
	var definitions []types.AttributeDefinition
	for _, key := range slices.Compact(keys) {
		definitions = append(definitions, types.AttributeDefinition{AttributeName: &key.Name, AttributeType: key.Type})
	}
	return definitions
}

package table

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Check returns the problems of the table, one sentence each, and the names of the indexes
// that are still being created. It checks the keys, the indexes and Time to Live.
func (t *Table) Check(ctx context.Context) (problems, building []string, err error) {
	out, err := t.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &t.name})
	if err != nil {
		return nil, nil, t.wrap(err)
	}
	c := checker{types: map[string]types.ScalarAttributeType{}}
	for _, a := range out.Table.AttributeDefinitions {
		c.types[aws.ToString(a.AttributeName)] = a.AttributeType
	}
	c.keys("The table "+t.name, out.Table.KeySchema, AttrPK, AttrSK)
	for n := 1; n <= IndexCount; n++ {
		c.index(out.Table, IndexName(n))
	}
	ttl, err := t.db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &t.name})
	if err != nil {
		return nil, nil, t.wrap(err)
	}
	if !hasTTL(ttl.TimeToLiveDescription) {
		c.report("Time to Live is not enabled for the attribute %s.", AttrTTL)
	}
	return c.problems, c.building, nil
}

type checker struct {
	types    map[string]types.ScalarAttributeType
	problems []string
	building []string
}

func (c *checker) report(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *checker) keys(subject string, schema []types.KeySchemaElement, pk, sk string) {
	found := map[types.KeyType]string{}
	for _, k := range schema {
		found[k.KeyType] = aws.ToString(k.AttributeName)
	}
	if found[types.KeyTypeHash] != pk || found[types.KeyTypeRange] != sk {
		c.report("%s has the keys %q and %q; it needs %s and %s.", subject, found[types.KeyTypeHash], found[types.KeyTypeRange], pk, sk)
		return
	}
	for _, name := range []string{pk, sk} {
		if c.types[name] != types.ScalarAttributeTypeS {
			c.report("%s: the key %s has type %s; it must be a string.", subject, name, c.types[name])
		}
	}
}

func (c *checker) index(table *types.TableDescription, name string) {
	for _, index := range table.GlobalSecondaryIndexes {
		if aws.ToString(index.IndexName) != name {
			continue
		}
		pk, sk := KeyAttributes(name)
		c.keys("The index "+name, index.KeySchema, pk, sk)
		if index.Projection == nil || index.Projection.ProjectionType != types.ProjectionTypeAll {
			c.report("The index %s does not project all attributes: its projection must be ALL.", name)
		}
		switch index.IndexStatus {
		case types.IndexStatusCreating:
			c.building = append(c.building, name)
		case types.IndexStatusDeleting:
			c.report("The index %s is being deleted.", name)
		}
		return
	}
	c.report("The index %s is missing.", name)
}

package table

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Input returns the request that creates the table with its keys and six indexes.
// The indexes project all attributes, and billing is on demand.
func Input(name string) *dynamodb.CreateTableInput {
	attributes := []types.AttributeDefinition{}
	keySchema := func(pk, sk string) []types.KeySchemaElement {
		for _, name := range []string{pk, sk} {
			attributes = append(attributes, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS})
		}
		return []types.KeySchemaElement{
			{AttributeName: aws.String(pk), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(sk), KeyType: types.KeyTypeRange},
		}
	}
	in := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keySchema(AttrPK, AttrSK),
	}
	for n := 1; n <= IndexCount; n++ {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(IndexName(n)),
			KeySchema:  keySchema(KeyAttributes(IndexName(n))),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		})
	}
	in.AttributeDefinitions = attributes
	return in
}

// Create creates the table with its indexes and enables Time to Live. If the table already
// exists, Create only enables Time to Live; use Check to verify the rest.
func (t *Table) Create(ctx context.Context) error {
	_, err := t.db.CreateTable(ctx, Input(t.name))
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return t.wrap(err)
	}
	if err := t.waitUntilActive(ctx); err != nil {
		return err
	}
	return t.enableTTL(ctx)
}

// waitUntilActive waits until Amazon DynamoDB has created the table and its indexes. It
// asks once a second.
func (t *Table) waitUntilActive(ctx context.Context) error {
	for {
		out, err := t.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &t.name})
		if err != nil {
			return t.wrap(err)
		}
		if out.Table.TableStatus == types.TableStatusActive {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func (t *Table) enableTTL(ctx context.Context) error {
	out, err := t.db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &t.name})
	if err != nil {
		return t.wrap(err)
	}
	if hasTTL(out.TimeToLiveDescription) {
		return nil
	}
	_, err = t.db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &t.name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(AttrTTL), Enabled: aws.Bool(true)},
	})
	return t.wrap(err)
}

func hasTTL(d *types.TimeToLiveDescription) bool {
	return d != nil && aws.ToString(d.AttributeName) == AttrTTL &&
		(d.TimeToLiveStatus == types.TimeToLiveStatusEnabled || d.TimeToLiveStatus == types.TimeToLiveStatusEnabling)
}

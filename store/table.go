package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// TableInput is what makes the table: its keys, its six indexes, which hold
// whole items, and billing on demand.
func TableInput(name string) *dynamodb.CreateTableInput {
	attributes := []types.AttributeDefinition{}
	keyed := func(pk, sk string) []types.KeySchemaElement {
		for _, name := range []string{pk, sk} {
			attributes = append(attributes, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS})
		}
		return []types.KeySchemaElement{
			{AttributeName: aws.String(pk), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(sk), KeyType: types.KeyTypeRange},
		}
	}
	in := &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		KeySchema: keyed(attrPK, attrSK),
	}
	for n := 1; n <= IndexCount; n++ {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(IndexName(n)),
			KeySchema:  keyed(keyAttributes(IndexName(n))),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		})
	}
	in.AttributeDefinitions = attributes
	return in
}

// TTLAttribute is the attribute that the table's Time to Live reads.
const TTLAttribute = attrTTL

// CreateTable makes the table with its six indexes, billed on demand, and
// switches Time to Live on. A table that is there already is left as it is,
// which CheckTable then judges.
func (s *Store) CreateTable(ctx context.Context) error {
	_, err := s.db.CreateTable(ctx, TableInput(s.table))
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return s.failure(err)
	}
	if err := s.awaitTable(ctx); err != nil {
		return err
	}
	return s.switchOnTTL(ctx)
}

// awaitTable waits until the table is active: on Amazon DynamoDB, making the
// indexes takes some seconds.
func (s *Store) awaitTable(ctx context.Context) error {
	for {
		out, err := s.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &s.table})
		if err != nil {
			return s.failure(err)
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

func (s *Store) switchOnTTL(ctx context.Context) error {
	out, err := s.db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &s.table})
	if err != nil {
		return s.failure(err)
	}
	if ttlIsOn(out.TimeToLiveDescription) {
		return nil
	}
	_, err = s.db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &s.table,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(attrTTL), Enabled: aws.Bool(true)},
	})
	return s.failure(err)
}

func ttlIsOn(d *types.TimeToLiveDescription) bool {
	return d != nil && aws.ToString(d.AttributeName) == attrTTL &&
		(d.TimeToLiveStatus == types.TimeToLiveStatusEnabled || d.TimeToLiveStatus == types.TimeToLiveStatusEnabling)
}

// CheckTable says what the table lacks of what the program needs, each in a
// sentence; nothing where it is as it should be.
func (s *Store) CheckTable(ctx context.Context) ([]string, error) {
	out, err := s.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &s.table})
	if err != nil {
		return nil, s.failure(err)
	}
	var lacks []string
	lack := func(format string, args ...any) { lacks = append(lacks, fmt.Sprintf(format, args...)) }
	table := out.Table
	kinds := map[string]types.ScalarAttributeType{}
	for _, a := range table.AttributeDefinitions {
		kinds[aws.ToString(a.AttributeName)] = a.AttributeType
	}
	hasKeys := func(what string, schema []types.KeySchemaElement, pk, sk string) {
		found := map[types.KeyType]string{}
		for _, k := range schema {
			found[k.KeyType] = aws.ToString(k.AttributeName)
		}
		if found[types.KeyTypeHash] != pk || found[types.KeyTypeRange] != sk {
			lack("%s has the keys %q and %q; it needs %s and %s.", what, found[types.KeyTypeHash], found[types.KeyTypeRange], pk, sk)
			return
		}
		for _, name := range []string{pk, sk} {
			if kinds[name] != types.ScalarAttributeTypeS {
				lack("%s: the key %s is of type %s; it needs to be a string.", what, name, kinds[name])
			}
		}
	}
	hasKeys("The table "+s.table, table.KeySchema, attrPK, attrSK)
	for n := 1; n <= IndexCount; n++ {
		name := IndexName(n)
		index, found := indexOf(table, name)
		if !found {
			lack("The index %s is missing.", name)
			continue
		}
		pk, sk := keyAttributes(name)
		hasKeys("The index "+name, index.KeySchema, pk, sk)
		if index.Projection == nil || index.Projection.ProjectionType != types.ProjectionTypeAll {
			lack("The index %s does not hold whole items: its projection must be ALL.", name)
		}
		if index.IndexStatus != "" && index.IndexStatus != types.IndexStatusActive {
			lack("The index %s is not ready yet: it is %s.", name, index.IndexStatus)
		}
	}
	ttl, err := s.db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &s.table})
	if err != nil {
		return nil, s.failure(err)
	}
	if !ttlIsOn(ttl.TimeToLiveDescription) {
		lack("Time to Live is not switched on for the attribute %s.", attrTTL)
	}
	return lacks, nil
}

func indexOf(table *types.TableDescription, name string) (types.GlobalSecondaryIndexDescription, bool) {
	for _, index := range table.GlobalSecondaryIndexes {
		if aws.ToString(index.IndexName) == name {
			return index, true
		}
	}
	return types.GlobalSecondaryIndexDescription{}, false
}

// Ready asks the table for one item, so that whoever balances load knows
// whether this server can answer.
func (s *Store) Ready(ctx context.Context) error {
	_, err := s.get(ctx, getSettings, nil, false)
	if KindOf(err) == NotFound {
		return nil
	}
	return err
}

// HasBusiness says whether the table holds any business entity; accounts,
// sessions and settings do not count.
func (s *Store) HasBusiness(ctx context.Context) (bool, error) {
	orders := question{pattern: getOrdersByStatus, values: rangeValues(key.Days{}), segment: "status"}
	for _, status := range OrderStatuses {
		orders.over = append(orders.over, string(status))
	}
	subscriptions := question{pattern: getSubscriptionsInState, segment: "status"}
	for _, status := range SubscriptionStatuses {
		subscriptions.over = append(subscriptions.over, string(status))
	}
	for _, q := range []question{
		{pattern: getWarehouses}, byName(getProducts, "", ""), byName(getCustomers, "", ""), orders, subscriptions,
	} {
		found, err := s.page(ctx, q, Page{Limit: 1})
		if err != nil || len(found.items) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

package embedded

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DeleteTable deletes a table immediately. The output nevertheless says DELETING, as in
// DynamoDB.
func (db *DB) DeleteTable(ctx context.Context, in *dynamodb.DeleteTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	if err := c.err(); err != nil {
		return nil, err
	}
	var description *types.TableDescription
	err := db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		t, err := tx.catalog.tableByName(*in.TableName)
		if err != nil {
			return nil, err
		}
		if t.Protected {
			return nil, invalidf("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
		}
		if description, err = t.describe(tx.bolt); err != nil {
			return nil, err
		}
		return nil, tx.drop(t)
	})
	if err != nil {
		return nil, err
	}
	description.TableStatus = types.TableStatusDeleting
	return &dynamodb.DeleteTableOutput{TableDescription: description}, nil
}

func (tx *writeTx) drop(t *table) error {
	bucket, err := tables.bucket(tx.bolt)
	if err != nil {
		return err
	}
	if err := tx.guard(tables, []byte(t.Name), true); err != nil {
		return err
	}
	if err := bucket.Delete([]byte(t.Name)); err != nil {
		return fmt.Errorf("embedded: table %s: %w", t.Name, err)
	}
	for _, space := range t.keyspaces() {
		if err := tx.dropKeyspace(space); err != nil {
			return err
		}
	}
	tx.catalog = tx.catalog.without(t.Name)
	tx.changed = true
	return nil
}

func (tx *writeTx) clearKeyspace(space *keyspace) error {
	if err := tx.dropKeyspace(space); err != nil {
		return err
	}
	return space.create(tx.bolt)
}

func (tx *writeTx) dropKeyspace(space *keyspace) error {
	bucket, err := totals.bucket(tx.bolt)
	if err != nil {
		return err
	}
	if err := tx.guard(totals, space.name, true); err != nil {
		return err
	}
	if err := bucket.Delete(space.name); err != nil {
		return fmt.Errorf("embedded: %s: %w", space.label, err)
	}
	// bbolt frees all pages of the bucket without verification, so verify them first.
	if err := guardAll(tx.bolt, space); err != nil {
		return err
	}
	if err := tx.bolt.DeleteBucket(space.name); err != nil {
		return fmt.Errorf("embedded: %s: %w", space.label, err)
	}
	return nil
}

// UpdateTable supports global indexes, streams, billing mode, provisioned throughput,
// table class and deletion protection. It backfills a new index in the background.
// DescribeTable shows when the index is ACTIVE.
func (db *DB) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	c.attributeDefinitions(in.AttributeDefinitions)
	enum(&c, in.BillingMode, "billingMode", billingModes)
	c.streamSpecification(in.StreamSpecification)
	if err := c.err(); err != nil {
		return nil, err
	}
	if in.ReplicaUpdates != nil || in.GlobalTableWitnessUpdates != nil {
		return nil, invalidf("Replicas are not supported by the embedded store")
	}
	var description *types.TableDescription
	var backfilling bool
	err := db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		t, err := tx.catalog.tableByName(*in.TableName)
		if err != nil {
			return nil, err
		}
		next, err := t.withUpdate(in)
		if err != nil {
			return nil, err
		}
		if in.StreamSpecification != nil {
			if err := next.setStream(in.StreamSpecification, tx.now); err != nil {
				return nil, err
			}
		}
		updated, err := tx.saveDefinition(*next, t.names)
		if err != nil {
			return nil, err
		}
		if err := tx.syncStreams(t.streams, updated); err != nil {
			return nil, err
		}
		if err := tx.syncIndexKeyspaces(t, updated); err != nil {
			return nil, err
		}
		backfilling = updated.backfilling()
		description, err = updated.describe(tx.bolt)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	if backfilling {
		db.wakeBackfill()
	}
	description.TableStatus = types.TableStatusUpdating
	return &dynamodb.UpdateTableOutput{TableDescription: description}, nil
}

func (tx *writeTx) syncIndexKeyspaces(before, after *table) error {
	for _, ix := range before.indexes {
		if after.hasIndex(ix.ID) {
			continue
		}
		if err := tx.dropKeyspace(ix.entries); err != nil {
			return err
		}
	}
	for _, ix := range after.indexes {
		if before.hasIndex(ix.ID) {
			continue
		}
		if err := ix.entries.create(tx.bolt); err != nil {
			return err
		}
	}
	return nil
}

// withUpdate returns the definition with the changes of the request.
func (t *table) withUpdate(in *dynamodb.UpdateTableInput) (*definition, error) {
	d := t.definition
	d.Indexes = slices.Clone(d.Indexes)
	if in.BillingMode != "" {
		d.Billing = in.BillingMode
	}
	if in.BillingMode != "" || in.ProvisionedThroughput != nil {
		var err error
		if d.Throughput, err = throughputOf(d.Billing, in.ProvisionedThroughput); err != nil {
			return nil, err
		}
		if t.Billing == types.BillingModeProvisioned && d.Billing == t.Billing && d.Throughput == t.Throughput {
			return nil, invalidf("The provisioned throughput for the table will not change. The requested value equals the current value. "+
				"Current ReadCapacityUnits provisioned for the table: %[1]d. Requested ReadCapacityUnits: %[1]d. "+
				"Current WriteCapacityUnits provisioned for the table: %[2]d. Requested WriteCapacityUnits: %[2]d. "+
				"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.", d.Throughput.Read, d.Throughput.Write)
		}
	}
	if in.DeletionProtectionEnabled != nil {
		d.Protected = *in.DeletionProtectionEnabled
	}
	if in.TableClass != "" {
		d.Class = in.TableClass
	}
	defined, err := attributesOf(in.AttributeDefinitions)
	if err != nil {
		return nil, err
	}
	for _, known := range t.attributeDefinitions() {
		kind, again := defined[*known.AttributeName]
		if again && kind != known.AttributeType {
			return nil, invalidParameter("The attribute %s is already defined with another type", *known.AttributeName)
		}
		defined[*known.AttributeName] = known.AttributeType
	}
	if err := checkIndexUpdates(in.GlobalSecondaryIndexUpdates); err != nil {
		return nil, err
	}
	for _, update := range in.GlobalSecondaryIndexUpdates {
		if err := d.updateIndex(update, defined); err != nil {
			return nil, err
		}
	}
	return &d, nil
}

// checkIndexUpdates returns an error if a request creates or deletes more than one index, or
// changes an index twice.
func checkIndexUpdates(updates []types.GlobalSecondaryIndexUpdate) error {
	changed := map[string]bool{}
	created := 0
	for _, update := range updates {
		var name *string
		switch {
		case update.Create != nil:
			name = update.Create.IndexName
			created++
		case update.Delete != nil:
			name = update.Delete.IndexName
			created++
		case update.Update != nil:
			name = update.Update.IndexName
		}
		if created > 1 {
			return &types.LimitExceededException{Message: aws.String("Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")}
		}
		if changed[aws.ToString(name)] {
			return invalidParameter("Only one global secondary index update per index is allowed simultaneously. Index: %s", aws.ToString(name))
		}
		changed[aws.ToString(name)] = true
	}
	return nil
}

func (d *definition) updateIndex(update types.GlobalSecondaryIndexUpdate, defined map[string]types.ScalarAttributeType) error {
	at := func(name *string) (int, error) {
		i := slices.IndexFunc(d.Indexes, func(ix indexDefinition) bool { return !ix.Local && ix.Name == aws.ToString(name) })
		if i < 0 {
			return i, &types.ResourceNotFoundException{Message: aws.String("Requested resource not found: Index: " + aws.ToString(name) + " not found")}
		}
		return i, nil
	}
	switch {
	case update.Create != nil:
		ix, err := newIndex(update.Create.IndexName, update.Create.KeySchema, update.Create.Projection, maxMultiElements, maps.Clone(defined), map[string]bool{})
		if err != nil {
			return err
		}
		if ix.Throughput, err = throughputOf(d.Billing, update.Create.ProvisionedThroughput); err != nil {
			return err
		}
		ix.Backfilling = true
		return d.addIndex(ix)
	case update.Delete != nil:
		i, err := at(update.Delete.IndexName)
		if err != nil {
			return err
		}
		d.Indexes = slices.Delete(d.Indexes, i, i+1)
		return nil
	case update.Update != nil:
		i, err := at(update.Update.IndexName)
		if err != nil {
			return err
		}
		d.Indexes[i].Throughput, err = throughputOf(d.Billing, update.Update.ProvisionedThroughput)
		return err
	}
	return invalidParameter("A GlobalSecondaryIndexUpdate must have one of Create, Delete or Update")
}

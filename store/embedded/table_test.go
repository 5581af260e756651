package embedded_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestDescribeTable_MatchesCreateTable(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	in := shopTable()
	in.DeletionProtectionEnabled = aws.Bool(true)
	created, err := db.CreateTable(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, created.TableDescription.TableStatus, types.TableStatusCreating)
	put(t, db, with(key("a", "1"), "Status", s("OPEN")), with(key("a", "2"), "Total", n(7)))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	table := out.Table
	mustEqual(t, table.TableStatus, types.TableStatusActive)
	mustEqual(t, table.KeySchema, in.KeySchema)
	mustEqual(t, table.AttributeDefinitions, in.AttributeDefinitions)
	mustEqual(t, table.BillingModeSummary.BillingMode, types.BillingModePayPerRequest)
	mustEqual(t, []int64{*table.ItemCount, *table.TableSizeBytes}, []int64{2, int64(len("PKaSK1StatusOPEN") + len("PKaSK2Total") + 2)})
	for i, ix := range table.GlobalSecondaryIndexes {
		mustEqual(t, *ix.IndexName, *in.GlobalSecondaryIndexes[i].IndexName)
		mustEqual(t, ix.KeySchema, in.GlobalSecondaryIndexes[i].KeySchema)
		mustEqual(t, ix.Projection, in.GlobalSecondaryIndexes[i].Projection)
		mustEqual(t, ix.IndexStatus, types.IndexStatusActive)
	}
	mustEqual(t, *table.GlobalSecondaryIndexes[0].ItemCount, int64(1))
	mustEqual(t, *table.LocalSecondaryIndexes[0].ItemCount, int64(1))

	_, err = db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(shop)})
	wantInvalid(t, err, "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	if _, err := db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(shop), DeletionProtectionEnabled: aws.Bool(false)}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(shop)}); err != nil {
		t.Fatal(err)
	}
	var missing *types.ResourceNotFoundException
	_, err = db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if !errors.As(err, &missing) || missing.ErrorMessage() != "Requested resource not found: Table: Shop not found" {
		t.Errorf("DescribeTable of deleted table: got %v, want ResourceNotFoundException", err)
	}
	// The table was deleted, so the new table must be empty.
	create(t, db, shopTable())
	mustEqual(t, get(t, db, key("a", "1")), item(nil))
}

func TestCreateTable_InvalidRequests(t *testing.T) {
	db := openShop(t)
	var inUse *types.ResourceInUseException
	if _, err := db.CreateTable(t.Context(), shopTable()); !errors.As(err, &inUse) || inUse.ErrorMessage() != "Table already exists: Shop" {
		t.Errorf("second CreateTable: got %v, want ResourceInUseException", err)
	}
	for message, change := range map[string]func(*dynamodb.CreateTableInput){
		"One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions": func(in *dynamodb.CreateTableInput) {
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String("More"), AttributeType: types.ScalarAttributeTypeS})
		},
		"Invalid KeySchema: The first KeySchemaElement is not a HASH key type": func(in *dynamodb.CreateTableInput) {
			in.KeySchema[0].KeyType = types.KeyTypeRange
		},
		"One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED": func(in *dynamodb.CreateTableInput) {
			in.BillingMode = ""
		},
		"One or more parameter values were invalid: Duplicate index name: ByTotal": func(in *dynamodb.CreateTableInput) {
			in.GlobalSecondaryIndexes[0].IndexName = aws.String("ByTotal")
		},
		"One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified": func(in *dynamodb.CreateTableInput) {
			in.LocalSecondaryIndexes[0].Projection.NonKeyAttributes = nil
		},
	} {
		in := shopTable()
		in.TableName = aws.String("Other")
		change(in)
		_, err := db.CreateTable(t.Context(), in)
		wantInvalid(t, err, message)
	}
}

func TestListTables(t *testing.T) {
	db := open(t, t.TempDir())
	for i := range 5 {
		in := shopTable()
		in.TableName = aws.String(fmt.Sprint("Table", i))
		create(t, db, in)
	}
	var names []string
	in := &dynamodb.ListTablesInput{Limit: aws.Int32(2)}
	for {
		out, err := db.ListTables(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, out.TableNames...)
		if in.ExclusiveStartTableName = out.LastEvaluatedTableName; in.ExclusiveStartTableName == nil {
			break
		}
	}
	mustEqual(t, names, []string{"Table0", "Table1", "Table2", "Table3", "Table4"})
}

func timeToLive(t *testing.T, db client, enabled bool) error {
	t.Helper()
	_, err := db.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(shop), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("TTL"), Enabled: &enabled},
	})
	return err
}

func TestTimeToLive(t *testing.T) {
	clock := newTestClock()
	db := openAt(t, t.TempDir(), clock)
	create(t, db, shopTable())
	at := func(seconds int) types.AttributeValue { return n(clock.now().Unix() + int64(seconds)) }
	expiring := func(name string, ttl types.AttributeValue) item {
		return with(key("a", name), "TTL", ttl, "Status", s("OPEN"))
	}
	put(t, db, expiring("before", at(10)), expiring("later", at(1000)), expiring("stale", n(5)), expiring("text", s("10")), key("a", "none"))
	if err := timeToLive(t, db, true); err != nil {
		t.Fatal(err)
	}
	wantInvalid(t, timeToLive(t, db, true), "TimeToLive is already enabled")
	out, err := db.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.TimeToLiveDescription, &types.TimeToLiveDescription{AttributeName: aws.String("TTL"), TimeToLiveStatus: types.TimeToLiveStatusEnabled})

	for i := range 250 {
		put(t, db, expiring(fmt.Sprint("many ", i), at(20)))
	}
	put(t, db, expiring("moved", at(10)))
	put(t, db, expiring("moved", at(5000)))
	clock.advance(time.Minute)
	mustEqual(t, len(openOrders(t, db, "ByStatus")), 255) // no sweep has removed the expired items yet
	sweep := func(limit int) int {
		t.Helper()
		removed, err := db.SweepExpired(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		return removed
	}
	waitActive(t, db)
	swept := sweep(30)
	for deadline := time.Now().Add(time.Minute); swept < 251 && time.Now().Before(deadline); {
		swept += sweep(10_000) // the backfill may not have reached the item "before" yet
	}
	mustEqual(t, swept, 251)
	mustEqual(t, sweep(10), 0)
	mustEqual(t, len(openOrders(t, db, "ByStatus")), 4)
	mustEqual(t, get(t, db, key("a", "before")), item(nil))

	if err := timeToLive(t, db, false); err != nil {
		t.Fatal(err)
	}
	wantInvalid(t, timeToLive(t, db, false), "TimeToLive is already disabled")
	clock.advance(time.Hour)
	mustEqual(t, sweep(10), 0)
}

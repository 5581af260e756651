package embedded_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// endpointVariable is the environment variable with the address of another engine
// that has the DynamoDB API.
const endpointVariable = "STOCKROOM_TEST_ENDPOINT"

// connect returns a client of another engine, with an empty shop table.
func connect(t testing.TB, endpoint string) client { return connectWith(t, endpoint, shopTable()) }

func connectWith(t testing.TB, endpoint string, table *dynamodb.CreateTableInput) client {
	t.Helper()
	c := dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint, Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	remove := func(ctx context.Context) error {
		_, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(shop)})
		var missing *types.ResourceNotFoundException
		if errors.As(err, &missing) {
			return nil
		}
		return err
	}
	if err := remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	create(t, c, table)
	t.Cleanup(func() {
		if err := remove(context.Background()); err != nil {
			t.Error(err)
		}
	})
	err := dynamodb.NewTableExistsWaiter(c).Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

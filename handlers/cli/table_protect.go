package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// protectTable enables deletion protection and point-in-time recovery of a table on
// Amazon DynamoDB. If another database lacks one of them, protectTable prints a
// message.
func (c *call) protectTable(ctx context.Context, client *dynamodb.Client) error {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &c.table})
	if err != nil {
		return err
	}
	if !aws.ToBool(out.Table.DeletionProtectionEnabled) {
		_, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &c.table, DeletionProtectionEnabled: aws.Bool(true)})
		if err := c.unlessUnsupported(err, "deletion protection"); err != nil {
			return err
		}
	}
	_, err = client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName:                        &c.table,
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)},
	}, retryWhileNew)
	return c.unlessUnsupported(err, "point-in-time recovery")
}

// unlessUnsupported prints a message if the database does not support the feature. It
// returns every other error.
func (c *call) unlessUnsupported(err error, feature string) error {
	var refused smithy.APIError
	if errors.As(err, &refused) && refused.ErrorCode() == "UnknownOperationException" {
		fmt.Fprintf(c.stdout, "This database does not support %s.\n", feature)
		return nil
	}
	return err
}

// newTableAttempts is the maximum number of attempts. Together they take about a minute.
const newTableAttempts = 30

// retryWhileNew repeats requests that DynamoDB rejects while it prepares backups of a
// new table.
func retryWhileNew(o *dynamodb.Options) {
	code := (*types.ContinuousBackupsUnavailableException)(nil).ErrorCode()
	o.Retryer = retry.AddWithMaxAttempts(retry.AddWithErrorCodes(o.Retryer, code), newTableAttempts)
}

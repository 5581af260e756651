package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// settlingTime limits how long 'table create' waits for a change of the table.
const settlingTime = 10 * time.Minute

// protectTable enables deletion protection and point-in-time recovery of a table on
// Amazon DynamoDB, and sets the encryption key and the tags of the flags. If another
// database lacks a feature, protectTable prints a message.
func (c *call) protectTable(ctx context.Context, client *dynamodb.Client) error {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &c.table})
	if err != nil {
		return err
	}
	if !aws.ToBool(out.Table.DeletionProtectionEnabled) {
		err := c.updateTable(ctx, client, &dynamodb.UpdateTableInput{DeletionProtectionEnabled: aws.Bool(true)})
		if err := c.unlessUnsupported(err, "deletion protection"); err != nil {
			return err
		}
	}
	// DynamoDB limits how often a day the encryption can change, so do not repeat a change.
	if c.kmsKey != "" && !isEncryptedWith(out.Table, c.kmsKey) {
		err := c.updateTable(ctx, client, &dynamodb.UpdateTableInput{
			SSESpecification: &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: &c.kmsKey},
		})
		if err != nil {
			return err
		}
	}
	if len(c.tags) > 0 {
		_, err := client.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: out.Table.TableArn, Tags: c.tags})
		if err := c.unlessUnsupported(err, "tags"); err != nil {
			return err
		}
	}
	_, err = client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName:                        &c.table,
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)},
	}, retryWhileNew)
	return c.unlessUnsupported(err, "point-in-time recovery")
}

// updateTable changes the table and waits for the end of the change, because DynamoDB
// rejects another change before.
func (c *call) updateTable(ctx context.Context, client *dynamodb.Client, in *dynamodb.UpdateTableInput) error {
	in.TableName = &c.table
	if _, err := client.UpdateTable(ctx, in); err != nil {
		return err
	}
	waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = time.Second })
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &c.table}, settlingTime)
}

// isEncryptedWith reports whether a key, given by its ARN or ID, encrypts the table.
func isEncryptedWith(table *types.TableDescription, key string) bool {
	if table.SSEDescription == nil {
		return false
	}
	arn := aws.ToString(table.SSEDescription.KMSMasterKeyArn)
	return arn == key || strings.HasSuffix(arn, ":key/"+key)
}

// parseTags adds the tags of a flag, such as team=shop,stage=test.
func (s *settings) parseTags(list string) error {
	for tag := range strings.SplitSeq(list, ",") {
		key, value, found := strings.Cut(tag, "=")
		if !found || key == "" {
			return errors.New("enter key=value")
		}
		s.tags = append(s.tags, types.Tag{Key: &key, Value: &value})
	}
	return nil
}

// checkProtection rejects flags that only Amazon DynamoDB supports. A key must not have
// an alias, which cannot be compared with the key of the table.
func (c *call) checkProtection() error {
	switch {
	case !c.dynamodb && (c.kmsKey != "" || len(c.tags) > 0):
		return usagef("-kms-key and -tag need -dynamodb")
	case strings.Contains(c.kmsKey, "alias/"):
		return usagef("invalid -kms-key %q: enter the ARN or the ID of the key instead of its alias", c.kmsKey)
	}
	return nil
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

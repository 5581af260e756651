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

// settlingTime limits how long updateTable waits for the end of a change.
const settlingTime = 10 * time.Minute

// protectTable enables deletion protection and point-in-time recovery of a table on Amazon
// DynamoDB. It also sets the encryption key of -kms-key and the tags of -tag. If the
// endpoint is another database that does not have the operation for one of these features,
// protectTable prints a message. It returns all other errors.
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
	// Do not set the same key again, because DynamoDB limits the number of changes of the
	// encryption per day.
	if c.kmsKey != "" && !isEncryptedWith(out.Table, c.kmsKey) {
		err := c.updateTable(ctx, client, &dynamodb.UpdateTableInput{
			SSESpecification: &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: &c.kmsKey},
		})
		if err := c.unlessUnsupported(err, "encryption with a key"); err != nil {
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

// updateTable changes the table and waits until the change has ended, because DynamoDB
// rejects other changes until then.
func (c *call) updateTable(ctx context.Context, client *dynamodb.Client, in *dynamodb.UpdateTableInput) error {
	in.TableName = &c.table
	if _, err := client.UpdateTable(ctx, in); err != nil {
		return err
	}
	waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = time.Second })
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &c.table}, settlingTime)
}

// isEncryptedWith reports whether the table is encrypted with a key. The key is an ARN
// or an ID.
func isEncryptedWith(table *types.TableDescription, key string) bool {
	if table.SSEDescription == nil {
		return false
	}
	arn := aws.ToString(table.SSEDescription.KMSMasterKeyArn)
	return arn == key || strings.HasSuffix(arn, ":key/"+key)
}

// parseTags adds the tags in a value of the flag -tag, such as team=shop,stage=test.
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

// checkProtection rejects -kms-key and -tag without -dynamodb. It also rejects aliases of
// keys, because an alias cannot be compared with the key of the table.
func (c *call) checkProtection() error {
	switch {
	case !c.dynamodb && (c.kmsKey != "" || len(c.tags) > 0):
		return usagef("-kms-key and -tag need -dynamodb")
	case strings.Contains(c.kmsKey, "alias/"):
		return usagef("invalid -kms-key %q: enter the ARN or the ID of the key instead of its alias", c.kmsKey)
	}
	return nil
}

// unlessUnsupported returns err. If err says that the database does not support the
// feature, it prints a message and returns nil instead.
func (c *call) unlessUnsupported(err error, feature string) error {
	var refused smithy.APIError
	if errors.As(err, &refused) && refused.ErrorCode() == "UnknownOperationException" {
		fmt.Fprintf(c.stdout, "This database does not support %s.\n", feature)
		return nil
	}
	return err
}

// newTableAttempts is the maximum number of attempts of a request with retryWhileNew. They
// take about a minute in total.
const newTableAttempts = 30

// retryWhileNew makes the SDK repeat a request that DynamoDB rejects while it prepares
// backups of a new table.
func retryWhileNew(o *dynamodb.Options) {
	code := (*types.ContinuousBackupsUnavailableException)(nil).ErrorCode()
	o.Retryer = retry.AddWithMaxAttempts(retry.AddWithErrorCodes(o.Retryer, code), newTableAttempts)
}

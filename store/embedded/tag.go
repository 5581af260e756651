package embedded

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// Limits of tags. Lengths are in characters. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html.
const (
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256
)

// TagResource adds tags to a table or replaces their values.
func (db *DB) TagResource(ctx context.Context, in *dynamodb.TagResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error) {
	var c constraints
	c.notNull(in.ResourceArn != nil, "resourceArn")
	c.notNull(in.Tags != nil, "tags")
	c.tags(in.Tags)
	if err := c.err(); err != nil {
		return nil, err
	}
	if len(in.Tags) == 0 {
		return nil, invalidf("Atleast one Tag needs to be provided as Input.")
	}
	if err := checkTags(in.Tags); err != nil {
		return nil, err
	}
	return &dynamodb.TagResourceOutput{}, db.changeTags(ctx, "TagResource", *in.ResourceArn, func(tags map[string]string) {
		addTags(tags, in.Tags)
	})
}

// UntagResource removes tags from a table. It ignores unknown keys.
func (db *DB) UntagResource(ctx context.Context, in *dynamodb.UntagResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error) {
	var c constraints
	c.notNull(in.ResourceArn != nil, "resourceArn")
	c.notNull(in.TagKeys != nil, "tagKeys")
	if err := c.err(); err != nil {
		return nil, err
	}
	if len(in.TagKeys) == 0 {
		return nil, invalidf("Atleast one Tag Key needs to be provided as Input.")
	}
	return &dynamodb.UntagResourceOutput{}, db.changeTags(ctx, "UntagResource", *in.ResourceArn, func(tags map[string]string) {
		for _, key := range in.TagKeys {
			delete(tags, key)
		}
	})
}

// ListTagsOfResource returns all tags of a table, sorted by key.
func (db *DB) ListTagsOfResource(ctx context.Context, in *dynamodb.ListTagsOfResourceInput, _ ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error) {
	var c constraints
	c.notNull(in.ResourceArn != nil, "resourceArn")
	if err := c.err(); err != nil {
		return nil, err
	}
	out := &dynamodb.ListTagsOfResourceOutput{Tags: []types.Tag{}}
	err := db.view(ctx, func(r *readTx) error {
		t, err := r.catalog.tableByARN("ListTagsOfResource", *in.ResourceArn)
		if err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(t.Tags)) {
			out.Tags = append(out.Tags, types.Tag{Key: aws.String(key), Value: aws.String(t.Tags[key])})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (db *DB) changeTags(ctx context.Context, operation, arn string, change func(map[string]string)) error {
	return db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		t, err := tx.catalog.tableByARN(operation, arn)
		if err != nil {
			return nil, err
		}
		d := t.definition
		d.Tags = make(map[string]string, len(t.Tags))
		maps.Copy(d.Tags, t.Tags)
		change(d.Tags)
		if err := checkTagCount(d.Tags); err != nil {
			return nil, err
		}
		_, err = tx.saveDefinition(d, t.names)
		return nil, err
	})
}

// tableByARN returns the table with an ARN. The argument operation is the name of the
// operation, for error messages.
func (c *catalog) tableByARN(operation, arn string) (*table, error) {
	if !strings.HasPrefix(arn, "arn:") {
		return nil, invalidParameter("ARNs must start with 'arn:': %s", arn)
	}
	name, own := strings.CutPrefix(arn, arnPrefix)
	switch {
	case !own:
		return nil, &smithy.GenericAPIError{
			Code: "AccessDeniedException", Fault: smithy.FaultClient,
			Message: fmt.Sprintf("User is not authorized to perform: dynamodb:%s on resource: %s", operation, arn),
		}
	case strings.Contains(name, "/"):
		return nil, invalidParameter("Invalid resource arn provided, only table or stream is accepted. Provided resource arn: %s", arn)
	}
	if t, ok := c.tables[name]; ok {
		return t, nil
	}
	return nil, &types.ResourceNotFoundException{Message: aws.String("Requested resource not found: ResourcArn: " + arn + " not found")}
}

func addTags(tags map[string]string, added []types.Tag) {
	for _, tag := range added {
		tags[*tag.Key] = *tag.Value
	}
}

func (c *constraints) tags(tags []types.Tag) {
	for i, tag := range tags {
		member := fmt.Sprintf("tags.%d.member.", i+1)
		c.notNull(tag.Key != nil, member+"key")
		c.notNull(tag.Value != nil, member+"value")
		key, value := aws.ToString(tag.Key), aws.ToString(tag.Value)
		c.check(tag.Key == nil || key != "", key, member+"key", "Member must have length greater than or equal to 1")
		c.check(utf8.RuneCountInString(key) <= maxTagKey, key, member+"key", fmt.Sprintf("Member must have length less than or equal to %d", maxTagKey))
		c.check(utf8.RuneCountInString(value) <= maxTagValue, value, member+"value", fmt.Sprintf("Member must have length less than or equal to %d", maxTagValue))
	}
}

// checkTags checks the contents of tags that satisfy the constraints.
func checkTags(tags []types.Tag) error {
	for _, tag := range tags {
		if strings.HasPrefix(strings.ToLower(*tag.Key), "aws:") {
			return invalidParameter("Tag keys must not start with aws: %s", *tag.Key)
		}
		for _, text := range []string{*tag.Key, *tag.Value} {
			if strings.ContainsFunc(text, isInvalidTagRune) {
				return invalidParameter("Tags can only contain letters, numbers, spaces and the characters + - = . _ : / @: %s", text)
			}
		}
	}
	return nil
}

func isInvalidTagRune(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) && !strings.ContainsRune("+-=._:/@", r)
}

func checkTagCount(tags map[string]string) error {
	if len(tags) > maxTags {
		return invalidParameter("A table can have at most %d tags, got %d", maxTags, len(tags))
	}
	return nil
}

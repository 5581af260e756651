package embedded_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

func tag(key, value string) types.Tag { return types.Tag{Key: &key, Value: &value} }

func shopARN(t *testing.T, db client) *string {
	t.Helper()
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Table.TableArn
}

func tagsOf(t *testing.T, db client) string {
	t.Helper()
	out, err := db.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: shopARN(t, db)})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, tag := range out.Tags {
		texts = append(texts, *tag.Key+"="+*tag.Value)
	}
	slices.Sort(texts)
	return strings.Join(texts, " ")
}

func tagging(t *testing.T, db client) {
	arn := shopARN(t, db)
	add := func(tags ...types.Tag) error {
		_, err := db.TagResource(t.Context(), &dynamodb.TagResourceInput{ResourceArn: arn, Tags: append([]types.Tag{}, tags...)})
		return err
	}
	mustEqual(t, tagsOf(t, db), "")
	if err := errors.Join(add(tag("env", "test"), tag("team", "")), add(tag("env", "live"), tag("größe", "5 m"))); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, tagsOf(t, db), "env=live größe=5 m team=")
	if _, err := db.UntagResource(t.Context(), &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: []string{"team", "unknown"}}); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, tagsOf(t, db), "env=live größe=5 m")
	missing := new(types.ResourceNotFoundException)
	_, err := db.TagResource(t.Context(), &dynamodb.TagResourceInput{ResourceArn: aws.String(*arn + "x"), Tags: []types.Tag{tag("a", "b")}})
	if !errors.As(err, &missing) || missing.ErrorMessage() != "Requested resource not found: ResourcArn: "+*arn+"x not found" {
		t.Errorf("tag of a missing table: got %v, want ResourceNotFoundException", err)
	}
	wantInvalid(t, add(), "Atleast one Tag needs to be provided as Input.")
	if !isEngine(db) { // other engines have fewer limits
		return
	}
	const invalid, constraint = "One or more parameter values were invalid: ", "1 validation error detected: Value '%s' at 'tags.1.member.%s' failed to satisfy constraint: Member must have length less than or equal to %d"
	wantInvalid(t, add(tag("aws:env", "x")), invalid+"Tag keys must not start with aws: aws:env")
	wantInvalid(t, add(tag("env", "a!")), invalid+"Tags can only contain letters, numbers, spaces and the characters + - = . _ : / @: a!")
	wantInvalid(t, add(tag("", "x")), "1 validation error detected: Value '' at 'tags.1.member.key' failed to satisfy constraint: Member must have length greater than or equal to 1")
	wantInvalid(t, add(tag(strings.Repeat("ä", 129), "x")), fmt.Sprintf(constraint, strings.Repeat("ä", 129), "key", 128))
	wantInvalid(t, add(tag("x", strings.Repeat("ä", 257))), fmt.Sprintf(constraint, strings.Repeat("ä", 257), "value", 256))
	if err := add(tag(strings.Repeat("ä", 128), strings.Repeat("ö", 256))); err != nil {
		t.Error(err)
	}
	many := make([]types.Tag, 47)
	for i := range many {
		many[i] = tag(fmt.Sprint(i), "x")
	}
	if err := add(many...); err != nil {
		t.Fatal(err)
	}
	wantInvalid(t, add(tag("one more", "x")), invalid+"A table can have at most 50 tags, got 51")
	for arn, message := range map[string]string{
		"Shop":                   invalid + "ARNs must start with 'arn:': Shop",
		*arn + "/index/ByStatus": invalid + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + *arn + "/index/ByStatus",
	} {
		_, err := db.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: &arn})
		wantInvalid(t, err, message)
	}
	var denied smithy.APIError
	_, err = db.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/Shop")})
	if !errors.As(err, &denied) || denied.ErrorCode() != "AccessDeniedException" {
		t.Errorf("tags of a table in another region: got %v, want AccessDeniedException", err)
	}
}

// TestCreateTable_KeepsTags checks that tags survive changes of the table and a
// restart.
func TestCreateTable_KeepsTags(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	in := shopTable()
	for i := range 51 {
		in.Tags = append(in.Tags, tag(fmt.Sprint("key", i), "x"))
	}
	_, err := db.CreateTable(t.Context(), in)
	wantInvalid(t, err, "One or more parameter values were invalid: A table can have at most 50 tags, got 51")
	in.Tags = []types.Tag{tag("env", "test"), tag("team", "shop")}
	create(t, db, in)
	if _, err := db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(shop), DeletionProtectionEnabled: aws.Bool(false)}); err != nil {
		t.Fatal(err)
	}
	put(t, db, with(key("a", "b"), "New", s("name")))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	mustEqual(t, tagsOf(t, db), "env=test team=shop")
}

package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

func TestTableModel(t *testing.T) {
	got := run(t, "table", "model")
	got.want(t, exitDone)
	want, err := store.DesignJSON()
	if err != nil || got.stdout != string(want) || !json.Valid(want) {
		t.Errorf("got error %v, %s", err, got.stdout)
	}
}

// TestTableShards runs before and after the table exists.
func TestTableShards(t *testing.T) {
	folder := t.TempDir()
	shards := func(args ...string) result {
		return run(t, append([]string{"table", "shards", "-data", folder}, args...)...)
	}
	shards().want(t, exitDone, "Current shards of table OnlineShop: unknown (no store in the folder", "Assumptions: 3000000 orders", "Recommended, with room to grow: ")
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	shards("-orders", "1000").want(t, exitDone, "Current shards of table OnlineShop: 1\n", "Assumptions: 1000 orders", "Shards needed on DynamoDB: 1\n", "needs 1 shard only")
	shards("-apply", "3").want(t, exitDone)
	shards().want(t, exitDone, "Current shards of table OnlineShop: 3\n")
	shards("-open", "many").want(t, exitUsage, "invalid -open")
}

// TestTableCloudFormation checks the template as CloudFormation does, which
// rejects unknown names, attributes without a key and keys without an attribute.
func TestTableCloudFormation(t *testing.T) {
	got := run(t, "table", "cloudformation", "-table", "Harbour")
	got.want(t, exitDone)
	strict := json.NewDecoder(strings.NewReader(got.stdout))
	strict.DisallowUnknownFields()
	var read struct {
		AWSTemplateFormatVersion, Description string
		Outputs                               map[string]any
		Resources                             struct {
			Table struct {
				Type, DeletionPolicy, UpdateReplacePolicy string
				Properties                                struct {
					TableName, BillingMode string
					AttributeDefinitions   []struct{ AttributeName, AttributeType string }
					KeySchema              []struct{ AttributeName, KeyType string }
					GlobalSecondaryIndexes []struct {
						IndexName  string
						KeySchema  []struct{ AttributeName, KeyType string }
						Projection struct{ ProjectionType string }
					}
					TimeToLiveSpecification struct {
						AttributeName string
						Enabled       bool
					}
					PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
				}
			}
		}
	}
	if err := strict.Decode(&read); err != nil {
		t.Fatal(err)
	}
	table := read.Resources.Table
	p := table.Properties
	if read.AWSTemplateFormatVersion != "2010-09-09" || table.Type != "AWS::DynamoDB::Table" || table.DeletionPolicy != "Retain" || table.UpdateReplacePolicy != "Retain" {
		t.Errorf("got template %+v", read)
	}
	if p.TableName != "Harbour" || !regexp.MustCompile(`^[\w.-]{3,255}$`).MatchString(p.TableName) || p.BillingMode != "PAY_PER_REQUEST" ||
		p.TimeToLiveSpecification.AttributeName != "TTL" || !p.TimeToLiveSpecification.Enabled || !p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled {
		t.Errorf("got properties %+v", p)
	}
	var keys, attributes []string
	for _, a := range p.AttributeDefinitions {
		attributes = append(attributes, a.AttributeName)
		if a.AttributeType != "S" {
			t.Errorf("%s: got type %s, want S", a.AttributeName, a.AttributeType)
		}
	}
	schemas := [][]struct{ AttributeName, KeyType string }{p.KeySchema}
	for n, index := range p.GlobalSecondaryIndexes {
		if index.IndexName != store.IndexName(n+1) || index.Projection.ProjectionType != "ALL" {
			t.Errorf("got index %+v", index)
		}
		schemas = append(schemas, index.KeySchema)
	}
	for _, schema := range schemas {
		if len(schema) != 2 || schema[0].KeyType != "HASH" || schema[1].KeyType != "RANGE" {
			t.Errorf("got keys %+v", schema)
		}
		for _, k := range schema {
			keys = append(keys, k.AttributeName)
		}
	}
	slices.Sort(keys)
	slices.Sort(attributes)
	if len(schemas) != 1+store.IndexCount || fmt.Sprint(keys) != fmt.Sprint(attributes) {
		t.Errorf("got keys %v, attributes %v; want them equal", keys, attributes)
	}
}

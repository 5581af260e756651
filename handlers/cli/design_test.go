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

func TestModelIsPrintedAsJSON(t *testing.T) {
	got := run(t, "table", "model")
	got.want(t, exitDone)
	want, err := store.DesignJSON()
	if err != nil || got.stdout != string(want) || !json.Valid(want) {
		t.Errorf("%v: %s", err, got.stdout)
	}
}

// TestShards asks before there is a table, and of one on the embedded store.
func TestShards(t *testing.T) {
	folder := t.TempDir()
	ask := func(args ...string) outcome {
		return run(t, append([]string{"table", "shards", "-data", folder}, args...)...)
	}
	ask().want(t, exitDone, "table OnlineShop now: not known, because there is no store in the folder", "Assumed, not counted: 3000000 orders", "Proposed: ")
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	ask("-orders", "1000").want(t, exitDone, "table OnlineShop now: 1.", "Assumed, not counted: 1000 orders", "need: 1.", "for which 1 is best")
	ask("-apply", "3").want(t, exitDone)
	ask().want(t, exitDone, "table OnlineShop now: 3.")
	ask("-open", "many").want(t, exitUsage, "-open is")
}

// TestTemplateIsOfThisTable reads the template as CloudFormation does, which
// refuses names that it does not know, attributes without a key and keys
// without an attribute.
func TestTemplateIsOfThisTable(t *testing.T) {
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
		t.Errorf("%+v", read)
	}
	if p.TableName != "Harbour" || !regexp.MustCompile(`^[\w.-]{3,255}$`).MatchString(p.TableName) || p.BillingMode != "PAY_PER_REQUEST" ||
		p.TimeToLiveSpecification.AttributeName != "TTL" || !p.TimeToLiveSpecification.Enabled || !p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled {
		t.Errorf("%+v", p)
	}
	var keys, attributes []string
	for _, a := range p.AttributeDefinitions {
		attributes = append(attributes, a.AttributeName)
		if a.AttributeType != "S" {
			t.Errorf("%s is of type %s", a.AttributeName, a.AttributeType)
		}
	}
	schemas := [][]struct{ AttributeName, KeyType string }{p.KeySchema}
	for n, index := range p.GlobalSecondaryIndexes {
		if index.IndexName != store.IndexName(n+1) || index.Projection.ProjectionType != "ALL" {
			t.Errorf("index %+v", index)
		}
		schemas = append(schemas, index.KeySchema)
	}
	for _, schema := range schemas {
		if len(schema) != 2 || schema[0].KeyType != "HASH" || schema[1].KeyType != "RANGE" {
			t.Errorf("keys %+v", schema)
		}
		for _, k := range schema {
			keys = append(keys, k.AttributeName)
		}
	}
	slices.Sort(keys)
	slices.Sort(attributes)
	if len(schemas) != 1+store.IndexCount || fmt.Sprint(keys) != fmt.Sprint(attributes) {
		t.Errorf("the keys are %v, the attributes %v", keys, attributes)
	}
}

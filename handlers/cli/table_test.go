package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// TestTableShards runs the command before and after the table is created.
func TestTableShards(t *testing.T) {
	folder := t.TempDir()
	shards := func(args ...string) result {
		return run(t, append([]string{"table", "shards", "-data", folder}, args...)...)
	}
	shards().want(t, exitDone, "Current shards of table OnlineShop: unknown (the folder ", "Assumptions: 3000000 orders", "Recommended, with room to grow: ")
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	shards("-orders", "1000").want(t, exitDone, "Current shards of table OnlineShop: 1\n", "Assumptions: 1000 orders", "Shards needed on DynamoDB: 1\n", "needs 1 shard only")
	shards("-orders", "30000000", "-bytes", "500").want(t, exitDone, "Shards needed on DynamoDB: 250\n", "at most 48 shards", "'stockroom table shards -apply 48'")
	shards("-orders", "1000", "-peak", "1000").want(t, exitDone, "1000 placed per second", "Shards needed on DynamoDB: 8\n", "-apply 10'")
	shards("-apply", "3").want(t, exitDone)
	shards().want(t, exitDone, "Current shards of table OnlineShop: 3\n")
	shards("-open", "many").want(t, exitUsage, "invalid -open")
}

// TestTableTotals imports a quota without the orders that it counts. The command must
// report and correct the quota.
func TestTableTotals(t *testing.T) {
	folder := t.TempDir()
	totals := func(args ...string) result {
		return run(t, append([]string{"table", "totals", "-data", folder}, args...)...)
	}
	totals().want(t, exitUsage, "use either -check or -rebuild")
	file := filepath.Join(folder, "quotas.csv")
	if err := os.WriteFile(file, []byte("EmployeeID,Period,OrderTotal,Orders\ne1,2026-Q4,70,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "import", "-data", folder, file).want(t, exitFailed, "rejected rows: 1") // rejected, because person e1 does not exist
	run(t, "import", "-lenient", "-data", folder, file).want(t, exitDone)
	damaged := totals("-check")
	damaged.want(t, exitFailed, "run 'stockroom table totals -rebuild'")
	for _, want := range []string{"quota of e1 for 2026-Q4: stored 2 (70), correct 0 (0)\n", "1 totals compared, 1 different, 0 corrected"} {
		if !strings.Contains(damaged.stdout, want) {
			t.Errorf("got %q, want %q in it", damaged.stdout, want)
		}
	}
	totals("-rebuild").want(t, exitDone, "quota of e1 for 2026-Q4: stored 2 (70), correct 0 (0)\n", "1 corrected")
	totals("-check").want(t, exitDone, "0 different")
}

// TestTableCloudFormation checks the template like CloudFormation, which rejects
// unknown names, attributes that no key uses, and keys without an attribute.
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
					DeletionProtectionEnabled        bool
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
		p.TimeToLiveSpecification.AttributeName != "TTL" || !p.TimeToLiveSpecification.Enabled || !p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled || !p.DeletionProtectionEnabled {
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

package cli

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// Parts of a CloudFormation template. The JSON names are defined in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
type (
	template struct {
		AWSTemplateFormatVersion string
		Description              string
		Resources                map[string]resource
		Outputs                  map[string]output
	}
	resource struct {
		Type                string
		DeletionPolicy      string
		UpdateReplacePolicy string
		Properties          tableProperties
	}
	output          struct{ Value map[string]any }
	tableProperties struct {
		TableName                        string
		BillingMode                      string
		AttributeDefinitions             []attributeDefinition
		KeySchema                        []keySchema
		GlobalSecondaryIndexes           []tableIndex
		TimeToLiveSpecification          timeToLive
		PointInTimeRecoverySpecification pointInTimeRecovery
		DeletionProtectionEnabled        bool
	}
	attributeDefinition struct{ AttributeName, AttributeType string }
	keySchema           struct{ AttributeName, KeyType string }
	tableIndex          struct {
		IndexName  string
		KeySchema  []keySchema
		Projection struct{ ProjectionType string }
	}
	timeToLive struct {
		AttributeName string
		Enabled       bool
	}
	pointInTimeRecovery struct{ PointInTimeRecoveryEnabled bool }
)

// printTemplate prints a CloudFormation template for the table that 'table create'
// creates. The table has point-in-time recovery and deletion protection. It remains
// if its stack is deleted.
func printTemplate(_ context.Context, c *call) error {
	in := store.TableInput(c.table)
	properties := tableProperties{
		TableName: c.table, BillingMode: string(in.BillingMode), KeySchema: keySchemas(in.KeySchema),
		TimeToLiveSpecification:          timeToLive{store.TTLAttribute, true},
		PointInTimeRecoverySpecification: pointInTimeRecovery{true},
		DeletionProtectionEnabled:        true,
	}
	for _, a := range in.AttributeDefinitions {
		properties.AttributeDefinitions = append(properties.AttributeDefinitions, attributeDefinition{aws.ToString(a.AttributeName), string(a.AttributeType)})
	}
	for _, index := range in.GlobalSecondaryIndexes {
		i := tableIndex{IndexName: aws.ToString(index.IndexName), KeySchema: keySchemas(index.KeySchema)}
		i.Projection.ProjectionType = string(index.Projection.ProjectionType)
		properties.GlobalSecondaryIndexes = append(properties.GlobalSecondaryIndexes, i)
	}
	out := json.NewEncoder(c.stdout)
	out.SetIndent("", "  ")
	return out.Encode(template{
		AWSTemplateFormatVersion: "2010-09-09",
		Description:              "Table of Stockroom: one table for all data, with six overloaded indexes.",
		Resources:                map[string]resource{"Table": {Type: "AWS::DynamoDB::Table", DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain", Properties: properties}},
		Outputs: map[string]output{
			"TableName": {map[string]any{"Ref": "Table"}},
			"TableArn":  {map[string]any{"Fn::GetAtt": []string{"Table", "Arn"}}},
		},
	})
}

func keySchemas(elements []types.KeySchemaElement) []keySchema {
	schema := make([]keySchema, len(elements))
	for i, e := range elements {
		schema[i] = keySchema{aws.ToString(e.AttributeName), string(e.KeyType)}
	}
	return schema
}

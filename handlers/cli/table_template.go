package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
)

// object is an object of a CloudFormation template. Its keys are property names; see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
type object map[string]any

// Names of the conditions in the template. The conditions depend on the parameters.
const (
	isProvisioned = "IsProvisioned"
	isWarmedUp    = "IsWarmedUp"
	hasKmsKey     = "HasKmsKey"
	hasAlarmTopic = "HasAlarmTopic"
)

// Settings of the automatic scaling and of the alarms.
const (
	targetUtilization = 70 // percent of the provisioned units
	alarmPeriod       = 60 // length of a period, in seconds
	throttledMinutes  = 5  // consecutive minutes with throttled requests after which an alarm is raised
)

// printTemplate prints a CloudFormation template for the table that 'table create' would
// create, with alarms. The table has point-in-time recovery and deletion protection, and is
// kept when its stack is deleted. Its capacity and its encryption key are parameters of the
// template.
func printTemplate(_ context.Context, c *call) error {
	resources := object{"Table": c.tableResource()}
	addScaling(resources, "Table", "table", "table/"+c.table)
	for n := 1; n <= store.IndexCount; n++ {
		addScaling(resources, store.IndexName(n), "index", "table/"+c.table+"/index/"+store.IndexName(n))
	}
	for metric, minutes := range map[string]int{"SystemErrors": 1, "ReadThrottleEvents": throttledMinutes, "WriteThrottleEvents": throttledMinutes} {
		resources[metric+"Alarm"] = c.alarm(metric, minutes)
	}
	out := json.NewEncoder(c.stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(object{
		"AWSTemplateFormatVersion": "2010-09-09",
		"Description":              "Table of Stockroom: one table for all data, with six overloaded indexes.",
		"Parameters":               templateParameters(),
		"Conditions": object{
			isProvisioned: object{"Fn::Equals": []any{ref("BillingMode"), types.BillingModeProvisioned}},
			isWarmedUp:    not("WarmWriteUnits", "0"),
			hasKmsKey:     not("KmsKey", ""),
			hasAlarmTopic: not("AlarmTopic", ""),
		},
		"Resources": resources,
		"Outputs": object{
			"TableName": object{"Value": ref("Table")},
			"TableArn":  object{"Value": object{"Fn::GetAtt": []string{"Table", "Arn"}}},
		},
	})
}

func templateParameters() object {
	number := func(description string, value int) object {
		return object{"Type": "Number", "Default": value, "MinValue": min(value, 1), "Description": description}
	}
	text := func(description string) object {
		return object{"Type": "String", "Default": "", "Description": description}
	}
	return object{
		"BillingMode": object{
			"Type": "String", "Default": types.BillingModePayPerRequest, "AllowedValues": []any{types.BillingModePayPerRequest, types.BillingModeProvisioned},
			"Description": "PAY_PER_REQUEST is on demand. PROVISIONED scales between the minimum and the maximum units.",
		},
		"MinReadUnits":   number("Minimum read units per second of the table and of each index, if provisioned.", 10),
		"MaxReadUnits":   number("Maximum read units per second of the table and of each index, if provisioned.", 4_000),
		"MinWriteUnits":  number("Minimum write units per second of the table and of each index, if provisioned.", 10),
		"MaxWriteUnits":  number("Maximum write units per second of the table and of each index, if provisioned.", 4_000),
		"WarmReadUnits":  number("Warm throughput of the table and of each index in read units per second, if WarmWriteUnits is set.", 12_000),
		"WarmWriteUnits": number("Warm throughput of the table and of each index in write units per second. 0 means the default of DynamoDB.", 0),
		"KmsKey":         text("ARN of the AWS KMS key that encrypts the table. Empty means a key owned by AWS."),
		"AlarmTopic":     text("ARN of the SNS topic that gets the alarms. Empty means that they only appear in CloudWatch."),
	}
}

func (c *call) tableResource() object {
	in := store.TableInput(c.table)
	attributes := []object{}
	for _, a := range in.AttributeDefinitions {
		attributes = append(attributes, object{"AttributeName": aws.ToString(a.AttributeName), "AttributeType": a.AttributeType})
	}
	indexes := []object{}
	for _, index := range in.GlobalSecondaryIndexes {
		indexes = append(indexes, withCapacity(object{
			"IndexName":  aws.ToString(index.IndexName),
			"KeySchema":  keySchema(index.KeySchema),
			"Projection": object{"ProjectionType": index.Projection.ProjectionType},
		}))
	}
	return object{
		"Type": "AWS::DynamoDB::Table", "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain",
		"Properties": withCapacity(object{
			"TableName":                        c.table,
			"BillingMode":                      ref("BillingMode"),
			"AttributeDefinitions":             attributes,
			"KeySchema":                        keySchema(in.KeySchema),
			"GlobalSecondaryIndexes":           indexes,
			"TimeToLiveSpecification":          object{"AttributeName": store.TTLAttribute, "Enabled": true},
			"PointInTimeRecoverySpecification": object{"PointInTimeRecoveryEnabled": true},
			"DeletionProtectionEnabled":        true,
			"SSESpecification":                 ifElse(hasKmsKey, object{"SSEEnabled": true, "SSEType": types.SSETypeKms, "KMSMasterKeyId": ref("KmsKey")}, noValue),
		}),
	}
}

// withCapacity adds the provisioned and the warm throughput to a table or an index.
func withCapacity(properties object) object {
	properties["ProvisionedThroughput"] = ifElse(isProvisioned, object{"ReadCapacityUnits": ref("MinReadUnits"), "WriteCapacityUnits": ref("MinWriteUnits")}, noValue)
	properties["WarmThroughput"] = ifElse(isWarmedUp, object{"ReadUnitsPerSecond": ref("WarmReadUnits"), "WriteUnitsPerSecond": ref("WarmWriteUnits")}, noValue)
	return properties
}

func keySchema(elements []types.KeySchemaElement) []object {
	schema := []object{}
	for _, e := range elements {
		schema = append(schema, object{"AttributeName": aws.ToString(e.AttributeName), "KeyType": e.KeyType})
	}
	return schema
}

// addScaling adds the automatic scaling of the provisioned units of a table or an index.
// The argument kind is "table" or "index".
func addScaling(resources object, name, kind, id string) {
	for _, units := range []string{"Read", "Write"} {
		target := name + units + "Units"
		resources[target] = object{
			"Type": "AWS::ApplicationAutoScaling::ScalableTarget", "Condition": isProvisioned, "DependsOn": "Table",
			"Properties": object{
				"ServiceNamespace":  "dynamodb",
				"ResourceId":        id,
				"ScalableDimension": fmt.Sprintf("dynamodb:%s:%sCapacityUnits", kind, units),
				"MinCapacity":       ref("Min" + units + "Units"),
				"MaxCapacity":       ref("Max" + units + "Units"),
			},
		}
		resources[name+units+"Scaling"] = object{
			"Type": "AWS::ApplicationAutoScaling::ScalingPolicy", "Condition": isProvisioned,
			"Properties": object{
				"PolicyName":      name + units + "Scaling",
				"PolicyType":      "TargetTrackingScaling",
				"ScalingTargetId": ref(target),
				"TargetTrackingScalingPolicyConfiguration": object{
					"TargetValue":                   targetUtilization,
					"PredefinedMetricSpecification": object{"PredefinedMetricType": "DynamoDB" + units + "CapacityUtilization"},
				},
			},
		}
	}
}

// alarm returns an alarm that is raised when a metric has been above zero for this many
// minutes. The metric is the sum over the table, all its indexes and all operations.
func (c *call) alarm(metric string, minutes int) object {
	return object{
		"Type": "AWS::CloudWatch::Alarm",
		"Properties": object{
			"AlarmName":          c.table + " " + metric,
			"AlarmActions":       ifElse(hasAlarmTopic, []any{ref("AlarmTopic")}, noValue),
			"ComparisonOperator": "GreaterThanThreshold",
			"Threshold":          0,
			"EvaluationPeriods":  minutes,
			"TreatMissingData":   "notBreaching",
			"Metrics": []object{{
				"Id": "events", "ReturnData": true, "Period": alarmPeriod,
				"Expression": fmt.Sprintf(`SELECT SUM(%s) FROM "AWS/DynamoDB" WHERE TableName = '%s'`, metric, c.table),
			}},
		},
	}
}

// noValue is the value of a property that the template leaves out.
var noValue = ref("AWS::NoValue")

func ref(name string) object { return object{"Ref": name} }

func ifElse(condition string, yes, no any) object {
	return object{"Fn::If": []any{condition, yes, no}}
}

// not returns the condition that a parameter does not have this value.
func not(parameter, value string) object {
	return object{"Fn::Not": []any{object{"Fn::Equals": []any{ref(parameter), value}}}}
}

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

// stackOf returns the resources that CloudFormation would create from the template of a
// table named Harbour, with the given parameters. It evaluates the conditions and
// references.
func stackOf(t *testing.T, parameters map[string]string) map[string]json.RawMessage {
	t.Helper()
	got := run(t, "table", "cloudformation", "-table", "Harbour")
	got.want(t, exitDone)
	var template struct {
		AWSTemplateFormatVersion string
		Parameters               map[string]struct{ Default any }
		Conditions               map[string]any
		Resources                map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(got.stdout), &template); err != nil {
		t.Fatal(err)
	}
	if template.AWSTemplateFormatVersion != "2010-09-09" {
		t.Errorf("got template version %s, want 2010-09-09", template.AWSTemplateFormatVersion)
	}
	values := map[string]string{}
	for name, p := range template.Parameters {
		values[name] = fmt.Sprint(p.Default)
	}
	for name, value := range parameters {
		if _, known := values[name]; !known {
			t.Errorf("got no parameter %s in the template", name)
		}
		values[name] = value
	}
	type none struct{}
	var resolve func(any) any
	resolve = func(value any) any {
		switch v := value.(type) {
		case []any:
			resolved := []any{}
			for _, element := range v {
				resolved = append(resolved, resolve(element))
			}
			return resolved
		case map[string]any:
			for name, argument := range v {
				switch name {
				case "Ref":
					if parameter, ok := values[argument.(string)]; ok {
						return parameter
					}
					if argument == "AWS::NoValue" {
						return none{}
					}
					if template.Resources[argument.(string)] == nil {
						t.Errorf("unknown reference %v", argument)
					}
					return argument
				case "Fn::Equals":
					pair := resolve(argument).([]any)
					return fmt.Sprint(pair[0]) == fmt.Sprint(pair[1])
				case "Fn::Not":
					return !resolve(argument).([]any)[0].(bool)
				case "Fn::If":
					choice := argument.([]any)
					condition, known := template.Conditions[choice[0].(string)]
					if !known {
						t.Fatalf("unknown condition %v", choice[0])
					}
					if resolve(condition).(bool) {
						return resolve(choice[1])
					}
					return resolve(choice[2])
				}
			}
			resolved := map[string]any{}
			for name, property := range v {
				if property = resolve(property); property != (none{}) {
					resolved[name] = property
				}
			}
			return resolved
		}
		return value
	}
	stack := map[string]json.RawMessage{}
	for name, resource := range template.Resources {
		if condition, ok := resource["Condition"].(string); ok && !resolve(template.Conditions[condition]).(bool) {
			continue
		}
		text, err := json.Marshal(resolve(resource))
		if err != nil {
			t.Fatal(err)
		}
		stack[name] = text
	}
	return stack
}

// throughput is the provisioned throughput of a table or an index, or nil.
type throughput *struct{ ReadCapacityUnits, WriteCapacityUnits string }

// warmThroughput is the warm throughput of a table or an index, or nil.
type warmThroughput *struct{ ReadUnitsPerSecond, WriteUnitsPerSecond string }

type tableProperties struct {
	TableName, BillingMode string
	AttributeDefinitions   []struct{ AttributeName, AttributeType string }
	KeySchema              []struct{ AttributeName, KeyType string }
	GlobalSecondaryIndexes []struct {
		IndexName             string
		KeySchema             []struct{ AttributeName, KeyType string }
		Projection            struct{ ProjectionType string }
		ProvisionedThroughput throughput
		WarmThroughput        warmThroughput
	}
	TimeToLiveSpecification struct {
		AttributeName string
		Enabled       bool
	}
	PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
	DeletionProtectionEnabled        bool
	SSESpecification                 *struct {
		SSEEnabled              bool
		SSEType, KMSMasterKeyId string
	}
	ProvisionedThroughput throughput
	WarmThroughput        warmThroughput
}

// tableOf returns the properties of the table in a stack. It rejects unknown names,
// like CloudFormation. The table must be kept when its stack is deleted.
func tableOf(t *testing.T, stack map[string]json.RawMessage) tableProperties {
	t.Helper()
	var table struct {
		Type, DeletionPolicy, UpdateReplacePolicy string
		Properties                                tableProperties
	}
	strict := json.NewDecoder(strings.NewReader(string(stack["Table"])))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&table); err != nil {
		t.Fatal(err)
	}
	if table.Type != "AWS::DynamoDB::Table" || table.DeletionPolicy != "Retain" || table.UpdateReplacePolicy != "Retain" {
		t.Errorf("got table %+v, want one that remains when its stack is deleted", table)
	}
	return table.Properties
}

// TestTableCloudFormation checks the table like CloudFormation: each attribute must be
// part of a key, and each part of a key must be an attribute.
func TestTableCloudFormation(t *testing.T) {
	stack := stackOf(t, nil)
	p := tableOf(t, stack)
	if p.TableName != "Harbour" || !regexp.MustCompile(`^[\w.-]{3,255}$`).MatchString(p.TableName) || p.BillingMode != "PAY_PER_REQUEST" || p.ProvisionedThroughput != nil || p.WarmThroughput != nil ||
		p.TimeToLiveSpecification.AttributeName != "TTL" || !p.TimeToLiveSpecification.Enabled || !p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled || !p.DeletionProtectionEnabled || p.SSESpecification != nil {
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
		if index.IndexName != store.IndexName(n+1) || index.Projection.ProjectionType != "ALL" || index.ProvisionedThroughput != nil || index.WarmThroughput != nil {
			t.Errorf("got index %+v, want one on demand that contains all attributes", index)
		}
		schemas = append(schemas, index.KeySchema)
	}
	for _, schema := range schemas {
		if len(schema) != 2 || schema[0].KeyType != "HASH" || schema[1].KeyType != "RANGE" {
			t.Errorf("got keys %+v, want a partition key and a sort key", schema)
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
	if len(stack) != 4 {
		t.Errorf("got %d resources, want the table and three alarms", len(stack))
	}
}

// TestTableCloudFormation_Provisioned checks that the table and each index scale
// automatically.
func TestTableCloudFormation_Provisioned(t *testing.T) {
	stack := stackOf(t, map[string]string{"BillingMode": "PROVISIONED", "MinReadUnits": "20", "MaxReadUnits": "30", "MinWriteUnits": "40", "MaxWriteUnits": "50", "WarmReadUnits": "13000", "WarmWriteUnits": "6000"})
	p := tableOf(t, stack)
	ids := map[string]string{"Table": "table/Harbour"}
	throughputs, warmThroughputs := []throughput{p.ProvisionedThroughput}, []warmThroughput{p.WarmThroughput}
	for _, index := range p.GlobalSecondaryIndexes {
		ids[index.IndexName] = "table/Harbour/index/" + index.IndexName
		throughputs, warmThroughputs = append(throughputs, index.ProvisionedThroughput), append(warmThroughputs, index.WarmThroughput)
	}
	for i := range throughputs {
		if throughputs[i] == nil || *throughputs[i] != struct{ ReadCapacityUnits, WriteCapacityUnits string }{"20", "40"} {
			t.Errorf("got provisioned throughput %+v", throughputs[i])
		}
		if warmThroughputs[i] == nil || *warmThroughputs[i] != struct{ ReadUnitsPerSecond, WriteUnitsPerSecond string }{"13000", "6000"} {
			t.Errorf("got warm throughput %+v", warmThroughputs[i])
		}
	}
	for name, id := range ids {
		kind := "index"
		if name == "Table" {
			kind = "table"
		}
		for units, limits := range map[string][2]string{"Read": {"20", "30"}, "Write": {"40", "50"}} {
			target := fmt.Sprintf(`{"Condition":"IsProvisioned","DependsOn":"Table","Properties":{"MaxCapacity":%q,"MinCapacity":%q,"ResourceId":%q,"ScalableDimension":"dynamodb:%s:%sCapacityUnits","ServiceNamespace":"dynamodb"},"Type":"AWS::ApplicationAutoScaling::ScalableTarget"}`, limits[1], limits[0], id, kind, units)
			if got := string(stack[name+units+"Units"]); got != target {
				t.Errorf("got target %s, want %s", got, target)
			}
			policy := fmt.Sprintf(`{"Condition":"IsProvisioned","Properties":{"PolicyName":"%[1]s%[2]sScaling","PolicyType":"TargetTrackingScaling","ScalingTargetId":"%[1]s%[2]sUnits","TargetTrackingScalingPolicyConfiguration":{"PredefinedMetricSpecification":{"PredefinedMetricType":"DynamoDB%[2]sCapacityUtilization"},"TargetValue":70}},"Type":"AWS::ApplicationAutoScaling::ScalingPolicy"}`, name, units)
			if got := string(stack[name+units+"Scaling"]); got != policy {
				t.Errorf("got policy %s, want %s", got, policy)
			}
		}
	}
	if want := 1 + 3 + 4*(1+store.IndexCount); len(stack) != want {
		t.Errorf("got %d resources, want %d", len(stack), want)
	}
}

// TestTableCloudFormation_KeyAndTopic checks the encryption key of the table, and the
// topic of the alarms.
func TestTableCloudFormation_KeyAndTopic(t *testing.T) {
	stack := stackOf(t, map[string]string{"KmsKey": "arn:key", "AlarmTopic": "arn:topic"})
	if sse := tableOf(t, stack).SSESpecification; sse == nil || !sse.SSEEnabled || sse.SSEType != "KMS" || sse.KMSMasterKeyId != "arn:key" {
		t.Errorf("got encryption %+v, want the key arn:key", sse)
	}
	for metric, minutes := range map[string]int{"SystemErrors": 1, "ReadThrottleEvents": 5, "WriteThrottleEvents": 5} {
		var alarm struct {
			Type       string
			Properties struct {
				AlarmActions       []string
				ComparisonOperator string
				Threshold          float64
				EvaluationPeriods  int
				TreatMissingData   string
				Metrics            []struct {
					Expression string
					Period     int
				}
			}
		}
		if err := json.Unmarshal(stack[metric+"Alarm"], &alarm); err != nil {
			t.Fatal(err)
		}
		p := alarm.Properties
		if alarm.Type != "AWS::CloudWatch::Alarm" || !slices.Equal(p.AlarmActions, []string{"arn:topic"}) || p.EvaluationPeriods != minutes || p.TreatMissingData != "notBreaching" ||
			p.ComparisonOperator != "GreaterThanThreshold" || p.Threshold != 0 || len(p.Metrics) != 1 || p.Metrics[0].Period != 60 ||
			p.Metrics[0].Expression != fmt.Sprintf(`SELECT SUM(%s) FROM "AWS/DynamoDB" WHERE TableName = 'Harbour'`, metric) {
			t.Errorf("got alarm %s", stack[metric+"Alarm"])
		}
	}
	if strings.Contains(string(stackOf(t, nil)["SystemErrorsAlarm"]), "AlarmActions") {
		t.Error("got an action of an alarm without a topic")
	}
}

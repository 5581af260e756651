package wire

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestDecode(t *testing.T) {
	body := `{
		"TableName": "orders", "Limit": 25.9, "ScanIndexForward": "no", "ConsistentRead": true, "Select": "COUNT", "IndexName": null,
		"Unknown": {"x": 1}, "ResultMetadata": 1, "noSmithyDocumentSerde": {},
		"ExpressionAttributeNames": {"#a": "b"},
		"ExpressionAttributeValues": {
			":s": {"S": "ä\u0000\"", "N": null}, ":n": {"N": "1"}, ":b": {"B": "AAE="}, ":bool": {"BOOL": false}, ":null": {"NULL": true},
			":ss": {"SS": ["x"]}, ":ns": {"NS": ["1", "2"]}, ":bs": {"BS": ["AAE="]}, ":l": {"L": [{"S": "x"}, {}]}, ":m": {"M": {"k": {"S": "v"}}},
			":none": {}, ":odd": {"X": 1}, ":gone": null, ":two": {"S": "a", "N": "1"}
		}
	}`
	var got dynamodb.QueryInput
	if err := decode([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	want := dynamodb.QueryInput{
		TableName: aws.String("orders"), Limit: aws.Int32(25), ScanIndexForward: aws.Bool(false), ConsistentRead: aws.Bool(true), Select: types.SelectCount,
		ExpressionAttributeNames: map[string]string{"#a": "b"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":s": &types.AttributeValueMemberS{Value: "ä\x00\""}, ":n": &types.AttributeValueMemberN{Value: "1"}, ":b": &types.AttributeValueMemberB{Value: []byte{0, 1}},
			":bool": &types.AttributeValueMemberBOOL{}, ":null": &types.AttributeValueMemberNULL{Value: true},
			":ss": &types.AttributeValueMemberSS{Value: []string{"x"}}, ":ns": &types.AttributeValueMemberNS{Value: []string{"1", "2"}}, ":bs": &types.AttributeValueMemberBS{Value: [][]byte{{0, 1}}},
			":l":    &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "x"}, nil}},
			":m":    &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"k": &types.AttributeValueMemberS{Value: "v"}}},
			":none": nil, ":odd": nil, ":gone": nil, ":two": &types.UnknownUnionMember{Tag: "several"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestDecode_Errors(t *testing.T) {
	const (
		prefix    = "com.amazonaws.dynamodb.v20120810."
		structure = "Start of structure or map found where not expected"
	)
	for _, c := range []struct{ member, data, want string }{
		{"TableName", `true`, "TRUE_VALUE cannot be converted to String"},
		{"TableName", `false`, "FALSE_VALUE cannot be converted to String"},
		{"TableName", `23`, "NUMBER_VALUE cannot be converted to String"},
		{"TableName", `34.5`, "DECIMAL_VALUE cannot be converted to String"},
		{"TableName", `[]`, "Unrecognized collection type class java.lang.String"},
		{"TableName", `{}`, structure},
		{"ConsistentRead", `"23"`, "Unexpected token received from parser"},
		{"ConsistentRead", `1`, "NUMBER_VALUE cannot be converted to Boolean"},
		{"ConsistentRead", `[]`, "Unrecognized collection type class java.lang.Boolean"},
		{"Limit", `"1"`, "STRING_VALUE cannot be converted to Integer"},
		{"Limit", `true`, "TRUE_VALUE cannot be converted to Integer"},
		{"Limit", `{}`, structure},
		{"Limit", `99999999999`, "NUMBER_VALUE cannot be converted to Integer"},
		{"Limit", `1e99`, "DECIMAL_VALUE cannot be converted to Integer"},
		{"AttributesToGet", `"x"`, "Unexpected field type"},
		{"AttributesToGet", `{}`, structure},
		{"AttributesToGet", `[1]`, "NUMBER_VALUE cannot be converted to String"},
		{"ExpressionAttributeNames", `1`, "Unexpected field type"},
		{"ExpressionAttributeNames", `[]`, "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
		{"ExpressionAttributeValues", `[]`, "Unrecognized collection type java.util.Map<java.lang.String, " + prefix + "AttributeValue>"},
		{"ExpressionAttributeValues", `{"a": "x"}`, "Unexpected value type in payload"},
		{"ExpressionAttributeValues", `{"a": []}`, "Unrecognized collection type class " + prefix + "AttributeValue"},
		{"ExpressionAttributeValues", `{"a": {"S": 1}}`, "NUMBER_VALUE cannot be converted to String"},
		{"ExpressionAttributeValues", `{"a": {"N": 1}}`, "NUMBER_VALUE cannot be converted to String"},
		{"ExpressionAttributeValues", `{"a": {"B": 1}}`, "only base-64-encoded strings are convertible to bytes"},
		{"ExpressionAttributeValues", `{"a": {"B": []}}`, "Unrecognized collection type class java.nio.ByteBuffer"},
		{"ExpressionAttributeValues", `{"a": {"B": {}}}`, structure},
		{"ExpressionAttributeValues", `{"a": {"B": "23456"}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
		{"ExpressionAttributeValues", `{"a": {"B": "=+/="}}`, "Invalid last non-pad Base64 character dectected"},
		{"ExpressionAttributeValues", `{"a": {"SS": "x"}}`, "Unexpected field type"},
		{"ExpressionAttributeValues", `{"a": {"BS": [1]}}`, "only base-64-encoded strings are convertible to bytes"},
		{"ExpressionAttributeValues", `{"a": {"L": ["x"]}}`, "Unexpected value type in payload"},
		{"ExpressionAttributeValues", `{"a": {"M": {"k": 1}}}`, "Unexpected value type in payload"},
		{"QueryFilter", `{"a": []}`, "Unrecognized collection type class " + prefix + "Condition"},
		{"QueryFilter", `{"a": {"ComparisonOperator": 1}}`, "NUMBER_VALUE cannot be converted to String"},
	} {
		body := fmt.Sprintf(`{"%s": %s}`, c.member, c.data)
		checkSerializationError(t, body, c.want)
	}
	for _, body := range []string{"", "hi", "{", "{}}", "{} {}", `{"TableName": }`} {
		checkSerializationError(t, body, "")
	}
	checkSerializationError(t, "[]", "Unrecognized collection type class "+prefix+"QueryInput")
}

func checkSerializationError(t *testing.T, body, want string) {
	t.Helper()
	err := decode([]byte(body), &dynamodb.QueryInput{})
	if failed := new(serviceError); !errors.As(err, &failed) || failed.code != "SerializationException" || failed.message != want {
		t.Errorf("%s\n got %v\nwant %s", body, err, want)
	}
}

func inputs() []reflect.Type {
	engine := reflect.TypeFor[Engine]()
	var found []reflect.Type
	for i := range engine.NumMethod() {
		found = append(found, engine.Method(i).Type.In(1).Elem())
	}
	return found
}

// TestDecode_SupportsAllInputKinds checks every field of every input. A new version
// of the SDK may add a kind of field that decode does not support.
func TestDecode_SupportsAllInputKinds(t *testing.T) {
	seen := make(map[reflect.Type]bool)
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, path string) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				if field := typ.Field(i); field.IsExported() {
					walk(field.Type, path+"."+field.Name)
				}
			}
		case reflect.Map, reflect.Slice, reflect.Pointer:
			walk(typ.Elem(), path)
		case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint8:
		default:
			if typ != attributeValueType {
				t.Errorf("%s: got the unsupported type %s, want only supported ones", path, typ)
			}
		}
	}
	for _, input := range inputs() {
		walk(input, input.Name())
	}
	if len(seen) < 50 {
		t.Errorf("got %d types, want at least 50", len(seen))
	}
}

func TestOperations_MatchEngine(t *testing.T) {
	engine := reflect.TypeFor[Engine]()
	served := operations(&failingEngine{})
	for i := range engine.NumMethod() {
		if name := engine.Method(i).Name; served[targetPrefix+name] == nil && served[streamTargetPrefix+name] == nil {
			t.Errorf("got no operation %s, want all operations of the engine", name)
		}
	}
	if len(served) != engine.NumMethod() {
		t.Errorf("got %d operations, want %d", len(served), engine.NumMethod())
	}
}

// TestDecode_RepeatedMembers checks that the last of several members with the same name
// counts.
func TestDecode_RepeatedMembers(t *testing.T) {
	body := `{
		"TableName": "a", "TableName": "b", "IndexName": "a", "IndexName": null, "Limit": 1, "Limit": null,
		"ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeNames": {"#b": "b", "#b": "c"},
		"ExpressionAttributeValues": {":a": {"S": "a"}, ":a": {"S": "b", "S": "c"}, ":b": {"S": "a", "S": null}, ":c": {"S": null, "N": "1"}, ":d": {"S": "a"}, ":d": null}
	}`
	var got dynamodb.QueryInput
	if err := decode([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	want := dynamodb.QueryInput{
		TableName: aws.String("b"), ExpressionAttributeNames: map[string]string{"#b": "c"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":a": &types.AttributeValueMemberS{Value: "c"}, ":b": nil, ":c": &types.AttributeValueMemberN{Value: "1"}, ":d": nil,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

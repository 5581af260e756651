package wire

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestEncode(t *testing.T) {
	created := time.UnixMilli(1363729002358)
	for _, c := range []struct {
		output any
		want   string
	}{
		{&dynamodb.GetItemOutput{}, `{}`},
		{&dynamodb.GetItemOutput{Item: map[string]types.AttributeValue{}}, `{"Item":{}}`},
		{&dynamodb.QueryOutput{Items: []map[string]types.AttributeValue{}}, `{"Count":0,"Items":[],"ScannedCount":0}`},
		{&dynamodb.QueryOutput{Count: 3, ScannedCount: 4, ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: aws.Float64(0.5), TableName: aws.String("t")}}, `{"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"t"},"Count":3,"ScannedCount":4}`},
		{&dynamodb.DescribeTableOutput{Table: &types.TableDescription{
			CreationDateTime: &created, ItemCount: aws.Int64(0), TableStatus: types.TableStatusActive, DeletionProtectionEnabled: aws.Bool(false),
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		}}, `{"Table":{"CreationDateTime":1363729002.358,"DeletionProtectionEnabled":false,"ItemCount":0,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"TableStatus":"ACTIVE"}}`},
		{&dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{"t": {
			{DeleteRequest: &types.DeleteRequest{Key: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}}},
		}}}, `{"UnprocessedItems":{"t":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}`},
		{&dynamodb.TransactGetItemsOutput{Responses: []types.ItemResponse{{}, {Item: map[string]types.AttributeValue{"a": nil}}}}, `{"Responses":[{},{"Item":{"a":{}}}]}`},
	} {
		if got := string(encode(c.output)); got != c.want {
			t.Errorf(" got %s\nwant %s", got, c.want)
		}
	}
}

func TestAppendAttribute(t *testing.T) {
	for want, value := range map[string]types.AttributeValue{
		`{"S":""}`:                &types.AttributeValueMemberS{},
		`{"N":"1"}`:               &types.AttributeValueMemberN{Value: "1"},
		`{"B":"AAE="}`:            &types.AttributeValueMemberB{Value: []byte{0, 1}},
		`{"BOOL":false}`:          &types.AttributeValueMemberBOOL{},
		`{"NULL":true}`:           &types.AttributeValueMemberNULL{Value: true},
		`{"SS":["a","b"]}`:        &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		`{"NS":["1"]}`:            &types.AttributeValueMemberNS{Value: []string{"1"}},
		`{"BS":["AA=="]}`:         &types.AttributeValueMemberBS{Value: [][]byte{{0}}},
		`{"L":[{"S":"a"},{}]}`:    &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "a"}, nil}},
		`{"M":{"k":{"L":[]}}}`:    &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"k": &types.AttributeValueMemberL{}}},
		`{"M":{}}`:                &types.AttributeValueMemberM{},
		`{}`:                      &types.UnknownUnionMember{},
		`{"S":"\"\\\n\u0001<ä>"}`: &types.AttributeValueMemberS{Value: "\"\\\n\x01<ä>"},
	} {
		if got := string(appendAttribute(nil, value)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// FuzzString encodes strings. encoding/json must decode them to the same strings,
// except for invalid bytes.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\\b\f\n\r\t\x00\x1f", "ä€😀\u2028", "\xff", "a\xc3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		encoded := appendString(nil, s)
		var got string
		if err := json.Unmarshal(encoded, &got); err != nil {
			t.Fatalf("%q: encoded as %s: %v", s, encoded, err)
		}
		if want := string([]rune(s)); got != want {
			t.Fatalf("%q: got %q, want %q", s, got, want)
		}
	})
}

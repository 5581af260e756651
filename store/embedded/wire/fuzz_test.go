package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// FuzzDecode decodes a body as each type of input, and encodes the input as if it were an
// output. It then decodes and encodes the result again. The two encodings must have the
// same length. Their bytes can differ, because maps have no order.
func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		`{"TableName":"t","Item":{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"M":{"x":{"BS":["AA=="]}}},{}]}}}`,
		`{"RequestItems":{"t":[{"PutRequest":{"Item":{"a":{"NULL":true}}}},{"DeleteRequest":{"Key":{}}}]}}`,
		`{"RequestItems":{"t":{"Keys":[{"a":{"B":"AAE="}}],"ConsistentRead":"yes"}}}`,
		`{"TransactItems":[{"Put":{"Item":{"a":{"SS":["x"],"S":""}}}},{"Get":{"Key":null}}]}`,
		`{"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"ProvisionedThroughput":{"ReadCapacityUnits":5.5}}`,
		`{"Limit":1e3,"Segment":-1}`, `[]`, `{`, `{"S":"\ud800"}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, input := range inputs() {
			value := reflect.New(input)
			if err := decode(body, value.Interface()); err != nil {
				if failed := new(serviceError); !errors.As(err, &failed) {
					t.Fatalf("%s: got %v, want a serviceError", input, err)
				}
				continue
			}
			written := encode(value.Interface())
			if !json.Valid(written) {
				t.Fatalf("%s: encoded as %s, want JSON", body, written)
			}
			again := reflect.New(input)
			if err := decode(written, again.Interface()); err != nil {
				t.Fatalf("%s: encoded as %s: %v", body, written, err)
			}
			if rewritten := encode(again.Interface()); len(rewritten) != len(written) {
				t.Fatalf("%s: encoded as %s, then as %s, want the same length", body, written, rewritten)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	b.Run("Query", func(b *testing.B) {
		benchmarkDecode(b, `{"TableName":"orders","KeyConditionExpression":"#pk = :pk","ExpressionAttributeNames":{"#pk":"PK"},"ExpressionAttributeValues":{":pk":{"S":"ORDER#1"}},"Limit":25}`, new(dynamodb.QueryInput))
	})
	b.Run("PutItem", func(b *testing.B) {
		item := `"PK":{"S":"ORDER#1"},"Total":{"N":"25"}`
		for i := range 22 {
			item += fmt.Sprintf(`,"Attribute%02d":{"S":"value %d"}`, i, i)
		}
		benchmarkDecode(b, `{"TableName":"orders","Item":{`+item+`}}`, new(dynamodb.PutItemInput))
	})
}

func benchmarkDecode(b *testing.B, body string, input any) {
	b.ReportAllocs()
	for b.Loop() {
		if err := decode([]byte(body), input); err != nil {
			b.Fatal(err)
		}
	}
}

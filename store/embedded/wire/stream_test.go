package wire_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

// TestHandler_Streams reads a stream with plain requests, because the client for
// streams is a module of its own.
func TestHandler_Streams(t *testing.T) {
	db := storetest.Embedded(t, storetest.NewClock())
	server := httptest.NewServer(wire.Handler(db))
	t.Cleanup(server.Close)
	all := &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	if _, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest, StreamSpecification: all,
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: item{"pk": str("a"), "amount": num(5)}}); err != nil {
		t.Fatal(err)
	}
	call := func(operation, body string, out any) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {"DynamoDBStreams_20120810." + operation}, "Authorization": {"AWS4-HMAC-SHA256 x"}}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err == nil {
			err = json.Unmarshal(text, out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var list struct {
		Streams []struct{ StreamArn, StreamLabel, TableName string }
	}
	if body := call("ListStreams", `{"TableName":"orders"}`, &list); len(list.Streams) != 1 || list.Streams[0].TableName != "orders" {
		t.Fatalf("got %s, want one stream", body)
	}
	arn := list.Streams[0].StreamArn
	var described struct {
		StreamDescription struct {
			StreamStatus, StreamViewType string
			CreationRequestDateTime      float64
			Shards                       []struct {
				ShardId             string
				SequenceNumberRange struct{ StartingSequenceNumber, EndingSequenceNumber string }
			}
		}
	}
	body := call("DescribeStream", `{"StreamArn":"`+arn+`"}`, &described)
	d := described.StreamDescription
	if d.StreamStatus != "ENABLED" || d.StreamViewType != "NEW_AND_OLD_IMAGES" || d.CreationRequestDateTime == 0 || len(d.Shards) != 1 || strings.Contains(body, "EndingSequenceNumber") {
		t.Fatalf("got %s, want an enabled stream with an open shard", body)
	}
	var at struct{ ShardIterator string }
	call("GetShardIterator", `{"StreamArn":"`+arn+`","ShardId":"`+d.Shards[0].ShardId+`","ShardIteratorType":"TRIM_HORIZON"}`, &at)
	var page struct{ NextShardIterator string }
	body = call("GetRecords", `{"ShardIterator":"`+at.ShardIterator+`","Limit":10}`, &page)
	for _, want := range []string{`"eventName":"INSERT"`, `"dynamodb":{`, `"Keys":{"pk":{"S":"a"}}`, `"NewImage":{`, `"amount":{"N":"5"}`, `"SequenceNumber":"100000000000000000001"`, `"awsRegion":"`} {
		if !strings.Contains(body, want) {
			t.Errorf("got %s, want %s in it", body, want)
		}
	}
	if body := call("GetRecords", `{"ShardIterator":"`+page.NextShardIterator+`"}`, &page); !strings.HasPrefix(body, `{"Records":[],`) || page.NextShardIterator == "" {
		t.Errorf("got %s, want no records and an iterator", body)
	}
	var failure struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	call("GetRecords", `{"ShardIterator":"x"}`, &failure)
	if !strings.HasSuffix(failure.Type, "#ValidationException") || failure.Message != "Invalid ShardIterator" {
		t.Errorf("got %+v, want ValidationException: Invalid ShardIterator", failure)
	}
}

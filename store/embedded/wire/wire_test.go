package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

type failingEngine struct {
	Engine
	err error
}

func (r *failingEngine) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return nil, r.err
}

// request is a request to the handler. If a field is "", send uses the value of this
// field in a signed GetItem request. If a field is "-", send uses an empty value.
type request struct {
	method, host, target, contentType, authorization, body string
}

func (r request) send(t *testing.T, engine Engine) *http.Response {
	t.Helper()
	or := func(value, fallback string) string {
		if value == "" {
			return fallback
		}
		return strings.TrimPrefix(value, "-")
	}
	req := httptest.NewRequest(or(r.method, "POST"), "http://"+or(r.host, "localhost:8000")+"/", strings.NewReader(or(r.body, "{}")))
	req.Header.Set("Content-Type", or(r.contentType, jsonType))
	req.Header.Set("X-Amz-Target", or(r.target, "DynamoDB_20120810.GetItem"))
	req.Header.Set("Authorization", or(r.authorization, "AWS4-HMAC-SHA256 Credential=x"))
	recorder := httptest.NewRecorder()
	Handler(engine).ServeHTTP(recorder, req)
	return recorder.Result()
}

func read(t *testing.T, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestHandler_InvalidRequests(t *testing.T) {
	const service = `{"__type":"com.amazon.coral.service#`
	for name, c := range map[string]struct {
		request
		status int
		want   string
	}{
		"unknown operation": {request{target: "DynamoDB_20120810.ListTable"}, 400, service + `UnknownOperationException","message":"The embedded engine does not have the operation ListTable"}`},
		"PartiQL":           {request{target: "DynamoDB_20120810.ExecuteStatement"}, 400, service + `UnknownOperationException","message":"The embedded engine does not have the operation ExecuteStatement"}`},
		"streams":           {request{target: "DynamoDBStreams_20120810.GetItem"}, 400, service + `UnknownOperationException","message":"The embedded engine does not have the operation GetItem"}`},
		"other version":     {request{target: "DynamoDB_20111205.GetItem"}, 400, service + `UnknownOperationException","message":"The embedded engine has the operations of DynamoDB_20120810 and DynamoDBStreams_20120810 only"}`},
		"unsigned":          {request{authorization: "-"}, 400, service + `MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`},
		"other signature":   {request{authorization: "Bearer x"}, 400, service + `MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`},
		"not JSON":          {request{body: "hi"}, 400, service + `SerializationException"}`},
		"wrong type":        {request{body: `{"TableName":1}`}, 400, service + `SerializationException","Message":"NUMBER_VALUE cannot be converted to String"}`},
		"other content":     {request{contentType: "text/plain"}, 404, "<UnknownOperationException/>\n"},
		"other method":      {request{method: "PUT"}, 404, "<UnknownOperationException/>\n"},
		"other host":        {request{host: "evil.example:8000"}, 403, "Only loopback hosts are served\n"},
		"localhost.evil":    {request{host: "localhost.evil.example"}, 403, "Only loopback hosts are served\n"},
		"too large":         {request{body: `{"TableName":"` + strings.Repeat("x", maxBody) + `"}`}, 413, "The request is larger than 16 MB\n"},
		"health":            {request{method: "GET", contentType: "-", target: "-", authorization: "-"}, 200, "healthy: dynamodb"},
	} {
		res := c.send(t, &failingEngine{})
		if body := read(t, res); res.StatusCode != c.status || body != c.want {
			t.Errorf("%s: got %d %s, want %d %s", name, res.StatusCode, body, c.status, c.want)
		}
	}
}

func TestHandler_Errors(t *testing.T) {
	const dynamo = `{"__type":"com.amazonaws.dynamodb.v20120810#`
	key := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{&smithy.GenericAPIError{Code: "ValidationException", Message: `a "b"`}, 400, `{"__type":"com.amazon.coral.validate#ValidationException","message":"a \"b\""}`},
		{&types.ResourceNotFoundException{Message: aws.String("gone")}, 400, dynamo + `ResourceNotFoundException","message":"gone"}`},
		{&types.ConditionalCheckFailedException{Message: aws.String("no")}, 400, dynamo + `ConditionalCheckFailedException","message":"no"}`},
		{&types.ConditionalCheckFailedException{Message: aws.String("no"), Item: key}, 400, dynamo + `ConditionalCheckFailedException","message":"no","Item":{"pk":{"S":"a"}}}`},
		{
			&types.TransactionCanceledException{Message: aws.String("no"), CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: aws.String("X"), Item: key}}}, 400,
			dynamo + `TransactionCanceledException","Message":"no","CancellationReasons":[{"Code":"None"},{"Code":"X","Item":{"pk":{"S":"a"}}}]}`,
		},
		{&types.IdempotentParameterMismatchException{Message: aws.String("no")}, 400, dynamo + `IdempotentParameterMismatchException","Message":"no"}`},
		{&types.InternalServerError{Message: aws.String("no")}, 500, dynamo + `InternalServerError","message":"no"}`},
	} {
		res := request{}.send(t, &failingEngine{err: c.err})
		if body := read(t, res); res.StatusCode != c.status || body != c.want {
			t.Errorf("%v: got %d %s, want %d %s", c.err, res.StatusCode, body, c.status, c.want)
		}
	}
}

// TestHandler_InternalErrors checks that an internal error is logged with a reference.
// The response must contain the reference and a general message, but not the text of the
// error.
func TestHandler_InternalErrors(t *testing.T) {
	for want, err := range map[string]error{
		"because of an unknown error, exception or failure.": errors.New("/secret/path is broken"),
		": The disk is full.":                                fmt.Errorf("write /secret/path: %w", statedError{}),
	} {
		var log strings.Builder
		engine := &loggedEngine{failingEngine{err: err}, slog.New(slog.NewTextHandler(&log, nil))}
		res := request{}.send(t, engine)
		body := read(t, res)
		found := regexp.MustCompile(`Reference: ([0-9A-Z]+)"`).FindStringSubmatch(body)
		if res.StatusCode != 500 || found == nil || !strings.Contains(body, want) || strings.Contains(body, "secret") {
			t.Fatalf("got %d %s, want %q and a reference", res.StatusCode, body, want)
		}
		if !strings.Contains(log.String(), "reference="+found[1]) || !strings.Contains(log.String(), "/secret/path") {
			t.Errorf("got log %s, want the reference %s and the error", log.String(), found[1])
		}
	}
}

type statedError struct{}

func (statedError) Error() string   { return "no space left on device" }
func (statedError) Problem() string { return "The disk is full." }

type loggedEngine struct {
	failingEngine
	log *slog.Logger
}

func (e *loggedEngine) Log() *slog.Logger { return e.log }

func TestHandler_Headers(t *testing.T) {
	for _, contentType := range []string{jsonType, "application/json", "application/json ; charset=utf-8"} {
		res := request{contentType: contentType}.send(t, &failingEngine{err: errors.New("no")})
		body := read(t, res)
		if media, _, _ := strings.Cut(contentType, " "); res.Header.Get("Content-Type") != media {
			t.Errorf("%s: got Content-Type %s, want %s", contentType, res.Header.Get("Content-Type"), media)
		}
		if got, want := res.Header.Get("X-Amz-Crc32"), strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(body))), 10); got != want {
			t.Errorf("got checksum %s, want %s", got, want)
		}
		if id := res.Header.Get("X-Amzn-Requestid"); !regexp.MustCompile(`^[0-9A-Z]{52}$`).MatchString(id) {
			t.Errorf("got request ID %q, want 52 letters and digits", id)
		}
		if !json.Valid([]byte(body)) {
			t.Errorf("got %s, want JSON", body)
		}
	}
}

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:1": true, "127.0.0.1": true, "127.0.0.1:8000": true, "127.9.9.9": true, "[::1]:8000": true, "[::1]": true, "::1": true,
		"": false, "example.com": false, "10.0.0.1:8000": false, "0.0.0.0": false, "127.0.0.1.example.com": false, "localhost.": false,
	} {
		if got := IsLoopback(host); got != want {
			t.Errorf("IsLoopback(%q) = %v, want %v", host, got, want)
		}
	}
}

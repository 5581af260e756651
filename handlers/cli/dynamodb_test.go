package cli

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

// pretendAWS starts an embedded engine instead of DynamoDB. It sets the environment
// variables of the AWS SDK, so that the SDK sends its requests to this engine.
func pretendAWS(t *testing.T) *dynamodb.Client {
	t.Helper()
	endpoint := httptest.NewServer(wire.Handler(storetest.Embedded(t, clock)))
	t.Cleanup(endpoint.Close)
	noAWS(t)
	t.Setenv("AWS_REGION", "eu-north-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint.URL)
	return storetest.Client(endpoint.URL)
}

// noAWS hides the AWS configuration of the machine.
func noAWS(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
}

func TestDynamoDB(t *testing.T) {
	client := pretendAWS(t)
	file := save(t, filepath.Join(t.TempDir(), "shop.json"), modelOf(lamp, rolf))
	for _, line := range [][]string{{"import", file}, {"table", "check"}, {"user", "list"}, {"serve", "-addr", "127.0.0.1:0"}} {
		run(t, append(line, "-dynamodb")...).want(t, exitFailed, "the table OnlineShop does not exist: create it with 'stockroom table create -dynamodb'")
	}
	for range 2 {
		run(t, "table", "create", "-dynamodb").want(t, exitDone, "This database does not support point-in-time recovery.", "Table OnlineShop matches the required schema")
	}
	run(t, "import", file, "-dynamodb").want(t, exitDone, "2 added")
	run(t, "import", file, "-dynamodb").want(t, exitDone, "nothing changed, 2 unchanged")
	running := startServer(t, "-dynamodb")
	running.match(t, passwordLine)
	run(t, "user", "list", "-dynamodb").want(t, exitDone, "admin")
	settings, err := store.New(client, "OnlineShop", clock.Now).Settings(t.Context())
	if err != nil || settings.Shards != store.DefaultSettings().Shards {
		t.Errorf("got settings %+v and error %v, want the default number of shards", settings, err)
	}
}

// TestDynamoDB_OwnCertificates checks that AWS_CA_BUNDLE makes the program trust
// the certificate of an endpoint.
func TestDynamoDB_OwnCertificates(t *testing.T) {
	pretendAWS(t)
	endpoint := httptest.NewTLSServer(wire.Handler(storetest.Embedded(t, clock)))
	t.Cleanup(endpoint.Close)
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: endpoint.Certificate().Raw})
	t.Setenv("AWS_CA_BUNDLE", save(t, filepath.Join(t.TempDir(), "bundle.pem"), string(bundle)))
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint.URL)
	run(t, "table", "create", "-dynamodb").want(t, exitDone, "Table OnlineShop matches the required schema")
}

func TestTableCheck_OtherKeys(t *testing.T) {
	client := pretendAWS(t)
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("OnlineShop"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("ID"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("ID"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"table check -dynamodb", "table create -dynamodb"} {
		got := run(t, strings.Fields(line)...)
		got.want(t, exitFailed, "table OnlineShop does not match the required schema", "-table")
		for _, problem := range []string{`has the keys "ID" and ""`, "The index GSI1 is missing", "The index GSI6 is missing"} {
			if !strings.Contains(got.stdout, problem) {
				t.Errorf("%s: got no %q in:\n%s", line, problem, got.stdout)
			}
		}
	}
	run(t, "-dynamodb", "-addr", "127.0.0.1:0").want(t, exitFailed, `has the keys "ID" and ""; it needs PK and SK`, "stockroom table check")
}

func TestDynamoDB_MissingConfiguration(t *testing.T) {
	noAWS(t)
	run(t, "table", "check", "-dynamodb").want(t, exitFailed, "needs an AWS region", "AWS_REGION")
	t.Setenv("AWS_REGION", "eu-north-1")
	run(t, "table", "check", "-dynamodb").want(t, exitFailed, "needs AWS credentials", "AWS_ACCESS_KEY_ID")
	t.Setenv("AWS_PROFILE", "nowhere")
	run(t, "table", "check", "-dynamodb").want(t, exitFailed, "invalid AWS configuration", "nowhere")
}

// TestMessage checks the messages of failed requests and of joined errors.
func TestMessage(t *testing.T) {
	client := dynamodb.New(storetest.Client("http://127.0.0.1:1").Options(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	_, unreachable := store.New(client, "OnlineShop", clock.Now).Users(t.Context())
	_, refused := pretendAWS(t).DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("None")})
	for _, tt := range []struct {
		err  error
		want string
	}{
		{unreachable, "cannot reach DynamoDB: dial tcp 127.0.0.1:1: connect: connection refused; check the network, the region and AWS_ENDPOINT_URL_DYNAMODB"},
		{refused, "DescribeTable failed: ResourceNotFoundException: "},
		{errors.Join(errors.New("one"), errors.New("other")), "one; other"},
		{fmt.Errorf("%w; items checked: 3", fmt.Errorf("read: %w", context.Canceled)), "interrupted; items checked: 3"},
		{fmt.Errorf("%w; items checked: 3", &store.Error{Kind: store.Busy, Message: "The system is busy.", Err: errors.New("throttled")}), "The system is busy; items checked: 3"},
	} {
		if got := message(tt.err); !strings.HasPrefix(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestTableCreate_Protects checks that 'table create' enables point-in-time recovery and
// deletion protection. Like Amazon DynamoDB, the database rejects the first request to
// enable the recovery.
func TestTableCreate_Protects(t *testing.T) {
	pretendAWS(t)
	engine := wire.Handler(storetest.Embedded(t, clock))
	var bodies []string
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".UpdateContinuousBackups") {
			engine.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if len(bodies) == 1 {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#ContinuousBackupsUnavailableException","message":"Backups are being enabled for the table"}`)
			return
		}
		io.WriteString(w, `{}`)
	}))
	t.Cleanup(endpoint.Close)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint.URL)
	for range 2 { // the second time, the table already exists
		bodies = nil
		run(t, "table", "create", "-dynamodb").want(t, exitDone, "Table OnlineShop matches the required schema")
		if len(bodies) != 2 || !strings.Contains(bodies[1], `"PointInTimeRecoveryEnabled":true`) {
			t.Errorf("got requests %q, want one to enable point-in-time recovery, repeated once", bodies)
		}
		out, err := storetest.Client(endpoint.URL).DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("OnlineShop")})
		if err != nil || !aws.ToBool(out.Table.DeletionProtectionEnabled) {
			t.Errorf("got %+v, %v; want deletion protection", out, err)
		}
	}
}

// TestTableCreate_EncryptsAndTags checks that 'table create' sets the encryption and the
// tags. Like Amazon DynamoDB, the database rejects other changes while it changes the
// encryption.
func TestTableCreate_EncryptsAndTags(t *testing.T) {
	pretendAWS(t)
	engine := wire.Handler(storetest.Embedded(t, clock))
	const key = "arn:aws:kms:eu-north-1:123456789012:key/1234abcd"
	encrypted, updates, described := "", 0, 0
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); {
		case operation == "UpdateTable" && strings.Contains(string(body), `"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"`+key+`","SSEType":"KMS"}`):
			encrypted, described = key, 0
			updates++
			fmt.Fprint(answer, `{}`)
		case operation == "DescribeTable" && encrypted != "":
			engine.ServeHTTP(answer, r)
			described++
			text := strings.Replace(answer.Body.String(), `{"Table":{`, `{"Table":{"SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"`+encrypted+`"},`, 1)
			if described == 1 {
				text = strings.Replace(text, `"TableStatus":"ACTIVE"`, `"TableStatus":"UPDATING"`, 1)
			}
			answer.Body = bytes.NewBufferString(text)
		case operation == "TagResource" && described == 1:
			t.Error("got a change of the table before the encryption had changed")
			fallthrough
		default:
			engine.ServeHTTP(answer, r)
		}
		answerDynamoDB(w, answer.Code, answer.Body.String())
	}))
	t.Cleanup(endpoint.Close)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint.URL)
	for _, key := range []string{key, key, "1234abcd"} {
		run(t, "table", "create", "-dynamodb", "-kms-key", key, "-tag", "team=shop", "-tag", "stage=test,empty=").want(t, exitDone, "Table OnlineShop matches the required schema")
	}
	if updates != 1 {
		t.Errorf("got %d changes of the encryption, want 1", updates)
	}
	client := storetest.Client(endpoint.URL)
	table, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("OnlineShop")})
	if err != nil {
		t.Fatal(err)
	}
	out, err := client.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: table.Table.TableArn})
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]string{}
	for _, tag := range out.Tags {
		tags[*tag.Key] = *tag.Value
	}
	if want := map[string]string{"team": "shop", "stage": "test", "empty": ""}; !maps.Equal(tags, want) {
		t.Errorf("got tags %v, want %v", tags, want)
	}
	for _, wrong := range [][]string{{"-kms-key", key}, {"-tag", "a=b"}, {"-dynamodb", "-tag", "shop"}, {"-dynamodb", "-kms-key", "alias/shop"}, {"-dynamodb", "-kms-key", ""}} {
		run(t, append([]string{"table", "create"}, wrong...)...).want(t, exitUsage)
	}
}

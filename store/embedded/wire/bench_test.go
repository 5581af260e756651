package wire_test

import (
	"bytes"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"stockroom/store/embedded"
	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

const benchItems = 10_000

// BenchmarkHTTP reads and writes orders over HTTP, with signed requests. It uses the
// database at the address in STOCKROOM_TEST_ENDPOINT, with the access key in
// STOCKROOM_DYNAMODB_KEY. Without the address, it uses a new engine in the same process.
// ns/op is the duration of a request divided by the number of clients.
func BenchmarkHTTP(b *testing.B) {
	c := newBenchClient(b)
	table := "bench-" + crand.Text()
	c.send(b, "CreateTable", fmt.Sprintf(`{"TableName": %q, "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]}`, table))
	defer c.send(b, "DeleteTable", fmt.Sprintf(`{"TableName": %q}`, table))

	put := func(i int) {
		c.send(b, "PutItem", fmt.Sprintf(`{"TableName": %q, "Item": {%s}}`, table, benchOrder(i)))
	}
	get := func(i int) {
		answer := c.send(b, "GetItem", fmt.Sprintf(`{"TableName": %q, "Key": {%s}}`, table, benchKey(i)))
		if !bytes.Contains(answer, []byte("Attribute19")) {
			b.Errorf("got %s, want item %d", answer, i)
		}
	}
	var next atomic.Int64
	concurrently(32, benchItems, func() { put(int(next.Add(1) - 1)) })
	for _, clients := range []int{1, 32} {
		b.Run(fmt.Sprintf("GetItem, %d clients", clients), func(b *testing.B) {
			concurrently(clients, b.N, func() { get(rand.IntN(benchItems)) })
		})
		b.Run(fmt.Sprintf("PutItem of new items, %d clients", clients), func(b *testing.B) {
			concurrently(clients, b.N, func() { put(int(next.Add(1) - 1)) })
		})
	}
}

// concurrently calls f count times in total, from several goroutines.
func concurrently(goroutines, count int, f func()) {
	var left atomic.Int64
	left.Store(int64(count))
	var wait sync.WaitGroup
	for range goroutines {
		wait.Go(func() {
			for left.Add(-1) >= 0 {
				f()
			}
		})
	}
	wait.Wait()
}

func benchKey(i int) string {
	return fmt.Sprintf(`"PK": {"S": "c#%05d"}, "SK": {"S": "o#%08d"}`, i/40, i)
}

func benchOrder(i int) string {
	text := new(strings.Builder)
	fmt.Fprintf(text, `%s, "Status": {"S": "S%04d"}, "Total": {"N": "%d"}`, benchKey(i), i%997, i%5000)
	for a := range 20 {
		fmt.Fprintf(text, `, "Attribute%02d": {"S": "value %d of %d"}`, a, a, i)
	}
	return text.String()
}

// benchClient sends signed requests. It does less work than the SDK's client, so that the
// benchmark mostly measures the server.
type benchClient struct {
	http     *http.Client
	endpoint string
	key      aws.Credentials
	signer   *v4.Signer
}

func newBenchClient(b *testing.B) benchClient {
	c := benchClient{
		http:     &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}},
		endpoint: os.Getenv("STOCKROOM_TEST_ENDPOINT"),
		key:      aws.Credentials{AccessKeyID: "bench", SecretAccessKey: "the secret of the benchmark"},
		signer:   v4.NewSigner(),
	}
	if id, secret, ok := strings.Cut(os.Getenv("STOCKROOM_DYNAMODB_KEY"), ":"); ok {
		c.key = aws.Credentials{AccessKeyID: id, SecretAccessKey: secret}
	}
	if c.endpoint != "" {
		return c
	}
	engine, err := embedded.Open(b.TempDir(), storetest.NewClock().Now, embedded.Options{})
	if err != nil {
		b.Fatal(err)
	}
	secrets := wire.Secrets{Table: "none", IsSecret: func(item) bool { return false }}
	server := httptest.NewServer(wire.VerifyingHandler(engine, wire.AccessKey{ID: c.key.AccessKeyID, Secret: c.key.SecretAccessKey}, secrets))
	b.Cleanup(func() {
		server.Close()
		if err := engine.Close(); err != nil {
			b.Error(err)
		}
	})
	c.endpoint = server.URL
	return c
}

func (c benchClient) send(b *testing.B, operation, body string) []byte {
	r, err := http.NewRequest(http.MethodPost, c.endpoint+"/", strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return nil
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	hash := sha256.Sum256([]byte(body))
	signed := time.Now() // the current time, because the server compares it with its clock
	if err := c.signer.SignHTTP(b.Context(), c.key, r, hex.EncodeToString(hash[:]), "dynamodb", "us-east-1", signed); err != nil {
		b.Error(err)
		return nil
	}
	response, err := c.http.Do(r)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !json.Valid(answer) {
		b.Errorf("%s: got status %d, answer %s, error %v", operation, response.StatusCode, answer, err)
	}
	return answer
}

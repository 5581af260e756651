package cli

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const writeTime = 50 * time.Millisecond

// slowWriter is a connection whose writes return some time after the server has received
// the bytes. This happens on a busy machine.
type slowWriter struct{ net.Conn }

func (c slowWriter) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	time.Sleep(writeTime)
	return n, err
}

// TestSteadyClient_ResponseBeforeRequestEnds checks that a request succeeds if its
// response begins while the transport is still sending the request.
func TestSteadyClient_ResponseBeforeRequestEnds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write([]byte(`{"TableNames":["`))
		_ = http.NewResponseController(w).Flush()
		time.Sleep(4 * writeTime)
		_, _ = w.Write([]byte(`a"]}`))
	}))
	defer server.Close()
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := new(net.Dialer).DialContext(ctx, network, address)
		return slowWriter{connection}, err
	}}
	defer transport.CloseIdleConnections()
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint:     aws.String(server.URL),
		Region:           "embedded",
		Credentials:      credentials.NewStaticCredentialsProvider("test", "test", ""),
		HTTPClient:       steadyClient{&http.Client{Transport: transport}},
		RetryMaxAttempts: 1,
	})
	out, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || len(out.TableNames) != 1 {
		t.Errorf("got %v, want the response", err)
	}
}

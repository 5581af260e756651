package cli

import (
	"bytes"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// steadyClient sends a copy of each request's body. The SDK closes the original body as
// soon as the response begins. If the server responds before the transport has sent the
// whole body, the transport fails to read the rest, closes the connection and loses the
// response.
type steadyClient struct{ client aws.HTTPClient }

func (s steadyClient) Do(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return s.client.Do(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	sent := r.Clone(r.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	return s.client.Do(sent)
}

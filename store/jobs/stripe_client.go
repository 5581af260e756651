package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	stripeAddress = "https://api.stripe.com"
	// stripeVersion is the API version in requests; see
	// https://docs.stripe.com/api/versioning.
	stripeVersion = "2026-03-25.dahlia"
	// stripeTimeout is the maximum duration of a request.
	stripeTimeout = 80 * time.Second
	// stripeMaxResponse is the maximum size of a response in bytes.
	stripeMaxResponse = 1 << 20
)

// stripeClient sends requests to Stripe's API. It does not retry or log them.
type stripeClient struct {
	key, address string
	http         *http.Client
}

func newStripeClient(key, address string) *stripeClient {
	return &stripeClient{key, cmp.Or(address, stripeAddress), &http.Client{
		Timeout: stripeTimeout,
		// Stripe never redirects, and following a redirect could send the key to another
		// server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// stripeError is an error object of the API; see https://docs.stripe.com/api/errors.
type stripeError struct {
	Status                     int `json:"-"`
	Type, Code, Param, Message string
}

func (e *stripeError) Error() string {
	return fmt.Sprintf("status %d, %s %s: %s", e.Status, e.Type, e.Code, e.Message)
}

func (c *stripeClient) post(ctx context.Context, path, idempotencyKey string, form url.Values, response any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Idempotency-Key", idempotencyKey)
	return c.send(r, response)
}

func (c *stripeClient) get(ctx context.Context, path string, query url.Values, response any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+path+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	return c.send(r, response)
}

// send sends a request and decodes the response. It returns a stripeError if Stripe
// rejected the request. After another error, Stripe may or may not have executed the
// request.
func (c *stripeClient) send(r *http.Request, response any) error {
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Stripe-Version", stripeVersion)
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, stripeMaxResponse+1))
	switch {
	case err != nil:
		return fmt.Errorf("status %d: %w", answer.StatusCode, err)
	case len(body) > stripeMaxResponse:
		return fmt.Errorf("status %d with more than %d bytes", answer.StatusCode, stripeMaxResponse)
	case answer.StatusCode == http.StatusOK:
		return json.Unmarshal(body, response)
	}
	var failure struct{ Error *stripeError }
	if err := json.Unmarshal(body, &failure); err != nil || failure.Error == nil || failure.Error.Type == "" {
		return fmt.Errorf("status %d without an error object", answer.StatusCode)
	}
	failure.Error.Status = answer.StatusCode
	failure.Error.Message = strings.ReplaceAll(failure.Error.Message, c.key, "(key)")
	return failure.Error
}

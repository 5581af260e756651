package jobs_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stockroom/store/jobs"
)

var charge = jobs.Charge{
	Key: "a1/s1/2026-11-21/1", AccountID: "a1", SubscriptionID: "s1", DueDate: due, Amount: amount("12.99"), Currency: "EUR", Customer: "cus_1", Method: "pm_1",
}

// TestStripe_RequestsMatchAPI sends requests to Stripe's mock server, which
// validates them against the published API.
func TestStripe_RequestsMatchAPI(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "stripe-mock")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/stripe/stripe-mock").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	mock := exec.CommandContext(t.Context(), program, "-http-addr", address)
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mock.Wait() }) // killed with the test
	for try := 0; ; try++ {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close() // only a probe
			break
		}
		if try == 600 {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	s := jobs.NewStripe("sk_test_123", "http://"+address)
	if o, err := s.Charge(t.Context(), charge); err != nil || o.Reference == "" {
		t.Errorf("Charge: got %+v, %v", o, err)
	}
	if _, _, err := s.Find(t.Context(), charge); err != nil {
		t.Errorf("Find: got %v", err)
	}
}

// TestStripe_Outcomes checks the request and the outcome of each response.
func TestStripe_Outcomes(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		status     int
		declined   bool
		reason     string // substring
		unknown    bool
	}{
		{"succeeded", `{"id":"pi_1","object":"payment_intent","status":"succeeded"}`, 200, false, "", false},
		{"processing", `{"id":"pi_1","object":"payment_intent","status":"processing"}`, 200, false, "", true},
		{"requires authentication", `{"id":"pi_1","object":"payment_intent","status":"requires_action"}`, 200, true, "requires action", false},
		{"declined", `{"error":{"type":"card_error","code":"card_declined","message":"Your card was declined."}}`, 402, true, "Your card was declined.", false},
		{"unknown customer", `{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such customer"}}`, 404, true, "No such customer", false},
		{"key in use", `{"error":{"type":"idempotency_error","message":"in use"}}`, 400, false, "", true},
		{"invalid API key", `{"error":{"type":"invalid_request_error","message":"Invalid API Key"}}`, 401, false, "", true},
		{"too many requests", `{"error":{"type":"invalid_request_error","message":"slow down"}}`, 429, false, "", true},
		{"server error", `{"error":{"type":"api_error","message":"sorry"}}`, 500, false, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				if key := r.Header.Get("Idempotency-Key"); key != charge.Key || r.FormValue("amount") != "1299" || r.FormValue("currency") != "eur" || r.FormValue("payment_method") != "pm_1" || r.FormValue("off_session") != "true" {
					t.Errorf("got key %q and form %v", key, r.Form)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
			}))
			defer server.Close()
			o, err := jobs.NewStripe("sk_test_123", server.URL).Charge(t.Context(), charge)
			if (err != nil) != tt.unknown || o.Declined != tt.declined || !strings.Contains(o.Reason, tt.reason) || requests != 1 {
				t.Errorf("got %+v, %v, %d requests", o, err, requests)
			}
		})
	}
}

// TestStripe_DeclinesWithoutRequest tries charges that Stripe cannot accept.
func TestStripe_DeclinesWithoutRequest(t *testing.T) {
	s := jobs.NewStripe("sk_test_123", "http://127.0.0.1:1")
	unknown, fraction, yen := charge, charge, charge
	unknown.Method = ""
	fraction.Amount = amount("1.005")
	yen.Amount, yen.Currency = amount("1.5"), "JPY"
	for _, c := range []jobs.Charge{unknown, fraction, yen} {
		if o, err := s.Charge(context.Background(), c); err != nil || !o.Declined {
			t.Errorf("%+v: got %+v, %v, want declined", c, o, err)
		}
	}
	if _, err := s.Charge(context.Background(), charge); err == nil {
		t.Error("unreachable server: got no error")
	}
}

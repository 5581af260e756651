package jobs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

var charge = jobs.Charge{
	Key: "a1/s1/2026-11-21/1", AccountID: "a1", SubscriptionID: "s1", DueDate: due, Amount: amount("12.99"), Currency: "EUR", Customer: "cus_1", Method: "pm_1",
}

// TestStripe_RequestsMatchAPI checks that Stripe's mock server accepts the
// requests, which it validates against the published API.
func TestStripe_RequestsMatchAPI(t *testing.T) {
	s := jobs.NewStripe("sk_test_123", storetest.StripeMock(t))
	if o, err := s.Charge(t.Context(), charge); err != nil || o.Reference == "" {
		t.Errorf("Charge: got %+v, %v; want a successful charge", o, err)
	}
	if _, _, err := s.Find(t.Context(), charge); err != nil {
		t.Errorf("Find: got error %v, want none", err)
	}
	for _, customer := range []string{"", "cus_1"} {
		r := jobs.CardRequest{Key: "card-" + customer, Link: "link", Return: "https://shop.example.com/card/1/2", Customer: customer, Email: "ada@example.com"}
		if page, err := s.StartCard(t.Context(), r); err != nil || page.Session == "" || page.URL == "" {
			t.Errorf("StartCard for customer %q: got %+v, %v; want a page", customer, page, err)
		}
	}
}

// TestStripe_Outcomes checks the request, and the outcome for each kind of response.
func TestStripe_Outcomes(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		status     int
		declined   bool
		reason     string // part of the reason in the outcome or error
		unknown    bool
	}{
		{"succeeded", `{"id":"pi_1","object":"payment_intent","status":"succeeded"}`, 200, false, "", false},
		{"processing", `{"id":"pi_1","object":"payment_intent","status":"processing"}`, 200, false, "", true},
		{"requires authentication", `{"id":"pi_1","object":"payment_intent","status":"requires_action"}`, 200, true, "requires action", false},
		{"declined", `{"error":{"type":"card_error","code":"card_declined","message":"Your card was declined."}}`, 402, true, "Your card was declined.", false},
		{"unknown customer", `{"error":{"type":"invalid_request_error","code":"resource_missing","param":"customer","message":"No such customer"}}`, 404, true, "No such customer", false},
		{"unknown payment method", `{"error":{"type":"invalid_request_error","code":"resource_missing","param":"payment_method","message":"No such PaymentMethod"}}`, 400, true, "No such PaymentMethod", false},
		{"rejected request", `{"error":{"type":"invalid_request_error","code":"amount_too_large","param":"amount","message":"Amount must be no more than 999,999.99"}}`, 400, false, "", true},
		{"unknown address", `{"error":{"type":"invalid_request_error","message":"Unrecognized request URL"}}`, 404, false, "", true},
		{"key in use", `{"error":{"type":"idempotency_error","message":"in use"}}`, 400, false, "", true},
		{"invalid API key", `{"error":{"type":"invalid_request_error","message":"Invalid API Key"}}`, 401, false, "", true},
		{"too many requests", `{"error":{"type":"invalid_request_error","message":"slow down"}}`, 429, false, "", true},
		{"server error", `{"error":{"type":"api_error","message":"sorry"}}`, 500, false, "", true},
		{"requires a payment method", `{"id":"pi_1","status":"requires_payment_method","last_payment_error":{"message":"Your card has expired."}}`, 200, true, "Your card has expired.", false},
		{"unknown status", `{"id":"pi_1","object":"payment_intent","status":"requires_thought"}`, 200, false, "", true},
		{"no payment", `{}`, 200, false, "", true},
		{"success cut off", `{"id":"pi_1","status":"succee`, 200, false, "", true},
		{"402 of another server", `<html>Payment Required</html>`, 402, false, "", true},
		{"402 without an error object", `{"error":null}`, 402, false, "", true},
		{"redirect", `{}`, 307, false, "", true},
		{"too long", `{"id":"pi_1","status":"succeeded","x":"` + strings.Repeat("x", 1<<20) + `"}`, 200, false, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				if key := r.Header.Get("Idempotency-Key"); key != charge.Key || r.FormValue("amount") != "1299" || r.FormValue("currency") != "eur" || r.FormValue("payment_method") != "pm_1" || r.FormValue("off_session") != "true" {
					t.Errorf("got key %q and form %v, want those of the charge", key, r.Form)
				}
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
			}))
			defer server.Close()
			o, err := jobs.NewStripe("sk_test_123", server.URL).Charge(t.Context(), charge)
			if (err != nil) != tt.unknown || o.Declined != tt.declined || !strings.Contains(o.Reason, tt.reason) || requests != 1 {
				t.Errorf("got %+v, %v, %d requests, want one request and the outcome of the test case", o, err, requests)
			}
		})
	}
}

// TestStripe_Headers checks that requests contain the API key and the API version, and
// that errors never contain the API key.
func TestStripe_Headers(t *testing.T) {
	const key = "sk_test_very_secret"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("got authorization %q, want the API key", got)
		}
		if got := r.Header.Get("Stripe-Version"); got != "2026-03-25.dahlia" {
			t.Errorf("got version %q, want 2026-03-25.dahlia", got)
		}
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: %s"}}`, key)
	}))
	defer server.Close()
	for _, s := range []jobs.Stripe{jobs.NewStripe(key, server.URL), jobs.NewStripe(key+"\n", server.URL), jobs.NewStripe(key, "http://127.0.0.1:1")} {
		_, err := s.Charge(t.Context(), charge)
		_, _, findErr := s.Find(t.Context(), charge)
		for _, err := range []error{err, findErr} {
			if err == nil || strings.Contains(err.Error(), key) {
				t.Errorf("got error %v, want one without the API key", err)
			}
		}
	}
}

// TestStripe_Find checks the query, and the outcome for each kind of response. Only a
// complete and empty result means that Stripe never received the charge.
func TestStripe_Find(t *testing.T) {
	quoted := charge
	quoted.Key = `it's a \ key`
	for name, tt := range map[string]struct {
		body            string
		status          int
		found, declined bool
		unknown         bool
	}{
		"succeeded":       {`{"object":"search_result","data":[{"id":"pi_1","status":"succeeded"}],"has_more":false}`, 200, true, false, false},
		"declined":        {`{"data":[{"id":"pi_1","status":"requires_payment_method"}]}`, 200, true, true, false},
		"processing":      {`{"data":[{"id":"pi_1","status":"processing"}]}`, 200, false, false, true},
		"never received":  {`{"object":"search_result","data":[],"has_more":false}`, 200, false, false, false},
		"more pages":      {`{"object":"search_result","data":[],"has_more":true}`, 200, false, false, true},
		"no result":       {`{}`, 200, false, false, true},
		"unknown address": {`{"error":{"type":"invalid_request_error","message":"Unrecognized request URL"}}`, 404, false, false, true},
		"server error":    {`{"error":{"type":"api_error","message":"sorry"}}`, 500, false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if got, want := r.FormValue("query"), `metadata['stockroom_attempt']:'it\'s a \\ key'`; r.Method != http.MethodGet || got != want {
					t.Errorf("got %s with query %s, want %s", r.Method, got, want)
				}
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
			}))
			defer server.Close()
			o, found, err := jobs.NewStripe("sk_test_123", server.URL).Find(t.Context(), quoted)
			if (err != nil) != tt.unknown || found != tt.found || o.Declined != tt.declined {
				t.Errorf("got outcome %+v, found %t, error %v, want declined %v, found %t, error %t", o, found, err, tt.declined, tt.found, tt.unknown)
			}
		})
	}
}

// TestStripe_ChecksBeforeRequest makes charges with an unreachable server. A charge
// without a payment method is declined, because the customer must act. An amount that
// Stripe cannot charge is an error, because the business must act. A valid charge is also
// an error.
func TestStripe_ChecksBeforeRequest(t *testing.T) {
	s := jobs.NewStripe("sk_test_123", "http://127.0.0.1:1")
	unknown, fraction := charge, charge
	unknown.Method = ""
	if o, err := s.Charge(t.Context(), unknown); err != nil || !o.Declined {
		t.Errorf("without a payment method: got %+v, %v, want declined", o, err)
	}
	fraction.Amount = amount("1.005")
	for _, c := range []jobs.Charge{charge, fraction} { // charge is valid, but the server is unreachable; fraction has an invalid amount
		if o, err := s.Charge(t.Context(), c); err == nil {
			t.Errorf("%+v: got %+v, want an error", c, o)
		}
	}
}

// TestStripe_Amounts checks the amounts in requests, by currency; see
// https://docs.stripe.com/currencies#special-cases.
func TestStripe_Amounts(t *testing.T) {
	for _, tt := range []struct{ amount, currency, want string }{
		{"12.99", "EUR", "1299"},
		{"1.005", "EUR", ""},
		{"500", "JPY", "500"},
		{"1.5", "JPY", ""},
		{"5", "MGA", "5"},
		{"0.2", "MGA", ""},
		{"5", "UGX", "500"},
		{"5.50", "UGX", ""},
		{"5", "ISK", "500"},
		{"5.50", "ISK", ""},
		{"5.120", "KWD", "5120"},
		{"5.124", "KWD", ""},
	} {
		t.Run(tt.amount+" "+tt.currency, func(t *testing.T) {
			got := ""
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.FormValue("amount")
				fmt.Fprint(w, `{"id":"pi_1","object":"payment_intent","status":"succeeded"}`)
			}))
			defer server.Close()
			s, c := jobs.NewStripe("sk_test_123", server.URL), charge
			c.Amount, c.Currency = amount(tt.amount), tt.currency
			checked := s.CheckAmount(c.Amount, c.Currency)
			if _, err := s.Charge(t.Context(), c); (err != nil) != (tt.want == "") || (checked != nil) != (tt.want == "") || got != tt.want {
				t.Errorf("got amount %q, errors %v and %v; want %q", got, err, checked, tt.want)
			}
		})
	}
}

// TestRun_FailsUnchargeableAmounts runs a payment whose amount Stripe cannot charge.
// The run must send no request and must not change the subscription.
func TestRun_FailsUnchargeableAmounts(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		sub := subscription(1)
		sub.PaymentAmount = amount("12.345")
		load(t, s, sub)
		r := runner(t, s, jobs.NewStripe("sk_test_123", "http://127.0.0.1:1"), &mailbox{})
		if got := run(t, r, store.PaymentsJob, due); got.Failed != 1 || got.Declined+got.Unknown > 0 {
			t.Errorf("got %+v, want 1 failed", got)
		}
		if after := get(t, s, sub); after.Version != sub.Version || after.PendingAttempt.Key != "" || after.Status != store.SubscriptionActive {
			t.Errorf("got %+v, want the subscription unchanged", after)
		}
		failures := results(t, s, store.PaymentsJob, due, true)
		if len(failures) != 1 || !strings.Contains(failures[0].Why, "Stripe can't charge 12.345 EUR") {
			t.Errorf("got %+v, want the amount in the reason", failures)
		}
	})
}

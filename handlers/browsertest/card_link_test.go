package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// checkout simulates Stripe Checkout on top of stripe-mock, which validates requests but
// stores nothing. It stores the Checkout Sessions, and serves the page on which the
// customer enters a card.
type checkout struct {
	*httptest.Server
	mock     string
	mu       sync.Mutex
	sessions map[string]map[string]any // attributes that replace those from stripe-mock, by session ID
	returns  map[string]string         // success_url by session ID
}

func newCheckout(t *testing.T) *checkout {
	t.Helper()
	c := &checkout{mock: storetest.StripeMock(t), sessions: map[string]map[string]any{}, returns: map[string]string{}}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *checkout) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id, ok := strings.CutPrefix(r.URL.Path, "/pay/"); ok {
		c.pay(w, r, id)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	form, status, answer := r.Clone(r.Context()), 0, map[string]any{}
	form.Body = io.NopCloser(bytes.NewReader(body))
	if status, err = c.forward(r, body, &answer); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	c.mu.Lock()
	if strings.HasPrefix(r.URL.Path, "/v1/checkout/sessions") && status == http.StatusOK {
		id := strings.TrimPrefix(r.URL.Path, "/v1/checkout/sessions/")
		if r.Method == http.MethodPost {
			id = fmt.Sprintf("cs_test_%d", len(c.sessions)+1)
			c.returns[id] = form.FormValue("success_url")
			c.sessions[id] = map[string]any{
				"id": id, "mode": form.FormValue("mode"), "status": "open", "url": c.URL + "/pay/" + id,
				"customer": form.FormValue("customer"), "client_reference_id": form.FormValue("client_reference_id"),
			}
		}
		for name, value := range c.sessions[id] {
			answer[name] = value
		}
		if setup, ok := answer["setup_intent"].(map[string]any); ok && answer["status"] == "complete" {
			setup["status"] = "succeeded"
		}
	}
	if r.URL.Path == "/v1/payment_intents" && status == http.StatusOK {
		answer["status"] = "succeeded"
	}
	c.mu.Unlock()
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

// forward sends a request to stripe-mock and decodes the response into answer.
func (c *checkout) forward(r *http.Request, body []byte, answer *map[string]any) (int, error) {
	forwarded, err := http.NewRequestWithContext(r.Context(), r.Method, c.mock+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	forwarded.Header = r.Header.Clone()
	forwarded.Header.Del("Accept-Encoding")
	response, err := http.DefaultClient.Do(forwarded)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}

// pay serves the page of a session. Its form saves the card and redirects back to
// Stockroom.
func (c *checkout) pay(w http.ResponseWriter, r *http.Request, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Method == http.MethodPost {
		c.sessions[id]["status"] = "complete"
		http.Redirect(w, r, c.returns[id], http.StatusSeeOther)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, `<!doctype html><title>Stripe</title><main><form method="post"><button>Save card</button></form></main>`)
}

// TestSubscription_CardByEmail checks that a customer can replace the card of a paused
// subscription with an emailed card link, on a page of Stripe. Support then charges the
// payment, which must resume the subscription.
func TestSubscription_CardByEmail(t *testing.T) {
	due := time.Date(2026, time.November, 10, 0, 0, 0, 0, time.UTC)
	paused := &store.Subscription{
		ID: "sub90", AccountID: "c30", SKU: "PLAN-TEA", PlanName: "Tea every month", Email: "Customer30@example.com", Status: store.SubscriptionPaused, PaymentDay: 10,
		PaymentAmount: store.MinorUnits(12_99), NextPaymentDate: due, NextAttemptDate: due.AddDate(0, 0, 7), Attempt: 4, NextReminderDate: due.AddDate(0, 0, 23),
		PaymentDetails: store.PaymentDetails{Card: "1881", Customer: "cus_1", Method: "pm_1"}, Version: 1,
	}
	stripe := newCheckout(t)
	for _, sc := range []screen{{width: 1280}, {width: 390, dark: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			s := shopStore(t, paused)
			url := serveStore(t, s, jobs.NewStripe("sk_test_123", stripe.URL))
			support := open(t, url, sc)
			support.signIn("admin")
			support.visit("/accounts/c30")
			support.wantText("Paused", "•••• 1881")
			support.activate(action("Email card link"))
			support.check("card link form", sc)
			support.button("Email card link")
			support.wantText("Card link queued.", "Link for a new card")
			email := emailOf(t, s, "c30")
			support.visit("/emails/" + email.ID)
			support.check("email with a card link", sc)
			link, err := s.CardLinkURL(t.Context(), email.CardLink)
			if err != nil || strings.Contains(support.text("main"), link) {
				t.Fatalf("got the link on the page of the email, %v; want it only in the email", err)
			}

			customer := open(t, url, sc)
			path := strings.TrimPrefix(link, url)
			customer.visit(path)
			customer.wantText("Tea every month", "1881")
			customer.check("card link", sc)
			customer.button("Enter a new card")
			customer.button("Save card")
			for range 2 {
				customer.wantText("Your new card is saved.", "4242")
				customer.check("used card link", sc)
				customer.visit(path)
			}

			support.visit("/accounts/c30")
			support.wantText("card •••• 1881", "card •••• 4242")
			support.activate(action("Retry payment")) // the link to the form
			support.button("Retry payment")           // the button of the form
			support.wantText("Payment charged.", "Active", "10 Dec 2026")
		})
	}
}

func emailOf(t *testing.T, s *store.Store, customer string) store.Email {
	t.Helper()
	emails, err := s.As(&store.User{Name: "admin", Role: store.Admin}).EmailsOfCustomer(t.Context(), customer, store.Page{Limit: 2})
	if err != nil || len(emails.Rows) != 1 {
		t.Fatalf("got %d emails, %v, want 1", len(emails.Rows), err)
	}
	return emails.Rows[0]
}

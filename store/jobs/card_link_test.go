package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
	"stockroom/views"
)

// cardPages simulates Stripe, with at most one Checkout Session for each idempotency
// key.
type cardPages struct {
	mu       sync.Mutex
	sessions map[string]map[string]any // sessions by ID, which is the idempotency key
	deleted  string                    // ID of a customer that Stripe no longer has
}

func (p *cardPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := strings.TrimPrefix(r.URL.Path, "/v1/checkout/sessions/")
	if r.Method == http.MethodPost {
		id = strings.ReplaceAll(r.Header.Get("Idempotency-Key"), "#", "-")
		if customer := r.FormValue("customer"); customer != "" && customer == p.deleted {
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"type": "invalid_request_error", "code": "resource_missing", "param": "customer", "message": "No such customer: '" + customer + "'"}})
			return
		}
		if p.sessions[id] == nil {
			p.sessions[id] = map[string]any{
				"id": id, "url": "https://checkout.stripe.com/" + id, "mode": r.FormValue("mode"), "status": "open",
				"customer": r.FormValue("customer"), "client_reference_id": r.FormValue("client_reference_id"), "customer_creation": r.FormValue("customer_creation"),
			}
		}
	}
	_ = json.NewEncoder(w).Encode(p.sessions[id]) // the client may have disconnected
}

// set changes attributes of the only session.
func (p *cardPages) set(t *testing.T, values map[string]any) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sessions) != 1 {
		t.Fatalf("got %d sessions, want 1", len(p.sessions))
	}
	for _, session := range p.sessions {
		for name, value := range values {
			session[name] = value
		}
	}
}

// entered are the attributes of a session after the customer has entered a card.
var entered = map[string]any{
	"status": "complete",
	"setup_intent": map[string]any{
		"status":         "succeeded",
		"payment_method": map[string]any{"id": "pm_new", "card": map[string]any{"last4": "4242"}},
	},
}

// linked returns what a test of card links needs. The last two results are the ID and the
// code in the link that the customer of the subscription gets by email.
func linked(t *testing.T, clock *storetest.Clock, box jobs.Mailer) (*store.Store, *jobs.Runner, *cardPages, *store.Subscription, string, string) {
	t.Helper()
	s, pages := storetest.Open(t, clock), &cardPages{sessions: map[string]map[string]any{}}
	r, sub, id, code := linkedIn(t, s, pages, box)
	return s, r, pages, sub, id, code
}

// linkedIn is like linked, for an existing store.
func linkedIn(t *testing.T, s *store.Store, pages *cardPages, box jobs.Mailer) (*jobs.Runner, *store.Subscription, string, string) {
	t.Helper()
	sub := subscription(1)
	load(t, s, sub)
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	r := runner(t, s, jobs.NewStripe("sk_test_123", server.URL), box)
	f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: get(t, s, sub).Version, Token: s.NewToken()}
	for range 2 {
		if err := r.SendCardLink(t.Context(), admin, f, "https://shop.example.com"); err != nil {
			t.Fatal(err)
		}
	}
	emails := emailsOf(t, s, sub.AccountID)
	if len(emails) != 1 || emails[0].Kind != store.EmailCardLink {
		t.Fatalf("got %+v, want one email with a card link", emails)
	}
	url, err := s.CardLinkURL(t.Context(), emails[0].CardLink)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(url, "/")
	return r, sub, parts[len(parts)-2], parts[len(parts)-1]
}

// TestCardLink_ReplacesCardOnce opens a link in several tabs at the same time, and again
// later. The card must be replaced once.
func TestCardLink_ReplacesCardOnce(t *testing.T) {
	clock := storetest.NewClock()
	s, r, pages, sub, id, code := linked(t, clock, nil)
	var tabs sync.WaitGroup
	urls := make([]string, 4)
	for i := range urls {
		tabs.Go(func() {
			var err error
			if urls[i], err = r.StartCardChange(t.Context(), id, code); err != nil {
				t.Error(err)
			}
		})
	}
	tabs.Wait()
	if slices.Sort(urls); urls[0] == "" || urls[0] != urls[3] {
		t.Errorf("got pages %v, want the same page", urls)
	}
	if got, err := r.FinishCardChange(t.Context(), id, code); err != nil || got.Done || get(t, s, sub).PaymentDetails.Card != "1234" {
		t.Errorf("before the card is entered: got %+v, %v, want no change", got, err)
	}
	pages.set(t, entered)
	for range 2 {
		if got, err := r.FinishCardChange(t.Context(), id, code); err != nil || !got.Done {
			t.Errorf("got %+v, %v, want the card replaced", got, err)
		}
		if url, err := r.StartCardChange(t.Context(), id, code); err != nil || url != "" {
			t.Errorf("used link: got page %q, %v, want none", url, err)
		}
	}
	after := get(t, s, sub)
	if want := (store.PaymentDetails{Card: "4242", Customer: "cus_1", Method: "pm_new"}); after.PaymentDetails != want || after.Version != sub.Version+1 {
		t.Errorf("got %+v, version %d; want %+v and one change", after.PaymentDetails, after.Version, want)
	}
	if got, want := events(t, s, sub.AccountID), []store.EventCode{store.EventCardLinkCreated, store.EventPaymentMethodChanged}; !slices.Equal(got, want) {
		t.Errorf("got events %v, want %v", got, want)
	}
	history, err := s.As(admin).EventsOfAccount(t.Context(), sub.AccountID, store.Page{Limit: 1})
	if err != nil || history.Rows[0].Before != "card •••• 1234, payment method pm_1" || history.Rows[0].After != "card •••• 4242, payment method pm_new" {
		t.Errorf("got history %+v, %v; want both cards", history.Rows, err)
	}
}

// TestCardLink_RefusesOthers tries links and sessions that must not replace the card.
func TestCardLink_RefusesOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		session map[string]any // attributes of the session to replace
		prepare func(t *testing.T, s *store.Store, clock *storetest.Clock, sub *store.Subscription)
		code    string // text to add to the code of the link
		kind    store.Kind
	}{
		"another code":            {code: "x", kind: store.NotFound},
		"session of another link": {session: map[string]any{"client_reference_id": "other"}},
		"session of a payment":    {session: map[string]any{"mode": "payment"}},
		"setup in progress":       {session: map[string]any{"setup_intent": map[string]any{"status": "processing"}}},
		"expired link": {kind: store.NotFound, prepare: func(_ *testing.T, _ *store.Store, clock *storetest.Clock, _ *store.Subscription) {
			clock.Advance(store.CardLinkLife + time.Second)
		}},
		"cancelled subscription": {kind: store.NotFound, prepare: func(t *testing.T, s *store.Store, _ *storetest.Clock, sub *store.Subscription) {
			f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: sub.Version, Token: s.NewToken()}
			if err := s.As(admin).CancelSubscription(t.Context(), f, ""); err != nil {
				t.Fatal(err)
			}
		}},
		"payment in progress": {kind: store.Conflict, prepare: func(t *testing.T, s *store.Store, _ *storetest.Clock, sub *store.Subscription) {
			if _, err := s.RecordAttempt(t.Context(), sub, store.ServiceStripe, store.RunContext{}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			clock := storetest.NewClock()
			s, r, pages, sub, id, code := linked(t, clock, nil)
			if _, err := r.StartCardChange(t.Context(), id, code); err != nil {
				t.Fatal(err)
			}
			pages.set(t, entered)
			pages.set(t, tt.session)
			if tt.prepare != nil {
				tt.prepare(t, s, clock, sub)
			}
			got, err := r.FinishCardChange(t.Context(), id, code+tt.code)
			if err == nil || tt.kind != 0 && store.KindOf(err) != tt.kind {
				t.Errorf("got %+v, %v, want an error of kind %v", got, err, tt.kind)
			}
			if after := get(t, s, sub); after.PaymentDetails != sub.PaymentDetails {
				t.Errorf("got %+v, want the card unchanged", after.PaymentDetails)
			}
		})
	}
}

// unreadableSettings is a table that fails to read the settings while down is set.
type unreadableSettings struct {
	store.DB
	down atomic.Bool
}

func (u *unreadableSettings) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if pk, ok := in.Key["PK"].(*types.AttributeValueMemberS); ok && u.down.Load() && pk.Value == "settings" {
		return nil, errors.New("the settings cannot be read")
	}
	return u.DB.GetItem(ctx, in, options...)
}

// TestCardLink_SettingsAreUnreadable opens a link while the settings cannot be read. The
// error must not be a Conflict, which tells the customer to contact the business.
func TestCardLink_SettingsAreUnreadable(t *testing.T) {
	clock := storetest.NewClock()
	db := &unreadableSettings{DB: storetest.Embedded(t, clock)}
	r, _, id, code := linkedIn(t, openStore(t, db, clock), &cardPages{sessions: map[string]map[string]any{}}, nil)
	clock.Advance(time.Minute) // the settings are cached for a few seconds
	db.down.Store(true)
	if _, err := r.StartCardChange(t.Context(), id, code); err == nil || store.KindOf(err) == store.Conflict {
		t.Errorf("got %v, want the error of the table", err)
	}
}

// TestCardLink_SubscriptionIsCancelled cancels a subscription while the server asks the
// payment service for the new card. The card must not be replaced.
func TestCardLink_SubscriptionIsCancelled(t *testing.T) {
	s, _, _, sub, id, code := linked(t, storetest.NewClock(), nil)
	l, _, err := s.OpenCardLink(t.Context(), id, code)
	if err != nil {
		t.Fatal(err)
	}
	f := store.SubscriptionForm{AccountID: sub.AccountID, ID: sub.ID, SKU: sub.SKU, Version: sub.Version, Token: s.NewToken()}
	if err := s.As(admin).CancelSubscription(t.Context(), f, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.UseCardLink(t.Context(), l, store.PaymentDetails{Card: "4242", Customer: "cus_1", Method: "pm_new"}); store.KindOf(err) != store.NotFound {
		t.Errorf("got %v, want NotFound", err)
	}
	if after := get(t, s, sub); after.PaymentDetails != sub.PaymentDetails {
		t.Errorf("got %+v, want the card unchanged", after.PaymentDetails)
	}
}

// TestCardLink_CustomerIsMissing opens a link in two tabs after the customer was deleted at
// Stripe. The page must create a new customer, to whom the new card belongs.
func TestCardLink_CustomerIsMissing(t *testing.T) {
	s, r, pages, sub, id, code := linked(t, storetest.NewClock(), nil)
	pages.deleted = sub.PaymentDetails.Customer
	first, err := r.StartCardChange(t.Context(), id, code)
	if err != nil || first == "" {
		t.Fatalf("got page %q, %v, want a page", first, err)
	}
	if second, err := r.StartCardChange(t.Context(), id, code); err != nil || second != first {
		t.Errorf("second tab: got page %q, %v, want the same page", second, err)
	}
	pages.set(t, entered)
	pages.set(t, map[string]any{"customer": "cus_new"})
	if got, err := r.FinishCardChange(t.Context(), id, code); err != nil || !got.Done {
		t.Fatalf("got %+v, %v, want the card replaced", got, err)
	}
	if got, want := get(t, s, sub).PaymentDetails, (store.PaymentDetails{Card: "4242", Customer: "cus_new", Method: "pm_new"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestCardLink_CustomerIsReplaced enters a card on a page that was created for an earlier
// customer ID of the subscription. The link must stay usable and lead to a new page.
func TestCardLink_CustomerIsReplaced(t *testing.T) {
	s, r, pages, sub, id, code := linked(t, storetest.NewClock(), nil)
	first, err := r.StartCardChange(t.Context(), id, code)
	if err != nil {
		t.Fatal(err)
	}
	pages.set(t, entered)
	pages.set(t, map[string]any{"customer": "cus_2"})
	if got, err := r.FinishCardChange(t.Context(), id, code); err != nil || got.Done || got.URL != "" {
		t.Errorf("got %+v, %v, want no change", got, err)
	}
	if after := get(t, s, sub); after.PaymentDetails != sub.PaymentDetails {
		t.Errorf("got %+v, want the card unchanged", after.PaymentDetails)
	}
	if second, err := r.StartCardChange(t.Context(), id, code); err != nil || second == "" || second == first {
		t.Errorf("got page %q after %q, %v; want a new page", second, first, err)
	}
}

func TestCardLink_ExpiredPageIsReplaced(t *testing.T) {
	_, r, pages, _, id, code := linked(t, storetest.NewClock(), nil)
	first, err := r.StartCardChange(t.Context(), id, code)
	if err != nil {
		t.Fatal(err)
	}
	pages.set(t, map[string]any{"status": "expired"})
	if second, err := r.StartCardChange(t.Context(), id, code); err != nil || second == "" || second == first {
		t.Errorf("got page %q after %q, %v; want a new page", second, first, err)
	}
}

// TestCardLink_OnlyInEmail checks that the email contains the link. The page that shows the
// email, and the JSON of the email, must not contain it.
func TestCardLink_OnlyInEmail(t *testing.T) {
	box := &mailbox{}
	s, _, _, sub, id, code := linked(t, storetest.NewClock(), box)
	storetest.WaitFor(t, "email from the background", func() bool { return emailsOf(t, s, sub.AccountID)[0].Status == store.EmailSent })
	url := "https://shop.example.com/card/" + id + "/" + code
	if len(box.messages) != 1 || !strings.Contains(box.messages[0].Text, url) || !strings.Contains(box.messages[0].HTML, `href="`+url+`"`) || !strings.Contains(box.messages[0].Text, "28 Nov 2026") {
		t.Fatalf("got %+v, want a message with %s", box.messages, url)
	}
	e := emailsOf(t, s, sub.AccountID)[0]
	page, err := views.RenderEmail(t.Context(), store.Settings{}, &e, "", nil)
	if err != nil || strings.Contains(page.Text+page.HTML, code) {
		t.Errorf("got the code on the page of the email, want none; error %v:\n%s", err, page.Text)
	}
	stored, err := json.Marshal(e)
	if err != nil || strings.Contains(string(stored), code) {
		t.Errorf("got the code in the JSON of the email, want none; error %v:\n%s", err, stored)
	}
}

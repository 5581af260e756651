package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRecordPayment_HidesCardNumber submits a full card number together with another
// mistake. The page must not show the number again.
func TestRecordPayment_HidesCardNumber(t *testing.T) {
	s := open(t, openOrder()...)
	support := s.as(t, "support")
	for _, form := range []url.Values{
		{"rest-method": {"Visa"}, "rest-reference": {"4111111111111111"}, "rest-amount": {"999999"}},
		{"voucher-kind": {"GiftCard"}, "voucher-code": {"4111111111111111"}, "voucher-amount": {"1"}},
	} {
		form.Set("version", "1")
		form.Set("once", support.token("/invoices/iopen/pay"))
		page := support.post("/invoices/iopen/pay", form)
		if page.status == http.StatusSeeOther || strings.Contains(page.body, "4111111111111111") {
			t.Errorf("%v: got status %d, or a page with the card number", form, page.status)
		}
	}
}

// TestRecordPayment_KeepsReference submits the reference of a bank transfer together with a
// mistake. The form must show the reference again, although it has as many digits as a card
// number.
func TestRecordPayment_KeepsReference(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	page := support.post("/invoices/iopen/pay", url.Values{
		"rest-method": {"BankTransfer"}, "rest-reference": {"RF18 5390 0754 7035"}, "rest-amount": {"999999"}, "version": {"1"}, "once": {support.token("/invoices/iopen/pay")},
	})
	if page.status == http.StatusSeeOther || !strings.Contains(page.body, `value="RF18 5390 0754 7035"`) || strings.Contains(page.body, "Enter a reference without") {
		t.Errorf("got status %d, want the form with the reference: %s", page.status, content(page.body))
	}
}

// TestRecordPayment_Again records a payment, and then submits the form again, as after Back
// in the browser: the same form, and a form that was opened before the payment. Neither may
// record another payment.
func TestRecordPayment_Again(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	const path = "/invoices/iopen/pay"
	open := func() url.Values {
		form := hiddenFields(support.get(path).body)
		maps.Copy(form, url.Values{"rest-method": {"Cash"}, "rest-amount": {"2.00"}})
		return form
	}
	form, earlier := open(), open()
	for _, want := range []string{"Payment recorded.", "Payment already recorded. It was not recorded again."} {
		got := support.post(path, form)
		if page := support.get("/invoices/iopen").body; got.status != http.StatusSeeOther || !strings.Contains(page, want) || strings.Count(page, "€2.00") != 1 {
			t.Fatalf("got status %d, want 303, one payment and %q: %s", got.status, want, content(page))
		}
	}
	got := support.post(path, earlier)
	for _, want := range []string{"The balance due is now €3.36.", `value="2.00"`, "Recorded payments"} {
		if got.status != http.StatusConflict || !strings.Contains(got.body, want) {
			t.Errorf("got status %d, want 409 and %q: %s", got.status, want, content(got.body))
		}
	}
}

// TestRecordPayment_WarnsOfSimilar records a payment, and then another one with the same
// amount, method and day. The form must show the first payment once, and keep what the user
// entered. Submitted again, it must record the payment. Payments with another amount or
// method need no warning.
func TestRecordPayment_WarnsOfSimilar(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	const path = "/invoices/iopen/pay"
	pay := func(entered url.Values) answer {
		form := hiddenFields(support.get(path).body)
		maps.Copy(form, url.Values{"rest-method": {"Cash"}, "rest-amount": {"1.00"}, "rest-reference": {"till 4"}})
		maps.Copy(form, entered)
		return support.post(path, form)
	}
	if got := pay(nil); got.status != http.StatusSeeOther {
		t.Fatalf("first payment: got status %d, want 303: %s", got.status, content(got.body))
	}
	asked := pay(url.Values{"rest-reference": {"till 5"}})
	for _, want := range []string{"Cash, till 4, €1.00, 21 Nov 2026", `role="alert" tabindex="-1" autofocus`, "Nothing was recorded yet. This payment may already be recorded.", "Record payment anyway</button>", `value="1.00"`, `value="till 5"`} {
		if asked.status != http.StatusUnprocessableEntity || !strings.Contains(asked.body, want) {
			t.Errorf("same payment: got status %d, want 422 and %q: %s", asked.status, want, content(asked.body))
		}
	}
	if strings.Contains(asked.body, "Please fix") {
		t.Errorf("same payment: got errors to fix, want only the question: %s", content(asked.body))
	}
	if n := strings.Count(asked.body, "Cash, till 4"); n != 1 {
		t.Errorf("got the first payment %d times, want it once: %s", n, content(asked.body))
	}
	form := hiddenFields(asked.body)
	maps.Copy(form, url.Values{"rest-method": {"Cash"}, "rest-amount": {"1.00"}, "rest-reference": {"till 5"}})
	if got := support.post(path, form); got.status != http.StatusSeeOther {
		t.Errorf("same payment, submitted again: got status %d, want 303: %s", got.status, content(got.body))
	}
	for name, entered := range map[string]url.Values{"another amount": {"rest-amount": {"1.01"}}, "another method": {"rest-method": {"BankTransfer"}}} {
		if got := pay(entered); got.status != http.StatusSeeOther {
			t.Errorf("%s: got status %d, want 303: %s", name, got.status, content(got.body))
		}
	}
}

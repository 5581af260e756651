package handlers

import (
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

package handlers

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestForms_ShowAllErrors submits forms with several mistakes. The page must show all
// errors, and all entered values except card digits.
func TestForms_ShowAllErrors(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		name, user, page string
		form             url.Values
		errors           []string
	}{
		{
			"payment", "support", "/invoices/iopen/pay",
			url.Values{"voucher-kind": {""}, "voucher-amount": {"lots"}, "voucher-code": {""}, "rest-method": {""}, "rest-amount": {"-1"}, "rest-reference": {"12"}},
			[]string{"Choose a gift card or a discount code.", "Enter the code of the gift card or discount", "Enter an amount above zero. To return money, use Refund.", "Choose a payment method."},
		},
		{
			"payment that exceeds the balance", "support", "/invoices/iopen/pay",
			url.Values{"rest-method": {"Visa"}, "rest-amount": {"999"}, "rest-reference": {"12"}},
			[]string{"the rest of the balance due, ", "Enter only the last four digits"},
		},
		{"payment without card digits", "support", "/invoices/iopen/pay", url.Values{"rest-method": {"Visa"}, "rest-amount": {"1"}, "rest-reference": {" "}}, []string{"Enter the last four digits of the card."}},
		{
			"payment with a voucher of too many decimals", "support", "/invoices/iopen/pay",
			url.Values{"voucher-kind": {"GiftCard"}, "voucher-amount": {"0.125"}, "voucher-code": {"G1"}, "rest-method": {"Visa"}, "rest-amount": {"999"}, "rest-reference": {"1234"}},
			[]string{"Enter an amount with at most 2 decimals", "the rest of the balance due, "},
		},
		{"refund", "admin", "/invoices/iopen/refund", url.Values{"amount": {""}, "payment": {""}, "why": {""}}, []string{"Enter the amount to refund.", "Choose the payment to refund.", "Enter a reason."}},
		{
			"shipment", "manager", "/orders/open/ship",
			url.Values{"warehouse": {"w1"}, "product-1": {"p10"}, "quantity-1": {"some"}, "product-2": {"p08"}, "quantity-2": {"99"}, "tracking": {long}},
			[]string{"Enter a whole number, or leave it empty.", "Enter 0 to 2.", "Enter one line of at most"},
		},
		{
			"return", "support", "/orders/gone/return",
			url.Values{"product-1": {"p10"}, "quantity-1": {"some"}, "why": {""}},
			[]string{"Enter a whole number, or leave it empty.", "Enter a reason."},
		},
		{"receipt of stock", "manager", "/products/p07/stock/w1/receive", url.Values{"quantity": {"some"}, "reason": {""}}, []string{"Enter a whole number, such as 12.", "Enter a reason."}},
		{"transfer", "manager", "/products/p07/stock/w1/transfer", url.Values{"quantity": {"0"}, "reason": {""}, "to": {""}}, []string{"Enter 1 or more.", "Enter a reason.", "Choose another warehouse."}},
		{"booking", "manager", "/stores/s1/book", url.Values{"person": {""}, "from": {"soon"}, "last": {""}}, []string{"Enter a name, phone number, email address or ID.", "Choose a kayak, or any kayak of a kind.", "is not a date.", "Enter the last day."}},
		{"hiring", "manager", "/stores/s1/hire", url.Values{"person": {"nobody at all"}, "from": {"soon"}}, []string{"is not a date."}},
		{"hiring without a day", "manager", "/stores/s1/hire", url.Values{"person": {"nobody at all"}, "from": {""}}, []string{"No person found", "Enter the first day."}},
		{"end of an employment without a day", "manager", "/stores/s1/leave", url.Values{"person": {"nobody at all"}, "last": {""}}, []string{"No employee found", "Enter the last day."}},
		{"shipment of a changed order", "manager", "/orders/open/ship", url.Values{"version": {"99"}, "warehouse": {"w1"}, "product-1": {"p10"}, "quantity-1": {"some"}, "product-2": {"p08"}, "tracking": {long}}, []string{"Enter a whole number, or leave it empty.", "Enter one line of at most"}},
		{"new customer", "support", "/customers/new", url.Values{"name": {""}, "email": {"nobody"}, "phones": {"12"}}, []string{"Enter a name.", "Enter a valid email address.", "“12” is not a phone number."}},
		{"new product", "admin", "/products/new", url.Values{"name": {""}, "price": {"lots"}, "sku": {"SKU-7"}}, []string{"Enter a name.", "Enter an amount in digits", "already has this SKU."}},
		{"employee with an unknown manager", "admin", "/employees/e01/edit", url.Values{"name": {"Kim"}, "manager": {"nobody at all"}, "phones": {"12"}}, []string{"No employee found", "“12” is not a phone number."}},
		{"settings", "admin", "/admin/settings", url.Values{"currency": {"EUR"}, "timezone": {"Mars"}, "reminder": {"some"}, "retries": {"2, x"}, "refund-limit": {"0.125"}}, []string{"The time zone “Mars” is unknown.", "Enter a whole number, such as 12.", "Enter days from 1 to", "Enter an amount with at most 2 decimals"}},
		{"settings without limits", "admin", "/admin/settings", url.Values{"idle": {""}, "life": {""}}, []string{"Enter a session idle limit in minutes.", "Enter a session limit in hours."}},
		{"expected delivery without a date", "manager", "/deliveries/new", url.Values{"due": {""}, "quantity": {""}}, []string{"Enter an expected date.", "Enter a quantity."}},
		{"subscription", "support", "/accounts/c01/subscribe", url.Values{"sku": {"SKU-7"}, "amount": {"lots"}, "day": {"1"}, "from": {"2020-01-01"}}, []string{"Enter an amount in digits", "Enter today or a later date."}},
		{"new user", "admin", "/admin/users", url.Values{"name": {"Åsa B"}, "role": {"manager"}}, []string{"Use only letters a to z", "Enter at least one warehouse or store"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, openOrder()...)
			user := b.as(t, test.user)
			form := hiddenFields(user.get(test.page).body)
			maps.Copy(form, test.form)
			for _, name := range []string{"once", "version"} { // keep one value, because a page can have several forms with these fields
				if form.Has(name) {
					form.Set(name, form.Get(name))
				}
			}
			got := user.post(test.page, form)
			if got.status != http.StatusUnprocessableEntity {
				t.Fatalf("got status %d, want 422: %s", got.status, content(got.body))
			}
			shown := html.UnescapeString(content(got.body))
			for _, want := range test.errors {
				if !strings.Contains(shown, want) {
					t.Errorf("got a page without %q: %s", want, shown)
				}
			}
			for field, values := range test.form {
				if values[0] != "" && field != "rest-reference" && !strings.Contains(shown, values[0]) {
					t.Errorf("got a page without the value of %s: %s", field, shown)
				}
			}
		})
	}
}

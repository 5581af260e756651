package store_test

import (
	"fmt"
	"testing"

	"stockroom/store"
)

func TestInvoice_Refundable(t *testing.T) {
	gift := store.Payment{ID: "1", Type: "GiftCard", Data: "GC-1", Amount: amount("90")}
	card := store.Payment{ID: "2", Type: "Visa", Data: "•••• 1234", Amount: amount("10")}
	again := store.Payment{ID: "3", Type: "Visa", Data: "•••• 1234", Amount: amount("5")}
	refund := func(p store.Payment, of, value string) store.Payment {
		p.ID, p.RefundOf, p.Amount = "r", of, amount(value)
		return p
	}
	for name, tt := range map[string]struct {
		payments []store.Payment
		want     string
	}{
		"no payments":                              {nil, "[]"},
		"nothing refunded":                         {[]store.Payment{gift, card}, "[90 10]"},
		"a refund of the later card":               {[]store.Payment{gift, card, again, refund(card, "3", "-4")}, "[90 10 1 0]"},
		"a refund without RefundOf":                {[]store.Payment{gift, card, again, refund(card, "", "-12")}, "[90 0 3 0]"},
		"a refund of an unknown payment":           {[]store.Payment{gift, card, refund(card, "9", "-3")}, "[90 7 0]"},
		"refunds above the card payment":           {[]store.Payment{gift, card, refund(card, "", "-10"), refund(card, "", "-10")}, "[80 0 0 0]"},
		"a refund of another type":                 {[]store.Payment{gift, {Type: "Cash", Amount: amount("-95")}, card}, "[0 0 5]"},
		"more refunds than payments":               {[]store.Payment{card, refund(card, "2", "-25")}, "[0 0]"},
		"a refund with RefundOf after one without": {[]store.Payment{card, again, refund(card, "", "-10"), refund(card, "2", "-5")}, "[0 0 0 0]"},
		"refund before its own payment":            {[]store.Payment{refund(gift, "1", "-40"), gift}, "[0 50]"},
	} {
		if got := fmt.Sprint((&store.Invoice{Payments: tt.payments}).Refundable()); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

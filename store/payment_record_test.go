package store_test

import (
	"testing"
	"time"

	"stockroom/store"
)

// TestSimilar_ComparesPayments checks which recorded payments may be the same as an entered
// one.
func TestSimilar_ComparesPayments(t *testing.T) {
	now := time.Date(2026, time.November, 21, 10, 30, 0, 0, time.UTC)
	yesterday := now.AddDate(0, 0, -1)
	cash := store.Payment{ID: "1", Type: "Cash", Data: "till 4", Amount: store.MinorUnits(100), Date: now}
	card := store.Payment{ID: "1", Type: "GiftCard", Data: "GC-1", Amount: store.MinorUnits(100), Date: now}
	reversed := []store.Payment{cash, {ID: "2", Type: "Cash", Data: "till 4", Amount: store.MinorUnits(-100), Date: now, ReversalOf: "1"}}
	for name, tt := range map[string]struct {
		recorded []store.Payment
		entered  store.PaymentRequest
		want     int
	}{
		"same":                  {[]store.Payment{cash}, store.PaymentRequest{Rest: store.Payment{Type: "Cash", Data: "till 5", Amount: cash.Amount}}, 1},
		"same day entered":      {[]store.Payment{cash}, store.PaymentRequest{Rest: store.Payment{Type: "Cash", Amount: cash.Amount}, Received: time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)}, 1},
		"another day":           {[]store.Payment{cash}, store.PaymentRequest{Rest: store.Payment{Type: "Cash", Amount: cash.Amount}, Received: time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)}, 0},
		"recorded yesterday":    {[]store.Payment{{ID: "1", Type: "Cash", Amount: cash.Amount, Date: yesterday}}, store.PaymentRequest{Rest: store.Payment{Type: "Cash", Amount: cash.Amount}}, 0},
		"another amount":        {[]store.Payment{cash}, store.PaymentRequest{Rest: store.Payment{Type: "Cash", Amount: store.MinorUnits(101)}}, 0},
		"another method":        {[]store.Payment{cash}, store.PaymentRequest{Rest: store.Payment{Type: "BankTransfer", Amount: cash.Amount}}, 0},
		"reversed":              {reversed, store.PaymentRequest{Rest: store.Payment{Type: "Cash", Amount: cash.Amount}}, 0},
		"voucher, same code":    {[]store.Payment{card}, store.PaymentRequest{Voucher: store.Payment{Type: "GiftCard", Data: "GC-1", Amount: card.Amount}}, 1},
		"voucher, another code": {[]store.Payment{card}, store.PaymentRequest{Voucher: store.Payment{Type: "GiftCard", Data: "GC-2", Amount: card.Amount}}, 0},
	} {
		if got := tt.entered.Similar(&store.Invoice{Payments: tt.recorded}, now, time.UTC); len(got) != tt.want {
			t.Errorf("%s: got %+v, want %d similar payments", name, got, tt.want)
		}
	}
}

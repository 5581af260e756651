package exchange_test

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_RejectsSubscriptionsThatAreNeverCharged imports subscriptions whose status and
// dates do not match.
func TestImport_RejectsSubscriptionsThatAreNeverCharged(t *testing.T) {
	const header = "AccountID,SubscriptionID,SKU,PaymentAmount,PaymentDay,Status,Attempt,NextPaymentDate,NextAttemptDate\n"
	for _, tt := range []struct {
		name, row string
		want      string // "" means accepted
		mild      bool   // whether -lenient accepts the row
	}{
		{"active", "a,s,A,5,1,ACTIVE,,2026-12-01,2026-12-01", "", false},
		{"cancelled without dates", "a,s,A,5,1,CANCELLED,,,", "", false},
		{"without a status", "a,s,A,5,1,,,2026-12-01,2026-12-01", "Status is missing.", false},
		{"without an amount", "a,s,A,,1,ACTIVE,,2026-12-01,2026-12-01", "PaymentAmount is missing.", false},
		{"without a payment day", "a,s,A,5,,ACTIVE,,2026-12-01,2026-12-01", "PaymentDay is missing.", false},
		{"with an impossible payment day", "a,s,A,5,45,ACTIVE,,2026-12-01,2026-12-01", "PaymentDay is 45. Use a day from 1 to 31.", false},
		{"active without dates", "a,s,A,5,1,ACTIVE,,,", "The subscription is never charged, because NextPaymentDate is missing. Correct the row, or use -lenient.", true},
		{"active without an attempt day", "a,s,A,5,1,ACTIVE,,2026-12-01,", "The subscription is never charged, because NextAttemptDate is missing. Correct the row, or use -lenient.", true},
		{"active with an early attempt day", "a,s,A,5,1,ACTIVE,,2026-12-01,2026-11-30", "The subscription is charged next on 2026-11-30, before its payment is due on 2026-12-01. Correct the row, or use -lenient.", true},
		{"past due without an attempt", "a,s,A,5,1,PAST_DUE,,2026-12-01,2026-12-02", "The subscription is past due, but has no declined attempt. Correct the row, or use -lenient.", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				sum, rejected := importFiles(t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{Lenient: lenient}, newFile("subscriptions.csv", header+tt.row+"\n"))
				want := []string{"subscriptions.csv 2: " + tt.want}
				if tt.want == "" || lenient && tt.mild {
					want = nil
				}
				if !slices.Equal(rejected, want) || lenient && tt.mild != (sum.Warned == 1) {
					t.Errorf("lenient %t: got %q and %d warnings, want %q", lenient, rejected, sum.Warned, want)
				}
			}
		})
	}
}

// TestImport_ComputesNextAttemptDate imports an active subscription from a file without the
// column NextAttemptDate, twice. The first attempt is on the day of the payment.
func TestImport_ComputesNextAttemptDate(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	for _, want := range []int{1, 0} {
		sum, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("subscriptions.csv", "AccountID,SubscriptionID,SKU,PaymentAmount,PaymentDay,Status,NextPaymentDate\na,s,A,5,1,ACTIVE,2026-12-01\n"))
		if len(rejected) > 0 || sum.RowsOf("subscription") != 1 || sum.Added["subscription"] != want {
			t.Errorf("got %d added and the rejected rows %s, want %d and none", sum.Added["subscription"], strings.Join(rejected, "\n"), want)
		}
	}
	stored, err := s.Stored(t.Context(), []store.Entity{&store.Subscription{AccountID: "a", ID: "s", SKU: "A"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored[0].(*store.Subscription); got.NextAttemptDate.IsZero() || !got.NextAttemptDate.Equal(got.NextPaymentDate) {
		t.Errorf("got the next attempt on %s, want %s", got.NextAttemptDate, got.NextPaymentDate)
	}
}

package storetest_test

import (
	"testing"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestCreateSubscription_OncePerForm checks that a form creates one subscription.
// The form must be rejected if it is submitted again with other values, or if its
// token is forged.
func TestCreateSubscription_OncePerForm(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		admin := s.As(&store.User{Name: "admin", Role: store.Admin})
		token := s.NewToken()
		create := func(token string, day int) (string, error) {
			return admin.CreateSubscription(t.Context(), store.NewSubscription{
				AccountID: "c01", SKU: "TEA", Email: "c01@example.com", Day: day, Amount: store.MinorUnits(9_00), Token: token,
				Details: store.PaymentDetails{Card: "1234", Customer: "cus_1", Method: "pm_1"},
			})
		}
		for range 2 {
			if id, err := create(token+".1", 5); err != nil || id != token {
				t.Errorf("got subscription %q, %v, want the ID %s", id, err, token)
			}
		}
		if id, err := create(token+".2", 6); store.KindOf(err) != store.Conflict {
			t.Errorf("same form with another day: got %q, %v, want Conflict", id, err)
		}
		var oldest ulid.ULID
		if id, err := create(oldest.String(), 5); store.KindOf(err) != store.Invalid {
			t.Errorf("token of 1970: got %q, %v, want Invalid", id, err)
		}
	})
}

package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestRekey_PaymentState runs Rekey on orders that an earlier version stored as partly
// paid, because one of their two invoices is refunded. Their state must be corrected. An
// order with a partly paid invoice must stay partly paid.
func TestRekey_PaymentState(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		payment := func(id string, amount int64) store.Payment {
			return store.Payment{ID: id, Type: "Visa", Amount: store.MinorUnits(amount), Date: storetest.Now}
		}
		refunded := store.Invoice{Amount: store.MinorUnits(110), Credit: store.MinorUnits(110), Payments: []store.Payment{payment("1", 110), payment("2", -110)}}
		all := []store.Entity{&store.Customer{ID: "c1", Name: "Ada", Version: 1}}
		add := func(id string, second store.Invoice) {
			all = append(all,
				&store.Order{ID: id, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(220), ItemCount: 2, PaymentState: store.InvoicePartial, ShipmentState: store.NothingShipped, OpenLines: []string{"2 p1"}, Version: 1},
				&store.OrderItem{OrderID: id, ProductID: "p1", CustomerID: "c1", Date: storetest.Now, Price: store.MinorUnits(110), Quantity: 2, Version: 1})
			for n, i := range []store.Invoice{refunded, second} {
				i.ID, i.OrderID, i.CustomerID, i.Date, i.Version = id+string(rune('a'+n)), id, "c1", storetest.Now, 1
				i.Status = i.StatusFromPayments()
				all = append(all, &i)
			}
		}
		add("paid", store.Invoice{Amount: store.MinorUnits(110), Payments: []store.Payment{payment("3", 110)}})
		add("unpaid", store.Invoice{Amount: store.MinorUnits(110)})
		add("partial", store.Invoice{Amount: store.MinorUnits(110), Payments: []store.Payment{payment("4", 50)}})
		if err := loadAll(t.Context(), s, all); err != nil {
			t.Fatal(err)
		}
		for _, want := range []int{2, 0} {
			if got, err := s.Rekey(t.Context(), store.Rekeying{}); err != nil || got.Repaired != want || got.Damaged != 0 {
				t.Errorf("got %+v, %v; want %d repaired", got, err, want)
			}
		}
		a := s.As(&store.User{Name: "admin", Role: store.Admin})
		for id, want := range map[string]store.InvoiceStatus{"paid": store.InvoicePaid, "unpaid": store.InvoiceUnpaid, "partial": store.InvoicePartial} {
			o, err := a.OrderForChange(t.Context(), id)
			if err != nil || o.PaymentState != want || (o.Status == store.OrderPaid) != (id == "paid") {
				t.Errorf("order %s: got %+v, %v; want the payment state %s", id, o, err, want)
			}
		}
		if _, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
			if f.Rule == store.CheckOrderState {
				t.Error(f.Text)
			}
		}}); err != nil {
			t.Error(err)
		}
	})
}

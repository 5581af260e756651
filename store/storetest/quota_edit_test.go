package storetest_test

import (
	"errors"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTarget_KeepsSales sets targets for a quarter with sales and a quarter without sales,
// and changes one of them. The sales must stay, and the check of the business must find
// nothing new.
func TestTarget_KeepsSales(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx := t.Context()
		boss := s.As(admin)
		known, _ := checkBusiness(t, s, store.BusinessCheck{})
		now, later := store.Quarter{Year: 2026, Number: 4}, store.Quarter{Year: 2027, Number: 1}
		before, err := boss.QuotaForChange(ctx, "e01", now)
		if err != nil {
			t.Fatal(err)
		}
		for _, period := range []store.Quarter{now, later} {
			target := store.Quota{EmployeeID: "e01", Period: period, Target: euros("5000")}
			token := s.NewToken()
			for range 2 {
				if err := boss.AddTarget(ctx, target, token); err != nil {
					t.Fatal(err)
				}
			}
			var refused *store.Error
			if err := boss.AddTarget(ctx, target, s.NewToken()); !errors.As(err, &refused) || refused.Kind != store.Invalid || refused.Field != "period" {
				t.Errorf("%s: second target: got %v, want an error at the quarter", period, err)
			}
		}
		after, err := boss.QuotaForChange(ctx, "e01", now)
		if err != nil || after.Target.Compare(euros("5000")) != 0 || after.Orders != before.Orders || after.OrderTotal.Compare(before.OrderTotal) != 0 {
			t.Errorf("got quota %+v, %v, want the sales of %+v and the target", after, err, before)
		}
		after.Version, after.Target = after.FormVersion(), euros("6000")
		if err := boss.SaveTarget(ctx, *after, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		if err := boss.SaveTarget(ctx, *after, s.NewToken()); store.KindOf(err) != store.Conflict {
			t.Errorf("old version: got %v, want Conflict", err)
		}
		for what, q := range map[string]store.Quota{
			"unknown employee": {EmployeeID: "none", Period: now, Target: euros("1")},
			"unknown quota":    {EmployeeID: "e01", Period: store.Quarter{Year: 1999, Number: 1}},
		} {
			if err := errors.Join(boss.SaveTarget(ctx, q, "")); store.KindOf(err) != store.NotFound {
				t.Errorf("%s: got %v, want NotFound", what, err)
			}
		}
		if found, _ := checkBusiness(t, s, store.BusinessCheck{}); len(found) > len(known) {
			t.Errorf("got findings %+v, want those of before, %+v", found, known)
		}
	})
}

// TestReference_RetitlesEmployees checks that a new title of a job is copied to the
// employees with the job.
func TestReference_RetitlesEmployees(t *testing.T) {
	onEachShop(t, 2, func(t *testing.T, s *store.Store, _ storetest.Shop) {
		ctx := t.Context()
		boss := s.As(admin)
		job, err := boss.ReferenceForChange(ctx, store.Job, "j2")
		if err != nil {
			t.Fatal(err)
		}
		job.Name = "Packer"
		if err := boss.SaveReference(ctx, *job, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		staff, err := boss.Employees(ctx, store.EmployeeFilter{JobID: "j2"}, store.Page{Limit: store.MaxLimit})
		if err != nil || len(staff.Rows) == 0 {
			t.Fatalf("got staff %v, %v, want at least one employee", staff.Rows, err)
		}
		for _, e := range staff.Rows {
			if e.JobTitle != "Packer" {
				t.Errorf("%s: got title %q, want Packer", e.ID, e.JobTitle)
			}
		}
		country, err := boss.ReferenceForChange(ctx, store.Country, "co1")
		if err != nil {
			t.Fatal(err)
		}
		country.ParentID = "none"
		var refused *store.Error
		if err := boss.SaveReference(ctx, *country, s.NewToken()); !errors.As(err, &refused) || refused.Field != "parent" {
			t.Errorf("unknown region: got %v, want an error at the field", err)
		}
	})
}

// TestKayak_AddedOnce checks that a form that is submitted twice adds one kayak,
// which can then be edited.
func TestKayak_AddedOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		id, err := s.As(admin).AddRentalStore(ctx, store.RentalStore{Name: "Brygga"}, s.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		manager := s.As(&store.User{Name: "m", Role: store.Manager, Stores: []string{id}})
		token, kayak := s.NewToken(), ""
		for range 2 {
			if kayak, err = manager.AddKayak(ctx, store.Kayak{StoreID: id, Name: "Heron", DailyRate: euros("30")}, token); err != nil {
				t.Fatal(err)
			}
		}
		at, err := manager.RentalStore(ctx, id)
		if err != nil || at.In != 1 {
			t.Errorf("got store %+v, %v, want one kayak", at, err)
		}
		k, err := manager.KayakForChange(ctx, kayak)
		if err != nil {
			t.Fatal(err)
		}
		k.Condition = "Worn seat"
		if err := manager.SaveKayak(ctx, *k, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		other := s.As(&store.User{Name: "o", Role: store.Manager, Stores: []string{"other"}})
		_, add := other.AddKayak(ctx, store.Kayak{StoreID: id, Name: "Tern"}, s.NewToken())
		for what, err := range map[string]error{"add": add, "save": other.SaveKayak(ctx, *k, s.NewToken())} {
			if store.KindOf(err) != store.NotFound {
				t.Errorf("manager of another store, %s: got %v, want NotFound", what, err)
			}
		}
	})
}

// euros parses an amount, and panics if the text is not an amount.
func euros(text string) store.Amount {
	a, err := store.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

package storetest_test

import (
	"testing"

	"stockroom/store"
)

// TestEmailDomain_Stored edits records whose stored email addresses have no dot in the
// domain, as imports accept them. The address must stay, an undo must restore it, and users
// must not enter another such address.
func TestEmailDomain_Stored(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken
		if loaded, err := s.store.Load(ctx, []store.Entity{
			&store.Customer{ID: "local", Name: "Kim", Email: "kim@mail", Version: 1},
			&store.Employee{ID: "staff", Name: "Ole", Email: "ole@mail", Version: 1},
			&store.Order{ID: "bare", CustomerID: "local", Date: s.store.Now(), Status: store.OrderOpen, Version: 1},
		}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded)
		}
		customer, err := s.admin.Customer(ctx, "local")
		if err != nil {
			s.Fatal(err)
		}
		edited := *customer
		edited.Phones = []string{"031-555 01 00"}
		s.done("another field of a customer", s.admin.SaveCustomer(ctx, edited, token()))
		edited.Version++
		edited.Email = "ole@mail"
		s.refused("another address without a dot", s.admin.SaveCustomer(ctx, edited, token()), store.Invalid, "email")
		edited.Email = "kim@example.com"
		s.done("a full address", s.admin.SaveCustomer(ctx, edited, token()))
		for range 2 { // the new address, and then the phone number
			undoNewest(s, "c#local")
		}
		if after, err := s.admin.Customer(ctx, "local"); err != nil || after.Email != "kim@mail" || len(after.Phones) > 0 {
			s.Errorf("after both undos: got %+v, %v, want kim@mail without a phone number", after, err)
		}
		employee, err := s.admin.Employee(ctx, "staff")
		if err != nil {
			s.Fatal(err)
		}
		renamed := *employee
		renamed.Name = "Ole Berg"
		s.done("the name of an employee", s.admin.SaveEmployee(ctx, renamed, token()))

		n := store.NewSubscription{AccountID: "local", SKU: "TEA", Day: 5, Amount: store.MinorUnits(9_00), Email: "bo@mail", Token: token()}
		_, err = s.admin.CreateSubscription(ctx, n)
		s.refused("a subscription with an entered address", err, store.Invalid, "email")
		n.Email, n.Token = "", token()
		id, err := s.admin.CreateSubscription(ctx, n)
		s.done("a subscription with the address of the customer", err)
		sub, err := s.admin.Subscription(ctx, "local", id, "TEA")
		if err != nil || sub.Email != "kim@mail" {
			s.Fatalf("got subscription %+v, %v, want kim@mail", sub, err)
		}
		form := func() store.SubscriptionForm {
			return store.SubscriptionForm{AccountID: "local", ID: id, SKU: "TEA", Version: sub.Version, Token: token()}
		}
		method := *sub
		method.PaymentDetails.Method = "pm_2"
		method.Email = "bo@mail"
		s.refused("another address of a subscription", s.admin.EditPaymentMethod(ctx, form(), method), store.Invalid, "email")
		method.Email = sub.Email
		s.done("the card of a subscription", s.admin.EditPaymentMethod(ctx, form(), method))

		document := store.DocumentEmail{Kind: store.EmailConfirmation, ID: "bare", To: "bo@mail"}
		s.refused("a document to an entered address", s.admin.SendDocument(ctx, document, token()), store.Invalid, store.FieldTo)
		document.To = "kim@mail"
		s.done("a document to the address of the customer", s.admin.SendDocument(ctx, document, token()))
	})
}

func undoNewest(s *selling, partition string) {
	s.Helper()
	events, err := s.admin.Events(s.Context(), store.EventFilter{About: partition}, store.Page{Limit: 10})
	if err != nil {
		s.Fatal(err)
	}
	for _, e := range events.Rows {
		if plan, err := s.admin.PlanUndo(s.Context(), partition, e.ID); err == nil && plan.Refusal == "" && e.UndoneBy == "" && e.Undoes == "" {
			s.done("undo", s.admin.Undo(s.Context(), store.UndoForm{Partition: partition, ID: e.ID, Seen: plan.Seen, Token: s.store.NewToken()}))
			return
		}
	}
	s.Fatalf("got no event of %s that can be undone", partition)
}
